"""Functions that find the invalid spots among many, and the error message of one spot."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from holdem.errors import HoldemError
from holdem.evaluation.evaluator import Evaluator
from holdem.odds.many_spots.column_readers import NO_PLAYER
from holdem.odds.many_spots.spot_columns import SpotColumns
from holdem.odds.spot import make_spot
from holdem.ranges.combos import COMBO_COUNT, COMBO_SETS

# The set of the cards held, by code. The last elements are empty sets: for ranges, whose codes are
# clipped to them, and for -1 and `NO_PLAYER`, which index them.
_HELD = np.append(COMBO_SETS, [np.uint64(0), np.uint64(0)])


def find_invalid_spots(spots: SpotColumns, evaluator: Evaluator) -> NDArray[np.intp]:
    """Find the spots with invalid text or invalid known cards, by operations on whole arrays.

    They are in ascending order, ``intp (row,)``. Known cards are invalid if a card is used twice or
    is not in the deck, or if the board has more than five cards. Spots in which a range
    has no possible combo are not found here, but when they are answered.
    """
    sizes, boards = spots.board_sizes, spots.board_sets
    is_wrong = (sizes > 5) | (np.bitwise_count(boards) != sizes)
    is_wrong[list(spots.errors)] = True
    used = spots.dead | np.uint64(evaluator.rules.outside)
    is_wrong |= boards & used != 0
    # Every dead card must be in the deck.
    is_wrong |= spots.dead & np.uint64(evaluator.rules.outside) != 0
    used = used | boards
    for player in range(spots.codes.shape[1]):
        held = _HELD[np.minimum(spots.codes[:, player], COMBO_COUNT)]
        is_wrong |= held & used != 0
        used = used | held
    return np.flatnonzero(is_wrong)


def find_spots_without_deal(
    spots: SpotColumns, evaluator: Evaluator, wrong: list[int]
) -> Iterator[int]:
    """Yield the spots that have no possible deal, in ascending order, without those in `wrong`.

    The evaluator's rule set defines the deck.
    """
    used = spots.dead | np.uint64(evaluator.rules.outside) | spots.board_sets
    has_deal = np.ones(len(spots), dtype=np.bool_)
    has_deal[wrong] = False
    # A deal for almost every spot: each player in turn holds the first combo with free cards.
    # Known cards come first.
    hands = [COMBO_SETS[[code]] for code in range(COMBO_COUNT)]
    hands += [COMBO_SETS[own.held] for own in spots.ranges]
    columns = sorted(spots.codes.T, key=lambda codes: int(np.count_nonzero(codes >= COMBO_COUNT)))
    for codes in columns:
        order = np.argsort(codes, kind="stable")
        starts = np.flatnonzero(np.diff(codes[order], prepend=-2))
        for rows in np.split(order, starts[1:]):
            left = rows[has_deal[rows]]
            if codes[rows[0]] == NO_PLAYER:
                continue
            for combo in hands[codes[rows[0]]]:
                if not len(left):
                    break
                is_free = used[left] & combo == 0
                used[left[is_free]] |= combo
                left = left[~is_free]
            has_deal[left] = False
    to_come = 5 - spots.board_sizes
    has_deal &= np.bitwise_count(used) + to_come <= 52
    has_deal[wrong] = True
    for spot in np.flatnonzero(~has_deal).tolist():
        if find_error(spots, spot, evaluator) is not None:
            yield spot


def find_error(spots: SpotColumns, spot: int, evaluator: Evaluator) -> str | None:
    """Find the error message that `holdem.equity` gives for a spot; return None if it is valid.

    On a Dask worker, the result is always None, because the worker does not have the text that the
    user gave.
    """
    if not spots.columns:
        return None
    if spot in spots.errors:
        return spots.errors[spot]
    try:
        make_spot(
            spots.list_given_players(spot), spots.board(spot), spots.dead_cards(spot), evaluator
        )
    except HoldemError as error:
        return str(error)
    return None
