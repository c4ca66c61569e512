"""The registry of evaluators, which are built in, offered by plugins or registered by a script.

pluggy's own loader of entry points is not used: it stops at the first plugin that fails, and
silently drops the second of two plugins of one name. Calling a hook on all plugins stops at the
first exception. Here each plugin has a separate plugin manager.

Violations of the contract are detected in `holdem.evaluation.load_checks`, when an evaluator is
first used.
"""

from __future__ import annotations

import copyreg
import os
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import attrs
import pluggy

from holdem.errors import EvaluatorError, HoldemTypeError, did_you_mean, one_line, quoted
from holdem.evaluation import builtin, contract
from holdem.evaluation.contract import PROJECT, EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.plugin_guard import GuardedCall
from holdem.evaluation.rules_evaluator import spec_of_rules
from holdem.messages import notify_once
from holdem.rules import RULE_SETS, RuleSet
from holdem.version import DISTRIBUTION, VERSION

if TYPE_CHECKING:
    from importlib import metadata  # takes 10 ms, and built-in evaluators do not need it

#: An evaluator as an argument: its name, a loaded one, the spec of one, or a rule set.
EvaluatorLike: TypeAlias = str | Evaluator | EvaluatorSpec | RuleSet

#: Name of the default evaluator.
DEFAULT_EVALUATOR = "lookup"
#: Evaluators that come with the extra ``peers``, for hints in messages.
PEERS = ("eval7", "phevaluator", "pokerkit", "treys")

#: In place of the distribution, for evaluators registered by the running script.
SCRIPT = "the running script"

DISABLE_VARIABLE = "HOLDEM_DISABLE_PLUGINS"

Status = Literal["active", "disabled", "broken"]


@attrs.frozen(kw_only=True)
class EvaluatorRecord:
    """Description of an evaluator and its status: active, disabled or broken.

    For a plugin that is disabled or broken, there is one record with the name of its entry point.
    """

    name: str
    summary: str = ""
    source: str = ""
    hand_sizes: tuple[int, ...] = ()
    rules: str = ""
    distribution: str
    """The distribution that offers it; empty for an evaluator of the script."""
    version: str
    status: Status
    reason: str
    """Why it is disabled or broken; empty if it is active."""

    def to_dict(self) -> dict[str, Any]:
        """Build the JSON object that ``holdem evaluators -f json`` prints for the evaluator."""
        return {**attrs.asdict(self), "hand_sizes": list(self.hand_sizes)}


def read_disabled() -> tuple[bool, frozenset[str]]:
    """Read ``HOLDEM_DISABLE_PLUGINS``: whether all plugins are disabled, or else which ones.

    The names are those of plugins or evaluators.
    """
    text = os.environ.get(DISABLE_VARIABLE, "").strip()
    return text == "1", frozenset(name.strip() for name in text.split(",") if name.strip())


def _load_plugins() -> list[Evaluator | EvaluatorRecord]:
    """Load the installed plugins that are not disabled.

    Names in ``HOLDEM_DISABLE_PLUGINS`` that match no plugin or evaluator cause a note.
    """
    found = [offer for entry_point in _find_entry_points() for offer in _load_plugin(entry_point)]
    all_disabled, names = read_disabled()
    known = {"0", *PEERS, *(offer.name for offer in found)}
    for name in sorted(set() if all_disabled else names - known):
        notify_once(
            f"note: {DISABLE_VARIABLE} names {quoted(name)}, but there is no such plugin or"
            " evaluator"
        )
    return found


