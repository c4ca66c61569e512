"""Plugins: one at a time, each behind a guard of its own, so that a fault stays where it is.

pluggy's loader of entry points is not used: it ends at the first that fails, and drops the
second of two plugins of one name in silence; a call of the hook on all plugins at once ends
at the first exception. So every plugin gets a manager of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

import attrs
import pluggy

from holdem.errors import EvaluatorError, error_text, one_line
from holdem.evaluation import contract
from holdem.evaluation.contract import PROJECT, EvaluatorSpec
from holdem.evaluation.plugin_guard import FOREIGN
from holdem.messages import notify_once
from holdem.version import VERSION

if TYPE_CHECKING:
    # Where it is used it is imported: 10 ms that the engine's own evaluators can do without.
    from importlib import metadata

DISABLE_VARIABLE = "HOLDEM_DISABLE_PLUGINS"

Status = Literal["active", "disabled", "broken"]


@attrs.frozen
class Plugin:
    """An entry point: the specs that it brought, or why it brought none."""

    name: str
    distribution: str
    version: str
    status: Status
    reason: str = ""
    specs: tuple[EvaluatorSpec, ...] = ()


def own_plugin() -> Plugin:
    """Return the engine's own evaluators, asked for through the same hook as anyone's."""
    from holdem.evaluation.builtin import specs

    return Plugin(PROJECT, PROJECT, VERSION, "active", specs=_ask(specs, PROJECT))


def disabled() -> tuple[bool, frozenset[str]]:
    """Read ``HOLDEM_DISABLE_PLUGINS``: ``1`` for all, or names with commas between."""
    text = os.environ.get(DISABLE_VARIABLE, "").strip()
    return text == "1", frozenset(name.strip() for name in text.split(",") if name.strip())


def installed_plugins() -> list[Plugin]:
    """Load every entry point that is not disabled, by name, and by distribution where alike."""
    return sorted(_load_all(), key=lambda plugin: (plugin.name, plugin.distribution))


def _load_all() -> Iterator[Plugin]:
    everything, names = disabled()
    for entry_point in _entry_points():
        name = one_line(entry_point.name)
        origin = _origin(entry_point.dist)
        if everything or entry_point.name in names:
            yield Plugin(name, *origin, "disabled", f"by {DISABLE_VARIABLE}")
            continue
        try:
            specs = _load(entry_point)
        except KeyboardInterrupt:
            notify_once(
                f"ended while the plugin {name} of {' '.join(origin).strip()} was loaded;"
                f" {DISABLE_VARIABLE}={name} leaves it out"
            )
            raise
        except BaseException as error:  # whatever it is, it is that plugin's trouble
            yield Plugin(name, *origin, "broken", error_text(error))
        else:
            yield Plugin(name, *origin, "active", specs=specs)


def _entry_points() -> list[metadata.EntryPoint]:
    from importlib import metadata

    try:
        return list(metadata.entry_points(group=PROJECT))
    except Exception:
        # Someone's file cannot be read, and Python gives up on all: ask one by one.
        return list(_readable_entry_points())


def _readable_entry_points() -> Iterator[metadata.EntryPoint]:
    from importlib import metadata

    seen: set[str] = set()
    for distribution in metadata.distributions():
        name = _origin(distribution)[0]
        if name in seen:
            continue  # the first on the path hides the others, as in `entry_points`
        seen.add(name)
        try:
            yield from distribution.entry_points.select(group=PROJECT)
        except Exception:  # noqa: S112 - whatever it offers, its file says nothing that can be read
            continue


def _origin(distribution: metadata.Distribution | None) -> tuple[str, str]:
    """Return name and version, as far as the distribution's own files tell them."""
    try:
        assert distribution is not None
        return one_line(distribution.name), one_line(distribution.version)
    except Exception:  # no METADATA, or one without these fields
        return "unknown", ""


def _load(entry_point: metadata.EntryPoint) -> tuple[EvaluatorSpec, ...]:
    try:
        with FOREIGN:
            plugin = entry_point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise EvaluatorError(f"{error_text(error)} (importing {entry_point.value})") from error
    return _ask(plugin, entry_point.name)


def _ask(plugin: object, name: str) -> tuple[EvaluatorSpec, ...]:
    """Register one plugin apart from all others, and call its hook."""
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(contract)
    hook = manager.hook.holdem_evaluators
    try:
        manager.register(plugin, name=name)
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        raise EvaluatorError(f"{error}; the only hook is holdem_evaluators()") from error
    if not hook.get_hookimpls():
        raise EvaluatorError(
            "it has no hook: expected a function holdem_evaluators marked @holdem.hookimpl"
        )
    with FOREIGN:
        answers = hook()
        answer = answers[0] if answers else None  # pluggy leaves None out
        specs = tuple(answer) if isinstance(answer, Iterable) else (answer,)
    for spec in specs:
        if not isinstance(spec, EvaluatorSpec) or not isinstance(answer, Iterable):
            returned = one_line(repr(answer), 100)
            raise EvaluatorError(
                f"holdem_evaluators returned {returned}, not a list of EvaluatorSpec"
            )
    names = [spec.name for spec in specs]
    for name in names:
        if names.count(name) > 1:
            raise EvaluatorError(f"it offers {name!r} twice")
    return specs
