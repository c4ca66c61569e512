"""`all_in_report`: what players won, what they would have won by equity, and their luck."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import islice
from math import sqrt
from typing import Any, ClassVar, Literal, get_args

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import is_iterable, require_text
from holdem.betting.played_hand import PlayedHand
from holdem.betting.settlement import Situations, settle_situations
from holdem.cards import card_set
from holdem.errors import (
    HistoryError,
    HoldemTypeError,
    HoldemValueError,
    counted,
    did_you_mean,
    quoted,
)
from holdem.jobs.run import progress_bar
from holdem.odds.many_spots.columns import NO_CARD
from holdem.ranges.combos import combo_number
from holdem.results.base_result import Plottable, Result
from holdem.results.fields import shown, shown_property, to_json

_HANDS_AT_ONCE = 1024
_MOST_POINTS = 1 << 14  # of a line; a chart shows no more

Unknown = Literal["skip", "raise"]
Folded = Literal["unknown", "dead"]
Unit = Literal["chips", "bb"]


@attrs.frozen
class SettledHand:
    """A played hand with each seat's actual and all-in adjusted results, in chips or big blinds."""

    hand: PlayedHand
    is_all_in: bool
    """Whether the pots were settled by equity: players were all-in with cards to come, and all live
    hands, those that had not folded, are known."""
    is_left_out: bool
    """Whether the pots were not settled by equity because a live hand is unknown."""
    net: list[float]
    """What each seat won or lost."""
    adjusted: list[float]
    """What each seat would have won or lost by equity; the same as `net` unless `is_all_in`."""
    variance: list[float]
    """The variance of each seat's result over all runouts, in squares of the unit; 0 unless
    `is_all_in`."""
    scale: float
    """The number of chips in one unit of the amounts: 1, or the big blind."""


def settle_hands(
    hands: Iterable[PlayedHand],
    unknown: Unknown = "skip",
    folded: Folded = "unknown",
    unit: Unit = "chips",
) -> Iterator[SettledHand]:
    """Settle the all-ins of hands by equity, and yield the results of each hand, in order.

    The equities of 1,024 hands at a time are computed together. The arguments are those of
    `all_in_report`.
    """
    iterator = iter(hands)
    while some := list(islice(iterator, _HANDS_AT_ONCE)):
        found = [hand for hand in some if hand.all_in is not None and _is_known(hand, unknown)]
        shares, variance = (
            settle_situations(_make_situations(found, folded)) if found else (np.zeros((0, 0)),) * 2
        )
        rows = {id(hand): row for row, hand in enumerate(found)}
        for hand in some:
            scale = _find_scale(hand, unit)
            net = [float(own) / scale for own in hand.net]
            row = rows.get(id(hand))
            if row is None:
                left_out = hand.all_in is not None
                yield SettledHand(hand, False, left_out, net, net, [0.0] * len(net), scale)
                continue
            own = zip(shares[row].tolist(), hand.put, strict=False)
            adjusted = [(share - float(put)) / scale for share, put in own]
            spread = [value / scale**2 for value in variance[row, : len(net)].tolist()]
            yield SettledHand(hand, True, False, net, adjusted, spread, scale)


def _is_known(hand: PlayedHand, unknown: Unknown) -> bool:
    is_known = all(hand.holes[seat] is not None for seat in hand.live)
    if not is_known and unknown == "raise":
        place = f"{hand.file or 'hand'}, line {hand.line}"
        raise HistoryError(
            f'{place}: a hand of the all-in is unknown; unknown="skip" leaves such hands out',
            kind="unknown hand",
            file=hand.file,
            line=hand.line,
        )
    return is_known


def _find_scale(hand: PlayedHand, unit: Unit) -> float:
    if unit == "chips":
        return 1.0
    if not hand.big_blind:
        place = f"{hand.file or 'hand'}, line {hand.line}"
        raise HistoryError(
            f"{place}: the hand has no big blind; use chips as the unit",
            file=hand.file,
            line=hand.line,
        )
    return float(hand.big_blind)


