"""`holdem hits` and `holdem explain`: formats, widths and errors."""

import csv
import io
import json

import numpy as np
import pytest

import holdem
from holdem.cards import cards_text
from holdem.cli import run
from holdem.ranges.combos import COMBO_TEXT


@pytest.fixture
def output(capsys, monkeypatch):
    """Return a function that runs a command at 80 columns and returns its standard output."""
    monkeypatch.setenv("COLUMNS", "80")

    def call(*words):
        assert run([*words]) == 0
        return capsys.readouterr().out.rstrip("\n")

    return call


def _widest(text):
    return max(map(len, text.splitlines()))


def _hits_questions(count):
    rng = np.random.default_rng(8)
    for number in range(count):
        size = (0, 3, 4, 5)[number % 4]
        cards = rng.permutation(52)[: size + number % 3].tolist()
        combos = rng.choice(1326, size=1 + number * 7, replace=False).tolist()
        hands = ",".join(
            f"{COMBO_TEXT[n]}:0.{rng.integers(1, 10**9)}"[: 8 + number % 8] for n in combos
        )
        yield hands, cards_text(cards[:size]), cards_text(cards[size:])
    yield "random", "Ks7d2c", ""
    yield "random", "", ""


def test_hits_fit_80_columns(output):
    for hands, board, dead in _hits_questions(12):
        text = output("hits", hands, "-b", board, "-d", dead)
        assert _widest(text) <= 80, text


def test_explanations_fit_80_columns(output):
    rng = np.random.default_rng(9)
    for number in range(30):
        players, size = 2 + number % 9, (0, 3, 4, 5)[number % 4]
        cards = rng.permutation(52).tolist()
        holes = [cards_text(cards[2 * seat : 2 * seat + 2]) for seat in range(players)]
        board, dead = cards_text(cards[20 : 20 + size]), cards_text(cards[30 : 30 + number % 3])
        text = output("explain", *holes, "-b", board, "-d", dead)
        assert _widest(text) <= 80, text


HITS = ("hits", "QQ+,AK:0.5,9s8s", "-b", "Ks7s2c", "-d", "Ah")
EXPLAIN = ("explain", "AsKs", "QdQh", "7c7s", "-b", "Td9d2c", "-d", "Ah")


def _hits():
    return holdem.hits("QQ+,AK:0.5,9s8s", board="Ks7s2c", dead="Ah")


def _explanation():
    return holdem.explain("AsKs", "QdQh", "7c7s", board="Td9d2c", dead="Ah")


@pytest.mark.parametrize(("words", "call"), [(HITS, _hits), (EXPLAIN, _explanation)])
def test_formats(words, call, output):
    """JSON is `to_dict`, CSV the rows of `to_frame`, and text and Markdown have the same cells."""
    result = call()
    record = json.loads(output(*words, "-f", "json"))
    assert record | {"elapsed": 0} == json.loads(json.dumps(result.to_dict())) | {"elapsed": 0}
    rows = list(csv.DictReader(io.StringIO(output(*words, "-f", "csv"))))
    assert [*rows[0]] == [*result.to_frame().columns]
    assert len(rows) == len(result.to_frame())
    text, markdown = output(*words), output(*words, "-f", "markdown")
    assert text.splitlines()[:-1] == str(result).splitlines()[:-1]
    for line in text.splitlines():
        for word in line.split():
            assert word in markdown or " s" in line


def test_schemas():
    hits, explanation = _hits().to_dict(), _explanation().to_dict()
    assert (hits["schema"], explanation["schema"]) == ("holdem/hits/1", "holdem/explanation/1")
    group = hits["made"]["top pair"]
    assert (group["combos"], group["share"]) == (4.5, 4.5 / hits["combos"])
    assert holdem.Range(group["range"]) == _hits().made["top pair"].range
    assert [*hits["by_river"]] == [*hits["by_next_card"]]
    assert explanation["winners"] == [1]
    assert explanation["decided_by"] == "pair, Queens"
    assert explanation["deciding_cards"] == ["Qh", "Qd"]
    first = explanation["players"][0]
    assert first["hole"] == ["As", "Ks"]
    assert first["outs"] == ["Ad", "Ac", "Kh", "Kd", "Kc"]
    assert [street["street"] for street in explanation["streets"]] == ["before the flop", "flop"]
    assert sum(explanation["streets"][1]["equities"]) == pytest.approx(1)


def test_classes_are_complete_but_for_blocked_combos(output):
    """The table shows classes where all live combos are in a group; JSON shows the combos."""
    lines = output("hits", "QQ+,AK", "-b", "Ks7d2c").splitlines()
    shown = {line[:13].strip(): line.split() for line in lines}
    assert shown["set"][1] == "KK"
    assert shown["top pair"][2] == "AKs,AKo"
    assert _hits().to_dict()["made"]["set"]["range"] == "KhKd,KhKc,KdKc"


def test_symbols(output):
    assert "K♠ 7♠ 2♣" in output(*HITS, "--symbols")
    assert "Q♥ Q♦" in output(*EXPLAIN, "--symbols")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("hits", "QQ++"), "holdem: 'QQ++' is not a hand (position 1)\n"),
        (
            ("hits", "KsKd", "-b", "Ks7d2c"),
            "holdem: 'KsKd' has no possible hand: blocked by Ks on the board\n",
        ),
        (("hits", "KsKd", "-b", "Ks7"), "holdem: board: '7' at position 3"),
        (("hits",), "Missing argument 'RANGE'"),
        (("explain", "AsKs", "QQ"), "holdem: player 2: 'QQ' is 6 combos, and explain needs two"),
        (("explain", "AsKs"), "explain needs 2 to 10 players, not 1, each with two known cards"),
        (("explain", "AsKs", "QdQh", "--evaluator", "nobody"), "nobody"),
    ],
)
def test_errors(words, message, capsys):
    assert run([*words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
