"""Numpy equivalents of the counting kernels, used while those are not loaded.

Each takes the arguments of the kernel that it is named after and updates the same array;
`count_over_runouts_in_numpy` takes a single board. All sums are of integers, or in the order of the
kernel, so the results are the same to the last bit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray
from holdem.evaluation.builtin.lookup_tables import StrengthTable
from holdem.odds.exact.ranked_combos import BLOCKED_16, rank_combos_in_numpy
from holdem.odds.exact.sweep import Combos
from holdem.odds.symmetry import CanonicalBoards, list_canonical_boards
from holdem.ranges.combos import COMBO_SETS, combo_numbers

_COMBO = 500  # the cost of a combo that is compared with all others
_AT_ONCE = 1 << 18  # comparisons or sums, whose arrays take some 10 MB
_IDENTITY = np.zeros(1, dtype=np.intp)
_HIGHEST = np.int16(np.iinfo(np.int16).max)


def estimate_rows(boards: int, combos: int, categories: int) -> int:
    """Estimate the cost of comparing every combo with all others, in evaluations.

    Args:
        boards: the number of boards.
        combos: the number of combos.
        categories: the number of categories to sum by.
    """
    # Two combos are compared on 32 boards in the time of an evaluation, and summed in as much;
    # each further category adds a quarter.
    others = combos * (boards + 32) * (3 + categories) // 128
    return combos * (_COMBO + boards + others)


def estimate_matchups(boards: int, combos: int, matchups: int, players: int, sums: int) -> int:
    """Estimate the cost of comparing the combos of each match-up, in evaluations.

    Args:
        boards: the number of boards.
        combos: the number of combos.
        matchups: the number of match-ups.
        players: the number of players.
        sums: the number of sums to which a match-up is added.
    """
    return boards * combos + matchups * (boards * players + sums) // 4


def estimate_pairs(boards: int, first: int, second: int) -> int:
    """Estimate the cost of comparing every combo with each of an opponent's, in evaluations.

    Args:
        boards: the number of boards.
        first: the number of the first player's combos.
        second: the number of the second player's.
    """
    return first * (_COMBO + boards * second // 4) + boards * second


def sweep_boards_in_numpy(
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    combos: Combos,
    weights: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """On each board, compare every combo with all others, by the table of `combos`."""
    count, bounds = len(combos.sets), combos.category_bounds
    cards = np.stack([combos.packed >> 6 & 63, combos.packed & 63], axis=1).astype(np.uint8)
    ranked = np.ascontiguousarray(
        rank_combos_in_numpy(combos.table, boards, combo_numbers(cards)).T
    )
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


def compare_combos_in_numpy(
    table: StrengthTable,
    combos: NDArray[np.intp],
    count: int,
    boards: CardArray,
    gone: np.uint64,
    runouts: int,
    sums: NDArray[np.int64],
) -> tuple[int, int, int]:
    """Count the deals that each combo wins and ties, one combo of the first player at a time."""
    complete = _complete_board(boards, gone)
    strengths, sets = rank_combos_in_numpy(table, complete.cards, combos), COMBO_SETS[combos]
    wins, ties, deals = sums
    for combo, own in enumerate(strengths[:, :count].T):
        met = np.flatnonzero(sets[count:] & sets[combo] == 0) + count
        on_board = own != BLOCKED_16
        # A blocked rival is below every hand, and counts as a win for now.
        rivals, own = strengths[on_board][:, met], own[on_board, None]
        lost, tied = (rivals > own).sum(axis=0), (rivals == own).sum(axis=0)
        wins[met] += lost
        ties[met] += tied
        deals[met] += runouts
        ties[combo], deals[combo] = tied.sum(), len(met) * runouts
        wins[combo] = deals[combo] - lost.sum() - ties[combo]
    won, tied, played = sums[:, :count].sum(axis=1).tolist()
    return won, tied, played


def _complete_board(boards: CardArray, gone: np.uint64) -> CanonicalBoards:
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
    complete = _complete_board(boards, gone[0])
    combos, rows = np.unique(combo_numbers(holes), return_inverse=True)
    strengths = np.ascontiguousarray(rank_combos_in_numpy(table, complete.cards, combos).T)
    count_winners_in_numpy(strengths, rows.reshape(holes.shape[:2]), complete.orbit_sizes, counts)


def count_winners_in_numpy(
    strengths: NDArray[np.signedinteger],
    rows: NDArray[np.int64],
    orbit_sizes: NDArray[np.int64] | NDArray[np.uint8],
    counts: NDArray[np.int64],
) -> None:
    """Count the winners of each match-up over a batch of boards."""
    together = max(1, _AT_ONCE // max(strengths.shape[1], counts.shape[1]))
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
    together = max(1, _AT_ONCE // max(strengths.shape[1], sums.size))
    for start in range(0, len(rows), together):
        part = slice(start, start + together)
        winners = _find_winners(strengths, rows[part])
        shared = np.bitwise_count(winners)
        sizes = np.where(winners, orbit_sizes, 0).ravel()  # no winners: a combo is blocked
        firsts = np.arange(len(winners))[:, None] * sums[0].size
        terms = np.empty((len(winners), *sums.shape))
        for player, own in enumerate(rows[part].T):
            share = shared * (winners >> player & 1)
            cells = firsts + categories[own].astype(np.int64) * sums.shape[2] + share
            terms[:, player] = np.bincount(
                cells.ravel(), sizes, len(winners) * sums[0].size
            ).reshape(terms[:, player].shape)
        terms *= weights[part, None, None, None]
        for term in terms:  # in the order of the kernel, since sums of doubles depend on it
            sums += term


def count_categories_in_numpy(
    by_key: NDArray[np.uint8],
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    holes: CardArray,
    counts: NDArray[np.int64],
) -> None:
    """Count the boards on which each combo has each category, weighting boards by orbit size."""
    combos = combo_numbers(holes)
    together = max(1, _AT_ONCE // len(combos))
    for start in range(0, len(boards), together):
        part = slice(start, start + together)
        categories = rank_combos_in_numpy(by_key, boards[part], combos)
        rows, columns = np.nonzero(categories != BLOCKED_16)
        cells = columns * counts.shape[1] + categories[rows, columns]
        found = np.bincount(cells, orbit_sizes[part][rows], counts.size)
        counts += found.astype(np.int64).reshape(counts.shape)