def _make_situations(hands: list[PlayedHand], folded: Folded) -> Situations:
    """Convert hands with an all-in to arrays; `folded` is that of `all_in_report`."""
    count, seats = len(hands), max(len(hand.names) for hand in hands)
    pots = max(len(hand.pots) for hand in hands)
    amounts = np.zeros((count, pots))
    winners = np.zeros((count, pots, seats), dtype=np.bool_)
    combos = np.full((count, seats), -1, dtype=np.int32)
    boards = np.full((count, 5), NO_CARD, dtype=np.uint8)
    sizes = np.zeros(count, dtype=np.int8)
    gone = np.zeros(count, dtype=np.uint64)
    for row, hand in enumerate(hands):
        for number, pot in enumerate(hand.pots):
            amounts[row, number] = float(pot.amount - pot.rake)
            winners[row, number, list(pot.seats)] = True
        live = hand.live
        for seat, hole in enumerate(hand.holes):
            if hole is not None and (seat in live or folded == "dead"):
                low, high = sorted(map(int, hole))
                combos[row, seat] = combo_number(high, low)
        board = hand.all_in or ()
        sizes[row], gone[row] = len(board), card_set(board)
        boards[row, : len(board)] = board
    return Situations(amounts, winners, combos, boards, sizes, gone)


_AMOUNT = "+,.{digits}f"  # its format in text


@attrs.frozen
class PlayerLuck:
    """One player's results in an `AllInReport`. Amounts are in the unit of the report."""

    name: str = attrs.field(metadata=shown(column="player", head="player", cell="24"))
    hands: int
    all_ins: int = attrs.field(metadata=shown(head="all-ins"))
    """The number of hands with an all-in in which the player was still in, and whose pots were
    settled by equity."""
    left_out: int = attrs.field(metadata=shown(in_text=False))
    """The number of further all-ins in which the player was still in, but which were left out
    because a live hand is unknown."""
    net: float = attrs.field(metadata=shown(cell=_AMOUNT))
    """What the player won or lost in all hands together."""
    adjusted: float = attrs.field(metadata=shown(head="all-in adjusted", cell=_AMOUNT))
    """What the player would have won or lost if all-in pots had been divided by equity."""
    deviation: float = attrs.field(metadata=shown(in_text=False))
    """The exact standard deviation of `luck`."""

    @property
    @shown_property(head="luck ± sd", cell=_AMOUNT)
    def luck(self) -> float:
        """What the player won beyond the all-in adjusted result: `net` minus `adjusted`."""
        return self.net - self.adjusted

    @property
    @shown_property(cell="+.2f")
    def z(self) -> float | None:
        """The luck in standard deviations; None if `deviation` is 0."""
        return self.luck / self.deviation if self.deviation else None

    def to_dict(self) -> dict[str, Any]:
        """Convert the player's results to a JSON object."""
        return to_json(self)


@attrs.frozen(eq=False)
class LuckLine:
    """A player's running totals: a point of zeros at the start, and a point after each hand.

    Of more than 16,384 points, only the last and every second one (or fourth, and so on) are kept.
    """

    hands: NDArray[np.int64]
    """The number of hands played so far, ``int64 (point,)``."""
    net: NDArray[np.float64]
    """What the player won or lost in these hands, ``float64 (point,)``."""
    adjusted: NDArray[np.float64]
    """What the player would have won or lost in these hands by equity, ``float64 (point,)``."""
    deviation: NDArray[np.float64]
    """The standard deviation of the luck (`net` minus `adjusted`), ``float64 (point,)``."""


