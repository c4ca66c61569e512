"""Exact runs: the parts of a plan's way run and added up, and turned into a result's players."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from functools import partial
from math import fsum

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.odds.blocks import in_order
from holdem.odds.estimate import exactly
from holdem.odds.matchups import Matchups
from holdem.odds.monte_carlo import Interrupted
from holdem.odds.plan import ExactWay
from holdem.odds.result import ComboResult, Number, PlayerResult
from holdem.odds.spot import Spot
from holdem.odds.tally import outcomes, shares
from holdem.ranges.combos import COMBO_TEXT

_SHARE_UNIT = 2520  # a pot is split into whole units by any number of winners up to ten


@attrs.frozen(eq=False)
class ExactCounts:
    """The winners of every kind of match-up (or of every match-up), over all boards."""

    counts: NDArray[np.int64]
    """``int64 (row, 2^players)``."""
    done: float
    """How much of the work was done, 0..1."""


def run_exactly(
    spot: Spot,
    matchups: Matchups,
    way: ExactWay,
    workers: int,
    time: float | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> ExactCounts:
    """Run an exact method to its end, or until `time` seconds have passed.

    Raises:
        Interrupted: Ctrl-C; carries an `ExactCounts` that is not done.
    """
    rows = len(matchups.representatives) if way.by_kind else len(matchups.combos)
    counts = np.zeros((rows, 1 << spot.players), dtype=np.int64)
    done = 0.0
    ends = None if time is None else clock.monotonic() + time
    parts = in_order(way.tasks(spot, matchups), workers)
    try:
        for part in parts:
            counts[part.rows] += part.counts
            done += part.share
            if on_progress is not None:
                on_progress(min(done, 1.0))
            if ends is not None and clock.monotonic() >= ends and done < 1 - 1e-9:
                return ExactCounts(counts, done)
    except KeyboardInterrupt as interruption:
        raise Interrupted(ExactCounts(counts, min(done, 0.999))) from interruption
    finally:
        parts.close()
    return ExactCounts(counts, 1.0)


def exact_players(
    spot: Spot, matchups: Matchups, way: ExactWay, counts: NDArray[np.int64]
) -> tuple[PlayerResult, ...]:
    """Turn the counts of a complete run into each player's result."""
    kinds = matchups.kind if way.by_kind else np.arange(len(matchups.combos))
    # float64 (outcome, player, kind): wins, ties, losses as counts; shares in whole units.
    figures = np.einsum("opm,km->opk", outcomes(spot.players).astype(np.int64), counts)
    units = np.rint(shares(spot.players) * _SHARE_UNIT).astype(np.int64) @ counts.T
    weights = np.ones(len(kinds))
    for player in range(spot.players):
        weights = weights * spot.ranges[player].weights[matchups.combos[:, player]]
    unweighted = all((spot.weights(player) == 1).all() for player in range(spot.players))
    times = np.bincount(kinds, weights, minlength=counts.shape[0])

    def total(by_kind: NDArray[np.int64]) -> Number:
        if unweighted:
            return int(times.astype(np.int64) @ by_kind)
        return fsum((times * by_kind).tolist())

    results = []
    for player in range(spot.players):
        wins, ties, losses = (total(figures[outcome, player]) for outcome in range(3))
        everything = wins + ties + losses
        results.append(
            PlayerResult(
                range=spot.texts[player],
                combos=len(spot.live[player]),
                wins=wins,
                ties=ties,
                losses=losses,
                lose=losses / everything,
                equity=exactly(total(units[player]) / (_SHARE_UNIT * everything)),
                win=exactly(wins / everything),
                tie=exactly(ties / everything),
                by_combo=partial(
                    _by_combo,
                    spot,
                    matchups,
                    player,
                    weights,
                    kinds,
                    figures[:, player],
                    units[player],
                ),
            )
        )
    return tuple(results)


def _by_combo(
    spot: Spot,
    matchups: Matchups,
    player: int,
    weights: NDArray[np.float64],
    kinds: NDArray[np.intp],
    figures: NDArray[np.int64],
    units: NDArray[np.int64],
) -> tuple[ComboResult, ...]:
    """Split a player's totals by combo; arguments as in `exact_players`, for one player."""
    own = matchups.combos[:, player]

    def summed(by_kind: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.bincount(own, weights * by_kind[kinds], len(COMBO_TEXT)).astype(np.float64)

    wins, ties = summed(figures[0]), summed(figures[1])
    everything, share = summed(figures.sum(axis=0)), summed(units) / _SHARE_UNIT
    return tuple(
        ComboResult(
            combo=COMBO_TEXT[combo],
            weight=float(spot.ranges[player].weights[combo]),
            equity=float(share[combo] / everything[combo]),
            win=float(wins[combo] / everything[combo]),
            tie=float(ties[combo] / everything[combo]),
        )
        for combo in spot.live[player].tolist()
    )


def cut_players(spot: Spot) -> tuple[PlayerResult, ...]:
    """Return the players of a run that was cut short: no figure, for none would be right."""
    return tuple(
        PlayerResult(
            range=spot.texts[player],
            combos=len(spot.live[player]),
            wins=None,
            ties=None,
            losses=None,
            lose=None,
            equity=None,
            win=None,
            tie=None,
            by_combo=tuple,
        )
        for player in range(spot.players)
    )
