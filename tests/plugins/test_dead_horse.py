"""The dead-horse evaluator: the article's cards and examples, and its modulos.

Tests of conformance to the contract are in tests/evaluation/test_conformance.py.
"""

from __future__ import annotations

import math
import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest

import holdem
from articles.dead_horse import CARDS as ARTICLE_CARDS
from articles.dead_horse import DUPLICATES, FOLDED, LABELS, hand
from holdem.rules import CATEGORIES, STANDARD
from holdem_dead_horse import card_label, card_number, kernel, tables
from holdem_dead_horse import cards as card_bits


@pytest.fixture(scope="module")
def dead_horse():
    return holdem.get_evaluator("dead-horse")


@pytest.fixture(scope="module")
def random_fives():
    """20,000 random hands of five cards, ``uint8 (hand, 5)``."""
    return random_hands(20_000, 5)


def random_hands(count, size):
    shuffled = np.random.default_rng(32624896).random((count, 52)).argsort(axis=1)
    return np.ascontiguousarray(shuffled[:, :size], dtype=np.uint8)


def cards(text):
    """Return the 17-bit cards of a text."""
    return [tables.CARDS[card].item() for card in holdem.parse_cards(text)]


def rank_bits(ranks):
    return sum(1 << rank for rank in ranks)


def test_article_cards():
    """All 52 numbers of the table."""
    for suit, numbers in ARTICLE_CARDS.items():
        found = [tables.CARDS[holdem.Card(rank + suit)] for rank in "23456789TJQKA"]
        assert list(numbers) == found


def test_article_labels():
    """All 52 labels of the table, in its order, convert to its numbers and back."""
    labels = [label for suit in "shcd" for label in LABELS[suit]]
    numbers = [number for suit in "shcd" for number in ARTICLE_CARDS[suit]]
    assert labels[:13] == [f"{rank}s" for rank in range(2, 15)]
    assert [card_number(label) for label in labels] == numbers
    assert [card_label(number) for number in numbers] == labels


@pytest.mark.parametrize("card", ["As", "AS", "A♠", "14S", "14♠", 51, holdem.Card("As")])
def test_other_spellings_of_a_card(card):
    """The text and the ids of the engine are accepted, too."""
    assert card_number(card) == 69632


@pytest.mark.parametrize("card", ["1s", "15s", "11", "11x", "14sh", "s14", "", 52])
def test_not_a_label(card):
    """An error quotes the text and shows a label."""
    with pytest.raises(holdem.CardError, match=rf"{card!r} is not a card: .* as in 14s"):
        card_number(card)


@pytest.mark.parametrize("number", [0, 4096, 65536, 65539, 98305, 51])
def test_not_a_number(number):
    """Numbers without exactly one suit and one rank have no label."""
    with pytest.raises(holdem.CardError, match=f"{number} is not the 17-bit number of a card"):
        card_label(number)


def test_engine_does_not_read_the_labels():
    """`14s` is a card in the plugin only."""
    with pytest.raises(holdem.CardError, match="'14s'"):
        holdem.Card("14s")


def test_labels_need_no_compiler():
    """Importing the plugin and converting a card does not import numba."""
    code = (
        "import sys, holdem_dead_horse as plugin; plugin.card_label(plugin.card_number('14s'));"
        " assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("bits", "text"), [("10001000000000000", "As"), ("00100000000001000", "5c")]
)
def test_article_card_structure(bits, text):
    """The bits of a card are S H C D, then A K Q … 2."""
    assert [int(bits, 2)] == cards(text)


def test_article_straight():
    """Nine-high: the OR, its rank bits and the modulo."""
    union, _, _ = kernel.fold(cards("8c 6h 5d 9s 7h"))
    assert union == 123128
    assert union & kernel.RANKS == 248
    assert kernel.is_straight(union)
    assert not kernel.is_flush(union)


