"""Whole hands written to files, in constant memory however many there are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO

from holdem.arguments import whole_number
from holdem.errors import HandFileError, HoldemError, SpotError, one_line, visible
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.jobs.ordered import Interrupted, count_workers
from holdem.jobs.progress import Progress
from holdem.report.table import csv_table
from holdem.trials.hands.hand_table import HandTable, hand_tables
from holdem.trials.hands.lines import csv_head, csv_lines, jsonl_lines
from holdem.trials.hands.simulation import MAX_HANDS, HandDealer, make_dealer

if TYPE_CHECKING:
    from holdem.trials.hands.parquet import ParquetHands

#: The formats of files of hands, which are the endings of their names.
FORMATS = ("jsonl", "csv", "parquet")


def write_hands(
    path: str | os.PathLike[str],
    players: int = 6,
    hands: int = 1000,
    seed: int | None = None,
    workers: int | None = None,
    evaluator: str | Evaluator | EvaluatorSpec | None = None,
    progress: bool = False,
) -> int:
    """Write whole hands to a file, the very hands of ``simulate(players, hands, seed)``.

    Args:
        path: a file that is made, or written over. Its name ends in ``.jsonl`` (a line for
            each hand, as of `holdem deal -f jsonl`), ``.csv`` or ``.parquet`` (a row for each
            hand, the same columns; needs pyarrow, ``pip install "holdem[parquet]"``).
        players: 2 to 10.
        hands: how many, 0 to 10^15.
        seed: 0..2^53-1; drawn for None, and returned.
        workers: threads; all cores if None. The file does not depend on it.
        evaluator: who ranks the hands: a name, a spec, or None for the default.
        progress: show a progress bar on standard error.

    Returns:
        The seed, given or drawn.

    Raises:
        HoldemError: one of its kinds; the message says what is wrong and what would work.
        HandFileError: the file cannot be written.
        Interrupted: Ctrl-C; carries the number of hands that stand in the file, the first
            ones, each of them whole.
    """
    place = Path(path)
    form = format_of(place)
    dealer, hands = _checked(players, hands, seed, evaluator)
    threads = count_workers(workers)
    out = _file_of(place, form, dealer)
    try:
        with _telling(place), out:
            _write_all(out.write, dealer, hands, threads, progress)
    except KeyboardInterrupt:  # in the middle of anything, the end of the file included
        with _telling(place):
            finished = out.close()
        raise Interrupted(finished) from None
    return dealer.seed


def print_hands(
    stream: TextIO,
    form: str,
    players: int,
    hands: int,
    seed: int | None,
    workers: int | None,
    evaluator: str | None,
    progress: bool,
) -> None:
    """Write hands as ``jsonl`` or ``csv`` to an open stream; the rest as of `write_hands`.

    Raises:
        Interrupted: Ctrl-C; carries how many hands were written at least. What a stream took of
            those that it was given last cannot be known, nor taken back.
    """
    dealer, hands = _checked(players, hands, seed, evaluator)
    threads = count_workers(workers)
    lines = _LINES[form]
    done = 0

    def write(table: HandTable) -> None:
        nonlocal done
        stream.write(lines(table))
        done += len(table)

    try:
        stream.write(_head(form, dealer))
        _write_all(write, dealer, hands, threads, progress)
    except KeyboardInterrupt:
        raise Interrupted(done) from None


def format_of(path: Path) -> str:
    """Return the format that a file's name ends in.

    Raises:
        HoldemError: none of `FORMATS`.
    """
    form = path.suffix[1:].lower()
    if form not in FORMATS:
        endings = ", ".join(f".{known}" for known in FORMATS)
        raise HoldemError(f"a file of hands ends in one of {endings}, not as {visible(path.name)}")
    return form


class LineFile:
    """A file of lines, to which hands are written table after table."""

    def __init__(self, path: Path, form: str, dealer: HandDealer) -> None:
        """Take note of what is to be written; the file is made by ``with``.

        Args:
            path: the file.
            form: ``jsonl`` or ``csv``.
            dealer: of the hands.
        """
        self._path = path
        self._lines = _LINES[form]
        self._head = _head(form, dealer).encode()
        self._file: BinaryIO | None = None
        self._whole = (0, len(self._head))  # hands, and the bytes up to the end of the last one

    def __enter__(self) -> LineFile:
        self._file = self._path.open("wb")
        self._file.write(self._head)
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def write(self, table: HandTable) -> None:
        """Write some more hands."""
        assert self._file is not None
        lines = self._lines(table).encode()
        self._file.write(lines)
        hands, size = self._whole
        # One assignment, so that Ctrl-C finds all of it done, or nothing.
        self._whole = (hands + len(table), size + len(lines))

    def close(self) -> int:
        """End the file after the last hand that was counted, and return how many were.

        Ctrl-C may have come before some lines were counted, or in the middle of them. It may
        come in here, too: then this can be called again.
        """
        hands, size = self._whole
        if self._file is not None and not self._file.closed:
            with self._file as file:
                if file.seekable() and file.tell() > size:
                    file.truncate(size)
        return hands


_LINES = {"jsonl": jsonl_lines, "csv": csv_lines}


def _head(form: str, dealer: HandDealer) -> str:
    return csv_table(csv_head(dealer), []) + "\n" if form == "csv" else ""


def _file_of(path: Path, form: str, dealer: HandDealer) -> LineFile | ParquetHands:
    if form == "parquet":
        from holdem.trials.hands.parquet import ParquetHands

        return ParquetHands(path, dealer)
    return LineFile(path, form, dealer)


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Turn what a disk says into an error of ours, with the file and what would work."""
    try:
        yield
    except OSError as error:
        told = os.strerror(error.errno) if error.errno else str(error)
        if not path.parent.is_dir():
            told += f"; there is no directory {path.parent}: make it first, or write elsewhere"
        raise HandFileError(one_line(f"{path} cannot be written: {told}")) from error


def _checked(
    players: int, hands: int, seed: int | None, evaluator: str | Evaluator | EvaluatorSpec | None
) -> tuple[HandDealer, int]:
    hands = whole_number(hands, "hands", 0, MAX_HANDS, SpotError, bounds="0..10^15")
    return make_dealer(players, seed, evaluator), hands


def _write_all(
    write: Callable[[HandTable], None], dealer: HandDealer, hands: int, workers: int, progress: bool
) -> None:
    done = 0
    with (
        Progress(progress, "hands", hands) as bar,
        closing(hand_tables(dealer, hands, workers)) as tables,
    ):
        for table in tables:
            write(table)
            done += len(table)
            bar.advance(done)
