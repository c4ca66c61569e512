"""`assert_conforms`, for the tests of an evaluator's author.

For example::

    from holdem.testing import assert_conforms

    def test_conformance():
        assert_conforms("my-evaluator")
"""

from __future__ import annotations

import attrs

from holdem.evaluation.conformance.checker import check_conformance
from holdem.evaluation.conformance.findings import Conformance
from holdem.evaluation.conformance.hands import Extent
from holdem.evaluation.registry import EvaluatorLike, get_evaluator
from holdem.report.evaluator_reports import conformance_report
from holdem.report.formats import render


@attrs.frozen
class Report(Conformance):
    """Results of an evaluator's checks; ``str`` gives the output of ``holdem evaluators check``."""

    def __str__(self) -> str:
        return render(conformance_report([self], detailed=True), "table")


def assert_conforms(
    evaluator: EvaluatorLike,
    *,
    exhaustive: bool = False,
    hands: int | None = None,
    seed: int = 1,
) -> Report:
    """Assert that an evaluator passes all checks of ``holdem evaluators check``.

    Args:
        evaluator: the name of an evaluator, or an `EvaluatorSpec`, which need not be registered.
        exhaustive: check all hands of six and seven cards instead of random ones.
        hands: the number of random hands of six cards, and of seven; by default 1,000,000, or
            20,000 if the evaluator ranks only five cards.
        seed: the seed of the random hands.

    Returns:
        The results and speeds; ``str`` gives the output of ``holdem evaluators check``.

    Raises:
        AssertionError: a check fails. The message lists all checks, and for each failure the
            smallest hand, the actual and the expected answer, and the number of hands affected.
        EvaluatorError: the evaluator does not exist, or is disabled or broken.
        HoldemTypeError: `evaluator` is neither a name nor a spec, for example an undecorated
            function.
    """
    __tracebackhide__ = True  # pytest shows the caller's line
    found = check_conformance(get_evaluator(evaluator), Extent(exhaustive, hands, seed))
    report = Report(**attrs.asdict(found, recurse=False))
    if not report.passed:
        raise AssertionError(str(report))
    return report
