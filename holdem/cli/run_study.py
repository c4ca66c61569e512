"""``holdem run``: run a study."""

from __future__ import annotations

import click

from holdem.cli import options
from holdem.cli.output import print_message, print_text, shows_progress


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
def command(study: str, store: str, workers: int | None, dask: str | None) -> int:
    """Compute the spots of STUDY.toml and keep the results in a file.

    After Ctrl-C or a kill the same command continues the run. `holdem results FILE` shows the
    results, also during the run.

    \b
    holdem run study.toml --store study.store
    holdem run study.toml --store study.store --dask tcp://10.0.0.7:8786
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.errors import Interrupted, counted, one_line
    from holdem.trials.studies.results import StudyResults
    from holdem.trials.studies.run import run_study

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
    deals = sum(spot.result.deals for spot in results.spots)
    seconds = sum(spot.result.elapsed for spot in results.spots)
    print_text(
        f"complete: {counted(results.total, 'spot')}, {counted(deals, 'deal')}, {seconds:.3f} s;"
        f" `holdem results {one_line(store)}` shows them"
    )
    return 0
