"""Cross-checks, in which two evaluators rank the hands of the same deals."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.base_result import EvaluatorLabel
from holdem.cards import CardArray, card_sets
from holdem.errors import HoldemTypeError, SpotError, quoted
from holdem.evaluation.conformance.diff import (
    answers_to,
    disagreements,
    require_same_rules,
    smallest_disagreement,
)
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import get_evaluator
from holdem.jobs.workers import Workers
from holdem.odds.sampling.sampler import hands_dealt
from holdem.trials.head_to_head.result import CrossCheckResult

# The number of hands to keep, those of the lowest card sets, and search for smaller hands.
_KEPT = 64


@attrs.frozen(eq=False)
class Disagreements:
    """Disagreements between two evaluators, counted over any number of deals."""

    hands: int
    """The number of hands whose classes differ."""
    deals: int
    """The number of deals whose winners differ."""
    lowest: CardArray
    """The hands of the lowest card sets whose classes differ, ``uint8 (hand, 7)``."""

    @classmethod
    def none(cls) -> Disagreements:
        """Create a record with no disagreements."""
        return cls(0, 0, np.zeros((0, 7), dtype=np.uint8))

    def plus(self, other: Disagreements) -> Disagreements:
        """Merge the disagreements from two sets of deals."""
        return Disagreements(
            self.hands + other.hands,
            self.deals + other.deals,
            _lowest([self.lowest, other.lowest]),
        )


class CrossCheck:
    """A comparison of two evaluators on the same deals."""

    def __init__(self, first: Evaluator, other: Evaluator) -> None:
        """Prepare a comparison of two evaluators with the same rules.

        Raises:
            EvaluatorError: the evaluators follow different rules.
        """
        require_same_rules(first, other)
        self._pair = first, other

    def load(self) -> None:
        """Load both evaluators.

        Raises:
            EvaluatorError: one cannot be used.
        """
        for evaluator in self._pair:
            evaluator.load()

    def disagreements(
        self, dealt: CardArray, strengths: NDArray[np.int64], workers: Workers
    ) -> Disagreements:
        """Return the disagreements between the evaluators on a batch of deals.

        Args:
            dealt: ``uint8 (deal, 5 + 2 * players)``.
            strengths: by the first evaluator, ``int64 (player, deal)``.
            workers: the workers of the run.
        """
        others = np.empty_like(strengths)
        count, lowest = 0, [Disagreements.none().lowest]
        for player, hands in enumerate(hands_dealt(dealt)):
            others[player] = self._pair[1].rank(hands, workers)
            differ = disagreements(self._pair, (strengths[player], others[player]))
            count += int(differ.sum())
            lowest.append(hands[differ])
        winners, other_winners = (ranked == ranked.max(axis=0) for ranked in (strengths, others))
        deals = int((winners != other_winners).any(axis=0).sum())
        return Disagreements(count, deals, _lowest(lowest))

    def result(self, found: Disagreements) -> CrossCheckResult:
        """Return a `CrossCheckResult` that includes the smallest hand found on which the evaluators
        disagree.
        """
        other = self._pair[1]
        hand = smallest_disagreement(self._pair, found.lowest) if found.hands else ()
        return CrossCheckResult(
            evaluator=EvaluatorLabel(other.name, other.version),
            hands=found.hands,
            deals=found.deals,
            hand=hand,
            answers=answers_to(self._pair, hand),
        )


def resolve_evaluators(
    evaluator: str | Evaluator | EvaluatorSpec | None,
    evaluators: Sequence[str | Evaluator | EvaluatorSpec] | None,
) -> list[Evaluator]:
    """Return the evaluators of a head-to-head: one, or several to compare.

    Args:
        evaluator: one evaluator, or None for the default.
        evaluators: several, or None.

    Raises:
        SpotError: both are given, `evaluators` are fewer than two, or one is given twice.
        HoldemTypeError: `evaluators` is not a sequence.
        EvaluatorError: no such evaluator, or one that cannot be used.
    """
    if evaluators is None:
        return [get_evaluator(evaluator)]
    if evaluator is not None:
        raise SpotError("give either evaluator or evaluators, not both")
    if isinstance(evaluators, str) or not isinstance(evaluators, Sequence):
        raise HoldemTypeError(
            "evaluators must be a list of two or more, as ['lookup', 'reference'],"
            f" not {quoted(evaluators)}"
        )
    found = [get_evaluator(each) for each in evaluators]
    names = [each.name for each in found]
    if len(found) < 2:
        raise SpotError(f"evaluators must be two or more, not {len(found)}")
    for name in names:
        if names.count(name) > 1:
            raise SpotError(f"evaluators has {quoted(name)} twice: name each evaluator once")
    return found


def _lowest(parts: list[CardArray]) -> CardArray:
    """Return up to `_KEPT` distinct hands, those whose card sets are lowest as integers."""
    hands = np.concatenate(parts)
    return hands[np.unique(card_sets(hands), return_index=True)[1][:_KEPT]]