@attrs.define
class _Account:
    """A player's totals over the hands so far, and the points kept for a `LuckLine`."""

    hands: int = 0
    all_ins: int = 0
    left_out: int = 0
    totals: list[float] = attrs.field(factory=lambda: [0.0, 0.0, 0.0])
    """The sums of the actual results, the adjusted results and the variances."""
    step: int = 1
    points: array[float] = attrs.field(factory=lambda: array("d", [0.0, 0.0, 0.0, 0.0]))
    """The number of hands and the three `totals` at the start and after every `step` hands, in one
    flat array."""

    def add(self, found: SettledHand, seat: int) -> None:
        """Add the results of the player's `seat` in a hand; every `step` hands, add a point."""
        self.hands += 1
        if seat in found.hand.live:
            self.all_ins += found.is_all_in
            self.left_out += found.is_left_out
        totals = self.totals
        totals[0] += found.net[seat]
        totals[1] += found.adjusted[seat]
        totals[2] += found.variance[seat]
        if self.hands % self.step == 0:
            self.points.extend((self.hands, *totals))
            if len(self.points) > 4 * _MOST_POINTS:
                kept = np.array(self.points).reshape(-1, 4)[::2]
                self.points = array("d", kept.ravel())
                self.step *= 2

    def line(self) -> LuckLine:
        points = np.array([*self.points, self.hands, *self.totals]).reshape(-1, 4)
        if len(points) > 1 and points[-1, 0] == points[-2, 0]:
            points = points[:-1]
        hands, net, adjusted, variance = points.T
        return LuckLine(hands.astype(np.int64), net, adjusted, np.sqrt(variance))


