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

from holdem.betting.played_hand import Amount, Limit, PlayedHand, PlayedStreet, Pot, split_pots
from holdem.betting.rounds import BOARD_SIZES, Rounds, positions_in
from holdem.betting.rulebook import CALL, FOLD
from holdem.betting.stakes import Stakes
from holdem.cards import Card
from holdem.errors import HistoryError, counted, quoted
from holdem.evaluation.builtin.lookup import rank_one
from holdem.evaluation.builtin.lookup_tables import tables_of
from holdem.rules import MAX_PLAYERS, MIN_PLAYERS, STANDARD

#: In place of an action: the next street is dealt.
DEAL = -2
_MOST_RAKE = 4  # a quarter of the pots; no site takes more


@attrs.define
class LoggedHand:
    """What a log says of a hand. Seats are positions from the left of the button."""

    names: list[str]
    stacks: list[Amount]
    antes: list[Amount]
    blinds: list[Amount]
    dead: list[Amount]
    big_blind: Amount
    steps: list[tuple[int, int, Any, str | tuple[int, str]]] = attrs.field(factory=list)
    """A seat; `FOLD`, `CALL` or 1 for a bet or raise; the amount, what a call cost, or None, or the
    total of a raise; and the text, with its number if it has one, for messages. For `DEAL`, the
    cards of the next street."""
    holes: list[tuple[Card, Card] | None] = attrs.field(factory=list)
    mucked: set[int] = attrs.field(factory=set)
    """Seats that win nothing by their cards."""
    opening: Amount = 0
    trims_antes: bool = True
    limit: Limit = "no"
    won: list[Amount] | None = None
    """What each seat got from the pots; None to find it by `after` or by the cards."""
    after: list[Amount] | None = None
    """The stack of each seat after the hand."""
    rakes: list[Amount] = attrs.field(factory=list)
    """The rake of each pot, if the log says it."""
    paid: list[tuple[int, Amount, str]] = attrs.field(factory=list)
    """The seat, the chips and the name of the pot of each payment, if the log has them."""
    rake: Amount | None = None
    """What the house took; None for what is not won."""
    listed: list[Amount] = attrs.field(factory=list)
    """The main pot and the side pots, before or after the rake, if the log lists them."""
    total: Amount | None = None
    """All pots together, if the log says it."""
    uncalled: dict[int, Amount] | None = None
    """The bets that came back to seats, if the log says it."""
    sold: dict[int, Amount] = attrs.field(factory=dict)
    """What the house paid seats that sold their hands: in place of the pots, see `is_extra`."""
    is_extra: bool = False
    """Whether what is in `sold` comes on top of what is won."""
    more_boards: list[tuple[Card, ...]] = attrs.field(factory=list)
    details: dict[str, Any] = attrs.field(factory=dict)
    """Further fields of `PlayedHand`, such as the number."""

    def show(self, seat: int, hole: tuple[Card, ...]) -> None:
        """Record a seat's hole cards."""
        if len(hole) != 2:
            raise HistoryError(f"seat {seat + 1} has {len(hole)} cards instead of two")
        known = self.holes[seat]
        if known is not None and known != hole and set(known) != set(hole):
            raise HistoryError(f"seat {seat + 1} has two different hands")
        self.holes[seat] = (hole[0], hole[1])

    def play(self) -> PlayedHand:
        """Replay the hand, and compare it with what the log says."""
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
        put = tuple([amount(chips) for chips in rounds.put()])
        pots = tuple([Pot(amount(chips), seats) for chips, seats in rounds.pots()])
        live = positions_in(rounds.live)
        won = self._require_log(pots, live, put)
        if won is None:
            won = self._won_by_cards(pots, live)
        else:
            pots = self._set_rakes(pots, won, live)
        net = [own - lost for own, lost in zip(won, put, strict=True)]
        for seat, chips in log.sold.items():
            net[seat] = (net[seat] if log.is_extra else -put[seat]) + chips
        size = BOARD_SIZES[rounds.all_in] if rounds.all_in >= 0 else 5
        return PlayedHand(
            names=tuple(log.names),
            holes=tuple(log.holes),
            board=self.board,
            streets=tuple(self.streets),
            pots=pots,
            put=put,
            net=tuple([own.numerator if own.denominator == 1 else own for own in net]),
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

    def _require_log(
        self, pots: tuple[Pot, ...], live: tuple[int, ...], put: tuple[Amount, ...]
    ) -> list[Amount] | None:
        """Require that pots and payments are those of the log; return what each seat won."""
        log = self.log
        found = sum([pot.amount for pot in pots])
        back = [self._amount(own) - kept for own, kept in zip(self.put_in, put, strict=False)]
        won = log.won
        if log.after is not None:
            ends = zip(log.after, log.stacks, put, strict=True)
            won = [after - stack + own for after, stack, own in ends]
        if won is None:
            return None
        total, logged = log.total, sum((log.uncalled or {}).values())
        if total is not None and len(live) == 1 and total + logged == found + sum(back):
            # Converters leave in the pot what comes back, or return a blind as a whole.
            won = [
                own + logged - sum(back) if seat in live else own for seat, own in enumerate(won)
            ]
        elif logged and any(
            (log.uncalled or {}).get(seat, 0) != own for seat, own in enumerate(back)
        ):
            raise HistoryError(
                f"bets of {float(sum(back)):g} were not called, and the log returns"
                f" {float(logged):g}",
                kind="pot does not fit",
            )
        elif total is not None and total not in (found, found - (log.rake or 0)):
            raise HistoryError(  # some leave out the rake
                f"the replay has a pot of {float(found):g}, and the log {float(total):g}",
                kind="pot does not fit",
            )
        if len(live) == 1 and not any(won):
            return None  # the winner is known
        if log.rake is not None and sum(won) + log.rake != found:
            raise HistoryError(
                f"the players got {float(sum(won)):g} and the house {float(log.rake):g} of a pot of"
                f" {float(found):g}",
                kind="pot does not fit",
            )
        return won

    def _set_rakes(
        self, pots: tuple[Pot, ...], won: Sequence[Amount], live: tuple[int, ...]
    ) -> tuple[Pot, ...]:
        """Set the rake of each pot, by what the log pays from it or in proportion to the chips."""
        total = sum([pot.amount for pot in pots])
        rake = total - sum(won)
        if (
            rake < 0
            or min(won) < 0
            or any(won[seat] for seat in range(len(won)) if seat not in live)
        ):
            raise HistoryError(
                f"the pots have {float(total):g}, but the players won {_join(won)}",
                kind="pot does not fit",
            )
        if rake * _MOST_RAKE > total:
            raise HistoryError(
                f"the players won {float(sum(won)):g} of a pot of {float(total):g}, which leaves"
                f" {float(rake):g} to the house, more than a quarter",
                kind="pot does not fit",
            )
        rakes = self._rakes(pots, rake)
        if rakes:
            return tuple(
                [Pot(pot.amount, pot.seats, own) for pot, own in zip(pots, rakes, strict=True)]
            )
        if not rake:
            return pots
        return tuple(
            [
                Pot(pot.amount, pot.seats, _plain(Fraction(rake) * pot.amount / total))
                for pot in pots
            ]
        )

    def _rakes(self, pots: tuple[Pot, ...], rake: Amount) -> list[Amount]:
        """Find the rake of each pot by what the log lists or pays; empty if it doesn't say."""
        listed, amounts = self.log.listed, [pot.amount for pot in pots]
        rakes = self.log.rakes
        if len(rakes) == len(pots) and min(rakes) >= 0 and sum(rakes) == rake:
            return rakes
        if listed and sum(listed) == sum(amounts):  # before the rake; equal seats may have several
            if not set(accumulate(amounts)) <= set(accumulate(listed)):
                raise _unlike(amounts, listed)
        elif listed and len(listed) <= len(amounts):
            rakes = [own - kept for own, kept in zip(amounts, listed, strict=False)]
            if len(listed) != len(pots) or min(rakes) < 0 or sum(rakes) != rake:
                raise _unlike(amounts, listed)
            return rakes
        order = sorted({name for *_, name in self.log.paid})  # the main pot, and side pots
        if len(pots) > 1 and len(order) == len(pots):
            rakes = [
                pot.amount - sum([chips for _, chips, name in self.log.paid if name == own])
                for pot, own in zip(pots, order, strict=True)
            ]
            if min(rakes) >= 0 and sum(rakes) == rake:
                return rakes
        return []

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


def _unlike(amounts: Sequence[Amount], listed: Sequence[Amount]) -> HistoryError:
    return HistoryError(
        f"the replay has pots of {_join(amounts)}, and the log {_join(listed)}",
        kind="pot does not fit",
    )


def _join(amounts: Sequence[Amount]) -> str:
    return ", ".join(f"{float(amount):g}" for amount in amounts)


def _plain(amount: Fraction) -> Amount:
    return amount.numerator if amount.denominator == 1 else amount
