"""``holdem equities``: the equities of many spots from a file."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import attrs
import click

from holdem.cli import options
from holdem.cli.output import print_message, print_report, shows_progress
from holdem.errors import HoldemValueError, Interrupted, SpotError, counted, one_line, quoted

if TYPE_CHECKING:
    from holdem.cli.spot_files import SpotFile
    from holdem.odds.many_spots.equity_table import EquityTable

_MOST_MESSAGES = 5


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
@options.seed
@options.workers
@options.dask
@options.evaluator
@click.option(
    "--errors",
    type=click.Choice(["nan", "raise"]),
    default="nan",
    show_default=True,
    help="nan leaves the figures of an invalid row empty; raise ends the run at the first one.",
)
@click.option(
    "-f",
    "--format",
    "output_format",
    type=click.Choice(["csv", "table", "json"]),
    help="Output format; csv by default, or table on a terminal.",
)
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=click.Path(path_type=Path),
    help="Write to OUT, in the format of its extension: .csv or .parquet.",
)
@click.option("--force", is_flag=True, help="Overwrite OUT if it exists.")
@options.symbols
def command(
    file: str,
    players: str | None,
    board: str | None,
    dead: str | None,
    errors: Literal["nan", "raise"],
    output_format: str | None,
    output: Path | None,
    force: bool,
    **arguments: Any,
) -> int:
    """Compute the equities of many spots, one in each row of FILE.

    FILE is a CSV file with column names in its first line, a Parquet file (.parquet), or - for a
    CSV on standard input. The columns p1, p2 and so on hold the players, as in `holdem equity`;
    board and dead are optional. The output has all columns of FILE, and for each player
    equity_1, win_1, tie_1, lose_1 and stderr_1; and exact, deals and error. From Parquet to
    Parquet, other columns keep their types, and frames their pandas index.

    Rows without an answer, and their errors, are listed on standard error. The exit code is 0
    nevertheless.

    \b
    holdem equities spots.csv -o answers.csv
    holdem equities spots.parquet --players hero,villain --board flop -o answers.parquet
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.cli.spot_files import player_columns, require_column
    from holdem.odds.many_spots.equities import equities

    _check_output(output, output_format, force)
    rows = _read(file)
    names = player_columns(rows.names, players)
    chosen: dict[str, str] = {}
    for option, name in (("board", board), ("dead", dead)):
        if name is not None:
            require_column(rows.names, name, f"--{option}")
        if name is not None or option in rows.names:
            chosen[option] = option if name is None else name
    _require_new_names(rows, len(names))
    rows = rows.with_strings([*names, *chosen.values()])
    hands = [rows.values(name) for name in names]
    cards: dict[str, Any] = {option: rows.values(name) for option, name in chosen.items()}
    if rows.errors:
        if errors == "raise":
            raise HoldemValueError(_first_of(rows))
        hands[0] = ["" if row in rows.errors else text for row, text in enumerate(hands[0])]
    interrupted = False
    try:
        table = equities(*hands, **cards, **arguments, errors=errors, progress=shows_progress())
    except SpotError as error:
        if error.spot is None:
            raise
        _, _, reason = str(error).partition(": ")
        raise HoldemValueError(f"{rows.place(error.spot)}: {reason}") from None
    except Interrupted as interruption:
        table, interrupted = interruption.finished, True  # type: ignore[assignment]
    table = attrs.evolve(table, errors={**table.errors, **rows.errors})
    _print(rows, table, output, output_format)
    if "board" not in chosen:
        _print_unread(rows, [*names, *chosen.values()])
    if interrupted:
        answered = len(table) - len(table.errors)
        print_message(f"interrupted: {answered:,} of {len(table):,} spots were answered")
        return 130
    _print_errors(rows, table)
    return 0


def _first_of(rows: SpotFile) -> str:
    """Return the message of the first row with a wrong number of cells, and their number."""
    first, message = next(iter(rows.errors.items()))
    count = len(rows.errors)
    others = f"\n{count:,} of {len(rows.numbers):,} rows have more or fewer cells than columns"
    return f"{rows.place(first)}: {message}{others if count > 1 else ''}"


