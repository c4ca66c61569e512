"""Reports on equities by class, category, combo, next card, runout and number of deals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import hypot, isclose
from typing import Any, TypeAlias

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from holdem.cards import DECK, RANKS
from holdem.odds.breakdown import (
    By,
    CategoryTable,
    ClassTable,
    ComboTable,
    ConvergenceTable,
    NextCardTable,
    RunoutTable,
)
from holdem.odds.late_breakdowns import SEED
from holdem.odds.result import EquityResult
from holdem.ranges.combos import CLASS_COUNT, CLASS_NAMES, CLASS_OF_COMBO, COMBO_CARDS
from holdem.report import cells
from holdem.report.colours import DIVERGING
from holdem.report.formats import render
from holdem.report.markup import grid_html
from holdem.report.model import Block, Column, Report, Table, array_column, text_columns
from holdem.results.fields import ERROR_HEAD
from holdem.results.record_tables import RecordTable

_OUTCOMES = ("win", "tie")
_ACES = DECK[:-5:-1]  # spades first
_TITLES: dict[By, str] = {
    "class": "by class, highest equity first",
    "category": "by category at showdown",
    "combo": "by combo, highest equity first",
}
_PlayerTable: TypeAlias = ClassTable | CategoryTable | ComboTable
# If 49 equities are equal, the largest sampled one exceeds the smallest by more than this many
# standard errors of the difference in 5 % of all samples.
_LARGEST_OF_NOISE = 4.0


def player_table_report(table: _PlayerTable) -> Report:
    """Build a `Report` on a player's results by class, category or combo."""
    return Report.of(table, _lay_out_player_table, _build_columns)


def next_card_report(table: NextCardTable) -> Report:
    return Report.of(table, _lay_out_next_cards, _build_columns)


def runout_report(table: RunoutTable) -> Report:
    return Report.of(table, _lay_out_runouts, _build_columns)


def lay_out_breakdowns(result: EquityResult, by: Iterable[By]) -> Iterator[Block]:
    """Yield the tables of the given breakdowns of a result, one for each breakdown and player."""
    names = [f"{player.label}, {cells.short_range(player.range)}" for player in result.players]
    for report in by:
        if report == "next-card":
            yield from _lay_out_next_cards(result.by_next_card, names)
        elif report == "runout":
            yield from _lay_out_runouts(result.by_runout, names)
        else:
            for name, player in zip(names, result.players, strict=True):
                table = getattr(player, f"by_{report}")
                is_sampled = result.exact and bool(np.nansum(table.stderr))
                title = f"{name}: {_TITLES[report]}" + f", sampled with seed {SEED}" * is_sampled
                yield from _lay_out_player_table(table, title)


def breakdown_columns(result: EquityResult, by: By) -> list[Column]:
    """Build the columns of one breakdown of a result.

    Rows by class, category or combo begin with the number and the range of the player.
    """
    if by == "next-card":
        return _build_columns(result.by_next_card)
    if by == "runout":
        return _build_columns(result.by_runout)
    players = result.players
    tables: list[RecordTable[Any]] = [getattr(player, f"by_{by}") for player in players]
    rows = [len(table) for table in tables]
    joined = [
        evolve(own[0], values=np.concatenate([column.values for column in own]))
        for own in zip(*map(_build_columns, tables), strict=True)
    ]
    shared: dict[str, Sequence[Any]] = {
        "player": range(1, len(players) + 1),
        "player_name": [player.name for player in players],
        "range": [player.range for player in players],
    }
    given = [
        array_column(name, np.repeat(values, rows))
        for name, values in shared.items()
        if values[0] is not None
    ]
    return [*given, *joined]


def _build_columns(table: RecordTable[Any]) -> list[Column]:
    """Convert a table to columns; values by player become one column per player."""
    columns = []
    for name in table.columns():
        values = getattr(table, name)
        if values.ndim == 1:
            columns.append(array_column(name, values))
        else:
            columns += [array_column(f"{name}_{n}", own) for n, own in enumerate(values.T, 1)]
    if isinstance(table, CategoryTable):
        columns[0] = Column("category", "category", table.category, table.categories)
    return columns