def _load_plugin(entry_point: metadata.EntryPoint) -> list[Evaluator | EvaluatorRecord]:
    """Load a plugin's evaluators, or create a record that says why there are none."""
    name = one_line(entry_point.name)
    distribution, version = _read_origin(entry_point.dist)
    all_disabled, names = read_disabled()
    status: Status = "broken"
    if all_disabled or entry_point.name in names:
        status, reason = "disabled", f"by {DISABLE_VARIABLE}"
    else:
        try:
            with GuardedCall():
                with GuardedCall(suffix=f" (importing {entry_point.value})"):
                    module = entry_point.load()
                specs = _call_hook(module, entry_point.name)
            return [Evaluator(spec, version, distribution) for spec in specs]
        except EvaluatorError as error:
            reason = str(error)
        except KeyboardInterrupt:
            notify_once(
                f"interrupted while loading the plugin {name} of"
                f" {f'{distribution} {version}'.strip()}; {DISABLE_VARIABLE}={name} disables it"
            )
            raise
    return [
        EvaluatorRecord(
            name=name, distribution=distribution, version=version, status=status, reason=reason
        )
    ]


def _find_entry_points() -> list[metadata.EntryPoint]:
    """List the entry points of all plugins by name and distribution."""
    from importlib import metadata

    try:
        found = list(metadata.entry_points(group=PROJECT))
    except Exception:  # the metadata of one distribution cannot be read
        found = []
        seen: set[str] = set()
        for distribution in metadata.distributions():
            name = _read_origin(distribution)[0]
            if name not in seen:  # the first on the path hides the others, as in `entry_points`
                seen.add(name)
                with suppress(Exception):  # its entry points are unreadable
                    found += distribution.entry_points.select(group=PROJECT)
    return sorted(found, key=lambda found: (one_line(found.name), _read_origin(found.dist)))


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
    specs = tuple(spec_of_rules(spec) if isinstance(spec, RuleSet) else spec for spec in specs)
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


# Evaluators by name; disabled and broken ones are records.
_Entries: TypeAlias = dict[str, Evaluator | EvaluatorRecord]


