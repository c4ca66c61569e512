"""Computation of the players' results from the tally of a sample."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from holdem.odds.breakdown.on_demand import ComputeNextCards
from holdem.odds.result import Estimate, PlayerResult
from holdem.odds.sampling.cluster_sampling import effective_fraction
from holdem.odds.sampling.estimates import estimate_mean
from holdem.odds.sampling.sampled_breakdown import SampledBreakdown
from holdem.odds.sampling.sampler import Sampler
from holdem.odds.tally import outcomes, players_of, shares, winners_in


def sampled_players(
    texts: tuple[str, ...],
    combos: tuple[int, ...],
    counts: NDArray[np.int64],
    sampler: Callable[[], Sampler],
    workers: int = 1,
    next_cards: ComputeNextCards | None = None,
) -> tuple[PlayerResult, ...]:
    """Compute the players' results from the tally of a sample.

    Args:
        texts: the players' ranges as given.
        combos: the number of live combos of each player.
        counts: the tally, ``int64 (size,)``, of at least one deal.
        sampler: function that returns the sampler of these deals, for reports on demand.
        workers: the number of threads of these reports.
        next_cards: computes the report by next card.
    """
    winners, sets = winners_in(counts), outcomes(len(texts))
    deals = int(winners.sum())
    parts = SampledBreakdown(sampler, deals, workers, next_cards)
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
                breakdown=parts,
                seat=player,
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
