"""Replay of a hand of a log, by the engine's rules of betting.

Whose turn it is and the limits of bets are not checked, as the site that dealt the hand has done
so; impossible actions, such as a bet of more chips than the seat has, raise a `HistoryError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from holdem.betting.played_hand import Amount, PlayedHand, PlayedStreet, Pot, plain
from holdem.betting.rounds import BOARD_SIZES, Rounds, positions_in
from holdem.betting.rulebook import CALL, FOLD
from holdem.betting.stakes import Stakes
from holdem.cached_property import cached_property
from holdem.cards import DECK, Card
from holdem.errors import HistoryError, counted

_CARDS = {str(card): card for card in DECK}


def read_cards(text: str) -> tuple[Card, ...]:
    """Parse cards such as ``Td9d2c``."""
    try:
        return tuple([_CARDS[text[start : start + 2]] for start in range(0, len(text), 2)])
    except KeyError as error:
        raise HistoryError(f"{error.args[0]!r} in {text!r} is not a card") from None


class Replay:
    """A hand in play. Seats are the positions from the left of the button; amounts are exact."""

    def __init__(
        self,
        stacks: Sequence[Amount],
        antes: Sequence[Amount],
        blinds: Sequence[Amount],
        dead: Sequence[Amount],
        *,
        trims_antes: bool,
        first: int,
        opening: Amount = 0,
        amounts: Iterable[Amount] = (),
    ) -> None:
        """Post antes, `dead` chips and blinds; `first` is the seat that acts first.

        `opening` is the bet to call, if a blind may be short; `amounts` are those of all raises.
        """
        every = (*stacks, *antes, *blinds, *dead, *amounts, opening)
        self._scale = lcm(*{amount.denominator for amount in every})
        rules = Stakes(
            players=len(stacks),
            first=first,
            opening=self._chips(opening),
            trims=trims_antes,
            bets=(1, 1, 1, 1),
            antes=[*map(self._chips, antes)],
            blinds=[*map(self._chips, blinds)],
            dead=[*map(self._chips, dead)],
            big_blind=0,
        )
        self._rounds = Rounds(rules, [*map(self._chips, stacks)])
        self._start: dict[str, Any] = {
            "stacks": tuple(stacks),
            "antes": tuple(antes),
            "blinds": tuple(blinds),
            "dead": tuple(dead),
            "opening": opening,
            "trims_antes": trims_antes,
        }
        self._actions: list[tuple[int, int, Amount]] = []
        self.holes: list[tuple[Card, Card] | None] = [None] * len(stacks)
        self.is_mucked = [False] * len(stacks)
        self.board: tuple[Card, ...] = ()
        pot = self._amount(self._rounds.pot)
        self.streets = [PlayedStreet((), tuple(range(len(stacks))), pot)]

    def _chips(self, amount: Amount) -> int:
        return int(amount * self._scale)

    def _amount(self, chips: int) -> Amount:
        return chips if self._scale == 1 else plain(Fraction(chips, self._scale))

    def fold(self, seat: int) -> None:
        """Fold a seat's hand."""
        if self._is_live(seat) and self._rounds.actor < 0:  # needless, but the hand is gone
            self._rounds.live &= ~(1 << seat)
            if not self._rounds.live:
                raise HistoryError("every seat has folded")
            return
        self._take_turn(seat)
        self._act(seat, FOLD, FOLD)

    def call(self, seat: int) -> Amount:
        """Check, or call the highest bet as far as the seat's chips go; return what it cost."""
        rounds = self._rounds
        has_turn = rounds.actor >= 0 and bool(rounds.pending >> seat & 1)
        if self._is_live(seat) and not has_turn:
            return 0  # some programs ask for a check where nobody is left to bet against
        self._take_turn(seat)
        paid = min(rounds.stack[seat], rounds.highest - rounds.bet[seat])
        self._act(seat, CALL, CALL)
        return self._amount(paid)

    def raise_to(self, seat: int, amount: Amount) -> None:
        """Bet or raise to a total of `amount` on the current street."""
        self._take_turn(seat)
        rounds, chips = self._rounds, self._chips(amount)
        has = rounds.bet[seat] + rounds.stack[seat]
        if chips <= rounds.highest:
            raise HistoryError(
                f"seat {seat + 1} raises to {float(amount):g}, which is no raise: the highest bet"
                f" is {float(self._amount(rounds.highest)):g}"
            )
        if chips > has:
            raise HistoryError(
                f"seat {seat + 1} bets {float(amount):g}, but has {float(self._amount(has)):g}"
            )
        self._act(seat, chips, amount)

    def _act(self, seat: int, action: int, amount: Amount) -> None:
        self._actions.append((self._rounds.street, seat, amount))
        self._rounds.act(action)

    def _is_live(self, seat: int) -> bool:
        return bool(self._rounds.live >> seat & 1)

    def _take_turn(self, seat: int) -> None:
        if not self._is_live(seat):
            raise HistoryError(f"seat {seat + 1} acts after a fold")
        if self._rounds.actor < 0:
            raise HistoryError(f"seat {seat + 1} acts where no more betting is possible")
        self._rounds.actor = seat

    def show(self, seat: int, hole: tuple[Card, ...]) -> None:
        """Record a seat's hole cards."""
        if len(hole) != 2:
            raise HistoryError(f"seat {seat + 1} has {len(hole)} cards instead of two")
        known = self.holes[seat]
        if known is not None and set(known) != set(hole):
            raise HistoryError(f"seat {seat + 1} has two different hands")
        self.holes[seat] = (hole[0], hole[1])

    def deal(self, cards: tuple[Card, ...]) -> None:
        """Deal `cards`, those of the next street."""
        rounds = self._rounds
        if rounds.actor >= 0 and rounds.street < len(self.streets):
            seat = rounds.actor + 1
            raise HistoryError(f"cards are dealt before seat {seat} has acted")
        self.board += cards
        if len(self.board) > 5:
            raise HistoryError("several boards were dealt", kind="run more than once")
        self.streets.append(PlayedStreet(self.board, self.live, self._amount(rounds.pot)))

    @property
    def live(self) -> tuple[int, ...]:
        """The seats, from 0, that have not folded."""
        return positions_in(self._rounds.live)

    @property
    def all_in(self) -> tuple[Card, ...] | None:
        """The board when no more betting was possible; None if cards were not dealt after that."""
        size = BOARD_SIZES[self._rounds.all_in] if self._rounds.all_in >= 0 else 5
        return self.board[:size] if len(self.board) > size else None

    @cached_property
    def put(self) -> tuple[Amount, ...]:
        """The chips that each seat has put into the pots, at the end."""
        return tuple([self._amount(chips) for chips in self._rounds.put()])

    def end(self) -> tuple[Pot, ...]:
        """End the hand, and return its pots, the main pot first."""
        if self._rounds.actor >= 0:
            self._rounds.end_street()
        elif self._rounds.street >= len(self.streets):
            raise HistoryError("there is betting on a street that was not dealt", kind="incomplete")
        known = [*self.board, *(card for hole in self.holes if hole for card in hole)]
        if len(set(known)) < len(known):
            twice = next(card for card in known if known.count(card) > 1)
            raise HistoryError(f"{twice} appears twice")
        # More than three deals of a card or more have a wrong size among the first three.
        for deal, (street, size) in enumerate(zip(self.streets, BOARD_SIZES, strict=False)):
            if len(street.board) != size:
                found = counted(len(street.board), "card")
                raise HistoryError(f"the board has {found} after its deal {deal}; expected {size}")
        return tuple([Pot(self._amount(chips), seats) for chips, seats in self._rounds.pots()])

    def hand(
        self,
        names: Iterable[str],
        pots: tuple[Pot, ...],
        net: tuple[Amount, ...],
        big_blind: Amount,
        number: str,
        file: str | None,
        line: int,
        **details: Any,
    ) -> PlayedHand:
        """Make the `PlayedHand` of a replay that has ended; `details` are further fields of it."""
        return PlayedHand(
            names=tuple(names),
            holes=tuple(self.holes),
            board=self.board,
            streets=tuple(self.streets),
            pots=pots,
            put=self.put,
            net=net,
            all_in=self.all_in,
            big_blind=big_blind,
            number=number,
            file=file,
            line=line,
            actions=tuple(self._actions),
            **self._start,
            **details,
        )
