"""Numpy equivalents of the counting kernels, used while those are not loaded.

Each takes the arguments of the kernel that it is named after and updates the same array. All sums
are of integers, or in the order of the kernel, so the results are the same to the last bit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray
from holdem.odds.exact.ranked_combos import BLOCKED_16, rank_combos_in_numpy
from holdem.odds.exact.sweep import Combos
from holdem.odds.symmetry import list_canonical_boards
from holdem.ranges.combos import combo_numbers

# How many comparisons of two combos on a board take as long as ranking one: in rows of combos,
# and for each player of a match-up.
_COMPARED_IN_ROWS, _COMPARED_IN_MATCHUPS = 32, 4
_AT_ONCE = 1 << 18  # comparisons, whose arrays take some 10 MB
_IDENTITY = np.zeros(1, dtype=np.intp)
_HIGHEST = np.int16(np.iinfo(np.int16).max)


def estimate_rows(boards: int, combos: int) -> int:
    """Estimate the cost of comparing every combo with all others, in evaluations."""
    return boards * combos * (1 + combos // _COMPARED_IN_ROWS)


def estimate_matchups(boards: int, combos: int, matchups: int, players: int) -> int:
    """Estimate the cost of comparing the combos of each match-up, in evaluations."""
    return boards * (combos + matchups * players // _COMPARED_IN_MATCHUPS)


def sweep_boards_in_numpy(
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    combos: Combos,
    weights: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Compare every combo with all others, with the default evaluator."""
    count, bounds = len(combos.sets), combos.category_bounds
    cards = np.stack([combos.packed >> 6 & 63, combos.packed & 63], axis=1).astype(np.uint8)
    ranked = np.ascontiguousarray(rank_combos_in_numpy(boards, combo_numbers(cards)).T)
    blocked = ranked == BLOCKED_16
    others = np.where(blocked, _HIGHEST, ranked)
    categories = np.searchsorted(bounds, ranked, side="right")
    categories[blocked] = -1
    by_category = np.arange(len(bounds) + 1)[:, None]
    for combo in range(count):
        met = np.flatnonzero(combos.sets & combos.sets[combo] == 0)
        # Counts of boards are exact in single precision.
        sizes = ((categories[combo] == by_category) * orbit_sizes).astype(np.float32)
        rivals, own = others[met], ranked[combo]
        outcomes = [rivals < own, rivals <= own, rivals < _HIGHEST]
        for quantity in range(sums.shape[2]):
            counts = outcomes[quantity].astype(np.float32) @ sizes.T
            sums[:, combo::count, quantity] += weights[:, met] @ counts.astype(np.int64)


def count_over_runouts_in_numpy(
    holes: CardArray, boards: CardArray, gone: NDArray[np.uint64], counts: NDArray[np.int64]
) -> None:
    """Count the winners of each match-up over all runouts of one board."""
    deck = np.arange(DECK_SIZE, dtype=np.uint8)
    deck = deck[gone[0] >> deck.astype(np.uint64) & np.uint64(1) == 0]
    complete = list_canonical_boards(boards[0].tolist(), deck, _IDENTITY)
    combos, rows = np.unique(combo_numbers(holes), return_inverse=True)
    strengths = np.ascontiguousarray(rank_combos_in_numpy(complete.cards, combos).T)
    count_winners_in_numpy(strengths, rows.reshape(holes.shape[:2]), complete.orbit_sizes, counts)


def count_winners_in_numpy(
    strengths: NDArray[np.signedinteger],
    rows: NDArray[np.int64],
    orbit_sizes: NDArray[np.int64] | NDArray[np.uint8],
    counts: NDArray[np.int64],
) -> None:
    """Count the winners of each match-up over a batch of boards."""
    together = max(1, _AT_ONCE // strengths.shape[1])
    for start in range(0, len(rows), together):
        part = slice(start, start + together)
        winners = _find_winners(strengths, rows[part])
        cells = np.arange(len(winners))[:, None] * counts.shape[1] + winners
        found = np.bincount(
            cells.ravel(), np.broadcast_to(orbit_sizes, cells.shape).ravel(), counts[part].size
        )
        found = found.reshape(len(winners), -1)
        found[:, 0] = 0  # no winners: a combo is blocked
        counts[part] += found.astype(np.int64)


def _find_winners(
    strengths: NDArray[np.signedinteger], rows: NDArray[np.int64]
) -> NDArray[np.int16]:
    """Find the players who share the best hand, as bits, ``int16 (match-up, board)``.

    None do on boards with a card of a player.
    """
    held = [strengths[own] for own in rows.T]
    best, worst = np.maximum.reduce(held), np.minimum.reduce(held)
    winners = np.zeros(best.shape, dtype=np.int16)
    for player, own in enumerate(held):
        winners |= (own == best).astype(np.int16) << player
    winners[worst == np.iinfo(strengths.dtype).min] = 0  # blocked
    return winners


def count_by_category_in_numpy(
    strengths: NDArray[np.signedinteger],
    categories: NDArray[np.uint8],
    rows: NDArray[np.int64],
    weights: NDArray[np.float64],
    orbit_sizes: NDArray[np.int64],
    sums: NDArray[np.float64],
) -> None:
    """Sum each player's outcomes by category over a batch of boards."""
    players, size = rows.shape[1], sums[0].size
    for row, weight in zip(rows, weights, strict=True):
        (winners,) = _find_winners(strengths, row[None])
        shared = np.bitwise_count(winners).astype(np.int64)
        dealt = winners > 0
        for player in range(players):
            share = np.where(winners >> player & 1, shared, 0)
            cells = categories[row[player]].astype(np.int64) * sums.shape[2] + share
            found = np.bincount(cells[dealt], orbit_sizes[dealt], size)
            sums[player] += weight * found.reshape(sums[player].shape)


def count_categories_in_numpy(
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    holes: CardArray,
    categories: NDArray[np.uint8],
    counts: NDArray[np.int64],
) -> None:
    """Count the boards on which each combo has each category, weighting boards by orbit size."""
    combos = combo_numbers(holes)
    together = max(1, _AT_ONCE // len(combos))
    for start in range(0, len(boards), together):
        part = slice(start, start + together)
        strengths = rank_combos_in_numpy(boards[part], combos)
        rows, columns = np.nonzero(strengths != BLOCKED_16)
        cells = columns * counts.shape[1] + categories[strengths[rows, columns]]
        found = np.bincount(cells, orbit_sizes[part][rows], counts.size)
        counts += found.astype(np.int64).reshape(counts.shape)
