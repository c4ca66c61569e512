"""``holdem evaluators``: which evaluators are installed, and what can be done with them."""

from __future__ import annotations

import click

from holdem.cli import options
from holdem.cli.groups import LazyGroup
from holdem.errors import HoldemError


@click.group(
    "evaluators",
    cls=LazyGroup,
    invoke_without_command=True,
    modules={
        "check": "evaluators_check",
        "bench": "evaluators_bench",
        "diff": "evaluators_diff",
        "new": "evaluators_new",
    },
)
@options.output_format("table", "json")
@click.pass_context
def command(context: click.Context, output_format: str) -> None:
    """List the installed evaluators, broken and disabled ones with the reason.

    With a command: check that evaluators keep their contract, measure how fast they are,
    compare two on many hands, or write a package for a new one.
    """
    if context.invoked_subcommand is None:
        _list(output_format)
    elif context.get_parameter_source("output_format") is not click.core.ParameterSource.DEFAULT:
        raise click.UsageError(
            f"-f belongs behind {context.invoked_subcommand}:"
            f" holdem evaluators {context.invoked_subcommand} -f {output_format}"
        )


def _list(output_format: str) -> None:
    from holdem.evaluation.registry import evaluators
    from holdem.report.record import to_json
    from holdem.report.table import text_table

    records = evaluators()
    if output_format == "json":
        click.echo(to_json([record.to_dict() for record in records]))
        return
    head = ["name", "status", "cards", "from", "summary"]
    rows = [
        [
            record.name,
            record.status,
            _sizes(record.hand_sizes),
            f"{record.distribution} {record.version}".strip() or "this script",
            record.summary,
        ]
        for record in records
    ]
    click.echo(text_table(head, rows, left=len(head)))
    click.echo()
    for record in records:
        if record.status == "active":
            click.echo(f"{record.name}: {record.source}")
        else:
            click.echo(f"{record.name}: {record.status}: {record.reason}")
    _tell_default()


def _tell_default() -> None:
    """Say which evaluator the user's configuration makes the default, if it names one."""
    from holdem.evaluation.registry import REGISTRY

    try:
        chosen = REGISTRY.configuration
        if chosen.evaluator is not None:
            found = REGISTRY.get(None)
            click.echo(f"\nthe default is {found.name}, by {chosen.file}")
    except HoldemError as error:  # the list is right all the same
        click.echo(f"holdem: note: {error}", err=True)


def _sizes(sizes: tuple[int, ...]) -> str:
    return "-".join(str(size) for size in sizes[:: len(sizes) - 1 or 1]) if sizes else ""
