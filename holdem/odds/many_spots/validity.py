"""Validation of many spots at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.errors import HoldemError
from holdem.evaluation.evaluator import Evaluator
from holdem.odds.many_spots.columns import NO_CARD, SpotColumns
from holdem.odds.spot import make_spot
from holdem.ranges.combos import COMBO_COUNT, COMBO_SETS


def invalid_spots(spots: SpotColumns, evaluator: Evaluator) -> dict[int, str]:
    """Return the messages of the spots whose known cards are invalid, by spot number.

    Ranges without a possible combo are found later, when the spot is answered.
    """
    wrong = dict(spots.errors)
    sizes, dead, count = spots.board_sizes, spots.dead, len(spots)
    boards = board_sets(spots)
    suspect = ~np.isin(sizes, (0, 3, 4, 5)) | (np.bitwise_count(boards) != sizes)
    used = dead | np.uint64(evaluator.rules.outside)
    suspect |= boards & used != 0
    used = used | boards
    for player in range(spots.codes.shape[1]):
        codes = spots.codes[:, player]
        is_known = (codes >= 0) & (codes < COMBO_COUNT)
        held = np.where(is_known, COMBO_SETS[np.where(is_known, codes, 0)], np.uint64(0))
        suspect |= held & used != 0
        used = used | held
    for spot in np.flatnonzero(suspect).tolist():
        if spot not in wrong:
            wrong[spot] = error_of(spots, spot, evaluator) or "invalid cards"
    assert len(wrong) <= count
    return wrong


def error_of(spots: SpotColumns, spot: int, evaluator: Evaluator) -> str | None:
    """Return the message that `holdem.equity` raises for a spot; None if it is valid."""
    players = [spots.player_text(spot, player) for player in range(spots.codes.shape[1])]
    try:
        make_spot(tuple(players), spots.board(spot), spots.dead_cards(spot), evaluator)
    except HoldemError as error:
        return str(error)
    return None


def board_sets(spots: SpotColumns) -> NDArray[np.uint64]:
    """Return the set of each spot's board cards, ``uint64 (spot,)``."""
    sets = np.zeros(len(spots), dtype=np.uint64)
    for column in range(5):
        cards = spots.boards[:, column]
        is_card = cards != NO_CARD
        sets[is_card] |= np.uint64(1) << cards[is_card].astype(np.uint64)
    return sets
