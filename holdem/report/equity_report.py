"""Report on an equity result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from holdem.cards import Card
from holdem.odds.combo_table import ComboTable
from holdem.odds.result import EquityResult
from holdem.report.formats import Block, Report, Table
from holdem.report.suits import cards_in_report, range_in_report
from holdem.report.tables import Row, clipped
from holdem.report.units import count, decimals, interval, percent

_STOPS = {
    "deals": "as requested",
    "stderr": "stopped by standard error",
    "time": "stopped by time",
    "interrupted": "interrupted: fewer than requested",
}


def equity_report(result: EquityResult) -> Report:
    """Return a `Report` on an equity result."""
    return Report(result.to_dict, partial(_blocks, result), partial(equity_csv, result))


def equity_csv(result: EquityResult) -> tuple[Row, Iterable[Iterable[Any]]]:
    """Return the column names and rows of an equity result's CSV, with one row per player.

    The values are those of the JSON.
    """
    record = result.to_dict()
    evaluator = record["evaluator"]
    names = ("method", "exact", "deals", "stop", "seed")
    run = {name: record[name] for name in names} | {
        "evaluator": evaluator["name"],
        "elapsed": record["elapsed"],
        "progress": record.get("progress"),
        "board": record["board"],
        "dead": record["dead"],
        "evaluator_version": evaluator["version"],
    }
    rows = []
    for number, player in enumerate(record["players"], 1):
        row: dict[str, Any] = {"player": number}
        for name, value in player.items():
            if name.endswith("ci95"):
                row[f"{name}_low"], row[f"{name}_high"] = value or (None, None)
            else:
                row[name] = value
        rows.append(row | run)
    return list(rows[0]), [row.values() for row in rows]


def known_cards(board: tuple[Card, ...], dead: tuple[Card, ...]) -> str:
    """Return a spot's board and dead cards for a report; empty if there are none."""
    named = (("board", board), ("dead", dead))
    return ", ".join(f"{name} {cards_in_report(cards)}" for name, cards in named if cards)


def _blocks(result: EquityResult) -> Iterator[Block]:
    sampled = result.method == "monte-carlo"
    head = ["player", "range", "combos", "equity"]
    head += ["95 % interval"] if sampled else []
    head += ["win", "tie", "wins", "ties", "losses"]
    rows = []
    for number, player in enumerate(result.players, 1):
        text = range_in_report(clipped(player.range))
        digits = decimals(player.stderr)
        row = [str(number), text, f"{player.combos:,}", percent(player.equity, digits)]
        if sampled:
            assert player.ci95 is not None
            row.append(interval(player.ci95, digits))
        row.append(percent(player.win, decimals(player.win_stderr)))
        row.append(percent(player.tie, decimals(player.tie_stderr)))
        rows.append([*row, count(player.wins), count(player.ties), count(player.losses)])
    title = known_cards(result.board, result.dead)
    yield Table(head, rows, left=2, title=title, note=_footer(result))


def _footer(result: EquityResult) -> str:
    run = f"evaluator {result.evaluator.name}, {result.elapsed:.3f} s"
    if result.exact:
        return f"exact over {result.deals:,} deals; {run}"
    if result.method == "exact":
        return (
            f"interrupted after {100 * result.progress:.0f} % of an exact run: no equity, because"
            f" the finished part is not a random sample; use --method monte-carlo; {run}"
        )
    return (
        f"Monte Carlo over {result.deals:,} deals ({_STOPS[result.stop]}), seed {result.seed};"
        f" {run}"
    )


def combo_report(table: ComboTable) -> Report:
    """Return a `Report` on a player's results by combo."""
    return Report(table.to_dict, partial(_combo_blocks, table), partial(_combo_csv, table))


def _combo_csv(table: ComboTable) -> tuple[Row, Iterable[Iterable[Any]]]:
    names = ("combo", "weight", "equity", "win", "tie", "lose", "deals", "stderr")
    return names, zip(*(getattr(table, name).tolist() for name in names), strict=True)


def _combo_blocks(table: ComboTable) -> Iterator[Block]:
    sampled = bool(table.stderr.any())
    head = ["combo", "weight", "equity", *(["std. error"] if sampled else []), "win", "tie"]
    rows = []
    for record in table:
        digits = decimals(record.stderr)
        error = [percent(record.stderr, digits)] if sampled else []
        row = [range_in_report(record.combo), f"{record.weight:g}", percent(record.equity, digits)]
        rows.append([*row, *error, percent(record.win, digits), percent(record.tie, digits)])
    yield Table(head, rows)
