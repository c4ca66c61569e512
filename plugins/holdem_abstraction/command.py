"""``holdem abstraction``: divide a street's hands into buckets, and show or look up buckets."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from holdem.cli import options
from holdem.cli.completion import complete_ranges
from holdem.cli.options import LazyGroup
from holdem.cli.output import check_output, print_message, print_result, shows_progress
from holdem.errors import quoted

if TYPE_CHECKING:
    from holdem.cli.spot_files import SpotFile
    from holdem_abstraction.buckets import By, CardAbstraction
    from holdem_abstraction.streets import Street

_ROWS = 10_000  # of a CSV at a time


@click.group("abstraction", cls=LazyGroup)
def command() -> None:
    """Divide all hands of a street into buckets of hands that play alike."""


@command.command("build")
@click.option("--street", type=click.Choice(["preflop", "flop", "turn", "river"]), required=True)
@click.option(
    "--buckets",
    type=options.Count(2, 65_535),
    required=True,
    metavar="N",
    help="Number of buckets, 2 to 65,535.",
)
@click.option(
    "--by",
    type=click.Choice(["equity", "ehs2", "histogram"]),
    default="equity",
    show_default=True,
    help="Quantiles of equity or of E[HS2], or clusters of histograms, on flops and turns.",
)
@click.option(
    "--bins",
    type=options.Count(2, 1000),
    metavar="N",
    help="Bins of the histograms, 2 to 1,000; 50 by default.",
)
@click.option(
    "--opponent",
    default="random",
    show_default=True,
    metavar="RANGE",
    shell_complete=complete_ranges,
    help="The opponent's range, of whole classes.",
)
@click.option(
    "--memory",
    type=options.Number(),
    default=3.5,
    show_default=True,
    metavar="GB",
    help="Most memory for the strengths.",
)
@options.output_file("FILE", ".npz", required=True)
@options.seed
@options.workers
@options.plot
def build_command(
    street: Street,
    buckets: int,
    by: By,
    bins: int | None,
    opponent: str,
    memory: float,
    output: Path,
    force: bool,
    seed: int | None,
    workers: int | None,
    plot: str | None,
) -> None:
    """Compute the strengths of all hands of a street, and write their buckets to a file.

    \b
    holdem abstraction build --street river --buckets 500 -o river.npz
    holdem abstraction build --street flop --buckets 200 --by histogram --seed 7 -o flop.npz
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.errors import one_line
    from holdem_abstraction.buckets import BINS, card_abstraction, check_buckets
    from holdem_abstraction.strengths import check_strengths, estimate_memory, size_text

    check_output(output, force)
    own_bins = (bins or BINS) if check_buckets(buckets, by, seed, bins) else None
    check_strengths(street, opponent, own_bins, memory)
    size = size_text(estimate_memory(street, own_bins or 0))
    print_message(f"the strengths of the {street} take {size} of memory")
    found = card_abstraction(
        street,
        buckets,
        by,
        seed,
        opponent=opponent,
        bins=bins,
        memory=memory,
        workers=workers,
        progress=shows_progress(),
    )
    found.save(output)
    print_result(found, "table", plot)
    print_message(f"the buckets are in {one_line(str(output))}")


@command.command("show")
@click.argument("file", metavar="FILE", type=click.Path())
@click.option(
    "-b", "--board", metavar="CARDS", help="Show the grid of starting hands on this board."
)
@options.output_format("table", "json", "csv", "markdown")
@options.plot
@options.symbols
def show_command(file: str, board: str | None, output_format: str, plot: str | None) -> None:
    """Show the buckets in FILE, or the mean bucket of each class of hands on a board.

    \b
    holdem abstraction show flop.npz
    holdem abstraction show flop.npz -b Td9d2c --plot buckets.png
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem_abstraction.buckets import load_card_abstraction

    found = load_card_abstraction(file)
    print_result(found, output_format, board=board)
    if plot is not None:
        found.save_plot(plot, board=board)


@command.command("lookup")
@click.argument("file", metavar="FILE", type=click.Path())
@click.argument("hand", metavar="HAND")
@click.option("-b", "--board", metavar="CARDS", help="The board.")
def lookup_command(file: str, hand: str, board: str | None) -> None:
    """Print the bucket of HAND on a board, according to FILE.

    With - for HAND, a CSV with the columns hand and board is read from standard input, and
    written with all its columns and the column bucket.

    \b
    holdem abstraction lookup flop.npz AsKs -b Td9d2c
    printf "hand,board\\nAsKs,Td9d2c\\n" | holdem abstraction lookup flop.npz -
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.cli.spot_files import open_spots
    from holdem_abstraction.buckets import load_card_abstraction

    found = load_card_abstraction(file)
    if hand != "-":
        click.echo(str(found.lookup(hand, board)[0]))
        return
    if board is not None:
        raise click.UsageError("the boards are in the CSV: leave out -b")
    with open_spots("-") as rows:
        _look_up(found, rows)


def _look_up(found: CardAbstraction, rows: SpotFile) -> None:
    """Print the rows of a CSV file, with the bucket of each row's hand in a new column."""
    from holdem.errors import HoldemValueError

    needed = ("hand",) if found.street == "preflop" else ("hand", "board")
    if not set(needed) <= set(rows.names):
        names = ", ".join(map(quoted, rows.names))
        raise HoldemValueError(f"the CSV has the columns {names}; it needs {' and '.join(needed)}")
    if "bucket" in rows.names:
        raise HoldemValueError("the CSV has a column bucket already: rename it")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([*rows.names, "bucket"])
    for chunk in rows.chunks(needed, _ROWS):
        hands = [chunk.columns[name] for name in needed]
        for row, message in chunk.errors.items():
            raise HoldemValueError(f"line {chunk.numbers[row]}: {message}")
        try:
            buckets = found.lookup(*hands).tolist() if chunk.numbers else []
        except HoldemValueError:
            for line, *own in zip(chunk.numbers, *hands, strict=True):
                try:
                    found.lookup(*own)
                except HoldemValueError as error:
                    message = str(error).removeprefix("hand 0: ")
                    raise HoldemValueError(f"line {line}: {message}") from None
            raise
        writer.writerows(zip(*chunk.columns.values(), buckets, strict=True))
