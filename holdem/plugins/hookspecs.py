"""The hooks: functions that a plugin may implement, marked with `holdem.hookimpl`.

`holdem` calls each implementation of a hook once, without arguments, when an answer is first
needed. A failure affects only the plugin that caused it: an exception or a call of `sys.exit` marks
this plugin as broken and records the reason, and the other plugins work. Calls through
`holdem.plugin_manager().hook` are made by pluggy: they call all implementations, and end at the
first exception.

A plugin that implements a hook of a later version of `holdem` marks it with
``@holdem.hookimpl(optionalhook=True)``; without this, an unknown hook is an error. Wrappers are
refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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
    is first needed. It must be fast; tables can be built later, in `EvaluatorSpec.load`.
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
    """Map names to ranges, which range strings then use as ``@name``.

    A name has letters, digits, ``-`` and ``_``, with ``/`` between parts. A range is a `Range`, or
    text, which is parsed where it is used and may use other names. The hook is called when a range
    string first uses a name, for ``holdem range --list``, and for `holdem.evaluators`.
    """
    return {}  # pragma: no cover


@hookspec
def holdem_strategies() -> Iterable[holdem.Strategy]:
    """List the strategies that a plugin offers for `holdem.play`, made by `holdem.strategy`.

    The hook is called when a strategy is first needed by its name, and for ``holdem strategies``.
    It must be fast.
    """
    return []  # pragma: no cover


@hookspec
def holdem_warm_up() -> Mapping[str, Callable[[], object]]:
    """Map names to functions, each of which calls kernels that no evaluator's batch function calls.

    `holdem.warm_up` calls them, with small arguments of all types that occur, and shows the names
    beside its progress. The kernels of evaluators are compiled without this hook.
    """
    return {}  # pragma: no cover
