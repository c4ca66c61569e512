"""The bitwise evaluator on five cards: the article's examples, and its constants.

Tests of conformance to the contract are in tests/evaluation/test_conformance.py, and of six and
seven cards in test_bitwise_best_five.py.
"""

from __future__ import annotations

import numpy as np
import pytest

import holdem
from articles.bitwise import (
    CLUBS,
    COUNT_FIELDS,
    DIAMONDS,
    HANDS,
    HEARTS,
    NAME_LISTS,
    RANK_FIELDS,
    SPADES,
    A,
    J,
    K,
    Q,
)
from holdem.rules import CATEGORIES, STANDARD
from holdem_bitwise import batch, kernel

# The article's name for each category; it has a name of its own for a royal flush.
ARTICLE_NAMES = {
    "high card": "High Card",
    "pair": "1 Pair",
    "two pair": "2 Pair",
    "three of a kind": "3 of a Kind",
    "straight": "Straight",
    "flush": "Flush",
    "full house": "Full House",
    "four of a kind": "4 of a Kind",
    "straight flush": "Straight Flush",
}


@pytest.fixture(scope="module")
def bitwise():
    return holdem.get_evaluator("bitwise")


@pytest.fixture(scope="module")
def random_fives():
    """20,000 random hands of five cards, ``uint8 (hand, 5)``."""
    return random_hands(20_000, 5)


def random_hands(count, size):
    shuffled = np.random.default_rng(20130401).random((count, 52)).argsort(axis=1)
    return np.ascontiguousarray(shuffled[:, :size], dtype=np.uint8)


