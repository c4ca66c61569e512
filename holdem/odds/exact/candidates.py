"""The exact methods that apply to a spot, and their costs."""

from __future__ import annotations

from functools import cache
from operator import attrgetter

import attrs

from holdem.odds.exact.method import ExactMethod
from holdem.odds.spot import Spot

#: Evaluations that take some 50 µs, a third of what any other method takes to be prepared.
LITTLE = 1 << 16


@attrs.frozen
class Candidate:
    """An exact method that applies to a spot, and its cost."""

    method: type[ExactMethod]
    evaluations: int

    @property
    def name(self) -> str:
        """The name of the method."""
        return self.method.name


def choose_candidate(spot: Spot) -> Candidate | None:
    """Choose the exact method for a spot; None if none applies.

    A method that costs little is taken without asking the others: match-ups are then not counted,
    and other methods not imported. Otherwise the cheapest one is taken.
    """
    quick = _import_quick_method(spot)
    cost = quick.cost(spot) if quick else None
    if quick and cost is not None and cost <= LITTLE:
        return Candidate(quick, cost)
    found = _estimate_costs(methods_without_table(), spot, by_category=False)
    return min(found, key=attrgetter("evaluations"), default=None)


def list_candidates(spot: Spot, *, by_category: bool = False) -> tuple[Candidate, ...]:
    """List all exact methods that apply to a spot, cheapest first.

    Args:
        spot: the spot.
        by_category: whether results by the category of the hand are wanted.
    """
    from holdem.odds.exact.preflop_table import PreflopTableMethod

    methods: tuple[type[ExactMethod], ...] = (PreflopTableMethod, *methods_without_table())
    found = _estimate_costs(methods, spot, by_category)
    return tuple(sorted(found, key=attrgetter("evaluations")))


def _estimate_costs(
    methods: tuple[type[ExactMethod], ...], spot: Spot, by_category: bool
) -> list[Candidate]:
    costs = [(method, method.cost(spot, by_category=by_category)) for method in methods]
    return [Candidate(method, cost) for method, cost in costs if cost is not None]


def _import_quick_method(spot: Spot) -> type[ExactMethod] | None:
    """Import the method that is used at once if it is cheap enough; None if there is none."""
    if not spot.board:
        from holdem.odds.exact.preflop_table import PreflopTableMethod

        return PreflopTableMethod
    if spot.players == 2:
        from holdem.odds.exact.paired_combos import PairedCombos

        return PairedCombos
    if all(len(combos) == 1 for combos in spot.live):
        from holdem.odds.exact.known_hands import KnownHands

        return KnownHands
    return None


@cache
def methods_without_table() -> tuple[type[ExactMethod], ...]:
    """Import all exact methods except the preflop table, which answers without the others."""
    from holdem.odds.exact.known_hands import KnownHands
    from holdem.odds.exact.paired_combos import PairedCombos
    from holdem.odds.exact.ranked_boards import RankedBoards
    from holdem.odds.exact.three_ranges import ThreeRanges
    from holdem.odds.exact.two_ranges import TwoRanges

    return PairedCombos, TwoRanges, ThreeRanges, KnownHands, RankedBoards
