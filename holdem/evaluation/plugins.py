"""Discovery of plugins, including broken and disabled ones.

pluggy's own loader of entry points is not used: it stops at the first plugin that fails, and
silently drops the second of two plugins of one name. Calling a hook on all plugins stops at the
first exception. Here each plugin has a separate plugin manager.

Conflicts of names are detected in `holdem.evaluation.registry`. Violations of the contract are
detected in `holdem.evaluation.load_checks`, when an evaluator is first used.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

import attrs
import pluggy

from holdem.errors import EvaluatorError, one_line
from holdem.evaluation import contract
from holdem.evaluation.contract import PROJECT, EvaluatorSpec
from holdem.evaluation.plugin_guard import GuardedCall
from holdem.messages import notify_once
from holdem.version import DISTRIBUTION, VERSION

if TYPE_CHECKING:
    from importlib import metadata  # takes 10 ms, and built-in evaluators do not need it

DISABLE_VARIABLE = "HOLDEM_DISABLE_PLUGINS"

Status = Literal["active", "disabled", "broken"]


@attrs.frozen
class Plugin:
    """A plugin's entry point, with its specs or the reason why it has none."""

    name: str
    distribution: str
    version: str
    status: Status
    reason: str = ""
    specs: tuple[EvaluatorSpec, ...] = ()


def load_builtin_plugin() -> Plugin:
    """Load the built-in evaluators in the form of a plugin.

    They are offered through the same hook.
    """
    from holdem.evaluation import builtin

    return Plugin(PROJECT, DISTRIBUTION, VERSION, "active", specs=_call_hook(builtin, PROJECT))


def read_disabled() -> tuple[bool, frozenset[str]]:
    """Read ``HOLDEM_DISABLE_PLUGINS``: whether all plugins are disabled, or else which ones.

    The names are those of plugins or evaluators.
    """
    text = os.environ.get(DISABLE_VARIABLE, "").strip()
    return text == "1", frozenset(name.strip() for name in text.split(",") if name.strip())


def load_installed_plugins() -> list[Plugin]:
    """Load the installed plugins that are not disabled; list all plugins by name."""
    plugins = [_load_plugin(entry_point) for entry_point in _find_entry_points()]
    return sorted(plugins, key=lambda plugin: (plugin.name, plugin.distribution))


def _load_plugin(entry_point: metadata.EntryPoint) -> Plugin:
    name = one_line(entry_point.name)
    origin = _read_origin(entry_point.dist)
    all_disabled, names = read_disabled()
    if all_disabled or entry_point.name in names:
        return Plugin(name, *origin, "disabled", f"by {DISABLE_VARIABLE}")
    try:
        with GuardedCall():
            with GuardedCall(suffix=f" (importing {entry_point.value})"):
                module = entry_point.load()
            specs = _call_hook(module, entry_point.name)
    except EvaluatorError as error:
        return Plugin(name, *origin, "broken", str(error))
    except KeyboardInterrupt:
        notify_once(
            f"interrupted while loading the plugin {name} of {' '.join(origin).strip()};"
            f" {DISABLE_VARIABLE}={name} disables it"
        )
        raise
    return Plugin(name, *origin, "active", specs=specs)


def _find_entry_points() -> list[metadata.EntryPoint]:
    from importlib import metadata

    try:
        return list(metadata.entry_points(group=PROJECT))
    except Exception:  # the metadata of one distribution cannot be read
        return list(_find_readable_entry_points())


def _find_readable_entry_points() -> Iterator[metadata.EntryPoint]:
    from importlib import metadata

    seen: set[str] = set()
    for distribution in metadata.distributions():
        name = _read_origin(distribution)[0]
        if name in seen:
            continue  # the first on the path hides the others, as in `entry_points`
        seen.add(name)
        try:
            yield from distribution.entry_points.select(group=PROJECT)
        except Exception:  # noqa: S112 - its entry points are unreadable
            continue


def _read_origin(distribution: metadata.Distribution | None) -> tuple[str, str]:
    """Read a distribution's name and version; return ``("unknown", "")`` on failure."""
    try:
        assert distribution is not None
        return one_line(distribution.name), one_line(distribution.version)
    except Exception:  # no METADATA, or one without these fields
        return "unknown", ""


def _call_hook(plugin: object, name: str) -> tuple[EvaluatorSpec, ...]:
    """Call a plugin's hook through a new plugin manager, and validate the specs that it returns.

    Raises:
        EvaluatorError: the plugin is broken; the message is the reason.
    """
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
