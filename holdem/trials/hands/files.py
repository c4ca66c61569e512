"""`write_hands`, which deals whole hands and writes them to a file in constant memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol, TextIO

from holdem.arguments import checked_integer, checked_path
from holdem.atomic_files import atomic_file
from holdem.errors import (
    HandFileError,
    HoldemRuntimeError,
    HoldemValueError,
    Interrupted,
    SpotError,
    one_line,
    quoted,
)
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.jobs.run import End, Job, Task, run
from holdem.jobs.workers import count_workers
from holdem.trials.hands.hand_table import HandTable, make_hand_table
from holdem.trials.hands.lines import csv_columns, csv_lines, jsonl_lines
from holdem.trials.hands.simulation import MAX_HANDS, HandDealer, make_dealer

#: The file formats, which are also the file extensions.
FORMATS = ("jsonl", "csv", "parquet")

#: Hands per table. With nine players, finding the best five cards takes some 20 MB.
HANDS_PER_TABLE = 1 << 12


def write_hands(
    path: str | os.PathLike[str],
    players: int = 6,
    hands: int = 1000,
    seed: int | None = None,
    workers: int | None = None,
    evaluator: str | Evaluator | EvaluatorSpec | None = None,
    progress: bool = False,
    *,
    overwrite: bool = True,
) -> int:
    """Write to a file the hands that ``simulate(players, hands, seed, evaluator)`` deals.

    Args:
        path: the file. Its name ends in ``.jsonl`` (a line per hand, as
            `holdem deal -f jsonl` prints), ``.csv`` or ``.parquet`` (a row per hand, with the
            same columns; needs pyarrow, ``pip install pyarrow``).
        players: 2 to 10.
        hands: the number of hands, 0 to 10^15.
        seed: 0..2^53-1; drawn if None, and returned.
        workers: the number of threads; all cores if None. The file does not depend on it.
        evaluator: ranks the hands: a name, a spec, or None for the default.
        progress: show a progress bar on standard error.
        overwrite: replace an existing file. If False, an existing file is an error, as it is
            for ``holdem deal -o`` without ``--force``.

    Returns:
        The seed, given or drawn.

    Raises:
        HoldemError: one of its subclasses for each kind of invalid argument.
        HandFileError: the file cannot be written, or exists and is not to be replaced.
        Interrupted: Ctrl-C. Its ``finished`` is the number of hands in the file, all complete
            and the first ones of the seed.
    """
    place = Path(checked_path(path, "a file of hands"))
    form = format_of(place)
    dealer, hands = _checked(players, hands, seed, evaluator)
    threads = count_workers(workers)
    if not overwrite and place.exists():
        raise HandFileError(
            f"{one_line(str(place))} exists already: choose another name, or replace it with"
            " overwrite=True (on the command line: --force)"
        )
    with (
        _file_errors(place),
        atomic_file(place, kept_after=(Interrupted,)) as new,
        _open(new, form, dealer) as output,
    ):
        run(HandWriting(output, dealer, hands), threads, progress=progress)
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
    """Deal hands and write them to a text stream as ``jsonl`` or ``csv``.

    The other arguments and errors are those of `write_hands`.

    Raises:
        Interrupted: Ctrl-C. Its ``finished`` is the number of hands written; part of the next
            ones may have been written, too.
    """
    dealer, hands = _checked(players, hands, seed, evaluator)
    threads = count_workers(workers)
    output = StreamOutput(stream, form, dealer)
    run(HandWriting(output, dealer, hands), threads, progress=progress)


def format_of(path: Path) -> str:
    """Return the format that a file's extension stands for.

    Raises:
        HoldemValueError: the extension is none of `FORMATS`.
    """
    form = path.suffix[1:].lower()
    if form not in FORMATS:
        endings = ", ".join(f".{known}" for known in FORMATS)
        raise HoldemValueError(
            f"a file of hands ends in one of {endings}, not as {quoted(path.name)}"
        )
    return form


class HandOutput(Protocol):
    """Protocol for a file or stream to which hands are written."""

    def write(self, table: HandTable) -> None:
        """Write the next table of hands."""

    def finish(self) -> int:
        """Finish the output after the last complete block and return the number of hands written.

        May be called again, also after an interruption by Ctrl-C.
        """


class HandWriting(Job[HandTable, None]):
    """Job that deals hands for `write_hands` and writes them to its output in order."""

    unit = "hands"
    total: int

    def __init__(self, output: HandOutput, dealer: HandDealer, hands: int) -> None:
        self.total = hands
        self._output = output
        self._dealer = dealer

    def tasks(self) -> Iterator[Task[HandTable]]:
        """Yield tasks, each of which deals consecutive hands and returns them as a table."""
        for first in range(1, self.total + 1, HANDS_PER_TABLE):
            count = min(HANDS_PER_TABLE, self.total - first + 1)
            yield Task(partial(make_hand_table, self._dealer, first, count), count)

    def add(self, part: HandTable) -> bool:
        """Write the next table of hands, and finish the output after the last one.

        Ctrl-C at any point leads to `partial_answer`, which finishes the output as well.
        """
        self._output.write(part)
        is_last = part.first + len(part) > self.total
        if is_last:
            self._output.finish()
        return is_last

    def answer(self, end: End) -> None:
        """Return None, because all hands have been written to the output."""

    def partial_answer(self) -> int:
        """Finish the output after Ctrl-C, and return the number of hands written."""
        return self._output.finish()


class StreamOutput:
    """Output of hands to a text stream, one hand per line."""

    def __init__(self, stream: TextIO, form: str, dealer: HandDealer) -> None:
        """Write the CSV header if the format is CSV.

        Args:
            stream: where to write.
            form: ``jsonl`` or ``csv``.
            dealer: the dealer of the hands.
        """
        self._stream = stream
        self._lines = jsonl_lines if form == "jsonl" else csv_lines
        header = ",".join(csv_columns(dealer)) + "\n" if form == "csv" else ""
        self._written = (0, len(header))  # hands, and characters up to the end of the last one
        stream.write(header)

    def write(self, table: HandTable) -> None:
        """Write the next table of hands."""
        lines = self._lines(table)
        self._stream.write(lines)
        hands, size = self._written
        # One assignment, so that Ctrl-C never separates the two numbers.
        self._written = (hands + len(table), size + len(lines))

    def finish(self) -> int:
        """Return the number of hands written."""
        return self._written[0]


class FileOutput(StreamOutput):
    """Output of hands to a text file, one hand per line."""

    def finish(self) -> int:
        """Remove any partly written table, close the file, and return the number of hands in it."""
        hands, size = self._written
        if not self._stream.closed:
            with self._stream as file:
                if file.seekable() and file.tell() > size:
                    file.truncate(size)
        return hands


@contextmanager
def _open(path: Path, form: str, dealer: HandDealer) -> Iterator[HandOutput]:
    """Create a file of hands and yield the output that writes to it."""
    if form == "parquet":
        try:
            from holdem.trials.hands.parquet import open_parquet
        except ImportError:
            raise HoldemRuntimeError("Parquet needs pyarrow: pip install pyarrow") from None
        with open_parquet(path, dealer) as output:
            yield output
    else:
        with path.open("w", encoding="ascii", newline="") as stream:
            yield FileOutput(stream, form, dealer)


@contextmanager
def _file_errors(path: Path) -> Iterator[None]:
    """Context manager that turns errors of the operating system into `HandFileError`."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        if not path.parent.is_dir():
            reason += f"; there is no directory {path.parent}: make it first, or write elsewhere"
        raised = HandFileError(one_line(f"{path} cannot be written: {reason}"))
        raised.errno = error.errno
        raise raised from error


def _checked(
    players: int, hands: int, seed: int | None, evaluator: str | Evaluator | EvaluatorSpec | None
) -> tuple[HandDealer, int]:
    hands = checked_integer(hands, "hands", 0, MAX_HANDS, SpotError, bounds="from 0 to 10^15")
    return make_dealer(players, seed, evaluator), hands
