"""The short-deck rules and their evaluator."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from math import comb

import numpy as np
import pytest
from pokerkit import ShortDeckHoldemHand

import holdem
from holdem.evaluation.builtin import reference
from holdem.evaluation.conformance.hands import every_hand, oracle
from holdem.rules import RULE_SETS, SHORT_DECK
from holdem_short_deck import tables
from holdem_short_deck.classes import number_classes

LOWEST = 16  # the six of clubs

# How many hands of five are of each category, weakest first, from counting by hand: 9 ranks
# of which C(9,5) - 6 sets of five are no straight, 4 suits, and so on.
FIVES = {
    "high card": (comb(9, 5) - 6) * (4**5 - 4),
    "pair": 9 * comb(4, 2) * comb(8, 3) * 4**3,
    "two pair": comb(9, 2) * comb(4, 2) ** 2 * 7 * 4,
    "three of a kind": 9 * 4 * comb(8, 2) * 4**2,
    "straight": 6 * (4**5 - 4),
    "full house": 9 * 4 * 8 * comb(4, 2),
    "flush": (comb(9, 5) - 6) * 4,
    "four of a kind": 9 * 8 * 4,
    "straight flush": 6 * 4,
}

# Numbers of hands of seven by category.
SEVENS = {
    "high card": 233_100,
    "pair": 2_316_600,
    "two pair": 3_157_056,
    "three of a kind": 607_200,
    "straight": 1_169_940,
    "full house": 633_024,
    "flush": 175_560,
    "four of a kind": 44_640,
    "straight flush": 10_560,
}

# Strongest first; hands on one line tie.
LADDER = [
    ["As Ks Qs Js Ts", "Ac Kc Qc Jc Tc"],
    ["Ks Qs Js Ts 9s"],
    ["Td 9d 8d 7d 6d"],
    ["9h 8h 7h 6h Ah", "9s 8s 7s 6s As"],
    ["Ac Ad Ah As Kc"],
    ["6c 6d 6h 6s 7c"],
    ["As Ks Qs Js 9s"],
    ["Js 9s 8s 7s 6s", "Jd 9d 8d 7d 6d"],
    ["Ac Ad Ah Kc Kd"],
    ["6c 6d 6h 7c 7d"],
    ["As Ks Qs Js Td"],
    ["Ts 9s 8s 7s 6d", "Tc 9s 8h 7s 6d"],
    ["As 9s 8s 7s 6d"],
    ["Ac Ad Ah Kc Qd"],
    ["6c 6d 6h 8c 7d"],
    ["Ac Ad Kc Kd Qd"],
    ["7c 7d 6c 6d 8d"],
    ["Ac Ad Kc Qd Jd"],
    ["6c 6d 9c 8d 7d"],
    ["As Ks Qs Js 9d"],
    ["As 9s 8s 7s Td"],
    ["Js 9s 8s 7s 6d"],
]


@pytest.fixture(scope="module")
def short_deck():
    return holdem.get_evaluator("short-deck")


@pytest.fixture(scope="module")
def fives():
    """Every hand of five, ``uint8 (376992, 5)``, in lexicographic order."""
    return np.array(list(combinations(range(LOWEST, 52), 5)), dtype=np.uint8)


@pytest.fixture(scope="module")
def by_rule_book(fives):
    """The class of each of `fives` by the rule book, 1 the best, ``int64 (376992,)``."""
    strengths = reference.rank_batch(fives, SHORT_DECK)
    different, places = np.unique(strengths, return_inverse=True)
    return len(different) - places


def random_hands(count, size, seed=36):
    shuffled = np.random.default_rng(seed).random((count, 36)).argsort(axis=1)
    return np.ascontiguousarray(shuffled[:, :size] + LOWEST, dtype=np.uint8)


# --- the rule set ----------------------------------------------------------------------------


def test_rule_set():
    """36 cards from the six of clubs up; only the two middle categories are swapped."""
    assert SHORT_DECK is RULE_SETS["short-deck"]
    assert list(range(LOWEST, 52)) == list(SHORT_DECK.deck)
    assert tuple(FIVES) == SHORT_DECK.categories
    assert "36 cards, 6 to A" == SHORT_DECK.deck_text


def test_straights():
    """Six straights; in the lowest the ace is below the six."""
    expected = ["AKQJT", "KQJT9", "QJT98", "JT987", "T9876", "9876A"]
    found = ["".join("23456789TJQKA"[rank] for rank in ranks) for ranks in SHORT_DECK.straights]
    assert expected == found


def test_ladder():
    """Hands of a rung tie, and beat all rungs below, by the rule book."""
    found = [
        [reference.strength(holdem.parse_cards(hand), SHORT_DECK) for hand in rung]
        for rung in LADDER
    ]
    assert [[rung[0]] * len(rung) for rung in found] == found
    assert all(one[0] > other[0] for one, other in pairwise(found))


def test_classes(fives, by_rule_book):
    """All 376,992 hands have 1,404 categories and deciding ranks, in the order of classes."""
    assert comb(36, 5) == len(fives) == sum(FIVES.values())
    assert by_rule_book.max() == len(SHORT_DECK.classes) == 1404
    counts = Counter()
    seen = {}
    for hand, number in zip(fives.tolist(), by_rule_book.tolist(), strict=True):
        if number not in seen:
            seen[number] = reference.classify(hand, SHORT_DECK)
        counts[seen[number][0]] += 1
    assert counts == FIVES
    for number, hand_class in enumerate(SHORT_DECK.classes, start=1):
        assert seen[number] == (hand_class.category, hand_class.ranks)
        assert seen[number] == reference.classify(hand_class.example, SHORT_DECK)


def test_rarer_categories_are_stronger():
    """From a pair up, by the number of hands of five."""
    assert all(FIVES[weak] > FIVES[strong] for weak, strong in pairwise(list(FIVES)[1:]))


# --- the evaluator, on every hand --------------------------------------------------------------


def test_every_hand_of_five(short_deck, fives, by_rule_book):
    """All 376,992 hands have the class by the rule book, which is also that by the oracle."""
    np.testing.assert_array_equal(by_rule_book, 1404 - oracle(SHORT_DECK).levels(fives))
    np.testing.assert_array_equal(by_rule_book, short_deck.scale.classes(short_deck.rank(fives)))


@pytest.mark.parametrize("size", [6, 7])
def test_every_hand_of_six_and_seven(short_deck, size):
    """All 1,947,792 and 8,347,680 hands have the class of their best five."""
    counts = np.zeros(9, dtype=np.int64)
    for hands in every_hand(SHORT_DECK, size):
        strengths = short_deck.rank(hands)
        np.testing.assert_array_equal(oracle(SHORT_DECK).levels(hands) + 1, strengths)
        counts += np.bincount(short_deck.scale.categories(strengths), minlength=9)
    assert comb(36, size) == counts.sum()
    if size == 7:
        assert dict(zip(SHORT_DECK.categories, counts.tolist(), strict=True)) == SEVENS


@pytest.mark.parametrize("size", [5, 7])
def test_pokerkit(short_deck, size):
    """Order and ties of random hands are those of PokerKit."""
    hands = random_hands(2_000 if size == 5 else 300, size)
    theirs = [
        max(
            ShortDeckHoldemHand.lookup.get_entry("".join(five)).index
            for five in combinations([str(holdem.Card(card)) for card in hand], 5)
        )
        for hand in hands.tolist()
    ]
    np.testing.assert_array_equal(
        np.unique(theirs, return_inverse=True)[1],
        np.unique(short_deck.rank(hands), return_inverse=True)[1],
    )


def test_classes_by_pokerkit():
    """Each class is stronger than the next."""
    lookup = ShortDeckHoldemHand.lookup
    found = [
        lookup.get_entry("".join(map(str, hand_class.example))).index
        for hand_class in SHORT_DECK.classes
    ]
    assert all(better > worse for better, worse in pairwise(found))


# --- the evaluator's own parts ------------------------------------------------------------------


def test_strengths_of_classes(short_deck):
    """They are 1 for J-9-8-7-6 to 1404 for the royal flush."""
    found = short_deck.rank(SHORT_DECK.examples)
    assert list(range(1404, 0, -1)) == found.tolist()
    assert np.int16 == found.dtype


def test_number_classes():
    """1,278 multisets of ranks and 126 suited sets have different strengths."""
    mixed, suited = number_classes()
    assert comb(13, 5) - 9 == len(mixed) == 1278
    assert comb(9, 5) == len(suited) == 126
    assert set(range(1, 1405)) == {*mixed.values(), *suited.values()}


@pytest.mark.parametrize(
    ("strengths", "count"), [(tables._FIVE, 1278), (tables._SIX, 2922), (tables._SEVEN, 6030)]
)
def test_key_sums_are_distinct(strengths, count):
    """For all multisets of ranks of one size."""
    assert count == len(strengths) == len({tables.key_sum(ranks) for ranks in strengths})


def test_each_key_is_the_smallest():
    """Each key is the smallest above the last one with which sums of seven stay distinct.

    Two sums of seven are equal with a new key if (other - one) is a multiple of it, where `one`
    and `other` are sums of the keys before with as many cards fewer as the new key has.
    """
    sums = [{0}, *(set() for _ in range(7))]  # of so many cards
    for place, key in enumerate(tables.RANK_KEYS):
        forbidden = {0} if place else set()
        for few, many in combinations(range(5), 2):
            left = np.array(sorted(sums[7 - few]), dtype=np.int64)
            right = np.array(sorted(sums[7 - many]), dtype=np.int64)
            apart = (left[:, None] - right[None, :]).ravel()
            apart = np.unique(apart[(apart > 0) & (apart % (many - few) == 0)] // (many - few))
            forbidden.update(apart.tolist())
        first = tables.RANK_KEYS[place - 1] + 1 if place else 0
        assert key == next(free for free in range(first, first + 10**6) if free not in forbidden)
        sums = [
            {rest + held * key for held in range(min(4, size) + 1) for rest in sums[size - held]}
            for size in range(8)
        ]


# --- values of hands ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "name", "rank_class"),
    [
        ("As Ks Qs Js Ts 6c 7d", "Royal Flush", 1),
        ("As 6s 7s 8s 9s", "Straight Flush, Nine high", 6),
        ("Ac Ad Ah As Kc Kd Kh", "Four of a Kind, Aces", 7),
        ("As Ks Qs Js 9s 9c 9d", "Flush, Ace high", 79),
        ("Ac Ad Ah Kc Kd 6s 7s", "Full House, Aces full of Kings", 199),
        ("As 6c 7d 8h 9s", "Straight, Nine high", 276),
        ("As 6c 7d 8h 9s Tc", "Straight, Ten high", 275),
        ("Js 9s 8c 7d 6h", "High Card, Jack", 1404),
    ],
)
def test_names_and_classes(hand, name, rank_class):
    """Class, category, name and the best five are those of the rule set."""
    value = holdem.evaluate(hand, evaluator="short-deck")
    assert (name, rank_class) == (value.name, value.rank_class)
    assert reference.classify(value.best, SHORT_DECK) == (value.category, value.hand_class.ranks)


def test_wheel():
    """The ace of A 6 7 8 9 is the last of the best five."""
    value = holdem.evaluate("As 6c 7d 8h 9s Ad 9d", evaluator="short-deck")
    assert [9, 8, 7, 6] == [card.rank + 2 for card in value.best[:4]]
    assert 12 == value.best[4].rank


def test_flush_beats_full_house():
    """On one board; with 52 cards the full house wins."""
    board = "As Ks 9s 9d Kh"
    flush, full = "7s 6s", "Kd Qc"
    for name, winner in (("short-deck", flush), ("lookup", full)):
        values = {
            hole: holdem.evaluate(f"{board} {hole}", evaluator=name) for hole in (flush, full)
        }
        assert winner == max(values, key=values.get)
