"""Validation of many spots at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.errors import HoldemError
from holdem.evaluation.evaluator import Evaluator
from holdem.odds.many_spots.columns import SpotColumns
from holdem.odds.spot import make_spot
from holdem.ranges.combos import COMBO_COUNT, COMBO_SETS


def invalid_spots(spots: SpotColumns, evaluator: Evaluator) -> NDArray[np.intp]:
    """Return the numbers of the spots with invalid text or invalid known cards, lowest first.

    Ranges without a possible combo are found later, when the spot is answered.
    """
    sizes, boards = spots.board_sizes, spots.board_sets
    is_wrong = ~np.isin(sizes, (0, 3, 4, 5)) | (np.bitwise_count(boards) != sizes)
    is_wrong[list(spots.errors)] = True
    used = spots.dead | np.uint64(evaluator.rules.outside)
    is_wrong |= boards & used != 0
    # Every dead card must be in the deck.
    is_wrong |= spots.dead & np.uint64(evaluator.rules.outside) != 0
    used = used | boards
    for player in range(spots.codes.shape[1]):
        codes = spots.codes[:, player]
        is_known = (codes >= 0) & (codes < COMBO_COUNT)
        held = np.where(is_known, COMBO_SETS[np.where(is_known, codes, 0)], np.uint64(0))
        is_wrong |= held & used != 0
        used = used | held
    return np.flatnonzero(is_wrong)


def error_of(spots: SpotColumns, spot: int, evaluator: Evaluator) -> str | None:
    """Return the message that `holdem.equity` raises for a spot; None if it is valid, or if the
    columns as given are on another machine.
    """
    if not spots.columns:
        return None
    if spot in spots.errors:
        return spots.errors[spot]
    players = tuple(spots.given(spot, player) for player in range(spots.codes.shape[1]))
    try:
        make_spot(players, spots.board(spot), spots.dead_cards(spot), evaluator)
    except HoldemError as error:
        return str(error)
    return None
