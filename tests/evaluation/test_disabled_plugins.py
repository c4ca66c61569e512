"""Plugins that are switched off, by name or all, and peers that are not installed."""

import sys

import pytest
from faulty_plugins import GOOD
from installed import records_of, require_others_work

import holdem
import holdem_peers
from holdem import messages
from holdem.errors import EvaluatorError
from holdem.evaluation.builtin import reference
from holdem.evaluation.plugins import DISABLE_VARIABLE
from holdem.evaluation.registry import PEERS, Registry
from holdem_peers import adapters

pytestmark = pytest.mark.usefixtures("clean")


def test_all_plugins_can_be_switched_off(install, monkeypatch):
    """With `1` no entry point is loaded, not even imported; the engine's own stay."""
    install("plugin_exits", "import sys; sys.exit(1)")
    monkeypatch.setenv(DISABLE_VARIABLE, "1")
    registry = Registry()
    records = records_of(registry)
    assert {"lookup": "active", "reference": "active"} == {
        name: record.status for name, record in records.items() if record.status == "active"
    }
    assert {"disabled"} == {
        record.status for name, record in records.items() if name not in ("lookup", "reference")
    }
    assert f"by {DISABLE_VARIABLE}" == records["plugin_exits"].reason
    assert "plugin_exits" not in sys.modules
    assert holdem.evaluate("AsKsQsJsTs", evaluator=registry.get()).rank_class == 1
    with pytest.raises(
        EvaluatorError, match=f"evaluator 'bitwise' is disabled: by {DISABLE_VARIABLE}"
    ):
        registry.get("bitwise")
    with pytest.raises(EvaluatorError) as caught:
        registry.get("kev")
    told = str(caught.value)
    assert told.startswith(f"no evaluator 'kev' (disabled, by {DISABLE_VARIABLE}: bitwise, ")
    assert told.endswith("); there are: lookup, reference, and in a script those that it registers")


@pytest.mark.parametrize(
    "text", ["bitwise,plugin_entry", " bitwise , plugin_entry ,", ",,x,bitwise,good"]
)
def test_plugins_can_be_switched_off_by_name(install, monkeypatch, text):
    """A name in the list is an entry point's or an evaluator's; the rest work."""
    install("plugin_good", GOOD.format(name="good"), entry="plugin_entry")
    monkeypatch.setenv(DISABLE_VARIABLE, text)
    registry = Registry()
    off = {name for name, record in records_of(registry).items() if record.status == "disabled"}
    assert {"bitwise", "good" if "good" in text else "plugin_entry"} == off
    for name in ("lookup", "reference", "cactus-kev", "dead-horse", "suit-mask"):
        assert 1 == holdem.evaluate("AsKsQsJsTs", evaluator=registry.get(name)).rank_class


def test_the_engines_own_cannot_be_switched_off(monkeypatch):
    """`lookup` and `reference` are always there."""
    monkeypatch.setenv(DISABLE_VARIABLE, "lookup,reference")
    require_others_work(Registry())


@pytest.mark.parametrize("text", ["", " ", "0", "no-such-plugin"])
def test_other_values_switch_nothing_off(monkeypatch, text):
    """Only `1` means all."""
    monkeypatch.setenv(DISABLE_VARIABLE, text)
    require_others_work(Registry())


@pytest.mark.parametrize(
    ("text", "strays"),
    [("bitwize", ["bitwize"]), ("bitwise,x,lookup", ["lookup", "x"]), ("eval7,bitwise", [])],
)
def test_a_name_that_switches_nothing_off_is_told(monkeypatch, text, strays):
    """Whoever listens hears of each name that is neither a plugin's nor an evaluator's."""
    heard = []
    monkeypatch.setattr(messages, "listeners", [heard.append])
    monkeypatch.setattr(messages, "sent", set())
    monkeypatch.setenv(DISABLE_VARIABLE, text)
    Registry().records()
    assert heard == [
        f"note: {DISABLE_VARIABLE} has {stray!r}, and no plugin has that name or offers an"
        " evaluator that has"
        for stray in strays
    ]


@pytest.mark.parametrize("text", ["", "0", "1"])
def test_all_and_none_are_no_names(monkeypatch, text):
    """What switches all off, or nothing, is no stray name."""
    monkeypatch.setattr(messages, "listeners", [pytest.fail])
    monkeypatch.setattr(messages, "sent", set())
    monkeypatch.setenv(DISABLE_VARIABLE, text)
    Registry().records()


def test_a_peer_that_is_not_installed_says_how(monkeypatch):
    """Its name is known, and the message names the extra that brings its library."""
    monkeypatch.setattr(holdem_peers, "find_spec", lambda name: None)
    for name in PEERS:
        with pytest.raises(EvaluatorError) as caught:
            Registry().get(name)
        assert (
            f"no evaluator '{name}' (it comes with: pip install \"holdem[peers]\"); there"
            in str(caught.value)
        )


def test_the_peers_are_those_of_the_plugin():
    """The names that are known are those that the plugin would offer."""
    assert set(PEERS) == set(adapters.LOADERS)


def test_no_plugins_loads_no_entry_point(install):
    """`disable_plugins` keeps the engine's own and what the script registered."""
    install("plugin_exits", "import sys; sys.exit(1)")
    registry = Registry()
    registry.register(holdem.evaluator("script")(reference.strength))
    mine = registry.get("script")
    registry.disable_plugins()
    assert {"lookup", "reference", "script"} == set(records_of(registry))
    assert mine is registry.get("script")
    with pytest.raises(EvaluatorError) as caught:
        registry.get("bitwise")
    told = "no evaluator 'bitwise' (plugins are disabled, by --no-plugins); there are: lookup, ref"
    assert str(caught.value).startswith(told)
    fresh = Registry()
    fresh.disable_plugins()
    assert {"lookup", "reference"} == set(records_of(fresh))
    assert "plugin_exits" not in fresh.records()
