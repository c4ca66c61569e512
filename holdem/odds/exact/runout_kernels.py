"""Kernels that compare hands on each runout of a board, by tables of strengths."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup import strength
from holdem.evaluation.builtin.lookup_keys import CARD_KEYS, CARD_MASKS
from holdem.evaluation.builtin.lookup_tables import StrengthTable
from holdem.jit.decorators import inlined, kernel, unowned
from holdem.odds.exact.ranked_combos import COMBO_KEYS, COMBO_MASKS, sum_cards
from holdem.odds.tally import update_winners

_ONE, _NONE = np.uint64(1), np.uint64(0)


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
            deck[0, 0], deck[0, 1] = _NONE, _NONE
            _count_last_card(strengths, keys, masks, key, mask, deck, 1, tally)
            continue
        size = list_deck(used, deck)
        if boards.shape[1] == 3:
            for card in range(size):
                key_4, mask_4 = key + deck[card, 0], mask | deck[card, 1]
                _count_last_card(strengths, keys, masks, key_4, mask_4, deck, card, tally)
            continue
        _count_last_card(strengths, keys, masks, key, mask, deck, size, tally)


@kernel
def compare_combos(
    table: StrengthTable,
    combos: NDArray[np.intp],
    count: int,
    boards: CardArray,
    gone: np.uint64,
    runouts: int,
    sums: NDArray[np.int64],
) -> tuple[Any, Any, Any]:
    """Count the deals that each combo wins and ties over all runouts of a board.

    Each combo is ranked once for each runout. LLVM makes vector code of the innermost loop.

    Args:
        table: the table of hands of seven cards.
        combos: the first player's combos, then the second's, ``intp (combo,)``; none shares a
            card with the board.
        count: the number of the first player's combos.
        boards: one board of 3, 4 or 5 known cards, ``uint8 (1, card)``.
        gone: the set of all cards that cannot be dealt, with those of the board.
        runouts: the number of runouts of a match-up.
        sums: zeros, ``int64 (3, combo)``; receives the deals that each combo wins, ties and plays.

    Returns:
        The deals that the first player wins and ties, and all deals.
    """
    known, by_key = boards.shape[1], unowned(table)
    _, key, mask = sum_cards(boards, 0, known)
    deck = np.zeros((52, 2), dtype=np.uint64)
    # On a river, the only card is a null card, which changes no strength.
    size = np.int64(1) if known == 5 else list_deck(gone, deck)
    first, second = combos[:count], combos[count:]
    rivals = len(second)
    wins, ties, deals = sums[0], sums[1], sums[2]
    strengths = np.empty(rivals, dtype=np.int64)
    held, used = np.empty(rivals, dtype=np.uint64), np.empty(rivals, dtype=np.uint64)
    for j in range(rivals):
        held[j] = COMBO_MASKS[second[j]]
    for i in range(count):
        own, met = COMBO_MASKS[first[i]], np.int64(0)
        for j in range(rivals):
            is_free = held[j] & own == _NONE
            met += is_free
            deals[count + j] += is_free * runouts
        deals[i] = met * runouts
    # Only on a flop does the first loop run over cards.
    for turn in range(size if known == 3 else np.int64(1)):
        key_4, mask_4, rivers = key, mask, size
        if known == 3:
            key_4, mask_4, rivers = key + deck[turn, 0], mask | deck[turn, 1], np.int64(turn)
        for river in range(rivers):
            key_5, mask_5 = key_4 + deck[river, 0], mask_4 | deck[river, 1]
            for j in range(rivals):
                combo = second[j]
                key_7, mask_7 = key_5 + COMBO_KEYS[combo], mask_5 | COMBO_MASKS[combo]
                strengths[j] = strength(by_key, key_7, mask_7)
                # A combo that the runout blocks shares a card with every other.
                used[j] = held[j] if held[j] & mask_5 == _NONE else ~_NONE
            for i in range(count):
                combo = first[i]
                own = COMBO_MASKS[combo]
                if own & mask_5:
                    continue
                value = np.int64(strength(by_key, key_5 + COMBO_KEYS[combo], mask_5 | own))
                lost = tied = np.int64(0)
                for j in range(rivals):
                    is_free = used[j] & own == _NONE
                    is_lost = is_free & (strengths[j] > value)
                    is_tied = is_free & (strengths[j] == value)
                    lost += is_lost
                    tied += is_tied
                    wins[count + j] += is_lost
                    ties[count + j] += is_tied
                wins[i] -= lost + tied
                ties[i] += tied
    won = tied = played = np.int64(0)
    for i in range(count):
        wins[i] += deals[i]
        won += wins[i]
        tied += ties[i]
        played += deals[i]
    return won, tied, played
