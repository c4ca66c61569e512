"""Rank every hand of five, six and seven cards with every evaluator, and compare all classes.

    pip install -e ".[peers]"
    python scripts/checks/rank_every_hand.py                     # compiled evaluators: ten minutes
    python scripts/checks/rank_every_hand.py reference --sizes 5
    python scripts/checks/rank_every_hand.py eval7 phevaluator   # other libraries: ten minutes

There are 2,598,960, 20,358,520 and 133,784,560 hands. A row shows the number of hands that an
evaluator ranked, the number of its classes, and the SHA-256 of the classes of all hands in order,
which must be the one in tests/data/every_hand.json. With standard rules the number of hands of
each class must be the one that scripts/checks/class_counts.py counts. The exit status is 1
otherwise.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

import holdem
from class_counts import class_counts
from holdem.evaluation.conformance.hands import count_hands, every_hand
from holdem.rules import STANDARD

PINNED = Path(__file__).parents[2] / "tests" / "data" / "every_hand.json"
COMPILED = (
    *("lookup", "suit-mask", "bitwise", "cactus-kev", "dead-horse"),
    *("deuces-wild", "short-deck"),
)
SIZES = (5, 6, 7)


@attrs.frozen(eq=False)
class EveryHand:
    """The classes that an evaluator gives to all hands of a size."""

    hands: int
    counts: NDArray[np.int64]
    """The number of hands of each class, ``int64 (class + 1,)``; 0 is no class."""
    digest: str
    """The SHA-256 of the classes of all hands in order, as little-endian 16-bit integers."""


def rank_every_hand(names: Sequence[str], size: int) -> list[EveryHand]:
    """Rank all hands of `size` cards with each of the evaluators, which have the same rules."""
    evaluators = [holdem.get_evaluator(name) for name in names]
    rules = evaluators[0].rules
    digests = [sha256() for _ in names]
    counts = np.zeros((len(names), len(rules.classes) + 1), dtype=np.int64)
    hands = 0
    for block in every_hand(rules, size):
        hands += len(block)
        for evaluator, digest, own in zip(evaluators, digests, counts, strict=True):
            classes = evaluator.classes(evaluator.rank(block))
            digest.update(classes.astype("<u2").tobytes())
            own += np.bincount(classes, minlength=len(own))
    return [
        EveryHand(hands, own, digest.hexdigest())
        for own, digest in zip(counts, digests, strict=True)
    ]


def pinned(rules: str, size: int) -> dict[str, Any]:
    """Return what is recorded of all hands: their number, those of each category, the digest."""
    found: dict[str, Any] = json.loads(PINNED.read_text(encoding="utf-8"))[rules][str(size)]
    return found


def faults(name: str, size: int, found: EveryHand) -> list[str]:
    """Return what differs from the record, from the number of hands, and from the class counts."""
    rules = holdem.get_evaluator(name).rules
    expected = pinned(rules.name, size)
    wrong = []
    if not found.hands == expected["hands"] == count_hands(rules, size):
        wrong.append("the number of hands")
    if category_counts(name, found) != expected["categories"]:
        wrong.append("the counts of categories")
    if rules == STANDARD and not np.array_equal(found.counts, class_counts(size)):
        wrong.append("the counts of classes")
    if found.digest != expected["digest"]:
        wrong.append("the digest")
    return wrong


def category_counts(name: str, found: EveryHand) -> dict[str, int]:
    """Return the number of hands of each category, weakest first."""
    rules = holdem.get_evaluator(name).rules
    counts = dict.fromkeys(rules.categories, 0)
    for hand_class, count in zip(rules.classes, found.counts[1:].tolist(), strict=True):
        counts[hand_class.category] += count
    return counts


def main() -> int:
    """Rank the hands, print a row for each evaluator and size, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("evaluators", nargs="*", metavar="EVALUATOR")
    parser.add_argument("--sizes", nargs="+", type=int, choices=SIZES, default=SIZES)
    arguments = parser.parse_args()
    failed = False
    for name in arguments.evaluators or COMPILED:
        for size in arguments.sizes:
            begun = time.process_time()
            (found,) = rank_every_hand([name], size)
            seconds = time.process_time() - begun
            wrong = faults(name, size, found)
            failed |= bool(wrong)
            print(
                f"{name:<12} {size} cards  {found.hands:>11,} hands"
                f"  {np.count_nonzero(found.counts):>5,} classes  {found.digest[:16]}"
                f"  {seconds:7.1f} s  {'; '.join(wrong) + ' differ' if wrong else 'as recorded'}",
                flush=True,
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
