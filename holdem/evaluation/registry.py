"""The registry of evaluators: those built in, offered by plugins or registered by a script.

All of them come through the hook `holdem_evaluators` of the plugins in `holdem.plugins.manager`.
Violations of the contract are detected in `holdem.evaluation.load_checks`, when an evaluator is
first used.
"""

from __future__ import annotations

import copyreg
import threading
from collections.abc import Callable, Iterable
from functools import cache, partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs
import pluggy

from holdem.errors import (
    EvaluatorError,
    HoldemTypeError,
    HoldemValueError,
    did_you_mean,
    one_line,
    quoted,
)
from holdem.evaluation import builtin
from holdem.evaluation.contract import BatchFunction, EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.messages import notify_once
from holdem.plugins.hookspecs import hookimpl
from holdem.plugins.manager import (
    BUILTIN,
    DISABLE_VARIABLE,
    PLUGINS,
    Offer,
    Origin,
    Plugins,
    Status,
    is_disabled_by_variable,
    read_disabled,
)
from holdem.ranges.names import list_ranges
from holdem.rules import RULE_SETS, STANDARD, RuleSet, find_rules
from holdem.version import DISTRIBUTION, VERSION

if TYPE_CHECKING:
    from holdem.plugins.given_files import GivenPlugin

#: An evaluator as an argument: its name, a loaded one, the spec of one, or a rule set.
EvaluatorLike: TypeAlias = str | Evaluator | EvaluatorSpec | RuleSet

#: Name of the default evaluator.
DEFAULT_EVALUATOR = "lookup"
#: Evaluators that come with the extra ``peers``, for hints in messages.
PEERS = ("eval7", "phevaluator", "pokerkit", "treys")

_HOOK = EvaluatorSpec.HOOK
_DECORATE = 'decorate a function of hands with @holdem.evaluator("name")'

#: In place of the distribution, for evaluators registered by the running script.
SCRIPT = "the running script"


@attrs.frozen(kw_only=True)
class EvaluatorRecord:
    """Description of an evaluator and its status: active, disabled or broken.

    A plugin that is disabled or broken offers no evaluators. It has one record, whose `name` is the
    name of its entry point.
    """

    name: str
    summary: str = ""
    source: str = ""
    hand_sizes: tuple[int, ...] = ()
    rules: str = ""
    distribution: str
    """The distribution, or the file given with ``--plugin``, that offers the evaluator; empty if
    the running script registered it."""
    version: str
    status: Status
    reason: str
    """Why the evaluator is disabled or broken; empty if it is active."""
    tables: bool = False
    """Whether the engine looks strengths up in the tables of the rule set, once the evaluator is
    proved to rank hands as these tables do, instead of calling it; always False with wild cards."""
    kinds: int | None = None
    """The number of kinds of hands (choices of ranks, with or without a flush) that the evaluator
    ranked right; None if it is not loaded, or needs no such proof."""
    seconds: float | None = None
    """The duration of the proof in seconds, without the time to compile and load kernels; None if
    `kinds` is None."""

    def to_dict(self) -> dict[str, Any]:
        """Build the JSON object that ``holdem evaluators -f json`` prints for the evaluator."""
        return {**attrs.asdict(self), "hand_sizes": list(self.hand_sizes)}


def _read_specs(answer: Any, _: Origin) -> tuple[EvaluatorSpec, ...]:
    """Validate a plugin's answer to `holdem_evaluators`."""
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


@attrs.frozen(eq=False)
class Registered:
    """A plugin that offers one evaluator, which the script has registered."""

    spec: EvaluatorSpec

    def __dir__(self) -> list[str]:  # all that pluggy has to look at
        return ["holdem_evaluators"]

    @hookimpl
    def holdem_evaluators(self) -> list[EvaluatorSpec]:
        return [self.spec]


# Evaluators by name; disabled and broken ones are records.
_Entries: TypeAlias = dict[str, Evaluator | EvaluatorRecord]


