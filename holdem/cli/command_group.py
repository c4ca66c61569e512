"""Command groups that import a command's module only when the command is needed."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import click

from holdem.errors import did_you_mean
from holdem.evaluation.plugin_guard import TRACEBACK_VARIABLE


def _disable_plugins(_: click.Context, __: click.Parameter, is_set: bool) -> None:
    if is_set:
        from holdem.evaluation.registry import REGISTRY

        REGISTRY.disable_plugins()


def no_plugins_option() -> click.Option:
    """Make the option ``--no-plugins``, which every command has."""
    return click.Option(
        ["--no-plugins"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_disable_plugins,
        help="Do not load evaluator plugins.",
    )


def _show_tracebacks(_: click.Context, __: click.Parameter, is_set: bool) -> None:
    if is_set:
        os.environ[TRACEBACK_VARIABLE] = "1"  # workers of a cluster inherit it


def traceback_option() -> click.Option:
    """Make the option ``--traceback``, which every command has."""
    return click.Option(
        ["--traceback"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_tracebacks,
        help="Show errors of evaluators, and unexpected errors, with their traceback.",
    )


class LazyGroup(click.Group):
    """A command group that imports a command's module only when the command is needed.

    Args:
        commands_at: the function of each command, by the command's name, as
            ``"holdem.cli.range:hits_command"``.
    """

    def __init__(self, *arguments: Any, commands_at: dict[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.commands_at = commands_at

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """List the command names in the order of the help text."""
        return list(self.commands_at)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command by its name, and add the options that every command has."""
        if cmd_name not in self.commands_at:
            ctx.fail(f"no command {cmd_name!r}{self._hint(cmd_name)}")
        module, _, function = self.commands_at[cmd_name].partition(":")
        command = getattr(import_module(module), function)
        assert isinstance(command, click.Command)
        if not any(option.name == "no_plugins" for option in command.params):
            command.params += no_plugins_option(), traceback_option()
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and give errors of its option parser the context that they lack."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            name = ctx.invoked_subcommand
            command = self.get_command(ctx, name) if error.ctx is None and name else None
            if command is not None:
                error.ctx = click.Context(command, parent=ctx, info_name=name)
            raise

    def _hint(self, name: str) -> str:
        """Suggest the most similar command and list all, for the end of an error message."""
        return f"{did_you_mean(name, self.commands_at)}; there are: {', '.join(self.commands_at)}"
