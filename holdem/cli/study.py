"""``holdem run``: a study worked through, kept in a file, and taken up again."""

from __future__ import annotations

import click

from holdem.cli import options


@click.command("run")
@click.argument("study", metavar="STUDY.toml", type=click.Path())
@click.option(
    "--store",
    required=True,
    metavar="FILE",
    type=click.Path(),
    help="Keeps what is finished; made if it is not there.",
)
@options.workers
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Of a Dask scheduler, as tcp://10.0.0.7:8786: its workers compute what is sampled.",
)
def command(study: str, store: str, workers: int | None, dask: str | None) -> int:
    """Work through the spots of STUDY.toml, keeping what is finished in FILE.

    Ended at any moment, by Ctrl-C or a kill, the same command goes on where it was. `holdem
    results FILE` shows what is there, also while this runs.

    \b
    holdem run study.toml --store study.store
    holdem run study.toml --store study.store --dask tcp://10.0.0.7:8786
    """  # noqa: D301
    from holdem.errors import Interrupted, one_line
    from holdem.trials.studies.results import StudyResults
    from holdem.trials.studies.run import run_study

    try:
        results = run_study(
            study, store, workers=workers, dask=dask, progress=options.on_terminal()
        )
    except Interrupted as interruption:
        found = interruption.finished
        assert isinstance(found, StudyResults)
        click.echo(
            f"holdem: interrupted: {found.finished:,} of {found.asked:,} spots are finished; what"
            f" was computed is kept in {one_line(store)}, and the same command goes on",
            err=True,
        )
        return 130
    deals = sum(spot.result.deals for spot in results.spots)
    seconds = sum(spot.result.elapsed for spot in results.spots)
    click.echo(
        f"complete: {results.asked:,} spots, {deals:,} deals, {seconds:.3f} s;"
        f" `holdem results {one_line(store)}` shows them"
    )
    return 0
