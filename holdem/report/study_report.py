"""Report on a study, with the results of its finished and unfinished spots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from holdem.cards import cards_text
from holdem.errors import HoldemValueError, counted, quoted
from holdem.odds.result import EquityResult
from holdem.report.equity_report import EQUITY_COLUMNS, equity_rows, known_cards
from holdem.report.layout.cells import (
    cards_in_report,
    clip,
    decimals,
    interval,
    percent,
    range_in_report,
)
from holdem.report.model import Block, Column, Report, Table, columns_of_rows
from holdem.trials.studies.results import PairResult, RowsOf, SpotResult, StudyResults

_OF_PLAYERS = ("equity", "win", "tie", "lose", "stderr", "wins", "ties", "losses")
_PAIR_COLUMNS = (
    "grid int64, hero string, villain string, boards int64, finished int64, equity float64,"
    " stderr float64, win float64, tie float64, lose float64, lowest_board string,"
    " lowest_equity float64, highest_board string, highest_equity float64,"
    " lower_quartile float64, median float64, upper_quartile float64"
)
_MOST_SPOTS = 24  # of a grid with several boards; more are summed up only


def study_report(results: StudyResults, by: RowsOf = "spot") -> Report:
    """Build a `Report` on the results of a study.

    Args:
        results: the results.
        by: what a row of the CSV is.
    """
    return Report(results.to_dict, partial(_lay_out, results), partial(study_columns, results, by))


def _lay_out(results: StudyResults) -> Iterator[Block]:
    rows = [row for spot in results.spots if spot.cell is None for row in _rows(spot)]
    if rows:
        head = ["spot", "player", "equity", "95 % interval", "win", "tie", "answer"]
        yield Table(head, rows, left=2, optional=[["tie"], ["win"]])
    grids: dict[int, list[SpotResult]] = {}
    for spot in results.spots:
        if spot.cell is not None:
            grids.setdefault(spot.cell.grid, []).append(spot)
    for number, spots in grids.items():
        pairs = [pair for pair in results.pairs if pair.cell.grid == number]
        yield from _boards(pairs, spots) if pairs else [_grid(spots)]
    deals = sum(spot.result.deals for spot in results.spots)
    seconds = sum(spot.result.elapsed for spot in results.spots)
    yield (
        f"{'complete' if results.complete else 'not complete'}:"
        f" {results.finished:,} of {counted(results.total, 'spot')} finished,"
        f" {counted(deals, 'deal')}, {seconds:.3f} s"
    )


def _rows(spot: SpotResult) -> Iterator[list[str]]:
    """Yield a table row for each player of a spot; the first row names the spot and its state."""
    for number, player in enumerate(spot.result.players):
        digits = decimals(player.stderr)
        sampled = player.ci95 is not None and not spot.result.exact
        yield [
            "" if number else clip(spot.name, 40),
            range_in_report(clip(player.range)),
            percent(player.equity, digits),
            interval(player.ci95, digits) if sampled and player.ci95 else "",
            percent(player.win, decimals(player.win_stderr)),
            percent(player.tie, decimals(player.tie_stderr)),
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


def _grid(spots: Sequence[SpotResult]) -> Table:
    """Lay out the hero's equity by hand (rows) and opponents or villain (columns).

    The equity is in per cent. A star marks a spot that is not finished, a dash one without results.
    """
    cells = {(spot.cell.hero, spot.cell.others): spot for spot in spots if spot.cell is not None}
    heroes = list(dict.fromkeys(hero for hero, _ in cells))
    others = list(dict.fromkeys(others for _, others in cells))
    names = [clip(str(other), 16) for other in others]
    first_column = [range_in_report(clip(hero, 24)) for hero in heroes]
    error = max(spot.result.players[0].stderr or 0.0 for spot in spots)
    precision = f"standard error at most {100 * error:.2g}" if error else "exact"
    first = spots[0].result
    known = known_cards(first.board, first.dead)
    kind = "villain" if isinstance(others[0], str) else "number of random opponents"
    title = f"equity in % by {kind}{known and ', '}{known} ({precision})"
    rows = [
        [shown, *(_cell(cells.get((hero, other))) for other in others)]
        for hero, shown in zip(heroes, first_column, strict=True)
    ]
    return Table(["hand", *names], rows, title=title)


def _cell(spot: SpotResult | None) -> str:
    equity = None if spot is None else spot.result.players[0].equity
    if spot is None or equity is None:
        return "-"
    return f"{100 * equity:.2f}{'*' if spot.result.stop == 'interrupted' else ''}"


def _boards(pairs: Sequence[PairResult], spots: Sequence[SpotResult]) -> Iterator[Table]:
    """Yield tables of a grid with several boards: each board if they are few, and the sums."""
    dead = known_cards((), spots[0].result.dead)
    numbers = {pair.cell: str(number) for number, pair in enumerate(pairs, 1)}
    sums, spread = [], []
    for pair in pairs:
        digits = decimals(pair.stderr)
        count = f"{pair.finished:,}{'' if pair.finished == pair.boards else '*'}"
        shares = [percent(share, digits) for share in (pair.equity, pair.win, pair.tie)]
        names = [range_in_report(clip(text, 16)) for text in (pair.hero, pair.villain)]
        sums.append([numbers[pair.cell], *names, count, *shares])
        spread.append(
            [
                numbers[pair.cell],
                *_extreme(pair.lowest),
                *(percent(pair.quantile(share), 2) for share in (0.25, 0.5, 0.75)),
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
    if len(spots) <= _MOST_SPOTS:
        head = ["pair", "board", "weight", "equity", "win", "tie", "answer"]
        rows = [[numbers[spot.cell], *_board_row(spot)] for spot in spots if spot.cell is not None]
        yield Table(head, rows, left=2)


def _extreme(spot: SpotResult) -> list[str]:
    """Format a board, and the hero's equity on it."""
    return [_board_text(spot), percent(spot.result.players[0].equity, 2)]


