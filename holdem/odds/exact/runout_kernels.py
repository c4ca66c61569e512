"""Kernel that counts the winners of match-ups runout by runout, with the default evaluator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup import strength
from holdem.evaluation.builtin.lookup_keys import CARD_KEYS, CARD_MASKS
from holdem.jit.decorators import inlined, kernel
from holdem.odds.exact.ranked_combos import sum_cards
from holdem.odds.tally import update_winners


@inlined
def _count_last_card(
    keys: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    board_key: np.uint64,
    board_mask: np.uint64,
    deck: NDArray[np.uint64],
    size: int | np.int64,
    counts: NDArray[np.int64],
) -> None:
    """Count a match-up's winners over every possible last board card, ``deck[:size]``."""
    if len(keys) == 2:
        key_a, key_b = board_key + keys[0], board_key + keys[1]
        mask_a, mask_b = board_mask | masks[0], board_mask | masks[1]
        wins = ties = np.int64(0)
        for card in range(np.uint64(size)):
            key, mask = deck[card, 0], deck[card, 1]
            a, b = strength(key_a + key, mask_a | mask), strength(key_b + key, mask_b | mask)
            wins += a > b
            ties += a == b
        counts[1] += wins
        counts[2] += size - wins - ties
        counts[3] += ties
        return
    for card in range(np.uint64(size)):
        key, mask = board_key + deck[card, 0], board_mask | deck[card, 1]
        best, winners = np.int64(0), np.uint64(0)
        for player in range(np.uint64(len(keys))):
            value = np.int64(strength(key + keys[player], mask | masks[player]))
            best, winners = update_winners(best, winners, value, np.uint64(1) << player)
        counts[winners] += 1


@kernel
def count_over_runouts(
    holes: CardArray, boards: CardArray, gone: NDArray[np.uint64], counts: NDArray[np.int64]
) -> None:
    """Count the winners of each match-up over all runouts of its board.

    Args:
        holes: ``uint8 (match-up, player, 2)``, all cards of a match-up different.
        boards: 3, 4 or 5 known cards each, ``uint8 (match-up, card)``, or one row for all.
        gone: the set of each board and of all other cards that cannot be dealt, ``uint64
            (match-up,)``, or one element for all.
        counts: how often each set of players (bits) shared the best hand, ``int64 (match-up,
            2^players)``, updated in place.
    """
    players = holes.shape[1]
    keys = np.zeros(players, dtype=np.uint64)
    masks = np.zeros(players, dtype=np.uint64)
    deck = np.zeros((52, 2), dtype=np.uint64)  # keys and masks of the cards left
    for row in range(len(holes)):
        _, key, mask = sum_cards(boards, min(row, len(boards) - 1), boards.shape[1])
        used = gone[min(row, len(gone) - 1)]
        for player in range(players):
            high, low = holes[row, player, 0], holes[row, player, 1]
            keys[player] = CARD_KEYS[high] + CARD_KEYS[low]
            masks[player] = CARD_MASKS[high] | CARD_MASKS[low]
            used |= np.uint64(1) << np.uint64(high) | np.uint64(1) << np.uint64(low)
        tally = counts[row]
        if boards.shape[1] == 5:  # one runout: a null card, which changes no strength
            # The literal compiles the helper for one card: 20 instead of 35 ns a match-up.
            deck[0, 0], deck[0, 1] = np.uint64(0), np.uint64(0)
            _count_last_card(keys, masks, key, mask, deck, 1, tally)
            continue
        size = np.int64(0)  # not a literal, for which the helper would be compiled once more
        for card in range(np.uint64(52)):
            if not used >> card & np.uint64(1):
                deck[size, 0], deck[size, 1] = CARD_KEYS[card], CARD_MASKS[card]
                size += 1
        if boards.shape[1] == 3:
            for card in range(size):
                key_4, mask_4 = key + deck[card, 0], mask | deck[card, 1]
                _count_last_card(keys, masks, key_4, mask_4, deck, card, tally)
            continue
        _count_last_card(keys, masks, key, mask, deck, size, tally)
