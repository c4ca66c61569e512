"""Plans: the costs of the exact methods, and the choice between exact methods and sampling.

Costs are counted in evaluations (hands ranked by an evaluator) and never in seconds, so the
choice for a spot is the same on every machine.
"""

from __future__ import annotations

from math import prod
from typing import Literal

import attrs

from holdem.cached_property import cached_property
from holdem.errors import BudgetError, counted
from holdem.evaluation.contract import ranks_hand_by_hand
from holdem.evaluation.evaluator import Evaluator
from holdem.odds.exact.candidates import LITTLE, Candidate, choose_candidate, list_candidates
from holdem.odds.matchups import count_matchups
from holdem.odds.spot import Spot

Method = Literal["auto", "exact", "monte-carlo"]
METHODS: tuple[Method, ...] = ("auto", "exact", "monte-carlo")

#: The budget of `auto` for an exact answer from tables, in evaluations. Kernels look up some 900
#: million hands a second.
KERNEL_BUDGET = 5_000_000_000
#: The budget of `auto` with an evaluator that ranks hands itself, in batches. A five-card evaluator
#: needs 21 evaluations for a seven-card hand.
BATCH_BUDGET = 100_000_000
#: The budget of `auto` with one that ranks hands itself, and is declared to take one at a time.
SINGLE_BUDGET = 2_000_000
#: The budget of ``method="exact"``, as a multiple of that of `auto`.
EXACT_FACTOR = 100
#: The budget of what cannot be sampled, as a multiple of that of `auto`: about a minute on one
#: core.
UNSAMPLED_FACTOR = 10

# Evaluations from tables that take a few milliseconds, for which threads do not pay.
_QUICK = 5_000_000


# With slots, cached properties would make every attribute slow to read.
@attrs.frozen(eq=False, slots=False)
class Plan:
    """The method chosen for a spot, the reason for the choice, and the alternatives."""

    spot: Spot
    method: Literal["exact", "monte-carlo"]
    chosen: Candidate | None
    """The chosen exact method; None if deals are sampled."""
    budget: int
    """The largest cost of an exact answer that is allowed, in evaluations."""
    reason: str
    """Why the method was chosen, such as ``"costs little"``."""
    is_requested: bool = False
    """Whether sampling was requested, regardless of the cost of an exact result."""

    @property
    def deals(self) -> int | None:
        """The number of possible deals; None if it is too large, or if sampling was requested."""
        matchups = None if self.is_requested else count_matchups(self.spot)
        return None if matchups is None else matchups * self.spot.runouts

    @cached_property
    def considered(self) -> tuple[Candidate, ...]:
        """All exact methods that apply, cheapest first; empty if sampling was requested."""
        return () if self.is_requested else list_candidates(self.spot)

    @property
    def evaluations_a_deal(self) -> int:
        """The cost of a sampled deal, in evaluations."""
        return self.spot.players * self.spot.evaluator.evaluations(7)

    @property
    def is_quick(self) -> bool:
        """Whether the result is exact and takes only a few milliseconds on one core."""
        has_tables = self.spot.evaluator.has_tables
        return self.chosen is not None and has_tables and self.chosen.evaluations <= _QUICK

    def lines(self) -> list[str]:
        """Describe the plan in lines of text, as ``--explain-plan`` prints them."""
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
    """Choose the method for a spot; ``"auto"`` leaves the choice to the plan."""
    budget = budget_of(spot.evaluator)
    if method == "exact":
        budget *= EXACT_FACTOR
    if method == "monte-carlo":
        return Plan(spot, "monte-carlo", None, budget, "requested", is_requested=True)
    chosen = choose_candidate(spot)
    if chosen is not None and chosen.evaluations <= budget:
        is_little = chosen.evaluations <= LITTLE
        reason = "costs little" if is_little else "the cheapest exact method within the budget"
        return Plan(spot, "exact", chosen, budget, reason)
    if method == "exact":
        most = spot.runouts * (count_matchups(spot) or prod(len(combos) for combos in spot.live))
        require_affordable(
            f"an exact answer over up to {most:.1e} deals",
            chosen.evaluations if chosen else None,
            budget,
            "narrow the ranges, add board cards, or use method auto or monte-carlo",
        )
    reason = "an exact answer is over the budget" if chosen else "too many match-ups"
    return Plan(spot, "monte-carlo", None, budget, reason)


def budget_of(evaluator: Evaluator) -> int:
    """Return the evaluations that an exact result may take if the method is ``"auto"``."""
    if evaluator.has_tables:
        return KERNEL_BUDGET
    return SINGLE_BUDGET if ranks_hand_by_hand(evaluator.spec) else BATCH_BUDGET


def require_affordable(work: str, cost: int | None, budget: int, advice: str) -> None:
    """Raise an error if the cost of some work, in evaluations, exceeds the budget.

    `work` describes the work and begins the message; `advice`, what the user can do instead, ends
    it. The cost is None if it is too large to count.
    """
    if cost is None or cost > budget:
        evaluations = "too many" if cost is None else f"{cost:.1e}"
        raise BudgetError(
            f"{work} would take {evaluations} evaluations (the limit is {budget:.0e}): {advice}"
        )