def _check_output(output: Path | None, output_format: str | None, force: bool) -> None:
    """Raise an error if the output could not be written, before anything is computed."""
    from holdem.cli.spot_files import format_of, require_parquet

    if output is None:
        if force:
            raise click.UsageError("--force needs a file, as in -o answers.csv")
        return
    form = format_of(output)
    if output_format not in (None, form):
        raise click.UsageError(
            f"-f {output_format} does not fit the file name {quoted(output.name)}"
        )
    if form == "parquet":
        require_parquet()
    shown = one_line(str(output))
    if output.exists() and not force:
        raise click.UsageError(
            f"{shown} exists already: choose another name, or replace it with --force"
        )
    if not output.parent.is_dir():
        raise click.UsageError(f"{shown}: the directory does not exist")


def _read(file: str) -> SpotFile:
    from holdem.cli.spot_files import format_of, read_csv, read_parquet

    try:
        if file != "-":
            if format_of(Path(file)) == "parquet":
                return read_parquet(Path(file))
            with open(file, encoding="utf-8-sig", newline="") as stream:
                return read_csv(stream)
        stdin = TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", newline="")
        return read_csv(stdin)
    except HoldemValueError as error:
        raise HoldemValueError(f"{one_line(file)}: {error}") from None


def _require_new_names(rows: SpotFile, players: int) -> None:
    from holdem.report.spots_report import answer_names

    for name in answer_names(players):
        if name in rows.names:
            raise HoldemValueError(
                f"the file has a column {quoted(name)}, as the output would have: rename it"
            )


def _print(
    rows: SpotFile, table: EquityTable, output: Path | None, output_format: str | None
) -> None:
    """Write the table to a file or to standard output."""
    from holdem.atomic_files import atomic_file
    from holdem.cli.spot_files import format_of, write_csv, write_parquet
    from holdem.report.spots_report import answer_columns, spots_report, summary

    if output is None and output_format is None:
        output_format = "table" if sys.stdout.isatty() else "csv"
    if output_format in ("table", "json"):
        print_report(spots_report(table, rows.unit, rows.numbers), output_format)
        return
    figures = answer_columns(table)
    if output is None:
        write_csv(sys.stdout, rows, figures)
        if table.seed is not None:
            print_message(summary(table))
        return
    with atomic_file(output) as new:
        if format_of(output) == "parquet":
            write_parquet(new, rows, figures)
        else:
            with new.open("w", encoding="utf-8", newline="") as stream:
                write_csv(stream, rows, figures)
    click.echo(f"{summary(table)}; in {one_line(str(output))}", err=True)


def _print_unread(rows: SpotFile, read: list[str]) -> None:
    """Name the columns of a file without a board that were not read: one may be the board."""
    read = [*read, *rows.index_names]
    unread = [quoted(name) for name in rows.names if name not in read]
    if unread:
        shown = ", ".join(unread[:_MOST_MESSAGES])
        more = len(unread) - _MOST_MESSAGES
        print_message(
            f"note: no board; columns not read: {shown}{f' and {more:,} more' if more > 0 else ''}."
            " Players are in p1, p2 and so on, cards in board and dead, or in the columns that"
            " --players, --board and --dead name"
        )


def _print_errors(rows: SpotFile, table: EquityTable) -> None:
    """Print the first few errors and their number."""
    if not table.errors:
        return
    lines = [f"note: no answer for {len(table.errors):,} of {counted(len(table), 'spot')}"]
    for spot in list(table.errors)[:_MOST_MESSAGES]:
        message = table.errors[spot].replace("\n", "\n  ")
        lines.append(f"  {rows.place(spot)}: {message}")
    more = len(table.errors) - _MOST_MESSAGES
    if more > 0:
        lines.append(f"  … and {more:,} more; the column error has all")
    print_message("\n".join(lines))
