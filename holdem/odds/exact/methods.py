"""The ways to an exact answer: what each costs, and how it is run.

A way is made of tasks that can run on any thread in any order and whose results are added;
from the sum come, for each player and each combo, the deals won, tied and lost (`ComboSums`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE
from holdem.odds.exact.totals import ComboSums
from holdem.odds.spot import Spot
from holdem.odds.symmetry.matchups import Matchups, list_matchups
from holdem.odds.tally import outcomes, shares
from holdem.ranges.combos import COMBO_COUNT

if TYPE_CHECKING:
    # What a method needs is imported by its run: an answer loads its own method only.
    from holdem.odds.exact.enumeration import Part
    from holdem.odds.exact.three_ranges.method import ThreeRanges
    from holdem.odds.exact.two_ranges.method import Sweep

_SHARE_UNIT = 2520  # a pot is split into whole units by any number of winners up to ten


class ExactRun(Protocol):
    """An exact answer in the making."""

    def tasks(self) -> Iterator[Callable[[], Any]]:
        """Yield all the work there is."""

    def add(self, result: Any) -> float:
        """Take in what a task returned, in the order of the tasks; return the share done."""

    def sums(self) -> tuple[ComboSums, ...]:
        """Return each player's sums, once all is added."""


def range_weights(spot: Spot) -> NDArray[np.float64]:
    """Return all players' weights, ``float64 (player, 1326)``, zero where no deal holds a combo."""
    weights = np.zeros((spot.players, COMBO_COUNT))
    for player, combos in enumerate(spot.live):
        weights[player, combos] = spot.weights(player)
    return weights


@attrs.define
class TableRun:
    """Two players before the flop: nothing is run, the answer stands in a table."""

    spot: Spot

    def tasks(self) -> Iterator[Callable[[], Any]]:
        """Yield nothing."""
        return iter(())

    def add(self, result: Any) -> float:  # noqa: ARG002
        """Take nothing in."""
        return 1.0

    def sums(self) -> tuple[ComboSums, ...]:
        """Return each player's sums."""
        from holdem.odds.exact.preflop_table.table import preflop_table

        table, (first, second) = preflop_table(), self.spot.live
        if len(first) == len(second) == 1 and self.spot.is_unweighted:
            return table.known(first, second)
        return table.sums(range_weights(self.spot))


class SweepRun:
    """Two or three ranges, all their combos at once, board after board."""

    def __init__(self, spot: Spot) -> None:
        """Make the question ready."""
        make: Callable[..., Sweep | ThreeRanges]
        if spot.players == 2:
            from holdem.odds.exact.two_ranges.method import make_sweep as make
        else:
            from holdem.odds.exact.three_ranges.method import make_three_ranges as make
        evaluator = None if spot.evaluator.is_fused else spot.evaluator
        # What the deck does not have is as good as dead.
        dead = [card for card in range(DECK_SIZE) if spot.gone >> card & 1]
        dead = [card for card in dead if card not in spot.board]
        self._question: Sweep | ThreeRanges = make(range_weights(spot), spot.board, dead, evaluator)
        self._added: Any = None

    def tasks(self) -> Iterator[Callable[[], Any]]:
        """Yield blocks of boards."""
        return self._question.tasks()

    def add(self, result: Any) -> float:
        """Add a block's sums."""
        if self._added is None:
            self._added = result
        else:
            self._added += result
        return 1 / self._question.work

    def sums(self) -> tuple[ComboSums, ...]:
        """Return each player's sums."""
        return self._question.sums(self._added)


class MatchupRun:
    """Every match-up, or one of each kind, over its boards."""

    def __init__(self, spot: Spot, by_kind: bool) -> None:
        """List the match-ups; a plan has made sure that they can be listed.

        Args:
            spot: the question.
            by_kind: run the default evaluator over one match-up of each kind; else rank every
                combo on every board, with any evaluator.
        """
        matchups = list_matchups(spot)
        assert matchups is not None
        self._spot = spot
        self._matchups: Matchups = matchups
        self._by_kind = by_kind
        rows = len(matchups.representatives) if by_kind else len(matchups.combos)
        self._counts = np.zeros((rows, 1 << spot.players), dtype=np.int64)

    def tasks(self) -> Iterator[Callable[[], Part]]:
        """Yield parts of the match-ups, or of the boards."""
        from holdem.odds.exact.enumeration import known_hands, ranked_boards
        from holdem.odds.exact.known_hands.by_rank import known_hands_tasks

        if not self._by_kind:
            yield from ranked_boards(self._spot, self._matchups)
        elif self._spot.board:
            yield from known_hands(self._spot, self._matchups)
        else:
            holes = self._matchups.holes()
            for task in known_hands_tasks(holes, self._spot.gone):
                yield partial(_as_part, task, len(holes))

    def add(self, result: Part) -> float:
        """Add a part's counts."""
        self._counts[result.rows] += result.counts
        return result.share

    def sums(self) -> tuple[ComboSums, ...]:
        """Return each player's sums."""
        spot, combos = self._spot, self._matchups.combos
        kinds = self._matchups.kind if self._by_kind else np.arange(len(combos))
        weights = np.stack(
            [spot.ranges[player].weights[combos[:, player]] for player in range(spot.players)]
        )
        figures = np.einsum("opm,km->opk", outcomes(spot.players).astype(np.int64), self._counts)
        units = np.rint(shares(spot.players) * _SHARE_UNIT).astype(np.int64) @ self._counts.T
        found = []
        for player, live in enumerate(spot.live):
            others = np.delete(weights, player, axis=0).prod(axis=0)

            def summed(
                by_kind: NDArray[np.int64],
                own: NDArray[np.intp] = combos[:, player],
                others: NDArray[np.float64] = others,
                live: NDArray[np.intp] = live,
            ) -> NDArray[np.float64]:
                return np.bincount(own, others * by_kind[kinds], COMBO_COUNT)[live].astype(float)

            wins, ties, losses = (summed(figures[outcome, player]) for outcome in range(3))
            found.append(ComboSums(live, wins, ties, losses, summed(units[player]) / _SHARE_UNIT))
        return tuple(found)


def _as_part(task: Callable[[], Any], matchups: int) -> Part:
    from holdem.odds.exact.enumeration import Part

    counted = task()
    return Part(counted.rows, counted.counts, len(counted.rows) / matchups)
