"""Answers to the page are those of the command line, in JSON, CSV and PNG."""

import json
from collections import Counter

import pytest

import holdem
from holdem.cli import run
from holdem.rules import STANDARD

FLOP = ("-b", "Td9d2c")
SAMPLED = ("--method", "monte-carlo", "--deals", "20000", "--seed", "7")


def _question(arguments):
    """Return the question that stands for arguments of ``holdem equity``."""
    question, left = {"players": []}, list(arguments)
    names = {"-b": "board", "-d": "dead"}
    while left:
        word = left.pop(0)
        if not word.startswith("-"):
            question["players"].append(word)
            continue
        name, value = names.get(word, word[2:]), left.pop(0)
        if name == "by":
            question.setdefault("by", []).append(value)
        else:
            question[name] = value
    for name in ("deals", "seed"):
        if name in question:
            question[name] = int(question[name])
    return question


def _without_time(record):
    assert record.pop("elapsed") >= 0
    return record


@pytest.mark.parametrize(
    "arguments",
    [
        ("AsKs", "QQ"),
        ("QQ+,AKs", "random", *FLOP),
        ("QQ+,AKs", "random", *FLOP, "-d", "2h3h"),
        ("22+:0.5,AK", "top 20%", *FLOP, "--by", "class", "--by", "combo", "--by", "category"),
        ("22+", "AK,AsQs:0.25", "-b", "Td9d2cKs", "--by", "next-card"),
        ("22+", "AK", "-b", "Td9d2cKs4h", "--method", "exact"),
        ("AsKs", "QdQh", "JdTh", *FLOP),
        ("22+", "AK", "QJs", *SAMPLED),
        ("22+", "AK", *FLOP, *SAMPLED, "--by", "combo", "--by", "next-card"),
        (*["random"] * 10, *SAMPLED),
    ],
    ids=" ".join,
)
def test_equity(client, capsys, arguments):
    """The JSON is that of ``holdem equity -f json``, in the same order."""
    assert run(["equity", *arguments, "-f", "json"]) == 0
    expected = _without_time(json.loads(capsys.readouterr().out))
    response = client.ask("equity", _question(arguments))
    assert response.status == 200
    assert response.type == "application/json"
    assert json.dumps(expected) == json.dumps(_without_time(response.json))


@pytest.mark.filterwarnings("ignore::holdem.DialectWarning")
@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("22+,A5s-A2s:0.3", {}),
        ("T9s+", {"board": "Td9d2c", "dead": "As"}),
        ("15%", {"against": 3}),
        ("87s", {"against": 5}),
    ],
)
def test_range(client, capsys, text, known):
    """The JSON is that of ``holdem range -f json``."""
    words = [word for name, cards in known.items() for word in (f"--{name}", str(cards))]
    assert run(["range", text, *words, "-f", "json"]) == 0
    response = client.ask("range", {"text": text, **known})
    assert json.loads(capsys.readouterr().out) == response.json
    notes = response.json.get("notes", [])
    assert [note[:19] for note in notes] == (["T9s+ is T9s alone h"] if text == "T9s+" else [])


def test_notes_do_not_depend_on_the_filters_of_warnings(client):
    """Threads share these: one that compiles a kernel restores those that were there before."""
    response = client.ask("range", {"text": "T9s+"})  # here, a warning is an error
    assert response.status == 200
    assert response.json["notes"][0].startswith("T9s+ is T9s alone here")


def test_narrowed_range(client, capsys):
    """The JSON is that of ``holdem range --keep --remove -f json``."""
    keep, remove = ["top pair, flush draw (nut)", "backdoor flush draw,combo draw"], ["gutshot"]
    words = [word for lines in keep for word in ("--keep", lines)] + ["--remove", "gutshot"]
    assert run(["range", "22+,A2s+,AK", "-b", "Ks7s2c", *words, "-f", "json"]) == 0
    question = {"text": "22+,A2s+,AK", "board": "Ks7s2c", "keep": keep, "remove": remove}
    answer = client.ask("range", question).json
    assert json.loads(capsys.readouterr().out) == answer
    assert 0 < answer["left"]["count"] < 50


def test_rules_of_a_percentage_against_several(client):
    """Rules narrow the hands of the order that was asked for, as lines do."""
    question = {"text": "top 15%", "against": 3, "board": "As7d9c"}
    by_rules = client.ask("range", question | {"rules": [{"keep": ["top pair+"]}]}).json
    by_lines = client.ask("range", question | {"keep": ["top pair+"]}).json
    assert by_rules["left"] == by_lines["left"]