def as_article(hand):
    """Convert a hand of ids to the arrays of the article: ranks 2..14 and suit flags."""
    flags = (CLUBS, DIAMONDS, HEARTS, SPADES)
    return [card // 4 + 2 for card in hand], [flags[card % 4] for card in hand]


@pytest.mark.parametrize(("ranks", "suits", "comment", "name"), HANDS)
def test_article_names(ranks, suits, comment, name):
    """The twelve hands of the article have the names that its code prints.

    Its comments leave out "(Ace low)".
    """
    assert name == kernel.analyse(ranks, suits)
    assert comment == name.removesuffix(" (Ace low)")


def test_article_hands_are_in_order():
    """Each hand beats the next, from the royal flush down to high card, wheels included."""
    strengths = [kernel.strength(ranks, suits) for ranks, suits, _, _ in HANDS]
    assert len(HANDS) == 12
    assert sorted(set(strengths), reverse=True) == strengths


@pytest.mark.parametrize(("ranks", "s"), RANK_FIELDS)
def test_article_rank_fields(ranks, s):
    assert int(s, 2) == kernel.fields(ranks)[0]


@pytest.mark.parametrize(("ranks", "v", "remainder"), COUNT_FIELDS)
def test_article_count_fields(ranks, v, remainder):
    """The nibbles, ace first, and their sum modulo 15."""
    expected = int(v, 16)
    found = kernel.fields(ranks)[1]
    assert (expected, 0) == divmod(found, 1 << 8)  # below the nibble of 2 stand two empty ones
    assert remainder == found % 15


def test_article_nibbles():
    """The nibble of two aces is 3, of three jacks 7, of four kings 15."""
    for nibble, rank, ranks in (
        (3, A, (A, A, J, J, J)),
        (7, J, (A, A, J, J, J)),
        (0xF, K, (K, K, K, K, 7)),
    ):
        assert nibble == kernel.fields(ranks)[1] >> 4 * rank & 15


def test_article_steps_of_a_nibble():
    """Adding 0001, 0100 or 1000 sets the next bit of 0000, 0011 or 0111, whatever the rank."""
    for rank in range(2, 15):
        for before, added in ((0b0000, 0b0001), (0b0011, 0b0100), (0b0111, 0b1000)):
            expected = before + added << 4 * rank
            assert expected == kernel.count_card(before << 4 * rank, rank)


def test_article_lists_of_names():
    """The sums less 1 are indices of the first list; a straight, 5 - 3, completes the second."""
    first, second, last = NAME_LISTS
    assert last == kernel.NAMES
    sums = {16 % 15: 0, 5: 4, 6: 5, 7: 6, 9: 8, 10: 9}
    assert {index for index, name in enumerate(first) if name} == set(sums.values())
    for remainder, index in sums.items():
        assert index == kernel.name_index(0, remainder, straight=False, flush=False)
    assert kernel.name_index(0, 5, straight=True, flush=False) == 2
    for names in (first, second):
        assert {""} == {x for x, y in zip(names, kernel.NAMES, strict=True) if x != y}


def test_article_flushes():
    """High card becomes a flush and a straight a straight flush; a royal flush has index 7."""
    assert kernel.NAMES[kernel.name_index(0, 5, straight=False, flush=True)] == "Flush"
    assert kernel.NAMES[kernel.name_index(0, 5, straight=True, flush=True)] == "Straight Flush"
    assert kernel.name_index(0x7C00, 5, straight=True, flush=True) == 7


def test_constants():
    """Wheel and royal flush are rank fields; digits of the order are numbers of categories."""
    assert sum(1 << rank for rank in (2, 3, 4, 5, A)) == kernel.WHEEL
    assert sum(1 << rank for rank in (10, J, Q, K, A)) == kernel.ROYAL
    category_of = {name: category for category, name in ARTICLE_NAMES.items()}
    category_of["Royal Flush"] = "straight flush"
    digits = [CATEGORIES.index(category_of[name]) for name in kernel.NAMES]
    assert sum(digit << 4 * place for place, digit in enumerate(digits)) == kernel.ORDER


def test_modulo_of_duplicates():
    """The count field modulo 15 is 5, 6, 7, 9, 10 or 1, by the repeated ranks."""
    expected = {
        **dict.fromkeys(("high card", "straight", "flush", "straight flush"), 5),
        "pair": 6,
        "two pair": 7,
        "three of a kind": 9,
        "full house": 10,
        "four of a kind": 1,
    }
    for hand_class in STANDARD.classes:
        _, v = kernel.fields(as_article(hand_class.example)[0])
        assert expected[hand_class.category] == v % 15, hand_class
        assert expected[hand_class.category] == kernel.casting_out(v) % 15, hand_class


def test_straights():
    """Of all 8,191 sets of ranks, both forms of the test find the ten straights only."""
    straights = {sum(1 << rank + 2 for rank in ranks) for ranks in STANDARD.straights}
    fields = range(4, 1 << 15, 4)
    assert len(fields) == 8191
    assert straights == {s for s in fields if kernel.is_straight(s)}
    assert straights == {s for s in fields if kernel.in_a_row(s)}


def test_flushes():
    """Of all suits of five cards, the test finds the four with one suit."""
    flags = np.array((SPADES, CLUBS, HEARTS, DIAMONDS))
    hands = flags[np.indices((4,) * 5).reshape(5, -1).T].tolist()
    assert len(hands) == 1024
    assert [[flag] * 5 for flag in flags] == [suits for suits in hands if kernel.is_flush(suits)]


def test_names_of_all_classes():
    """The article's function names the category of each of the 7,462 classes."""
    for hand_class in STANDARD.classes:
        expected = ARTICLE_NAMES[hand_class.category]
        if hand_class.name == "Royal Flush":
            expected = "Royal Flush"
        elif hand_class.ranks == (3, 2, 1, 0, 12):
            expected += " (Ace low)"
        assert expected == kernel.analyse(*as_article(hand_class.example))


def test_batch_and_single_hands_agree(random_fives):
    hands = np.concatenate([STANDARD.examples, random_fives[:2000]])
    expected = [kernel.strength(*as_article(hand)) for hand in hands.tolist()]
    assert expected == batch.rank_batch(hands).tolist()
