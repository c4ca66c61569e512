"""Replay of a hand, action by action: bets, streets, pots, and the board at an all-in.

Only what equities need is recorded. The order of turns and the limits of bets are not checked, as
the site that dealt the hand has done so; impossible actions, such as a bet of more chips than the
seat has, raise a `HistoryError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from holdem.betting.played_hand import Amount, PlayedStreet, Pot
from holdem.cards import DECK, Card
from holdem.errors import HistoryError, counted

_CARDS = {str(card): card for card in DECK}


def read_cards(text: str) -> tuple[Card, ...]:
    """Parse cards such as ``Td9d2c``."""
    try:
        return tuple([_CARDS[text[start : start + 2]] for start in range(0, len(text), 2)])
    except KeyError as error:
        raise HistoryError(f"{error.args[0]!r} in {text!r} is not a card") from None


@attrs.define
class Replay:
    """The state of a hand in play. Each type of action has a method, which updates the state."""

    stacks: list[Amount]
    """The chips that each seat has left."""
    antes: Sequence[Amount]
    """The ante of each seat."""
    blinds: Sequence[Amount]
    """The blind or straddle of each seat; 0 for none."""
    trims_antes: bool = True
    """Whether the part of an ante that no other seat matches is returned. If not, antes are dead
    money in the main pot, as when the big blind pays for all."""
    holes: list[tuple[Card, Card] | None] = attrs.field(init=False)
    board: tuple[Card, ...] = attrs.field(default=(), init=False)
    streets: list[PlayedStreet] = attrs.field(factory=list, init=False)
    all_in: tuple[Card, ...] | None = attrs.field(default=None, init=False)
    """The board when no more betting was possible; None if that has not happened."""
    put: list[Amount] = attrs.field(init=False)
    """The chips that each seat has put into the pots, without its `bets`."""
    bets: list[Amount] = attrs.field(init=False)
    """The bet of each seat on the current street."""
    dead: list[Amount] = attrs.field(init=False)
    """The part of each seat's `put` that is in the main pot, whatever others put in: antes that are
    not trimmed."""
    is_live: list[bool] = attrs.field(init=False)
    is_mucked: list[bool] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        count = len(self.stacks)
        self.holes = [None] * count
        self.put, self.bets, self.dead = [0] * count, [0] * count, [0] * count
        self.is_live, self.is_mucked = [True] * count, [False] * count
        self.streets.append(PlayedStreet((), tuple(range(count))))
        for seat, ante in enumerate(self.antes):
            self._pay(seat, ante)
        if self.trims_antes:
            self._collect()
        else:
            self.dead, self.put, self.bets = self.bets, list(self.bets), [0] * count
        for seat, blind in enumerate(self.blinds):
            self._pay(seat, blind)

    def _pay(self, seat: int, amount: Amount) -> None:
        paid = min(amount, self.stacks[seat])
        self.stacks[seat] -= paid
        self.bets[seat] += paid

    def _collect(self) -> None:
        """Move the street's `bets` to `put`; give the uncalled part of the highest bet back."""
        called = sorted(self.bets)[-2]
        for seat, bet in enumerate(self.bets):
            self.stacks[seat] += max(0, bet - called)
            self.put[seat] += min(bet, called)
            self.bets[seat] = 0

    def fold(self, seat: int) -> None:
        self._require_live(seat)
        self.is_live[seat] = False

    def call(self, seat: int) -> None:
        """Check, or call the highest bet as far as the seat's chips go."""
        self._require_live(seat)
        self._pay(seat, max(self.bets) - self.bets[seat])

    def raise_to(self, seat: int, amount: Amount) -> None:
        """Bet or raise to a total of `amount` chips on the current street."""
        self._require_live(seat)
        if amount <= max(self.bets):
            raise HistoryError(
                f"seat {seat + 1} raises to {float(amount):g}, which is no raise: the highest bet"
                f" is {float(max(self.bets)):g}"
            )
        if amount - self.bets[seat] > self.stacks[seat]:
            raise HistoryError(
                f"seat {seat + 1} bets {float(amount):g}, but has"
                f" {float(self.bets[seat] + self.stacks[seat]):g}"
            )
        self._pay(seat, amount - self.bets[seat])

    def _require_live(self, seat: int) -> None:
        if not self.is_live[seat]:
            raise HistoryError(f"seat {seat + 1} acts after a fold")

    def show(self, seat: int, hole: tuple[Card, ...]) -> None:
        if len(hole) != 2:
            raise HistoryError(f"seat {seat + 1} has {len(hole)} cards instead of two")
        known = self.holes[seat]
        if known is not None and set(known) != set(hole):
            raise HistoryError(f"seat {seat + 1} has two different hands")
        self.holes[seat] = (hole[0], hole[1])

    def deal(self, cards: tuple[Card, ...]) -> None:
        """End the betting of the current street, and deal `cards`, those of the next street."""
        self._collect()
        seats = self.live
        able = sum([self.stacks[seat] > 0 for seat in seats])
        if self.all_in is None and able <= 1 and len(seats) > 1:
            self.all_in = self.board
        self.board += cards
        if len(self.board) > 5:
            raise HistoryError("several boards were dealt", kind="run more than once")
        self.streets.append(PlayedStreet(self.board, seats))

    @property
    def live(self) -> tuple[int, ...]:
        """The seats, from 0, that have not folded."""
        return tuple([seat for seat, is_live in enumerate(self.is_live) if is_live])

    def end(self) -> tuple[Pot, ...]:
        """End the hand, and return its pots, the main pot first."""
        self._collect()
        known = [*self.board, *(card for hole in self.holes if hole for card in hole)]
        if len(set(known)) < len(known):
            twice = next(card for card in known if known.count(card) > 1)
            raise HistoryError(f"{twice} appears twice")
        # More than three deals of a card or more have a wrong size among the first three.
        for deal, (street, size) in enumerate(zip(self.streets, (0, 3, 4, 5), strict=False)):
            if len(street.board) != size:
                found = counted(len(street.board), "card")
                raise HistoryError(f"the board has {found} after its deal {deal}; expected {size}")
        if not self.live:
            raise HistoryError("every seat has folded")
        return tuple(self._make_pots())

    def _make_pots(self) -> Iterable[Pot]:
        """Yield the main pot and then the side pots, leaving out those without chips."""
        put = [own - dead for own, dead in zip(self.put, self.dead, strict=True)]
        live = self.live
        below: Amount = 0
        extra = sum(self.dead)
        levels = sorted({put[seat] for seat in live})
        for level in levels:
            # Chips of folded seats above the last level can be won in the last pot.
            most = max(put) if level == levels[-1] else level
            amount = extra + sum([min(own, most) - min(own, below) for own in put])
            seats = tuple([seat for seat in live if put[seat] >= level])
            if amount:
                yield Pot(amount, seats)
            below, extra = level, 0
