"""The hooks: functions that a plugin may implement, marked with `holdem.hookimpl`.

`holdem` calls the implementations of a hook one at a time, without arguments, and once each, when
an answer is first needed. Whatever an implementation does wrong concerns its own plugin only: an
exception, a call of `sys.exit`, or output on standard output marks the plugin as broken, with the
reason, and the others work. Calls through `holdem.plugin_manager().hook` are pluggy's own: they
call all implementations, and end at the first exception.

A plugin that implements a hook of a later version of `holdem` marks it with
``@holdem.hookimpl(optionalhook=True)``; without this, an unknown hook is an error. Wrappers are
refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    import click

    import holdem

#: The name of the project in pluggy, for hooks, markers and the entry-point group.
PROJECT = "holdem"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def holdem_evaluators() -> Iterable[holdem.EvaluatorSpec]:
    """List the specs of the evaluators that a plugin offers.

    The hook is called when an evaluator other than the built-in ones, or the list of evaluators,
    is first needed, and must be cheap: tables are built by `EvaluatorSpec.load`.
    """
    return []  # pragma: no cover - pluggy never calls a specification


@hookspec
def holdem_commands() -> Mapping[str, click.Command | str]:
    """Map names to commands of the command line, such as ``holdem my-command``.

    A command is a `click.Command`, or ``"module:attribute"``, which is imported when the command
    runs. The names of the engine's own commands cannot be taken. The hook is called when the
    engine does not know the name of a command, and for ``holdem --help``.
    """
    return {}  # pragma: no cover


@hookspec
def holdem_ranges() -> Mapping[str, holdem.Range | str]:
    """Map names to ranges; text in the range language refers to each of them as ``@name``.

    A name has letters, digits, ``-`` and ``_``, with ``/`` between parts. A range is a `Range`, or
    text, which is parsed where it is used and may use other names. The hook is called when a text
    first uses a name, and for ``holdem range --list``.
    """
    return {}  # pragma: no cover
