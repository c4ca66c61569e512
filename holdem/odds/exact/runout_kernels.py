"""The winners of match-ups on each runout of their boards, by tables of strengths.

Counted by a kernel or, on one board, by its twin in numpy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray
from holdem.evaluation.builtin.lookup import strength
from holdem.evaluation.builtin.lookup_keys import CARD_KEYS, CARD_MASKS
from holdem.evaluation.builtin.lookup_tables import StrengthTable
from holdem.jit.kernels import inlined, kernel, unowned
from holdem.odds.exact.matchup_method import count_winners_in_numpy
from holdem.odds.exact.ranked_combos import (
    rank_combos_in_numpy,
    sum_cards,
)
from holdem.odds.symmetry import CanonicalBoards, list_canonical_boards
from holdem.odds.tally import update_winners
from holdem.ranges.combos import combo_numbers

_ONE, NO_CARDS = np.uint64(1), np.uint64(0)


@inlined
def list_deck(used: np.uint64, deck: NDArray[np.uint64]) -> np.int64:
    """List the keys and suit masks of the cards that are not used; return their number.

    Args:
        used: the set of the cards to leave out.
        deck: receives the cards, lowest first, ``uint64 (52, 2)``.
    """
    size = np.int64(0)  # not a literal, for which other helpers would be compiled once more
    for card in range(np.uint64(52)):
        if not used >> card & _ONE:
            deck[size, 0], deck[size, 1] = CARD_KEYS[card], CARD_MASKS[card]
            size += 1
    return size


@inlined
def _count_last_card(
    table: StrengthTable,
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
            a = strength(table, key_a + key, mask_a | mask)
            b = strength(table, key_b + key, mask_b | mask)
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
            value = np.int64(strength(table, key + keys[player], mask | masks[player]))
            best, winners = update_winners(best, winners, value, _ONE << player)
        counts[winners] += 1


@kernel
def count_over_runouts(
    table: StrengthTable,
    holes: CardArray,
    boards: CardArray,
    gone: NDArray[np.uint64],
    counts: NDArray[np.int64],
) -> None:
    """Count the winners of each match-up over all runouts of its board.

    Args:
        table: the table of hands of seven cards.
        holes: ``uint8 (match-up, player, 2)``, all cards of a match-up different.
        boards: 3, 4 or 5 known cards each, ``uint8 (match-up, card)``, or one row for all.
        gone: the set of each board and of all other cards that cannot be dealt, ``uint64
            (match-up,)``, or one element for all.
        counts: how often each set of players (bits) shared the best hand, ``int64 (match-up,
            2^players)``, updated in place.
    """
    strengths, players = unowned(table), holes.shape[1]
    keys = np.zeros(players, dtype=np.uint64)
    masks = np.zeros(players, dtype=np.uint64)
    deck = np.empty((52, 2), dtype=np.uint64)
    for row in range(len(holes)):
        _, key, mask = sum_cards(boards, min(row, len(boards) - 1), boards.shape[1])
        used = gone[min(row, len(gone) - 1)]
        for player in range(players):
            high, low = holes[row, player, 0], holes[row, player, 1]
            keys[player] = CARD_KEYS[high] + CARD_KEYS[low]
            masks[player] = CARD_MASKS[high] | CARD_MASKS[low]
            used |= _ONE << np.uint64(high) | _ONE << np.uint64(low)
        tally = counts[row]
        if boards.shape[1] == 5:  # one runout: a null card, which changes no strength
            # The literal compiles the helper for one card: 20 instead of 35 ns a match-up.
            deck[0, 0], deck[0, 1] = NO_CARDS, NO_CARDS
            _count_last_card(strengths, keys, masks, key, mask, deck, 1, tally)
            continue
        size = list_deck(used, deck)
        if boards.shape[1] == 3:
            for card in range(size):
                key_4, mask_4 = key + deck[card, 0], mask | deck[card, 1]
                _count_last_card(strengths, keys, masks, key_4, mask_4, deck, card, tally)
            continue
        _count_last_card(strengths, keys, masks, key, mask, deck, size, tally)


_IDENTITY = np.zeros(1, dtype=np.intp)


def complete_board(boards: CardArray, gone: np.uint64) -> CanonicalBoards:
    """List the complete boards from the single row of `boards` and the cards not in `gone`."""
    is_left = gone >> np.arange(DECK_SIZE, dtype=np.uint64) & np.uint64(1) == 0
    return list_canonical_boards(
        boards[0].tolist(), np.flatnonzero(is_left).astype(np.uint8), _IDENTITY
    )


def count_over_runouts_in_numpy(
    table: StrengthTable,
    holes: CardArray,
    boards: CardArray,
    gone: NDArray[np.uint64],
    counts: NDArray[np.int64],
) -> None:
    """Count the winners of each match-up over all runouts of a single board."""
    complete = complete_board(boards, gone[0])
    combos, rows = np.unique(combo_numbers(holes), return_inverse=True)
    strengths = np.ascontiguousarray(rank_combos_in_numpy(table, complete.cards, combos).T)
    count_winners_in_numpy(strengths, rows.reshape(holes.shape[:2]), complete.orbit_sizes, counts)