class Registry:
    """A registry of evaluators; each process uses the one instance `REGISTRY`."""

    def __init__(self) -> None:
        # They are offered through the same hook as plugins.
        self._builtin: _Entries = {
            spec.name: Evaluator(spec, VERSION, DISTRIBUTION)
            for spec in _call_hook(builtin, PROJECT)
        }
        self._installed: _Entries | None = None
        self._registered: _Entries = {}
        self._of_spec: dict[int, Evaluator] = {}  # by id of the spec, which is kept alive
        self._lock = threading.RLock()
        self._is_loading = False
        self._no_plugins = False

    def disable_plugins(self) -> None:
        """Disable all plugins, as the command-line option ``--no-plugins`` does."""
        with self._lock:
            self._no_plugins = True
            self._installed = None

    def records(self) -> list[EvaluatorRecord]:
        """List the records of all evaluators, built-in ones first."""
        return [
            entry
            if isinstance(entry, EvaluatorRecord)
            else _make_record(entry, "broken" if entry.failure else "active", entry.failure)
            for entry in self._entries().values()
        ]

    def known_rules(self) -> list[RuleSet]:
        """List the different rule sets of the engine and of all evaluators that can be used."""
        # A plugin may look a rule set up while it is loaded.
        entries = (self._registered if self._is_loading else self._entries()).values()
        used = (entry.rules for entry in entries if isinstance(entry, Evaluator))
        return [*dict.fromkeys((*RULE_SETS.values(), *used))]

    def get(self, name: EvaluatorLike | None = None) -> Evaluator:
        """Look up an evaluator by its name or spec. None stands for the default evaluator.

        Raises:
            EvaluatorError: no evaluator has that name, or it is disabled or broken.
        """
        if isinstance(name, Evaluator):
            return name
        if isinstance(name, RuleSet):
            name = spec_of_rules(name)
        if isinstance(name, EvaluatorSpec):
            return self._evaluator_of(name)
        if name is None:
            name = DEFAULT_EVALUATOR
        if not isinstance(name, str):
            raise HoldemTypeError(
                f"an evaluator must be a name or a spec, not {quoted(name)}"
                + '; decorate a function of hands with @holdem.evaluator("name")' * callable(name)
            )
        # Plugins cannot take built-in names, so they need not be loaded for them.
        entry = self._builtin.get(name) or self._entries().get(name)
        if entry is None:
            raise self._unknown(name)
        if isinstance(entry, EvaluatorRecord):
            raise EvaluatorError(f"evaluator {name!r} is {entry.status}: {entry.reason}")
        return entry

    def key_of(self, evaluator: Evaluator) -> str | EvaluatorSpec:
        """Choose the key, a name or a spec, by which `get` finds an evaluator."""
        is_listed = self._entries().get(evaluator.name) is evaluator
        return evaluator.name if is_listed else evaluator.spec

    def register(self, spec: EvaluatorSpec | RuleSet, *, replace: bool = False) -> EvaluatorSpec:
        """Register an evaluator for the running script; see the module-level `register`."""
        if isinstance(spec, RuleSet):
            spec = spec_of_rules(spec)
        if not isinstance(spec, EvaluatorSpec):
            raise HoldemTypeError(
                f"register takes an EvaluatorSpec or a RuleSet, not {quoted(spec)}"
            )
        with self._lock:
            taken = self._entries().get(spec.name)
            is_ours = spec.name in self._registered
            if taken is not None and not (is_ours and replace):
                owner = (
                    "this script (replace=True replaces it)" if is_ours else _format_origin(taken)
                )
                raise EvaluatorError(f"the name {spec.name!r} is taken by {owner}")
            self._registered[spec.name] = self._evaluator_of(spec)
        return spec

    def _unknown(self, name: str) -> EvaluatorError:
        """Create the error for an unknown evaluator name, which states the likely cause."""
        active = [record.name for record in self.records() if record.status == "active"]
        off = [record.name for record in self.records() if record.status == "disabled"]
        if name not in PEERS and (suggestion := did_you_mean(name, active)):
            hint = suggestion
        elif self._no_plugins:
            hint = " (plugins are disabled by --no-plugins)"
        elif off:
            hint = f" (disabled by {DISABLE_VARIABLE}: {', '.join(off)})"
        elif name in PEERS:
            hint = f" (pip install {name})"
        else:
            hint = ""
        more = (
            ""
            if self._registered
            else "; one that a script registers is known in that script only, one in an installed"
            " package everywhere (holdem evaluators new)"
        )
        return EvaluatorError(
            f"no evaluator {quoted(name)}{hint}; there are: {', '.join(active)}{more}"
        )

    def _evaluator_of(self, spec: EvaluatorSpec) -> Evaluator:
        """Find or create a spec's evaluator, so that each spec is loaded only once."""
        with self._lock:
            for entry in (*self._builtin.values(), *(self._installed or {}).values()):
                if isinstance(entry, Evaluator) and entry.spec is spec:
                    return entry
            return self._of_spec.setdefault(id(spec), Evaluator(spec))

    def _entries(self) -> _Entries:
        with self._lock:
            if self._installed is None:
                if self._is_loading:
                    raise EvaluatorError(
                        "evaluators cannot be listed or used while plugins are being loaded"
                    )
                self._is_loading = True
                try:
                    if self._no_plugins:
                        self._installed = self._builtin
                    else:
                        self._installed = _resolve_names(self._builtin, _load_plugins())
                finally:
                    self._is_loading = False
            return {**self._installed, **self._registered}


