"""Computation of the players' results from the tally of a sample."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from holdem.jobs.threads import in_worker_thread
from holdem.odds.combo_table import ComboTable
from holdem.odds.result import Estimate, PlayerResult
from holdem.odds.sampling.cluster_sampling import effective_fraction
from holdem.odds.sampling.estimates import ADDED, estimate_mean
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import BOARD_SIZE
from holdem.odds.tally import deals_in, outcomes, players_of, shares, winners_in
from holdem.ranges.combos import COMBO_COUNT, combo_numbers


def sampled_players(
    texts: tuple[str, ...],
    combos: tuple[int, ...],
    counts: NDArray[np.int64],
    sampler: Callable[[], Sampler],
) -> tuple[PlayerResult, ...]:
    """Compute the players' results from the tally of a sample.

    Args:
        texts: the players' ranges as given.
        combos: the number of live combos of each player.
        counts: the tally, ``int64 (size,)``, of at least one deal.
        sampler: function that returns the sampler of these deals, for results by combo.
    """
    winners, sets = winners_in(counts), outcomes(len(texts))
    deals = int(winners.sum())
    results = []
    for player, (equity, win, tie) in enumerate(player_estimates(counts)):
        wins, ties, losses = (int(winners[sets[outcome, player]].sum()) for outcome in range(3))
        results.append(
            PlayerResult(
                range=texts[player],
                combos=combos[player],
                wins=wins,
                ties=ties,
                losses=losses,
                lose=losses / deals,
                equity=equity,
                win=win,
                tie=tie,
                by_combo=partial(_by_combo, sampler, deals_in(counts), player),
            )
        )
    return tuple(results)


def player_estimates(counts: NDArray[np.int64]) -> list[tuple[Estimate, Estimate, Estimate]]:
    """Return the estimates of each player's equity, wins and ties.

    Args:
        counts: the tally, ``int64 (size,)``, of at least one deal.
    """
    players, winners = players_of(counts), winners_in(counts)
    wins, ties, _ = outcomes(players).astype(np.float64)
    fraction = effective_fraction(counts)

    def estimate(mean: int, values: NDArray[np.float64], player: int) -> Estimate:
        return estimate_mean(winners * fraction[mean, player], values[player])

    return [
        (
            estimate(0, shares(players), player),
            estimate(1, wins, player),
            estimate(2, ties, player),
        )
        for player in range(players)
    ]


def _by_combo(sampler: Callable[[], Sampler], deals: int, player: int) -> ComboTable:
    return in_worker_thread(lambda: _draw_by_combo(sampler(), deals, player))


def _draw_by_combo(sampler: Sampler, deals: int, player: int) -> ComboTable:
    """Redraw a sample's deals and return the results for each combo of a player's range."""
    spot, column = sampler.spot, BOARD_SIZE + 2 * player
    sums = np.zeros((4, COMBO_COUNT))  # deals, shares, wins, ties
    squares = np.zeros((3, COMBO_COUNT))
    for block in range(-(-deals // BLOCK)):
        dealt = sampler.deals(block, min(BLOCK, deals - block * BLOCK))
        strengths = sampler.strengths(dealt)
        at_top = strengths == strengths.max(axis=0)
        winners, mine = at_top.sum(axis=0), at_top[player]
        combo = combo_numbers(dealt[:, column : column + 2])
        share = mine / winners
        figures = (np.ones(len(dealt)), share, mine & (winners == 1), mine & (winners > 1))
        for row, figure in enumerate(figures):
            sums[row] += np.bincount(combo, figure, minlength=COMBO_COUNT)
        squares += _cluster_squares(combo, share, sampler.cluster_size)
    live = spot.live[player]
    with np.errstate(invalid="ignore"):
        equity, win, tie = sums[1:, live] / sums[0, live]
    return ComboTable(
        live.copy(),
        spot.weights(player).copy(),
        equity,
        win,
        tie,
        sums[0, live],
        combo_errors(sums[0, live], equity, squares[:, live]),
    )


def _cluster_squares(
    combo: NDArray[np.intp], share: NDArray[np.float64], cluster_size: int
) -> NDArray[np.float64]:
    """Return for each combo the sums over clusters of n², n s and s², ``float64 (3, 1326)``.

    n is the number of deals of a cluster in which the player holds the combo, and s the sum of
    the player's shares in them.
    """
    cluster = np.arange(len(combo)) // cluster_size
    keys, index = np.unique(cluster * COMBO_COUNT + combo, return_inverse=True)
    deals, shares = np.bincount(index), np.bincount(index, share)
    products = (deals * deals, deals * shares, shares * shares)
    return np.array(
        [np.bincount(keys % COMBO_COUNT, each, minlength=COMBO_COUNT) for each in products]
    )


def combo_errors(
    deals: NDArray[np.float64], equity: NDArray[np.float64], squares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the standard errors of combos' sampled equities, ``float64 (combo,)``.

    An equity is the ratio of two sums over independent clusters of deals. Its variance is
    estimated by linearization (Cochran, Sampling Techniques, 1977, section 6.3). If all deals of a
    combo had the same outcome, the error is that of the center of the Agresti-Coull interval.

    Args:
        deals: the number of deals of each combo, ``float64 (combo,)``.
        equity: their mean shares, ``float64 (combo,)``; NaN without deals.
        squares: sums over clusters as in `_cluster_squares`, ``float64 (3, combo)``.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        clusters = deals * deals / squares[0]  # as many clusters of equal size
        residuals = squares[2] - 2 * equity * squares[1] + equity * equity * squares[0]
        variance = np.maximum(residuals, 0) / deals**2 * clusters / np.maximum(clusters - 1, 1)
        weight = clusters + 2 * ADDED
        middle = (clusters * equity + ADDED) / weight
        of_center = middle * (1 - middle) / weight
        found: NDArray[np.float64] = np.sqrt(
            np.where(variance > 1e-12 * of_center, variance, of_center)
        )
        return found