@attrs.frozen(eq=False, repr=False)
class AllInReport(Result, Plottable):
    """The luck of players in all-ins, as computed by `all_in_report`."""

    _report: ClassVar[str] = "holdem_histories.reports:luck_report"
    _chart: ClassVar[str] = "holdem_histories.chart:luck_chart"

    hands: int
    all_ins: int
    """The number of hands whose pots were settled by equity."""
    left_out: int
    """The number of all-ins that were left out, because a live hand is unknown."""
    unit: Unit
    """The unit of amounts: ``"chips"``, the currency of the log, or ``"bb"``, big blinds."""
    folded: Folded
    """How cards that were folded are treated, as for `all_in_report`."""
    players: tuple[PlayerLuck, ...]
    """The players, those with the most hands first."""
    lines: dict[str, LuckLine] = attrs.field(repr=False, metadata=shown(in_json=False))
    """The running totals of each player, by name."""

    def player(self, name: str) -> PlayerLuck:
        """Find a player by name.

        Raises:
            HoldemValueError: there is no such player.
            HoldemTypeError: `name` is not text.
        """
        require_text(name, "the name of a player")
        found = next((player for player in self.players if player.name == name), None)
        if found is None:
            names = [player.name for player in self.players]
            most = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
            known = f"; there are: {most}" if names else ": the report has no hands"
            raise HoldemValueError(f"no player {quoted(name)}{did_you_mean(name, names)}{known}")
        return found

    def only(self, name: str) -> AllInReport:
        """Return a copy of the report with one player only.

        Raises:
            HoldemValueError: there is no such player.
            HoldemTypeError: `name` is not text.
        """
        player = self.player(name)
        return attrs.evolve(self, players=(player,), lines={name: self.lines[name]})

    def line(self, name: str) -> LuckLine:
        """Return a player's running totals, hand by hand.

        Raises:
            HoldemValueError: there is no such player.
            HoldemTypeError: `name` is not text.
        """
        return self.lines[self.player(name).name]

    def plot(self, ax: Any = None, player: str | None = None) -> Any:
        """Draw a player's running totals: the actual and the all-in adjusted results.

        The band around the adjusted line is two standard deviations of luck wide on either side.

        Args:
            ax: matplotlib axes; None for a new figure.
            player: the name of the player; None for the player with the most hands.

        Returns:
            The axes.

        Raises:
            HoldemRuntimeError: matplotlib is not installed.
            HoldemValueError: there is no such player, or the report has no hands.
        """
        return self._plot(ax, player=player)

    def save_plot(self, path: Any, player: str | None = None) -> None:
        """Write the chart of `plot` to a file; replace an existing file.

        Args:
            path: the file, whose name ends in ``.png``, ``.svg`` or ``.pdf``.
            player: the name of the player; None for the player with the most hands.

        Raises:
            HoldemRuntimeError: matplotlib is not installed.
            HoldemValueError: there is no such player, the report has no hands, the file has another
                extension, or its directory does not exist.
        """
        self._save_plot(path, player=player)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AllInReport):
            return NotImplemented
        return (self.players, self.hands, self.left_out, self.unit, self.folded) == (
            other.players,
            other.hands,
            other.left_out,
            other.unit,
            other.folded,
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"<AllInReport, {counted(self.hands, 'hand')} of"
            f" {counted(len(self.players), 'player')}, {counted(self.all_ins, 'all-in')}>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Convert the report to a JSON object of the schema ``holdem/all-in-report/1``."""
        return {"schema": "holdem/all-in-report/1", **to_json(self)}


def all_in_report(
    hands: Iterable[PlayedHand],
    unknown: Unknown = "skip",
    folded: Folded = "unknown",
    unit: Unit = "chips",
    progress: bool = False,
) -> AllInReport:
    """Compare what players won with what they would have won by equity.

    When no more betting is possible and several players are still in, equity divides the pots. The
    *all-in adjusted* result has these shares in place of what the players won, and luck is the
    difference. The standard deviation of luck is exact, over all pots of a hand together.

    * The result of every player who is still in is adjusted, not only that of the player who is
      all-in.
    * An all-in on the river has no cards to come, so its adjusted result is the actual one.
    * Each pot is divided between the seats that can win it, and the cards of other live hands are
      dead.
    * Rake stays as it was paid, and bets that nobody called are in no pot.
    * An all-in in which a live hand is unknown is left out: its adjusted result is the actual one.
      The report counts such all-ins.

    Args:
        hands: the hands, as from `read_hands`. They are read once, one after the other.
        unknown: what to do if a live hand of an all-in is unknown: ``"skip"`` to leave out the
            all-in, or ``"raise"`` to raise an error.
        folded: ``"unknown"`` if cards that were folded may still come on the board, as a player at
            the table sees it; ``"dead"`` if folded cards that the log shows cannot come.
        unit: ``"chips"``, the currency of the log, or ``"bb"``, the big blinds of each hand.
        progress: show a progress bar on standard error.

    Raises:
        HistoryError: a live hand of an all-in is unknown, with ``unknown="raise"``; or a hand has
            no big blind, with ``unit="bb"``.
        HoldemValueError: `unknown`, `folded` or `unit` has another value.
        HoldemTypeError: `hands` does not consist of `PlayedHand` objects; or `unknown`, `folded` or
            `unit` is not text.
    """
    choices = {"unknown": Unknown, "folded": Folded, "unit": Unit}
    for name, value in (("unknown", unknown), ("folded", folded), ("unit", unit)):
        require_text(value, name)
        known = get_args(choices[name])
        if value not in known:
            raise HoldemValueError(f"{name} must be {' or '.join(known)}, not {quoted(value)}")
    accounts: dict[str, _Account] = {}
    count = all_ins = left_out = 0
    with progress_bar(progress, "hands") as bar:
        for found in settle_hands(_require_hands(hands), unknown, folded, unit):
            count += 1
            all_ins += found.is_all_in
            left_out += found.is_left_out
            for seat, name in enumerate(found.hand.names):
                account = accounts.get(name)
                if account is None:
                    account = accounts[name] = _Account()
                account.add(found, seat)
            bar.update(1)
    players = [_make_player(name, account) for name, account in accounts.items()]
    players.sort(key=lambda player: -player.hands)
    lines = {name: account.line() for name, account in accounts.items()}
    return AllInReport(count, all_ins, left_out, unit, folded, tuple(players), lines)


def _require_hands(hands: Any) -> Iterator[PlayedHand]:
    if isinstance(hands, str) or not is_iterable(hands):
        raise HoldemTypeError(
            f'hands: expected hands, as from read_hands("logs/"), not {quoted(hands)}'
        )
    for hand in hands:
        if not isinstance(hand, PlayedHand):
            raise HoldemTypeError(f"hands: expected hands, as from read_hands, not {quoted(hand)}")
        yield hand


def _make_player(name: str, account: _Account) -> PlayerLuck:
    net, adjusted, variance = account.totals
    counts = (account.hands, account.all_ins, account.left_out)
    return PlayerLuck(name, *counts, net, adjusted, sqrt(variance))
