"""Parquet files of whole hands, with the columns of the CSV files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from holdem.cards import CardArray
from holdem.errors import HoldemError
from holdem.trials.hands.hand_table import HandTable, make_hand_table
from holdem.trials.hands.lines import CARD_TEXTS, csv_columns
from holdem.trials.hands.simulation import HandDealer

#: Tables per row group: 65,536 hands, 10 MB with nine players.
TABLES_PER_GROUP = 16


class ParquetOutput:
    """A Parquet file of hands, written in row groups of several tables.

    ``hand`` and ``seed`` are int64, ``winners`` a list of int8, classes int16, categories and
    the evaluator's name dictionary-encoded text; cards are text, as ``AsKd``.
    """

    def __init__(self, path: Path, dealer: HandDealer) -> None:
        """Prepare a file.

        Args:
            path: the file.
            dealer: that of the hands.

        Raises:
            HoldemError: pyarrow is not installed.
        """
        self._arrow, self._parquet = _pyarrow()
        self._path = path
        self._names = csv_columns(dealer)
        self._schema = self._batch_of(make_hand_table(dealer, 1, 1)).schema
        self._waiting: list[Any] = []
        self._file: Any = None

    def open(self) -> None:
        """Create the file."""
        self._file = self._parquet.ParquetWriter(self._path, self._schema, compression="zstd")

    def write(self, table: HandTable) -> None:
        """Write the next hands."""
        self._waiting.append(self._batch_of(table))
        if len(self._waiting) == TABLES_PER_GROUP:
            self._flush()

    def close(self) -> int:
        """Write the end of the file and return the number of its hands."""
        if self._file is None:
            return 0
        if self._file.is_open:
            self._flush()
            self._file.close()
        return int(self._file.writer.metadata.num_rows)

    def _flush(self) -> None:
        if self._waiting:
            group = self._arrow.Table.from_batches(self._waiting)
            self._waiting = []  # before writing, so that Ctrl-C never leads to writing it twice
            self._file.write_table(group, row_group_size=len(group))

    def _batch_of(self, table: HandTable) -> Any:
        arrow, dealer, count = self._arrow, table.dealer, len(table)
        categories = dealer.evaluator.rules.categories
        winners = np.nonzero(table.wins)[1].astype(np.int8)
        starts = np.concatenate([[0], np.cumsum(table.wins.sum(axis=1))]).astype(np.int32)
        columns = [
            arrow.array(np.arange(table.first, table.first + count, dtype=np.int64)),
            arrow.array(np.full(count, dealer.seed, dtype=np.int64)),
            self._texts(table.boards),
            self._texts(table.burns),
            arrow.ListArray.from_arrays(starts, winners),
        ]
        for seat in range(dealer.players):
            columns += [
                self._texts(table.holes[:, seat]),
                self._named(table.categories[:, seat], categories),
                arrow.array(table.classes[:, seat].astype(np.int16)),
                self._texts(table.best[:, seat]),
            ]
        columns.append(self._named(np.zeros(count), (dealer.evaluator.name,)))
        return arrow.record_batch(columns, names=self._names)

    def _named(self, indices: Any, names: tuple[str, ...]) -> Any:
        return self._arrow.DictionaryArray.from_arrays(indices.astype(np.int8), list(names))

    def _texts(self, cards: CardArray) -> Any:
        """Return the text of each row, without creating a Python object per row."""
        arrow = self._arrow
        width = 2 * cards.shape[1]
        starts = np.arange(0, width * len(cards) + 1, width, dtype=np.int32)
        written = np.ascontiguousarray(CARD_TEXTS[cards])
        return arrow.StringArray.from_buffers(
            len(cards), arrow.py_buffer(starts), arrow.py_buffer(written)
        )


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise HoldemError("Parquet needs pyarrow: pip install 'holdem[parquet]'") from None
    return pa, parquet
