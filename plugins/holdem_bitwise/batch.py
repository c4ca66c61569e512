"""The kernels that rank batches of hands of five, six or seven cards.

A kernel makes two passes over each block of hands. The first pass transposes the block, so that the
second pass, which is pure arithmetic, loads the same card of adjacent hands into one vector.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem import inlined, kernel
from holdem_bitwise.best_five import SUIT_COUNTERS, best_five, is_flush_suit, suit_counter
from holdem_bitwise.kernel import casting_out, combine, count_card, in_a_row, name_index

_BLOCK = 512  # hands: seven columns of 2 KB fit in the L1 cache


@inlined
def _transpose(block: NDArray[np.uint8], columns: NDArray[np.int32], cards: int) -> None:
    """Copy `block`, ``(hand, card)``, to `columns`, ``(card, hand)``; hands have `cards` cards."""
    for i in range(np.uint64(len(block))):
        for j in range(np.uint64(cards)):
            columns[j, i] = block[i, j]


@kernel
def _rank_five(hands: NDArray[np.uint8], strengths: NDArray[np.int32]) -> None:
    """Write the strengths of hands of five cards, as `kernel.strength` returns them.

    `hands` are ids, ``uint8 (hand, 5)``; `strengths` is ``int32 (hand,)``.
    """
    columns = np.empty((5, _BLOCK), dtype=np.int32)
    for start in range(0, len(hands), _BLOCK):
        block = hands[start : start + _BLOCK]
        answers = strengths[start : start + _BLOCK]
        _transpose(block, columns, 5)
        for i in range(np.uint64(len(block))):
            s = v = suits = 0
            for j in range(np.uint64(5)):
                card = columns[j, i]
                rank = (card >> 2) + 2
                s |= 1 << rank
                v = count_card(v, rank)
                suits |= 1 << (card & 3)
            flush = suits == 1 << (columns[0, i] & 3)
            answers[i] = combine(name_index(s, casting_out(v), in_a_row(s), flush), s, v)


@inlined
def _rank_best(hands: NDArray[np.uint8], strengths: NDArray[np.int32], cards: int) -> None:
    """Write the strengths of hands of six or seven cards, as `best_five.strength` returns them.

    `hands` are ids, ``uint8 (hand, card)``; `strengths` is ``int32 (hand,)``. Callers pass `cards`
    as a constant, so that the loops over cards are unrolled.
    """
    columns = np.empty((cards, _BLOCK), dtype=np.int32)
    for start in range(0, len(hands), _BLOCK):
        block = hands[start : start + _BLOCK]
        answers = strengths[start : start + _BLOCK]
        _transpose(block, columns, cards)
        for i in range(np.uint64(len(block))):
            s = v = 0
            counters = SUIT_COUNTERS
            for j in range(np.uint64(cards)):
                card = columns[j, i]
                rank = (card >> 2) + 2
                s |= 1 << rank
                v = count_card(v, rank)
                counters += suit_counter(card & 3)
            flush = suited = 0
            for j in range(np.uint64(cards)):
                card = columns[j, i]
                in_flush = is_flush_suit(counters, card & 3)
                flush |= in_flush << (card >> 2) + 2
                suited += in_flush
            answers[i] = best_five(s, v, flush, suited, cards)


@kernel
def _rank_six(hands: NDArray[np.uint8], strengths: NDArray[np.int32]) -> None:
    _rank_best(hands, strengths, 6)


@kernel
def _rank_seven(hands: NDArray[np.uint8], strengths: NDArray[np.int32]) -> None:
    _rank_best(hands, strengths, 7)


_KERNELS = {5: _rank_five, 6: _rank_six, 7: _rank_seven}


def rank_batch(hands: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Rank hands of five to seven ids, ``uint8 (hand, card)``, not checked; bigger is stronger."""
    strengths = np.empty(len(hands), dtype=np.int32)
    _KERNELS[hands.shape[1]](hands, strengths)
    return strengths
