"""The answers of a study as text and CSV."""

from __future__ import annotations

from collections.abc import Sequence

from holdem.report.equity import equity_columns
from holdem.report.table import clipped, csv_table, percent, text_table
from holdem.trials.studies.results import SpotAnswer, StudyResults

_HEAD = ["spot", "player", "equity", "95 % interval", "win", "tie", "answer"]


def results_text(results: StudyResults) -> str:
    """Return the answers as people read them: the spots, then a table for each grid."""
    spots = [spot for spot in results.spots if spot.cell is None]
    grids: dict[int, list[SpotAnswer]] = {}
    for spot in results.spots:
        if spot.cell is not None:
            grids.setdefault(spot.cell[0], []).append(spot)
    parts = []
    if spots:
        rows = [row for spot in spots for row in _rows(spot)]
        parts.append(text_table(_HEAD, rows, left=2))
    parts += [_grid(grid) for grid in grids.values()]
    parts.append(_footer(results))
    return "\n\n".join(parts)


def results_csv(results: StudyResults) -> str:
    """Return the answers as CSV: a line for each player, with the spot's name before it."""
    head: list[str] = []
    rows = []
    for spot in results.spots:
        head, own = equity_columns(spot.result)
        rows += [[spot.name, *row] for row in own]
    return csv_table(["spot", *head], rows)


def _rows(spot: SpotAnswer) -> list[list[str]]:
    result = spot.result
    rows = []
    for number, player in enumerate(result.players):
        interval = player.ci95
        sampled = interval is not None and not result.exact
        rows.append(
            [
                "" if number else clipped(spot.name, 40),
                clipped(player.range),
                percent(player.equity),
                f"{100 * interval[0]:.3f} … {100 * interval[1]:.3f} %"
                if sampled and interval
                else "",
                percent(player.win),
                percent(player.tie),
                "" if number else _how(spot),
            ]
        )
    return rows


def _how(spot: SpotAnswer) -> str:
    result = spot.result
    if result.exact:
        return "exact"
    if result.method == "exact":
        return f"cut at {100 * result.progress:.0f} %: no answer"
    unfinished = ", not finished" if result.stop == "interrupted" else ""
    return f"{result.deals:,} deals{unfinished}"


def _grid(spots: Sequence[SpotAnswer]) -> str:
    """Return the hero's equity in %, a row for each hand and a column for so many opponents.

    A star marks what is not finished, a dash what has not begun.
    """
    cells = {spot.cell[1:]: spot for spot in spots if spot.cell is not None}
    heroes = list(dict.fromkeys(hero for hero, _ in cells))
    counts = sorted({count for _, count in cells})
    rows = []
    for hero in heroes:
        row = [hero]
        for count in counts:
            spot = cells.get((hero, count))
            row.append("-" if spot is None else _cell(spot))
        rows.append(row)
    errors = [spot.result.players[0].stderr or 0.0 for spot in spots]
    first = spots[0].result
    given = f" on {' '.join(map(str, first.board))}" if first.board else ""
    given += f", {' '.join(map(str, first.dead))} dead" if first.dead else ""
    table = text_table(["hand", *map(str, counts)], rows)
    return (
        f"equity in % against so many random hands{given}"
        f" (standard error at most {100 * max(errors):.2g})\n{table}"
    )


def _cell(spot: SpotAnswer) -> str:
    equity = spot.result.players[0].equity
    if equity is None:
        return "-"
    return f"{100 * equity:.2f}" + ("*" if spot.result.stop == "interrupted" else "")


def _footer(results: StudyResults) -> str:
    deals = sum(spot.result.deals for spot in results.spots)
    seconds = sum(spot.result.elapsed for spot in results.spots)
    state = "complete" if results.complete else "not complete"
    return (
        f"{state}: {results.finished:,} of {results.asked:,} spots finished, {deals:,} deals,"
        f" {seconds:.3f} s"
    )