def _resolve_names(builtin: _Entries, offered: Sequence[Evaluator | EvaluatorRecord]) -> _Entries:
    """Map names to evaluators or, if disabled, broken or in conflict, to evaluator records."""
    entries = dict(builtin)
    offers: dict[str, list[Evaluator]] = {}
    for offer in offered:
        if isinstance(offer, Evaluator):
            offers.setdefault(offer.name, []).append(offer)
    disabled_names = read_disabled()[1]
    unusable: list[EvaluatorRecord] = []
    for name, own in sorted(offers.items()):
        status: Status = "broken"
        if name in disabled_names:
            status, reason = "disabled", f"by {DISABLE_VARIABLE}"
        elif name in builtin:
            reason = f"{name!r} is the name of a built-in evaluator"
        elif len(own) > 1:
            owners = " and ".join(_format_origin(evaluator) for evaluator in own)
            reason = (
                f"{len(own)} plugins offer {name!r}: {owners}; uninstall all but one, or"
                f" disable entry points with {DISABLE_VARIABLE}"
            )
            del own[1:]
        else:
            entries[name] = own[0]
            continue
        unusable += [_make_record(evaluator, status, reason) for evaluator in own]
    unusable += [offer for offer in offered if isinstance(offer, EvaluatorRecord)]
    for record in unusable:
        name = record.name
        if name in entries:
            name += f" ({record.distribution})"
        while name in entries:
            name += "'"
        entries[name] = attrs.evolve(record, name=name)
    return entries


def _make_record(evaluator: Evaluator, status: Status, reason: str) -> EvaluatorRecord:
    spec = evaluator.spec
    return EvaluatorRecord(
        name=spec.name,
        summary=spec.summary,
        source=spec.source,
        hand_sizes=tuple(sorted(spec.hand_sizes)),
        rules=evaluator.rules.name,
        distribution=evaluator.distribution,
        version=evaluator.version,
        status=status,
        reason=reason,
    )


def _format_origin(offer: Evaluator | EvaluatorRecord) -> str:
    return f"{offer.distribution} {offer.version}".strip()


#: The registry of this process.
REGISTRY = Registry()


def evaluators() -> list[EvaluatorRecord]:
    """List the records of all evaluators, including broken and disabled ones."""
    return REGISTRY.records()


def get_evaluator(name: EvaluatorLike | None = None) -> Evaluator:
    """Look up an evaluator by its name or spec.

    Args:
        name: its name or its spec, or a rule set, for an evaluator that ranks hands by these
            rules; None for the default evaluator, ``lookup``.

    Raises:
        EvaluatorError: no evaluator has that name, or it is disabled or broken.
    """
    return REGISTRY.get(name)


def known_rules() -> list[RuleSet]:
    """List the different rule sets of the engine and of all evaluators that can be used."""
    return REGISTRY.known_rules()


def register(spec: EvaluatorSpec | RuleSet, *, replace: bool = False) -> EvaluatorSpec:
    """Register an evaluator under its name for the running script.

    Args:
        spec: the spec of the evaluator, as the decorator `holdem.evaluator` returns it; or a rule
            set, which makes an evaluator of its name that ranks hands by these rules.
        replace: replace an evaluator of that name that the script registered before, as when
            a notebook's cell is run again.

    Returns:
        The spec.

    Raises:
        EvaluatorError: the name is taken.
    """
    return REGISTRY.register(spec, replace=replace)


def versions_of(evaluators: Iterable[str]) -> dict[str, Any]:
    """Record the versions of holdem and of evaluators on which results depend.

    Returns:
        ``{"holdem": version, "evaluators": {name: [distribution, version]}}``. For an evaluator
        that cannot be used the distribution is empty, and the error replaces the version.
    """
    found: dict[str, list[str]] = {}
    for name in sorted(set(evaluators)):
        try:
            evaluator = REGISTRY.get(name)
            found[name] = [evaluator.distribution or SCRIPT, evaluator.version]
        except EvaluatorError as error:
            found[name] = ["", str(error)]
    return {"holdem": VERSION, "evaluators": found}


def _reduce(evaluator: Evaluator) -> Any:
    """Reduce an evaluator to its name or spec for pickling.

    Another process loads the evaluator anew.
    """
    return get_evaluator, (REGISTRY.key_of(evaluator),)


copyreg.pickle(Evaluator, _reduce)
