"""Which evaluators there are: the engine's own, those of plugins, those of the script.

Plugins are loaded one at a time, each behind a guard of its own. pluggy's loader of entry
points is not used: it ends at the first that fails, and drops the second of two plugins of
one name in silence; a call of the hook on all plugins at once ends at the first exception.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from difflib import get_close_matches
from importlib import metadata
from typing import Any, Literal

import attrs
import pluggy

from holdem.errors import EvaluatorError, HoldemTypeError, visible
from holdem.evaluation import contract
from holdem.evaluation.contract import PROJECT, EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator

DISABLE_VARIABLE = "HOLDEM_DISABLE_PLUGINS"
DEFAULT_EVALUATOR = "lookup"
_OWN = ("lookup", "reference")  # named here so that plugins of these names can be refused

Status = Literal["active", "disabled", "broken"]


@attrs.frozen
class EvaluatorRecord:
    """What is known of one evaluator, loaded or not."""

    name: str
    summary: str
    source: str
    hand_sizes: tuple[int, ...]
    rules: str
    distribution: str
    """The distribution that it was installed with; empty for one of the script's own."""
    version: str
    status: Status
    reason: str
    """Why it is disabled or broken; empty when active."""

    def to_dict(self) -> dict[str, Any]:
        """Return the record as ``holdem evaluators -f json`` prints it."""
        return {**attrs.asdict(self), "hand_sizes": list(self.hand_sizes)}


@attrs.define
class _Entry:
    record: EvaluatorRecord
    evaluator: Evaluator | None


def _origin(distribution: metadata.Distribution | None) -> tuple[str, str]:
    if distribution is None:
        return "", ""
    return distribution.name or "", distribution.version or ""


def own_version() -> str:
    """Return the version of the installed engine."""
    try:
        return metadata.version(PROJECT)
    except metadata.PackageNotFoundError:
        return "unknown"


