"""``holdem evaluators bench``: how fast evaluators are."""

from __future__ import annotations

import contextlib

import click

from holdem.cli import options


@click.command("bench")
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option(
    "--seconds",
    type=click.FloatRange(0.001, 60),
    default=0.1,
    show_default=True,
    metavar="X",
    help="How long to measure for each figure.",
)
@options.output_format("table", "json")
def command(names: tuple[str, ...], seconds: float, output_format: str) -> int:
    """Rank all evaluators, or those named, by how fast they are on the same hands.

    Hands of five and of seven cards, in order and at random, in batches of 1, 100, 10,000
    and 1,000,000: hands a second, in one thread. The first call, which loads and may compile,
    stands apart. Ctrl-C ends it with those that are measured.

    \b
    holdem evaluators bench
    holdem evaluators bench lookup suit-mask --seconds 1
    """  # noqa: D301 - \b is click's mark for lines that keep their breaks
    from holdem.evaluation.conformance.bench import FIGURES, measure_speed
    from holdem.evaluation.registry import REGISTRY, get_evaluator
    from holdem.jobs.old_progress import Progress
    from holdem.report.bench import bench_record, bench_text
    from holdem.report.record import to_json

    chosen = dict.fromkeys(names) or [
        record.name for record in REGISTRY.records() if record.status == "active"
    ]
    evaluators = [get_evaluator(name) for name in chosen]
    speeds, done = [], 0
    with Progress(options.on_terminal(), "figures", FIGURES * len(evaluators)) as bar:

        def advance(figures: int) -> None:
            nonlocal done
            done += figures
            bar.advance(done)

        with contextlib.suppress(KeyboardInterrupt):
            for evaluator in evaluators:
                bar.at(evaluator.name)
                speeds.append(measure_speed(evaluator, seconds, advance))
    if speeds:
        click.echo(to_json(bench_record(speeds)) if output_format == "json" else bench_text(speeds))
    if len(speeds) == len(evaluators):
        return 0
    told = f"{len(speeds)} of {len(evaluators)} evaluators are measured"
    click.echo(f"holdem: interrupted: {told}", err=True)
    return 130
