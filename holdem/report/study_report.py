"""Report on a study, with results for finished and unfinished spots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

import attrs

from holdem.cards import cards_text
from holdem.errors import HoldemValueError, counted, quoted
from holdem.odds.result import EquityResult
from holdem.report import cells
from holdem.report.equity_report import EQUITY_COLUMNS, equity_rows, known_cards
from holdem.report.model import Block, Column, Report, Table, columns_of_rows
from holdem.trials.studies.results import PairResult, RowsOf, SpotResult, StudyResults
from holdem.trials.studies.study import GridCell

_OF_PLAYERS = ("equity", "win", "tie", "lose", "stderr", "wins", "ties", "losses")
_PAIR_COLUMNS = (
    "grid int64, hero string, villain string, boards int64, finished int64, equity float64,"
    " stderr float64, win float64, tie float64, lose float64, lowest_board string,"
    " lowest_equity float64, highest_board string, highest_equity float64,"
    " lower_quartile float64, median float64, upper_quartile float64"
)
_ROWS = 256  # that are converted together
_MOST_SPOTS = 24  # of a grid with several boards; more are summed up only


def study_report(results: StudyResults, by: RowsOf = "spot") -> Report:
    """Build a `Report` on the results of a study.

    Args:
        results: the results.
        by: what a row of the CSV is.
    """
    return Report(
        partial(_make_json, results),
        partial(_lay_out, results),
        columns_in_parts=partial(study_columns, results, by),
    )


def _make_json(results: StudyResults) -> dict[str, Any]:
    """Build the JSON object, with an iterator in place of the list of spots."""
    rest = attrs.evolve(results, spots=()).to_dict()
    return rest | {"spots": (spot.to_dict() for spot in results.spots)}


def _lay_out(results: StudyResults) -> Iterator[Block]:
    rows: list[list[str]] = []
    grids: dict[int, _Grid] = {}
    for spot in results.spots:
        if spot.cell is None:
            rows += _rows(spot)
        else:
            grids.setdefault(spot.cell.grid, _Grid(spot)).add(spot, spot.cell)
    if rows:
        head = ["spot", "player", "equity", "95 % interval", "win", "tie", "answer"]
        yield Table(head, rows, left=2, optional=[["tie"], ["win"]])
    for number, grid in grids.items():
        pairs = [pair for pair in results.pairs if pair.cell.grid == number]
        yield from _boards(pairs, grid) if pairs else [grid.table()]
    yield (
        f"{'complete' if results.complete else 'not complete'}:"
        f" {results.finished:,} of {counted(results.total, 'spot')} finished,"
        f" {counted(results.deals, 'deal')}, {results.elapsed:.3f} s"
    )


def _rows(spot: SpotResult) -> Iterator[list[str]]:
    """Yield a table row for each player of a spot; the first row names the spot and its state."""
    for number, player in enumerate(spot.result.players):
        digits = cells.decimals(player.stderr)
        sampled = player.ci95 is not None and not spot.result.exact
        yield [
            "" if number else cells.clip(spot.name, 40),
            cells.short_range(player.range),
            cells.percent(player.equity, digits),
            cells.interval(player.ci95, digits) if sampled and player.ci95 else "",
            cells.estimate(player.win, player.win_stderr),
            cells.estimate(player.tie, player.tie_stderr),
            "" if number else _state(spot.result),
        ]


def _state(result: EquityResult) -> str:
    if result.exact:
        return "exact"
    if result.method == "exact":
        return f"stopped at {100 * result.progress:.0f} %: no answer"
    return (
        f"{counted(result.deals, 'deal')}{', not finished' if result.stop == 'interrupted' else ''}"
    )


class _Grid:
    """The values to show for a grid, collected in one pass over the grid's spots."""

    def __init__(self, first: SpotResult) -> None:
        self.board, self.dead = first.result.board, first.result.dead
        #: The spots, up to one more than are shown one by one.
        self.few: list[SpotResult] = []
        self._cells: dict[tuple[str, int | str], str] = {}
        self._error = 0.0

    def add(self, spot: SpotResult, cell: GridCell) -> None:
        """Add the next spot in the grid."""
        hero = spot.result.players[0]
        if len(self.few) <= _MOST_SPOTS:
            self.few.append(spot)
        star = "*" if spot.result.stop == "interrupted" else ""
        shown = "-" if hero.equity is None else f"{100 * hero.equity:.2f}{star}"
        self._cells[cell.hero, cell.others] = shown
        self._error = max(self._error, hero.stderr or 0.0)

    def table(self) -> Table:
        """Lay out the hero's equity with a row per hand and a column per opponent count or villain.

        The equity is in per cent. A star marks a spot that is not finished, a dash one without
        results.
        """
        heroes = list(dict.fromkeys(hero for hero, _ in self._cells))
        others = list(dict.fromkeys(others for _, others in self._cells))
        names = [cells.clip(str(other), 16) for other in others]
        precision = f"standard error at most {100 * self._error:.2g}" if self._error else "exact"
        known = known_cards(self.board, self.dead)
        kind = "villain" if isinstance(others[0], str) else "number of random opponents"
        title = f"equity in % by {kind}{known and ', '}{known} ({precision})"
        rows = [
            [
                cells.short_range(hero, 24),
                *(self._cells.get((hero, other), "-") for other in others),
            ]
            for hero in heroes
        ]
        return Table(["hand", *names], rows, title=title)


