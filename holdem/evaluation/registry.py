"""Which evaluators there are: the engine's own, those of plugins, those of the script."""

from __future__ import annotations

import threading
from typing import Any

import attrs

from holdem.errors import ConfigurationError, EvaluatorError, HoldemTypeError, one_line, quoted
from holdem.evaluation.configuration import Configuration, read_configuration
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.plugins import (
    DISABLE_VARIABLE,
    Plugin,
    Status,
    disabled,
    installed_plugins,
    own_plugin,
)
from holdem.messages import notify_once
from holdem.values import STANDARD

#: The evaluator that is asked where neither the call nor the user's configuration names one.
DEFAULT_EVALUATOR = "lookup"
#: What the extra `peers` brings: known by name, so that who lacks it hears where it comes from.
PEERS = ("eval7", "phevaluator", "pokerkit", "treys")
_SCRIPT = Plugin("", "", "", "active")  # where evaluators that a script registers come from


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


@attrs.frozen
class _Entry:
    known: EvaluatorRecord
    evaluator: Evaluator | None

    @property
    def record(self) -> EvaluatorRecord:
        """What is known by now: one that could not be loaded when first asked is broken."""
        if self.evaluator is None or not self.evaluator.failure:
            return self.known
        return attrs.evolve(self.known, status="broken", reason=self.evaluator.failure)


class Registry:
    """The evaluators of one process. The module's `REGISTRY` is the one in use."""

    def __init__(self) -> None:
        self._own: dict[str, _Entry] | None = None
        self._installed: dict[str, _Entry] | None = None
        self._registered: dict[str, _Entry] = {}
        self._of_spec: dict[int, Evaluator] = {}  # by id: each holds its spec, so ids stay theirs
        self._lock = threading.RLock()
        self._loading = False
        self._no_plugins = False
        self._configuration: Configuration | None = None

    def _engine(self) -> dict[str, _Entry]:
        """Return the engine's own evaluators, by name."""
        if self._own is None:
            with self._lock:
                if self._own is None:
                    own = own_plugin()
                    self._own = {spec.name: _entry(spec, own) for spec in own.specs}
        return self._own

    def disable_plugins(self) -> None:
        """Load no entry point from now on (the command line's ``--no-plugins``)."""
        with self._lock:
            self._no_plugins = True
            self._installed = None

    def records(self) -> list[EvaluatorRecord]:
        """Return a record for each installed evaluator, the engine's own first."""
        return [entry.record for entry in self._all().values()]

    def get(self, name: str | Evaluator | EvaluatorSpec | None = None) -> Evaluator:
        """Return the evaluator of that name; the default one for None.

        Raises:
            EvaluatorError: unknown, disabled or broken; says why, and what there is.
            ConfigurationError: the default is wanted, and the user's configuration is wrong.
        """
        if isinstance(name, Evaluator):
            return name
        if isinstance(name, EvaluatorSpec):
            return self._evaluator_of(name)
        if name is None:
            return self._default()
        if not isinstance(name, str):
            raise HoldemTypeError(
                f"an evaluator is named by text, not {one_line(repr(name))}"
                + '; decorate a function of hands with @holdem.evaluator("name")' * callable(name)
            )
        # The engine's own names are nobody else's: no plugin need be looked for.
        entry = self._engine().get(name)
        if entry is not None and entry.evaluator is not None:
            return entry.evaluator
        entries = self._all()
        entry = entries.get(name)
        if entry is None:
            raise self._unknown(name, entries)
        if entry.evaluator is None:
            raise EvaluatorError(
                f"evaluator {name!r} is {entry.known.status}: {entry.known.reason}"
            )
        return entry.evaluator

    def _unknown(self, name: str, entries: dict[str, _Entry]) -> EvaluatorError:
        """Return the error of a name that nobody has, with where it may have gone."""
        from difflib import get_close_matches

        active = [known for known, found in entries.items() if found.record.status == "active"]
        off = [known for known, found in entries.items() if found.known.status == "disabled"]
        near = [] if name in PEERS else get_close_matches(name, active, n=1)
        if near:
            hint = f" (did you mean {near[0]}?)"
        elif self._no_plugins:
            hint = " (plugins are disabled, by --no-plugins)"
        elif off:
            hint = f" (disabled, by {DISABLE_VARIABLE}: {', '.join(off)})"
        elif name in PEERS:
            hint = ' (it comes with: pip install "holdem[peers]")'
        else:
            hint = ""
        more = "" if self._registered else ", and in a script those that it registers"
        told = f"no evaluator {quoted(name)}{hint}; there are: {', '.join(active)}{more}"
        return EvaluatorError(told)

    @property
    def configuration(self) -> Configuration:
        """What the user has set, read when it is first asked for.

        Raises:
            ConfigurationError: the file cannot be read, or says what has no meaning.
        """
        with self._lock:
            if self._configuration is None:
                self._configuration = read_configuration()
            return self._configuration

    def _default(self) -> Evaluator:
        """Return the evaluator for those who name none: the user's choice, or `lookup`."""
        chosen = self.configuration
        if chosen.evaluator is None:
            return self.get(DEFAULT_EVALUATOR)
        try:
            found = self.get(chosen.evaluator)
            found.scale  # noqa: B018 - loads it: one that is broken is refused with the file's name
        except EvaluatorError as error:
            raise ConfigurationError(f"the default evaluator of {chosen.file}: {error}") from error
        if found.rules is not STANDARD:
            raise ConfigurationError(
                f"the default evaluator of {chosen.file}: {found.name!r} has {found.rules.name}"
                " rules, and a default has standard ones; name it where it is wanted"
            )
        return found

    def key_of(self, evaluator: Evaluator) -> str | EvaluatorSpec:
        """Return what `get` finds this evaluator by: its name, or its spec if not registered."""
        entry = self._all().get(evaluator.name)
        known = entry is not None and entry.evaluator is evaluator
        return evaluator.name if known else evaluator.spec

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
            raise HoldemTypeError(f"register takes an EvaluatorSpec, not {one_line(repr(spec))}")
        with self._lock:
            taken = self._all().get(spec.name)
            ours = spec.name in self._registered
            if taken is not None and not (ours and replace):
                owner = (
                    "this script (replace=True takes its place)" if ours else _shown(taken.known)
                )
                raise EvaluatorError(f"the name {spec.name!r} is taken by {owner}")
            record = _record(spec, _SCRIPT, "active", "")
            self._registered[spec.name] = _Entry(record, self._evaluator_of(spec))
        return spec

    def _evaluator_of(self, spec: EvaluatorSpec) -> Evaluator:
        """Return the one evaluator of a spec, so that it is loaded once and values compare."""
        with self._lock:
            for entry in {**self._engine(), **(self._installed or {})}.values():
                if entry.evaluator is not None and entry.evaluator.spec is spec:
                    return entry.evaluator
            return self._of_spec.setdefault(id(spec), Evaluator(spec))

    def _all(self) -> dict[str, _Entry]:
        with self._lock:
            if self._installed is None:
                if self._loading:
                    raise EvaluatorError("evaluators are asked for while plugins are being loaded")
                self._loading = True
                try:
                    plugins = [] if self._no_plugins else installed_plugins()
                    self._installed = _settle(self._engine(), plugins)
                    if not self._no_plugins:
                        _tell_of_strays(plugins)
                finally:
                    self._loading = False
            return {**self._installed, **self._registered}


