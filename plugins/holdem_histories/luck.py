"""`all_in_report`: what players won, what they would have won by equity, and their luck."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from math import nan, sqrt
from typing import Any, ClassVar, Literal, NamedTuple, get_args

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
Unit = Literal["auto", "chips", "bb"]
By = Literal["player", "session", "month", "stake", "position"]

_BREAK = 3600  # seconds without a hand, after which another session begins
_POSITIONS = ("SB", "BB", "UTG", "UTG+1", "UTG+2", "UTG+3", "LJ", "HJ", "CO", "BTN")


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
    unit: str
    """The unit: a currency such as ``"USD"``, ``"chips"``, those of a tournament, or ``"bb"``."""


def settle_hands(
    hands: Iterable[PlayedHand],
    unknown: Unknown = "skip",
    folded: Folded = "unknown",
    unit: Unit = "auto",
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
            scale, name = _find_unit(hand, unit)
            net = [float(own) / scale for own in hand.net]
            row = rows.get(id(hand))
            if row is None:
                left_out = hand.all_in is not None
                yield SettledHand(hand, False, left_out, net, net, [0.0] * len(net), scale, name)
                continue
            own = zip(shares[row].tolist(), hand.put, strict=False)
            adjusted = [(share - float(put)) / scale for share, put in own]
            # Of several boards without a common card; these vary a little less in truth.
            runs = scale**2 * (1 + len(hand.more_boards))
            spread = [value / runs for value in variance[row, : len(net)].tolist()]
            for seat in hand.sold:  # for a fixed price, whatever the cards were
                spread[seat] = 0.0
            yield SettledHand(hand, True, False, net, adjusted, spread, scale, name)


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


def _find_unit(hand: PlayedHand, unit: Unit) -> tuple[float, str]:
    """Find the unit of a hand's amounts: how many chips it has, and its name.

    Chips of different tournaments are different units.
    """
    if unit == "chips" or (unit == "auto" and not hand.tournament):
        chips = f"chips of tournament {hand.tournament}" if hand.tournament else "chips"
        return 1.0, hand.currency or chips
    if not hand.big_blind:
        place = f"{hand.file or 'hand'}, line {hand.line}"
        raise HistoryError(
            f"{place}: the hand has no big blind; use chips as the unit",
            file=hand.file,
            line=hand.line,
        )
    return float(hand.big_blind), "bb"


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
    """One player's results in an `AllInReport`, in one unit, and in one group of hands."""

    name: str = attrs.field(metadata=shown(column="player", head="player", cell="24"))
    unit: str = attrs.field(metadata=shown(cell="24"))
    """The unit of amounts: a currency such as ``"USD"``, ``"chips"``, ``"chips of tournament 7"``,
    or ``"bb"``, the big blinds of each hand."""
    group: str = attrs.field(metadata=shown(cell="24"))
    """The session, month, stake or position; empty if the report is by player."""
    hands: int
    all_ins: int = attrs.field(metadata=shown(head="all-ins"))
    """The number of hands with an all-in in which the player was still in, and whose pots were
    settled by equity."""
    left_out: int = attrs.field(metadata=shown(in_text=False))
    """The number of further all-ins in which the player was still in, but which were left out
    because a live hand is unknown."""
    left_out_pots: float = attrs.field(metadata=shown(in_text=False))
    """The sum of the pots of these all-ins, without rake."""
    net: float = attrs.field(metadata=shown(cell=_AMOUNT))
    """What the player won or lost in all hands together."""
    adjusted: float = attrs.field(metadata=shown(head="all-in adjusted", cell=_AMOUNT))
    """What the player would have won or lost if all-in pots had been divided by equity."""
    deviation: float = attrs.field(metadata=shown(in_text=False))
    """The standard deviation of `luck`: exact, but for hands that were run several times, for which
    it is a little too large."""
    at_showdown: float = attrs.field(metadata=shown(in_text=False))
    """The part of `net` from hands in which the player was still in at a showdown."""
    rake: float = attrs.field(metadata=shown(in_text=False))
    """The rake of the pots, in proportion to what the player got from them."""
    bb_per_100: float | None = attrs.field(metadata=shown(head="bb/100", cell="+.1f"))
    """`net` in big blinds per hundred hands; None if a hand has no big blind."""
    adjusted_bb_per_100: float | None = attrs.field(metadata=shown(in_text=False))
    """`adjusted` in big blinds per hundred hands; None if a hand has no big blind."""

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

    @property
    @shown_property(in_text=False)
    def without_showdown(self) -> float:
        """The part of `net` from all other hands: `net` minus `at_showdown`."""
        return self.net - self.at_showdown

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
    at_showdown: NDArray[np.float64]
    """The part of `net` from hands with a showdown of the player, ``float64 (point,)``."""
    time: NDArray[np.datetime64]
    """When the last of these hands was dealt, ``datetime64[s] (point,)``; NaT if unknown, and at
    the start."""