class Registry:
    """A registry of evaluators; each process uses the one instance `REGISTRY`."""

    def __init__(self, plugins: Plugins | None = None) -> None:
        self.plugins = plugins or Plugins()
        self.plugins.register(builtin, BUILTIN)
        self._of_spec: dict[int, Evaluator] = {}  # by id of the spec, which is kept alive
        self._lock = threading.RLock()  # of `_of_spec`: while it is held, nothing else is asked
        # They are offered through the same hook as plugins, and need no plugin.
        own = Origin(DISTRIBUTION, VERSION)
        specs = builtin.holdem_evaluators()
        self._builtin: _Entries = {spec.name: self._evaluator_of(spec, own) for spec in specs}
        self._known: tuple[int, _Entries] | None = None  # after how many changes of plugins

    def records(self) -> list[EvaluatorRecord]:
        """List the records of all evaluators, built-in ones first."""
        return [
            entry
            if isinstance(entry, EvaluatorRecord)
            else _make_record(entry, "broken" if entry.failure else "active", entry.failure)
            for entry in self._entries().values()
        ]

    def names_of(self, plugin: str) -> list[str]:
        """List the names of the evaluators that a plugin offers, even if others have these names.

        `plugin` is the name under which the plugin is registered with pluggy.
        """
        offers = self.plugins.call(_HOOK, _read_specs)
        return [spec.name for offer in offers if offer.plugin == plugin for spec in offer.answer]

    def known_rules(self) -> list[RuleSet]:
        """List the different rule sets of the engine and of all evaluators that can be used."""
        used: list[RuleSet]
        if self.plugins.is_busy:  # a plugin may look a rule set up while it is loaded
            own = [plugin for _, plugin in self.plugins.list_name_plugin()]
            used = [find_rules(each.spec.rules) for each in own if isinstance(each, Registered)]
        else:
            entries = self._entries().values()
            used = [entry.rules for entry in entries if isinstance(entry, Evaluator)]
        return [*dict.fromkeys((*RULE_SETS.values(), *used))]

    def get(self, name: EvaluatorLike | None = None) -> Evaluator:
        """Look up an evaluator by name, spec or rule set; None stands for the default evaluator."""
        if isinstance(name, Evaluator):
            return name
        if isinstance(name, RuleSet):
            name = _evaluator_for(name)
        if isinstance(name, EvaluatorSpec):
            return self._evaluator_of(name)
        if name is None:
            name = DEFAULT_EVALUATOR
        if not isinstance(name, str):
            raise HoldemTypeError(
                f"an evaluator must be a name or a spec, not {quoted(name)}"
                + f"; {_DECORATE}" * callable(name)
            )
        # Plugins cannot take built-in names, so they need not be loaded for them.
        entry = self._builtin.get(name) or self._entries().get(name)
        if entry is None:
            raise self._unknown(name)
        if isinstance(entry, EvaluatorRecord):
            raise EvaluatorError(f"evaluator {name!r} is {entry.status}: {entry.reason}")
        return entry

    def key_of(self, evaluator: Evaluator) -> str | EvaluatorSpec | RuleSet:
        """Return the name, spec or rule set by which `get` finds an evaluator.

        It is the name if the evaluator is listed under it, unless the script made the evaluator
        from a rule set. Otherwise, it is the rule set from which the evaluator was made, or its
        spec. A direct evaluator has the key of the evaluator to which it belongs.
        """
        evaluator = evaluator.ranked_by or evaluator
        is_of_rules = evaluator.spec.load == LoadRules(evaluator.rules)
        if evaluator.distribution or not is_of_rules:
            listed = self._builtin.get(evaluator.name) or self._entries().get(evaluator.name)
            if listed is evaluator:
                return evaluator.name
        return evaluator.rules if is_of_rules else evaluator.spec

    def register(self, spec: EvaluatorSpec | RuleSet, *, replace: bool = False) -> EvaluatorSpec:
        """Register an evaluator for the running script; see the module-level `register`."""
        if isinstance(spec, RuleSet):
            spec = spec_of_rules(spec)
        if not isinstance(spec, EvaluatorSpec):
            raise HoldemTypeError(
                f"register takes an EvaluatorSpec or a RuleSet, not {quoted(spec)}"
                + f"; {_DECORATE}" * callable(spec)
            )
        with self.plugins.lock:
            taken, plugin = self._entries().get(spec.name), f"script:{spec.name}"
            is_ours = self.plugins.has_plugin(plugin)
            if taken is not None and not (is_ours and replace):
                owner = (
                    "this script (replace=True replaces it)" if is_ours else self._owner_of(taken)
                )
                raise EvaluatorError(f"the name {spec.name!r} is taken by {owner}")
            if is_ours:
                self.plugins.unregister(name=plugin)
            if self.plugins.register(Registered(spec), plugin) is None:
                raise EvaluatorError(f"the plugin {plugin} is blocked")
        return spec

    def _owner_of(self, taken: Evaluator | EvaluatorRecord) -> str:
        """Name who offers a name, and how to free that of the script's plugin."""
        for plugin, _ in self.plugins.list_name_plugin():
            if not taken.distribution and taken.name in self.names_of(plugin):
                return (
                    f"the plugin {plugin}, which this script gave to plugin_manager();"
                    f" plugin_manager().unregister(name={plugin!r}) frees it"
                )
        return _format_origin(taken)

    def _unknown(self, name: str) -> EvaluatorError:
        """Create the error for an unknown evaluator name, stating the likely cause."""
        records = self.records()
        active = [record.name for record in records if record.status == "active"]
        disabled = [record for record in records if record.status == "disabled"]
        hint = ""
        if name not in PEERS and (suggestion := did_you_mean(name, active)):
            hint = suggestion
        elif self.plugins.is_disabled:
            hint = " (plugins are disabled by --no-plugins)"
        elif disabled:
            off = ", ".join(record.name for record in disabled)
            by_variable = all(DISABLE_VARIABLE in record.reason for record in disabled)
            hint = f" (disabled{f' by {DISABLE_VARIABLE}' if by_variable else ''}: {off})"
        elif name in PEERS:
            hint = f" (pip install {name})"
        more = self.plugins.describe_broken()
        own = [isinstance(plugin, Registered) for _, plugin in self.plugins.list_name_plugin()]
        if not (more or hint or any(own)):
            more = "; those of a script are available with `holdem -p FILE`, before the command"
        return EvaluatorError(
            f"no evaluator {quoted(name)}{hint}; there are: {', '.join(active)}{more}"
        )

    def _evaluator_of(self, spec: EvaluatorSpec, origin: Origin | None = None) -> Evaluator:
        """Return the evaluator of a spec; create it on the first call, so that it loads only once.

        `origin` is that of the plugin that offers the spec; None if it is not known.
        """
        with self._lock:
            known = self._of_spec.get(id(spec))
            if known is None or origin not in (None, (known.distribution, known.version)):
                distribution, version = origin or Origin()
                known = self._of_spec[id(spec)] = Evaluator(spec, version, distribution)
            return known

    def _entries(self) -> _Entries:
        """Map the name of each evaluator to the evaluator or, if it cannot be used, to its record.

        Broken and disabled plugins have records, too.
        """
        with self.plugins.lock:  # the same lock, as hooks may ask for evaluators
            changes = self.plugins.load().changes
            if self._known is None or self._known[0] != changes:
                entries = self._resolve_names(self.plugins.call(_HOOK, _read_specs))
                own = dict(self.plugins.list_name_plugin())
                _note_unknown_names({*entries, *own, *self.plugins.disabled} - {*self._builtin})
                self._known = changes, entries
            return self._known[1]

    def _resolve_names(self, offers: list[Offer[tuple[EvaluatorSpec, ...]]]) -> _Entries:
        entries: _Entries = {}
        unusable: list[EvaluatorRecord] = []
        by_name: dict[str, list[Evaluator]] = {}
        for offer in offers:
            for spec in offer.answer:
                own = by_name.setdefault(spec.name, [])
                if all(each.spec is not spec for each in own):  # two plugins may offer one spec
                    own.append(self._evaluator_of(spec, offer.origin))
        for name, own in by_name.items():
            bundled = [each for each in own if each.distribution == DISTRIBUTION]
            if name not in self._builtin and is_disabled_by_variable(name):
                unusable.append(_make_record(own[0], "disabled", f"by {DISABLE_VARIABLE}"))
            elif bundled or name in PEERS:
                if bundled:
                    entries[name] = bundled[0]
                reason = f"{name!r} is the name of an evaluator of holdem"
                others = [each for each in own if each not in bundled]
                unusable += [_make_record(each, "broken", reason) for each in others]
            elif len(own) == 1:
                entries[name] = own[0]
            else:
                owners = " and ".join(_format_origin(evaluator) for evaluator in own)
                reason = (
                    f"{len(own)} plugins offer {name!r}: {owners}; uninstall all but one, or"
                    f" disable entry points with {DISABLE_VARIABLE}"
                )
                if any(each.version.startswith("sha256:") for each in own):  # given with -p
                    reason += ", or use only those given with -p: --no-plugins -p FILE"
                unusable.append(_make_record(own[0], "broken", reason))
        unusable += [
            EvaluatorRecord(
                name=fault.plugin,
                distribution=fault.origin.distribution,
                version=fault.origin.version,
                status=fault.status,
                reason=fault.reason,
            )
            for fault in self.plugins.faults()
        ]
        for record in unusable:
            name = record.name
            if name in entries:
                name += f" ({record.distribution or 'plugin'})"
            entries[name] = attrs.evolve(record, name=name)
        return entries


