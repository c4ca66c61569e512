"""Tables of ``short-deck``, computed when the evaluator is loaded, in about 60 ms."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from holdem_short_deck.classes import RANKS, Ranks, number_classes

#: Key of each rank, 6..A. Sums of the keys of any five, six or seven cards are distinct for
#: distinct ranks; each key is the smallest above the last one with this property.
RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854)

#: Id of the lowest card, the six of clubs.
LOWEST_CARD = 16

# The key of a card has its rank key in the low 32 bits, and above them a counter of 4 bits for
# each suit. Counters start at 3, so that the top bit of one is set from five cards on.
SUIT_COUNT_START = 0x3333 << 32
FLUSH_BITS = 0x8888 << 32


def key_sum(ranks: Ranks) -> int:
    """Return the sum of the `RANK_KEYS` of ranks, each counted as often as it is given."""
    return sum(RANK_KEYS[rank] for rank in ranks)


def _with_one_more(strengths: Mapping[Ranks, int], size: int) -> dict[Ranks, int]:
    """Return the strengths of hands of `size` cards without a flush, by their ranks.

    `strengths` has those of hands with one card fewer: a hand has the highest that remains when one
    of its cards is left out.
    """
    more = {}
    for ranks in combinations_with_replacement(RANKS, size):
        if all(ranks[place] < ranks[place + 4] for place in range(size - 4)):  # up to four each
            left = (ranks[:place] + ranks[place + 1 :] for place in range(size))
            more[ranks] = max(strengths[fewer] for fewer in left)
    return more


def _by_key_sum(strengths: Mapping[Ranks, int]) -> NDArray[np.uint16]:
    sums = [key_sum(ranks) for ranks in strengths]
    table = np.zeros(max(sums) + 1, dtype=np.uint16)
    table[sums] = list(strengths.values())
    return table


def _by_rank_bits(suited: Mapping[Ranks, int]) -> NDArray[np.uint16]:
    table = np.zeros(1 << len(RANKS), dtype=np.uint16)
    for size in (5, 6, 7):
        for ranks in combinations(RANKS, size):
            best = max(suited[five] for five in combinations(ranks, 5))
            table[sum(1 << rank for rank in ranks)] = best
    return table


_FIVE, _SUITED = number_classes()
_SIX = _with_one_more(_FIVE, 6)
_SEVEN = _with_one_more(_SIX, 7)

#: Strength of five cards without a flush by the sum of their keys, ``uint16 (100115,)``.
STRENGTHS_5 = _by_key_sum(_FIVE)

#: Strength of six cards, in the same way, ``uint16 (108813,)``.
STRENGTHS_6 = _by_key_sum(_SIX)

#: Strength of seven cards, in the same way, ``uint16 (117511,)``.
STRENGTHS_7 = _by_key_sum(_SEVEN)

#: Strength of five to seven suited cards by rank bits, bit 0 the six, ``uint16 (512,)``.
FLUSH_STRENGTHS = _by_rank_bits(_SUITED)

#: The key of each card by id, ``uint64 (52,)``; 0 for cards below six.
CARD_KEYS: NDArray[np.uint64] = np.zeros(52, dtype=np.uint64)

#: The bit of each card in four fields of 16 rank bits, ``uint64 (52,)``, clubs lowest.
CARD_MASKS: NDArray[np.uint64] = np.zeros(52, dtype=np.uint64)

for _card in range(LOWEST_CARD, 52):
    _rank, _suit = divmod(_card - LOWEST_CARD, 4)
    CARD_KEYS[_card] = RANK_KEYS[_rank] + (1 << 32 + 4 * _suit)
    CARD_MASKS[_card] = 1 << 16 * _suit + _rank
