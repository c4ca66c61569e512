"""Contests: with which sums of the opponents' ranges each range is compared.

The functions of `holdem.odds.exact.graph` take one opponent, two with any ranges, or three with the
same range. For three opponents with different ranges U, V and W, matchings are those of sums of
ranges: 6 M(U, V, W) = M_3(U + V + W) - M_3(U + V) - M_3(U + W) - M_3(V + W) + M_3(U) + M_3(V) +
M_3(W). If all three are the same, this is 6 M_3(U).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import factorial, gcd, lcm
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

#: How often each of several ranges is added to a sum of ranges.
Multiples = tuple[int, ...]

#: The key, in `Contests.factors`, of the players whose hands are known.
KNOWN = -1


@attrs.frozen
class Contests:
    """The contests of players with ranges, and of players whose hands are known.

    Players with the same weights are represented by the first of them, whose ranges are the
    *distinct* ones.
    """

    first: list[int]
    """For each player with a range, the first player with the same weights."""

    players: list[int]
    """The players that have the distinct ranges."""

    sums: list[Multiples]
    """The sums of distinct ranges that are the graphs of opponents."""

    rows: NDArray[np.int64]
    """The contests, as in `Graphs.contests`, ``int64 (contest, 5)``."""

    factors: dict[int, dict[int, Fraction]]
    """For each player of `players`, and `KNOWN`, the contests that add up to its own, with
    factors."""

    @classmethod
    def of(cls, weights: NDArray[Any], known: int = 0) -> Contests:
        """List the contests of ranges, ``(player, hand)``, and of a number of known hands."""
        first = find_first(weights)
        players = sorted(set(first))
        held = Counter(players.index(player) for player in first)
        whole = tuple(held[n] for n in range(len(players)))
        opponents = {
            player: tuple(count - (n == own) for n, count in enumerate(whole))
            for own, player in enumerate(players)
        }
        if known:
            opponents[KNOWN] = whole
        sums: list[Multiples] = []
        rows: list[tuple[int, ...]] = []
        factors: dict[int, dict[int, Fraction]] = {}
        for player, multiples in opponents.items():
            terms: dict[tuple[Multiples, ...], Fraction]
            if sum(multiples) < 3:  # the ranges themselves: fewer rows than with sums of them
                units = np.repeat(np.eye(len(players), dtype=int), multiples, axis=0).tolist()
                terms = {(tuple(units[0]), tuple(units[-1])): Fraction(1)}
            else:
                terms = {(own, own): factor for own, factor in polarize(multiples).items()}
            factors[player] = {}
            for graphs, factor in terms.items():
                sums += [own for own in dict.fromkeys(graphs) if own not in sums]
                is_known = player == KNOWN
                row = sum(multiples), *map(sums.index, graphs), known - is_known, int(is_known)
                rows += [row] if row not in rows else []
                factors[player][rows.index(row)] = factor
        return cls(first, players, sums, np.array(rows), factors)

    def distinct(self, weights: NDArray[Any]) -> NDArray[Any]:
        """Return the rows of weights, ``(player, …)``, that differ."""
        return weights[self.players]

    def heroes(self, weights: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell which hands each contest asks for, ``(contest, hand)``, from ``(player, hand)``."""
        heroes = np.zeros((len(self.rows), weights.shape[1]), np.bool_)
        for player in self.players:
            heroes[list(self.factors[player])] |= weights[player] > 0
        return heroes


def find_first(weights: NDArray[Any]) -> list[int]:
    """Find, for each player, the first with the same weights, ``(player, …)``."""
    rows = [own.tobytes() for own in weights]
    return [*map(rows.index, rows)]


def combine(terms: dict[int, Fraction], values: Any) -> Any:
    """Add up arrays of contests, ``(contest, …)``, multiplied by the factors in `terms`."""
    if [*terms.values()] == [1]:
        return values[next(iter(terms))]
    whole = lcm(*(factor.denominator for factor in terms.values()))
    total = sum(int(factor * whole) * values[contest] for contest, factor in terms.items())
    return total // whole if total.dtype == np.int64 else total / whole


def polarize(multiples: Multiples) -> dict[Multiples, Fraction]:
    """Express M_k for opponents with different ranges by that for equal ranges, sums of theirs.

    Range n is held by ``multiples[n]`` of the k opponents. The result maps sums of the ranges to
    the factors by which their M_k are multiplied.
    """
    held = [place for place, count in enumerate(multiples) for _ in range(count)]
    terms: Counter[Multiples] = Counter()
    for size in range(1, len(held) + 1):
        for some in combinations(held, size):
            total = Counter(some)
            terms[tuple(total[place] for place in range(len(multiples)))] += (-1) ** (
                len(held) - size
            )
    factors: Counter[Multiples] = Counter()
    for total_of, sign in terms.items():
        # M_k for a multiple of a range is that for the range, times the multiple to the power k.
        common = reduce(gcd, total_of)
        reduced = tuple(count // common for count in total_of)
        factors[reduced] += sign * common ** len(held)
    every = factorial(len(held))
    return {ranges: Fraction(factor, every) for ranges, factor in factors.items() if factor}


def sum_ranges(weights: NDArray[Any], sums: Sequence[Multiples]) -> NDArray[Any]:
    """Compute sums of weights ``(range, …)``, each given by its multiples, ``(sum, …)``."""
    found: NDArray[Any] = np.array(sums) @ weights
    return found
