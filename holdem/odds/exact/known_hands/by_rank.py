"""Known hands before the flop: the winners of match-ups, counted by the ranks of the board.

The same counts as running every board (`holdem.odds.exact.known_hands.board_kernels`), fifty times
sooner for two players (0.06 against 3.2 ms) and twenty times for three (0.4 against 8 ms).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray

_MATCHUPS_A_TASK = 256  # some 10 ms for two players

#: What a match-up of two players costs, in evaluations of a fused loop: 50 to 100 µs, ...
EVALUATIONS_OF_TWO = 100_000
#: ... and of more players, for each player: 100 to 200 µs.
EVALUATIONS_A_PLAYER = 150_000


@attrs.frozen(eq=False)
class CountedMatchups:
    """The winners of some match-ups of a list."""

    rows: NDArray[np.intp]
    """Which match-ups, ``intp (row,)``."""

    counts: NDArray[np.int64]
    """How often each set of players shared the top, ``int64 (row, 2^players)``."""


def known_hands_tasks(holes: CardArray, gone: int = 0) -> Iterator[Callable[[], CountedMatchups]]:
    """Yield tasks that count, together, the winners of every match-up of a list.

    Args:
        holes: ``uint8 (match-up, player, 2)``, 2 to 10 players, all cards of a match-up
            different.
        gone: card set of the cards that cannot be dealt; none of `holes`.
    """
    from holdem.odds.exact.known_hands.rank_kernels import (
        count_many_known_hands,
        count_two_known_hands,
    )

    players = holes.shape[1]
    count = count_two_known_hands if players == 2 else count_many_known_hands
    # Match-ups of equal ranks one after the other: the kernel counts by ranks once for all.
    ranks = (holes >> 2).reshape(len(holes), 2 * players)
    order = np.lexsort(ranks.T)

    def task(rows: NDArray[np.intp]) -> CountedMatchups:
        counts = np.zeros((len(rows), 1 << players), dtype=np.int64)
        count(np.ascontiguousarray(holes[rows]), np.uint64(gone), counts)
        return CountedMatchups(rows, counts)

    for start in range(0, len(order), _MATCHUPS_A_TASK):
        yield partial(task, order[start : start + _MATCHUPS_A_TASK])


def count_known_hands(holes: CardArray, gone: int = 0) -> NDArray[np.int64]:
    """Count the winners of every match-up; arguments as for `known_hands_tasks`.

    Returns:
        How often each set of players shared the top, ``int64 (match-up, 2^players)``.
    """
    counts = np.zeros((len(holes), 1 << holes.shape[1]), dtype=np.int64)
    for task in known_hands_tasks(holes, gone):
        found = task()
        counts[found.rows] = found.counts
    return counts


def evaluations_of_known_hands(matchups: int, players: int) -> int:
    """Return what counting so many match-ups costs, in evaluations of a fused loop."""
    return matchups * (EVALUATIONS_OF_TWO if players == 2 else players * EVALUATIONS_A_PLAYER)
