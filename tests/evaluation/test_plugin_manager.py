"""`holdem.plugin_manager()` is pluggy's, and a change in it takes effect at once."""

import subprocess
import sys
import types

import pluggy
import pytest

import holdem
from faulty_plugins import GOOD, HOOK, SPEC
from holdem.errors import EvaluatorError, HoldemValueError, RangeError
from holdem.evaluation.builtin import reference
from holdem.evaluation.registry import REGISTRY
from plugin_distributions import records_of, use_new_registry

pytestmark = pytest.mark.usefixtures("clean")


@pytest.fixture
def manager(clean, install, monkeypatch):
    """The manager of a process with two packages, of which one is broken."""
    install("plugin_good", GOOD.format(name="good"), entry="good")
    install("plugin_broken", "import no_such_module", entry="b-missing-import")
    use_new_registry(monkeypatch)
    return holdem.plugin_manager()


def make_module(name, *, first=False):
    """Make a module with two hooks, an evaluator and a range of the module's name."""
    module = types.ModuleType(name)
    spec = holdem.evaluator(name)(reference.strength)
    module.holdem_evaluators = holdem.hookimpl(tryfirst=first)(lambda: [spec])
    module.holdem_ranges = holdem.hookimpl(lambda: {name: "AA, KK"})
    return module


def active():
    return [record.name for record in holdem.evaluators() if record.status == "active"]


def test_a_session_of_pluggy(manager):
    """List, register, order and block plugins, as in pluggy's documentation."""
    assert isinstance(manager, pluggy.PluginManager)
    assert manager is holdem.plugin_manager()
    plugins = dict(manager.list_name_plugin())
    assert {"holdem-builtin", "bitwise", "good", "b-missing-import"} <= set(plugins)
    assert "ModuleNotFoundError: No module named 'no_such_module'" in repr(
        plugins["b-missing-import"]
    )

    module = make_module("mine")
    assert manager.register(module) == "mine"
    assert manager.get_plugin("mine") is module
    with pytest.raises(ValueError, match="already registered"):
        manager.register(module)
    assert holdem.evaluate("As Ks Qs Js Ts", evaluator="mine").rank_class == 1
    assert len(holdem.Range("@mine")) == 12
    assert list(holdem.named_ranges()) == ["mine"]

    # The last registered comes first, but after one that wants to be first.
    manager.register(make_module("eager", first=True))
    manager.register(make_module("late"))
    names = active()
    assert names[:5] == ["eager", "lookup", "reference", "late", "mine"]
    assert names[5:7] == ["bitwise", "cactus-kev"]

    manager.set_blocked("mine")  # after its first use
    assert manager.is_blocked("mine")
    assert manager.register(module) is None
    with pytest.raises(EvaluatorError, match="evaluator 'mine' is disabled: the plugin is blocked"):
        holdem.get_evaluator("mine")
    with pytest.raises(RangeError, match="no range has the name '@mine'"):
        holdem.Range("@mine")
    assert manager.unblock("mine")
    manager.register(module)
    assert len(holdem.Range("@mine")) == 12
    assert "mine" in active()

    manager.set_blocked("bitwise")
    assert "bitwise" not in active()
    assert manager.unregister(name="good").__name__ == "plugin_good"
    with pytest.raises(EvaluatorError, match="no evaluator 'good'"):
        holdem.get_evaluator("good")


def test_a_module_that_has_changed(manager):
    """One that is registered anew is called anew."""
    module = make_module("mine")
    manager.register(module)
    assert len(holdem.Range("@mine")) == 12
    manager.unregister(module)
    module.holdem_ranges = holdem.hookimpl(lambda: {"mine": "AA"})
    manager.register(module)
    assert len(holdem.Range("@mine")) == 6


def test_registered_evaluators_are_plugins(manager):
    """`holdem.register` goes through the manager, which can block them."""
    spec = holdem.evaluator("script")(reference.strength)
    holdem.register(spec)
    assert manager.get_plugin("script:script").spec is spec
    manager.set_blocked("script:script")
    assert "script" not in active()
    with pytest.raises(EvaluatorError, match="the plugin script:script is blocked"):
        holdem.register(spec)


def test_own_plugin_cannot_be_blocked(manager):
    for change in (manager.set_blocked, lambda name: manager.unregister(name=name)):
        with pytest.raises(HoldemValueError, match="holdem-builtin is part of the engine"):
            change("holdem-builtin")
    assert active()[0] == "lookup"


