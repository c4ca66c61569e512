"""Two players before the flop, answered from a table: no board is run, nothing is compiled.

The table has, for each class of starting hands and each kind of opposing combo, the boards
that win and those that tie. A range against a range is then two small matrix products for
each shape of hands. ``scripts/make_preflop_table.py`` makes the file; the numbers are those
of the default evaluator and of the standard rules.
"""

from __future__ import annotations

import hashlib
import io
from functools import cache, cached_property
from pkgutil import get_data
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import HoldemError
from holdem.odds.exact.integer_weights import WholeWeights, whole_weights
from holdem.odds.exact.preflop_table.layout import shapes
from holdem.odds.exact.totals import ComboSums, combine_outcomes, sums_of_two, weight_left
from holdem.ranges.combos import COMBO_COUNT, COMBO_SETS

FILE = "preflop.npz"
BOARDS = 1_712_304  # C(48, 5)
_OPPONENTS = 1_225  # C(50, 2)
_FEW = 4096  # match-ups: as quick one by one as in products of matrices
_DIGEST = "f9938a0779f4bfdbd6dda9888f5dfed329db8a273b9489bc8b66cbf731ee0207"


@attrs.frozen(eq=False, slots=False)
class PreflopTable:
    """All match-ups of two holes before the flop. Made by `preflop_table`."""

    wins: tuple[NDArray[np.float64], ...]
    """For each of the `shapes` the boards that the class wins, ``float64 (class, opponent)``;
    0 where the two share a card."""

    ties: tuple[NDArray[np.float64], ...]
    """Likewise the boards that tie."""

    def match_ups(
        self, first: NDArray[np.intp], second: NDArray[np.intp]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the boards that combos win and tie against combos, ``float64 (first, second)``.

        Args:
            first: combo numbers, ``intp (first,)``.
            second: likewise. Where the two share a card there is no board.
        """
        won, tied, start, view, column = self._flat
        at = start[first][:, None] + column[view[first][:, None], second]
        return won[at], tied[at]

    @cached_property
    def _flat(self) -> tuple[NDArray[Any], ...]:
        """All shapes in a row: wins, ties, where a combo's class begins, its view, columns."""
        start, view = np.zeros(COMBO_COUNT, dtype=np.intp), np.zeros(COMBO_COUNT, dtype=np.intp)
        numbers = views = 0
        for shape in shapes():
            size = len(shape.opponents)
            mine = shape.row >= 0
            start[mine] = numbers + shape.row[mine] * size
            view[mine] = views + shape.view[mine]
            numbers, views = numbers + len(shape.heroes) * size, views + len(shape.column)
        column = np.concatenate([shape.column for shape in shapes()])
        won, tied = (
            np.concatenate([part.ravel() for part in own]) for own in (self.wins, self.ties)
        )
        return won, tied, start, view, column

    def known(
        self, first: NDArray[np.intp], second: NDArray[np.intp]
    ) -> tuple[ComboSums, ComboSums]:
        """Return what `sums` does of two combos of weight 1: in 6 us and not 38.

        Args:
            first: a combo's number, ``intp (1,)``.
            second: that of one that shares no card with it, likewise.
        """
        won_at, tied_at, start, view, column = self._flat
        mine, theirs = first.item(), second.item()
        at = start.item(mine) + column.item(view.item(mine), theirs)
        won, tied = won_at.item(at), tied_at.item(at)
        lost = BOARDS - won - tied
        half = tied / 2
        own = np.array([won, tied, lost, won + half])[:, None]
        other = np.array([lost, tied, won, lost + half])[:, None]
        return ComboSums(first, *own), ComboSums(second, *other)

    def sums(self, weights: NDArray[np.float64]) -> tuple[ComboSums, ComboSums]:
        """Return how the deals of both players' combos end.

        Args:
            weights: ``float64 (2, 1326)``, 0..1, none of them zero throughout.

        Returns:
            The sums of either player, without combos that no opposing combo leaves free.
        """
        # Sums in half boards stay below 2^53.
        most = (1 << 53) // (2 * BOARDS * _OPPONENTS)
        mine, theirs = ((own > 0).nonzero()[0] for own in weights)
        if len(mine) * len(theirs) <= _FEW:
            first, second = (
                whole_weights(weights[0][mine], most),
                whole_weights(weights[1][theirs], most),
            )
            return self._few(mine, theirs, first, second)
        whole = [whole_weights(own, most) for own in weights]
        return self._against(weights[0], whole[1]), self._against(weights[1], whole[0])

    def _few(
        self,
        mine: NDArray[np.intp],
        theirs: NDArray[np.intp],
        first: WholeWeights,
        second: WholeWeights,
    ) -> tuple[ComboSums, ComboSums]:
        """Add up match-ups one by one: a few of them take microseconds."""
        won, tied = self.match_ups(mine, theirs)
        apart = COMBO_SETS[mine][:, None] & COMBO_SETS[theirs] == 0
        lost = apart * float(BOARDS) - won - tied
        live, rivals = (np.nonzero(apart.any(axis=axis))[0] for axis in (1, 0))
        # Each ``(outcome, layer, combo)``.
        own = second.numbers @ np.array([won, tied, lost]).transpose(0, 2, 1)[:, :, live]
        other = first.numbers @ np.array([lost, tied, won])[:, :, rivals]
        return (
            combine_outcomes(mine[live], second, own),
            combine_outcomes(theirs[rivals], first, other),
        )

    def _against(self, own: NDArray[np.float64], opponent: WholeWeights) -> ComboSums:
        numbers = opponent.numbers
        layers = len(numbers)
        mine, theirs = np.flatnonzero(own > 0), np.flatnonzero(numbers.any(axis=0))
        wins, ties = np.zeros((layers, COMBO_COUNT)), np.zeros((layers, COMBO_COUNT))
        for shape, won, tied in zip(shapes(), self.wins, self.ties, strict=True):
            combos = mine[shape.row[mine] >= 0]
            if not len(combos):
                continue
            views, view = np.unique(shape.view[combos], return_inverse=True)
            rows, row = np.unique(shape.row[combos], return_inverse=True)
            # The opponent's weights as each view sees them: (view, opponent), added up.
            size = len(shape.opponents)
            columns = shape.column[views[:, None], theirs] + size * np.arange(len(views))[:, None]
            for layer in range(layers):
                seen = np.bincount(
                    columns.ravel(),
                    np.broadcast_to(numbers[layer, theirs], columns.shape).ravel(),
                    len(views) * size,
                ).reshape(len(views), size)
                wins[layer, combos] = (won[rows] @ seen.T)[row, view]
                ties[layer, combos] = (tied[rows] @ seen.T)[row, view]
        return sums_of_two(own, opponent, wins, ties, BOARDS * weight_left(numbers))


@cache
def preflop_table() -> PreflopTable:
    """Return the table; it is read once, in a few milliseconds.

    Raises:
        HoldemError: the file is damaged.
    """
    content = get_data(__name__, FILE) or b""
    found = hashlib.sha256(content).hexdigest()
    if found != _DIGEST:
        raise HoldemError(
            f"the table of match-ups before the flop {FILE} is damaged (sha256 {found[:12]}…,"
            f" not {_DIGEST[:12]}…): install holdem again"
        )
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return PreflopTable(_by_shape(arrays["wins"]), _by_shape(arrays["ties"]))


def _by_shape(planes: NDArray[np.uint8]) -> tuple[NDArray[np.float64], ...]:
    """Put numbers together from their bytes and cut them into the parts of the shapes."""
    numbers = planes[0] + 256.0 * planes[1] + 65536.0 * planes[2]
    parts, start = [], 0
    for shape in shapes():
        size = (len(shape.heroes), len(shape.opponents))
        parts.append(numbers[start : start + size[0] * size[1]].reshape(size))
        start += size[0] * size[1]
    return tuple(parts)
