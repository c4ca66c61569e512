"""``holdem evaluators``, which lists, checks and compares evaluators, and ``holdem warm-up``."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import click

from holdem.cli import options
from holdem.cli.completion import complete_evaluators
from holdem.cli.options import LazyGroup
from holdem.cli.output import Estimated, print_message, print_report, print_text, shows_progress


@click.group("evaluators", cls=LazyGroup, invoke_without_command=True)
@options.output_format("table", "json")
@click.pass_context
def command(context: click.Context, output_format: str) -> None:
    """List the installed evaluators, or run a command on them.

    The list shows why an evaluator is broken or disabled. It also shows on how many kinds of
    hands an evaluator is proved to follow its rules, so that the tables of these rules answer
    for it.
    """
    subcommand = context.invoked_subcommand
    if subcommand is None:
        from holdem.errors import EvaluatorError
        from holdem.evaluation.registry import evaluators, get_evaluator
        from holdem.jobs.run import progress_bar
        from holdem.report.evaluator_reports import evaluator_list_report

        root = context.find_root()
        if isinstance(root.command, click.Group):
            root.command.list_commands(root)  # asks plugins for commands, and so finds their faults
        active = [record.name for record in evaluators() if record.status == "active"]
        with progress_bar(shows_progress(), "evaluators", len(active)) as bar:
            for name in active:
                with contextlib.suppress(EvaluatorError):  # the list says why
                    get_evaluator(name).load()
                bar.update(1)
        print_report(evaluator_list_report(evaluators()), output_format)
    elif context.get_parameter_source("output_format") is not click.core.ParameterSource.DEFAULT:
        raise click.UsageError(
            f"write -f after {subcommand}: holdem evaluators {subcommand} -f {output_format}"
        )


@command.command("check")
@click.argument("name", required=False, shell_complete=complete_evaluators)
@click.option(
    "--exhaustive", is_flag=True, help="Check all hands of six and seven cards, not random ones."
)
@click.option(
    "--hands",
    type=options.Count(1, 100_000_000),
    metavar="N",
    help="Number of random hands of six cards, and of seven, up to 100m: 1000000 by default, or"
    " 20000 if the evaluator ranks only hands of five.",
)
@options.seed_of_hands
@options.output_format("table", "json")
def check_command(
    name: str | None, exhaustive: bool, hands: int | None, seed: int, output_format: str
) -> int:
    """Check that evaluators fulfil their contract.

    Checks all evaluators, or the one called NAME: the order of all classes, every hand of five
    cards, random or all hands of six and seven, and that the strength of a hand depends on
    nothing else. A failure shows the smallest hand that fails, the actual and the expected
    answer, and the number of hands affected. Exits with 1 if a check fails. After Ctrl-C the
    results so far are shown.

    \b
    holdem evaluators check cactus-kev
    holdem evaluators check lookup --exhaustive
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.dealing.seeds import resolve_seed
    from holdem.evaluation.conformance.checker import check_conformance, not_loaded
    from holdem.evaluation.conformance.findings import CheckResult, Conformance
    from holdem.evaluation.conformance.hands import Extent
    from holdem.evaluation.registry import REGISTRY, EvaluatorRecord
    from holdem.report.evaluator_reports import conformance_report

    if exhaustive and hands is not None:
        raise click.UsageError("--exhaustive and --hands cannot be combined")
    extent = Extent(exhaustive, hands, resolve_seed(seed))
    finished_checks: list[CheckResult] = []  # of the current evaluator

    def check(record: EvaluatorRecord) -> Conformance:
        finished_checks.clear()
        if record.status == "broken":
            return not_loaded(record, extent)
        with Estimated(f"checking {record.name}", always=exhaustive) as run:
            return check_conformance(
                REGISTRY.get(record.name),
                extent,
                on_estimate=run.begin,
                on_progress=run.advance,
                on_check=finished_checks.append,
            )

    records = [record for record in REGISTRY.records() if record.status != "disabled"]
    if name is not None:
        records = [record for record in records if record.name == name]
        if not records:
            REGISTRY.get(name)  # raises an error that says why
    results: list[Conformance] = []
    with contextlib.suppress(KeyboardInterrupt):
        for record in records:
            results.append(check(record))
    if results:
        print_report(conformance_report(results, detailed=name is not None), output_format)
    if len(results) < len(records):
        checks = ", ".join(f"{result.name} {result.status}" for result in finished_checks)
        print_message(
            f"interrupted: {len(results)} of {len(records)} evaluators are checked; checks of"
            f" {records[len(results)].name} so far: {checks or 'none'}"
        )
        return 130
    return 0 if all(result.passed for result in results) else 1