@pytest.mark.parametrize("options", [{"wrapper": True}, {"hookwrapper": True}])
def test_wrappers_are_refused(manager, options):
    """The message says why; nothing is registered."""
    module = types.ModuleType("wraps")

    @holdem.hookimpl(**options)
    def holdem_evaluators():
        yield

    module.holdem_evaluators = holdem_evaluators
    with pytest.raises(pluggy.PluginValidationError, match="is a hook wrapper, which"):
        manager.register(module)
    assert not manager.has_plugin("wraps")


def test_one_plugin_that_fails_beside_good_ones(manager):
    """Its other hooks work, and calls through `hook` are pluggy's own."""
    module = make_module("mine")
    module.holdem_ranges = holdem.hookimpl(lambda: 1 / 0)
    manager.register(module)
    manager.register(make_module("other"))
    assert holdem.get_evaluator("mine").name == "mine"  # before the fault is found
    assert list(holdem.named_ranges()) == ["other"]
    records = {record.name: record for record in holdem.evaluators()}
    assert records["mine"].status == "active"
    assert (
        records["mine (plugin)"].reason == "ZeroDivisionError: division by zero (in holdem_ranges)"
    )
    with pytest.raises(ZeroDivisionError):
        manager.hook.holdem_ranges()
    assert [spec.name for spec in manager.hook.holdem_evaluators()[1]] == ["other"]


def test_unknown_hook_of_a_registered_module(manager):
    """It is listed as broken; the message says how a later hook is marked."""
    module = make_module("mine")
    module.holdem_range = holdem.hookimpl(lambda: None)
    manager.register(module)
    record = records_of(REGISTRY)["mine (plugin)"]
    assert record.reason.startswith(
        "unknown hook 'holdem_range' (did you mean holdem_ranges?); there are: holdem_commands,"
    )
    assert record.reason.endswith("is marked @holdem.hookimpl(optionalhook=True)")


HOOK_BESIDE_THREADS = """
import threading, time, types
import holdem
from holdem.evaluation.builtin import reference
from holdem.rules import find_rules

found, module = [], types.ModuleType("mine")
mine = holdem.evaluator("mine")(reference.strength)
order = ["pair", "two pair", "three of a kind", "straight", "full house", "four of a kind"]
royal = holdem.RuleSet("royal", ranks="TJQKA", categories=[*order, "straight flush"])
asks = [lambda: holdem.get_evaluator("bitwise").name, lambda: find_rules("royal").name]
threads = [threading.Thread(target=lambda ask=ask: found.append(ask())) for ask in asks]

@holdem.hookimpl
def holdem_ranges():
    for thread in threads:
        thread.start()
    time.sleep(0.5)  # until they wait for this hook
    found.append(holdem.get_evaluator(mine).name)
    try:
        holdem.register(mine)
    except holdem.EvaluatorError:
        found.append("refused")
    return {}

module.holdem_ranges = holdem_ranges
module.holdem_evaluators = holdem.hookimpl(lambda: [royal])
holdem.plugin_manager().register(module)
holdem.named_ranges()
for thread in threads:
    thread.join()
print(*sorted(found))
"""


def test_a_hook_beside_other_threads():
    """It looks an evaluator up while others wait for it; they know what its plugin offers."""
    command = [sys.executable, "-c", HOOK_BESIDE_THREADS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("bitwise mine refused royal\n", "")


@pytest.mark.parametrize("name", ["lookup", "bitwise", "eval7"])
def test_bundled_names_are_reserved(install, monkeypatch, name):
    """A package that claims one is listed as broken, and the evaluator is the bundled one."""
    monkeypatch.setattr("holdem_peers.find_spec", lambda library: None)  # even if not installed
    install("plugin_usurper", SPEC + HOOK + f"return [spec('{name}')]")
    records = records_of(use_new_registry(monkeypatch))
    own = {n: r for n, r in records.items() if r.distribution == "plugin-usurper"}
    ((shown, record),) = own.items()
    assert record.status == "broken"
    assert record.reason == f"'{name}' is the name of an evaluator of holdem"
    if name != "eval7":
        assert records[name].distribution == "holdem-engine"
        assert shown == f"{name} (plugin-usurper)"