def _lay_out_player_table(table: _PlayerTable, title: str = "") -> Iterator[Block]:
    """Yield the table of a player's results, with the contribution of each class or category.

    The contribution is the product of the share of all deals and the equity.
    """
    order = np.argsort(-table.equity, kind="stable")  # rows without equity last
    is_sampled, bars_head, bars = bool(np.nansum(table.stderr)), "equity", table.equity
    if isinstance(table, CategoryTable):
        share_errors, bars_head, bars = table.share_stderr, "share", table.share
        order, is_sampled = np.arange(len(table))[::-1], bool(share_errors.any())
    without = set() if is_sampled else {ERROR_HEAD}
    if isinstance(table, ClassTable) and not (table.weight != 1).any():
        without.add("weight")
    columns = text_columns(table._record, table, without=without)
    if isinstance(table, ClassTable):
        # The share of a class has no standard error of its own.
        share_errors = np.sqrt(table.share * (1 - table.share) / table.deals.sum()) * is_sampled
        columns["share"] = _percents(table.share, share_errors, 2 if is_sampled else 4)
    if not isinstance(table, ComboTable):
        errors = np.hypot(table.share * table.stderr, table.equity * share_errors)
        columns["contribution"] = _percents(table.share * table.equity, errors)
    columns |= {name: columns.pop(name) for name in _OUTCOMES}  # at the right
    yield Table.of(
        {name: [own[row] for row in order] for name, own in columns.items()},
        title=title,
        optional=(_OUTCOMES, (ERROR_HEAD,)) if "share" in columns else (),
        bars=array_column(bars_head, bars[order]).cells(),
        bars_head=bars_head,
    )


def _percents(
    values: NDArray[np.float64], errors: NDArray[np.float64], most: int | None = None
) -> list[str]:
    """Format fractions as percentages, with the decimals, up to `most`, that errors justify."""
    digits = [cells.decimals(None if error != error else error) for error in errors.tolist()]
    texts = array_column("", values).cells()
    return [cells.percent(cell, min(n, most or n)) for cell, n in zip(texts, digits, strict=True)]


def _lay_out_next_cards(table: NextCardTable, names: Sequence[str] = ()) -> Iterator[Block]:
    """Yield, for each player, a grid of equities by the suit and the rank of the next card."""
    digits = min([1, *map(cells.decimals, table.stderr.max(axis=1, initial=0.0).tolist())])
    for player, name in enumerate(names or cells.name_players_by_number(table.equity)):
        equity = dict(zip(table.cards.tolist(), table.equity[:, player].tolist(), strict=True))
        stderr = dict(zip(table.cards.tolist(), table.stderr[:, player].tolist(), strict=True))
        suits = [cells.cards_in_report([ace])[1:] for ace in _ACES]
        grid = [[equity.get(card) for card in range(int(ace), -1, -4)] for ace in _ACES]
        title, note = f"{name}: equity in % by next card", _extremes(equity, stderr, digits)
        yield _grid_by_rank(suits, grid, digits, title, note)


def _lay_out_runouts(table: RunoutTable, names: Sequence[str] = ()) -> Iterator[Block]:
    """Yield, for each player, a grid of equities by the ranks of turn and river.

    Above the diagonal, turn and river are of one suit.
    """
    classes = CLASS_OF_COMBO[table.numbers]
    deals = np.bincount(classes, table.deals, CLASS_COUNT)
    for player, name in enumerate(names or cells.name_players_by_number(table.equity)):
        equity = table.equity[:, player]
        with np.errstate(invalid="ignore"):
            means = np.bincount(classes, table.deals * equity, CLASS_COUNT) / deals
        grid = [
            [None if mean != mean else mean for mean in row]
            for row in means.reshape(13, 13).tolist()
        ]
        note = "no equities"
        if len(table):
            best, worst = int(equity.argmax()), int(equity.argmin())
            ends = []
            for end, row in (("highest", best), ("lowest", worst)):
                cards = cells.cards_in_report(
                    DECK[card] for card in COMBO_CARDS[table.numbers[row]]
                )
                ends.append(f"{end}: {cells.percent(equity[row], 1)} with {cards}")
            note = "; ".join(ends)
        title = f"{name}: mean equity in % by turn and river, suited above the diagonal"
        yield _grid_by_rank(RANKS[::-1], grid, 1, title, note)


