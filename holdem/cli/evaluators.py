"""``holdem evaluators``: list the evaluators."""

from __future__ import annotations

import click

from holdem.cli import options
from holdem.cli.command_group import LazyGroup
from holdem.cli.output import print_report


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
    """List the installed evaluators, or run a command on them.

    The list shows why an evaluator is broken or disabled.
    """
    subcommand = context.invoked_subcommand
    if subcommand is None:
        _list(output_format)
    elif context.get_parameter_source("output_format") is not click.core.ParameterSource.DEFAULT:
        raise click.UsageError(
            f"write -f after {subcommand}: holdem evaluators {subcommand} -f {output_format}"
        )


def _list(output_format: str) -> None:
    from holdem.evaluation.registry import evaluators
    from holdem.report.evaluator_reports import evaluator_list_report

    print_report(evaluator_list_report(evaluators()), output_format)