@command.command("bench")
@click.argument("names", nargs=-1, metavar="[NAME...]", shell_complete=complete_evaluators)
@click.option(
    "--seconds",
    type=options.Number(0.001, 60),
    default=0.1,
    show_default=True,
    metavar="X",
    help="Duration of each measurement in seconds, up to 60.",
)
@options.output_format("table", "json")
def bench_command(names: tuple[str, ...], seconds: float, output_format: str) -> int:
    """Measure the speed of evaluators on the same hands.

    Measures all evaluators, or those named, in one thread, in hands per second: hands of five
    and of seven cards, in order and at random, in batches of 1, 100, 10,000 and 1,000,000. The
    first call, which loads and may compile, is shown separately. After Ctrl-C the results so
    far are shown.

    \b
    holdem evaluators bench lookup bitwise
    holdem evaluators bench lookup suit-mask --seconds 1
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.evaluation.conformance.bench import MEASUREMENTS, measure_speed
    from holdem.evaluation.registry import REGISTRY, get_evaluator
    from holdem.jobs.run import progress_bar
    from holdem.report.evaluator_reports import bench_report

    chosen = dict.fromkeys(names) or [
        record.name for record in REGISTRY.records() if record.status == "active"
    ]
    evaluators = [get_evaluator(name) for name in chosen]
    speeds = []
    with (
        progress_bar(shows_progress(), "measurements", MEASUREMENTS * len(evaluators)) as bar,
        contextlib.suppress(KeyboardInterrupt),
    ):
        for evaluator in evaluators:
            bar.set_description_str(evaluator.name)
            speeds.append(measure_speed(evaluator, seconds, bar.update))
    if speeds:
        print_report(bench_report(speeds), output_format)
    if len(speeds) == len(evaluators):
        return 0
    print_message(f"interrupted: {len(speeds)} of {len(evaluators)} evaluators are measured")
    return 130


@command.command("diff")
@click.argument("first", metavar="A", shell_complete=complete_evaluators)
@click.argument("second", metavar="B", shell_complete=complete_evaluators)
@click.option(
    "-n",
    "--hands",
    type=options.Count(0, 100_000_000),
    default=100_000,
    show_default=True,
    metavar="N",
    help="Number of random hands of six cards, and of seven, up to 100m.",
)
@options.seed_of_hands
@options.output_format("table", "json")
@options.symbols
def diff_command(first: str, second: str, hands: int, seed: int, output_format: str) -> int:
    """Compare two evaluators on the same hands.

    Compares the classes of all hands of five cards. For six and seven cards, it compares one hand
    of each kind, and random hands. The evaluators rank each hand themselves. Shows the first
    disagreement, which has the fewest cards, and exits with 1 if there is one.

    \b
    holdem evaluators diff lookup cactus-kev --hands 1000000
    holdem evaluators diff lookup bitwise --hands 10000 --seed 7
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.dealing.seeds import resolve_seed
    from holdem.evaluation.conformance.diff import compare_evaluators
    from holdem.evaluation.registry import get_evaluator
    from holdem.report.evaluator_reports import difference_report

    pair = get_evaluator(first), get_evaluator(second)
    with Estimated(f"comparing {first} and {second}") as run:
        difference = compare_evaluators(
            *pair, hands, resolve_seed(seed), on_estimate=run.begin, on_progress=run.advance
        )
    print_report(difference_report(difference), output_format)
    return 0 if difference.agree else 1


@command.command("new")
@click.argument("name")
@click.option(
    "--directory",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    metavar="DIR",
    help="Parent directory of the package; the current directory by default.",
)
@click.option(
    "--from",
    "script",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Take the evaluator from this script, with all that its function uses.",
)
@click.option(
    "--compiled", is_flag=True, help="Start from a kernel that numba compiles, not a function."
)
def new_command(name: str, directory: Path, script: Path | None, compiled: bool) -> None:
    """Create a package with an evaluator called NAME.

    Without --from, the evaluator works and is meant to be changed. The package has the hook and
    the entry point by which the evaluator is found, a test and a README. Existing files are not
    overwritten.

    \b
    holdem evaluators new eleven-lines --from mine.py
    holdem evaluators new my-evaluator --compiled
    pip install -e "holdem-my-evaluator[test]"
    holdem evaluators check my-evaluator
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.cli.package_files import default_function, extract_evaluator, write_package

    _require_free(name)
    if compiled and script is not None:
        raise click.UsageError("--from and --compiled cannot be combined")
    code = ("", "") if compiled else default_function()
    notes: list[str] = []
    if script is not None:
        text, function, notes = extract_evaluator(name, script)
        code = text, function
    root = directory / f"holdem-{name}"
    try:
        files = write_package(name, root, *code)
    except FileExistsError as error:
        raise click.UsageError(f"cannot write {root}: {error.strerror}") from None
    except OSError as error:  # the name of the directory, which errors of writing lack
        raise OSError(error.errno, error.strerror, str(root)) from error
    click.echo(f"{root} has the evaluator {name}:")
    for file in files:
        click.echo(f"  {file.relative_to(root)}")
    for note in notes:
        click.echo(f"\n{note}")
    click.echo("\nTo install it, check it, measure it, and run its test:")
    click.echo(f'  pip install -e "{root}[test]"')
    click.echo(f"  holdem evaluators check {name}")
    click.echo(f"  holdem evaluators bench {name} lookup")
    click.echo(f"  python -m pytest {root}")


def _require_free(name: str) -> None:
    """Raise an `EvaluatorError` if the name of a new evaluator is invalid or in use."""
    from holdem.errors import EvaluatorError
    from holdem.evaluation.contract import EvaluatorSpec
    from holdem.evaluation.registry import evaluators

    # The specification validates the name.
    EvaluatorSpec(
        name=name, summary="", source="", hand_sizes={5}, load=lambda: lambda hands: hands
    )
    for record in evaluators():
        if record.name == name:
            owner = f"{record.distribution} {record.version}".strip()
            raise EvaluatorError(f"the name {name!r} is taken by {owner}")


@click.command("warm-up")
def warm_up_command() -> None:
    """Compile all kernels, and keep the code for later runs.

    Compiles the engine and all installed evaluators, which takes about a minute, or a second if
    the code is kept already. No later run then compiles. Use it when an image is built, or before
    tests in CI. HOLDEM_CACHE_DIR names another directory for the code.

    \b
    holdem warm-up
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.compilation import warm_up
    from holdem.jit.cache_directory import cache_root

    started = time.monotonic()
    warm_up(progress=shows_progress())
    seconds = time.monotonic() - started
    print_text(f"compiled in {seconds:.1f} s; the code is kept in {cache_root()}")
