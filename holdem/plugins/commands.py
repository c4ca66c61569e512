"""Commands that plugins offer through the hook `holdem_commands`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import partial
from importlib import import_module
from typing import Any

import attrs
import click

from holdem.errors import EvaluatorError, HoldemValueError, one_line, quoted
from holdem.plugins.bundled import COMMANDS
from holdem.plugins.guard import GuardedCall
from holdem.plugins.manager import PLUGINS, Origin
from holdem.version import DISTRIBUTION

HOOK = "holdem_commands"

_NAME = re.compile("[a-z0-9]+(?:-[a-z0-9]+)*")


@attrs.frozen(eq=False)
class PluginCommand:
    """A command that a plugin offers."""

    name: str
    target: click.Command | str
    """The command, or where it is to be imported from: ``"module:attribute"``."""
    origin: Origin
    fault: str = ""
    """Why the command cannot be used; empty if it can."""

    def load(self) -> click.Command:
        """Import the command; if that fails, return a command that only raises the error."""
        try:
            return self._import()
        except HoldemValueError as error:
            reason = error

        def callback(**_: Any) -> None:
            raise reason

        settings = {"ignore_unknown_options": True, "allow_extra_args": True}
        return click.Command(
            self.name, callback=callback, help=f"Broken: {reason}", context_settings=settings
        )

    def _import(self) -> click.Command:
        if self.fault:
            raise HoldemValueError(f"command {self.name!r}: {self.fault}")
        if isinstance(self.target, click.Command):
            return self.target
        module, _, attribute = self.target.partition(":")
        try:
            with GuardedCall(suffix=f" (importing {self.target})"):
                found = getattr(import_module(module), attribute)
        except EvaluatorError as error:
            raise HoldemValueError(f"command {self.name!r} of {self.origin}: {error}") from error
        if not isinstance(found, click.Command):
            raise HoldemValueError(
                f"command {self.name!r} of {self.origin}: {self.target} is {quoted(found)}, not a"
                " click command"
            )
        return found


def find_commands(engine: Collection[str]) -> dict[str, PluginCommand]:
    """Ask all plugins for their commands, none of which can have a name in `engine`.

    Commands that two plugins offer are included, with a `fault`.
    """
    commands: dict[str, PluginCommand] = {}
    for offer in PLUGINS.call(HOOK, partial(_read_commands, engine)):
        for name, target in offer.answer.items():
            fault = ""
            if name in commands:
                other = commands[name].origin
                fault = f"2 plugins offer it, {other} and {offer.origin}: uninstall one of them"
            commands[name] = PluginCommand(name, target, offer.origin, fault)
    return commands


def describe_missing(name: str) -> str:
    """Say why a command of a bundled plugin is not there."""
    plugin = COMMANDS[name]
    why = "which is not installed"
    if PLUGINS.is_disabled:
        why = "left out by --no-plugins"
    for fault in PLUGINS.faults():
        if fault.origin.distribution == DISTRIBUTION and f"holdem_{fault.plugin}" == plugin:
            why = f"which is {fault.status}: {fault.reason}"
    return f"{name} comes from the plugin {plugin}, {why}"


def _read_commands(
    taken: Collection[str], answer: Any, origin: Origin
) -> dict[str, click.Command | str]:
    """Validate a plugin's answer to `holdem_commands`, which cannot have the names `taken`."""
    if not isinstance(answer, Mapping):
        raise EvaluatorError(
            f"{HOOK} returned {one_line(repr(answer), 100)}, not a mapping from names to commands"
        )
    for name, target in answer.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise EvaluatorError(
                f"{HOOK}: {quoted(name)} is not a valid name of a command: use a-z, 0-9 and -"
                " inside"
            )
        if name in taken or (name in COMMANDS and origin.distribution != DISTRIBUTION):
            raise EvaluatorError(f"{HOOK}: {name!r} is a command of holdem itself")
        if not isinstance(target, click.Command) and not (
            isinstance(target, str) and re.fullmatch(r"[\w.]+:\w+", target)
        ):
            raise EvaluatorError(
                f"{HOOK}: {name} is {quoted(target)}, not a click command or text such as"
                " 'my_package.commands:command'"
            )
    return dict(answer)