def test_article_multiples():
    """The highest straight is a multiple of the nine highest, the constant of all."""
    assert kernel.BROADWAY == 7936 == rank_bits((8, 9, 10, 11, 12))
    assert kernel.WHEEL == 4111 == rank_bits((12, 0, 1, 2, 3))
    assert 7936 % 124 == 0
    assert 7936 % 1984 == 0
    assert kernel.STRAIGHT_MULTIPLE == 32624896 == math.lcm(4111, 7936)
    assert kernel.FLUSH_MULTIPLE == max(card_bits.SUIT_BITS) == 65536


def test_article_flush():
    """A J 9 5 2 of clubs: the OR, its suit bit and the modulo."""
    union, _, _ = kernel.fold(cards("5c 9c Jc 2c Ac"))
    assert union == 21129
    assert union & ~kernel.RANKS == 16384
    assert kernel.is_flush(union)
    assert not kernel.is_straight(union)


@pytest.mark.parametrize("category", DUPLICATES)
def test_article_duplicates(dead_horse, category):
    """The bit counts of OR and XOR, and the categories."""
    labels, bits = DUPLICATES[category]
    *folded, in_union, in_odd = FOLDED[category]
    numbers = hand(labels)
    assert [int(card, 2) for card in bits.split()] == numbers
    union, odd, _ = kernel.fold(numbers)
    ranks = union & kernel.RANKS
    assert [int(result, 2) for result in folded] == [ranks, odd]
    assert (in_union, in_odd) == (ranks.bit_count(), odd.bit_count())
    assert in_union + in_odd == kernel.duplicates(ranks, odd)
    strengths = np.array([kernel.strength(numbers)])
    assert category == CATEGORIES[dead_horse.scale.categories(strengths)[0]]


def test_article_sum():
    """Four aces and a five: the sum is four times OR ^ XOR, plus the XOR."""
    union, odd, total = kernel.fold(cards("As Ad 5h Ah Ac"))
    ranks = union & kernel.RANKS
    assert ranks == 0b1000000001000
    assert odd == 0b0000000001000
    assert ranks ^ odd == 4096
    assert total == 4 * 4096 + 8 == 16392
    assert kernel.is_four_of_a_kind(ranks, odd, total)


def test_sums_of_full_houses_and_four_of_a_kind():
    """For all pairs of ranks, 3t + 2p is never 4p + t, and 4q + k always passes the test."""
    for more, fewer in permutations([1 << rank for rank in range(13)], 2):
        assert not kernel.is_four_of_a_kind(more | fewer, more, 3 * more + 2 * fewer)
        assert kernel.is_four_of_a_kind(more | fewer, fewer, 4 * more + fewer)


def test_divisors_of_the_straight_multiple():
    """Of all 8,191 sets of ranks these are the ten straights, and nine single ranks (2..T).

    At most four cards share a rank, so for hands of five the modulo alone finds the straights.
    """
    straights = {rank_bits(ranks) for ranks in STANDARD.straights}
    singles = {1 << rank for rank in range(9)}
    assert straights | singles == {ranks for ranks in range(1, 8192) if kernel.is_straight(ranks)}
    assert all(ranks.bit_count() == 5 for ranks in straights)


def test_divisors_of_the_flush_multiple():
    """Of the 15 sets of suits these are the four with one suit."""
    expected = set(card_bits.SUIT_BITS)
    assert expected == {suits for suits in range(8192, 1 << 17, 8192) if kernel.is_flush(suits)}


def test_division_of_doubles_is_exact():
    """For every set of ranks and of suits."""
    for ranks in range(1, 8192):
        assert kernel.is_straight(ranks) == kernel.divides(ranks, kernel.STRAIGHT_MULTIPLE)
    for suits in range(8192, 1 << 17, 8192):
        assert kernel.is_flush(suits) == kernel.divides(suits, kernel.FLUSH_MULTIPLE)


def test_bits_set():
    """For every set of ranks."""
    assert [ranks.bit_count() for ranks in range(8192)] == [
        kernel.bits_set(ranks) for ranks in range(8192)
    ]


def test_batch_and_single_hands_agree(random_fives):
    hands = np.concatenate([STANDARD.examples, random_fives[:2000]])
    expected = [kernel.strength(hand) for hand in tables.CARDS[hands].tolist()]
    assert expected == kernel.rank_batch(hands).tolist()
