"""The default evaluator's fast path for ranking one hand per call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from holdem.evaluation.builtin.lookup.kernels import flush_strength, strength_of_ranks
from holdem.evaluation.builtin.lookup.keys import (
    CARD_KEYS,
    CARD_MASKS,
    FLUSH_BITS,
    SUIT_COUNT_START,
)
from holdem.jit.decorators import inlined, kernel
from holdem.jit.python_calls import as_builtin_function, integer_at, length, new_integer, no_result

_START, _FLUSH = np.uint64(SUIT_COUNT_START), np.uint64(FLUSH_BITS)
_CARDS, _ONE, _ZERO = np.uint64(52), np.uint64(1), np.uint64(0)
_FIVE, _SIX, _SEVEN = np.uint64(5), np.uint64(6), np.uint64(7)


@kernel
def _strength(_: Any, hand: Any) -> Any:
    """Return the strength of one hand, a Python sequence of card ids, as a Python int."""
    size = np.uint64(length(hand))
    # The loop over a constant number of cards is unrolled.
    if size == _SEVEN:
        return _rank(hand, _SEVEN)
    if size == _SIX:
        return _rank(hand, _SIX)
    if size == _FIVE:
        return _rank(hand, _FIVE)
    return no_result()


@inlined
def _rank(hand: Any, size: Any) -> Any:
    key, mask = _START, _ZERO
    for place in range(size):
        card = np.uint64(integer_at(hand, place))  # a negative number becomes a huge one
        if card >= _CARDS or mask & CARD_MASKS[card]:
            return no_result()
        key += CARD_KEYS[card]
        mask |= CARD_MASKS[card]
    if key & _FLUSH:
        return new_integer(flush_strength(key, mask))
    return new_integer(strength_of_ranks(np.uint32(key), size))


@cache
def strength_of_one() -> Callable[[Any], int] | None:
    """Compile and return a function that ranks one hand, given as a sequence of card ids.

    The function returns the strength, 1..7462, or 0 if the sequence is not a hand: another number
    of cards, an invalid id, or a card twice. Exceptions of the sequence or its items propagate.

    Returns:
        The function; None if this Python lacks the C API.
    """
    return as_builtin_function(_strength, "strength")