class _Seat(NamedTuple):
    """What a hand adds to an account: the totals of a line, and further ones."""

    net: float
    adjusted: float
    variance: float
    at_showdown: float
    time: float
    """In seconds; NaN if unknown."""
    is_all_in: bool
    left_out: float | None
    """The pots, if the hand is an all-in that was left out."""
    rake: float
    bb: tuple[float, float]
    """Net and adjusted in big blinds; NaN without one."""


def _seat_of(found: SettledHand, seat: int) -> _Seat:
    hand = found.hand
    live = hand.live
    is_live = seat in live
    net, adjusted = found.net[seat], found.adjusted[seat]
    own = [pot for pot in hand.pots if seat in pot.seats]
    left_out = None
    if is_live and found.is_left_out:
        left_out = float(sum(pot.amount - pot.rake for pot in own)) / found.scale
    rake = 0.0
    if is_live and (taken := sum(pot.rake for pot in hand.pots)):
        total = sum(pot.amount - pot.rake for pot in hand.pots)
        got = hand.net[seat] + hand.put[seat]
        rake = float(taken * got / total) / found.scale if total and seat not in hand.sold else 0.0
    big = float(hand.big_blind) / found.scale or nan
    return _Seat(
        net,
        adjusted,
        found.variance[seat],
        net if is_live and len(live) > 1 else 0.0,
        nan if hand.time is None else hand.time.replace(tzinfo=UTC).timestamp(),
        is_live and found.is_all_in,
        left_out,
        rake,
        (net / big, adjusted / big),
    )


