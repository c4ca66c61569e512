"""Whole hands written to files, in constant memory however many there are."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TextIO

from holdem.dealing.bounds import whole_number
from holdem.errors import HoldemError, SpotError, visible
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.odds.blocks import Interrupted, count_workers
from holdem.odds.progress import Progress
from holdem.report.hand_lines import csv_head, csv_lines, jsonl_lines
from holdem.report.table import csv_table
from holdem.trials.hand_table import HandTable, hand_tables
from holdem.trials.hands import MAX_HANDS, HandDealer, make_dealer

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
        OSError: the file cannot be written.
        Interrupted: Ctrl-C; carries the number of hands that stand in the file, which is
            whole as far as it goes.
    """
    place = Path(path)
    form = format_of(place)
    dealer, hands = _checked(players, hands, seed, evaluator)
    threads = count_workers(workers)
    with ExitStack() as stack:
        if form == "parquet":
            from holdem.report.hand_parquet import ParquetHands

            write: Callable[[HandTable], None] = stack.enter_context(
                ParquetHands(place, dealer)
            ).write
        else:
            stream = stack.enter_context(place.open("w", encoding="utf-8", newline=""))
            write = line_writer(stream, form, dealer)
        _write_all(write, dealer, hands, threads, progress)
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
    """Write hands as ``jsonl`` or ``csv`` to an open stream; the rest as of `write_hands`."""
    dealer, hands = _checked(players, hands, seed, evaluator)
    write = line_writer(stream, form, dealer)
    _write_all(write, dealer, hands, count_workers(workers), progress)


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


def line_writer(stream: TextIO, form: str, dealer: HandDealer) -> Callable[[HandTable], None]:
    """Return what writes tables as lines to a stream; the head of a CSV is written at once."""
    lines = jsonl_lines if form == "jsonl" else csv_lines
    if form == "csv":
        stream.write(csv_table(csv_head(dealer), []) + "\n")

    def write(table: HandTable) -> None:
        stream.write(lines(table))

    return write


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
        try:
            for table in tables:
                write(table)
                done += len(table)
                bar.advance(done)
        except KeyboardInterrupt:
            raise Interrupted(done) from None