def _board_row(spot: SpotResult) -> list[str]:
    hero = spot.result.players[0]
    digits = decimals(hero.stderr)
    shares = [percent(share, digits) for share in (hero.equity, hero.win, hero.tie)]
    return [_board_text(spot), f"{spot.weight:,}", *shares, _state(spot.result)]


def _board_text(spot: SpotResult) -> str:
    return cards_in_report(spot.result.board).replace(" ", "") or "none"


def study_columns(results: StudyResults, by: RowsOf) -> list[Column]:
    """Build the columns, with a row for each spot, each player of a spot, or each pair.

    Raises:
        HoldemValueError: `by` is another word.
    """
    if by == "pair":
        return columns_of_rows(_PAIR_COLUMNS, (pair.to_dict() for pair in results.pairs))
    if by == "player":
        rows = (
            {"spot": spot.name, **row, "weight": spot.weight}
            for spot in results.spots
            for row in equity_rows(spot.result)
        )
        return columns_of_rows(f"spot string, {EQUITY_COLUMNS}, weight int64", rows)
    if by != "spot":
        raise HoldemValueError(f"rows are by spot, player or pair, not by {quoted(by)}")
    players = max((len(spot.result.players) for spot in results.spots), default=0)
    numbers = range(1, players + 1)
    columns = [
        "spot string",
        *(f"p{number} string" for number in numbers),
        "board string, dead string, weight int64",
        *(f"{name}_{number} float64" for name in _OF_PLAYERS for number in numbers),
        "method string, exact bool, deals int64, stop string, seed Int64, elapsed float64",
        "evaluator string",
    ]
    return columns_of_rows(", ".join(columns), map(_spot_row, results.spots))


def _spot_row(spot: SpotResult) -> dict[str, Any]:
    result = spot.result
    row = result.to_dict() | {"spot": spot.name, "weight": spot.weight}
    row |= {"board": cards_text(result.board), "dead": cards_text(result.dead)}
    for number, player in enumerate(result.players, 1):
        row[f"p{number}"] = player.range
        row |= {f"{name}_{number}": getattr(player, name) for name in _OF_PLAYERS}
    return row
