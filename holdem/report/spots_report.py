"""Report on the equities of many spots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from holdem.errors import counted
from holdem.odds.many_spots.equity_table import EquityTable, SpotRecord
from holdem.report.layout.cells import clip, decimals, percent, range_in_report
from holdem.report.model import Block, Column, Report, Table, array_column

_OF_PLAYERS = ("equity", "win", "tie", "lose", "stderr")
_MOST_ROWS = 20  # of the table


def spots_report(
    table: EquityTable, name: str = "spot", numbers: Sequence[int] | None = None
) -> Report:
    """Build a `Report` on the equities of many spots.

    The CSV has a row for each spot, with each player's numbers in columns such as ``equity_1``.

    Args:
        table: the equities.
        name: the name of the first column of the table.
        numbers: the number of each spot in this column; by default, they are counted from 0.
    """
    numbers = range(len(table)) if numbers is None else numbers
    return Report(
        table.to_dict,
        partial(_lay_out, table, name, numbers),
        partial(_build_columns, table),
        table.spots.index,
    )


def _build_columns(table: EquityTable) -> list[Column]:
    """Build the columns of the players, the cards and the answers, with a row for each spot."""
    spots = table.spots
    texts = {f"p{player + 1}": spots.player_texts(player) for player in range(table.players)}
    texts |= {"board": spots.board_texts(), "dead": spots.dead_texts()}
    given = [
        Column(name, "string", [text or None for text in own], codes=codes)
        for name, (codes, own) in texts.items()
    ]
    return given + answer_columns(table)


def answer_names(players: int) -> list[str]:
    """List the names of the columns of `answer_columns`."""
    numbers = range(1, players + 1)
    return [
        *(f"{name}_{number}" for name in _OF_PLAYERS for number in numbers),
        *("exact", "deals", "error"),
    ]


def answer_columns(table: EquityTable) -> list[Column]:
    """Build the columns of the answers of all spots, whose types do not depend on the spots.

    Numbers are NaN without an answer. Errors are cut to one line.
    """
    names = answer_names(table.players)
    numbers = [column for name in _OF_PLAYERS for column in getattr(table, name).T]
    codes = np.zeros(len(table), dtype=np.intp)
    codes[list(table.errors)] = 1 + np.arange(len(table.errors))
    messages = [None, *(message.partition("\n")[0] for message in table.errors.values())]
    columns = map(array_column, names, [*numbers, table.exact, table.deals])
    return [*columns, Column(names[-1], "string", messages, codes=codes)]


def summary(table: EquityTable) -> str:
    """Count the spots and each kind of answer in a line of text."""
    exact, wrong = int(table.exact.sum()), len(table.errors)
    sampled = len(table) - exact - wrong
    answers = [f"{exact:,} exact", f"{sampled:,} sampled, seed {table.seed}" if sampled else ""]
    answers.append(f"{wrong:,} without answer" if wrong else "")
    return (
        f"{counted(len(table), 'spot')}: {', '.join(filter(None, answers))};"
        f" evaluator {table.evaluator.name}, {table.elapsed:.3f} s"
    )


def _lay_out(table: EquityTable, name: str, numbers: Sequence[int]) -> Iterator[Block]:
    shown = list(zip(numbers[:_MOST_ROWS], table[:_MOST_ROWS], strict=True))
    more = len(table) - len(shown)
    note = f"… and {counted(more, 'more spot')}" if more else ""
    if table.players == 2:
        head = [name, "player 1", "player 2", "board", "equity 1", "equity 2", "answer"]
        rows = [_row(number, record) for number, record in shown]
        yield Table(head, rows, left=4, note=note)
    else:
        head = [name, "board", "player", "equity", "answer"]
        rows = [row for number, record in shown for row in _rows(number, record)]
        yield Table(head, rows, left=3, note=note)
    yield summary(table)


def _row(number: int, record: SpotRecord) -> list[str]:
    """Build the table row of a spot with two players."""
    players, board = _players(record), range_in_report(record.board)
    return [str(number), *players, board, *_equities(record), _answer(record)]


def _rows(number: int, record: SpotRecord) -> Iterator[list[str]]:
    """Yield a table row for each player of a spot; the first row has what they share."""
    shared = [str(number), range_in_report(record.board), _answer(record)]
    for player, equity in zip(_players(record), _equities(record), strict=True):
        yield [*shared[:2], player, equity, shared[2]]
        shared = [""] * 3


def _players(record: SpotRecord) -> list[str]:
    return [range_in_report(clip(player)) for player in record.players]


def _equities(record: SpotRecord) -> list[str]:
    if record.equity is None or record.stderr is None:
        return ["-"] * len(record.players)
    pairs = zip(record.equity, record.stderr, strict=True)
    return [percent(value, decimals(error)) for value, error in pairs]


def _answer(record: SpotRecord) -> str:
    if record.equity is None:
        return "error"
    return "exact" if record.exact else counted(record.deals, "deal")
