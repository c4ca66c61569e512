"""Report on the statistics of many whole hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import attrs

from holdem.report.formats import Block, Report, Table
from holdem.report.layout.tables import Row
from holdem.report.layout.units import count, percent
from holdem.trials.hands.aggregation import Aggregate


def aggregate_report(result: Aggregate) -> Report:
    """Return a `Report` on the statistics of many whole hands."""
    return Report(result.to_dict, partial(_blocks, result), partial(_csv, result))


def _csv(result: Aggregate) -> tuple[Row, Iterable[Iterable[Any]]]:
    """Return the column names and rows of the CSV, with one row per seat."""
    run = {
        "hands": result.hands,
        "stop": result.stop,
        "seed": result.seed,
        "evaluator": result.evaluator.name,
        "evaluator_version": result.evaluator.version,
        "elapsed": result.elapsed,
    }
    rows = [
        {"seat": number, **attrs.asdict(seat), **run} for number, seat in enumerate(result.seats)
    ]
    return list(rows[0]), [row.values() for row in rows]


def _blocks(result: Aggregate) -> Iterator[Block]:
    shown, won = result.hands * result.players, sum(result.winning_categories.values())
    rows = [
        [
            name,
            count(hands),
            percent(hands / shown, 3),
            count(result.winning_categories[name]),
            percent(result.winning_categories[name] / won, 3),
        ]
        for name, hands in reversed(result.categories.items())
    ]
    yield Table(["category", "at showdown", "share", "winning", "share"], rows)
    rows = [
        [str(seat), count(each.wins), count(each.ties), count(each.losses), percent(each.equity, 3)]
        for seat, each in enumerate(result.seats)
    ]
    yield Table(["seat", "wins", "ties", "losses", "equity"], rows)
    best, split = result.best_starting_hand, result.hands - result.pots[1]
    yield [
        f"best starting hand: wins {percent(best.wins / result.hands, 2)} of the hands,"
        f" ties {percent(best.ties / result.hands, 2)}",
        f"split pots: {count(split)}, {percent(split / result.hands, 2)}",
    ]
    stop = "" if result.stop == "hands" else " (interrupted)"
    yield (
        f"{result.hands:,} hands of {result.players} players{stop}, seed {result.seed};"
        f" evaluator {result.evaluator.name}, {result.elapsed:.3f} s"
    )
