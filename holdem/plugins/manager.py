"""The plugin manager, a `pluggy.PluginManager` whose hooks `holdem` calls one plugin at a time.

pluggy's own loader of entry points stops at the first entry point that fails, and ignores the
second of two with the same name; its calls of a hook end at the first exception. Here, each entry
point is loaded separately, and each plugin's hook is called separately. If one fails, the reason is
recorded, and the others are not affected. An answer is kept until its plugin is unregistered.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar

import attrs
import pluggy

from holdem.errors import EvaluatorError, HoldemValueError, counted, did_you_mean, one_line
from holdem.messages import notify_once
from holdem.plugins import hookspecs
from holdem.plugins.guard import GuardedCall
from holdem.plugins.hookspecs import PROJECT
from holdem.version import DISTRIBUTION, VERSION

if TYPE_CHECKING:
    from importlib import metadata  # takes 10 ms, and built-in evaluators do not need it

DISABLE_VARIABLE = "HOLDEM_DISABLE_PLUGINS"

#: Begins the names of the engine's own plugins, which are always there.
BUILTIN = "holdem-builtin"

Status = Literal["active", "disabled", "broken"]

_Answer = TypeVar("_Answer")


class Origin(NamedTuple):
    """Where a plugin comes from: a distribution or file, and its version."""

    distribution: str = ""
    """The distribution, or the file given with ``--plugin``; empty for the running script."""
    version: str = ""

    def __str__(self) -> str:
        return f"{self.distribution} {self.version}".strip() or "this script"


@attrs.frozen(eq=False)
class BrokenPlugin:
    """A stand-in that is registered in place of a plugin that cannot be loaded."""

    reason: str


@attrs.frozen(eq=False)
class Offer(Generic[_Answer]):
    """The answer of one plugin's implementation of a hook."""

    plugin: str
    origin: Origin
    answer: _Answer


@attrs.frozen
class Fault:
    """A plugin that is disabled or broken, and the reason."""

    plugin: str
    origin: Origin
    status: Status
    reason: str