@attrs.define
class _Account:
    """A player's totals over the hands so far, and the points kept for a `LuckLine`."""

    hands: int = 0
    all_ins: int = 0
    left_out: int = 0
    left_out_pots: float = 0.0
    rake: float = 0.0
    bb: list[float] = attrs.field(factory=lambda: [0.0, 0.0])
    totals: list[float] = attrs.field(factory=lambda: [0.0] * 4)
    """The sums of the actual results, the adjusted results, the variances, and what was won at
    showdown."""
    time: float = nan
    step: int = 1
    points: array[float] = attrs.field(factory=lambda: array("d", [*[0.0] * 5, nan]))
    """The number of hands, the four `totals` and the time, at the start and after every `step`
    hands, in one flat array."""

    def add(self, seat: _Seat) -> None:
        """Add the results of a hand; every `step` hands, add a point."""
        self.hands += 1
        self.all_ins += seat.is_all_in
        if seat.left_out is not None:
            self.left_out += 1
            self.left_out_pots += seat.left_out
        self.rake += seat.rake
        self.bb[0] += seat.bb[0]
        self.bb[1] += seat.bb[1]
        totals = self.totals
        totals[0] += seat.net
        totals[1] += seat.adjusted
        totals[2] += seat.variance
        totals[3] += seat.at_showdown
        self.time = seat.time
        if self.hands % self.step == 0:
            self.points.extend((self.hands, *totals, seat.time))
            if len(self.points) > 6 * _MOST_POINTS:
                kept = np.array(self.points).reshape(-1, 6)[::2]
                self.points = array("d", kept.ravel())
                self.step *= 2

    def line(self) -> LuckLine:
        points = np.array([*self.points, self.hands, *self.totals, self.time]).reshape(-1, 6)
        if len(points) > 1 and points[-1, 0] == points[-2, 0]:
            points = points[:-1]
        hands, net, adjusted, variance, shown_down, time = points.T
        seconds = np.full(len(time), "NaT", dtype="datetime64[s]")
        seconds[time == time] = time[time == time].astype(np.int64)
        return LuckLine(
            hands.astype(np.int64), net, adjusted, np.sqrt(variance), shown_down, seconds
        )


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
    """The unit of amounts that was asked for: ``"auto"``, ``"chips"`` or ``"bb"``."""
    folded: Folded
    """How cards that were folded are treated, as for `all_in_report`."""
    by: By
    """What the rows are."""
    players: tuple[PlayerLuck, ...]
    """The rows: the players, those with the most hands first; or one player's sessions, months,
    stakes or positions, in order. Each unit has rows of its own."""
    lines: dict[tuple[str, str, str], LuckLine] = attrs.field(
        repr=False, metadata=shown(in_json=False)
    )
    """The running totals of each row, by name, unit and group."""

    def player(self, name: str, unit: str | None = None) -> PlayerLuck:
        """Find a player by name, and by the unit if there are several.

        Raises:
            HoldemValueError: there is no such player, or there are several rows of it.
            HoldemTypeError: `name` is not text.
        """
        require_text(name, "the name of a player")
        rows = [own for own in self.players if own.name == name and unit in (None, own.unit)]
        if len(rows) > 1:
            units = " and ".join(dict.fromkeys(own.unit for own in rows))
            raise HoldemValueError(
                f"{quoted(name)} has several rows, in {units}; they are in players"
                + (
                    f', and player({name!r}, unit="{rows[0].unit}") is one'
                    if self.by == "player"
                    else ""
                )
            )
        found = rows[0] if rows else None
        if found is None:
            names = [player.name for player in self.players]
            most = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
            known = f"; there are: {most}" if names else ": the report has no hands"
            raise HoldemValueError(f"no player {quoted(name)}{did_you_mean(name, names)}{known}")
        return found

    def only(self, name: str) -> AllInReport:
        """Return a copy of the report with the rows of one player only.

        Raises:
            HoldemValueError: there is no such player.
            HoldemTypeError: `name` is not text.
        """
        rows = tuple([own for own in self.players if own.name == name]) or (self.player(name),)
        lines = {key: line for key, line in self.lines.items() if key[0] == name}
        return attrs.evolve(self, players=rows, lines=lines)

    def line(self, name: str, unit: str | None = None) -> LuckLine:
        """Return a player's running totals, hand by hand.

        Raises:
            HoldemValueError: there is no such player, or there are several rows of it.
            HoldemTypeError: `name` is not text.
        """
        row = self.player(name, unit)
        return self.lines[row.name, row.unit, row.group]

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
        return (self.players, self.hands, self.left_out, self.unit, self.folded, self.by) == (
            other.players,
            other.hands,
            other.left_out,
            other.unit,
            other.folded,
            other.by,
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"<AllInReport, {counted(self.hands, 'hand')} of"
            f" {counted(len({own.name for own in self.players}), 'player')},"
            f" {counted(self.all_ins, 'all-in')}>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Convert the report to a JSON object of the schema ``holdem/all-in-report/1``."""
        return {"schema": "holdem/all-in-report/1", **to_json(self)}


def all_in_report(
    hands: Iterable[PlayedHand],
    unknown: Unknown = "skip",
    folded: Folded = "unknown",
    unit: Unit = "auto",
    progress: bool = False,
    *,
    by: By = "player",
    player: str | None = None,
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
        unit: ``"chips"``, the currency of the log, with a row for each currency and each
            tournament; ``"bb"``, the big blinds of each hand, which joins them; or ``"auto"``:
            big blinds for tournaments, and the currency for other hands.
        progress: show a progress bar on standard error.
        by: what the rows are: ``"player"``, or the ``"session"``, ``"month"``, ``"stake"`` or
            ``"position"`` of one player. A session ends when no hand is dealt for an hour.
        player: whose rows they are, if they are not by player; None for the player to whom the log
            says that cards were dealt.

    Raises:
        HistoryError: a live hand of an all-in is unknown, with ``unknown="raise"``; or a hand has
            no big blind, with ``unit="bb"``.
        HoldemValueError: `unknown`, `folded`, `unit` or `by` has another value; or `by` needs a
            player, and the logs don't say whose they are.
        HoldemTypeError: `hands` does not consist of `PlayedHand` objects; or `unknown`, `folded`,
            `unit` or `by` is not text.
    """
    choices = {"unknown": Unknown, "folded": Folded, "unit": Unit, "by": By}
    given = {"unknown": unknown, "folded": folded, "unit": unit, "by": by}
    for name, value in given.items():
        require_text(value, name)
        known = get_args(choices[name])
        if value not in known:
            raise HoldemValueError(f"{name} must be {' or '.join(known)}, not {quoted(value)}")
    accounts: dict[tuple[str, str, str], _Account] = {}
    sessions: dict[tuple[str, str], list[_Seat]] = {}
    count = all_ins = left_out = 0
    with progress_bar(progress, "hands") as bar:
        for found in settle_hands(_require_hands(hands), unknown, folded, unit):
            count += 1
            all_ins += found.is_all_in
            left_out += found.is_left_out
            hand = found.hand
            for seat, name in enumerate(hand.names):
                if by != "player" and (seat != hand.hero if player is None else name != player):
                    continue
                if by == "session":
                    sessions.setdefault((name, found.unit), []).append(_seat_of(found, seat))
                    continue
                key = name, found.unit, _find_group(hand, seat, by)
                account = accounts.get(key)
                if account is None:
                    account = accounts[key] = _Account()
                account.add(_seat_of(found, seat))
            bar.update(1)
    if by != "player" and not accounts and not sessions and count:
        raise HoldemValueError(
            f"no player {quoted(player)}"
            if player is not None
            else "the logs do not say whose cards they show; give the name of a player"
        )
    for (name, label), seats in sessions.items():
        accounts |= {(name, label, start): own for start, own in _divide_sessions(seats)}
    players = [_make_player(*key, account) for key, account in accounts.items()]
    if by == "player":
        players.sort(key=lambda row: -row.hands)
    elif by == "position":
        players.sort(key=lambda row: (row.name, row.unit, _POSITIONS.index(row.group)))
    elif by != "stake":
        players.sort(key=lambda row: (row.name, row.unit, row.group))
    lines = {key: account.line() for key, account in accounts.items()}
    return AllInReport(count, all_ins, left_out, unit, folded, by, tuple(players), lines)


def _find_group(hand: PlayedHand, seat: int, by: By) -> str:
    if by == "month":
        return f"{hand.time:%Y-%m}" if hand.time else "unknown"
    if by == "stake":
        return hand.stakes or f"big blind {float(hand.big_blind):g}"
    return position_name(seat, len(hand.names)) if by == "position" else ""


def position_name(seat: int, seats: int) -> str:
    """Name a position, counted from the left of the button; heads-up, 0 is the big blind."""
    if seats == 2:
        return ("BB", "BTN")[seat]
    late = 4 if seats > 6 else min(seats - 2, 3)
    return _POSITIONS[seat - seats if seat >= seats - late else seat]


def _divide_sessions(seats: list[_Seat]) -> Iterator[tuple[str, _Account]]:
    """Yield the start and the account of each session, in order; hands may be in any order."""
    seats.sort(key=lambda seat: (seat.time != seat.time, seat.time))
    account, last, start = _Account(), nan, ""
    for seat in seats:
        if (
            not account.hands
            or seat.time - last > _BREAK
            or (seat.time != seat.time) != (last != last)
        ):
            if account.hands:
                yield start, account
            account = _Account()
            start = "unknown"
            if seat.time == seat.time:
                start = f"{datetime.fromtimestamp(seat.time, UTC):%Y-%m-%d %H:%M}"
        account.add(seat)
        last = seat.time
    if account.hands:
        yield start, account


def _require_hands(hands: Any) -> Iterator[PlayedHand]:
    if isinstance(hands, str) or not is_iterable(hands):
        raise HoldemTypeError(
            f'hands: expected hands, as from read_hands("logs/"), not {quoted(hands)}'
        )
    for hand in hands:
        if not isinstance(hand, PlayedHand):
            raise HoldemTypeError(f"hands: expected hands, as from read_hands, not {quoted(hand)}")
        yield hand


def _make_player(name: str, unit: str, group: str, account: _Account) -> PlayerLuck:
    net, adjusted, variance, at_showdown = account.totals
    rates = [100 * bb / account.hands if bb == bb else None for bb in account.bb]
    return PlayerLuck(
        name,
        unit,
        group,
        account.hands,
        account.all_ins,
        account.left_out,
        account.left_out_pots,
        net,
        adjusted,
        sqrt(variance),
        at_showdown,
        account.rake,
        *rates,
    )