def _note_unknown_names(known: set[str]) -> None:
    """Show a note for each name in ``HOLDEM_DISABLE_PLUGINS`` that no plugin or evaluator has."""
    all_disabled, names = read_disabled()
    for name in sorted(set() if all_disabled else names - {"0", *PEERS, *known}):
        notify_once(
            f"note: {DISABLE_VARIABLE} names {quoted(name)}, but there is no such plugin or"
            " evaluator"
        )


def _evaluator_for(rules: RuleSet) -> str | EvaluatorSpec:
    """Return the name or the spec of the engine's evaluator that ranks hands by a rule set."""
    if rules == STANDARD:
        return DEFAULT_EVALUATOR
    return rules.name if rules.deuces_wild else spec_of_rules(rules)


def _make_record(evaluator: Evaluator, status: Status, reason: str) -> EvaluatorRecord:
    spec, check = evaluator.spec, evaluator.check
    is_proved = check is not None and check.kinds > 0
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
        tables=status == "active" and evaluator.has_tables,
        kinds=check.kinds if check and is_proved else None,
        seconds=check.seconds if check and is_proved else None,
    )


def _format_origin(offer: Evaluator | EvaluatorRecord) -> str:
    return str(Origin(offer.distribution, offer.version))


#: The registry of this process.
REGISTRY = Registry(PLUGINS)


