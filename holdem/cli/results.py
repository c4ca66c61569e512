"""``holdem results``: show the results of a run."""

from __future__ import annotations

import click

from holdem.cli import options
from holdem.cli.output import print_report


@click.command("results")
@click.argument("file", metavar="FILE", type=click.Path())
@options.output_format("table", "json", "csv")
@options.symbols
def command(file: str, output_format: str) -> None:
    """Show the results in FILE, the store of a run.

    This works at any time, also during the run.

    \b
    holdem results study.store
    holdem results study.store -f csv > study.csv
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.report.study_report import study_report
    from holdem.trials.studies.results import study_results

    print_report(study_report(study_results(file)), output_format)
