"""Groups of spots that are equal up to suit permutations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.odds.many_spots.card_columns import NO_CARD
from holdem.odds.many_spots.columns import SpotColumns
from holdem.odds.symmetry import PERMUTATIONS, permuted_cards, permuted_combos
from holdem.ranges.combos import COMBO_COUNT


def equal_spots(spots: SpotColumns, rows: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Group spots that have the same exact answer, because a suit permutation maps one to another.

    Spots with ranges that depend on suits or have weights, or with dead cards, are grouped only if
    they are equal. With weights the order of a sum can change its last bit.

    Args:
        spots: all spots.
        rows: the numbers of the spots to group.

    Returns:
        The numbers of the spots of each group, in order of the first ones.
    """
    if not len(rows):
        return []
    keys = _keys(spots, rows, 0)
    fixed = np.array([_is_fixed(hands.weights) for hands in spots.ranges] + [True])
    codes = spots.codes[rows]
    numbers = np.where(codes < COMBO_COUNT, len(spots.ranges), codes - COMBO_COUNT)
    is_free = fixed[numbers].all(axis=1) & (spots.dead[rows] == 0)
    some = rows[is_free]
    if len(some):
        best = keys[is_free]
        for permutation in range(1, PERMUTATIONS):
            image = _keys(spots, some, permutation)
            is_less = _is_less(image, best)
            best[is_less] = image[is_less]
        keys[is_free] = best
    _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(group.ravel(), kind="stable")
    bounds = np.cumsum(np.bincount(group.ravel()))[:-1]
    groups = np.split(rows[order], bounds)
    return [groups[number] for number in np.argsort(first).tolist()]


def _is_fixed(weights: NDArray[np.float64]) -> bool:
    """Return whether a range is unweighted and no suit permutation changes it."""
    is_unweighted = np.isin(weights, (0, 1)).all()
    return bool(is_unweighted and (weights[permuted_combos()] == weights).all())


def _keys(spots: SpotColumns, rows: NDArray[np.intp], permutation: int) -> NDArray[np.int64]:
    """Return a row of numbers that determines each spot after a suit permutation."""
    codes = spots.codes[rows].astype(np.int64)
    images = permuted_combos()[permutation]
    players = np.where(codes < COMBO_COUNT, images[np.minimum(codes, COMBO_COUNT - 1)], codes)
    cards = np.append(permuted_cards()[permutation], np.full(256 - 52, NO_CARD, dtype=np.uint8))
    boards = np.sort(cards[spots.boards[rows]], axis=1).astype(np.int64)
    dead = spots.dead[rows].astype(np.int64)[:, None]  # as bits; below 2^52
    return np.concatenate([players, boards, dead], axis=1)


def _is_less(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return, for each row, whether `first` precedes `second` in lexicographic order."""
    differs = first != second
    column = np.argmax(differs, axis=1)
    rows = np.arange(len(first))
    less: NDArray[np.bool_] = first[rows, column] < second[rows, column]
    return less
