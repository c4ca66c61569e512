"""Groups of commands that load a command's module when the command is called."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click


def _disable_plugins(_: click.Context, __: click.Parameter, wanted: bool) -> None:
    if wanted:
        from holdem.evaluation.registry import REGISTRY

        REGISTRY.disable_plugins()


def no_plugins_option() -> click.Option:
    """Return the option that every command has."""
    return click.Option(
        ["--no-plugins"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_disable_plugins,
        help="Load no evaluator plugin: only the engine's own.",
    )


class LazyGroup(click.Group):
    """A group that knows its commands by name and module.

    Args:
        modules: the name of each command, and the module in `holdem.cli` it stands in, which
            has a click command called ``command``.
    """

    def __init__(self, *arguments: Any, modules: dict[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands, in the order of the help."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command, and give it the option that every command has."""
        if cmd_name not in self.modules:
            near = ", ".join(self.modules)
            ctx.fail(f"no command {cmd_name!r}; there are: {near}")
        command = import_module(f"holdem.cli.{self.modules[cmd_name]}").command
        assert isinstance(command, click.Command)
        if not any(option.name == "no_plugins" for option in command.params):
            command.params.append(no_plugins_option())
        return command