class Plugins(pluggy.PluginManager):
    """The plugins of a process: loads them, calls their hooks, and records which are broken.

    It has the plugins of entry points only after `load`. Hook wrappers are refused, and the
    engine's own plugins cannot be unregistered.
    """

    def __init__(self) -> None:
        super().__init__(PROJECT)
        self.add_hookspecs(hookspecs)
        self._origins: dict[str, Origin] = {}  # by name of the plugin
        self.disabled: set[str] = set()  # names and values of entry points, by the variable
        # By plugin and hook: the answer, or why there is none.
        self._answers: dict[str, dict[str, Offer[Any] | str]] = {}
        self.lock = threading.RLock()
        """Held while plugins are loaded, their hooks run, or evaluators are listed."""
        self._entry_points: list[str] | None = None  # names of plugins; None before loading
        self.changes = 0
        """Counts what may change the answers to a hook, or `faults`."""
        self._busy_thread: int | None = None  # None unless it loads plugins or runs a hook
        self.is_disabled = False
        """Whether entry points are not loaded, because of ``--no-plugins``."""

    @property
    def is_busy(self) -> bool:
        """Whether the thread that asks is loading plugins or running one of their hooks."""
        return self._busy_thread == threading.get_ident()

    def parse_hookimpl_opts(self, plugin: Any, name: str) -> Any:
        options = super().parse_hookimpl_opts(plugin, name)
        if options and (options.get("wrapper") or options.get("hookwrapper")):
            raise pluggy.PluginValidationError(
                plugin,
                f"{name} is a hook wrapper, which would have nothing to wrap, because each plugin"
                " is called by itself: leave out wrapper=True, and return your own list",
            )
        return options

    def register(self, plugin: Any, name: str | None = None) -> str | None:
        """Register a plugin; if it is not valid, all stays as it was."""
        self.changes += 1
        try:
            return super().register(plugin, name)
        except pluggy.PluginValidationError:
            if self.get_name(plugin) is not None:  # pluggy before 1.7 registers it in part
                self.unregister(plugin)
            raise

    def unregister(self, plugin: Any = None, name: str | None = None) -> Any:
        """Unregister a plugin; pluggy also calls this method to block one."""
        own = name or self.get_name(plugin) or ""
        if own.startswith(BUILTIN) and self.has_plugin(own):
            raise HoldemValueError(f"{own} is part of the engine: it is always registered")
        self.changes += 1
        self._answers.pop(own, None)
        return super().unregister(plugin, name)

    def unblock(self, name: str) -> bool:
        self.changes += 1
        return super().unblock(name)

    def disable(self) -> None:
        """Unregister the plugins of entry points, and load none from now on."""
        with self.lock:
            self.is_disabled = True
            self._forget_entry_points()
            self._entry_points = []

    def load(self) -> Plugins:
        """Register the plugins of all entry points on the first call, and return `self`."""
        with self.lock:
            if self._entry_points is None:
                with self._busy():
                    self._entry_points = []
                    try:
                        # pluggy calls the last first, so that the order of calls is that of names.
                        for entry_point, origin in reversed(_find_entry_points()):
                            self._load_entry_point(entry_point, origin)
                    except BaseException:  # Ctrl-C
                        self._forget_entry_points()
                        raise
        return self

    def add(self, plugin: object, name: str, origin: Origin) -> None:
        """Register a plugin that must have a hook, and no fault, under a name not in use."""
        with self.lock:
            try:
                self.register(plugin, name)
            except pluggy.PluginValidationError as error:
                raise EvaluatorError(str(error)) from error
            if fault := self._find_hook_fault(plugin):
                self.unregister(name=name)
                raise EvaluatorError(fault)
            self._origins[name] = origin

    def call(self, hook: str, read: Callable[[Any, Origin], _Answer]) -> list[Offer[_Answer]]:
        """Return the answers of all plugins to a hook, in the order in which pluggy calls them.

        Each plugin is called once. `read` validates and converts its answer, or raises an
        `EvaluatorError`. Plugins that fail are left out; `faults` lists them.
        """
        with self.lock:
            self.load()
            offers: list[Offer[_Answer]] = []
            for implementation in reversed(getattr(self.hook, hook).get_hookimpls()):
                answers = self._answers.setdefault(implementation.plugin_name, {})
                if hook not in answers:
                    with self._busy():
                        answers[hook] = self._ask(implementation, hook, read)
                    self.changes += isinstance(answers[hook], str)  # a new fault
                answer = answers[hook]
                if isinstance(answer, Offer):
                    offers.append(answer)
            return offers

    def faults(self) -> list[Fault]:
        """List the plugins that are disabled, or that have been found to be broken."""
        with self.lock:
            self.load()
            found = []
            for name, plugin in self.list_name_plugin():
                status: Status = "broken"
                if plugin is None:
                    by_variable = name in self.disabled
                    status = "disabled"
                    reason = f"by {DISABLE_VARIABLE}" if by_variable else "the plugin is blocked"
                elif isinstance(plugin, BrokenPlugin):
                    reason = plugin.reason
                else:
                    answers = self._answers.get(name, {}).values()
                    reasons = [answer for answer in answers if isinstance(answer, str)]
                    reason = "; ".join(reasons) or self._find_hook_fault(plugin, required=False)
                if reason:
                    found.append(Fault(name, self.origin_of(name), status, reason))
            return sorted(found, key=lambda fault: (fault.plugin, fault.origin))

    def describe_broken(self) -> str:
        """Name the broken plugins, after a semicolon, for the end of a message; ``""`` if none."""
        faults = [fault for fault in self.faults() if fault.status == "broken"]
        if not faults:
            return ""
        for fault in faults:
            if fault.plugin == fault.origin.distribution:  # a file or a module
                return f"; the plugin {fault.plugin} is broken: {fault.reason}"
        broken = [fault.plugin for fault in faults]
        are = "is" if len(broken) == 1 else "are"
        return (
            f"; {counted(len(broken), 'plugin')} {are} broken: {', '.join(broken)};"
            " `holdem evaluators` tells why"
        )

    def origin_of(self, name: str) -> Origin:
        """Look up the origin of a plugin by its name; return an empty `Origin` if none is known."""
        if name.startswith(BUILTIN):
            return Origin(DISTRIBUTION, VERSION)
        return self._origins.get(name, Origin())

    @contextmanager
    def _busy(self) -> Iterator[None]:
        if self.is_busy:
            raise EvaluatorError(
                "evaluators and named ranges cannot be listed or used while plugins are being"
                " loaded"
            )
        self._busy_thread = threading.get_ident()
        try:
            yield
        finally:
            self._busy_thread = None

    def _forget_entry_points(self) -> None:
        for name in self._entry_points or ():
            self.unregister(name=name)
            self.unblock(name)
        self._entry_points = None

    def _load_entry_point(self, entry_point: metadata.EntryPoint, origin: Origin) -> None:
        """Register the plugin of an entry point, or a `BrokenPlugin`; or block its name."""
        assert self._entry_points is not None
        name, known = one_line(entry_point.name), dict(self.list_name_plugin())
        if name in known:
            name += f" ({origin.distribution})"
        if name in known:  # twice in one distribution
            return
        self._origins[name] = origin
        self._entry_points.append(name)
        if any(map(is_disabled_by_variable, (entry_point.name, entry_point.value))):
            self.disabled |= {name, entry_point.value}
            self.set_blocked(name)
            return
        try:
            with GuardedCall():
                with GuardedCall(suffix=f" (importing {entry_point.value})"):
                    plugin = entry_point.load()
                if other := self.get_name(plugin):
                    raise EvaluatorError(f"the entry point {other} offers the same object")
                self.add(plugin, name, origin)
        except EvaluatorError as error:
            self.register(BrokenPlugin(str(error)), name)
        except KeyboardInterrupt:
            notify_once(
                f"interrupted while loading the plugin {name} of {origin};"
                f" {DISABLE_VARIABLE}={name} disables it"
            )
            raise

    def _ask(
        self, implementation: pluggy.HookImpl, hook: str, read: Callable[[Any, Origin], _Answer]
    ) -> Offer[_Answer] | str:
        """Call one implementation; return its answer, or a text that says why it has none."""
        name = implementation.plugin_name
        try:
            with GuardedCall():
                with GuardedCall(suffix=f" (in {hook})"):
                    found = implementation.function()
                return Offer(name, self.origin_of(name), read(found, self.origin_of(name)))
        except EvaluatorError as error:
            return str(error)

    def _find_hook_fault(self, plugin: object, *, required: bool = True) -> str:
        """Describe what is wrong with a plugin's hooks; return an empty string if nothing is.

        A hook must be known, unless it is optional, and marked with `holdem.hookimpl`. If
        `required` is true, there must be at least one hook.
        """
        callers = self.get_hookcallers(plugin) or ()
        known = [name for name, caller in vars(self.hook).items() if _is_hook(caller)]
        for caller in callers:
            for each in caller.get_hookimpls():
                if each.plugin is plugin and not caller.has_spec() and not each.optionalhook:
                    words = [name.removeprefix("holdem_") for name in known]
                    near = did_you_mean(caller.name.removeprefix("holdem_"), words)
                    return (
                        f"unknown hook {caller.name!r}{near.replace('mean ', 'mean holdem_')};"
                        f" there are: {', '.join(known)}; one of a later version of holdem is"
                        " marked @holdem.hookimpl(optionalhook=True)"
                    )
        marked = {caller.name for caller in callers}
        unmarked = [name for name in known if name not in marked and hasattr(plugin, name)]
        if unmarked:
            faults = [
                f"{name} is not marked @holdem.hookimpl, so it is no hook" for name in unmarked
            ]
            return "; ".join(faults)
        if callers or not required:
            return ""
        return f"it has no hook: expected {' or '.join(known)}, marked @holdem.hookimpl"


