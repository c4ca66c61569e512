"""Slips that are near the names that scripts use: each is told in a sentence what would work."""

import numpy as np
import pytest

import holdem
from holdem.odds.named_lines import _SAID

H = holdem.deal(players=4, hands=500, seed=3)
P = holdem.estimate(lambda h: {"a": h.winners[:, 0], "b": h.has("pair")[:, 0]}, hands=9, seed=1)
ONLY = holdem.estimate(lambda h: h.winners[:, 0], hands=9, seed=1)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("boat", "full house"),
        ("quads", "four of a kind"),
        ("two pairs", "two pair"),
        ("2 pair", "two pair"),
        ("3 of a kind", "three of a kind"),
        ("one pair", "pair"),
        ("oesd", "open-ended"),
        ("open ended", "open-ended"),
        ("Gut shot", "gutshot"),
        ("straight draw", "open-ended, gutshot"),
        ("nut flush draw", "flush draw (nut)"),
        ("bottom pair", "weak pair"),
        ("middle pair", "second pair"),
        ("air", "no made hand"),
        ("flsh", "flush"),
        ("top-pair", "top pair"),
    ],
)
def test_words_that_people_use(said, meant):
    """`has` names the hand that was meant, and takes it."""
    with pytest.raises(holdem.HoldemValueError) as caught:
        H.has(said, "flop")
    assert f"no made hand or draw {said!r} on the flop (did you mean {meant}?)" in str(caught.value)
    H.has(meant, "flop")


@pytest.mark.parametrize("meant", sorted({*_SAID.values()}))
def test_what_is_meant_exists(meant):
    assert H.has(meant, "turn").shape == (500, 4)


def test_trips_and_sets_are_names():
    """Both are made hands; as categories, they are three of a kind."""
    both = H.has("trips, set, three of a kind on the board")
    assert (both == H.has("three of a kind")).all()
    for said in ("trips", "set"):
        with pytest.raises(holdem.HoldemValueError, match=r"did you mean three of a kind\?"):
            H.code(said)


SLIPS = {
    'H.has("oesd")': "ValueError 'oesd' is a draw, and on the river there are none: give street=",
    "H.has(['pair', 'flush'])": 'TypeError any of several is one text, as in "pair, flush"',
    "H.has(5)": "TypeError a hand must be text, not 5",
    'H.has("flush", "preflop")': "ValueError street must be flop, turn or river, not 'preflop'",
    'H[H.has("flush")]': "TypeError shape (500,), not (500, 4); choose one, as mask[:, 0]",
    "H[np.ones(3, bool)]": "IndexError a mask has a bool for each row, shape (500,), not (3,)",
    "H.showdown(holdem.Range.top(0.2))": "TypeError range.weight(table.hole) > 0",
    'H.showdown(H.has("pair")[:, 0])': "ValueError must have the shape (500, 4), with a bool for",
    'holdem.Range("AA").weight(H.board)': "TypeError integers (..., 2), not int8 (500, 5)",
    'holdem.Range("AA").sample(1.5)': "TypeError an integer of at least 0, not 1.5",
    'holdem.Range("").sample(1)': "ValueError an empty range has no combos to draw",
    "holdem.best_five(H.hole)": "TypeError shape (n, 5..7), not (500, 4, 2)",
    'holdem.best_five("As Ks Qs Js Ts")': "TypeError text becomes ids by",
    "holdem.Deck(rng=7)": "TypeError rng must be a numpy Generator, such as",
    'holdem.estimate(ask, relative="5%")': "TypeError a number from 1e-06 up to 0.1, not '5%'",
    "holdem.estimate(ask, relative=5)": "ValueError a number from 1e-06 up to 0.1, not 5",
    'holdem.estimate(lambda h: h.has("pair"))': "ValueError (65536, 6); choose a player, as in",
    'holdem.estimate(ask, given=lambda h: h.has("pair"))': "ValueError choose a player, as in",
    "holdem.estimate(ask, given=lambda h: h.number < 0, hands=9)": "ValueError none of 9 hands",
    'holdem.estimate(ask, given="flush")': "TypeError given must be a function of a table of hands",
    'P.difference("a", "c")': "ValueError no question 'c'; there are: a, b",
    'ONLY.difference("a", "b")': "ValueError there are: none, since a single question was asked",
    'holdem.equity("AA", "KK", relative=2)': "ValueError a number from 1e-06 up to 0.1, not 2",
    'holdem.equities(["AA"], ["KK"], relative=2)': "ValueError a number from 1e-06 up to 0.1, not",
    'holdem.equity("AA", "KK", method="exact", relative=0.1)': "ValueError takes no deals, no st",
    "holdem.deal(seed=np.random.default_rng(1))": "TypeError an integer from 0 to 2^64-1, not Gen",
    'holdem.write_hands("h.csv", H, players=3)': "TypeError a table is written as it is, without",
}


@pytest.mark.parametrize("call", SLIPS)
def test_slips(call):
    """An error of the right kind ends with one sentence, on one line."""
    kind, told = SLIPS[call].split(" ", 1)
    known = {"np": np, "holdem": holdem, "H": H, "P": P, "ONLY": ONLY}
    with pytest.raises(
        {"ValueError": ValueError, "TypeError": TypeError}.get(kind, IndexError)
    ) as c:
        eval(call, known | {"ask": lambda h: h.winners[:, 0]})
    assert told in str(c.value)
    assert "\n" not in str(c.value)
