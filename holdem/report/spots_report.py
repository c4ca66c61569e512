"""Reports on many spots: a table of equities, and a study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from holdem.arguments import require_text
from holdem.cards import cards_text
from holdem.errors import HoldemValueError, counted, quoted
from holdem.odds.many_spots.equity_table import VALUES, EquityTable, SpotRecord
from holdem.odds.result import EquityResult
from holdem.odds.tally import Outcomes
from holdem.report import cells
from holdem.report.equity_report import equity_rows, equity_types, known_cards
from holdem.report.model import Block, Column, Report, Table, array_column, columns_of_rows
from holdem.results.fields import INTERVAL_HEAD, ColumnType, EvaluatorLabel, column, columns_of

if TYPE_CHECKING:
    from holdem.trials.studies.results import PairResult, RowsOf, SpotResult, StudyResults
    from holdem.trials.studies.study import GridCell

_MOST_ROWS = 20  # of the table
_OF_PLAYERS = (*VALUES, *(own.name for own in attrs.fields(Outcomes)))
_ROWS = 256  # that are converted together
_MOST_SPOTS = 24  # of a grid with several boards; more are summed up only


@attrs.define
class Totals:
    """Counts for the summary of a run over many spots, added up over one or more of its tables.

    Of all `spots`, `exact` were computed exactly, and `wrong` have an error and no equity; the
    others were sampled with `seed`. `elapsed` is in seconds.
    """

    evaluator: EvaluatorLabel
    spots: int = 0
    exact: int = 0
    wrong: int = 0
    seed: int | None = None
    elapsed: float = 0.0

    def add(self, table: EquityTable) -> Totals:
        """Add a table's counts and time to the totals, and return the totals."""
        self.spots += len(table)
        self.exact += int(table.exact.sum())
        self.wrong += len(table.errors)
        self.seed = self.seed if table.seed is None else table.seed
        self.elapsed += table.elapsed
        return self

    def __str__(self) -> str:
        sampled = self.spots - self.exact - self.wrong
        answers = [f"{self.exact:,} exact"]
        answers += [f"{sampled:,} sampled, seed {self.seed}"] if sampled else []
        answers += [f"{self.wrong:,} without answer"] if self.wrong else []
        return (
            f"{counted(self.spots, 'spot')}: {', '.join(answers)};"
            f" evaluator {self.evaluator.name}, {self.elapsed:.3f} s"
        )


def spots_report(
    table: EquityTable,
    name: str = "spot",
    numbers: Sequence[int] | None = None,
    totals: Totals | None = None,
) -> Report:
    """Build a `Report` on the equities of many spots.

    The CSV has a row for each spot, with each player's numbers in columns such as ``equity_1``.
    Text, Markdown and HTML show only the first 20 spots, in a table whose first column has the
    heading `name` and `numbers`, counted from 0 by default. `totals` are those of a run whose first
    spots are in `table`; by default, `table` has all.
    """
    numbers = range(len(table)) if numbers is None else numbers
    totals = totals or Totals(table.evaluator).add(table)
    return Report(
        table.to_dict,
        partial(_lay_out, table, name, numbers, totals),
        lambda: [_build_columns(table)],
        index=table.spots.index,
    )


def _build_columns(table: EquityTable) -> list[Column]:
    """Build the CSV columns of a table: ranges, cards and `answer_columns`, a row for each spot."""
    spots = table.spots
    texts = {f"p{player + 1}": spots.player_texts(player) for player in range(table.players)}
    texts |= {"board": spots.board_texts(), "dead": spots.dead_texts()}
    given = [
        Column(name, "string", [text or None for text in own], codes=codes)
        for name, (codes, own) in texts.items()
    ]
    return given + answer_columns(table)


def answer_names(players: int) -> list[str]:
    """List the names of the columns that `answer_columns` builds for a number of players."""
    numbers = range(1, players + 1)
    return [
        *(f"{name}_{number}" for name in VALUES for number in numbers),
        *("exact", "deals", "error"),
    ]


def answer_columns(table: EquityTable) -> list[Column]:
    """Build the columns of the computed values, with a row for each spot.

    These are each player's equity and further numbers (NaN if the spot has an error), whether the
    spot is exact, its number of deals, and the first line of its error message. `answer_names` has
    their names. The types of the columns do not depend on the spots.
    """
    names = answer_names(table.players)
    numbers = [column for name in VALUES for column in getattr(table, name).T]
    codes = np.zeros(len(table), dtype=np.intp)
    codes[list(table.errors)] = 1 + np.arange(len(table.errors))
    messages = [None, *(message.partition("\n")[0] for message in table.errors.values())]
    columns = map(array_column, names, [*numbers, table.exact, table.deals])
    return [*columns, Column(names[-1], "string", messages, codes=codes)]


