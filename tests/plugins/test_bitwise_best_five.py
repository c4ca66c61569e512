"""The bitwise evaluator on six and seven cards."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
import pytest

import holdem
from hands import classes_by, random_hands
from holdem.evaluation.best_five import best_of_five
from holdem.evaluation.conformance.hands import every_hand
from holdem.rules import STANDARD
from holdem_bitwise import batch, best_five, kernel
from naive import class_by_rule_book

#: Hands of six and seven cards, and five cards of the same strength.
BEST_FIVE = [
    # more pairs and threes than a hand can use
    ("KcKdKh8s8d8c2s", "KcKdKh8s8d"),
    ("8c8d8hKsKd2c2s", "8c8d8hKsKd"),
    ("2c2d2hAsKdAcKs", "2c2d2hAsAc"),
    ("AcAdAhKsKdKc", "AcAdAhKsKd"),
    ("2c2d2hAsAdAc", "AsAdAc2c2d"),
    ("AcAdKhKsQdQc2s", "AcAdKhKsQd"),
    ("AcAd4h4s3d3cKs", "AcAd4h4sKs"),
    ("4c4d3h3s2d2c", "4c4d3h3s2d"),
    ("4c4d3h3s2d2cAs", "4c4d3h3sAs"),
    ("4c4d3h3s9dTcAs", "4c4d3h3sAs"),
    ("4c4d3hQsKdTcAs", "4c4dQsKdAs"),
    ("4c4d4hQsKdTcAs", "4c4d4hKdAs"),
    ("4c2d3h9sKdTcJs", "4c9sKdTcJs"),
    # four of a kind: pairs and threes beside it count as one kicker
    ("7c7d7h7sKd2c3s", "7c7d7h7sKd"),
    ("7c7d7h7s2d2c3s", "7c7d7h7s3s"),
    ("7c7d7h7sKdKc8s", "7c7d7h7sKd"),
    ("7c7d7h7s8d8cKs", "7c7d7h7sKs"),
    ("7c7d7h7sAdAcAs", "7c7d7h7sAd"),
    ("AcAdAhAsKdKcKs", "AcAdAhAsKd"),
    ("2c2d2h2s3d4c", "2c2d2h2s4c"),
    # more cards of a suit than a flush needs
    ("2s4s6s8sTsQs", "4s6s8sTsQs"),
    ("2s4s6s8sTsQsAs", "6s8sTsQsAs"),
    ("AdKdJd9d7d5d3c", "AdKdJd9d7d"),
    ("AhKh9h7h2hAcAd", "AhKh9h7h2h"),
    ("AhKh9h7h2hKcAd", "AhKh9h7h2h"),
    ("3c4c5c6cJc7d8h", "3c4c5c6cJc"),
    # more ranks than a straight needs
    ("2c3d4h5s6c7d8h", "4h5s6c7d8h"),
    ("Ac2d3h4s5c6d7h", "3h4s5c6d7h"),
    ("Ac2d3h4s5c6dKh", "2d3h4s5c6d"),
    ("8cAdKhQsJcTd9h", "AdKhQsJcTd"),
    # wheels
    ("Ac2d3h4s5cKdQh", "Ac2d3h4s5c"),
    ("Ac2d3h4s5cAdAh", "Ac2d3h4s5c"),
    ("Ac2d3h4s5c5dAh", "Ac2d3h4s5c"),
    # a straight beats pairs and threes among its ranks
    ("9cTdTh8s7cTs6d", "Td9c8s7c6d"),
    ("9cTdTh9s8c7s6d", "Td9c8c7s6d"),
    # no straight
    ("AcKdQhJs2c3d4h", "AcKdQhJs4h"),
    ("QcKdAh2s3c9d8h", "QcKdAh9d8h"),
    ("2c3d4h5s7c8d9h", "9h8d7c5s4h"),
    # straight flushes below better straights and flushes
    ("4d5d6d7d8d9cTc", "4d5d6d7d8d"),
    ("4d5d6d7d8dAdKd", "4d5d6d7d8d"),
    ("Ah2h3h4h5h6c7c", "Ah2h3h4h5h"),
    ("Ah2h3h4h5hKhQh", "Ah2h3h4h5h"),
    ("Ah2h3h4h5h6h7h", "3h4h5h6h7h"),
    ("Ac2c3c4c5cAdAh", "Ac2c3c4c5c"),
    ("9sTsJsQsKsAdAh", "9sTsJsQsKs"),
    ("9sTsJsQsKsAs8s", "TsJsQsKsAs"),
    # a straight and a flush of different cards, not a straight flush
    ("2s3s4s5s9s6d7d", "2s3s4s5s9s"),
    ("AsKsQsJs9sTd2c", "AsKsQsJs9s"),
    ("As2s3s4s9s5dKc", "As2s3s4s9s"),
]


def single(cards):
    """Return the strength of one hand of ids by the plain function."""
    return best_five.strength([card // 4 + 2 for card in cards], [1 << card % 4 for card in cards])


@pytest.mark.parametrize(("hand", "five"), BEST_FIVE)
def test_best_five(hand, five):
    """The hand has the strength of the five cards, by the kernel of five cards."""
    expected = batch.rank_batch(np.array([holdem.parse_cards(five)], dtype=np.uint8))
    cards = np.array([holdem.parse_cards(hand)], dtype=np.uint8)
    assert expected.tolist() == batch.rank_batch(cards).tolist() == [single(cards[0].tolist())]


@pytest.mark.parametrize(("hand", "five"), BEST_FIVE)
def test_best_five_by_rule_book(hand, five):
    """The list is right by the rule book."""
    assert class_by_rule_book(holdem.parse_cards(hand)) == class_by_rule_book(
        holdem.parse_cards(five)
    )


@pytest.mark.parametrize("size", [6, 7])
def test_random_hands_by_rule_book(size):
    hands = random_hands(5_000, size, seed=size)
    expected = [class_by_rule_book(hand) for hand in hands.tolist()]
    assert expected == classes_by(holdem.get_evaluator("bitwise"), hands).tolist()


@pytest.mark.parametrize("size", [6, 7])
def test_strengths_are_those_of_choices(size):
    """The strength, not only its order, is that of the best of 6 or 21 choices of five."""
    hands = random_hands(100_000, size, seed=10 + size)
    expected = best_of_five(batch.rank_batch, hands)
    np.testing.assert_array_equal(expected, batch.rank_batch(hands))


def test_few_ranks():
    """Hands of four ranks, with all combinations of counts, have the best choice's strength."""
    deck = [4 * rank + suit for rank in (0, 3, 8, 12) for suit in range(4)]
    hands = np.array(list(combinations(deck, 7)), dtype=np.uint8)
    np.testing.assert_array_equal(best_of_five(batch.rank_batch, hands), batch.rank_batch(hands))


