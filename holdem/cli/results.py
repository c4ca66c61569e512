"""``holdem results``: show the results of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from holdem.cli import options
from holdem.cli.output import print_report

if TYPE_CHECKING:
    from holdem.trials.studies.results import RowsOf


@click.command("results")
@click.argument("file", metavar="FILE", type=click.Path())
@options.output_format("table", "json", "csv")
@click.option(
    "--by",
    type=click.Choice(["spot", "player", "pair"]),
    help="Rows of the CSV: spots (by default), the players of each spot, or each hero and"
    " villain of a grid, summed up over its boards.",
)
@options.plot
@options.symbols
def command(file: str, output_format: str, by: RowsOf | None, plot: str | None) -> None:
    """Show the results in FILE, the store of a run.

    This works at any time, also during the run. Grids with several boards are summed up over
    the boards; the CSV has each of them.

    \b
    holdem results study.store
    holdem results study.store -f csv > boards.csv
    holdem results study.store -f csv --by pair > sums.csv
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.report.study_report import study_report
    from holdem.trials.studies.results import study_results

    if by is not None and output_format != "csv":
        raise click.UsageError("--by is for -f csv; the table and the JSON have all rows")
    results = study_results(file)
    print_report(study_report(results, by or "spot"), output_format)
    if plot is not None:
        results.save_plot(plot)
