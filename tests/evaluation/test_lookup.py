"""The default evaluator: keys, tables, strengths."""

import itertools
from itertools import combinations_with_replacement

import numpy as np
import pytest

import holdem
from hands import classes_by, random_hands
from holdem.errors import EvaluatorError
from holdem.evaluation.builtin import lookup, lookup_tables
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.rules import STANDARD
from naive import class_by_rule_book


@pytest.mark.parametrize("size", [5, 6, 7])
def test_key_sums_are_distinct(size):
    """For all multisets of 5, 6 or 7 ranks with at most four of a rank."""
    multisets = [
        ranks
        for ranks in combinations_with_replacement(range(13), size)
        if max(map(ranks.count, ranks)) <= 4
    ]
    sums = {sum(lookup_tables.RANK_KEYS[rank] for rank in ranks) for ranks in multisets}
    assert {5: 6175, 6: 18395, 7: 49205}[size] == len(multisets) == len(sums)
    assert max(sums) < 1 << 32  # they stay below the counts of suits


def test_suit_counters():
    """The top bit of a counter is set from five cards on, and no counter overflows."""
    for suit in range(4):
        for many in range(8):
            for other in range(8 - many):
                cards = [4 * rank + suit for rank in range(many)]
                cards += [4 * rank + (suit + 1) % 4 for rank in range(other)]
                key = lookup_tables.SUIT_COUNT_START + sum(
                    int(lookup_tables.CARD_KEYS[card]) for card in cards
                )
                flush = key & lookup_tables.FLUSH_BITS
                expected = (8 << 32 + 4 * suit) if many >= 5 else 0
                expected |= (8 << 32 + 4 * ((suit + 1) % 4)) if other >= 5 else 0
                assert expected == flush


def test_sizes_of_tables():
    """Each table is below 10^6 bytes, the limit of numba for cached code."""
    modules = (lookup, lookup_tables)
    values = itertools.chain.from_iterable(vars(module).values() for module in modules)
    arrays = {id(value): value for value in values if isinstance(value, np.ndarray)}
    assert len(arrays) > 7
    assert all(table.nbytes < 10**6 for table in arrays.values())


def test_damaged_table(monkeypatch):
    """The error has the way to repair it."""
    monkeypatch.setattr(lookup_tables, "_CHECKSUM", 0)
    with pytest.raises(EvaluatorError, match=r"tables\.npz is damaged: install holdem again"):
        lookup_tables._read()


def test_strengths_of_classes():
    """They are 7462 (royal flush) down to 1, as `int16`."""
    strengths = rank_batch(STANDARD.examples)
    np.testing.assert_array_equal(np.arange(7462, 0, -1), strengths)
    assert np.int16 == strengths.dtype


@pytest.mark.parametrize(("size", "count"), [(5, 5000), (6, 1500), (7, 600)])
def test_random_hands(size, count):
    """They have the class of their best five by the rule book."""
    hands = random_hands(count, size, seed=size)
    expected = [class_by_rule_book(hand) for hand in hands.tolist()]
    assert expected == classes_by(holdem.get_evaluator("lookup"), hands).tolist()


@pytest.mark.parametrize("size", [6, 7])
def test_hands_with_a_flush(size):
    """They have the class by the rule book; random hands rarely have a flush."""
    rng = np.random.default_rng(11)
    hands = []
    for place in range(400):
        suited = rng.permutation(13)[: rng.integers(5, size + 1)] * 4 + place % 4
        others = np.setdiff1d(np.arange(52), suited)
        hands.append(rng.permutation([*suited, *rng.permutation(others)[: size - len(suited)]]))
    hands = np.array(hands, dtype=np.uint8)
    expected = [class_by_rule_book(hand) for hand in hands.tolist()]
    assert expected == classes_by(holdem.get_evaluator("lookup"), hands).tolist()
    categories = {STANDARD.class_at(number).category for number in expected}
    assert {"flush", "straight flush"} == categories


@pytest.mark.parametrize("size", [5, 6, 7])
def test_empty_batch(size):
    assert (0,) == rank_batch(np.empty((0, size), dtype=np.uint8)).shape


@pytest.mark.parametrize("size", [5, 6, 7])
def test_invalid_hands(size):
    """Any bytes have some strength; no look-up is outside the tables."""
    for first in range(256):
        hands = np.full((256, size), first, dtype=np.uint8)
        hands[:, size // 2 :] = np.arange(256, dtype=np.uint8)[:, None]
        strengths = rank_batch(hands)
        assert strengths.min() >= 0
        assert strengths.max() <= 7462
    key = int(lookup_tables.RANK_KEYS[-1]) * size
    offsets = lookup_tables.OFFSETS[size]
    entries = lookup_tables.tables_of(STANDARD).of_size[size]
    sums = np.arange(key + 1, dtype=np.uint32)
    assert (sums + offsets[sums >> np.uint32(lookup_tables.ROW_BITS)]).max() < len(entries)