def test_one_suit():
    """All 1,716 flushes of seven cards of a suit have the best choice's strength."""
    hands = np.array(list(combinations(range(2, 52, 4), 7)), dtype=np.uint8)
    assert len(hands) == comb(13, 7) == 1716
    np.testing.assert_array_equal(best_of_five(batch.rank_batch, hands), batch.rank_batch(hands))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_batch_and_single_hands_agree(size):
    """So do the article's method and this one on five cards."""
    hands = random_hands(1_000, size, seed=20 + size)
    hands = np.concatenate([hands, STANDARD.examples]) if size == 5 else hands
    expected = [single(hand) for hand in hands.tolist()]
    assert expected == batch.rank_batch(hands).tolist()


@pytest.mark.parametrize("size", [0, 1, 511, 512, 513, 1025])
def test_block_boundaries(size):
    """Every hand of an incomplete last block is ranked, in its place."""
    hands = random_hands(1025, 7, seed=3)
    expected = batch.rank_batch(hands)[:size]
    assert expected.tolist() == batch.rank_batch(hands[:size]).tolist()


@pytest.mark.parametrize(("size", "clashes"), [(5, 0), (6, 0), (7, 1)])
def test_sums_modulo_15(size, clashes):
    """They tell apart repeated ranks of five and six cards; of seven, 7 + 15 is 7 for none."""
    repeats = {}
    for ranks in combinations_with_replacement(range(2, 2 + size), size):
        counts = tuple(sorted((ranks.count(rank) for rank in set(ranks)), reverse=True))
        if counts[0] <= 4:
            repeats.setdefault(kernel.fields(ranks)[1] % 15, set()).add(counts)
    shared = [found for found in repeats.values() if len(found) > 1]
    assert clashes == len(shared)
    if shared:
        assert shared == [{(4, 3), (1,) * 7}]


def test_best_straights():
    """Of every set of up to seven ranks, the highest five in a row, with the ace low as well."""
    for size in range(8):
        for ranks in combinations(range(2, 15), size):
            with_low_ace = {1 if rank == 14 else rank for rank in ranks} | set(ranks)
            expected = 0
            for lowest in range(1, 11):
                if with_low_ace >= set(range(lowest, lowest + 5)):
                    expected = 0b11111 << lowest
            assert expected == best_five.best_straight(sum(1 << rank for rank in ranks))


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("size", "count"), [pytest.param(6, 20_358_520, marks=pytest.mark.slow), (7, 133_784_560)]
)
def test_every_hand(size, count):
    """Each hand of six or seven has the strength of its class by `lookup`."""
    lookup, bitwise = holdem.get_evaluator("lookup"), holdem.get_evaluator("bitwise")
    by_class = np.concatenate([[0], bitwise.scale.strengths]).astype(np.int32)
    ranked = 0
    for hands in every_hand(STANDARD, size):
        np.testing.assert_array_equal(by_class[lookup.rank(hands)], bitwise.rank(hands))
        ranked += len(hands)
    assert count == ranked
