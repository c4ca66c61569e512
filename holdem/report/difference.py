"""How two evaluators compare, as text."""

from __future__ import annotations

from holdem.cards import cards_text
from holdem.evaluation.conformance.diff import Difference
from holdem.evaluation.evaluator import Evaluator
from holdem.report.table import count, text_table


def _title(evaluator: Evaluator) -> str:
    """Return an evaluator's name, the distribution that offers it, and the library that answers."""
    origin = f"{evaluator.distribution} {evaluator.version}".strip()
    told = ", ".join(part for part in (origin, evaluator.library) if part)
    return f"{evaluator.name} ({told or 'this script'})"


def difference_text(found: Difference) -> str:
    """Return how many hands were compared, and the first on which they disagree."""
    titles = [_title(each) for each in found.evaluators]
    rows = [
        [f"{size} cards", count(compared), count(found.disagreements[size])]
        for size, compared in found.hands.items()
    ]
    verdict = f"they agree on every hand; those of six and seven cards drawn with seed {found.seed}"
    if not found.agree:
        told = " and ".join(str(answer) for answer in found.answers)
        verdict = f"the first disagreement: {cards_text(found.hand, ' ')}: {told}"
    rules = found.evaluators[0].rules.name
    return "\n\n".join(
        [
            f"{' and '.join(titles)}, {rules} rules",
            text_table(["hands", "compared", "different"], rows),
            verdict,
        ]
    )
