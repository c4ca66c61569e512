"""The players' results, computed from the tally of a sample."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from holdem.jobs.threads import in_worker_thread
from holdem.odds.result import ComboResult, Estimate, PlayerResult
from holdem.odds.sampling.cluster_sampling import effective_fraction
from holdem.odds.sampling.estimates import estimate_mean
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import BOARD_SIZE
from holdem.odds.tally import deals_in, outcomes, players_of, shares, winners_in
from holdem.ranges.combos import COMBO_COUNT, COMBO_TEXT, combo_numbers


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


def _by_combo(sampler: Callable[[], Sampler], deals: int, player: int) -> tuple[ComboResult, ...]:
    return in_worker_thread(lambda: _draw_by_combo(sampler(), deals, player))


def _draw_by_combo(sampler: Sampler, deals: int, player: int) -> tuple[ComboResult, ...]:
    """Redraw a sample's deals and return the results for each combo of a player's range."""
    spot, column = sampler.spot, BOARD_SIZE + 2 * player
    sums = np.zeros((4, COMBO_COUNT))  # deals, shares, wins, ties
    for block in range(-(-deals // BLOCK)):
        dealt = sampler.deals(block, min(BLOCK, deals - block * BLOCK))
        strengths = sampler.strengths(dealt)
        at_top = strengths == strengths.max(axis=0)
        winners, mine = at_top.sum(axis=0), at_top[player]
        combo = combo_numbers(dealt[:, column : column + 2])
        figures = (np.ones(len(dealt)), mine / winners, mine & (winners == 1), mine & (winners > 1))
        for row, figure in enumerate(figures):
            sums[row] += np.bincount(combo, figure, minlength=COMBO_COUNT)

    def result(combo: int) -> ComboResult:
        seen, *totals = sums[:, combo].tolist()
        equity, win, tie = (total / seen if seen else None for total in totals)
        weight = float(spot.ranges[player].weights[combo])
        return ComboResult(COMBO_TEXT[combo], weight, equity, win, tie)

    return tuple(result(combo) for combo in spot.live[player].tolist())
