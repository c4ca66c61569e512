"""``holdem abstraction``: divide a street's hands into buckets, and show or look up buckets."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from holdem.cli import options
from holdem.cli.command_group import LazyGroup
from holdem.cli.output import print_message, print_report, shows_progress

if TYPE_CHECKING:
    from holdem.abstraction.buckets import By
    from holdem.abstraction.streets import Street


@click.group(
    "abstraction",
    cls=LazyGroup,
    commands_at={
        "build": "holdem.cli.abstraction:build_command",
        "show": "holdem.cli.abstraction:show_command",
        "lookup": "holdem.cli.abstraction:lookup_command",
    },
)
def command() -> None:
    """Divide all hands of a street into buckets of hands that play alike."""


@click.command("build")
@click.option("--street", type=click.Choice(["preflop", "flop", "turn", "river"]), required=True)
@click.option(
    "--buckets",
    type=options.CountRange(2, 65_535),
    required=True,
    metavar="N",
    help="Number of buckets.",
)
@click.option(
    "--by",
    type=click.Choice(["equity", "ehs2", "histogram"]),
    default="equity",
    show_default=True,
    help="Quantiles of equity or of E[HS2], or clusters of histograms, on flops and turns.",
)
@click.option("--bins", type=int, metavar="N", help="Bins of the histograms; 50 by default.")
@click.option(
    "--opponent",
    default="random",
    show_default=True,
    metavar="RANGE",
    help="The opponent's range, of whole classes.",
)
@click.option(
    "--memory",
    type=float,
    default=3.0,
    show_default=True,
    metavar="GB",
    help="Most memory for the strengths.",
)
@click.option(
    "-o", "--output", required=True, type=click.Path(), metavar="FILE", help="File to write, .npz."
)
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
    output: str,
    seed: int | None,
    workers: int | None,
    plot: str | None,
) -> None:
    """Compute the strengths of all hands of a street, and write their buckets to a file.

    \b
    holdem abstraction build --street river --buckets 500 -o river.npz
    holdem abstraction build --street flop --buckets 200 --by histogram --seed 7 -o flop.npz
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.abstraction.buckets import BINS, card_abstraction
    from holdem.abstraction.strengths import estimate_memory
    from holdem.errors import one_line
    from holdem.report.abstraction_report import abstraction_report

    size = estimate_memory(street, (bins or BINS) if by == "histogram" else 0)
    print_message(f"the strengths of the {street} take {size / 1e9:.2f} GB of memory")
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
    print_report(abstraction_report(found), "table")
    print_message(f"the buckets are in {one_line(output)}")
    if plot is not None:
        found.save_plot(plot)


@click.command("show")
@click.argument("file", metavar="FILE", type=click.Path())
@click.option(
    "-b", "--board", metavar="CARDS", help="Show the grid of starting hands on this board."
)
@options.output_format("table", "json", "csv", "markdown")
@options.plot
@options.symbols
def show_command(file: str, board: str | None, output_format: str, plot: str | None) -> None:
    """Show the buckets in FILE, or those of the starting hands on a board.

    \b
    holdem abstraction show flop.npz
    holdem abstraction show flop.npz -b Td9d2c --plot buckets.png
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.abstraction.buckets import load_card_abstraction
    from holdem.report.abstraction_report import abstraction_report, board_report

    found = load_card_abstraction(file)
    report = abstraction_report(found) if board is None else board_report(found, board)
    print_report(report, output_format)
    if plot is not None:
        found.save_plot(plot, board=board)


@click.command("lookup")
@click.argument("file", metavar="FILE", type=click.Path())
@click.argument("hand", metavar="HAND")
@click.option("-b", "--board", metavar="CARDS", help="The board.")
def lookup_command(file: str, hand: str, board: str | None) -> None:
    """Print the bucket of HAND on a board, according to FILE.

    With - for HAND, a CSV with the columns hand and board is read from standard input, and
    written with the column bucket.

    \b
    holdem abstraction lookup flop.npz AsKs -b Td9d2c
    holdem abstraction lookup flop.npz - < hands.csv
    """  # noqa: D301 - click keeps the line breaks after \b
    import csv

    from holdem.abstraction.buckets import load_card_abstraction
    from holdem.errors import HoldemValueError

    found = load_card_abstraction(file)
    if hand != "-":
        click.echo(str(found.lookup(hand, board)[0]))
        return
    if board is not None:
        raise click.UsageError("the boards are in the CSV: leave out -b")
    rows = list(csv.DictReader(sys.stdin))
    needed = {"hand"} if found.street == "preflop" else {"hand", "board"}
    if rows and not needed <= rows[0].keys():
        names = ", ".join(map(str, rows[0]))
        raise HoldemValueError(f"the CSV has the columns {names}; it needs {' and '.join(needed)}")
    boards = [row["board"] for row in rows] if "board" in needed else None
    buckets = found.lookup([row["hand"] for row in rows], boards).tolist() if rows else []
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["hand", "board", "bucket"])
    for row, bucket in zip(rows, buckets, strict=True):
        writer.writerow([row["hand"], row.get("board", ""), bucket])