def _lay_out(
    table: EquityTable, name: str, numbers: Sequence[int], totals: Totals
) -> Iterator[Block]:
    shown = list(zip(numbers[:_MOST_ROWS], table[:_MOST_ROWS], strict=True))
    names = table.names or tuple(f"player {number}" for number in range(1, table.players + 1))
    more = totals.spots - len(shown)
    note = f"… and {counted(more, 'more spot')}" if more else ""
    if table.players == 2:
        shares = [f"equity {own}" for own in table.names or (1, 2)]
        head = [name, *names, "board", *shares, "answer"]
        rows = [_row(number, record) for number, record in shown]
        yield Table(head, rows, left=4, note=note)
    else:
        head = [name, "board", "player", "equity", "answer"]
        known = table.names is not None
        head = head[:2] + ["name"] * known + head[2:]
        rows = [
            [*row[:2], *names[place : place + 1] * known, *row[2:]]
            for number, record in shown
            for place, row in enumerate(_rows(number, record))
        ]
        yield Table(head, rows, left=3 + known, note=note)
    yield str(totals)


def _row(number: int, record: SpotRecord) -> list[str]:
    players, board = _players(record), cells.range_in_report(record.board)
    return [str(number), *players, board, *_equities(record), _answer(record)]


def _rows(number: int, record: SpotRecord) -> Iterator[list[str]]:
    """Yield a table row for each player of a spot.

    The number of the spot, its board, and its answer, such as ``exact``, are in the first row only.
    """
    shared = [str(number), cells.range_in_report(record.board), _answer(record)]
    for player, equity in zip(_players(record), _equities(record), strict=True):
        yield [*shared[:2], player, equity, shared[2]]
        shared = [""] * 3


def _players(record: SpotRecord) -> list[str]:
    return [cells.short_range(player) for player in record.players]


def _equities(record: SpotRecord) -> list[str]:
    if record.equity is None or record.stderr is None:
        return ["-"] * len(record.players)
    pairs = zip(record.equity, record.stderr, strict=True)
    return [cells.rounded_percent(value, error) for value, error in pairs]


def _answer(record: SpotRecord) -> str:
    if record.equity is None:
        return "error"
    return "exact" if record.exact else counted(record.deals, "deal")


def study_report(results: StudyResults, by: RowsOf = "spot") -> Report:
    """Build a `Report` on the results of a study; `by` is that of `study_columns`."""
    return Report(
        partial(_make_json, results),
        partial(_lay_out_study, results),
        partial(study_columns, results, by),
    )


def _make_json(results: StudyResults) -> dict[str, Any]:
    """Build the JSON object of a study, with an iterator in place of the list of spots.

    The spots are thus converted one by one while the object is written.
    """
    rest = attrs.evolve(results, spots=()).to_dict()
    return rest | {"spots": (spot.to_dict() for spot in results.spots)}


def _lay_out_study(results: StudyResults) -> Iterator[Block]:
    rows: list[list[str]] = []
    grids: dict[int, _Grid] = {}
    for spot in results.spots:
        if spot.cell is None:
            rows += _player_rows(spot)
        else:
            grids.setdefault(spot.cell.grid, _Grid(spot)).add(spot, spot.cell)
    if rows:
        head = ["spot", "player", "equity", INTERVAL_HEAD, "win", "tie", "answer"]
        yield Table(head, rows, left=2, optional=[["tie"], ["win"]])
    for number, grid in grids.items():
        pairs = [pair for pair in results.pairs if pair.cell.grid == number]
        yield from _boards(pairs, grid) if pairs else [grid.table()]
    yield (
        f"{'complete' if results.complete else 'not complete'}:"
        f" {results.finished:,} of {counted(results.total, 'spot')} finished,"
        f" {counted(results.deals, 'deal')}, {results.elapsed:.3f} s"
    )


