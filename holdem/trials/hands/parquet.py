"""Parquet files of whole hands, with the same columns as the CSV files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow.parquet import ParquetWriter

from holdem.cards import CardArray
from holdem.trials.hands.hand_table import HandTable, make_hand_table
from holdem.trials.hands.lines import CARD_TEXTS, csv_columns
from holdem.trials.hands.simulation import HandDealer

#: Tables per row group: 65,536 hands, 10 MB with nine players.
TABLES_PER_GROUP = 16


@contextmanager
def open_parquet(path: Path, dealer: HandDealer) -> Iterator[ParquetOutput]:
    """Create a Parquet file of hands and yield a writer for it.

    ``hand`` and ``seed`` are int64, ``winners`` a list of int8, classes int16, categories and
    the evaluator's name dictionary-encoded text; cards are text, as ``AsKd``.
    """
    schema = _record_batch(make_hand_table(dealer, 1, 1)).schema
    with ParquetWriter(path, schema, compression="zstd") as writer:
        yield ParquetOutput(writer)


class ParquetOutput:
    """Output of hands to a Parquet file, in row groups of several tables."""

    def __init__(self, writer: ParquetWriter) -> None:
        self._writer = writer
        self._waiting: list[Any] = []

    def write(self, table: HandTable) -> None:
        """Buffer the next table of hands, and write a row group once it is complete."""
        self._waiting.append(_record_batch(table))
        if len(self._waiting) == TABLES_PER_GROUP:
            self._flush()

    def finish(self) -> int:
        """Write any buffered hands, close the file, and return the number of hands in it."""
        if self._writer.is_open:
            self._flush()
            self._writer.close()
        return int(self._writer.writer.metadata.num_rows)

    def _flush(self) -> None:
        if self._waiting:
            group = pa.Table.from_batches(self._waiting)
            self._waiting = []  # before writing, so that Ctrl-C never leads to writing it twice
            self._writer.write_table(group, row_group_size=len(group))


def _record_batch(table: HandTable) -> Any:
    dealer, count = table.dealer, len(table)
    categories = dealer.evaluator.rules.categories
    winners = np.nonzero(table.wins)[1].astype(np.int8)
    starts = np.concatenate([[0], np.cumsum(table.wins.sum(axis=1))]).astype(np.int32)
    columns = [
        pa.array(np.arange(table.first, table.first + count, dtype=np.int64)),
        pa.array(np.full(count, dealer.seed, dtype=np.int64)),
        _card_texts(table.boards),
        _card_texts(table.burns),
        pa.ListArray.from_arrays(starts, winners),
    ]
    for seat in range(dealer.players):
        columns += [
            _card_texts(table.holes[:, seat]),
            _names(table.categories[:, seat], categories),
            pa.array(table.classes[:, seat].astype(np.int16)),
            _card_texts(table.best[:, seat]),
        ]
    columns.append(_names(np.zeros(count), (dealer.evaluator.name,)))
    return pa.record_batch(columns, names=csv_columns(dealer))


def _names(indices: Any, names: tuple[str, ...]) -> Any:
    return pa.DictionaryArray.from_arrays(indices.astype(np.int8), list(names))


def _card_texts(cards: CardArray) -> Any:
    """Format each row of cards as text, without creating a Python object per row."""
    width = 2 * cards.shape[1]
    starts = np.arange(0, width * len(cards) + 1, width, dtype=np.int32)
    text = np.ascontiguousarray(CARD_TEXTS[cards])
    return pa.StringArray.from_buffers(len(cards), pa.py_buffer(starts), pa.py_buffer(text))
