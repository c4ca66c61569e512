"""Spots that are equal, or equal after a permutation of suits.

Equal spots have the same canonical text. They are numbered, so that each has a different random
stream. Spots that are equal after a permutation of suits have the same exact answer, which is
computed once.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from holdem.odds.many_spots.batches import Rows
from holdem.odds.many_spots.columns import NO_CARD
from holdem.odds.many_spots.spot_columns import SpotColumns
from holdem.odds.symmetry import PERMUTATIONS, permuted_cards, permuted_combos
from holdem.ranges.combos import COMBO_COUNT
from holdem.ranges.range import Range


class EqualSpots:
    """Counter of equal spots in a call or in a file, so that each gets its own random stream.

    Equal spots have the same canonical text. The counter takes some 100 bytes of memory for each
    distinct spot.
    """

    def __init__(self) -> None:
        self._seen: dict[bytes, int] = {}

    def count(self, spots: SpotColumns, rows: Rows) -> NDArray[np.int64]:
        """Count, for each of the given spots in this order, the equal spots counted before it.

        Those of earlier calls count too: 0 for the first of several equal spots, 1 for the second,
        and so on, ``int64 (row,)``.
        """
        codes = spots.codes[rows].astype(np.int64)
        used, places = np.unique(codes, return_inverse=True)
        for place in np.flatnonzero(used >= COMBO_COUNT).tolist():
            text = str(spots.ranges[used[place] - COMBO_COUNT]).encode()
            used[place] = int.from_bytes(blake2b(text, digest_size=8).digest()) >> 1
        codes = used[places].reshape(codes.shape)
        sets = np.stack([spots.board_sets[rows], spots.dead[rows]], axis=1).astype(np.int64)
        keys = np.ascontiguousarray(np.concatenate([codes, sets], axis=1))
        numbers = np.empty(len(rows), dtype=np.int64)
        for row, key in enumerate(keys):
            digest = blake2b(key.tobytes(), digest_size=12).digest()
            numbers[row] = self._seen.get(digest, 0)
            self._seen[digest] = int(numbers[row]) + 1
        return numbers


def group_equal_spots(spots: SpotColumns, rows: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Group spots that have the same exact answer, because they differ only by a suit permutation.

    Spots with dead cards, or with ranges that depend on suits or have weights, are grouped only if
    they are equal. With weights, the order of a sum can change its last bit. Groups are in the
    order of their first spots.
    """
    if not len(rows):
        return []
    keys = _make_keys(spots, rows, 0)
    fixed = np.array([*map(_is_fixed, spots.ranges), True])
    codes = spots.codes[rows]
    numbers = np.where(codes < COMBO_COUNT, len(spots.ranges), codes - COMBO_COUNT)
    is_free = fixed[numbers].all(axis=1) & (spots.dead[rows] == 0)
    some = rows[is_free]
    if len(some):
        best = keys[is_free]
        for permutation in range(1, PERMUTATIONS):
            image = _make_keys(spots, some, permutation)
            best = np.where(image < best, image, best)
        keys[is_free] = best
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(group, kind="stable")
    bounds = np.cumsum(np.bincount(group))[:-1]
    groups = np.split(rows[order], bounds)
    return [groups[number] for number in np.argsort(first).tolist()]


def _is_fixed(hands: Range) -> bool:
    """Check whether a range is unweighted and unchanged by every suit permutation."""
    weights = hands.weights
    return hands.is_unweighted and bool((weights[permuted_combos()] == weights).all())


def _make_keys(spots: SpotColumns, rows: NDArray[np.intp], permutation: int) -> NDArray[np.bytes_]:
    """Build bytes for each spot, ``bytes (row,)``, which are the same for equal spots only.

    The suit permutation with this number is applied to the hole cards and boards first; 0 leaves
    the suits unchanged.
    """
    codes = spots.codes[rows].astype(np.int64)
    images = permuted_combos()[permutation]
    players = np.where(codes < COMBO_COUNT, images[np.minimum(codes, COMBO_COUNT - 1)], codes)
    cards = np.append(permuted_cards()[permutation], np.full(256 - 52, NO_CARD, dtype=np.uint8))
    boards = np.sort(cards[spots.boards[rows]], axis=1).astype(np.int64)
    dead = spots.dead[rows].astype(np.int64)[:, None]  # as bits; below 2^52
    numbers = np.concatenate([players, boards, dead], axis=1).astype(">i8")
    return numbers.view(f"S{8 * numbers.shape[1]}").ravel()
