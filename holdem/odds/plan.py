"""The plan: what each way to an answer would cost, and which one is taken.

Costs are counted in evaluations (hands that an evaluator ranks), never in seconds, so the
choice for a question is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import comb, prod
from typing import Literal

import attrs
import numpy as np

from holdem.errors import BudgetError
from holdem.odds.exact.methods import ExactRun, MatchupRun, SweepRun, TableRun, range_weights
from holdem.odds.spot import Spot
from holdem.odds.symmetry.matchups import (
    MATCHUP_LIMIT,
    count_matchups,
    fixing_renamings,
    question_renamings,
)
from holdem.odds.symmetry.suit_permutations import renamings_that_keep

Method = Literal["auto", "exact", "monte-carlo"]
METHODS: tuple[Method, ...] = ("auto", "exact", "monte-carlo")

#: What `auto` spends on an exact answer, in evaluations of the default evaluator, which ranks
#: some 900 million hands a second when fused, ...
FUSED_BUDGET = 5_000_000_000
#: ... and of any other, asked in batches. An evaluator of five cards counts 21 for a hand.
BATCH_BUDGET = 100_000_000
#: What ``method="exact"`` is allowed: a hundred times as much.
EXACT_FACTOR = 100
#: Fewer, by the default evaluator, are a matter of milliseconds.
SHORT = 5_000_000

# What the sweeps cost, in evaluations of a fused loop: so much a board, and a combo on a board
# to put it in order; then for each different range that is compared with the others, a combo
# of two ranges and of three, or a pair of combos. A hand that goes through arrays costs as
# much as 16 fused ones.
_BOARD, _ORDER, _COMPARE_TWO, _COMPARE_THREE, _THROUGH_ARRAYS = 300, 1, 3, 50, 16

_LIGHTEST = 0.01

_WAY_OUT = "narrow the ranges, add board cards, or let the method be auto or monte-carlo"


@attrs.frozen(eq=False)
class ExactWay:
    """One way to an exact answer."""

    name: str
    evaluations: int
    """What it costs, estimated."""
    start: Callable[[], ExactRun]


@attrs.frozen(eq=False)
class Plan:
    """The method chosen for a spot, and why."""

    method: Literal["exact", "monte-carlo"]
    way: ExactWay | None
    """How the exact answer is found; None for Monte Carlo."""
    deals: int | None
    """The number of distinct deals; None where they were not counted."""
    budget: int
    """How many evaluations an exact answer may cost here."""
    considered: tuple[ExactWay, ...]
    reason: str
    evaluations_a_deal: int
    """What a sampled deal costs."""

    def lines(self) -> list[str]:
        """Return the plan as text, a line for each thing to know."""
        lines = [] if self.deals is None else [f"question: {self.deals:,} deals"]
        for way in self.considered:
            share = way.evaluations / self.budget
            lines.append(
                f"exact, {way.name}: {way.evaluations:,} evaluations ({share:.3g} of the budget)"
            )
        lines.append(f"budget of an exact answer: {self.budget:,} evaluations")
        lines.append(f"monte-carlo: {self.evaluations_a_deal:,} evaluations a deal")
        chosen = f"exact, {self.way.name}" if self.way else "monte-carlo"
        lines.append(f"chosen: {chosen}: {self.reason}")
        return lines


def make_plan(spot: Spot, method: Method = "auto") -> Plan:
    """Choose how to answer a question.

    Raises:
        BudgetError: an exact answer was asked for and is out of reach.
    """
    budget = FUSED_BUDGET if spot.evaluator.is_fused else BATCH_BUDGET
    if method == "exact":
        budget *= EXACT_FACTOR
    a_deal = spot.players * spot.evaluator.evaluations(7)
    if method == "monte-carlo":
        return Plan("monte-carlo", None, None, budget, (), "asked for", a_deal)
    matchups = count_matchups(spot)
    deals = None if matchups is None else matchups * spot.runouts
    ways = tuple(sorted(_ways(spot, matchups), key=lambda way: way.evaluations))
    if ways and ways[0].evaluations <= budget:
        reason = "the cheapest exact way, within the budget"
        return Plan("exact", ways[0], deals, budget, ways, reason, a_deal)
    if method == "exact":
        most = deals or spot.runouts * prod(len(combos) for combos in spot.live)
        cost = f"{ways[0].evaluations:,} evaluations" if ways else "more than can be counted"
        raise BudgetError(
            f"an exact answer is out of reach: up to {most:.1e} deals would take {cost}, and the"
            f" limit is {budget:,}; {_WAY_OUT}"
        )
    reason = "an exact answer is over the budget" if ways else "too many match-ups"
    return Plan("monte-carlo", None, deals, budget, ways, reason, a_deal)


def _ways(spot: Spot, matchups: int | None) -> Iterator[ExactWay]:
    """Yield the ways that there are for a spot."""
    if spot.evaluator.is_fused and spot.players == 2 and not spot.board and not spot.dead:
        yield ExactWay("from the table before the flop", 1, partial(TableRun, spot))
        return
    boards = comb(len(spot.board_cards), spot.to_come)
    fused = spot.evaluator.is_fused
    weights = range_weights(spot)
    combos = int(np.count_nonzero(weights.any(axis=0)))
    asked = combos * (_THROUGH_ARRAYS if fused else spot.evaluator.evaluations(7))
    if spot.players in (2, 3):
        alike = len(renamings_that_keep(weights, (spot.board, spot.dead)))
        # With weights this far apart the sums of three ranges lose digits.
        lightest = min(float(spot.weights(player).min()) for player in range(spot.players))
        if spot.players == 2:
            different = 1 if (weights[0] == weights[1]).all() else 2
            compared = _COMPARE_TWO * combos * different
        else:
            from holdem.odds.exact.three_ranges.method import (
                PAIRS_A_COMBO,
                combos_compared,
                pairs_compared,
            )

            pairs = _COMPARE_TWO * combos + _COMPARE_THREE // PAIRS_A_COMBO * pairs_compared(
                weights
            )
            compared = min(_COMPARE_THREE * combos_compared(weights), pairs)
        swept = _BOARD + _ORDER * combos + compared
        cost = boards * (swept if fused else asked + swept // _THROUGH_ARRAYS) // alike
        if spot.players == 2 or lightest >= _LIGHTEST:
            yield ExactWay("all combos swept over boards", cost, partial(SweepRun, spot))
    if matchups is None or matchups > MATCHUP_LIMIT:
        return
    if fused:
        kinds = -(-matchups // len(question_renamings(spot)))
        cost = kinds * spot.runouts * spot.players
        if not spot.board:
            from holdem.odds.exact.known_hands.by_rank import evaluations_of_known_hands

            cost = evaluations_of_known_hands(kinds, spot.players)
        yield ExactWay("known hands", cost, partial(MatchupRun, spot, by_kind=True))
    # Comparing the players of a match-up takes a quarter of ranking a hand.
    cost = boards // len(fixing_renamings(spot)) * (asked + matchups * spot.players // 4)
    yield ExactWay("boards ranked in batches", cost, partial(MatchupRun, spot, by_kind=False))
