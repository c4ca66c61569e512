"""Evaluators as contenders: the same deals ranked by two, and where they disagree."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, index_sets
from holdem.errors import HoldemTypeError, SpotError, one_line, visible
from holdem.evaluation.conformance.diff import (
    answers_to,
    disagreements,
    require_same_rules,
    smallest_disagreement,
)
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import get_evaluator
from holdem.odds.result import EvaluatorLabel
from holdem.odds.sampling.sampler import hands_dealt
from holdem.trials.head_to_head.result import Judge

# Of the hands on which two disagree so many are kept, the lowest, to find a smaller one within.
_KEPT = 64


@attrs.frozen(eq=False)
class Findings:
    """What was found in some deals."""

    hands: int
    deals: int
    lowest: CardArray
    """The hands of the lowest index sets on which the two disagree, ``uint8 (hand, 7)``."""

    @classmethod
    def none(cls) -> Findings:
        """Return what is found in no deal."""
        return cls(0, 0, np.zeros((0, 7), dtype=np.uint8))

    def plus(self, other: Findings) -> Findings:
        """Return what was found in the deals of both."""
        return Findings(
            self.hands + other.hands,
            self.deals + other.deals,
            _lowest([self.lowest, other.lowest]),
        )


class Judging:
    """Two evaluators over the same deals."""

    def __init__(self, first: Evaluator, other: Evaluator) -> None:
        """Take two evaluators.

        Raises:
            EvaluatorError: they follow different rules, or one cannot be used.
        """
        require_same_rules(first, other)
        first.scale, other.scale  # noqa: B018 - one that is broken is refused before any deal
        self._pair = first, other

    def find(self, dealt: CardArray, strengths: NDArray[np.int64]) -> Findings:
        """Compare the two over some deals.

        Args:
            dealt: ``uint8 (deal, 5 + 2 * players)``.
            strengths: by the first evaluator, ``int64 (player, deal)``.
        """
        ranked = np.empty_like(strengths)
        count, lowest = 0, [Findings.none().lowest]
        for player, hands in enumerate(hands_dealt(dealt)):
            ranked[player] = self._pair[1].rank(hands)
            differ = disagreements(self._pair, (strengths[player], ranked[player]))
            count += int(differ.sum())
            lowest.append(hands[differ])
        winners, others = (found == found.max(axis=0) for found in (strengths, ranked))
        return Findings(count, int((winners != others).any(axis=0).sum()), _lowest(lowest))

    def judge(self, found: Findings) -> Judge:
        """Return what was found, with the smallest hand that shows it."""
        other = self._pair[1]
        hand = smallest_disagreement(self._pair, found.lowest) if found.hands else ()
        return Judge(
            evaluator=EvaluatorLabel(other.name, other.version),
            hands=found.hands,
            deals=found.deals,
            hand=hand,
            answers=answers_to(self._pair, hand),
        )


def chosen_evaluators(
    evaluator: str | Evaluator | EvaluatorSpec | None,
    evaluators: Sequence[str | Evaluator | EvaluatorSpec] | None,
) -> list[Evaluator]:
    """Return who ranks: the one, or the several, that were asked for.

    Raises:
        SpotError: both were given, fewer than two as several, or one twice.
        EvaluatorError: no such evaluator, or one that cannot be used.
    """
    if evaluators is None:
        return [get_evaluator(evaluator)]
    if evaluator is not None:
        raise SpotError("give one evaluator, or evaluators to be compared, not both")
    if isinstance(evaluators, str) or not isinstance(evaluators, Sequence):
        shown = one_line(repr(evaluators))
        raise HoldemTypeError(
            f"evaluators is a list of two or more, as ['lookup', 'reference'], not {shown}"
        )
    found = [get_evaluator(each) for each in evaluators]
    names = [each.name for each in found]
    if len(found) < 2:
        raise SpotError(f"evaluators to be compared are two or more, not {len(found)}")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SpotError(f"evaluator {visible(twice)} stands twice among those to be compared")
    return found


def _lowest(parts: list[CardArray]) -> CardArray:
    hands = np.concatenate(parts)
    return hands[np.unique(index_sets(hands), return_index=True)[1][:_KEPT]]
