"""A sample turned into a result's players."""

from __future__ import annotations

from functools import partial

import numpy as np

from holdem.odds.estimate import mean_in_unit_interval
from holdem.odds.monte_carlo import BLOCK, Sample, Sampler
from holdem.odds.result import ComboResult, PlayerResult
from holdem.odds.tally import outcomes, shares
from holdem.ranges.combos import COMBO_TEXT


def sampled_players(sampler: Sampler, sample: Sample) -> tuple[PlayerResult, ...]:
    """Turn a sample into each player's result."""
    spot, counts = sampler.spot, sample.counts
    kinds, share = outcomes(spot.players), shares(spot.players)
    results = []
    for player in range(spot.players):
        wins, ties, losses = (int(counts[kinds[outcome, player]].sum()) for outcome in range(3))
        results.append(
            PlayerResult(
                range=spot.texts[player],
                combos=len(spot.live[player]),
                wins=wins,
                ties=ties,
                losses=losses,
                lose=losses / sample.deals,
                equity=mean_in_unit_interval(counts, share[player]),
                win=mean_in_unit_interval(counts, kinds[0, player].astype(np.float64)),
                tie=mean_in_unit_interval(counts, kinds[1, player].astype(np.float64)),
                by_combo=partial(_by_combo, sampler, sample.deals, player),
            )
        )
    return tuple(results)


def _by_combo(sampler: Sampler, deals: int, player: int) -> tuple[ComboResult, ...]:
    """Draw the deals of a sample once more and split them by one player's combo."""
    spot = sampler.spot
    sums = np.zeros((4, len(COMBO_TEXT)))  # deals, wins, ties, shares
    for block in range(-(-deals // BLOCK)):
        dealt = sampler.deals(block, min(BLOCK, deals - block * BLOCK))
        strengths = sampler.strengths(dealt)
        at_top = strengths == strengths.max(axis=0)
        winners, mine = at_top.sum(axis=0), at_top[player]
        hole = np.sort(dealt[:, 5 + 2 * player : 7 + 2 * player].astype(np.int64), axis=1)
        combo = hole[:, 1] * (hole[:, 1] - 1) // 2 + hole[:, 0]
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
