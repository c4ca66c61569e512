"""Reports on hand histories: luck by player, all-ins and equities by street."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from holdem.betting.played_hand import PlayedHand, street_equities
from holdem.cards import Card, cards_text
from holdem.errors import counted
from holdem.report.model import (
    Block,
    Column,
    Report,
    Table,
    columns_of_rows,
    text_columns,
)
from holdem.results.fields import columns_of, shown, to_json
from holdem_histories.luck import SettledHand

if TYPE_CHECKING:
    from holdem_histories.luck import AllInReport

_Row = TypeVar("_Row", bound="HandRow")

_MOST_SHOWN = 40  # rows of a table of many hands
_ROWS_AT_ONCE = 4096
_STREETS = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}


@attrs.frozen
class HandRow:
    """The columns that all rows about a player in a hand have in common."""

    file: str = attrs.field(metadata=shown(in_text=False))
    line: int = attrs.field(metadata=shown(in_text=False))
    """The line of the file in which the hand begins."""
    hand: str
    player: str = attrs.field(metadata=shown(cell="20"))
    hole: str = attrs.field(metadata=shown(cell="cards"))


@attrs.frozen
class AllInRow(HandRow):
    """Row of the report on all-ins, about a player who was still in the hand.

    Amounts are in chips or big blinds, the unit in which the hands were settled.
    """

    board: str = attrs.field(metadata=shown(cell="cards"))
    """The board at the all-in."""
    unit: str = attrs.field(metadata=shown(cell="24"))
    """The unit of amounts, as in `holdem_histories.luck.PlayerLuck`."""
    pot: float = attrs.field(metadata=shown(cell=",.2f"))
    """The sum of the pots that the player could win, without rake."""
    equity: float | None = attrs.field(metadata=shown(cell=".2%"))
    """The share of `pot` that the player wins on average; None if all of the pots was rake."""
    net: float = attrs.field(metadata=shown(cell="+,.2f"))
    """The amount that the player won in the hand; negative if the player lost."""
    adjusted: float = attrs.field(metadata=shown(cell="+,.2f"))
    """The amount that the player would have won on average; negative for a loss."""
    luck: float = attrs.field(metadata=shown(cell="+,.2f"))
    """`net` minus `adjusted`."""
    deviation: float = attrs.field(metadata=shown(in_text=False))
    """The standard deviation of `luck`."""


@attrs.frozen
class StreetRow(HandRow):
    """Row of the report by street: a known hand's equity on one street."""

    street: str
    """``"preflop"``, ``"flop"``, ``"turn"`` or ``"river"``."""
    board: str = attrs.field(metadata=shown(cell="cards"))
    equity: float = attrs.field(metadata=shown(cell=".2%"))


# --- luck by player ---------------------------------------------------------------------------


def luck_report(report: AllInReport, skipped: Sequence[Any] = ()) -> Report:
    """Build a `Report` on the luck of players; `skipped` are hands not read, for the JSON."""
    from holdem_histories.luck import PlayerLuck

    types = columns_of(
        PlayerLuck,
        first=(
            "player",
            "unit",
            "group",
            "hands",
            "all_ins",
            "left_out",
            "net",
            "adjusted",
            "luck",
        ),
    )
    rows = ({"player": own.name, **own.to_dict()} for own in report.players)
    return Report(
        lambda: report.to_dict() | ({"skipped": _skipped_json(skipped)} if skipped else {}),
        partial(_lay_out_luck, report),
        lambda: [columns_of_rows(types, rows)],
    )


def _skipped_json(skipped: Sequence[Any]) -> list[dict[str, Any]]:
    return [to_json(row) for row in skipped]


_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "INR": "₹", "CNY": "¥"}


def unit_sign(unit: str) -> str:
    """Name a unit in text: the sign of a currency, if it has one."""
    return _SIGNS.get(unit, unit)


def _lay_out_luck(report: AllInReport) -> Iterator[Block]:
    from holdem_histories.luck import PlayerLuck

    units = {own.unit for own in report.players}
    digits = 1 if units == {"bb"} else 2
    players = report.players[:_MOST_SHOWN]
    columns = text_columns(PlayerLuck, players, digits)
    columns["unit"] = [unit_sign(player.unit) for player in players]
    columns["luck ± sd"] = [
        f"{luck} ± {player.deviation:,.{digits}f}"
        for luck, player in zip(columns["luck ± sd"], players, strict=True)
    ]
    groups = columns.pop("group")
    rates = columns.pop("bb/100")
    left = 1
    if report.by != "player":
        if len({own.name for own in report.players}) == 1:
            del columns["player"]
            left = 0
        columns = {report.by: groups, **columns, "bb/100": rates}
        left += 1
    if len(units) < 2:
        del columns["unit"]
    else:
        left += 1
    more = len(report.players) - len(players)
    what = "row" if report.by != "player" or len(units) > 1 else "player"
    note = f"and {counted(more, what)} with fewer hands" if more and what == "player" else ""
    if more and not note:
        note = f"and {counted(more, what)} more"
    first = [name for name in dict.fromkeys((report.by, "player", "unit")) if name in columns]
    yield Table.of(columns, first, left=left, note=note)
    if len(players) == 1:
        (own,) = players
        rates_text = ""
        if own.bb_per_100 is not None and own.adjusted_bb_per_100 is not None:
            rates_text = f"bb/100 {own.bb_per_100:+.1f}, adjusted {own.adjusted_bb_per_100:+.1f}; "
        yield (
            f"{rates_text}at showdown {own.at_showdown:+,.{digits}f}, without"
            f" {own.without_showdown:+,.{digits}f}; rake {own.rake:,.{digits}f}"
        )
    text = f"{counted(report.hands, 'hand')}, {counted(report.all_ins, 'all-in')}"
    if len(units) == 1:
        text += f"; in {_unit_name(*units)}"
    if report.left_out:
        text += f"; {counted(report.left_out, 'all-in')} left out: a live hand is unknown"
        if len(players) == 1 and players[0].left_out:
            own = players[0]
            text += (
                f" ({own.left_out:,} of {own.name}, with {own.left_out_pots:,.{digits}f} in the"
                " pots)"
            )
    yield text