def plugin_manager() -> pluggy.PluginManager:
    """Return the plugin manager of the process, with all plugins registered.

    It is an object of pluggy: ``list_name_plugin``, ``register``, ``unregister``, ``set_blocked``,
    ``is_blocked`` and the other methods work as pluggy documents them. Entry points of the group
    ``holdem`` are registered by their names; one that cannot be loaded is replaced by a
    ``BrokenPlugin`` with the reason. The engine's own evaluators are the plugin ``holdem-builtin``,
    which cannot be blocked. A change takes effect at once on evaluators, named ranges and commands.
    The hooks are declared in `holdem.hookspecs`.

    `holdem` calls each implementation of a hook separately, so that one that fails affects no
    other. Calls through ``plugin_manager().hook`` are pluggy's own, and end at the first exception.

    Raises:
        EvaluatorError: a plugin that is being loaded calls this.
    """
    return REGISTRY.plugins.load()


def evaluators() -> list[EvaluatorRecord]:
    """List the records of all evaluators, including broken and disabled ones.

    The hook `holdem_ranges` is called too, so that plugins that fail in it are listed as broken.
    """
    list_ranges()
    return REGISTRY.records()


def get_evaluator(name: EvaluatorLike | None = None, *, direct: bool = False) -> Evaluator:
    """Look up an evaluator by name, spec or rule set.

    Without wild cards, the check of an evaluator on first use proves that it ranks all hands as the
    tables of its rule set do. The engine then computes results with these tables instead of
    calling the evaluator.

    Args:
        name: the name or the spec of the evaluator, or a rule set, for an evaluator that ranks
            hands by these rules; None for the default evaluator, ``lookup``.
        direct: have the evaluator rank every hand itself, without tables.

    Raises:
        EvaluatorError: no evaluator has that name, or it is disabled or broken.
    """
    found = REGISTRY.get(name)
    return found.direct if direct else found


