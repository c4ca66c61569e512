"""Base class of the exact methods that count the outcomes of each match-up separately.

A match-up is one choice of a combo for each player. Match-ups that are equal up to suit
permutations are counted once, with the sum of their weights.
"""

from __future__ import annotations

from functools import cache, reduce
from math import fsum

import numpy as np
from numpy.typing import NDArray

from holdem.odds.exact.method import (
    TOGETHER_IN_NUMPY,
    ComboTotals,
    ExactMethod,
    PlayerSums,
    convert_two_players,
)
from holdem.odds.matchups import Matchups, list_matchups
from holdem.odds.tally import SHARE_UNIT, outcomes, share_units
from holdem.ranges.combos import COMBO_COUNT


class MatchupMethod(ExactMethod):
    """Base class of `KnownHands` and `RankedBoards`, which count each match-up separately.

    `_sums` has how often each set of players (bits) shared the best hand in each representative
    of `_matchups`, ``int64 (match-up, 2^players)``. By category, it is ``float64 (player,
    category, players + 1)``: the weight of the deals in which a player's hand has a category, by
    the number of players who share the best hand with that player, the player included; 0 if the
    player loses.
    """

    _matchups: Matchups
    _weights: NDArray[np.float64]
    """By category, the weight of each representative and those equal to it, ``float64
    (match-up,)``."""

    def prepare(self) -> None:
        """List the match-ups."""
        spot = self.spot
        matchups = list_matchups(spot)
        assert matchups is not None, "checked by `cost`"
        self._matchups = matchups
        if not self.by_category:
            shape = len(matchups.representatives), 1 << spot.players
            self._sums = np.zeros(shape, dtype=np.int64)
            return
        categories = len(spot.evaluator.rules.categories)
        weights = spot.all_weights[np.arange(spot.players), matchups.combos].prod(axis=1)
        self._weights = np.bincount(matchups.orbits, weights).astype(np.float64)
        self._sums = np.zeros((spot.players, categories, spot.players + 1))

    def player_sums(self) -> tuple[PlayerSums, ...] | None:
        """Compute both players' sums if there are two unweighted ranges; otherwise return None."""
        if self.spot.players != 2 or not self.spot.is_unweighted:
            return None
        sums, orbits = self._sums, self._matchups.orbits
        if len(sums) < len(orbits):
            sums = sums * np.bincount(orbits)[:, None]
        _, won, lost, tied = sums.sum(axis=0).tolist()
        return convert_two_players(won, tied, won + lost + tied)

    def totals(self) -> tuple[ComboTotals, ...]:
        """Compute the wins, ties, losses and pot shares of each player's combos."""
        spot, held, rows = self.spot, self._matchups.combos.T, self._matchups.orbits
        weights = [own.weights[combos] for own, combos in zip(spot.ranges, held, strict=True)]
        # Sums of integers below 2^53 are exact in doubles, whose matrix product is three times as
        # fast.
        by_outcome = _stack_outcomes(spot.players) @ self._sums.T.astype(np.float64)
        found = []
        for player, live in enumerate(spot.live):
            own = held[player]
            others = reduce(np.multiply, weights[:player] + weights[player + 1 :])
            sums = by_outcome[player].take(rows, axis=1)
            sums *= others
            # If they are equal, each combo has one match-up. Comparing single ones takes 4 µs.
            if len(own) > 1 and not np.array_equal(own, live):
                sums = np.array([np.bincount(own, row, COMBO_COUNT)[live] for row in sums])
            wins, ties, losses, shared = sums
            found.append(ComboTotals(live, wins, ties, losses, shared / SHARE_UNIT))
        return tuple(found)

    def category_sums(self) -> tuple[tuple[PlayerSums, ...], ...]:
        """Compute each player's sums by the category of the hand, the weakest category first."""
        return tuple(tuple(map(_convert_winners, own)) for own in self._sums.tolist())


@cache
def _stack_outcomes(players: int) -> NDArray[np.float64]:
    """Stack each player's win, tie and loss indicators and pot share, in units of 1/2520, for each
    set of winners, ``float64 (player, 4, set)``.
    """
    return np.stack([*outcomes(players), share_units(players)], axis=1)


def _convert_winners(by_winners: list[float]) -> PlayerSums:
    """Convert a player's deal weights, listed by number of winners (0 for a loss), to sums."""
    lost, alone, *tied = by_winners
    shares = (weight / count for count, weight in enumerate(tied, 2))
    return PlayerSums(alone, fsum(tied), lost, fsum((alone, *shares)))


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


def count_winners_in_numpy(
    strengths: NDArray[np.signedinteger],
    rows: NDArray[np.int64],
    orbit_sizes: NDArray[np.int64] | NDArray[np.uint8],
    counts: NDArray[np.int64],
) -> None:
    """Count the winners of each match-up over a batch of boards."""
    together = max(1, TOGETHER_IN_NUMPY // max(strengths.shape[1], counts.shape[1]))
    for start in range(0, len(rows), together):
        part = slice(start, start + together)
        winners = find_winners(strengths, rows[part])
        cells = np.arange(len(winners))[:, None] * counts.shape[1] + winners
        found = np.bincount(
            cells.ravel(), np.broadcast_to(orbit_sizes, cells.shape).ravel(), counts[part].size
        )
        found = found.reshape(len(winners), -1)
        found[:, 0] = 0  # no winners: a combo is blocked
        counts[part] += found.astype(np.int64)


def find_winners(
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
