"""The plan: what each method would cost, and which one is taken.

Costs are counted in evaluations (hands that an evaluator ranks), never in seconds, so the
choice for a question is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Literal

import attrs

from holdem.errors import BudgetError
from holdem.odds import enumeration
from holdem.odds.enumeration import Part
from holdem.odds.matchups import Matchups, list_matchups
from holdem.odds.spot import Spot

Method = Literal["auto", "exact", "monte-carlo"]
METHODS: tuple[Method, ...] = ("auto", "exact", "monte-carlo")

#: What `auto` spends on an exact answer, in evaluations: of the default evaluator, which
#: ranks some 900 million hands a second when fused, ...
FUSED_BUDGET = 2_000_000_000
#: ... and of any other, asked in batches. An evaluator of five cards counts 21 for a hand.
BATCH_BUDGET = 100_000_000
#: What ``method="exact"`` is allowed: a hundred times as much.
EXACT_FACTOR = 100

_WAY_OUT = "narrow the ranges, add board cards, or let the method be auto or monte-carlo"

Tasks = Callable[[Spot, Matchups], Iterator[Callable[[], Part]]]


@attrs.frozen(eq=False)
class ExactWay:
    """One way to an exact answer."""

    name: str
    evaluations: int
    tasks: Tasks
    by_kind: bool
    """Whether its counts have a row for each kind of match-up, or one for each match-up."""


@attrs.frozen(eq=False)
class Plan:
    """The method chosen for a spot, and why."""

    method: Literal["exact", "monte-carlo"]
    way: ExactWay | None
    """How the exact answer is found; None for Monte Carlo."""
    matchups: Matchups | None = attrs.field(repr=False)
    deals: int | None
    """The number of distinct deals; None where match-ups were not listed."""
    budget: int
    """How many evaluations an exact answer may cost here."""
    considered: tuple[ExactWay, ...]
    reason: str

    def lines(self) -> list[str]:
        """Return the plan as text, a line for each thing to know."""
        lines = [] if self.deals is None else [f"question: {self.deals:,} deals"]
        for way in self.considered:
            share = way.evaluations / self.budget
            lines.append(
                f"exact, {way.name}: {way.evaluations:,} evaluations ({share:.2g} of the budget)"
            )
        lines.append(f"budget of an exact answer: {self.budget:,} evaluations")
        chosen = f"exact, {self.way.name}" if self.way else "monte-carlo"
        lines.append(f"chosen: {chosen}: {self.reason}")
        return lines


def make_plan(spot: Spot, method: Method = "auto") -> Plan:
    """Choose how to answer a question.

    Raises:
        BudgetError: an exact answer was asked for and is out of reach.
    """
    budget = FUSED_BUDGET if spot.evaluator.is_default else BATCH_BUDGET
    if method == "exact":
        budget *= EXACT_FACTOR
    if method == "monte-carlo":
        return Plan("monte-carlo", None, None, None, budget, (), "asked for")
    # At the most 24 match-ups are one kind: with more of them no exact way is affordable.
    matchups = list_matchups(spot, 24 * budget // max(spot.runouts * spot.players, 1))
    if matchups is None:
        if method == "exact":
            most = spot.runouts * prod(len(combos) for combos in spot.live)
            raise BudgetError(
                f"an exact answer is out of reach: there are some {most:.1e} deals, and the limit"
                f" is {budget:,} evaluations; {_WAY_OUT}"
            )
        return Plan("monte-carlo", None, None, None, budget, (), "too many match-ups")
    ways = _exact_ways(spot, matchups)
    deals = len(matchups.combos) * spot.runouts
    cheapest = min(ways, key=lambda way: way.evaluations)
    if cheapest.evaluations <= budget:
        return Plan(
            "exact",
            cheapest,
            matchups,
            deals,
            budget,
            ways,
            "the cheapest exact way, within the budget",
        )
    if method == "exact":
        raise BudgetError(
            f"an exact answer is out of reach: it takes some {cheapest.evaluations:,} evaluations,"
            f" and the limit is {budget:,}; {_WAY_OUT}"
        )
    return Plan(
        "monte-carlo", None, None, deals, budget, ways, "an exact answer is over the budget"
    )


def _exact_ways(spot: Spot, matchups: Matchups) -> tuple[ExactWay, ...]:
    ranked = ExactWay(
        "boards ranked in batches",
        enumeration.evaluations_of_ranked_boards(spot, matchups),
        enumeration.ranked_boards,
        by_kind=False,
    )
    if not spot.evaluator.is_default:
        return (ranked,)
    known = ExactWay(
        "known hands run over all boards",
        enumeration.evaluations_of_known_hands(spot, matchups),
        enumeration.known_hands,
        by_kind=True,
    )
    return known, ranked
