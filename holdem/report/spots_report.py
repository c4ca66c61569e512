"""Report on the equities of many spots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from holdem.cards import DECK
from holdem.odds.many_spots.equity_table import EquityTable, SpotRecord
from holdem.report.formats import Block, Report, Table
from holdem.report.suits import range_in_report
from holdem.report.tables import Row, clipped
from holdem.report.units import count, decimals, percent

_FIGURES = ("equity", "win", "tie", "lose", "stderr")
_MOST_ROWS = 20  # of the table


def spots_report(table: EquityTable) -> Report:
    """Return a `Report` on the equities of many spots.

    The CSV has a row for each spot, with each player's figures in columns such as ``equity_1``.
    """
    return Report(table.to_dict, partial(_blocks, table), partial(_csv, table))


def _csv(table: EquityTable) -> tuple[Row, Iterable[Iterable[Any]]]:
    columns: dict[str, list[Any]] = {
        f"p{player + 1}": table.spots.player_texts(player) for player in range(table.players)
    }
    spots = table.spots
    texts = [*map(str, DECK), ""]
    boards = np.minimum(spots.boards, len(DECK)).tolist()  # without cards, no text
    columns["board"] = ["".join([texts[card] for card in cards]) or None for cards in boards]
    columns["dead"] = [
        "".join(map(str, spots.dead_cards(spot))) if dead else None
        for spot, dead in enumerate(spots.dead.tolist())
    ]
    columns |= figure_columns(table)
    return list(columns), zip(*columns.values(), strict=True)


def figure_names(players: int) -> list[str]:
    """Return the names of the columns of `figure_columns`."""
    numbers = range(1, players + 1)
    return [
        *(f"{name}_{number}" for name in _FIGURES for number in numbers),
        *("exact", "deals", "error"),
    ]


def figure_columns(table: EquityTable) -> dict[str, list[Any]]:
    """Return the figures of all spots as columns; None where there is no answer.

    Errors are cut to one line.
    """
    has_answer = ~np.isnan(table.equity[:, 0])
    columns: list[list[Any]] = [
        np.where(has_answer, figures.astype(object), np.array(None)).tolist()
        for name in _FIGURES
        for figures in getattr(table, name).T
    ]
    errors: list[str | None] = [None] * len(table)
    for spot, message in table.errors.items():
        errors[spot] = message.partition("\n")[0]
    columns += table.exact.tolist(), table.deals.tolist(), errors
    return dict(zip(figure_names(table.players), columns, strict=True))


def summary(table: EquityTable) -> str:
    """Return a line with the number of spots and of each kind of answer."""
    exact, wrong = int(table.exact.sum()), len(table.errors)
    sampled = len(table) - exact - wrong
    answers = [f"{exact:,} exact", f"{sampled:,} sampled, seed {table.seed}" if sampled else ""]
    answers.append(f"{wrong:,} without answer" if wrong else "")
    return (
        f"{len(table):,} spot{'' if len(table) == 1 else 's'}: {', '.join(filter(None, answers))};"
        f" evaluator {table.evaluator.name}, {table.elapsed:.3f} s"
    )


def _blocks(table: EquityTable) -> Iterator[Block]:
    head = ["spot", *(f"player {number}" for number in range(1, table.players + 1)), "board"]
    head += [f"equity {number}" for number in range(1, table.players + 1)] + ["answer"]
    rows = [_row(number, record) for number, record in enumerate(table[:_MOST_ROWS])]
    left = 2 + table.players
    more = len(table) - len(rows)
    yield Table(head, rows, left=left, note=f"… and {more:,} more spots" if more else "")
    yield summary(table)


def _row(number: int, record: SpotRecord) -> list[str]:
    players = [range_in_report(clipped(player, 16)) for player in record.players]
    board = range_in_report(record.board)
    if record.equity is None or record.stderr is None:
        return [str(number), *players, board, *("-" for _ in players), "error"]
    pairs = zip(record.equity, record.stderr, strict=True)
    equities = [percent(value, decimals(error)) for value, error in pairs]
    answer = "exact" if record.exact else f"{count(record.deals)} deals"
    return [str(number), *players, board, *equities, answer]
