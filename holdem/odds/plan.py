"""Plans: the costs of the exact methods, and the choice between them and sampling.

Costs are counted in evaluations (hands ranked by an evaluator) and never in seconds, so the
choice for a spot is the same on every machine.
"""

from __future__ import annotations

from functools import cache
from math import prod
from operator import attrgetter
from typing import Literal

import attrs

from holdem.errors import BudgetError, counted
from holdem.odds.exact.method import ExactMethod
from holdem.odds.exact.preflop_table.method import PreflopTableMethod
from holdem.odds.spot import Spot
from holdem.odds.symmetry.matchups import count_matchups

Method = Literal["auto", "exact", "monte-carlo"]
METHODS: tuple[Method, ...] = ("auto", "exact", "monte-carlo")

#: The budget of `auto` for an exact answer with the default evaluator, in evaluations. Fused
#: into a loop, this evaluator ranks some 900 million hands a second.
FUSED_BUDGET = 5_000_000_000
#: The budget of `auto` with any other evaluator, which ranks hands in batches. A five-card
#: evaluator needs 21 evaluations for a seven-card hand.
BATCH_BUDGET = 100_000_000
#: The budget of ``method="exact"``, as a multiple of that of `auto`.
EXACT_FACTOR = 100

_REQUESTED = "requested"


@attrs.frozen
class Candidate:
    """An exact method that applies to a spot, and its cost."""

    method: type[ExactMethod]
    evaluations: int

    @property
    def name(self) -> str:
        """The name of the method."""
        return self.method.name


@attrs.frozen(eq=False)
class Plan:
    """The method chosen for a spot, the alternatives, and the reason for the choice."""

    method: Literal["exact", "monte-carlo"]
    chosen: Candidate | None
    """The exact method; None for Monte Carlo."""
    deals: int | None
    """The number of distinct deals; None if they were not counted."""
    budget: int
    """The largest cost of an exact answer that is allowed, in evaluations."""
    considered: tuple[Candidate, ...]
    """The exact methods that apply, cheapest first."""
    reason: str
    evaluations_a_deal: int
    """The cost of a sampled deal, in evaluations."""

    @property
    def is_requested(self) -> bool:
        """Whether sampling was requested, whatever an exact answer would cost."""
        return self.reason == _REQUESTED

    def lines(self) -> list[str]:
        """Return lines of text that describe the plan."""
        lines = [] if self.deals is None else [f"spot: {counted(self.deals, 'deal')}"]
        for candidate in self.considered:
            share = candidate.evaluations / self.budget
            lines.append(
                f"exact, {candidate.name}: {counted(candidate.evaluations, 'evaluation')}"
                f" ({share:.3g} of the budget)"
            )
        lines.append(f"budget of an exact answer: {self.budget:,} evaluations")
        lines.append(f"monte-carlo: {counted(self.evaluations_a_deal, 'evaluation')} a deal")
        chosen = f"exact, {self.chosen.name}" if self.chosen else "monte-carlo"
        lines.append(f"chosen: {chosen}: {self.reason}")
        return lines


def make_plan(spot: Spot, method: Method = "auto") -> Plan:
    """Choose the method for a spot and return the plan.

    Raises:
        BudgetError: `method` is ``"exact"`` and every exact method is over the budget.
    """
    budget = FUSED_BUDGET if spot.evaluator.is_fused else BATCH_BUDGET
    if method == "exact":
        budget *= EXACT_FACTOR
    a_deal = spot.players * spot.evaluator.evaluations(7)
    if method == "monte-carlo":
        return Plan("monte-carlo", None, None, budget, (), _REQUESTED, a_deal)
    matchups = count_matchups(spot)
    deals = None if matchups is None else matchups * spot.runouts
    candidates = tuple(sorted(_candidates(spot, matchups), key=attrgetter("evaluations")))
    if candidates and candidates[0].evaluations <= budget:
        reason = "the cheapest exact method within the budget"
        return Plan("exact", candidates[0], deals, budget, candidates, reason, a_deal)
    if method == "exact":
        most = deals or spot.runouts * prod(len(combos) for combos in spot.live)
        cost = (
            f"{candidates[0].evaluations:,} evaluations"
            if candidates
            else "more than can be counted"
        )
        raise BudgetError(
            f"an exact answer is out of reach: up to {most:.1e} deals would take {cost}, and the"
            f" limit is {budget:,}; narrow the ranges, add board cards, or use method auto"
            " or monte-carlo"
        )
    reason = "an exact answer is over the budget" if candidates else "too many match-ups"
    return Plan("monte-carlo", None, deals, budget, candidates, reason, a_deal)


def _candidates(spot: Spot, matchups: int | None) -> list[Candidate]:
    """Return the exact methods that apply to a spot, or only the preflop table if it applies."""
    evaluations = PreflopTableMethod.cost(spot, matchups)
    if evaluations is not None:
        return [Candidate(PreflopTableMethod, evaluations)]
    candidates = []
    for method in _methods_without_table():
        evaluations = method.cost(spot, matchups)
        if evaluations is not None:
            candidates.append(Candidate(method, evaluations))
    return candidates


@cache
def _methods_without_table() -> tuple[type[ExactMethod], ...]:
    # Imported only when needed, which saves answers from the table a few milliseconds.
    from holdem.odds.exact.known_hands.method import KnownHands
    from holdem.odds.exact.ranked_boards.method import RankedBoards
    from holdem.odds.exact.three_ranges.method import ThreeRanges
    from holdem.odds.exact.two_ranges.method import TwoRanges

    return TwoRanges, ThreeRanges, KnownHands, RankedBoards