def _grid_by_rank(
    names: Sequence[str], grid: Sequence[Sequence[float | None]], digits: int, title: str, note: str
) -> Table:
    """Lay out a grid of equities as a shaded table, with a column for each rank, aces first.

    `grid` is by row and rank, None where there is no equity; ranks below the lowest with an equity
    are left out: a short deck does not have them. `note` stands below the table.
    """
    held = [at for row in grid for at, equity in enumerate(row) if equity is not None]
    ranks = RANKS[::-1][: max(held, default=len(RANKS)) + 1]
    if len(names) == len(RANKS):
        names, grid = ranks, grid[: len(ranks)]
    grid = [row[: len(ranks)] for row in grid]
    rows = [
        [name, *(_cell(equity, digits) for equity in row)]
        for name, row in zip(names, grid, strict=True)
    ]
    head, shades = ["", *ranks], [[None, *row] for row in grid]
    return Table(head, rows, title=title, note=note, shades=shades, scale=DIVERGING)


def _cell(equity: float | None, digits: int) -> str:
    if equity is None:
        return ""
    text = f"{100 * equity:.{digits}f}"
    return text if float(text) < 100 else "100"  # so that 13 columns fit 80 characters


def _extremes(equity: dict[int, float], stderr: dict[int, float], digits: int) -> str:
    """Describe the cards with the highest and the lowest equity, and the standard error.

    Equities are by id of the next card. If the two differ by no more than sampling explains, the
    text says so and names no cards.
    """
    if not equity:
        return "no equities"
    largest = max(stderr.values())
    error = f"std. error up to {cells.rounded_percent(largest, largest)}" if largest else ""
    best, worst = (pick(equity, key=equity.__getitem__) for pick in (max, min))
    noise = hypot(stderr[best], stderr[worst])
    if error and equity[best] - equity[worst] <= _LARGEST_OF_NOISE * noise:
        return f"no card differs from the others by more than sampling explains; {error}"
    parts = []
    for name, value in (("highest", max(equity.values())), ("lowest", min(equity.values()))):
        cards = [
            DECK[card] for card in sorted(equity, reverse=True) if isclose(equity[card], value)
        ]
        parts.append(f"{name}: {cells.percent(value, digits)} with {cells.cards_in_report(cards)}")
    return "; ".join([*parts, *[error] * bool(error)])


def class_html(table: ClassTable) -> str:
    """Draw a grid of class equities in per cent as HTML, above a folded table of all numbers."""
    equities = np.full(len(CLASS_NAMES), np.nan)
    equities[table.numbers] = table.equity
    values = equities.tolist()
    grid = grid_html(values, [f"{100 * value:.0f}" for value in values], DIVERGING)
    rows = render(player_table_report(table), "html")
    return f"{grid}<details><summary>equity in %, by class</summary>{rows}</details>"


def convergence_report(table: ConvergenceTable) -> Report:
    """Build a `Report` on the equities of a sampled run after increasing numbers of deals."""
    return Report.of(table, _lay_out_convergence, _build_convergence_columns)


def _build_convergence_columns(table: ConvergenceTable) -> list[Column]:
    deals, *others = _build_columns(table)
    players = table.equity.shape[1]
    return [deals, *(column for player in range(players) for column in others[player::players])]


def _lay_out_convergence(table: ConvergenceTable) -> Iterator[Block]:
    head = ["deals", *cells.name_players_by_number(table.equity)]
    rows = []
    for record in table:
        pairs = zip(record.equity, record.stderr, strict=True)
        texts = [cells.rounded_percent(equity, stderr) for equity, stderr in pairs]
        rows.append([cells.count(record.deals), *texts])
    yield Table(head, rows, left=0, note="equity after the first deals; the last row has all")
