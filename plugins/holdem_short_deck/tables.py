"""The tables of ``short-deck``, computed when the evaluator is loaded (in about 60 ms)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from holdem_short_deck.classes import RANKS, Ranks, count_out

#: One key a rank, 6..A. Sums of up to seven keys, at most four of a rank, are all different
#: among hands of one size; each key is the smallest number above the last that keeps it so.
RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854)

#: The engine's id of the lowest card, the six of clubs.
LOWEST_CARD = 16

# A card's key is 64 bits: its rank key below, and above bit 32 a nibble a suit that counts
# the cards of that suit. Counting starts at 3, so a nibble's top bit says "five or more".
SUIT_COUNT_START = 0x3333 << 32
FLUSH_BITS = 0x8888 << 32


def key_sum(ranks: Ranks) -> int:
    """Return the sum of the keys of some ranks."""
    return sum(RANK_KEYS[rank] for rank in ranks)


def _with_one_more(strengths: Mapping[Ranks, int], size: int) -> dict[Ranks, int]:
    """Return the strengths of `size` ranks, given those of one card less.

    One card too many can go: a hand is worth the best of what then remains.
    """
    more = {}
    for ranks in combinations_with_replacement(RANKS, size):
        if all(ranks[place] < ranks[place + 4] for place in range(size - 4)):  # four at most
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


_FIVE, _SUITED = count_out()
_SIX = _with_one_more(_FIVE, 6)
_SEVEN = _with_one_more(_SIX, 7)

#: Strength of five cards without a flush by the sum of their keys, ``uint16 (100115,)``.
STRENGTHS_5 = _by_key_sum(_FIVE)

#: The same of six cards, ``uint16 (108813,)``.
STRENGTHS_6 = _by_key_sum(_SIX)

#: The same of seven cards, ``uint16 (117511,)``.
STRENGTHS_7 = _by_key_sum(_SEVEN)

#: Strength of five to seven suited cards by rank bits, bit 0 the six, ``uint16 (512,)``.
FLUSH_STRENGTHS = _by_rank_bits(_SUITED)

#: The key of each card by the engine's id, ``uint64 (52,)``; zero for cards below six.
CARD_KEYS: NDArray[np.uint64] = np.zeros(52, dtype=np.uint64)

#: The place of each card in four fields of 16 rank bits, ``uint64 (52,)``, clubs lowest.
CARD_MASKS: NDArray[np.uint64] = np.zeros(52, dtype=np.uint64)

for _card in range(LOWEST_CARD, 52):
    _rank, _suit = divmod(_card - LOWEST_CARD, 4)
    CARD_KEYS[_card] = RANK_KEYS[_rank] + (1 << 32 + 4 * _suit)
    CARD_MASKS[_card] = 1 << 16 * _suit + _rank
