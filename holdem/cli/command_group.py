"""Command groups that import a command's module only when the command is needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click


def _disable_plugins(_: click.Context, __: click.Parameter, is_set: bool) -> None:
    if is_set:
        from holdem.evaluation.registry import REGISTRY

        REGISTRY.disable_plugins()


def no_plugins_option() -> click.Option:
    """Return the option ``--no-plugins``, which every command has."""
    return click.Option(
        ["--no-plugins"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_disable_plugins,
        help="Do not load evaluator plugins.",
    )


class LazyGroup(click.Group):
    """A command group that imports a command's module only when the command is needed.

    Args:
        modules: the module in `holdem.cli` of each command, by the command's name. It has a
            click command named ``command``.
    """

    def __init__(self, *arguments: Any, modules: dict[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands, in the order of the help text."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command by its name and add the ``--no-plugins`` option to it."""
        if cmd_name not in self.modules:
            ctx.fail(f"no command {cmd_name!r}; there are: {', '.join(self.modules)}")
        command = import_module(f"holdem.cli.{self.modules[cmd_name]}").command
        assert isinstance(command, click.Command)
        if not any(option.name == "no_plugins" for option in command.params):
            command.params.append(no_plugins_option())
        return command