def test_members_of_hits(client):
    """A line lists the combos that have it, as each has by itself, with their weights."""
    hands, known = holdem.Range("55+,AJs+:0.3,9s8s,Th9h"), {"board": "Ks7s2c", "dead": "Ah"}
    question = {"range": str(hands), **known, "members": True}
    record = client.ask("hits", question).json
    lines = {("made", name): {} for name in record["made"]}
    lines |= {("draws", name): {} for name in record["draws"]}
    for combo in hands.without(holdem.parse_cards("Ks7s2cAh")):
        own = holdem.hits(str(combo), **known).to_dict()
        for kind, name in lines:
            if own[kind][name]["combos"]:
                lines[kind, name][str(combo)] = hands.weight(combo)
    for (kind, name), expected in lines.items():
        members = {each["combo"]: each["weight"] for each in record[kind][name]["members"]}
        assert members == expected
    assert sum(map(bool, lines.values())) > 6


@pytest.mark.parametrize(
    ("players", "dead", "total", "tolerance"),
    [
        (["22+,A2s+", "KTs+,QJo"], "", 1755, 0),
        (["22+:0.3,A2s+:0.123456789123", "KTs+:0.3,QJo"], "", 1755, 1e-14),
        (["AsKs", "QQ,JJ:0.25"], "Ah", 11_725, 0),
    ],
)
def test_flops(client, players, dead, total, tolerance):
    """Each flop has the equities of the command, and parts of all flops are those of the whole."""
    question = {"players": players, "dead": dead, "count": 9}
    shown = []
    first = total - 600
    for start in (first, total - 300, total - 9):
        record = client.ask("flops", {**question, "start": start}).json
        assert record["schema"] == "holdem/flops/1"
        assert record["total"] == total
        assert 0 < len(record["flops"]) <= min(9, total - start)
        shown += record["flops"]
    part = client.ask("flops", {**question, "start": first + 4, "count": 4}).json["flops"]
    assert part == [own for own in shown[4:8] if len(shown) > 8]
    assert client.ask("flops", {**question, "start": total}).json["flops"] == []
    every = client.ask("flops", {**question, "count": 22_100}).json["flops"]
    swept = {own["flop"]: own for own in every}
    for own in shown[::4]:
        expected = holdem.equity(*players, board=own["flop"], dead=dead)
        assert own["equity"] == [player.equity for player in expected.players]
        assert own["win"] == [player.win for player in expected.players]
        assert own["tie"] == [player.tie for player in expected.players]
        first = expected.players[0]
        assert own["deals"] == first.wins + first.ties + first.losses
        assert own["exact"]
        for name, value in swept[own["flop"]].items():
            assert value == own[name] or value == pytest.approx(own[name], rel=tolerance, abs=0)


