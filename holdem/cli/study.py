"""``holdem run`` and ``holdem results``: compute the spots of a study, and show what is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from holdem.cli import options
from holdem.cli.output import print_message, print_result, print_text, shows_progress

if TYPE_CHECKING:
    from holdem.trials.studies.results import RowsOf


@click.command("run")
@click.argument("study", metavar="STUDY.toml", type=click.Path())
@click.option(
    "--store",
    required=True,
    metavar="FILE",
    type=click.Path(),
    help="File that keeps the results; created if it does not exist.",
)
@options.workers
@options.dask
def run_command(study: str, store: str, workers: int | None, dask: str | None) -> int:
    """Compute the spots of STUDY.toml and keep the results in a file.

    After Ctrl-C or a kill the same command continues the run. `holdem results FILE` shows the
    results, also during the run.

    \b
    holdem run study.toml --store study.store
    holdem run study.toml --store study.store --dask tcp://10.0.0.7:8786
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.errors import Interrupted, counted, one_line
    from holdem.trials.studies.results import StudyResults
    from holdem.trials.studies.study_run import run_study

    try:
        results = run_study(study, store, workers=workers, dask=dask, progress=shows_progress())
    except Interrupted as interruption:
        partial = interruption.finished
        assert isinstance(partial, StudyResults)
        print_message(
            f"interrupted: {partial.finished:,} of {partial.total:,} spots are finished; the"
            f" results are kept in {one_line(store)}, and the same command continues the run"
        )
        return 130
    print_text(
        f"complete: {counted(results.total, 'spot')}, {counted(results.deals, 'deal')},"
        f" {results.elapsed:.3f} s; `holdem results {one_line(store)}` shows them"
    )
    return 0


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
def results_command(file: str, output_format: str, by: RowsOf | None, plot: str | None) -> None:
    """Show the results in FILE, the store of a run.

    This works at any time, also during the run. Grids with several boards are summed up over
    the boards; the CSV has each of them.

    \b
    holdem results study.store
    holdem results study.store -f csv > boards.csv
    holdem results study.store -f csv --by pair > sums.csv
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.trials.studies.results import study_results

    if by is not None and output_format != "csv":
        raise click.UsageError("--by is for -f csv; the table and the JSON have all rows")
    print_result(study_results(file), output_format, plot, by=by or "spot")
