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
from holdem.values import CATEGORIES, STANDARD
from holdem_dead_horse import card_label, card_number, kernel, tables
from holdem_dead_horse import cards as card_bits

# The article's table: 2..A of spades, of hearts, of clubs and of diamonds.
ARTICLE_CARDS = {
    "s": (
        65537,
        65538,
        65540,
        65544,
        65552,
        65568,
        65600,
        65664,
        65792,
        66048,
        66560,
        67584,
        69632,
    ),
    "h": (
        32769,
        32770,
        32772,
        32776,
        32784,
        32800,
        32832,
        32896,
        33024,
        33280,
        33792,
        34816,
        36864,
    ),
    "c": (
        16385,
        16386,
        16388,
        16392,
        16400,
        16416,
        16448,
        16512,
        16640,
        16896,
        17408,
        18432,
        20480,
    ),
    "d": (8193, 8194, 8196, 8200, 8208, 8224, 8256, 8320, 8448, 8704, 9216, 10240, 12288),
}

# The article's hands with duplicates, by the bits it writes. Each holds the numbers of ones
# in the OR and in the XOR that it finds. In two pair, what it labels the ace of diamonds has
# the bit of hearts.
DUPLICATES = {
    "pair": ("5c 9c 5h 2c Ac", 4, 3),
    "two pair": ("5c Ah 5h 2c Ac", 3, 1),
    "three of a kind": ("5c Ad Ah 2c Ac", 3, 3),
    "full house": ("5c Ad 5h Ah Ac", 2, 1),
    "four of a kind": ("As Ad 5h Ah Ac", 2, 1),
}
DUPLICATE_BITS = {
    "pair": (
        "00100000000001000 00100000010000000 01000000000001000 00100000000000001 00101000000000000"
    ),
    "two pair": (
        "00100000000001000 01001000000000000 01000000000001000 00100000000000001 00101000000000000"
    ),
    "three of a kind": (
        "00100000000001000 00011000000000000 01001000000000000 00100000000000001 00101000000000000"
    ),
    "full house": (
        "00100000000001000 00011000000000000 01000000000001000 01001000000000000 00101000000000000"
    ),
    "four of a kind": (
        "10001000000000000 00011000000000000 01000000000001000 01001000000000000 00101000000000000"
    ),
}


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
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14"]
    labels = [rank + suit for suit in "shcd" for rank in ranks]
    numbers = [number for suit in "shcd" for number in ARTICLE_CARDS[suit]]
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
    text, in_union, in_odd = DUPLICATES[category]
    hand = cards(text)
    assert [int(bits, 2) for bits in DUPLICATE_BITS[category].split()] == hand
    union, odd, _ = kernel.fold(hand)
    ranks = union & kernel.RANKS
    assert (in_union, in_odd) == (ranks.bit_count(), odd.bit_count())
    assert in_union + in_odd == kernel.duplicates(ranks, odd)
    assert category == CATEGORIES[dead_horse.scale.categories(np.array([kernel.strength(hand)]))[0]]


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
