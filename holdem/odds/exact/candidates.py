"""The exact methods that apply to a spot, and their costs."""

from __future__ import annotations

from functools import cache
from operator import attrgetter

import attrs

from holdem.odds.exact.method import ExactMethod
from holdem.odds.spot import Spot

# The least cost of other methods on a board: of a sweep, and of ranking a combo in a batch. It may
# be divided by the suit permutations that leave a board unchanged, at most 6 (but for quads).
_SWEEP, _SWEPT_COMBO, _RANKED_COMBO, _PERMUTATIONS = 300, 4, 16, 6


@attrs.frozen
class Candidate:
    """An exact method that applies to a spot, and its cost."""

    method: type[ExactMethod]
    evaluations: int

    @property
    def name(self) -> str:
        """The name of the method."""
        return self.method.name


def find_cheapest(spot: Spot, matchups: int | None) -> Candidate | None:
    """Find the cheapest of `list_candidates`; None if there is none.

    The other methods are not asked, or imported, if counting match-ups on a board is surely
    cheaper: with known hands, or one against a range.
    """
    players = len(spot.live)
    combos = max(players, *map(len, spot.live))  # at least
    least = min(_SWEEP + _SWEPT_COMBO * combos, _RANKED_COMBO * combos)
    if spot.board and matchups and (matchups + _PERMUTATIONS - 1) * players < least:
        from holdem.odds.exact.known_hands import KnownHands

        cost = KnownHands.cost(spot, matchups)
        if cost is not None:
            return Candidate(KnownHands, cost)
    return next(iter(list_candidates(spot, matchups)), None)


def list_candidates(
    spot: Spot, matchups: int | None, *, by_category: bool = False
) -> tuple[Candidate, ...]:
    """List the exact methods that apply to a spot, cheapest first.

    If the preflop table applies, it is the only one.

    Args:
        spot: the spot.
        matchups: its number of match-ups; None if there are too many to count.
        by_category: whether results by the category of the hand are wanted.
    """
    from holdem.odds.exact.preflop_table import PreflopTableMethod

    found = _estimate_costs((PreflopTableMethod,), spot, matchups, by_category)
    if not found:
        found = _estimate_costs(methods_without_table(), spot, matchups, by_category)
    return tuple(sorted(found, key=attrgetter("evaluations")))


def _estimate_costs(
    methods: tuple[type[ExactMethod], ...], spot: Spot, matchups: int | None, by_category: bool
) -> list[Candidate]:
    costs = [(method, method.cost(spot, matchups, by_category=by_category)) for method in methods]
    return [Candidate(method, cost) for method, cost in costs if cost is not None]


@cache
def methods_without_table() -> tuple[type[ExactMethod], ...]:
    """Import all exact methods except the preflop table, which answers without the others."""
    from holdem.odds.exact.known_hands import KnownHands
    from holdem.odds.exact.ranked_boards import RankedBoards
    from holdem.odds.exact.three_ranges import ThreeRanges
    from holdem.odds.exact.two_ranges import TwoRanges

    return TwoRanges, ThreeRanges, KnownHands, RankedBoards
