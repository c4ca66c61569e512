"""The evaluator that a call names: in every result, and the only one that ranks its hands."""

import json

import pytest

import holdem
from holdem.cli import run


def test_it_is_in_every_result(capsys):
    """Results in Python and JSON have its name and version."""
    mine = {"evaluator": "cactus-kev"}
    hands = list(holdem.simulate(players=2, hands=1, seed=7, **mine))
    sampled = holdem.equity("AsKs", "QQ", method="monte-carlo", deals=100, seed=1, **mine)
    labels = [
        holdem.get_evaluator("cactus-kev").label.to_dict(),
        holdem.evaluate("As Ks Qs Js Ts", **mine).evaluator.label.to_dict(),
        holdem.evaluate("As Ks Qs Js Ts", **mine).to_dict()["evaluator"],
        holdem.equity("AsKs", "QQ", board="Td9d2c7h", **mine).to_dict()["evaluator"],
        sampled.to_dict()["evaluator"],
        holdem.head_to_head("AsKs", "QQ", deals=100, seed=1, **mine).to_dict()["evaluator"],
        holdem.aggregate(players=2, hands=100, seed=7, **mine).to_dict()["evaluator"],
        hands[0].to_dict()["evaluator"],
    ]
    for command in (
        ("equity", "AsKs", "QQ", "--board", "Td9d2c7h"),
        ("evaluate", "AsKsQsJsTs"),
        ("head-to-head", "AsKs", "QQ", "-n", "100"),
    ):
        assert run([*command, "--evaluator", "cactus-kev", "-f", "json"]) == 0
        labels.append(json.loads(capsys.readouterr().out)["evaluator"])
    assert run(["deal", "--evaluator", "cactus-kev", "-f", "jsonl"]) == 0
    labels.append(json.loads(capsys.readouterr().out)["evaluator"])
    assert [{"name": "cactus-kev", "version": holdem.__version__}] * len(labels) == labels


@pytest.mark.parametrize(
    "command",
    [
        ("equity", "AsKs", "QQ", "--board", "Td9d2c7h"),
        ("equity", "AsKs", "QQ", "--board", "Td9d2c7h", "-f", "csv"),
        ("equity", "AsKs", "QQ", "--board", "Td9d2c7h", "-f", "markdown"),
        ("evaluate", "AsKsQsJsTs"),
        ("head-to-head", "AsKs", "QQ", "-n", "100"),
        ("head-to-head", "AsKs", "QQ", "-n", "100", "-f", "markdown"),
        ("deal",),
    ],
)
def test_it_is_in_every_table(capsys, command):
    assert run([*command, "--evaluator", "cactus-kev"]) == 0
    assert "cactus-kev" in capsys.readouterr().out


def test_it_ranks_the_hands():
    """Asked directly, it ranks all hands itself; otherwise only those that prove it."""
    asked = []
    inner = holdem.get_evaluator("lookup")

    @holdem.evaluator("counting", batch=True, hand_sizes={5, 6, 7})
    def counting(hands):
        asked.append(len(hands))
        return inner.rank(hands)

    direct = holdem.get_evaluator(counting, direct=True)
    assert 1388072 == holdem.equity("AcAs", "KdKh", evaluator=counting).players[0].wins
    proving = sum(asked)
    assert proving > 100_000
    holdem.equity("AsKs", "QQ", "random", board="Td9d2c", evaluator=counting)
    assert proving == sum(asked)
    assert 1388072 == holdem.equity("AcAs", "KdKh", evaluator=direct).players[0].wins
    assert sum(asked) > proving + 100_000
    asked.clear()
    holdem.equity("AsKs", "QQ", method="monte-carlo", deals=1000, seed=7, evaluator=direct)
    assert 2000 == sum(asked)
    asked.clear()
    holdem.equity("AsKs", "QQ", method="monte-carlo", deals=1000, seed=7)
    assert asked == []


def test_its_repr():
    """It tells a directly ranked evaluator from the same one with tables."""
    shown = [repr(holdem.get_evaluator("bitwise", direct=direct)) for direct in (False, True)]
    version = holdem.get_evaluator("bitwise").version
    assert shown == [f"<Evaluator bitwise {version}>", f"<Evaluator bitwise {version}, direct>"]
