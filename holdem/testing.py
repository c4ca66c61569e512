"""What an author's own tests need: an assertion that an evaluator keeps the contract.

from holdem.testing import assert_conforms

def test_conformance():
    assert_conforms("my-evaluator")
"""

from __future__ import annotations

import attrs

from holdem.evaluation.conformance.check import Extent, check_conformance
from holdem.evaluation.conformance.findings import Conformance
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import get_evaluator
from holdem.report.evaluator_reports import conformance_report
from holdem.report.formats import render


@attrs.frozen
class Report(Conformance):
    """What all checks of one evaluator found; prints as ``holdem evaluators check`` does."""

    def __str__(self) -> str:
        return render(conformance_report([self], detailed=True), "table")


def assert_conforms(
    evaluator: str | Evaluator | EvaluatorSpec,
    *,
    exhaustive: bool = False,
    hands: int | None = None,
    seed: int = 1,
) -> Report:
    """Assert that an evaluator passes every check of ``holdem evaluators check``.

    Args:
        evaluator: its name, or a spec that need not be installed or registered.
        exhaustive: go through all hands of six and seven cards, not some at random.
        hands: how many hands of six, and of seven, to draw; 1,000,000 if None, or 20,000
            where the evaluator ranks only five.
        seed: of the hands drawn.

    Returns:
        What was found, its speed among it; prints as the command does.

    Raises:
        AssertionError: a check fails; shows all checks, and for each that fails the smallest
            hand, what was answered, what is right, and how many hands are affected.
        EvaluatorError: no such evaluator, or one that is disabled or broken.
        HoldemTypeError: a function that is not decorated, or anything else that is none of these.
    """
    __tracebackhide__ = True  # the author's own line is where a test failed
    found = check_conformance(get_evaluator(evaluator), Extent(exhaustive, hands, seed))
    report = Report(**attrs.asdict(found, recurse=False))
    if not report.passed:
        raise AssertionError(str(report))
    return report
