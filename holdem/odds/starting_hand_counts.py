"""Wins and ties of each class of starting hands against a random hand, which rank the classes."""

from __future__ import annotations

import numpy as np

from holdem.evaluation.registry import EvaluatorLike
from holdem.jobs.run import run
from holdem.jobs.workers import count_workers
from holdem.odds.exact.two_ranges import TwoRanges
from holdem.odds.spot import make_spot
from holdem.ranges.combos import CLASS_NAMES, CLASS_OF_COMBO


def count_starting_hands(evaluator: EvaluatorLike) -> list[tuple[str, int, int, int]]:
    """Count the wins and ties of each class of starting hands against a random hand.

    All combos are ranked on complete boards and compared with each other. Of boards that differ
    only by a permutation of suits, one is used. With 52 cards this takes a second.

    For each class that the deck has, the highest equity first, there are its name and the numbers
    of deals that one combo of the class wins, ties, and plays in all.
    """
    spot = make_spot(("random", "random"), evaluator=evaluator)
    counts, _ = run(TwoRanges(spot), count_workers(None))
    classes, combos = np.unique(CLASS_OF_COMBO[spot.live[0]], return_index=True)
    wins, ties, deals = (
        own[combos].astype(np.int64).tolist() for own in (counts.wins, counts.ties, counts.deals)
    )
    names = [CLASS_NAMES[number] for number in classes.tolist()]
    lines = zip(names, wins, ties, deals, strict=True)
    return sorted(lines, key=lambda line: -(2 * line[1] + line[2]))
