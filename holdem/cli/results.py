"""``holdem results``: what the store of a long run holds."""

from __future__ import annotations

from collections.abc import Callable

import click

from holdem.cli import options


@click.command("results")
@click.argument("file", metavar="FILE", type=click.Path())
@options.output_format("table", "json", "csv")
def command(file: str, output_format: str) -> None:
    """Show what the store FILE of a run holds, at any time, also while it runs.

    \b
    holdem results study.store
    holdem results study.store -f csv > study.csv
    """  # noqa: D301
    from holdem.report.record import to_json
    from holdem.report.results import results_csv, results_text
    from holdem.trials.studies.results import StudyResults, study_results

    printers: dict[str, Callable[[StudyResults], str]] = {
        "table": results_text,
        "csv": results_csv,
        "json": lambda found: to_json(found.to_dict()),
    }
    click.echo(printers[output_format](study_results(file)))
