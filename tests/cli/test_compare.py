"""`holdem compare --show`: both hands of each line by name, and the winner."""

import json
from pathlib import Path

import holdem
from holdem.cli import run

PAIRS = Path(__file__).parents[2] / "docs" / "examples" / "pairs.txt"


def test_compare_and_show(capsys):
    """`--show` prints the hands of each line by name, marks the winner, and then the counts."""
    assert run(["compare", str(PAIRS), "--show"]) == 0
    # The hands and the winners are those of the problem's statement.
    assert capsys.readouterr().out.splitlines() == [
        "line  hand    cards           name                              result",
        "1     first   5h 5c Kd 7s 6s  Pair, Fives",
        "      second  8s 8d Td 3s 2c  Pair, Eights                      wins",
        "2     first   Ac Js 9s 8c 5d  High Card, Ace                    wins",
        "      second  Qh 8s 7d 5c 2c  High Card, Queen",
        "3     first   As Ah Ac 9c 2d  Three of a Kind, Aces",
        "      second  Qd Td 7d 6d 3d  Flush, Queen high                 wins",
        "4     first   Qh Qc 9h 6s 4d  Pair, Queens                      wins",
        "      second  Qs Qd 7h 6d 3d  Pair, Queens",
        "5     first   4s 4d 4c 2h 2d  Full House, Fours full of Twos    wins",
        "      second  3s 3d 3c 9s 9d  Full House, Threes full of Nines",
        "",
        "wins    hands",
        "first       3",
        "second      2",
        "tie         0",
        "all         5",
    ]


def test_compare_shows_at_most_80_columns(capsys, tmp_path):
    """The longest names fit, and ties are shown."""
    file = tmp_path / "pairs.txt"
    file.write_text("# none\n" * 99_999 + "7c7d7hQcQd | 7c7d7hQhQs\n", encoding="utf-8")
    assert run(["compare", str(file), "--show"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1].split()[0] == "100000"
    assert [line.split()[-1] for line in lines[1:3]] == ["tie", "tie"]
    assert lines[1].count("Full House, Sevens full of Queens") == 1


def test_compare_and_show_as_json(capsys, tmp_path):
    """With `--show`, the JSON has both hands of each line; it is empty for an empty file."""
    assert run(["compare", str(PAIRS), "--show", "-f", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    pairs = answer.pop("pairs")
    assert {"schema": "holdem/comparison/1", "first": 3, "second": 2, "tie": 0} == answer
    assert ["second", "first", "second", "first", "first"] == [pair["winner"] for pair in pairs]
    hand = holdem.evaluate("2D 9C AS AH AC").to_dict()
    for key in ("schema", "strength", "evaluator"):
        del hand[key]
    assert (3, hand) == (pairs[2]["line"], pairs[2]["first"])
    empty = tmp_path / "empty.txt"
    empty.touch()
    assert run(["compare", str(empty), "--show", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"] == []
