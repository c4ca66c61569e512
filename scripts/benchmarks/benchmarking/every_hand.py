"""Kernels that rank all 133,784,560 hands of seven cards in order, without storing them.

Five nested loops keep the key sum so far. The last two cards are one loop over the pairs of lower
cards, from a table that is ordered by the higher card: one addition a hand. The first five cards
decide whether a flush is possible.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from holdem.evaluation.builtin.lookup import flush_strength, rank_strength
from holdem.evaluation.builtin.lookup_tables import (
    CARD_KEYS,
    CARD_MASKS,
    FLUSH_BITS,
    OFFSETS_7,
    ROW_BITS,
    SUIT_COUNT_START,
    tables_of,
)
from holdem.jit.kernels import inlined, kernel
from holdem.rules import CATEGORIES, STANDARD

_START, _FLUSH = np.uint64(SUIT_COUNT_START), np.uint64(FLUSH_BITS)
# Added to suit counters, which start at 3, it sets the top bit of one from three cards on.
_THREE_OF_SUIT = np.uint64(0x2222 << 32)
_ROW, _CARDS, _ONE = np.uint32(ROW_BITS), np.uint64(52), np.uint64(1)

# Pairs of cards in the order of the higher one: those below card c are the first C(c, 2).
_HIGH, _LOW = np.tril_indices(52, -1)
_PAIR_KEYS: NDArray[np.uint64] = CARD_KEYS[_HIGH] + CARD_KEYS[_LOW]
_PAIR_RANKS: NDArray[np.uint32] = _PAIR_KEYS.astype(np.uint32)
_PAIR_MASKS: NDArray[np.uint64] = CARD_MASKS[_HIGH] | CARD_MASKS[_LOW]

# A word with a counter of seven bits for each of the nine categories counts up to 127 hands.
_FIELD, _MAX_COUNT = 7, np.uint64(127)
_FIELD_BITS, _FIELD_MASK = np.uint64(_FIELD), np.uint64((1 << _FIELD) - 1)
_FIELD_OF: NDArray[np.uint8] = np.array(
    [0, *(_FIELD * CATEGORIES.index(found.category) for found in reversed(STANDARD.classes))],
    dtype=np.uint8,
)
_TABLE = tables_of(STANDARD).seven
_FIELDS_7: NDArray[np.uint8] = _FIELD_OF[_TABLE]


def _define_no_vectorization(_context: Any) -> Any:
    """Define a function that keeps LLVM from vectorizing the enclosing loop.

    LLVM turns table look-ups into gathers, which are slower: 0.8 instead of 1.4 billion hands a
    second.
    """

    def emit(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        # Empty inline assembly with side effects: LLVM does not vectorize a loop around it.
        builder.asm(ir.FunctionType(ir.VoidType(), []), "", "", [], True)
        return context.get_dummy_value()

    return types.void(), emit


no_vectorization: Any = intrinsic(_define_no_vectorization)


@inlined
def _sum_strengths(key: np.uint64, mask: np.uint64, pairs: np.uint64) -> Any:
    """Return the sum of the strengths of five cards with each of the first `pairs` pairs."""
    total = np.uint64(0)
    if (key + _THREE_OF_SUIT) & _FLUSH:
        for pair in range(pairs):
            no_vectorization()
            whole = key + _PAIR_KEYS[pair]
            if whole & _FLUSH:
                total += np.uint64(flush_strength(_TABLE, whole, mask | _PAIR_MASKS[pair]))
            else:
                total += np.uint64(rank_strength(_TABLE, np.uint32(whole)))
    else:
        ranks = np.uint32(key)
        for pair in range(pairs):
            no_vectorization()
            total += np.uint64(rank_strength(_TABLE, np.uint32(ranks + _PAIR_RANKS[pair])))
    return total


@inlined
def _field_by_ranks(ranks: np.uint32) -> Any:
    return _ONE << np.uint64(_FIELDS_7[np.uint32(ranks + OFFSETS_7[ranks >> _ROW])])


@inlined
def _count_fields(
    key: np.uint64, mask: np.uint64, pairs: np.uint64, counts: NDArray[np.int64]
) -> None:
    """Count the categories of five cards with each of the first `pairs` pairs."""
    may_flush, ranks = (key + _THREE_OF_SUIT) & _FLUSH != 0, np.uint32(key)
    first = np.uint64(0)
    while first < pairs:
        last = min(pairs, first + _MAX_COUNT)
        fields = np.uint64(0)
        if may_flush:
            for pair in range(first, last):
                no_vectorization()
                whole = key + _PAIR_KEYS[pair]
                if whole & _FLUSH:
                    found = flush_strength(_TABLE, whole, mask | _PAIR_MASKS[pair])
                    fields += _ONE << np.uint64(_FIELD_OF[found])
                else:
                    fields += _field_by_ranks(np.uint32(whole))
        else:
            for pair in range(first, last):
                no_vectorization()
                fields += _field_by_ranks(np.uint32(ranks + _PAIR_RANKS[pair]))
        for category in range(np.uint64(9)):
            counts[category] += np.int64(fields >> _FIELD_BITS * category & _FIELD_MASK)
        first = last


@kernel
def sum_of_strengths() -> Any:
    """Return the sum of the strengths, 1..7462, of all hands of seven."""
    total = np.uint64(0)
    for a in range(_CARDS):
        for b in range(a):
            for c in range(b):
                key_c = _START + CARD_KEYS[a] + CARD_KEYS[b] + CARD_KEYS[c]
                mask_c = CARD_MASKS[a] | CARD_MASKS[b] | CARD_MASKS[c]
                for d in range(c):
                    key, mask = key_c + CARD_KEYS[d], mask_c | CARD_MASKS[d]
                    for e in range(d):
                        pairs = e * (e - _ONE) >> _ONE
                        total += _sum_strengths(key + CARD_KEYS[e], mask | CARD_MASKS[e], pairs)
    return total


@kernel
def count_categories(counts: NDArray[np.int64]) -> None:
    """Count the hands of seven of each category.

    Args:
        counts: added to, weakest category first as in `CATEGORIES`, ``int64 (category,)``.
    """
    for a in range(_CARDS):
        for b in range(a):
            for c in range(b):
                key_c = _START + CARD_KEYS[a] + CARD_KEYS[b] + CARD_KEYS[c]
                mask_c = CARD_MASKS[a] | CARD_MASKS[b] | CARD_MASKS[c]
                for d in range(c):
                    key, mask = key_c + CARD_KEYS[d], mask_c | CARD_MASKS[d]
                    for e in range(d):
                        pairs = e * (e - _ONE) >> _ONE
                        _count_fields(key + CARD_KEYS[e], mask | CARD_MASKS[e], pairs, counts)
