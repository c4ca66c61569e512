"""The rule book in plain Python."""

from itertools import permutations

import eval7
import numpy as np
import pytest

from hands import random_hands
from holdem.cards import parse_cards
from holdem.evaluation.builtin import reference
from holdem.rules import CATEGORIES

# Strongest first; hands on one line tie.
LADDER = [
    ["As Ks Qs Js Ts", "Ah Kh Qh Jh Th"],
    ["Kd Qd Jd Td 9d"],
    ["6c 5c 4c 3c 2c"],
    ["5h 4h 3h 2h Ah", "5s 4s 3s 2s As"],
    ["Ac Ad Ah As 3c"],
    ["Ac Ad Ah As 2c", "Ac Ad Ah As 2s"],
    ["Kc Kd Kh Ks Ac"],
    ["2c 2d 2h 2s 3c"],
    ["Ac Ad Ah Kc Kd"],
    ["Ac Ad Ah 2c 2d", "Ad Ah As 2h 2s"],
    ["Kc Kd Kh Ac Ad"],
    ["2c 2d 2h 3c 3d"],
    ["As Ks Qs Js 9s"],
    ["As Ks Qs Js 8s"],
    ["As 6s 5s 4s 3s"],
    ["Ks Qs Js Ts 8s", "Kd Qd Jd Td 8d"],
    ["7c 5c 4c 3c 2c"],
    ["As Ks Qs Js Td", "Ac Kd Qh Js Tc"],
    ["Ks Qs Js Ts 9d"],
    ["6s 5s 4s 3s 2d"],
    ["5s 4s 3s 2s Ad"],
    ["Ac Ad Ah Kc Qd"],
    ["Ac Ad Ah Kc Jd"],
    ["Ac Ad Ah Qc Jd"],
    ["2c 2d 2h 4c 3d"],
    ["Ac Ad Kc Kd Qd"],
    ["Ac Ad Kc Kd 2d"],
    ["Ac Ad Qc Qd Kd"],
    ["Kc Kd Qc Qd Ad"],
    ["3c 3d 2c 2d 4d", "3h 3s 2h 2s 4c"],
    ["Ac Ad Kc Qd Jd"],
    ["Ac Ad Kc Qd Td"],
    ["Ac Ad Kc Jd Td"],
    ["Ac Ad Qc Jd Td"],
    ["Kc Kd Ac Qd Jd"],
    ["2c 2d 5c 4d 3d"],
    ["As Ks Qs Js 9d", "Ac Kd Qh Js 9c"],
    ["As Ks Qs Js 8d"],
    ["As Ks Qs Ts 9d"],
    ["As Ks Js Ts 9d"],
    ["As Qs Js Ts 9d"],
    ["Ks Qs Js Ts 8d"],
    ["7s 5s 4s 3s 2d", "7h 5c 4d 3s 2c"],
]


def test_ladder():
    """Hands of a rung tie, and beat all rungs below."""
    found = [[reference.strength(parse_cards(hand)) for hand in rung] for rung in LADDER]
    assert [[rung[0]] * len(rung) for rung in found] == found
    assert sorted({rung[0] for rung in found}, reverse=True) == [rung[0] for rung in found]


@pytest.mark.parametrize(
    ("hand", "category", "ranks"),
    [
        ("As Ks Qs Js Ts", "straight flush", "AKQJT"),
        ("As 2s 3s 4s 5s", "straight flush", "5432A"),
        ("7c 7d 7h 7s As", "four of a kind", "7A"),
        ("7c 7d 7h As Ad", "full house", "7A"),
        ("2s As 9s Ts Js", "flush", "AJT92"),
        ("9s Td Jh Qc Ks", "straight", "KQJT9"),
        ("As 2d 3h 4c 5s", "straight", "5432A"),
        ("2c 2d 2h As Ks", "three of a kind", "2AK"),
        ("2c 2d Ah As Ks", "two pair", "A2K"),
        ("2c 2d Qh As Ks", "pair", "2AKQ"),
        ("2c 9d Qh As Ks", "high card", "AKQ92"),
        ("Qs Ks As 2d 3c", "high card", "AKQ32"),
        ("Ks As 2d 3c 4d", "high card", "AK432"),
        ("Js Qs Ks As 2s", "flush", "AKQJ2"),
    ],
)
def test_classify(hand, category, ranks):
    """Ranks are in the order in which they decide; a straight does not wrap around the ace."""
    expected = (category, tuple("23456789TJQKA".index(rank) for rank in ranks))
    for cards in permutations(parse_cards(hand)):
        assert expected == reference.classify(cards)


def test_order_of_classifications():
    """Category first, then the deciding ranks one by one, is the order of strengths."""
    hands = random_hands(3000, 5, seed=2).tolist()
    judged = [reference.classify(hand) for hand in hands]
    keys = [(CATEGORIES.index(category), ranks) for category, ranks in judged]
    by_key = sorted(range(len(hands)), key=keys.__getitem__)
    strengths = [reference.strength(hands[place]) for place in by_key]
    assert sorted(strengths) == strengths
    assert len(set(keys)) == len(set(strengths))


def test_eval7():
    """Order and ties of 20,000 random hands are the same."""
    hands = random_hands(20_000, 5, seed=3)
    ours = reference.rank_batch(hands)
    deck = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    theirs = np.array([eval7.evaluate([deck[card] for card in hand]) for hand in hands.tolist()])
    np.testing.assert_array_equal(
        np.unique(theirs, return_inverse=True)[1], np.unique(ours, return_inverse=True)[1]
    )


def test_rank_batch():
    hands = random_hands(50, 5, seed=4)
    expected = [reference.strength(hand) for hand in hands.tolist()]
    assert expected == reference.rank_batch(hands).tolist()
    assert ((0,), np.int64) == (
        reference.rank_batch(hands[:0]).shape,
        reference.rank_batch(hands).dtype,
    )