class Registry:
    """The evaluators of one process. The module's `REGISTRY` is the one in use."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] | None = None
        self._lock = threading.RLock()
        self._no_plugins = False

    def disable_plugins(self) -> None:
        """Load no entry point from now on (the command line's ``--no-plugins``)."""
        with self._lock:
            self._no_plugins = True
            self._entries = None

    def records(self) -> list[EvaluatorRecord]:
        """Return a record for each installed evaluator, the engine's own first."""
        return [entry.record for entry in self._all().values()]

    def get(self, name: str | Evaluator | EvaluatorSpec | None = None) -> Evaluator:
        """Return the evaluator of that name; the default one for None.

        Raises:
            EvaluatorError: unknown, disabled or broken; says why, and what there is.
        """
        if isinstance(name, Evaluator):
            return name
        if isinstance(name, EvaluatorSpec):
            registered = self._all().get(name.name)
            if (
                registered is not None
                and registered.evaluator is not None
                and registered.evaluator.spec is name
            ):
                return registered.evaluator
            return Evaluator(name)
        if name is None:
            name = DEFAULT_EVALUATOR
        if not isinstance(name, str):
            raise HoldemTypeError(f"an evaluator is named by text, not {name!r}")
        entry = self._all().get(name)
        if entry is None:
            active = [known for known, found in self._all().items() if found.evaluator is not None]
            near = get_close_matches(name, active, n=1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            raise EvaluatorError(
                f"no evaluator {visible(name)}{hint}; there are: {', '.join(active)}"
            )
        if entry.evaluator is None:
            raise EvaluatorError(
                f"evaluator {name!r} is {entry.record.status}: {entry.record.reason}"
            )
        return entry.evaluator

    def register(self, spec: EvaluatorSpec, *, replace: bool = False) -> EvaluatorSpec:
        """Make an evaluator known to the running script.

        Args:
            spec: what `holdem.evaluator` returns, or one made by hand.
            replace: take the place of an evaluator registered by the script before, as when
                a notebook's cell is run again.

        Raises:
            EvaluatorError: the name is taken.
        """
        if not isinstance(spec, EvaluatorSpec):
            raise HoldemTypeError(f"register takes an EvaluatorSpec, not {spec!r}")
        with self._lock:
            entries = self._all()
            taken = entries.get(spec.name)
            if taken is not None and (taken.record.distribution or not replace):
                owner = taken.record.distribution or "this script (replace=True takes its place)"
                raise EvaluatorError(f"the name {spec.name!r} is taken by {owner}")
            entries[spec.name] = _Entry(_record(spec, "", ""), Evaluator(spec))
        return spec

    def _all(self) -> dict[str, _Entry]:
        with self._lock:
            if self._entries is None:
                self._entries = self._discover()
            return self._entries

    def _discover(self) -> dict[str, _Entry]:
        from holdem.evaluation import own  # the engine's own plugin, through the same hook

        manager = pluggy.PluginManager(PROJECT)
        manager.add_hookspecs(contract)
        manager.register(own, name=PROJECT)
        entries: dict[str, _Entry] = {}
        self._add(entries, _ask_plugin(manager, own), PROJECT, own_version())
        everything, names = _disabled()
        if self._no_plugins:
            return entries
        for entry_point in sorted(
            metadata.entry_points(group=PROJECT), key=lambda found: found.name
        ):
            origin = _origin(entry_point.dist)
            if everything or entry_point.name in names:
                _note(entries, entry_point.name, *origin, "disabled", f"by {DISABLE_VARIABLE}")
                continue
            try:
                specs = _load_plugin(manager, entry_point)
            except (Exception, SystemExit) as error:
                told = (
                    str(error)
                    if isinstance(error, EvaluatorError)
                    else f"{type(error).__name__}: {error}"
                )
                _note(entries, entry_point.name, *origin, "broken", told)
                continue
            self._add(entries, [spec for spec in specs if spec.name not in names], *origin)
            for spec in specs:
                if spec.name in names:
                    _note(entries, spec.name, *origin, "disabled", f"by {DISABLE_VARIABLE}")
        return entries

    @staticmethod
    def _add(
        entries: dict[str, _Entry], specs: Iterable[EvaluatorSpec], distribution: str, version: str
    ) -> None:
        for spec in specs:
            taken = entries.get(spec.name)
            if taken is None or taken.record.status == "disabled":
                entries[spec.name] = _Entry(
                    _record(spec, distribution, version), Evaluator(spec, version)
                )
                continue
            other = f"{taken.record.distribution} {taken.record.version}"
            reason = (
                f"two plugins offer {spec.name!r}: {other} and {distribution} {version};"
                f" uninstall one, or switch its entry point off with {DISABLE_VARIABLE}"
            )
            if spec.name in _OWN and taken.record.distribution == PROJECT:
                _note(
                    entries,
                    f"{spec.name} ({distribution})",
                    distribution,
                    version,
                    "broken",
                    reason,
                )
            else:
                entries[spec.name] = _Entry(
                    attrs.evolve(taken.record, status="broken", reason=reason), None
                )


def _disabled() -> tuple[bool, frozenset[str]]:
    """Read ``HOLDEM_DISABLE_PLUGINS``: ``1`` for all, or names with commas between."""
    text = os.environ.get(DISABLE_VARIABLE, "").strip()
    return text == "1", frozenset(name.strip() for name in text.split(",") if name.strip())


def _record(spec: EvaluatorSpec, distribution: str, version: str) -> EvaluatorRecord:
    sizes = tuple(sorted(spec.hand_sizes))
    return EvaluatorRecord(
        spec.name, spec.summary, spec.source, sizes, spec.rules, distribution, version, "active", ""
    )


def _note(
    entries: dict[str, _Entry],
    name: str,
    distribution: str,
    version: str,
    status: Status,
    reason: str,
) -> None:
    """List something that cannot be used, without taking a working evaluator's place."""
    shown = name if name.isprintable() else visible(name)
    while shown in entries:
        shown += "'"
    reason = (
        " ".join(reason.split()) if reason.isprintable() else visible(" ".join(reason.split()), 300)
    )
    entries[shown] = _Entry(
        EvaluatorRecord(shown, "", "", (), "", distribution, version, status, reason), None
    )


def _load_plugin(
    manager: pluggy.PluginManager, entry_point: metadata.EntryPoint
) -> list[EvaluatorSpec]:
    """Import one entry point, register it and call its hook, apart from all others."""
    plugin = entry_point.load()
    try:
        if manager.register(plugin, name=_unique(manager, entry_point.name)) is None:
            raise EvaluatorError("blocked by pluggy")
    except (pluggy.PluginValidationError, ValueError) as error:
        raise EvaluatorError(str(error)) from error
    try:
        manager.check_pending()
        return _ask_plugin(manager, plugin)
    except pluggy.PluginValidationError as error:
        raise EvaluatorError(str(error)) from error
    finally:
        # A plugin with a pending hook would make `check_pending` fail for every later one.
        manager.unregister(plugin)


def _unique(manager: pluggy.PluginManager, name: str) -> str:
    while manager.has_plugin(name):
        name += "'"
    return name


def _ask_plugin(manager: pluggy.PluginManager, plugin: Any) -> list[EvaluatorSpec]:
    """Call the hook of one plugin only."""
    if not any(
        caller.name == "holdem_evaluators" for caller in manager.get_hookcallers(plugin) or []
    ):
        raise EvaluatorError(
            "it has no hook: expected a function holdem_evaluators marked @holdem.hookimpl"
        )
    others = [other for other in manager.get_plugins() if other is not plugin]
    answers = manager.subset_hook_caller("holdem_evaluators", remove_plugins=others)()
    if not answers:
        raise EvaluatorError("holdem_evaluators returned None, not a list of EvaluatorSpec")
    specs = list(answers[0])
    for spec in specs:
        if not isinstance(spec, EvaluatorSpec):
            raise EvaluatorError(f"holdem_evaluators returned {spec!r}, not an EvaluatorSpec")
    repeated = {spec.name for spec in specs if sum(spec.name == other.name for other in specs) > 1}
    if repeated:
        raise EvaluatorError(f"it offers {min(repeated)!r} twice")
    return specs


#: The registry of this process.
REGISTRY = Registry()


def evaluators() -> list[EvaluatorRecord]:
    """Return a record for each installed evaluator, broken and disabled ones with the reason."""
    return REGISTRY.records()


def get_evaluator(name: str | Evaluator | EvaluatorSpec | None = None) -> Evaluator:
    """Return an evaluator by its name; the default one for None.

    Raises:
        EvaluatorError: unknown, disabled or broken; says why, and what there is.
    """
    return REGISTRY.get(name)


def register(spec: EvaluatorSpec, *, replace: bool = False) -> EvaluatorSpec:
    """Make an evaluator known, by its name, to the running script.

    Args:
        spec: what `holdem.evaluator` returns, or a spec made by hand.
        replace: take the place of one registered by the script before.

    Raises:
        EvaluatorError: the name is taken.
    """
    return REGISTRY.register(spec, replace=replace)
