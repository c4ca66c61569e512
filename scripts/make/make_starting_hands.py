"""Make the lists of starting hands of the rule sets with 52 cards, in ``holdem/ranges/``.

``starting_hands.tsv`` is for standard rules and ``starting_hands_deuces_wild.tsv`` for deuces wild.
Each of the 169 classes is played against a random hand, exactly: over the 1,225 hands an opponent
can hold and the 1,712,304 boards, 2,097,572,400 deals for one combo of the class. With standard
rules, the table of all match-ups before the flop, made by ``scripts/make/make_preflop_table.py``,
has the counts. With deuces wild, all combos are ranked and compared on the 134,459 boards that
differ by more than suits. The lists are ordered by equity, strongest first; the counts are those
of a single combo, so that every line has the same number of deals.

    python scripts/make/make_starting_hands.py    # half a minute
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from holdem.jobs.workers import Workers
from holdem.odds.exact.method import ExactMethod
from holdem.odds.exact.preflop_table import PreflopTableMethod
from holdem.odds.exact.two_ranges import TwoRanges
from holdem.odds.spot import make_spot
from holdem.ranges.combos import CLASS_NAMES, CLASS_OF_COMBO
from holdem.rules import DEUCES_WILD, STANDARD, RuleSet

FOLDER = Path(__file__).parents[2] / "holdem" / "ranges"

#: The file of each rule set, its evaluator and an exact method for two ranges before the flop.
LISTS: dict[RuleSet, tuple[str, str, type[ExactMethod]]] = {
    STANDARD: ("starting_hands.tsv", "lookup", PreflopTableMethod),
    DEUCES_WILD: ("starting_hands_deuces_wild.tsv", "deuces-wild", TwoRanges),
}


def starting_hands(rules: RuleSet = STANDARD) -> list[tuple[str, int, int, int]]:
    """Return (class, wins, ties, deals) against a random hand, strongest first."""
    _, evaluator, method_type = LISTS[rules]
    method = method_type(make_spot(("random", "random"), evaluator=evaluator))
    method.prepare()
    with Workers(1) as workers:
        for task in method.tasks():
            method.add(task.call(workers))
    found, _ = method.totals()
    combos = np.unique(CLASS_OF_COMBO, return_index=True)[1]  # the first of each class
    wins, ties, deals = (
        counts[combos].astype(np.int64).tolist() for counts in (found.wins, found.ties, found.deals)
    )
    lines = list(zip(CLASS_NAMES, wins, ties, deals, strict=True))
    return sorted(lines, key=lambda line: -(2 * line[1] + line[2]))


def main() -> None:
    """Make the files."""
    for rules, (name, *_) in LISTS.items():
        lines = ["class\twins\tties\tdeals"]
        lines += ["\t".join(str(field) for field in line) for line in starting_hands(rules)]
        (FOLDER / name).write_text("\n".join(lines) + "\n", encoding="ascii")
        print(f"{name}: {len(lines) - 1} classes")


if __name__ == "__main__":
    main()
