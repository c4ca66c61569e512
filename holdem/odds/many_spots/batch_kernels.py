"""Kernels that compare known hole cards with an opponent's many combos, on many boards at once.

Against a random hand, most opposing combos are decided by their ranks alone: on a board without
three cards of a suit there are 91 pairs of ranks instead of 990 combos. With exactly three, the
combos of two more cards of that suit are taken out of these counts and ranked as flushes. With
four or five, every combo is ranked.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup import rank_strength, strength
from holdem.evaluation.builtin.lookup_keys import CARD_KEYS, CARD_MASKS, RANK_KEYS, SUIT_COUNT_START
from holdem.evaluation.builtin.lookup_tables import FLUSH_STRENGTHS
from holdem.jit.decorators import inlined, kernel

_START = np.uint64(SUIT_COUNT_START)
_KEYS_OF_RANKS: NDArray[np.uint32] = np.array(RANK_KEYS, dtype=np.uint32)
_ONE, _RANKS = np.uint64(1), np.uint64(0x1FFF)
_ALL_CARDS = np.uint64(0x1FFF_1FFF_1FFF_1FFF)  # as a suit mask


@inlined
def _ranks_of_suit(mask: np.uint64, suit: np.uint64) -> np.uint64:
    return mask >> (suit << np.uint64(4)) & _RANKS


@inlined
def _count_random(
    key: np.uint64,
    mask: np.uint64,
    own_strength: np.int64,
    left: np.uint64,
    held: NDArray[np.uint64],
    totals: NDArray[np.int64],
) -> None:
    """Add the wins and ties against a random hand on a complete board to `totals`.

    Args:
        key: the sum of the board's keys.
        mask: the suit mask of the board.
        own_strength: the strength of the known player's hand.
        left: the suit mask of the cards that the opponent can hold.
        held: scratch, ``uint64 (13,)``.
        totals: wins and ties, ``int64 (2,)``.
    """
    wins = ties = np.int64(0)
    flush_suit, on_board = np.uint64(4), np.uint64(0)
    for suit in range(np.uint64(4)):
        cards = key >> np.uint64(np.uint64(32) + (suit << np.uint64(2))) & np.uint64(15)
        if cards >= np.uint64(3):
            flush_suit, on_board = np.uint64(suit), cards
    if on_board > np.uint64(3):
        for first in range(np.uint64(52)):
            if not left & CARD_MASKS[first]:
                continue
            first_key, first_mask = _START + key + CARD_KEYS[first], mask | CARD_MASKS[first]
            for second in range(first):
                if left & CARD_MASKS[second]:
                    theirs = np.int64(
                        strength(first_key + CARD_KEYS[second], first_mask | CARD_MASKS[second])
                    )
                    wins += own_strength > theirs
                    ties += own_strength == theirs
        totals[0] += wins
        totals[1] += ties
        return
    suited = _ranks_of_suit(left, flush_suit) if flush_suit < np.uint64(4) else np.uint64(0)
    for rank in range(np.uint64(13)):
        held[rank] = (
            (left >> rank & _ONE)
            + (left >> (rank + np.uint64(16)) & _ONE)
            + (left >> (rank + np.uint64(32)) & _ONE)
            + (left >> (rank + np.uint64(48)) & _ONE)
        )
    board = np.uint32(key)
    for high in range(np.uint64(13)):
        if held[high] == np.uint64(0):
            continue
        with_high = np.uint32(board + _KEYS_OF_RANKS[high])
        theirs = np.int64(rank_strength(np.uint32(with_high + _KEYS_OF_RANKS[high])))
        pairs = np.int64(held[high] * (held[high] - _ONE) >> _ONE)
        wins += pairs * (own_strength > theirs)
        ties += pairs * (own_strength == theirs)
        is_suited = suited >> high & _ONE
        for low in range(high):
            theirs = np.int64(rank_strength(np.uint32(with_high + _KEYS_OF_RANKS[low])))
            combos = np.int64(held[high] * held[low] - (is_suited & suited >> low))
            wins += combos * (own_strength > theirs)
            ties += combos * (own_strength == theirs)
    if flush_suit < np.uint64(4):
        on_suit = _ranks_of_suit(mask, flush_suit)
        for high in range(np.uint64(13)):
            if not suited >> high & _ONE:
                continue
            for low in range(high):
                if suited >> low & _ONE:
                    theirs = np.int64(FLUSH_STRENGTHS[on_suit | _ONE << high | _ONE << low])
                    wins += own_strength > theirs
                    ties += own_strength == theirs
    totals[0] += wins
    totals[1] += ties


@kernel
def count_against_random(
    holes: CardArray,
    boards: CardArray,
    dead: NDArray[np.uint64],
    totals: NDArray[np.int64],
) -> None:
    """Count the wins and ties of known hole cards against a random hand over all runouts.

    Args:
        holes: the known hole cards, ``uint8 (spot, 2)``.
        boards: 3, 4 or 5 cards each, ``uint8 (spot, card)``.
        dead: the suit mask of each spot's dead cards, ``uint64 (spot,)``.
        totals: wins and ties, ``int64 (spot, 2)``, added to.
    """
    held = np.zeros(13, dtype=np.uint64)
    for row in range(len(holes)):
        high, low = holes[row, 0], holes[row, 1]
        own_key, own_mask = CARD_KEYS[high] + CARD_KEYS[low], CARD_MASKS[high] | CARD_MASKS[low]
        key, mask = np.uint64(0), np.uint64(0)
        for card in boards[row]:
            key += CARD_KEYS[card]
            mask |= CARD_MASKS[card]
        left = _ALL_CARDS & ~(own_mask | mask | dead[row])
        found = totals[row]
        if boards.shape[1] == 5:
            own = np.int64(strength(_START + key + own_key, mask | own_mask))
            _count_random(key, mask, own, left, held, found)
            continue
        # On a turn only the second loop runs over cards.
        firsts = 52 if boards.shape[1] == 3 else 1
        for first in range(np.uint64(firsts)):
            key_4, mask_4, lasts = key, mask, np.uint64(52)
            if boards.shape[1] == 3:
                if not left & CARD_MASKS[first]:
                    continue
                key_4, mask_4 = key + CARD_KEYS[first], mask | CARD_MASKS[first]
                lasts = np.uint64(first)
            for last in range(lasts):
                if not left & CARD_MASKS[last]:
                    continue
                key_5, mask_5 = key_4 + CARD_KEYS[last], mask_4 | CARD_MASKS[last]
                own = np.int64(strength(_START + key_5 + own_key, mask_5 | own_mask))
                _count_random(key_5, mask_5, own, left & ~mask_5, held, found)


@inlined
def _count_range(
    key: np.uint64,
    mask: np.uint64,
    used: np.uint64,
    own_strength: np.int64,
    sets: NDArray[np.uint64],
    keys: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    count: np.uint64,
    totals: NDArray[np.int64],
) -> None:
    """Add the wins and ties against the first `count` combos on a complete board to `totals`."""
    wins = ties = np.int64(0)
    for i in range(count):
        theirs = np.int64(strength(key + keys[i], mask | masks[i]))
        is_free = sets[i] & used == np.uint64(0)
        wins += is_free & (own_strength > theirs)
        ties += is_free & (own_strength == theirs)
    totals[0] += wins
    totals[1] += ties


@kernel
def count_against_range(
    holes: CardArray,
    boards: CardArray,
    dead: NDArray[np.uint64],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    combos: CardArray,
    totals: NDArray[np.int64],
) -> None:
    """Count the wins and ties of known hole cards against a range over all runouts.

    Args:
        holes: the known hole cards, ``uint8 (spot, 2)``.
        boards: 3, 4 or 5 cards each, ``uint8 (spot, card)``.
        dead: the set of each spot's dead cards, ``uint64 (spot,)``.
        starts: the first row of each spot's opponent in `combos`, ``int64 (spot,)``.
        ends: the row after the last, ``int64 (spot,)``.
        combos: the cards of the opponents' combos, range by range, ``uint8 (row, 2)``.
        totals: wins, ties, and the number of combos that the opponent can hold, ``int64 (spot,
            3)``; wins and ties are added to, the number is written.
    """
    sets, keys = np.zeros(1326, dtype=np.uint64), np.zeros(1326, dtype=np.uint64)
    masks = np.zeros(1326, dtype=np.uint64)
    for row in range(len(holes)):
        high, low = np.uint64(holes[row, 0]), np.uint64(holes[row, 1])
        own_key, own_mask = CARD_KEYS[high] + CARD_KEYS[low], CARD_MASKS[high] | CARD_MASKS[low]
        key, mask, used = np.uint64(0), np.uint64(0), dead[row] | _ONE << high | _ONE << low
        for card in boards[row]:
            key += CARD_KEYS[card]
            mask |= CARD_MASKS[card]
            used |= _ONE << np.uint64(card)
        count = np.uint64(0)
        for i in range(starts[row], ends[row]):
            a, b = np.uint64(combos[i, 0]), np.uint64(combos[i, 1])
            sets[count] = _ONE << a | _ONE << b
            keys[count] = _START + CARD_KEYS[a] + CARD_KEYS[b]
            masks[count] = CARD_MASKS[a] | CARD_MASKS[b]
            count += np.uint64(sets[count] & used == np.uint64(0))
        found = totals[row]
        found[2] = np.int64(count)
        if boards.shape[1] == 5:
            own = np.int64(strength(_START + key + own_key, mask | own_mask))
            _count_range(key, mask, np.uint64(0), own, sets, keys, masks, count, found)
            continue
        # On a turn only the second loop runs over cards.
        firsts = 52 if boards.shape[1] == 3 else 1
        for first in range(np.uint64(firsts)):
            key_4, mask_4, used_4, lasts = key, mask, np.uint64(0), np.uint64(52)
            if boards.shape[1] == 3:
                if used >> first & _ONE:
                    continue
                key_4, mask_4 = key + CARD_KEYS[first], mask | CARD_MASKS[first]
                used_4, lasts = _ONE << first, np.uint64(first)
            for last in range(lasts):
                if used >> last & _ONE:
                    continue
                key_5, mask_5 = key_4 + CARD_KEYS[last], mask_4 | CARD_MASKS[last]
                own = np.int64(strength(_START + key_5 + own_key, mask_5 | own_mask))
                used_5 = used_4 | _ONE << last
                _count_range(key_5, mask_5, used_5, own, sets, keys, masks, count, found)
