"""`PlayedHand`: a hand from a log, with its pots, what each seat won, and equities by street."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from itertools import zip_longest
from typing import Any, Literal, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import Card, cards_text
from holdem.results.base_result import import_named

#: Chips, in the log's currency: an integer, or a fraction, which is exact, too.
Amount: TypeAlias = int | Fraction

# What writes the hand, which needs the rules of betting.
_phh: str = "holdem.betting.phh:phh_text"
_text: str = "holdem.betting.hand_text:hand_text"

#: How much may be bet.
Limit: TypeAlias = Literal["no", "pot", "fixed"]


@attrs.frozen
class Pot:
    """A main pot or side pot at the end of a hand."""

    amount: Amount
    """All chips in the pot, before rake."""
    seats: tuple[int, ...]
    """The seats, from 0, that can win the pot."""
    rake: Amount = 0
    """The chips that the house took from the pot."""


@attrs.frozen
class PlayedStreet:
    """One street of a hand: the board, and who was still in when it was dealt."""

    board: tuple[Card, ...]
    seats: tuple[int, ...]
    """The seats, from 0, that had not folded."""
    pot: Amount = 0
    """All chips that were in when the street began; before the flop, with antes and blinds."""


@attrs.frozen(repr=False)
class PlayedHand:
    """A hand that was played, or read from a log.

    Seats are positions: 0 is the first from the left of the button, the last one has the button.
    Amounts are in the currency of the log: integers, or fractions, which are exact. As text, by
    `str` or `print`, it is a hand history in plain English, with a line for each action.
    """

    names: tuple[str, ...]
    """The name of the player in each seat."""
    holes: tuple[tuple[Card, Card] | None, ...]
    """The hole cards of each seat; None if they are unknown."""
    board: tuple[Card, ...]
    """The board cards that were dealt."""
    streets: tuple[PlayedStreet, ...]
    """The streets that were dealt; the first is the one before the flop."""
    pots: tuple[Pot, ...]
    """The pots at the end, the main pot first. Bets that nobody called are in no pot."""
    put: tuple[Amount, ...]
    """The chips that each seat put into the pots."""
    net: tuple[Amount, ...]
    """What each seat won or lost: the chips that it got from the pots, minus those it put in."""
    all_in: tuple[Card, ...] | None
    """The board when no more betting was possible, with cards still to come and several players
    still in; None if that did not happen."""
    big_blind: Amount
    """The big blind; 0 if there was none."""
    number: str = ""
    """The number of the hand in the log, if it has one."""
    file: str | None = None
    """The file that the hand was read from; None for text."""
    line: int = 1
    """The line of the file, from 1, on which the hand begins."""
    stacks: tuple[Amount, ...] = ()
    """The chips of each seat before antes and blinds; empty if unknown, as are the next three."""
    antes: tuple[Amount, ...] = ()
    """The ante of each seat."""
    blinds: tuple[Amount, ...] = ()
    """The blind, straddle or late blind of each seat."""
    dead: tuple[Amount, ...] = ()
    """What else each seat posted, which counts for no bet."""
    opening: Amount = 0
    """The bet to call before the flop, if it is more than what was posted: a blind was short."""
    trims_antes: bool = True
    """Whether the part of an ante that no other seat matched was returned."""
    limit: Limit = "no"
    """The limit of bets: ``"no"``, ``"pot"`` or ``"fixed"``."""
    actions: tuple[tuple[int, int, Amount], ...] = ()
    """Each action: the street, from 0, the seat, and -1 for a fold, 0 for a check or call, or the
    total that was bet or raised to."""
    more_boards: tuple[tuple[Card, ...], ...] = ()
    """The further boards of a hand that was run several times."""
    sold: tuple[int, ...] = ()
    """The seats that sold their hands to the house: cash-out."""
    site: str = ""
    """The site, such as ``"PokerStars"``."""
    table: str = ""
    """The name of the table."""
    tournament: str = ""
    """The number of the tournament; empty for a cash game."""
    stakes: str = ""
    """The blinds, as in ``"$0.50/$1"``."""
    currency: str = ""
    """The currency of amounts, such as ``"USD"``; empty for chips."""
    time: datetime | None = None
    """When the hand was dealt, by the clock of the log."""
    hero: int | None = None
    """The seat whose hole cards the log says were dealt to it, the owner of the log."""

    def __repr__(self) -> str:
        board = cards_text(self.board, " ") or "no board"
        pot = float(sum(pot.amount for pot in self.pots))
        number = f" {self.number}" if self.number else ""
        return f"<PlayedHand{number}, {len(self.names)} players, {board}, pot {pot:,g}>"

    def __str__(self) -> str:
        text: str = import_named(_text)(self)
        return text

    @property
    def live(self) -> tuple[int, ...]:
        """The seats, from 0, that could win a pot at the end."""
        return tuple(sorted({seat for pot in self.pots for seat in pot.seats}))

    def equities(self) -> NDArray[np.float64]:
        """Compute the equities of the known hands on each street.

        The equities on a street are those of the known hands that had not folded, as if no others
        were still in. A street with fewer than two such hands has no equities.

        Returns:
            ``float64 (street, seat)``; NaN for a seat that had folded or whose hand is unknown, and
            for all seats of a street without equities.
        """
        return street_equities([self])[0]

    def to_phh(self) -> str:
        """Convert the hand to PHH, the poker hand history format, without a final line break.

        Hole cards that are unknown are written as question marks. The text is replayed by the rules
        of the format before it is returned, and has the same pots.

        Raises:
            HoldemValueError: the format can't hold the hand; the message says why.
        """
        text: str = import_named(_phh)(self)
        return text

    def to_dict(self) -> dict[str, Any]:
        """Convert the hand to a JSON object; amounts become floats."""
        return {
            "number": self.number,
            "file": self.file,
            "line": self.line,
            "names": list(self.names),
            "holes": [hole and cards_text(hole) for hole in self.holes],
            "board": cards_text(self.board),
            "streets": [
                {
                    "board": cards_text(street.board),
                    "seats": list(street.seats),
                    "pot": float(street.pot),
                }
                for street in self.streets
            ],
            "pots": [
                {"amount": float(pot.amount), "seats": list(pot.seats), "rake": float(pot.rake)}
                for pot in self.pots
            ],
            "put": [float(own) for own in self.put],
            "net": [float(own) for own in self.net],
            "all_in": None if self.all_in is None else cards_text(self.all_in),
            "big_blind": float(self.big_blind),
            "stacks": [float(own) for own in self.stacks],
            "actions": [[street, seat, float(to)] for street, seat, to in self.actions],
            "site": self.site,
            "table": self.table,
            "tournament": self.tournament,
            "stakes": self.stakes,
            "currency": self.currency,
            "time": None if self.time is None else self.time.isoformat(),
            "hero": self.hero,
        }


def street_equities(hands: Sequence[PlayedHand]) -> list[NDArray[np.float64]]:
    """Compute `PlayedHand.equities`, ``float64 (street, seat)``, for many hands in one call."""
    # Not at the top, since processes that only read hands start faster without it.
    from holdem.odds.many_spots.equities import equities

    found, rows, boards = [], [], []
    for hand in hands:
        by_street = np.full((len(hand.streets), len(hand.names)), np.nan)
        found.append(by_street)
        for street, (own, played) in enumerate(zip(by_street, hand.streets, strict=True)):
            seats = [seat for seat in played.seats if hand.holes[seat] is not None]
            if len(seats) > 1:
                rows.append((own, seats, [cards_text(hand.holes[seat] or ()) for seat in seats]))
                boards.append(cards_text(hand.streets[street].board))
    if rows:
        players = zip_longest(*(holes for *_, holes in rows))
        table = equities(*map(list, players), board=boards, method="exact")
        for (own, seats, _), values in zip(rows, table.equity, strict=True):
            own[seats] = values[: len(seats)]
    return found


def share_out(amount: Amount, count: int) -> Amount:
    """Divide an amount by `count` exactly: an int if it comes out even, else a fraction."""
    return plain(Fraction(amount, count))


def plain(amount: Amount) -> Amount:
    """Convert an amount to an int if it is whole."""
    return amount.numerator if amount.denominator == 1 else amount


def split_pots(pots: Sequence[Pot], strengths: Sequence[int | None], seats: int) -> list[Amount]:
    """Divide what is left of each pot after the rake equally between the strongest hands.

    A strength is None for a hand that can't win. Each seat gets its amount from all pots together;
    fractions of a chip are not rounded.
    """
    won: list[Amount] = [0] * seats
    for pot in pots:
        able = [(own, seat) for seat in pot.seats if (own := strengths[seat]) is not None]
        best = max(able)[0]
        winners = [seat for own, seat in able if own == best]
        for seat in winners:
            won[seat] += share_out(pot.amount - pot.rake, len(winners))
    return won