def _unit_name(unit: str) -> str:
    return "big blinds" if unit == "bb" else unit_sign(unit)


# --- all-ins and streets, hand by hand --------------------------------------------------------


def all_ins_report(
    hands: Iterable[SettledHand],
    player: str | None,
    skipped: Sequence[Any],
    sort: str | None = None,
    top: int | None = None,
) -> Report:
    """Build a `Report` on all-ins, with a row for each seat that was still in the hand.

    It can be rendered only once, because rendering consumes the hands, and meanwhile fills
    `skipped`, the hands that were not read, for the JSON. Hands not settled by equity are left out.
    `player` is the one whose rows are shown; None for all. With `sort`, ``"luck"`` or ``"pot"``,
    the rows with the largest, good or bad, come first, and `top` is the number of rows.
    """
    first = ("hand", "player", "hole", "board")
    rows: Iterator[AllInRow]
    rows = (row for row in _all_in_rows(hands) if player in (None, row.player))
    if sort is not None:
        rows = _largest(rows, sort, top)
    return _rows_report("all_ins", AllInRow, first, rows, skipped)


def _largest(rows: Iterable[AllInRow], sort: str, top: int | None) -> Iterator[AllInRow]:
    """Yield the rows with the largest values of a column; only these are kept in memory."""

    def size(row: AllInRow) -> float:
        return float(abs(getattr(row, sort)))

    found = sorted(rows, key=size, reverse=True) if top is None else nlargest(top, rows, key=size)
    yield from found


def _all_in_rows(hands: Iterable[SettledHand]) -> Iterator[AllInRow]:
    for found in hands:
        if not found.is_all_in:
            continue
        hand = found.hand
        for seat in hand.live:
            pots = [pot.amount - pot.rake for pot in hand.pots if seat in pot.seats]
            pot, put = float(sum(pots)) / found.scale, float(hand.put[seat]) / found.scale
            yield AllInRow(
                **_place(hand),
                **_holder(hand, seat),
                board=cards_text(hand.all_in or ()),
                unit=found.unit,
                pot=pot,
                equity=(found.adjusted[seat] + put) / pot if pot else None,
                net=found.net[seat],
                adjusted=found.adjusted[seat],
                luck=found.net[seat] - found.adjusted[seat],
                deviation=found.variance[seat] ** 0.5,
            )


def streets_report(
    hands: Iterable[PlayedHand], player: str | None, skipped: Sequence[Any]
) -> Report:
    """Build a `Report` with a row for each street and known hand, otherwise as `all_ins_report`."""
    first = ("hand", "street", "board", "player", "hole")
    rows = (row for row in _street_rows(hands) if player in (None, row.player))
    return _rows_report("streets", StreetRow, first, rows, skipped)


def _street_rows(hands: Iterable[PlayedHand]) -> Iterator[StreetRow]:
    iterator = iter(hands)
    while some := list(islice(iterator, _ROWS_AT_ONCE)):
        for hand, equities in zip(some, street_equities(some), strict=True):
            for street, own in zip(hand.streets, equities.tolist(), strict=True):
                for seat in street.seats:
                    if own[seat] == own[seat]:
                        yield StreetRow(
                            **_place(hand),
                            **_holder(hand, seat),
                            street=_STREETS[len(street.board)],
                            board=cards_text(street.board),
                            equity=own[seat],
                        )


def _place(hand: PlayedHand) -> dict[str, Any]:
    return {"file": hand.file, "line": hand.line, "hand": hand.number}


def _holder(hand: PlayedHand, seat: int) -> dict[str, Any]:
    hole: tuple[Card, ...] = hand.holes[seat] or ()
    return {"player": hand.names[seat], "hole": cards_text(hole)}


def _rows_report(
    name: str, row: type[_Row], first: Sequence[str], rows: Iterator[_Row], skipped: Any
) -> Report:
    """Build a `Report` whose rows, under the key `name` of the JSON, are made while it is rendered.

    The columns in `first` come first in text. `skipped` are the hands that were not read.
    """
    types = columns_of(row, first=("file", "line", *first))

    def parts() -> Iterator[Sequence[Column]]:
        some = list(islice(rows, _ROWS_AT_ONCE))
        yield columns_of_rows(types, map(to_json, some))
        while some := list(islice(rows, _ROWS_AT_ONCE)):
            yield columns_of_rows(types, map(to_json, some))

    def blocks() -> Iterator[Block]:
        some = list(islice(rows, _MOST_SHOWN))
        columns = text_columns(row, some)
        if len(set(columns.get("unit", ""))) == 1:
            del columns["unit"]
        more = sum(1 for _ in rows)
        note = f"and {counted(more, 'row')} more; -f csv prints all" if more else ""
        yield Table.of(columns, first, left=len(first), note=note)

    def json() -> dict[str, Any]:
        schema_name = f"holdem/history-{name.replace('_', '-')}/1"
        return {"schema": schema_name, name: map(to_json, rows), "skipped": map(to_json, skipped)}

    return Report(json, blocks, parts)