def known_rules() -> list[RuleSet]:
    """List the different rule sets of the engine and of all evaluators that can be used."""
    return REGISTRY.known_rules()


def register(spec: EvaluatorSpec | RuleSet, *, replace: bool = False) -> EvaluatorSpec:
    """Register an evaluator under its name for the running script.

    Args:
        spec: the spec of the evaluator, as the decorator `holdem.evaluator` returns it; or a rule
            set, for an evaluator that ranks hands by these rules and has the rule set's name.
        replace: replace an evaluator of that name that the script registered before, as when
            a notebook's cell is run again.

    Returns:
        The spec.

    Raises:
        EvaluatorError: the name is taken.
    """
    return REGISTRY.register(spec, replace=replace)


def register_files(plugins: Iterable[GivenPlugin]) -> None:
    """Register files and modules given as plugins, with the evaluators and strategies in them."""
    from holdem.plugins.given_files import register_given

    for plugin in plugins:
        register_given(plugin, _offer_own)


def _offer_own(module: ModuleType, before: set[str]) -> None:
    """Add hooks that offer the specs, and the strategies, that a module defines or registers.

    A hook that the module has is not changed. `before` has the names of the plugins that were
    registered before the import.
    """
    offers: dict[str, dict[int, Any]] = {}
    for each in vars(module).values():
        hook = getattr(type(each), "HOOK", None)
        if isinstance(hook, str) and _function_of(each).__module__ == module.__name__:
            offers.setdefault(hook, {})[id(each)] = each  # it may have two names
    if not hasattr(module, _HOOK):
        for name, own in REGISTRY.plugins.list_name_plugin():
            if isinstance(own, Registered) and name not in before:
                REGISTRY.plugins.unregister(name=name)
                offers.setdefault(_HOOK, {})[id(own.spec)] = own.spec
    for hook, offered in offers.items():
        if not hasattr(module, hook):
            setattr(module, hook, _offering(list(offered.values())))


def _offering(answer: list[Any]) -> Callable[[], list[Any]]:
    return hookimpl(lambda: answer)


def _function_of(offered: Any) -> Any:
    """Return the function of a strategy, or of a spec that a decorator made; else `load`."""
    load = getattr(offered, "load", offered)
    return getattr(load, "function", load)


def require_usable() -> None:
    """Raise a `HoldemValueError` if a plugin given so far, or one of its evaluators, is broken."""
    from holdem.plugins import given_files

    records = REGISTRY.records()
    for label in given_files.GIVEN:
        own = REGISTRY.names_of(label)
        for record in records:
            if record.status == "broken" and (record.distribution == label or record.name in own):
                raise HoldemValueError(f"plugin {quoted(label)}: {record.reason}")


def versions_of(evaluators: Iterable[str]) -> dict[str, Any]:
    """Collect the versions of holdem and of the named evaluators, on which results depend.

    They are ``{"holdem": version, "evaluators": {name: [distribution, version]}}``. For an
    evaluator that cannot be used the distribution is empty, and the error replaces the version.
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
    """Pickle an evaluator as its name, spec or rule set; another process loads it anew."""
    return partial(get_evaluator, direct=evaluator.ranked_by is not None), (
        REGISTRY.key_of(evaluator),
    )


copyreg.pickle(Evaluator, _reduce)


@attrs.frozen
class LoadRules:
    """The `load` function of a spec made by `spec_of_rules`."""

    rules: RuleSet

    def __call__(self) -> BatchFunction:
        from holdem.evaluation.builtin.lookup import RankByTables

        return RankByTables(self.rules)


@cache
def spec_of_rules(rules: RuleSet) -> EvaluatorSpec:
    """Create the spec of an evaluator that ranks hands by a rule set and has the rule set's name.

    Equal rule sets give the same spec object, so that their evaluator is loaded once.
    """
    if rules.deuces_wild:
        raise EvaluatorError(f"{rules.name} rules need an evaluator that knows wild cards")
    return EvaluatorSpec(
        name=rules.name,
        summary=f"{rules.deck_text}, ranked by the order of their categories",
        source="the rule set",
        hand_sizes={5, 6, 7},
        load=LoadRules(rules),
        rules=rules,
    )
