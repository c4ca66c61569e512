"""The default evaluator for one hand a call, as fast as a call from Python can be.

Most of the time goes into the call itself: a compiled function that takes seven numbers and
does nothing takes nine tenths as long.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from holdem.compilation import inlined, kernel
from holdem.evaluation.lookup.kernels import flush_strength, rank_strength
from holdem.evaluation.lookup.keys import (
    CARD_KEYS,
    CARD_MASKS,
    FLUSH_BITS,
    ROW_BITS,
    SUIT_COUNT_START,
)
from holdem.evaluation.lookup.tables import OFFSETS_5, OFFSETS_6, STRENGTHS_5, STRENGTHS_6

_START, _FLUSH = np.uint64(SUIT_COUNT_START), np.uint64(FLUSH_BITS)
_ROW = np.uint32(ROW_BITS)
_CARDS, _ONE, _ZERO = np.uint64(52), np.uint64(1), np.uint64(0)


@inlined
def _rank(cards: tuple[int, ...]) -> Any:
    key, mask, seen = _START, _ZERO, _ZERO
    valid: Any = True
    for number in cards:
        card = np.uint64(number)
        # What is no card is never used as an index; a negative number is a huge one here.
        valid &= card < _CARDS
        card = card if card < _CARDS else _ZERO
        valid &= seen >> card & _ONE == _ZERO
        seen |= _ONE << card
        key += CARD_KEYS[card]
        mask |= CARD_MASKS[card]
    ranks = np.uint32(key)
    if not valid:
        return np.int64(0)
    if key & _FLUSH:
        return np.int64(flush_strength(key, mask))
    if len(cards) == 5:
        return np.int64(STRENGTHS_5[np.uint32(ranks + OFFSETS_5[ranks >> _ROW])])
    if len(cards) == 6:
        return np.int64(STRENGTHS_6[np.uint32(ranks + OFFSETS_6[ranks >> _ROW])])
    return np.int64(rank_strength(ranks))


@kernel
def _rank_five(a: int, b: int, c: int, d: int, e: int) -> Any:
    return _rank((a, b, c, d, e))


@kernel
def _rank_six(a: int, b: int, c: int, d: int, e: int, f: int) -> Any:
    return _rank((a, b, c, d, e, f))


@kernel
def _rank_seven(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> Any:
    return _rank((a, b, c, d, e, f, g))


@cache
def one_hand_functions() -> dict[int, Callable[..., int]]:
    """Return, for 5, 6 and 7 cards, a function of so many ids: the strength, 1..7462.

    It answers 0 for what is no hand: an id that is no card, or a card twice.

    Raises (each function):
        TypeError, ValueError, OverflowError: something that is no whole number of 64 bits.
    """
    from numba import int64

    functions: dict[int, Any] = {5: _rank_five, 6: _rank_six, 7: _rank_seven}
    for size, function in functions.items():
        function.compile((int64,) * size)
        # Integers of other types are converted. Had it been told to compile no more, numba would
        # convert all else as well, cutting fractions off.
        function.compile = _refuse
    return functions


def _refuse(signature: Any) -> Any:
    raise TypeError(f"ids are whole numbers, not {signature}")