def _player_rows(spot: SpotResult) -> Iterator[list[str]]:
    """Yield a table row for each player of a spot.

    The first row also has the spot's name, and how it was computed, such as ``exact``.
    """
    for number, player in enumerate(spot.result.players):
        digits = cells.decimals(player.stderr)
        sampled = not cells.is_missing(player.ci95) and not spot.result.exact
        yield [
            "" if number else cells.clip(spot.name, 40),
            cells.short_range(player.range),
            cells.percent(player.equity, digits),
            cells.interval(player.ci95, digits) if sampled else "",
            cells.rounded_percent(player.win, player.win_stderr),
            cells.rounded_percent(player.tie, player.tie_stderr),
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
    """A grid of a study, heroes against villains or random opponents, read spot by spot.

    The cells of its table are collected, so that the spots are read only once.
    """

    def __init__(self, first: SpotResult) -> None:
        self.board, self.dead = first.result.board, first.result.dead
        #: The first spots: all if there are few enough to list them, otherwise one more than that.
        self.few: list[SpotResult] = []
        self._cells: dict[tuple[str, int | str], str] = {}
        self._error = 0.0

    def add(self, spot: SpotResult, cell: GridCell) -> None:
        """Add the next spot of the grid; `cell` has its hero and opponents."""
        hero = spot.result.players[0]
        if len(self.few) <= _MOST_SPOTS:
            self.few.append(spot)
        star = "*" if spot.result.stop == "interrupted" else ""
        shown = "-" if cells.is_missing(hero.equity) else f"{100 * hero.equity:.2f}{star}"
        self._cells[cell.hero, cell.others] = shown
        self._error = max(self._error, hero.stderr)  # of NaN, the first

    def table(self) -> Table:
        """Lay out the heroes' equities in per cent, a column per villain or number of opponents.

        A star marks a spot that is not finished, and a dash a spot without results.
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
    """Yield the tables of a grid, which has read all of its spots, with several boards.

    They show each hero's mean equity over all boards against each villain, the spread of the
    equities by board and, if there are few spots, the equity on each board.
    """
    dead = known_cards((), grid.dead)
    numbers = {pair.cell: str(number) for number, pair in enumerate(pairs, 1)}
    sums, spread = [], []
    for pair in pairs:
        equities = (pair.equity, pair.win, pair.tie)
        count = f"{pair.finished:,}{'' if pair.finished == pair.boards else '*'}"
        shares = [cells.rounded_percent(share, pair.stderr) for share in equities]
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
    note = "" if is_complete else "* not all boards are finished with an equity"
    yield Table(head, sums, left=3, title=title, note=note, optional=[["tie"], ["win"]])
    head = ["pair", "on", "lowest", "25 %", "median", "75 %", "highest", "on"]
    yield Table(head, spread, left=2, title="equity of the hero by board, each by its probability")
    if len(grid.few) <= _MOST_SPOTS:
        head = ["pair", "board", "weight", "equity", "win", "tie", "answer"]
        rows = [[numbers[each.cell], *_board_row(each)] for each in grid.few if each.cell]
        yield Table(head, rows, left=2)


def _extreme(spot: SpotResult) -> list[str]:
    """Format the spot with a hero's lowest or highest equity as two cells: board and equity."""
    return [_board_text(spot), cells.percent(spot.result.players[0].equity, 2)]


def _board_row(spot: SpotResult) -> list[str]:
    hero = spot.result.players[0]
    equities = (hero.equity, hero.win, hero.tie)
    shares = [cells.rounded_percent(share, hero.stderr) for share in equities]
    return [_board_text(spot), f"{spot.weight:,}", *shares, _state(spot.result)]


def _board_text(spot: SpotResult) -> str:
    return cells.cards_in_report(spot.result.board).replace(" ", "") or "none"


def study_columns(results: StudyResults, by: RowsOf) -> Iterator[list[Column]]:
    """Yield the CSV columns of a study in pieces of 256 rows, so that not all are in memory.

    `by` is what has a row: each ``"spot"``, each ``"player"`` of a spot, or each ``"pair"`` of a
    hero and a villain, over all boards of a grid.
    """
    require_text(by, "by")
    rows: Iterator[dict[str, Any]]
    if by == "pair":
        types, rows = _pair_types(), (pair.to_dict() for pair in results.pairs)
    elif by == "player":
        types = columns_of(column("spot", str), equity_types(), column("weight", int))
        rows = (
            {"spot": spot.name, **row, "weight": spot.weight}
            for spot in results.spots
            for row in equity_rows(spot.result)
        )
    elif by == "spot":
        types, rows = _spot_types(results.most_players), map(_spot_row, results.spots)
    else:
        raise HoldemValueError(f"rows are by spot, player or pair, not by {quoted(by)}")
    some = list(islice(rows, _ROWS))
    yield columns_of_rows(types, some)
    while some := list(islice(rows, _ROWS)):
        yield columns_of_rows(types, some)


def _pair_types() -> list[ColumnType]:
    from holdem.trials.studies.results import QUARTILES, PairResult

    extremes = (f"{end}_{of}" for end in ("lowest", "highest") for of in ("board", "equity"))
    types = (column(name, str if name.endswith("board") else float) for name in extremes)
    return columns_of(PairResult, *types, *(column(name, float) for name in QUARTILES))


def _spot_types(players: int) -> list[ColumnType]:
    numbers = range(1, players + 1)
    # The board and the dead cards stand before the numbers, the evaluator without its version.
    elsewhere = ("board", "dead", "evaluator", "evaluator_version", "progress")
    of_run = [own for own in columns_of(EquityResult) if own.name not in elsewhere]
    return columns_of(
        column("spot", str),
        *(column(f"p{number}", str) for number in numbers),
        column("board", str),
        column("dead", str),
        column("weight", int),
        *(column(f"{name}_{number}", float) for name in _OF_PLAYERS for number in numbers),
        of_run,
        column("evaluator", str),
    )


def _spot_row(spot: SpotResult) -> dict[str, Any]:
    result = spot.result
    row = result.to_dict() | {"spot": spot.name, "weight": spot.weight}
    row |= {"board": cards_text(result.board), "dead": cards_text(result.dead)}
    for number, player in enumerate(result.players, 1):
        row[f"p{number}"] = player.range
        row |= {f"{name}_{number}": getattr(player, name) for name in _OF_PLAYERS}
    return row
