"""Known hands run over every board, with the default evaluator fused in.

Cards of the board are added one loop at a time, so that each loop adds one key; the last
card is the innermost loop, in which each player costs one sum and one look-up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup.kernels import strength
from holdem.evaluation.builtin.lookup.keys import CARD_KEYS, CARD_MASKS, SUIT_COUNT_START
from holdem.jit.decorators import inlined, kernel

_START = np.uint64(SUIT_COUNT_START)


@inlined
def _last_card_of_two(
    keys: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    board_key: np.uint64,
    board_mask: np.uint64,
    deck: NDArray[np.uint64],
    first: int,
    last: int,
    counts: NDArray[np.int64],
) -> None:
    """Count the winners of two players for each last card ``deck[first:last]``."""
    key_a, key_b = board_key + keys[0], board_key + keys[1]
    mask_a, mask_b = board_mask | masks[0], board_mask | masks[1]
    wins = ties = np.int64(0)
    for place in range(np.uint64(first), np.uint64(last)):
        key, mask = deck[place, 0], deck[place, 1]
        a, b = strength(key_a + key, mask_a | mask), strength(key_b + key, mask_b | mask)
        wins += a > b
        ties += a == b
    counts[1] += wins
    counts[2] += last - first - wins - ties
    counts[3] += ties


@inlined
def _last_card_of_many(
    keys: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    board_key: np.uint64,
    board_mask: np.uint64,
    deck: NDArray[np.uint64],
    first: int,
    last: int,
    counts: NDArray[np.int64],
) -> None:
    """Count the winners of any number of players for each last card ``deck[first:last]``."""
    for place in range(np.uint64(first), np.uint64(last)):
        key, mask = board_key + deck[place, 0], board_mask | deck[place, 1]
        best = np.int64(0)
        winners = np.uint64(0)
        for player in range(np.uint64(len(keys))):
            value = np.int64(strength(key + keys[player], mask | masks[player]))
            mine = np.uint64(1) << player
            winners = mine if value > best else winners | mine if value == best else winners
            best = max(best, value)
        counts[winners] += 1


@inlined
def _last_card(
    keys: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    board_key: np.uint64,
    board_mask: np.uint64,
    deck: NDArray[np.uint64],
    first: int,
    last: int,
    counts: NDArray[np.int64],
) -> None:
    if len(keys) == 2:
        _last_card_of_two(keys, masks, board_key, board_mask, deck, first, last, counts)
    else:
        _last_card_of_many(keys, masks, board_key, board_mask, deck, first, last, counts)


@kernel
def count_known_hands(
    holes: CardArray,
    board: CardArray,
    gone: np.uint64,
    part: int,
    parts: int,
    counts: NDArray[np.int64],
) -> None:
    """Count who wins over all boards, for each of a list of match-ups.

    Args:
        holes: ``uint8 (match-up, player, 2)``, all cards of a match-up different.
        board: ``uint8 (card,)``: 0, 3, 4 or 5 cards known.
        gone: card set of the board and of all cards that cannot be dealt.
        part: which part of the boards to run over; one in `parts`, by the place in the deck
            of the highest card to come. Parts are of different sizes.
        parts: into how many parts the boards are divided.
        counts: ``int64 (match-up, 2^players)``, added to: how often each set of players
            (bits) shared the top.
    """
    players = holes.shape[1]
    to_come = 5 - len(board)
    keys = np.zeros(players, dtype=np.uint64)
    masks = np.zeros(players, dtype=np.uint64)
    deck = np.zeros((52, 2), dtype=np.uint64)
    for row in range(len(holes)):
        used = gone
        for player in range(players):
            high, low = holes[row, player, 0], holes[row, player, 1]
            keys[player] = _START + CARD_KEYS[high] + CARD_KEYS[low]
            masks[player] = CARD_MASKS[high] | CARD_MASKS[low]
            used |= np.uint64(1) << np.uint64(high) | np.uint64(1) << np.uint64(low)
        key, mask = np.uint64(0), np.uint64(0)
        for card in board:
            key += CARD_KEYS[card]
            mask |= CARD_MASKS[card]
        size = 0
        for card in range(np.uint64(52)):
            if not used >> card & np.uint64(1):
                deck[size, 0] = CARD_KEYS[card]
                deck[size, 1] = CARD_MASKS[card]
                size += 1
        tally = counts[row]
        if to_come == 0:
            # No card to come: one round with a card that is none.
            if part == 0:
                deck[0, 0] = 0
                deck[0, 1] = 0
                _last_card(keys, masks, key, mask, deck, 0, 1, tally)
            continue
        if to_come == 1:
            first, last = size * part // parts, size * (part + 1) // parts
            _last_card(keys, masks, key, mask, deck, first, last, tally)
            continue
        for a in range(part, size, parts):
            key_a, mask_a = key + deck[a, 0], mask | deck[a, 1]
            if to_come == 2:
                _last_card(keys, masks, key_a, mask_a, deck, 0, a, tally)
                continue
            for b in range(a):
                key_b, mask_b = key_a + deck[b, 0], mask_a | deck[b, 1]
                for c in range(b):
                    key_c, mask_c = key_b + deck[c, 0], mask_b | deck[c, 1]
                    for d in range(c):
                        key_d, mask_d = key_c + deck[d, 0], mask_c | deck[d, 1]
                        _last_card(keys, masks, key_d, mask_d, deck, 0, d, tally)