def test_all_flops(client):
    """Their mean is the equity before the flop, and each texture is as frequent as in the deck."""
    record = client.ask("flops", {"players": ["AA", "KK"], "count": 2000}).json
    flops = record["flops"]
    assert (record["total"], len(flops)) == (1755, 1753)  # without AAA and KKK
    assert [own["flop"] for own in flops][:2] == ["AsAhKs", "AsAhKd"]
    deals = sum(own["weight"] * own["deals"] for own in flops)
    equity = sum(own["weight"] * own["deals"] * own["equity"][0] for own in flops) / deals
    assert equity == pytest.approx(holdem.equity("AA", "KK").players[0].equity, abs=1e-14)
    counts = Counter()
    for own in flops:
        cards = holdem.parse_cards(own["flop"])
        assert own["high"] == str(max(cards))[0]
        ranks = {card // 4 for card in cards}
        fits = any(ranks <= {*straight} for straight in STANDARD.straights)
        assert own["connected"] == (fits and len(ranks) == 3)
        counts.update({own["suits"]: own["weight"], own["ranks"]: own["weight"]})
    assert counts == {
        "monotone": 4 * 286,
        "two-tone": 12 * 13 * 78,
        "rainbow": 22_092 - 1144 - 12_168,
        "trips": 13 * 4 - 8,
        "paired": 13 * 12 * 6 * 4,
        "unpaired": 286 * 64,
    }


@pytest.mark.parametrize(
    "known", [{"board": "Td9d2c"}, {"board": "Td9d2cKs4h", "dead": "As"}, {"fine": True}]
)
def test_hits(client, capsys, known):
    """The JSON is that of ``holdem hits -f json``."""
    known = {"board": "Ts9s2c", **known}
    words = [part for name, given in known.items() for part in (f"--{name}", given)]
    words = [word for word in words if word is not True]
    assert run(["hits", "22+,AK", *words, "-f", "json"]) == 0
    expected = _without_time(json.loads(capsys.readouterr().out))
    assert expected == _without_time(client.ask("hits", {"range": "22+,AK", **known}).json)
    assert ("combo draw" in expected["draws"]) == ("fine" in known)


@pytest.mark.parametrize(
    ("command", "question"),
    [
        (["equity", "22+", "AK", *FLOP, "--by", "class"], "equity"),
        (["hits", "22+,AK", *FLOP], "hits"),
    ],
    ids=["equity", "hits"],
)
def test_csv(client, capsys, command, question):
    """The CSV is that of the command line."""
    assert run([*command, "-f", "csv"]) == 0
    asked = {"range": "22+,AK"} if question == "hits" else {"players": ["22+", "AK"]}
    asked |= {"by": ["class"]} if question == "equity" else {}
    response = client.ask(question, {**asked, "board": "Td9d2c", "format": "csv"})
    assert response.type == "text/csv; charset=utf-8"
    assert capsys.readouterr().out == response.content.decode() + "\n"


@pytest.mark.parametrize(
    ("command", "name", "question"),
    [
        (["equity", "22+", "AK", *FLOP], "equity", {"players": ["22+", "AK"]}),
        (["range", "22+,AK", *FLOP], "range", {"text": "22+,AK"}),
        (["hits", "22+,AK", *FLOP], "hits", {"range": "22+,AK"}),
        (
            ["equity", "22+", "AK", *FLOP, "--names", "x,y"],
            "equity",
            {"players": ["22+", "AK"], "names": ["x", "y"]},
        ),
    ],
    ids=["equity", "range", "hits", "names"],
)
def test_png(client, tmp_path, command, name, question):
    """The picture is that of ``--plot``."""
    pytest.importorskip("matplotlib")
    file = tmp_path / "picture.png"
    assert run([*command, "--plot", str(file)]) == 0
    response = client.ask(name, {**question, "board": "Td9d2c", "format": "png"})
    assert response.type == "image/png"
    assert file.read_bytes() == response.content


@pytest.mark.parametrize(
    ("name", "question", "place", "message"),
    [
        ("equity", {"players": ["22+", "AK, QQx"]}, {"player": 1, "start": 4, "end": 7}, "'QQx'"),
        ("equity", {"players": ["22+", ""]}, {"player": 1}, "player 2: the range is empty"),
        ("equity", {"players": ["AA", "22"], "board": "2c2d2h"}, {"player": 1}, "no possible"),
        ("equity", {"players": ["22", "33"], "board": "Td9x2c"}, {"field": "board"}, "'9x2'"),
        ("equity", {"players": ["22", "33"], "board": "Td9d2c3c4c5c"}, {"field": "board"}, "not 6"),
        ("equity", {"players": ["22", "33"], "board": "Td9dTd"}, {"field": "board"}, "twice"),
        ("equity", {"players": ["22", "33"], "dead": "Xx"}, {"field": "dead"}, "'Xx'"),
        (
            "equity",
            {"players": ["22", "33"], "board": "Td9d2c", "dead": "2c"},
            {"field": "dead"},
            "2c appears twice",
        ),
        ("range", {"text": "22+,A"}, {"start": 4, "end": 5}, "'A'"),
        ("range", {"text": "22+", "board": "Tx"}, {"field": "board"}, "'Tx'"),
        ("hits", {"range": "22+,A", "board": "Td9d2c"}, {"start": 4, "end": 5}, "'A'"),
        ("range", {"text": "22+", "keep": ["set"]}, {}, "give the board"),
        ("range", {"text": "22+", "board": "Td9d2c", "keep": ["sett"]}, {}, "did you mean set?"),
        ("range", {"text": "22+", "board": "Td9d2c", "keep": "set"}, {}, "keep must be a list"),
        ("range", {"text": "22", "keep": ["set"], "rules": [{}]}, {}, "either rules, or lines"),
        ("equity", {"players": ["22", "33"], "rules": [[]]}, {}, "1 lists of rules for 2"),
        ("equity", {"players": ["22", "33"], "rules": [[], 5]}, {"player": 1}, "are a list, not 5"),
        ("equity", {"players": ["22", "33"], "rules": [[5], []]}, {"player": 0}, "5"),
        ("equity", {"players": ["22", "33"], "rules": [[], [{"keep": 5}]]}, {"player": 1}, "5"),
        ("flops", {"players": ["22", "33", "44"]}, {}, "flops are for 2 players, not 3"),
        ("flops", {"players": ["22", "33x"]}, {"player": 1, "start": 0, "end": 3}, "'33x'"),
        ("flops", {"players": ["22", "33"], "start": 0.5}, {}, "start must be an integer from 0"),
        (
            "flops",
            {"players": ["22", "33"], "count": 22_101},
            {},
            "integer from 1 to 22100, not 22101",
        ),
        ("flops", {"players": ["22", "33"], "board": ""}, {}, "no key 'board'"),
        ("equity", {"players": ["22", "33"], "names": ["x"]}, {}, "1 name (x) for 2 players"),
        ("equity", {"players": ["22"]}, {}, "2 to 10 players"),
        ("equity", {"players": ["22", "33"], "method": "guess"}, {}, "no method 'guess'"),
        ("equity", {"players": ["22", "33"], "by": ["next-card"]}, {}, "board of 3 or 4"),
        ("equity", {"players": ["22", "33"], "by": ["suit"]}, {}, "no report by 'suit'"),
        ("equity", {"players": ["22", "33"], "seed": -1}, {}, "seed"),
        ("equity", {"players": ["22", "33"], "deals": 1.5}, {}, "deals"),
        ("equity", {"players": ["22", "33"], "time": 61}, {}, "at most 60 seconds"),
        ("equity", {"players": ["22", "33"], "seed": True}, {}, "seed must be a number"),
        ("equity", {"players": "22"}, {}, "players must be a list of texts, not '22'"),
        ("equity", {"players": ["22", 5]}, {}, "players must be a list of texts"),
        ("equity", {"board": "Td9d2c"}, {}, "no 'players'"),
        ("equity", {"players": ["22", "33"], "colour": 1}, {}, "no key 'colour'"),
        ("equity", ["22", "33"], {}, "JSON object"),
        ("range", {"text": "22", "format": "csv"}, {}, "no format 'csv' for range"),
        (
            "equity",
            {"players": ["22", "33"], "by": ["class", "combo"], "format": "csv"},
            {},
            "one report",
        ),
    ],
)
def test_errors(client, name, question, place, message):
    """An error says what is wrong, and where as far as it is known."""
    response = client.ask(name, question)
    assert response.status == 400
    error = response.error
    assert message in error.pop("message")
    assert place == error


def test_equity_of_percentages_in_another_order(client):
    """It is that of Python."""
    question = {"players": ["JsTs", "10%"], "board": "Jh7s7d", "against": 3}
    found = client.ask("equity", question).json["players"][0]["equity"]
    held = holdem.Range.top(0.1, against=3)
    assert found == holdem.equity("JsTs", held, board="Jh7s7d").players[0].equity


def test_null_is_a_missing_value(client):
    """A value that is null counts as missing."""
    question = {"players": ["22", "AK"], "board": None, "seed": None, "by": None}
    assert client.ask("equity", question).json["board"] == []


def test_pictures_need_matplotlib(client, monkeypatch):
    """Without matplotlib, the error says how it is installed."""
    from holdem.errors import HoldemRuntimeError

    def missing(*_):
        raise HoldemRuntimeError("charts need matplotlib: pip install matplotlib")

    monkeypatch.setattr("holdem.report.plots.figures.image", missing)
    response = client.ask("range", {"text": "22", "format": "png"})
    assert response.status == 400
    assert "pip install matplotlib" in response.error["message"]


def test_runouts_are_refused_before_the_spot_is_sampled(client, monkeypatch):
    monkeypatch.setattr("holdem.odds.equity.Query.answer", lambda *_, **__: 1 / 0)
    question = {"players": ["random"] * 6, "board": "Td9d2c", "by": ["runout"]}
    response = client.ask("equity", question)
    assert "equities by runout, which are exact, would take" in response.error["message"]
