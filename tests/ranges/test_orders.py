"""Percentages of the hands that are strongest against two to five random hands."""

import json

import numpy as np
import pytest

import holdem
from holdem.cli import run
from holdem.ranges.combos import combo_at
from holdem.ranges.starting_hands import starting_hand_ranks

STOVE = "77+,A7s+,K9s+,QTs+,JTs,ATo+,KTo+,QJo"


def test_the_order_of_pokerstove():
    """Its 15 % against three random hands, and the equities that it prints, combo by combo."""
    found = holdem.Range.top(0.15, against=3)
    assert found == holdem.Range(STOVE)
    assert found == holdem.Range("top 15%", against=3) == holdem.Range.from_percent(15, against=3)
    assert found != holdem.Range("top 15%")
    assert holdem.Range("5%-15%", against=3) == found - holdem.Range("5%", against=3)
    for percent, equity in ((3, 42.84), (10, 61.77), (20, 67.69), (50, 74.54)):
        held = holdem.Range.from_percent(percent, against=3)
        won = holdem.equity("JsTs", held, board="Jh7s7d").players[0].equity
        assert round(100 * won, 2) == equity


@pytest.mark.parametrize("against", [2, 3])
def test_the_order_is_that_of_equity(against):
    """Each class has a larger equity than the next one."""
    ranks = starting_hand_ranks(against=against)
    firsts = [(ranks == rank).argmax() for rank in range(169)]
    others = ["random"] * against
    found = [holdem.equity(combo_at(int(n)), *others).players[0].equity for n in firsts]
    assert found == sorted(found, reverse=True)


def test_on_the_command_line(capsys):
    run(["range", "15%", "--against", "3", "-f", "json"])
    assert holdem.Range(json.loads(capsys.readouterr().out)["text"]) == holdem.Range(STOVE)
    run(["equity", "JsTs", "10%", "--board", "Jh7s7d", "--against", "3"])
    assert "61.7672 %" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("against", "error"),
    [
        *((number, holdem.RangeError) for number in (0, 6)),
        *((other, holdem.HoldemTypeError) for other in (True, 2.5, "3", np.array([1, 2]), 3j)),
    ],
)
def test_refused(against, error):
    with pytest.raises(error, match="against must be an integer from 1 to 5: random hands, not"):
        holdem.Range.top(0.1, against=against)


def test_standing():
    standing = holdem.Range("87s").standing(against=3)
    exact = holdem.equity("8s7s", "random", "random", "random").players[0].equity
    assert (standing.hand, standing.rank, standing.equity) == ("87s", 69, pytest.approx(exact))
    assert holdem.Range("87s") <= holdem.Range.top(standing.top, against=3)


def test_the_report_has_the_order(capsys):
    run(["range", "22,A9s,KTs,QJs", "--against", "3"])
    assert "against 3 random hands:\nQJs, KTs, A9s, 22" in capsys.readouterr().out
    run(["range", "87s", "--against", "3"])
    assert "equity   26.6309 % against 3 random hands" in capsys.readouterr().out


def test_other_rules(capsys):
    with pytest.raises(holdem.RangeError, match="known for standard rules only, not short-deck"):
        holdem.Range("15%", rules="short-deck", against=3)
    assert run(["equity", "AsKs", "15%", "--against", "3", "--evaluator", "short-deck"]) == 2
    assert "known for standard rules only, not short-deck" in capsys.readouterr().err
