"""The list of all exact methods, and the choice of one for a spot by cost."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

import attrs

from holdem.cached_property import cached_property
from holdem.odds.exact.method import ExactMethod
from holdem.odds.spot import Spot
from holdem.results.base_result import import_named

#: Evaluations that take some 50 µs, a third of what any other method takes to be prepared.
LITTLE = 1 << 16


# With slots, cached properties would make every attribute slow to read.
@attrs.frozen(eq=False, slots=False)
class ListedMethod:
    """An entry of `EXACT_METHODS`, which imports its method on first use."""

    name: str
    """The module and the class of the method, as ``"module:class"``."""
    is_first: Callable[[Spot], bool] = lambda _: False
    """Tells whether, for a given spot, the method is asked for its cost before the others, and used
    at once if it costs at most `LITTLE`. This saves counting match-ups and importing the other
    methods."""

    @cached_property
    def method(self) -> type[ExactMethod]:
        found: type[ExactMethod] = import_named(self.name)
        return found

    def estimate(self, spot: Spot, *, by_category: bool = False) -> Candidate | None:
        """Estimate the cost of the method; return None if it does not apply to the spot."""
        cost = self.method.cost(spot, by_category=by_category)
        return None if cost is None else Candidate(self.method, cost)


#: All exact methods. Of two that cost the same, the first is used.
EXACT_METHODS = (
    ListedMethod(
        "holdem.odds.exact.preflop_table:PreflopTableMethod",
        is_first=lambda spot: not spot.board and spot.players == 2,
    ),
    ListedMethod(
        "holdem.odds.exact.random_opponents:RandomOpponents",
        is_first=lambda spot: not spot.board and spot.players > 2,
    ),
    ListedMethod(
        "holdem.odds.exact.paired_combos:PairedCombos",
        is_first=lambda spot: spot.players == 2 and bool(spot.board),
    ),
    ListedMethod("holdem.odds.exact.two_ranges:TwoRanges"),
    ListedMethod("holdem.odds.exact.several_ranges:SeveralRanges"),
    ListedMethod("holdem.odds.exact.board_classes:BoardClasses"),
    ListedMethod(
        "holdem.odds.exact.known_hands:KnownHands",
        is_first=lambda spot: spot.players > 2 and bool(spot.board) and spot.all_known,
    ),
    ListedMethod("holdem.odds.exact.ranked_boards:RankedBoards"),
)


@attrs.frozen
class Candidate:
    """An exact method that applies to a spot, and its cost."""

    method: type[ExactMethod]
    evaluations: int
    """The cost in evaluations; see `ExactMethod.cost`."""

    @property
    def name(self) -> str:
        return self.method.name


def choose_candidate(spot: Spot) -> Candidate | None:
    """Choose the exact method for a spot; return None if no method applies.

    Methods for which `ListedMethod.is_first` is true are tried first: one that costs at most
    `LITTLE` is chosen at once. Otherwise, the cheapest of all methods is chosen.
    """
    asked = {}
    for listed in EXACT_METHODS:
        if listed.is_first(spot):
            asked[listed] = candidate = listed.estimate(spot)
            if candidate is not None and candidate.evaluations <= LITTLE:
                return candidate
    found = (asked[own] if own in asked else own.estimate(spot) for own in EXACT_METHODS)
    return min(filter(None, found), key=attrgetter("evaluations"), default=None)


def list_candidates(spot: Spot, *, by_category: bool = False) -> tuple[Candidate, ...]:
    """List all exact methods that apply to a spot, cheapest first."""
    found = (own.estimate(spot, by_category=by_category) for own in EXACT_METHODS)
    return tuple(sorted(filter(None, found), key=attrgetter("evaluations")))
