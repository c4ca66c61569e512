"""``holdem equities``: the equities of many spots from a file."""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from holdem.cli import options, spot_files
from holdem.cli.output import (
    check_output,
    print_message,
    print_report,
    print_result,
    shows_progress,
)
from holdem.cli.spot_files import Chunk, SpotFile
from holdem.errors import HoldemValueError, Interrupted, SpotError, counted, one_line, quoted

if TYPE_CHECKING:
    from holdem.odds.many_spots.equities import Settings
    from holdem.odds.many_spots.equity_table import EquityTable
    from holdem.odds.many_spots.job import SpotsJob
    from holdem.report.spots_report import Totals

_MOST_MESSAGES = 5
# Names of columns that are read only if they are written as p1, board and dead.
_MEANT = re.compile(r"\s*(p(layer)?[\s_]*\d+|boards?|flop|turn|river|dead.*)\s*", re.IGNORECASE)
_CHUNK = 1 << 16  # rows


@click.command("equities")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option(
    "--players", metavar="COL,COL…", help="The players' columns; p1, p2 and so on by default."
)
@click.option("-b", "--board", metavar="COL", help="The board's column; board by default.")
@click.option("-d", "--dead", metavar="COL", help="The column of dead cards; dead by default.")
@options.method
@options.deals
@options.stderr
@options.time
@options.relative
@options.seed
@options.workers
@options.dask
@options.evaluator
@click.option(
    "--errors",
    type=click.Choice(["nan", "raise"]),
    default="nan",
    show_default=True,
    help="nan leaves an invalid row without results; raise ends the run at the first one.",
)
@click.option(
    "-f",
    "--format",
    "output_format",
    type=click.Choice(["csv", "table", "json"]),
    help="Output format; csv by default, or table on a terminal.",
)
@options.output_file("OUT", ".csv, .csv.gz, .tsv or .parquet")
@options.symbols
def command(
    file: str,
    players: str | None,
    board: str | None,
    dead: str | None,
    output_format: str | None,
    output: Path | None,
    force: bool,
    **arguments: Any,
) -> int:
    """Compute the equities of many spots, one in each row of FILE.

    FILE ends in .csv, .csv.gz, .tsv or .parquet, or is - for a CSV on standard input. Text has the
    column names in its first line. The columns p1, p2 and so on hold the players, as in `holdem
    equity`; p3 and further ones may be empty. board and dead are optional. The output has all
    columns of FILE, and for each player equity_1, win_1, tie_1, lose_1 and stderr_1; and exact,
    deals and error. Other columns are written as they were read: from Parquet to Parquet, they keep
    their types, and frames their pandas index.

    FILE is read and written in chunks, so that it may be larger than memory.

    Rows without an answer, and their errors, are listed on standard error. The exit code is 0
    nevertheless.

    \b
    holdem equities spots.csv -o answers.csv
    holdem equities spots.parquet --players hero,villain --board flop -o answers.parquet
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.jobs.workers import count_workers
    from holdem.odds.many_spots.equities import resolve_settings
    from holdem.report.spots_report import Totals

    extension = _check_output(output, output_format, force)
    threads, dask = count_workers(arguments.pop("workers")), arguments.pop("dask")
    with spot_files.open_spots(file) as rows:
        names = spot_files.player_columns(rows.names, players)
        cards: dict[str, str] = {}
        for option, name in (("board", board), ("dead", dead)):
            if name is not None:
                spot_files.require_column(rows.names, name, f"--{option}")
            if name is not None or option in rows.names:
                cards[option] = option if name is None else name
        _require_new_names(rows, len(names))
        settings = resolve_settings(**arguments)
        totals = Totals(settings.evaluator.label)
        run = _Run(rows, names, cards, settings, totals, threads, dask)
        try:
            if output is None:
                is_terminal = sys.stdout.isatty()
                output_format = output_format or ("table" if is_terminal else "csv")
                is_complete = run.print(output_format)
            else:
                is_complete = run.write(output, extension, force)
        except KeyboardInterrupt:
            print_message("interrupted")
            return 130
    run.print_notes(is_complete)
    return 0 if is_complete else 130


def _check_output(output: Path | None, output_format: str | None, force: bool) -> str:
    """Validate the options about output before any computation, and return the file's extension.

    The extension, such as ``.csv.gz``, is empty without a file; None is an option not given.
    """
    if output is None:
        if force:
            raise click.UsageError("--force needs a file, as in -o answers.csv")
        return ""
    extension = spot_files.extension_of(output)
    if output_format not in (None, extension.split(".")[1]):
        raise click.UsageError(
            f"-f {output_format} does not fit the file name {quoted(output.name)}"
        )
    if extension == ".parquet":
        spot_files.import_pyarrow()
    check_output(output, force)
    return extension


def _require_new_names(rows: SpotFile, players: int) -> None:
    from holdem.report.spots_report import answer_names

    names = answer_names(players)
    if set(names) <= set(rows.names):
        raise HoldemValueError(
            "the file has answers already: it is an output of this command. Give the file that it"
            f" was made from, or remove the columns {quoted(names[0])} to {quoted(names[-1])}"
        )
    for name in names:
        if name in rows.names:
            raise HoldemValueError(
                f"the file has a column {quoted(name)}, as the output would have: rename it"
            )


@attrs.define
class _Run:
    """A run that reads spots from a file, computes equities and writes results, chunk by chunk."""

    _rows: SpotFile
    _names: list[str]
    """The names of the columns of players."""
    _cards: dict[str, str]
    """The names of the columns of boards and dead cards, by the keys ``"board"`` and ``"dead"``."""
    _settings: Settings
    _totals: Totals
    _threads: int
    _dask: Any
    """The address of the Dask scheduler whose workers compute the equities; None for threads."""
    _chunks: deque[Chunk] = attrs.field(factory=deque, init=False)
    """The chunks that were read and whose results have not been written yet, in order."""
    _messages: list[str] = attrs.field(factory=list, init=False)
    """Lines that say why the first few rows have no equities."""
    _boards: list[int] = attrs.field(factory=lambda: [0, 0], init=False)
    """Two counts: of the spots without a board, and of those with one."""

    @property
    def _spots(self) -> list[str]:
        return [*self._names, *self._cards.values()]

    def print(self, output_format: str) -> bool:
        """Compute the results and print them as ``csv``, ``json`` or ``table``.

        The result is False if Ctrl-C ended the run before all spots were computed.
        """
        if output_format == "csv":
            writer = spot_files.CsvWriter(sys.stdout)
            is_complete = self._answer(writer.write)
            if self._totals.seed is not None:
                print_message(str(self._totals))
            return is_complete
        if output_format == "json":
            return self._print_json()
        shown: list[tuple[Chunk, EquityTable]] = []  # a table has the first spots only

        def keep_first(chunk: Chunk, table: EquityTable) -> None:
            if not shown:
                shown.append((chunk, table))

        is_complete = self._answer(keep_first)
        for chunk, table in shown:
            unit, totals = self._rows.unit, self._totals
            print_result(table, output_format, name=unit, numbers=chunk.numbers, totals=totals)
        return is_complete

    def _print_json(self) -> bool:
        """Compute the results and print them as one JSON object; return as `print` does.

        Some fields that precede the spots in the object are not known until the end. The spots
        are therefore kept in a temporary file until then.
        """
        import json
        from tempfile import TemporaryFile

        from holdem.report.model import Report

        found: dict[str, Any] = {}
        with TemporaryFile("w+", encoding="ascii") as spots:

            def keep(_: Chunk, table: EquityTable) -> None:
                found.update(table.to_dict())
                spots.writelines(f"{json.dumps(spot)}\n" for spot in found.pop("spots"))

            is_complete = self._answer(keep)
            spots.seek(0)
            found.update(seed=self._totals.seed, elapsed=self._totals.elapsed)
            found["spots"] = map(json.loads, spots)
            print_report(Report(lambda: found, list), "json")
        return is_complete

    def write(self, output: Path, extension: str, force: bool) -> bool:
        """Compute the results and write them to a file, in the format of its extension.

        The result is False if Ctrl-C ended the run before all spots were computed.
        """
        from holdem.atomic_files import atomic_file

        name = one_line(str(output))
        try:
            with (
                atomic_file(output, replaces=force) as new,
                spot_files.open_output(new, extension, self._rows, self._spots) as writer,
            ):
                is_complete = self._answer(writer.write)
        except KeyboardInterrupt:
            print_message(f"{name} was not written")
            raise
        print(f"{self._totals}; in {name}", file=sys.stderr)
        return is_complete

    def _answer(self, write: Callable[[Chunk, EquityTable], None]) -> bool:
        """Compute the equities of all chunks, and call `write` with each chunk and its results.

        The result is False if Ctrl-C ended the run before all spots were computed.
        """
        from holdem.jobs.run import run
        from holdem.jobs.stopwatch import Stopwatch
        from holdem.odds.many_spots.job import ChunksJob

        take = partial(self._take, write)
        stopwatch = Stopwatch()
        job = ChunksJob(self._jobs(), take)
        try:
            with self._settings.open_dask(self._dask) as results:
                run(job, self._threads, progress=shows_progress(), results=results)
            job.take_finished()
        except Interrupted as interruption:
            if not job.is_between_chunks:
                raise
            table: Any = interruption.finished
            if table is not None and len(table.errors) < len(table):
                take(table)
            if not self._totals.spots:
                raise
            return False
        finally:
            self._totals.elapsed = stopwatch.elapsed
        return True

    def _jobs(self) -> Iterator[tuple[SpotsJob, float]]:
        """Read the file in chunks; yield, for each, the job that computes its equities.

        Each job comes with the share of the file that has been read so far, from 0 to 1.
        """
        from holdem.odds.many_spots.equal_spots import EqualSpots

        equal = EqualSpots()
        for chunk in self._rows.chunks(self._spots, _CHUNK):
            columns = [chunk.columns[name] for name in self._names]
            board, dead = (
                chunk.columns[self._cards[name]] if name in self._cards else None
                for name in ("board", "dead")
            )
            try:
                job = self._settings.make_job(columns, board, dead, chunk.errors, equal)
            except SpotError as error:
                raise self._located(error, chunk) from None
            self._chunks.append(chunk)
            self._boards = list(map(add, self._boards, job.spots.count_boards(is_file=True)))
            yield job, chunk.share

    def _take(self, write: Callable[[Chunk, EquityTable], None], table: EquityTable) -> None:
        chunk = self._chunks.popleft()
        try:
            self._settings.require_answers(table)
        except SpotError as error:
            raise self._located(error, chunk) from None
        for spot in list(table.errors)[: _MOST_MESSAGES - len(self._messages)]:
            message = table.errors[spot].replace("\n", "\n  ")
            self._messages.append(f"  {self._position(chunk, spot)}: {message}")
        write(chunk, table)
        self._totals.add(table)

    def _position(self, chunk: Chunk, spot: int) -> str:
        return f"{self._rows.unit} {chunk.numbers[spot]}"

    def _located(self, error: SpotError, chunk: Chunk) -> HoldemValueError:
        """Convert an error about a spot to one that names the spot's line or row in the file."""
        if error.spot is None:
            return error
        _, _, reason = str(error).partition(": ")
        if self._totals.spots or chunk.share != 1:
            where = f"spots from {self._position(chunk, 0)} on are invalid"
            reason = reason.replace("spots are invalid", where)
        return HoldemValueError(f"{self._position(chunk, error.spot)}: {reason}")

    def print_notes(self, is_complete: bool) -> None:
        """Print notes on the results to standard error, such as how many spots have no equities.

        `is_complete` says whether all spots were computed, and not only those before Ctrl-C.
        """
        from holdem.odds.many_spots.equities import note_on_boards

        totals = self._totals
        self._print_unread()
        if note := note_on_boards(*self._boards):
            print_message(f"note: {note}")
        if not is_complete:
            answered = totals.spots - totals.wrong
            print_message(f"interrupted: {answered:,} of {totals.spots:,} spots were answered")
            return
        if totals.exact and totals.seed is None and (note := self._settings.unused_note()):
            print_message(f"note: {note}")
        if totals.wrong:
            lines = [f"note: no answer for {totals.wrong:,} of {counted(totals.spots, 'spot')}"]
            lines += self._messages
            if totals.wrong > _MOST_MESSAGES:
                more = totals.wrong - _MOST_MESSAGES
                lines.append(f"  … and {more:,} more, in the column error")
            print_message("\n".join(lines))

    def _print_unread(self) -> None:
        """Print the names of columns that were not read, and may have been meant to be.

        Without a board, any column may be one.
        """
        read = [*self._spots, *self._rows.index_names]
        unread = [name for name in self._rows.names if name not in read]
        problem = "no board; "
        if "board" in self._cards:
            unread, problem = list(filter(_MEANT.fullmatch, unread)), ""
        if unread:
            unread = list(map(quoted, unread))
            shown = ", ".join(unread[:_MOST_MESSAGES])
            more = len(unread) - _MOST_MESSAGES
            print_message(
                f"note: {problem}columns not read: {shown}"
                f"{f' and {more:,} more' if more > 0 else ''}. Players are in p1, p2 and so on,"
                " cards in board and dead, or in the columns chosen with --players, --board and"
                " --dead"
            )
