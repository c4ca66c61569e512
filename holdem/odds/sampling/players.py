"""A sample turned into a result's players."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from holdem.odds.result import ComboResult, Estimate, PlayerResult
from holdem.odds.sampling.cluster_sampling import effective_fraction
from holdem.odds.sampling.estimates import mean_in_unit_interval
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.tally import deals_in, outcomes, players_of, shares, winners_in
from holdem.ranges.combos import COMBO_TEXT, combo_numbers


def sampled_players(sampler: Sampler, counts: NDArray[np.int64]) -> tuple[PlayerResult, ...]:
    """Turn a sample into each player's result."""
    spot = sampler.spot
    return players_of_counts(
        spot.texts,
        tuple(len(live) for live in spot.live),
        counts,
        partial(combos_of_sample, sampler, deals_in(counts)),
    )


def players_of_counts(
    texts: tuple[str, ...],
    combos: tuple[int, ...],
    counts: NDArray[np.int64],
    by_combo: Callable[[int], tuple[ComboResult, ...]],
) -> tuple[PlayerResult, ...]:
    """Turn a tally into each player's result.

    Args:
        texts: the players as given.
        combos: how many combos of each are live.
        counts: the tally, ``int64 (size,)``, of one deal at least.
        by_combo: finds the records of one player's combos, once that is asked for.
    """
    players, winners = len(texts), winners_in(counts)
    deals, kinds = int(winners.sum()), outcomes(players)
    results = []
    for player, (equity, win, tie) in enumerate(estimates(counts)):
        wins, ties, losses = (int(winners[kinds[outcome, player]].sum()) for outcome in range(3))
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
                by_combo=partial(by_combo, player),
            )
        )
    return tuple(results)


def estimates(counts: NDArray[np.int64]) -> list[tuple[Estimate, Estimate, Estimate]]:
    """Return each player's equity, and how often he wins and ties.

    Args:
        counts: the tally, ``int64 (size,)``, of one deal at least.
    """
    players, winners = players_of(counts), winners_in(counts)
    wins, ties, _ = outcomes(players).astype(np.float64)
    values = np.stack([shares(players), wins, ties])
    fraction = effective_fraction(counts)
    return [
        (
            mean_in_unit_interval(winners * fraction[0, player], values[0, player]),
            mean_in_unit_interval(winners * fraction[1, player], values[1, player]),
            mean_in_unit_interval(winners * fraction[2, player], values[2, player]),
        )
        for player in range(players)
    ]


def combos_of_sample(sampler: Sampler, deals: int, player: int) -> tuple[ComboResult, ...]:
    """Draw the deals of a sample once more and split them by one player's combo."""
    spot = sampler.spot
    sums = np.zeros((4, len(COMBO_TEXT)))  # deals, wins, ties, shares
    for block in range(-(-deals // BLOCK)):
        dealt = sampler.deals(block, min(BLOCK, deals - block * BLOCK))
        strengths = sampler.strengths(dealt)
        at_top = strengths == strengths.max(axis=0)
        winners, mine = at_top.sum(axis=0), at_top[player]
        combo = combo_numbers(dealt[:, 5 + 2 * player : 7 + 2 * player])
        figures = (np.ones(len(dealt)), mine & (winners == 1), mine & (winners > 1), mine / winners)
        for row, figure in enumerate(figures):
            sums[row] += np.bincount(combo, figure, minlength=len(COMBO_TEXT))
    seen, wins, ties, share = sums
    return tuple(
        ComboResult(
            combo=COMBO_TEXT[combo],
            weight=float(spot.ranges[player].weights[combo]),
            equity=float(share[combo] / seen[combo]) if seen[combo] else None,
            win=float(wins[combo] / seen[combo]) if seen[combo] else None,
            tie=float(ties[combo] / seen[combo]) if seen[combo] else None,
        )
        for combo in spot.live[player].tolist()
    )
