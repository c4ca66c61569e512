"""One example of an article, and tables of examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import attrs

from holdem.report.markup import markdown_table

_LONGEST_LIST = 5
_LONGEST_ANSWER = 32


@attrs.frozen
class Example:
    """A statement of an article and the answer given here."""

    about: str
    says: Any
    """The statement: text, a number or a tuple."""
    answer: Any
    """The same, computed by the plugin."""
    reason: str = ""
    """Why they differ, if they do; else a remark."""

    @property
    def agrees(self) -> bool:
        """Whether the answer is that of the article."""
        return bool(self.says == self.answer)


def table(examples: Iterable[Example], *, all_of_them: bool = False) -> str:
    """Return a Markdown table of the examples that differ or have a remark, or of all.

    Of examples with the same reason, the first one stands for the others, unless all are asked for.

    Raises:
        ValueError: an answer differs without a reason.
    """
    examples = list(examples)
    alike = Counter(example.reason for example in examples)
    rows, agreeing, seen = [], 0, set()
    for example in examples:
        if not (example.agrees or example.reason):
            raise ValueError(f"{example.about}: {example.says!r}, but here {example.answer!r}")
        if not (example.reason or all_of_them):
            agreeing += 1
            continue
        if example.reason in seen and not all_of_them:
            continue
        seen.add(example.reason)
        says, answer = _text(example.says), _text(example.answer)
        if example.agrees and len(answer) > _LONGEST_ANSWER:
            answer = "the same"
        verdict = "yes" if example.agrees else "**no**"
        if example.reason:
            verdict += f": {example.reason}"
            if alike[example.reason] > 1 and not all_of_them:
                verdict += f"; so are {alike[example.reason]} in all"
        rows.append([example.about, says, answer, verdict])
    found = markdown_table(["example", "the article", "here", "agrees"], rows, left=4)
    return found if all_of_them else f"{found}\n\n{agreeing} more examples agree."


def _text(value: Any) -> str:
    """Return a value as text; of a long tuple, the ends and the length."""
    if not isinstance(value, tuple):
        return str(value)
    shown = [str(each) or "–" for each in value]
    if len(shown) > _LONGEST_LIST:
        return f"{', '.join(shown[:2])}, … {shown[-1]} ({len(shown)} entries)"
    return ", ".join(shown)
