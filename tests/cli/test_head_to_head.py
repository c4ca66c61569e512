"""`holdem head-to-head`: output formats, cross-checks of evaluators, exit codes."""

import csv
import io
import json

import numpy as np
import pytest

from hands import wrong_later
from holdem.cards import parse_cards
from holdem.cli import run
from holdem.errors import Interrupted
from holdem.trials.contest import head_to_head

SPOT = ("head-to-head", "AhKh", "QdQh", "8c8d", "-b", "Ks7d2c", "-d", "2h", "-n", "3000")


def _printed(capsys, *arguments, code=0):
    assert run([*SPOT, "--seed", "7", *arguments]) == code
    return capsys.readouterr().out


def test_csv_has_every_figure(capsys):
    """Every number of the JSON is in the CSV, in a row that says what it is about."""
    answer = json.loads(_printed(capsys, "-f", "json"))
    lines = list(csv.DictReader(io.StringIO(_printed(capsys, "-f", "csv"))))
    found = {(row["part"], row["player"], row["hand"], row["against"]): row for row in lines}
    assert len(found) == len(lines)
    expected = 0
    for number, player in enumerate(answer["players"], 1):
        row = found["player", str(number), "", ""]
        assert row["range"] == player["range"]
        assert [float(row[name]) for name in ("equity", "stderr")] == [
            player["equity"],
            player["stderr"],
        ]
        assert [float(row["ci95_low"]), float(row["ci95_high"])] == player["ci95"]
        cells = {("player", "", ""): player}
        for own, outcomes in player["by_category"].items():
            cells["by hand", own, ""] = outcomes
        for own, opposing in player["against"].items():
            for theirs, outcomes in opposing.items():
                cells["against", own, theirs] = outcomes
        for (part, own, theirs), outcomes in cells.items():
            row = found[part, str(number), own, theirs]
            assert [int(row[name]) for name in ("wins", "ties", "losses")] == [
                outcomes[name] for name in ("wins", "ties", "losses")
            ]
        expected += len(cells)
    for lead in answer["differences"]:
        one, other = lead["players"]
        row = found["difference", str(one + 1), "", str(other + 1)]
        assert [float(row["equity"]), float(row["stderr"])] == [lead["estimate"], lead["stderr"]]
        assert [float(row["ci95_low"]), float(row["ci95_high"])] == lead["ci95"]
    assert len(lines) == expected + len(answer["differences"])
    assert {(row["deals"], row["stop"], row["seed"], row["verdict"]) for row in lines} == {
        ("3000", "deals", "7", answer["verdict"])
    }
    assert {(row["board"], row["dead"], row["evaluator_version"]) for row in lines} == {
        ("Ks 7d 2c", "2h", answer["evaluator"]["version"])
    }


def test_markdown_has_every_part(capsys):
    """The Markdown has the same words as the text."""
    shown = _printed(capsys).replace("…", " ")
    marked = _printed(capsys, "-f", "markdown").replace("…", " ")
    assert shown.startswith("board Ks 7d 2c, dead 2h\n")
    words = [word for word in marked.replace("|", " ").split() if set(word) - set("-:*")]
    assert words == [word for word in shown.split() if set(word) - {"-"}]


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
def test_evaluators(form, capsys):
    """Evaluators that agree are reported, with exit code 0."""
    out = _printed(capsys, "--evaluators", "lookup,cactus-kev", "-f", form)
    assert "cactus-kev" in out


@pytest.mark.usefixtures("wide", "own_registrations")
def test_disagreement_fails(capsys, monkeypatch):
    """A disagreement is reported with a hand and both answers; exit code 1."""
    import holdem

    flop = [int(c) for c in parse_cards("Ks7d2c")]

    def change(cards, strengths):
        on_flop = sum((cards == card).any(axis=1) for card in flop) == 3
        return np.where(on_flop & (cards.shape[1] == 7), 1, strengths)

    holdem.register(wrong_later("wrong-on-that-flop", change).spec)
    arguments = ("--evaluators", "lookup,wrong-on-that-flop")
    out = _printed(capsys, *arguments, code=1)
    assert "lookup and wrong-on-that-flop disagree on 9,000 hands" in out
    assert "wrong-on-that-flop gives strength 1 (High Card, Seven, class 7,462)" in out
    (judge,) = json.loads(_printed(capsys, *arguments, "-f", "json", code=1))["evaluators"]
    assert (judge["name"], judge["hands"]) == ("wrong-on-that-flop", 9000)
    assert len(judge["smallest"]["hand"]) == 7
    assert [answer["evaluator"] for answer in judge["smallest"]["answers"]] == [
        "lookup",
        "wrong-on-that-flop",
    ]
    cards = "".join(judge["smallest"]["hand"])
    shown = " ".join(f"{card:symbol}" for card in parse_cards(cards))
    assert f"shows it: {shown}: " in _printed(capsys, *arguments, "--symbols", code=1)
    row = list(csv.DictReader(io.StringIO(_printed(capsys, *arguments, "-f", "csv", code=1))))[-1]
    assert (row["part"], row["against"]) == ("evaluator", "wrong-on-that-flop")
    assert row["answers"].count(" gives strength ") == 2


def test_confidence(capsys):
    """The result has `--confidence`, and why the run ended."""
    assert run(["head-to-head", "AA", "72o", "--confidence", "0.999", "-f", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["stop"], answer["confidence"]) == ("confidence", 0.999)
    assert answer["verdict"] == "player 1 is ahead at 99.9 % confidence"


@pytest.mark.usefixtures("wide")
def test_interrupted(capsys, interrupted_after):
    """After Ctrl-C the deals so far are printed, labelled as interrupted."""
    interrupted_after(1)
    arguments = ["head-to-head", "AsKs", "QdQh", "-n", "50000", "--seed", "7"]
    assert run([*arguments, "-f", "json"]) == 130
    answer = json.loads(capsys.readouterr().out)
    assert (answer["stop"], answer["deals"]) == ("interrupted", 16384)
    assert run(arguments) == 130
    assert "16,384 deals (interrupted: fewer than requested)" in capsys.readouterr().out
    with pytest.raises(Interrupted) as caught:
        head_to_head("AsKs", "QdQh", deals=50000, seed=7)
    assert caught.value.finished.stop == "interrupted"