def _is_hook(caller: object) -> bool:
    return isinstance(caller, pluggy.HookCaller) and caller.has_spec()


def read_disabled() -> tuple[bool, frozenset[str]]:
    """Read from the environment whether all plugins are disabled, and the names that are."""
    text = os.environ.get(DISABLE_VARIABLE, "").strip()
    return text == "1", frozenset(name.strip() for name in text.split(",") if name.strip())


def is_disabled_by_variable(name: str) -> bool:
    all_disabled, names = read_disabled()
    return all_disabled or name in names


def _find_entry_points() -> list[tuple[metadata.EntryPoint, Origin]]:
    """List the entry points of all plugins and their origins, sorted by name and distribution."""
    from importlib import metadata

    try:
        found = list(metadata.entry_points(group=PROJECT))
    except Exception:  # the metadata of one distribution cannot be read
        found = []
        seen: set[str] = set()
        for distribution in metadata.distributions():
            name = _read_origin(distribution).distribution
            if name not in seen:  # the first on the path hides the others, as in `entry_points`
                seen.add(name)
                with suppress(Exception):  # its entry points are unreadable
                    found += distribution.entry_points.select(group=PROJECT)
    # Each distribution once: reading its metadata takes a millisecond.
    distributions = {id(entry.dist): entry.dist for entry in found}
    origins = {key: _read_origin(each) for key, each in distributions.items()}
    pairs = [(entry, origins[id(entry.dist)]) for entry in found]
    return sorted(pairs, key=lambda pair: (one_line(pair[0].name), pair[1]))


def _read_origin(distribution: metadata.Distribution | None) -> Origin:
    """Read a distribution's name and version; return ``Origin("unknown")`` on failure."""
    try:
        assert distribution is not None
        fields = distribution.metadata
        return Origin(one_line(fields["Name"]), one_line(fields["Version"]))
    except Exception:  # no METADATA, or one without these fields
        return Origin("unknown")


#: The plugins of this process.
PLUGINS = Plugins()
