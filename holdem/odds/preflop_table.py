"""Two players before the flop, answered from a table: no board is run, nothing is compiled.

The table has, for each class of starting hands and each kind of opposing combo, the boards
that win and those that tie. A range against a range is then two small matrix products for
each shape of hands. ``scripts/make_preflop_table.py`` makes the file; the numbers are those
of the default evaluator and of the standard rules.
"""

from __future__ import annotations

import hashlib
import io
from functools import cache
from importlib import resources

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import HoldemError
from holdem.odds.preflop_layout import shapes
from holdem.odds.sums import ComboSums, sums_of_two, weight_left
from holdem.odds.whole_weights import WholeWeights, whole_weights
from holdem.ranges.combos import COMBO_COUNT, COMBO_SETS

FILE = "preflop.npz"
BOARDS = 1_712_304  # C(48, 5)
_OPPONENTS = 1_225  # C(50, 2)
_DIGEST = "f9938a0779f4bfdbd6dda9888f5dfed329db8a273b9489bc8b66cbf731ee0207"


@attrs.frozen(eq=False)
class PreflopTable:
    """All match-ups of two holes before the flop. Made by `preflop_table`."""

    wins: tuple[NDArray[np.float64], ...]
    """For each of the `shapes` the boards that the class wins, ``float64 (class, opponent)``;
    0 where the two share a card."""

    ties: tuple[NDArray[np.float64], ...]
    """Likewise the boards that tie."""

    def match_up(self, first: int, second: int) -> tuple[int, int, int]:
        """Return the boards that combo `first` wins, ties and loses against combo `second`.

        Both are combo numbers. All three are 0 where the two share a card.
        """
        if COMBO_SETS[first] & COMBO_SETS[second]:
            return 0, 0, 0
        for shape, wins, ties in zip(shapes(), self.wins, self.ties, strict=True):
            row = shape.row[first]
            if row >= 0:
                column = shape.column[shape.view[first], second]
                won, tied = int(wins[row, column]), int(ties[row, column])
                return won, tied, BOARDS - won - tied
        raise AssertionError("every combo has a shape")

    def sums(self, weights: NDArray[np.float64]) -> tuple[ComboSums, ComboSums]:
        """Return how the deals of both players' combos end.

        Args:
            weights: ``float64 (2, 1326)``, 0..1, none of them zero throughout.

        Returns:
            The sums of either player, without combos that no opposing combo leaves free.
        """
        # Sums in half boards stay below 2^53.
        whole = [whole_weights(own, (1 << 53) // (2 * BOARDS * _OPPONENTS)) for own in weights]
        return self._against(weights[0], whole[1]), self._against(weights[1], whole[0])

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
    content = resources.files(__package__).joinpath(FILE).read_bytes()
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