def _boards(pairs: Sequence[PairResult], grid: _Grid) -> Iterator[Table]:
    """Yield the tables of a grid with several boards: sums, spreads and, if few, single boards."""
    dead = known_cards((), grid.dead)
    numbers = {pair.cell: str(number) for number, pair in enumerate(pairs, 1)}
    sums, spread = [], []
    for pair in pairs:
        digits = cells.decimals(pair.stderr)
        count = f"{pair.finished:,}{'' if pair.finished == pair.boards else '*'}"
        shares = [cells.percent(share, digits) for share in (pair.equity, pair.win, pair.tie)]
        names = [cells.short_range(text, 16) for text in (pair.hero, pair.villain)]
        sums.append([numbers[pair.cell], *names, count, *shares])
        spread.append(
            [
                numbers[pair.cell],
                *_extreme(pair.lowest),
                *(cells.percent(pair.quantile(share), 2) for share in (0.25, 0.5, 0.75)),
                *reversed(_extreme(pair.highest)),
            ]
        )
    head = ["pair", "hero", "villain", "boards", "equity", "win", "tie"]
    title = f"hero against villain over all boards{dead and ', '}{dead}"
    is_complete = all(pair.finished == pair.boards for pair in pairs)
    note = "" if is_complete else "* not all boards are finished"
    yield Table(head, sums, left=3, title=title, note=note, optional=[["tie"], ["win"]])
    head = ["pair", "on", "lowest", "25 %", "median", "75 %", "highest", "on"]
    yield Table(head, spread, left=2, title="equity of the hero by board, each by its probability")
    if len(grid.few) <= _MOST_SPOTS:
        head = ["pair", "board", "weight", "equity", "win", "tie", "answer"]
        rows = [[numbers[each.cell], *_board_row(each)] for each in grid.few if each.cell]
        yield Table(head, rows, left=2)


def _extreme(spot: SpotResult) -> list[str]:
    """Format a board, and the hero's equity on that board."""
    return [_board_text(spot), cells.percent(spot.result.players[0].equity, 2)]


def _board_row(spot: SpotResult) -> list[str]:
    hero = spot.result.players[0]
    digits = cells.decimals(hero.stderr)
    shares = [cells.percent(share, digits) for share in (hero.equity, hero.win, hero.tie)]
    return [_board_text(spot), f"{spot.weight:,}", *shares, _state(spot.result)]


def _board_text(spot: SpotResult) -> str:
    return cells.cards_in_report(spot.result.board).replace(" ", "") or "none"


def study_columns(results: StudyResults, by: RowsOf) -> Iterator[list[Column]]:
    """Build the columns of a study, with a row for each spot, player of a spot, or pair.

    Yields:
        The columns of the next rows.

    Raises:
        HoldemValueError: `by` is another word.
    """
    rows: Iterator[dict[str, Any]]
    if by == "pair":
        schema, rows = _PAIR_COLUMNS, (pair.to_dict() for pair in results.pairs)
    elif by == "player":
        schema = f"spot string, {EQUITY_COLUMNS}, weight int64"
        rows = (
            {"spot": spot.name, **row, "weight": spot.weight}
            for spot in results.spots
            for row in equity_rows(spot.result)
        )
    elif by == "spot":
        schema, rows = _spot_schema(results.most_players), map(_spot_row, results.spots)
    else:
        raise HoldemValueError(f"rows are by spot, player or pair, not by {quoted(by)}")
    some = list(islice(rows, _ROWS))
    yield columns_of_rows(schema, some)
    while some := list(islice(rows, _ROWS)):
        yield columns_of_rows(schema, some)


def _spot_schema(players: int) -> str:
    numbers = range(1, players + 1)
    columns = [
        "spot string",
        *(f"p{number} string" for number in numbers),
        "board string, dead string, weight int64",
        *(f"{name}_{number} float64" for name in _OF_PLAYERS for number in numbers),
        "method string, exact bool, deals int64, stop string, seed Int64, elapsed float64",
        "evaluator string",
    ]
    return ", ".join(columns)


def _spot_row(spot: SpotResult) -> dict[str, Any]:
    result = spot.result
    row = result.to_dict() | {"spot": spot.name, "weight": spot.weight}
    row |= {"board": cards_text(result.board), "dead": cards_text(result.dead)}
    for number, player in enumerate(result.players, 1):
        row[f"p{number}"] = player.range
        row |= {f"{name}_{number}": getattr(player, name) for name in _OF_PLAYERS}
    return row
