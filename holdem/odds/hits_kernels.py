"""Kernel that counts the boards on which combos have each category, by the default evaluator."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.jit.decorators import inlined, kernel
from holdem.odds.exact.ranked_combos_kernels import rank_every_combo


class _Counts(NamedTuple):
    """The counts of `count_categories`, and the orbit sizes and categories that update them."""

    orbit_sizes: NDArray[np.uint8]
    categories: NDArray[np.uint8]
    counts: NDArray[np.int64]


@inlined
def _count(board: int, combo: int, strength: np.uint16, counts: _Counts) -> None:
    counts.counts[combo, counts.categories[strength]] += np.int64(counts.orbit_sizes[board])


@kernel
def count_categories(
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    holes: CardArray,
    categories: NDArray[np.uint8],
    counts: NDArray[np.int64],
) -> None:
    """Count the boards on which each combo has each category, weighting boards by orbit size.

    Combos that share a card with a board are left out.

    Args:
        boards: ``uint8 (board, 5)``.
        orbit_sizes: ``uint8 (board,)``.
        holes: the cards of each combo, ``uint8 (combo, 2)``.
        categories: the number of the category of each strength, ``uint8 (strength,)``.
        counts: added to, ``int64 (combo, category)``.
    """
    rank_every_combo(boards, holes, _count, _Counts(orbit_sizes, categories, counts))
