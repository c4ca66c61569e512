"""Match-ups over boards, one after the other.

Two ways, with the same answer:

* `known_hands` runs each kind of match-up over its own boards in one compiled loop, with the
  default evaluator fused in;
* `ranked_boards` asks any evaluator, in batches, for the strength of each combo on each
  board, once, and then compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK
from holdem.odds.exact.ordering.ranked_combos import HANDS_A_TASK, rank_combos
from holdem.odds.spot import Spot
from holdem.odds.symmetry.canonical_boards import list_boards
from holdem.odds.symmetry.matchups import Matchups, fixing_renamings

_DEALS_A_TASK = 1 << 22  # some 10 ms for the fused kernel


@attrs.frozen(eq=False)
class Part:
    """A finished part of an exact run."""

    rows: slice | NDArray[np.intp]
    """Which rows of the counts."""
    counts: NDArray[np.int64]
    """``int64 (row, 2^players)``, to be added."""
    share: float
    """The part of the whole work that this was, 0..1."""


def known_hands(spot: Spot, matchups: Matchups) -> Iterator[Callable[[], Part]]:
    """Yield tasks that count, together, the winners of each *kind* of match-up."""
    from holdem.odds.exact.known_hands.board_kernels import count_known_hands

    board, gone = np.array(spot.board, dtype=np.uint8), np.uint64(spot.gone)
    holes = matchups.holes()
    runouts = max(spot.runouts, 1)
    # A heavy match-up is split by its highest card to come, light ones go together.
    parts = min(40, -(-runouts // _DEALS_A_TASK) * 8) if runouts > _DEALS_A_TASK // 8 else 1
    together = max(1, _DEALS_A_TASK // runouts)

    def task(rows: slice, part: int) -> Part:
        mine = holes[rows]
        counts = np.zeros((len(mine), 1 << spot.players), dtype=np.int64)
        count_known_hands(mine, board, gone, part, parts, counts)
        return Part(rows, counts, len(mine) / len(holes) / parts)

    for start in range(0, len(holes), together):
        rows = slice(start, min(start + together, len(holes)))
        for part in range(parts):
            yield partial(task, rows, part)


def ranked_boards(spot: Spot, matchups: Matchups) -> Iterator[Callable[[], Part]]:
    """Yield tasks that count, together, the winners of each match-up, with any evaluator."""
    from holdem.odds.exact.ranked_boards.kernels import count_winners_by_matchup

    gone = set(DECK) - set(spot.board_cards.tolist())  # known holes among them
    boards = list_boards(spot.board, gone, fixing_renamings(spot))
    times = boards.times.astype(np.int64)
    combos, rows = np.unique(matchups.combos, return_inverse=True)
    rows = rows.reshape(matchups.combos.shape).astype(np.int64)
    together = max(1, HANDS_A_TASK // len(combos))

    def task(start: int) -> Part:
        cards = boards.cards[start : start + together]
        strengths = np.ascontiguousarray(rank_combos(spot.evaluator, cards, combos).T)
        counts = np.zeros((len(rows), 1 << spot.players), dtype=np.int64)
        count_winners_by_matchup(strengths, rows, times[start : start + together], counts)
        return Part(slice(0, len(rows)), counts, len(cards) / len(boards.cards))

    for start in range(0, len(boards.cards), together):
        yield partial(task, start)
