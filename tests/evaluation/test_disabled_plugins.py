"""Disabled plugins, and peers that are not installed."""

import sys

import pytest

import holdem
import holdem_peers
from faulty_plugins import GOOD
from holdem import messages
from holdem.errors import EvaluatorError
from holdem.evaluation.builtin import reference
from holdem.evaluation.registry import DISABLE_VARIABLE, PEERS, Registry
from holdem_peers import adapters
from plugin_distributions import records_of, require_others_work

pytestmark = pytest.mark.usefixtures("clean")


def test_all_plugins_are_disabled(install, monkeypatch):
    """With `1` no entry point is imported; built-in evaluators remain."""
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
    assert told.startswith(f"no evaluator 'kev' (disabled by {DISABLE_VARIABLE}: abstraction, ")
    assert "); there are: lookup, reference" in told


@pytest.mark.parametrize(
    "text", ["bitwise,plugin_entry", " bitwise , plugin_entry ,", ",,x,bitwise,good"]
)
def test_plugins_are_disabled_by_name(install, monkeypatch, text):
    """Names are those of entry points or evaluators."""
    install("plugin_good", GOOD.format(name="good"), entry="plugin_entry")
    monkeypatch.setenv(DISABLE_VARIABLE, text)
    registry = Registry()
    off = {name for name, record in records_of(registry).items() if record.status == "disabled"}
    assert {"bitwise", "good" if "good" in text else "plugin_entry"} == off
    for name in ("lookup", "reference", "cactus-kev", "dead-horse", "suit-mask"):
        assert 1 == holdem.evaluate("AsKsQsJsTs", evaluator=registry.get(name)).rank_class


def test_builtin_evaluators_cannot_be_disabled(monkeypatch):
    monkeypatch.setenv(DISABLE_VARIABLE, "lookup,reference")
    require_others_work(Registry())


@pytest.mark.parametrize("text", ["", " ", "0", "no-such-plugin"])
def test_values_that_disable_nothing(monkeypatch, text):
    """Only `1` stands for all."""
    monkeypatch.setenv(DISABLE_VARIABLE, text)
    require_others_work(Registry())


@pytest.mark.parametrize(
    ("text", "strays"),
    [
        ("bitwize", ["bitwize"]),
        ("bitwise,x,lookup", ["lookup", "x"]),
        ("eval7,bitwise", []),
        ("holdem_bitwise,holdem_page", []),
    ],
)
def test_unknown_names_cause_messages(monkeypatch, text, strays):
    heard = []
    monkeypatch.setattr(messages, "listeners", [heard.append])
    monkeypatch.setattr(messages, "sent", set())
    monkeypatch.setenv(DISABLE_VARIABLE, text)
    Registry().records()
    assert heard == [
        f"note: {DISABLE_VARIABLE} names {stray!r}, but there is no such plugin or evaluator"
        for stray in strays
    ]


@pytest.mark.parametrize("text", ["", "0", "1"])
def test_no_message_without_names(monkeypatch, text):
    monkeypatch.setattr(messages, "listeners", [pytest.fail])
    monkeypatch.setattr(messages, "sent", set())
    monkeypatch.setenv(DISABLE_VARIABLE, text)
    Registry().records()


def test_peer_that_is_not_installed(monkeypatch):
    """The error says what to install."""
    monkeypatch.setattr(holdem_peers, "find_spec", lambda name: None)
    for name in PEERS:
        with pytest.raises(EvaluatorError) as caught:
            Registry().get(name)
        assert f"no evaluator '{name}' (pip install {name}); there" in str(caught.value)


def test_names_of_peers():
    """They are the names that the plugin offers."""
    assert set(PEERS) == set(adapters.LOADERS)


def test_disable_plugins(install):
    """Built-in and registered evaluators remain."""
    install("plugin_exits", "import sys; sys.exit(1)")
    registry = Registry()
    registry.register(holdem.evaluator("script")(reference.strength))
    mine = registry.get("script")
    registry.plugins.disable()
    assert {"lookup", "reference", "script"} == set(records_of(registry))
    assert mine is registry.get("script")
    with pytest.raises(EvaluatorError) as caught:
        registry.get("bitwise")
    told = "no evaluator 'bitwise' (plugins are disabled by --no-plugins); there are: lookup, ref"
    assert str(caught.value).startswith(told)
    fresh = Registry()
    fresh.plugins.disable()
    assert {"lookup", "reference"} == set(records_of(fresh))
    assert "plugin_exits" not in fresh.records()
