"""Report on a study, with the results of its finished and unfinished spots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from holdem.report.equity_report import equity_csv, known_cards
from holdem.report.formats import Block, Report, Table
from holdem.report.suits import range_in_report
from holdem.report.tables import Row, clipped
from holdem.report.units import decimals, interval, percent
from holdem.trials.studies.results import SpotResult, StudyResults


def study_report(results: StudyResults) -> Report:
    """Return a `Report` on the results of a study."""
    return Report(results.to_dict, partial(_blocks, results), partial(_csv, results))


def _csv(results: StudyResults) -> tuple[Row, Iterable[Iterable[Any]]]:
    head: Row = []
    rows = []
    for spot in results.spots:
        head, players = equity_csv(spot.result)
        rows += [[spot.name, *player] for player in players]
    return ["spot", *head], rows


def _blocks(results: StudyResults) -> Iterator[Block]:
    rows = [row for spot in results.spots if spot.cell is None for row in _rows(spot)]
    if rows:
        head = ["spot", "player", "equity", "95 % interval", "win", "tie", "answer"]
        yield Table(head, rows, left=2)
    grids: dict[int, list[SpotResult]] = {}
    for spot in results.spots:
        if spot.cell is not None:
            grids.setdefault(spot.cell[0], []).append(spot)
    for grid in grids.values():
        yield _grid(grid)
    deals = sum(spot.result.deals for spot in results.spots)
    seconds = sum(spot.result.elapsed for spot in results.spots)
    yield (
        f"{'complete' if results.complete else 'not complete'}:"
        f" {results.finished:,} of {results.total:,} spots finished, {deals:,} deals,"
        f" {seconds:.3f} s"
    )


def _rows(spot: SpotResult) -> Iterator[list[str]]:
    """Yield a table row for each player of a spot; the first row names the spot and its state."""
    for number, player in enumerate(spot.result.players):
        digits = decimals(player.stderr)
        sampled = player.ci95 is not None and not spot.result.exact
        yield [
            "" if number else clipped(spot.name, 40),
            range_in_report(clipped(player.range)),
            percent(player.equity, digits),
            interval(player.ci95, digits) if sampled and player.ci95 else "",
            percent(player.win, decimals(player.win_stderr)),
            percent(player.tie, decimals(player.tie_stderr)),
            "" if number else _state(spot),
        ]


def _state(spot: SpotResult) -> str:
    result = spot.result
    if result.exact:
        return "exact"
    if result.method == "exact":
        return f"stopped at {100 * result.progress:.0f} %: no answer"
    return f"{result.deals:,} deals{', not finished' if result.stop == 'interrupted' else ''}"


def _grid(spots: Sequence[SpotResult]) -> Table:
    """Return a table of the hero's equity by hand (rows) and number of opponents (columns).

    The equity is in per cent. A star marks a spot that is not finished, a dash one without results.
    """
    cells = {spot.cell[1:]: spot for spot in spots if spot.cell is not None}
    counts = sorted({count for _, count in cells})
    rows = [
        [range_in_report(hero), *(_cell(cells.get((hero, count))) for count in counts)]
        for hero in dict.fromkeys(hero for hero, _ in cells)
    ]
    largest = max(spot.result.players[0].stderr or 0.0 for spot in spots)
    first = spots[0].result
    known = known_cards(first.board, first.dead)
    title = (
        f"equity in % by number of random opponents{known and ', '}{known}"
        f" (standard error at most {100 * largest:.2g})"
    )
    return Table(["hand", *map(str, counts)], rows, title=title)


def _cell(spot: SpotResult | None) -> str:
    equity = None if spot is None else spot.result.players[0].equity
    if spot is None or equity is None:
        return "-"
    return f"{100 * equity:.2f}{'*' if spot.result.stop == 'interrupted' else ''}"
