"""`LoggedHand`: what a log says of one hand, and its replay by the engine's rules of betting.

Whose turn it is and the limits of bets are not checked, as the site that dealt the hand has done
so; impossible actions, such as a bet of more chips than the seat has, raise a `HistoryError`. So do
pots, calls and payments that differ from what the log says.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import lcm
from typing import Any

import attrs

from holdem.betting.played_hand import (
    Amount,
    Limit,
    PlayedHand,
    PlayedStreet,
    Pot,
    plain,
    split_pots,
)
from holdem.betting.rounds import BOARD_SIZES, Rounds, positions_in
from holdem.betting.rulebook import CALL, FOLD
from holdem.betting.stakes import Stakes
from holdem.cards import Card
from holdem.errors import HistoryError, counted, quoted
from holdem.evaluation.builtin.lookup import rank_one
from holdem.evaluation.builtin.lookup_tables import tables_of
from holdem.rules import MAX_PLAYERS, MIN_PLAYERS, STANDARD
from holdem_histories.amounts import read_cards

#: In place of an action: the next street is dealt.
DEAL = -2
_ACTIONS = {"fold": FOLD, "check": CALL, "call": CALL, "raise": 1}
_MOST_RAKE = 4  # a quarter of the pots; no site takes more


# An item for each seat.
_ZEROS = attrs.Factory(lambda log: [0] * len(log.names), takes_self=True)
_UNKNOWN = attrs.Factory(lambda log: [None] * len(log.names), takes_self=True)


@attrs.define(kw_only=True)
class LoggedHand:
    """What a log says of one hand: fill it with the lines of any site, and `play` it.

    Seats are positions from the left of the button, the last one has the button. Amounts are
    integers or fractions, which are exact. Lists by seat have an item for each seat.

    Example:
        >>> from holdem_histories import LoggedHand
        >>> log = LoggedHand(names=["Ann", "Bob"], stacks=[100, 100], blinds=[2, 1], big_blind=2)
        >>> log.acts(1, "call", 1)
        >>> log.acts(0, "check")
        >>> log.deals("2c3c4c")
        >>> log.acts(0, "raise", 2)
        >>> log.acts(1, "fold")
        >>> log.play().net
        (2, -2)
    """

    names: list[str]
    """The name of the player in each seat."""
    stacks: list[Amount]
    """The chips before antes and blinds."""
    blinds: list[Amount]
    """The blinds and straddles that were posted, late ones, too."""
    big_blind: Amount
    """The big blind of the game."""
    antes: list[Amount] = attrs.field(default=_ZEROS)
    """The antes."""
    dead: list[Amount] = attrs.field(default=_ZEROS)
    """What else was posted, and counts for no bet."""
    opening: Amount = 0
    """The bet to call before the flop, even if blinds were short; 0 for the highest blind."""
    trims_antes: bool = True
    """Whether the part of an ante that no other seat matches is returned."""
    limit: Limit = "no"
    """The limit of bets: ``"no"``, ``"pot"`` or ``"fixed"``."""
    steps: list[tuple[int, int, Any, str | tuple[int, str]]] = attrs.field(factory=list)
    """What was done and dealt, in order; filled by `acts` and `deals`."""
    holes: list[tuple[Card, Card] | None] = attrs.field(default=_UNKNOWN)
    """The hole cards; None if unknown."""
    mucked: set[int] = attrs.field(factory=set)
    """Seats that win nothing by their cards."""
    won: list[Amount] | None = None
    """What each seat got from the pots; None to find it by `after`, `paid` or the cards."""
    after: list[Amount] | None = None
    """The stacks after the hand."""
    paid: list[tuple[int, Amount, str]] | None = None
    """The seat, the chips and the name of the pot of each payment, if the log has them."""
    rake: Amount | None = None
    """What the house took; None for what is not won."""
    rakes: list[Amount] = attrs.field(factory=list)
    """The rake of each pot, if the log says it."""
    listed: list[Amount] = attrs.field(factory=list)
    """The main pot and the side pots, before or after the rake, if the log lists them."""
    total: Amount | None = None
    """All pots together, if the log says it."""
    uncalled: dict[int, Amount] = attrs.field(factory=dict)
    """The bets that came back to seats, as far as the log says it."""
    sold: dict[int, Amount] = attrs.field(factory=dict)
    """What the house paid seats that sold their hands, in place of what they won."""
    is_extra: bool = False
    """Whether what is in `sold` comes on top of what is won."""
    more_boards: list[tuple[Card, ...]] = attrs.field(factory=list)
    """The second and third board of a hand that was run several times."""
    details: dict[str, Any] = attrs.field(factory=dict)
    """Further fields of the `PlayedHand`, such as ``number``, ``site``, ``currency``, ``time``."""

    def acts(self, seat: int, what: str, amount: Amount | None = None) -> None:
        """Add an action of a seat.

        Args:
            seat: the position, from 0.
            what: ``"fold"``, ``"check"``, ``"call"`` or ``"raise"``, which is also a bet.
            amount: of a raise, the total that is raised to; of a call, what it costs, which is then
                compared with the replay.

        Raises:
            HistoryError: there is no such action.
        """
        if what not in _ACTIONS:
            raise HistoryError(f"{quoted(what)} is not an action; there are: {', '.join(_ACTIONS)}")
        self.steps.append((seat, _ACTIONS[what], amount, what))

    def deals(self, cards: str) -> None:
        """Add the board cards of the next street, such as ``"Td9d2c"``.

        Raises:
            HistoryError: not a card.
        """
        self.steps.append((0, DEAL, read_cards(cards), cards))

    def shows(self, seat: int, hole: str) -> None:
        """Add the hole cards of a seat, such as ``"AsKs"``.

        Raises:
            HistoryError: not two cards, or the seat has others.
        """
        self.show(seat, read_cards(hole))

    def show(self, seat: int, hole: tuple[Card, ...]) -> None:
        """Add the hole cards of a seat, as cards.

        Raises:
            HistoryError: not two cards, or the seat has others.
        """
        if len(hole) != 2:
            raise HistoryError(f"seat {seat + 1} has {len(hole)} cards instead of two")
        known = self.holes[seat]
        if known is not None and known != hole and set(known) != set(hole):
            raise HistoryError(f"seat {seat + 1} has two different hands")
        self.holes[seat] = (hole[0], hole[1])

    def play(self) -> PlayedHand:
        """Replay the hand by the rules of betting, and compare it with what the log says.

        Returns:
            The hand, with its pots and what each seat won.

        Raises:
            HistoryError: an action is impossible, or pots, calls or payments differ from the log.
        """
        if not MIN_PLAYERS <= len(self.names) <= MAX_PLAYERS:
            found = counted(len(self.names), "player")
            raise HistoryError(f"the hand has {found}; expected 2 to 10", kind="incomplete")
        return _Replay(self).hand()


@lru_cache(maxsize=1 << 16)
def _divide(chips: int, scale: int) -> Amount:
    found = Fraction(chips, scale)
    return found.numerator if found.denominator == 1 else found


class _Replay:
    """A hand in play; amounts are whole chips of 1/`scale`."""

    def __init__(self, log: LoggedHand) -> None:
        self.log = log
        amounts = [*log.stacks, *log.antes, *log.blinds, *log.dead, log.opening]
        amounts += [amount for _, action, amount, _ in log.steps if action > 0]
        amounts += [*(log.won or ()), *(log.after or ()), *log.listed, *log.rakes]
        amounts += [log.total or 0, log.rake or 0, *log.uncalled.values()]
        amounts += [amount for _, amount, _ in log.paid or ()]
        self.scale = lcm(*{amount.denominator for amount in amounts})
        count = len(log.stacks)
        chips = self._chips
        begun = [chips(own) for own in log.stacks]
        first = next((seat for seat, action, _, _ in log.steps if action != DEAL), 0)
        rules = Stakes(
            players=count,
            first=first,
            opening=chips(log.opening),
            trims=log.trims_antes,
            bets=(1, 1, 1, 1),
            antes=[chips(own) for own in log.antes],
            blinds=[chips(own) for own in log.blinds],
            dead=[chips(own) for own in log.dead],
            big_blind=0,
        )
        self.rounds = Rounds(rules, begun)
        self.put_in = [then - now for then, now in zip(begun, self.rounds.stack, strict=False)]
        self.board: tuple[Card, ...] = ()
        self.streets = [PlayedStreet((), tuple(range(count)), self._amount(self.rounds.pot))]
        self.actions: list[tuple[int, int, Amount]] = []
        try:
            for step in log.steps:
                self._step(*step[:3])
        except HistoryError as error:
            where = step[3]
            place = quoted(where) if isinstance(where, str) else f"action {where[0]}, {where[1]!r}"
            raise HistoryError(f"{place}: {error}", kind=error.kind) from None

    def _chips(self, amount: Amount) -> int:
        return amount.numerator * (self.scale // amount.denominator)

    def _amount(self, chips: int) -> Amount:
        return chips if self.scale == 1 else _divide(chips, self.scale)

    def _step(self, seat: int, action: int, amount: Any) -> None:
        rounds = self.rounds
        if action == DEAL:
            self._deal(amount)
            return
        is_live = bool(rounds.live >> seat & 1)
        if is_live and rounds.actor < 0 and action == FOLD:  # needless, but the hand is gone
            rounds.live &= ~(1 << seat)
            if not rounds.live:
                raise HistoryError("every seat has folded")
            return
        if is_live and action == CALL and (rounds.actor < 0 or not rounds.pending >> seat & 1):
            if amount:
                raise HistoryError("it costs 0 here", kind="pot does not fit")
            return  # some programs ask for a check where nobody is left to bet against
        if not is_live:
            raise HistoryError(f"seat {seat + 1} acts after a fold")
        if rounds.actor < 0:
            raise HistoryError(f"seat {seat + 1} acts where no more betting is possible")
        rounds.actor = seat
        has = rounds.bet[seat] + rounds.stack[seat]
        if action == FOLD:
            to = FOLD
        elif action == CALL:
            cost = min(rounds.stack[seat], rounds.highest - rounds.bet[seat])
            if amount is not None and cost > amount * self.scale and len(self.streets) == 1:
                # Where nobody can call a full blind that was short, some sites ask for less.
                highest = max(rounds.bet)
                if amount * self.scale == highest - rounds.bet[seat]:
                    rounds.highest, cost = highest, highest - rounds.bet[seat]
            if amount is not None and cost != amount * self.scale:
                found = float(self._amount(cost))
                raise HistoryError(f"it costs {found:g} here", kind="pot does not fit")
            self.put_in[seat] += cost
            to = CALL
        else:
            to = self._chips(amount)
            if to <= rounds.highest:
                raise HistoryError(
                    f"seat {seat + 1} raises to {float(amount):g}, which is no raise: the highest"
                    f" bet is {float(self._amount(rounds.highest)):g}"
                )
            if to > has:
                raise HistoryError(
                    f"seat {seat + 1} bets {float(amount):g}, but has {float(self._amount(has)):g}"
                )
            self.put_in[seat] += to - rounds.bet[seat]
        self.actions.append((rounds.street, seat, amount if to > 0 else to))
        rounds.act(to)

    def _deal(self, cards: tuple[Card, ...]) -> None:
        rounds = self.rounds
        if rounds.actor >= 0 and rounds.street < len(self.streets):
            seat = rounds.actor + 1
            raise HistoryError(f"cards are dealt before seat {seat} has acted")
        self.board += cards
        if len(self.board) > 5:
            raise HistoryError("several boards were dealt", kind="run more than once")
        live = positions_in(rounds.live)
        self.streets.append(PlayedStreet(self.board, live, self._amount(rounds.pot)))

    def _require_cards(self) -> None:
        holes = [card for hole in self.log.holes if hole for card in hole]
        for board in (self.board, *self.log.more_boards):
            known = [*board, *holes]
            if len(set(known)) < len(known):
                twice = next(card for card in known if known.count(card) > 1)
                raise HistoryError(f"{twice} appears twice")
        # More than three deals of a card or more have a wrong size among the first three.
        for deal, (street, size) in enumerate(zip(self.streets, BOARD_SIZES, strict=False)):
            if len(street.board) != size:
                found = counted(len(street.board), "card")
                raise HistoryError(f"the board has {found} after its deal {deal}; expected {size}")

    def hand(self) -> PlayedHand:
        """End the hand, compare it with the log, and make the `PlayedHand`."""
        log, rounds, amount = self.log, self.rounds, self._amount
        if rounds.actor >= 0:
            rounds.end_street()
        elif rounds.street >= len(self.streets):
            raise HistoryError("there is betting on a street that was not dealt", kind="incomplete")
        self._require_cards()
        put, chips, live = rounds.put(), rounds.pots(), positions_in(rounds.live)
        won = self._won_by_log([own for own, _ in chips], live, put)
        if won is None:
            pots = tuple([Pot(amount(own), seats) for own, seats in chips])
            by_cards = self._won_by_cards(pots, live)
            net = [own - amount(lost) for own, lost in zip(by_cards, put, strict=True)]
        else:
            rakes = self._rakes([own for own, _ in chips], sum(won))
            pots = tuple(
                [Pot(amount(own), seats, r) for (own, seats), r in zip(chips, rakes, strict=True)]
            )
            net = [amount(own - lost) for own, lost in zip(won, put, strict=True)]
        for seat, price in log.sold.items():
            net[seat] = (net[seat] if log.is_extra else -amount(put[seat])) + price
        size = BOARD_SIZES[rounds.all_in] if rounds.all_in >= 0 else 5
        return PlayedHand(
            names=tuple(log.names),
            holes=tuple(log.holes),
            board=self.board,
            streets=tuple(self.streets),
            pots=pots,
            put=tuple([amount(own) for own in put]),
            net=tuple([plain(own) for own in net]),
            all_in=self.board[:size] if len(self.board) > size and len(live) > 1 else None,
            big_blind=log.big_blind,
            stacks=tuple(log.stacks),
            antes=tuple(log.antes),
            blinds=tuple(log.blinds),
            dead=tuple(log.dead),
            opening=log.opening,
            trims_antes=log.trims_antes,
            limit=log.limit,
            actions=tuple(self.actions),
            more_boards=tuple(log.more_boards),
            sold=tuple(sorted(log.sold)),
            **log.details,
        )

    def _won_by_log(
        self, pots: Sequence[int], live: tuple[int, ...], put: Sequence[int]
    ) -> list[int] | None:
        """Find what each seat won by the log, whose pots and payments must be those of the replay.

        None if the log doesn't say it.
        """
        log, chips, found = self.log, self._chips, sum(pots)
        if log.after is not None:
            ends = zip(log.after, log.stacks, put, strict=True)
            won = [chips(after) - chips(stack) + own for after, stack, own in ends]
        elif log.won is not None:
            won = [chips(own) for own in log.won]
        elif log.paid is not None:
            won = [0] * len(put)
            for seat, own, _ in log.paid:
                won[seat] += chips(own)
        else:
            return None
        back = [own - kept for own, kept in zip(self.put_in, put, strict=False)]
        uncalled = {seat: chips(own) for seat, own in log.uncalled.items()}
        total = found if log.total is None else chips(log.total)
        rake, logged = chips(log.rake or 0), sum(uncalled.values())
        if len(live) == 1 and total + logged == found + sum(back):
            # Converters leave in the pot what comes back, or return a blind as a whole.
            won[live[0]] += logged - sum(back)
        elif (
            logged
            and self.actions  # what comes back of a blind that ends the betting is back already
            and any(uncalled.get(seat, 0) != own for seat, own in enumerate(back))
        ):
            raise self._unlike(
                f"bets of {self._say(sum(back))} were not called, and the log returns"
                f" {self._say(logged)}"
            )
        elif total not in (found, found - rake):  # some leave out the rake
            raise self._unlike(
                f"the replay has a pot of {self._say(found)}, and the log {self._say(total)}"
            )
        if len(live) == 1 and not any(won):
            return None  # the winner is known
        if log.rake is not None and sum(won) + rake != found:
            raise self._unlike(
                f"the players got {self._say(sum(won))} and the house {self._say(rake)} of a pot of"
                f" {self._say(found)}"
            )
        folded = [own for seat, own in enumerate(won) if seat not in live]
        if sum(won) > found or min(won) < 0 or any(folded):
            raise self._unlike(
                f"the pots have {self._say(found)}, but the players won {self._say(*won)}"
            )
        if (found - sum(won)) * _MOST_RAKE > found:
            raise self._unlike(
                f"the players won {self._say(sum(won))} of a pot of {self._say(found)}, which"
                f" leaves {self._say(found - sum(won))} to the house, more than a quarter"
            )
        return won

    def _rakes(self, pots: Sequence[int], won: int) -> list[Amount]:
        """Find the rake of each pot by what the log says, or in proportion to the chips."""
        log, total = self.log, sum(pots)
        rake = total - won
        listed = [self._chips(own) for own in log.listed]
        rakes = [self._chips(own) for own in log.rakes]
        if len(listed) > len(pots) or sum(listed) == total:
            # Pots of the same seats may be listed one by one, before the rake.
            if sum(listed) == total and not set(accumulate(pots)) <= set(accumulate(listed)):
                raise self._unlike_pots(pots, listed)
        elif listed:
            rakes = [own - kept for own, kept in zip(pots, listed, strict=False)]
            if len(listed) != len(pots) or min(rakes) < 0 or sum(rakes) != rake:
                raise self._unlike_pots(pots, listed)
        elif log.paid and len(pots) > 1:
            order = sorted({name for _, _, name in log.paid})  # the main pot, and side pots
            kept = [
                sum([self._chips(own) for _, own, name in log.paid if name == pot]) for pot in order
            ]
            rakes = [own - its for own, its in zip(pots, kept, strict=False)]
            rakes = rakes if len(order) == len(pots) else []
        if not rake:
            return [0] * len(pots)
        if len(rakes) == len(pots) and min(rakes) >= 0 and sum(rakes) == rake:
            return [self._amount(own) for own in rakes]
        return [plain(Fraction(rake * own, total * self.scale)) for own in pots]

    def _say(self, *amounts: int) -> str:
        return ", ".join(f"{chips / self.scale:g}" for chips in amounts)

    def _unlike(self, message: str) -> HistoryError:
        return HistoryError(message, kind="pot does not fit")

    def _unlike_pots(self, pots: Sequence[int], listed: Sequence[int]) -> HistoryError:
        return self._unlike(
            f"the replay has pots of {self._say(*pots)}, and the log {self._say(*listed)}"
        )

    def _won_by_cards(self, pots: tuple[Pot, ...], live: tuple[int, ...]) -> list[Amount]:
        """Find what each seat won by the hands that were shown, without rake."""
        log = self.log
        able = [seat for seat in live if seat not in log.mucked]
        strengths: list[int | None] = [None] * len(log.holes)
        if len(live) == 1:
            strengths[live[0]] = 1
        elif len(able) == 1:
            strengths[able[0]] = 1
        elif len(self.board) < 5:
            raise HistoryError(
                f"the hand stops before its end: {len(able)} players are left, and the board has"
                f" {counted(len(self.board), 'card')}",
                kind="incomplete",
            )
        else:
            for seat in able:
                hole = log.holes[seat]
                if hole is None:
                    raise HistoryError(
                        f"who won is unknown: p{seat + 1} shows no cards, and there is no field"
                        " 'finishing_stacks' or 'winnings'",
                        kind="incomplete",
                    )
                strengths[seat] = rank_one(tables_of(STANDARD), bytes((*self.board, *hole)))
        if any(all(strengths[seat] is None for seat in pot.seats) for pot in pots):
            raise HistoryError(
                "who won is unknown: all who are left have mucked", kind="incomplete"
            )
        return split_pots(pots, strengths, len(strengths))
