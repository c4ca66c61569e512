"""``holdem evaluators bench``: measure the speed of evaluators."""

from __future__ import annotations

import contextlib

import click

from holdem.cli import options
from holdem.cli.output import print_message, print_report, shows_progress


@click.command("bench")
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option(
    "--seconds",
    type=click.FloatRange(0.001, 60),
    default=0.1,
    show_default=True,
    metavar="X",
    help="Duration of each measurement in seconds.",
)
@options.output_format("table", "json")
def command(names: tuple[str, ...], seconds: float, output_format: str) -> int:
    """Measure the speed of evaluators on the same hands.

    Measures all evaluators, or those named, in one thread, in hands per second: hands of five
    and of seven cards, in order and at random, in batches of 1, 100, 10,000 and 1,000,000. The
    first call, which loads and may compile, is shown separately. After Ctrl-C the results so
    far are shown.

    \b
    holdem evaluators bench
    holdem evaluators bench lookup suit-mask --seconds 1
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.evaluation.conformance.bench import FIGURES, measure_speed
    from holdem.evaluation.registry import REGISTRY, get_evaluator
    from holdem.jobs.run import ProgressBar
    from holdem.report.evaluator_reports import bench_report

    chosen = dict.fromkeys(names) or [
        record.name for record in REGISTRY.records() if record.status == "active"
    ]
    evaluators = [get_evaluator(name) for name in chosen]
    speeds = []
    with (
        ProgressBar(shows_progress(), "figures", FIGURES * len(evaluators)) as bar,
        contextlib.suppress(KeyboardInterrupt),
    ):
        for evaluator in evaluators:
            bar.describe(evaluator.name)
            speeds.append(measure_speed(evaluator, seconds, bar.advance))
    if speeds:
        print_report(bench_report(speeds), output_format)
    if len(speeds) == len(evaluators):
        return 0
    print_message(f"interrupted: {len(speeds)} of {len(evaluators)} evaluators are measured")
    return 130