def _settle(own: dict[str, _Entry], plugins: list[Plugin]) -> dict[str, _Entry]:
    """Give each name to the one who offers it alone, and list all else with the reason."""
    entries = dict(own)
    offers: dict[str, list[tuple[EvaluatorSpec, Plugin]]] = {}
    for plugin in plugins:
        for spec in plugin.specs:
            offers.setdefault(spec.name, []).append((spec, plugin))
    names_off = disabled()[1]
    unusable: list[EvaluatorRecord] = []
    for name, offered in sorted(offers.items()):
        status: Status = "broken"
        if name in names_off:
            status, reason = "disabled", f"by {DISABLE_VARIABLE}"
        elif name in entries:
            reason = f"the name {name!r} belongs to the engine"
        elif len(offered) > 1:
            owners = " and ".join(_shown(plugin) for _, plugin in offered)
            reason = (
                f"{len(offered)} plugins offer {name!r}: {owners}; uninstall all but one, or"
                f" switch entry points off with {DISABLE_VARIABLE}"
            )
            offered = offered[:1]  # one record says it all
        else:
            entries[name] = _entry(*offered[0])
            continue
        unusable += [_record(spec, plugin, status, reason) for spec, plugin in offered]
    unusable += [_nameless_record(plugin) for plugin in plugins if plugin.status != "active"]
    for record in unusable:
        name = record.name
        if name in entries:
            name += f" ({record.distribution})"
        while name in entries:
            name += "'"
        entries[name] = _Entry(attrs.evolve(record, name=name), None)
    return entries


def _tell_of_strays(plugins: list[Plugin]) -> None:
    """Say which names to switch off are nobody's: an evaluator meant by one is still there."""
    known = {plugin.name for plugin in plugins} | set(PEERS)
    known |= {spec.name for plugin in plugins for spec in plugin.specs}
    everything, names = disabled()
    for name in sorted(names - known - {"0"}):
        if not everything:
            notify_once(
                f"note: {DISABLE_VARIABLE} has {quoted(name)}, and no plugin has that name or"
                " offers an evaluator that has"
            )


def _entry(spec: EvaluatorSpec, plugin: Plugin) -> _Entry:
    evaluator = Evaluator(spec, plugin.version, plugin.distribution)
    return _Entry(_record(spec, plugin, "active", ""), evaluator)


def _record(spec: EvaluatorSpec, plugin: Plugin, status: Status, reason: str) -> EvaluatorRecord:
    return EvaluatorRecord(
        name=spec.name,
        summary=spec.summary,
        source=spec.source,
        hand_sizes=tuple(sorted(spec.hand_sizes)),
        rules=spec.rules,
        distribution=plugin.distribution,
        version=plugin.version,
        status=status,
        reason=reason,
    )


def _nameless_record(plugin: Plugin) -> EvaluatorRecord:
    """List a plugin that offers nothing by its entry point's name."""
    return EvaluatorRecord(
        name=plugin.name,
        summary="",
        source="",
        hand_sizes=(),
        rules="",
        distribution=plugin.distribution,
        version=plugin.version,
        status=plugin.status,
        reason=plugin.reason,
    )


def _shown(origin: Plugin | EvaluatorRecord) -> str:
    return f"{origin.distribution} {origin.version}".strip()


#: The registry of this process.
REGISTRY = Registry()


def evaluators() -> list[EvaluatorRecord]:
    """Return a record for each installed evaluator, broken and disabled ones with the reason."""
    return REGISTRY.records()


def get_evaluator(name: str | Evaluator | EvaluatorSpec | None = None) -> Evaluator:
    """Return an evaluator by its name; the default one for None.

    The default is the one that the user's configuration names, else ``lookup``.

    Raises:
        EvaluatorError: unknown, disabled or broken; says why, and what there is.
        ConfigurationError: the default is wanted, and the user's configuration is wrong.
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
