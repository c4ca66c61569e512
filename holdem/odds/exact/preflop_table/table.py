"""The precomputed table of all two-player match-ups before the flop.

For each class of starting hands and each canonical opposing combo, the table has the number of
boards on which the class wins and on which it ties. ``scripts/make/make_preflop_table.py`` makes
the file with the default evaluator and the standard rules.
"""

from __future__ import annotations

import io
from functools import cache, cached_property
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import HoldemRuntimeError
from holdem.odds.exact.preflop_table.layout import shapes
from holdem.ranges.combos import COMBO_COUNT

FILE = "preflop.npz"
BOARDS = 1_712_304  # C(48, 5)
_DIGEST = "f9938a0779f4bfdbd6dda9888f5dfed329db8a273b9489bc8b66cbf731ee0207"


@attrs.frozen(eq=False, slots=False)
class PreflopTable:
    """The numbers of boards won and tied in every preflop match-up of two combos.

    Created by `preflop_table`.
    """

    wins: tuple[NDArray[np.float64], ...]
    """For each of the `shapes`, the number of boards that the class wins, ``float64 (class,
    opponent)``; 0 if the two combos share a card."""

    ties: tuple[NDArray[np.float64], ...]
    """The number of boards that are tied, in the same layout as `wins`."""

    def match_ups(
        self, first: NDArray[np.intp], second: NDArray[np.intp]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return how many boards each combo in `first` wins and ties against each one in `second`.

        Args:
            first: combo numbers, ``intp (first,)``.
            second: opposing combo numbers, ``intp (second,)``.

        Returns:
            Wins and ties, each ``float64 (first, second)``; 0 for combos that share a card.
        """
        return self.elementwise(first[:, None], second)

    def elementwise(
        self, first: NDArray[np.intp], second: NDArray[np.intp]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the numbers of boards won and tied by combos against the corresponding ones.

        Args:
            first: combo numbers.
            second: opposing combo numbers; the two arrays are broadcast.
        """
        won, tied, start, view, column = self._flat
        index = start[first] + column[view[first], second]
        return won[index], tied[index]

    def match_up(self, first: int, second: int) -> tuple[float, float]:
        """Return how many boards one combo wins and ties against another."""
        won, tied, start, view, column = self._flat
        index = start.item(first) + column.item(view.item(first), second)
        return won.item(index), tied.item(index)

    @cached_property
    def _flat(self) -> tuple[NDArray[Any], ...]:
        """The numbers of boards won and tied for all hand types, in flat arrays, with their index
        by combo.

        Wins and ties, ``(entry,)``; the first entry of each combo's class, ``(1326,)``; the
        view of each combo, ``(1326,)``; the columns of each view, ``(view, 1326)``.
        """
        start, view = np.zeros(COMBO_COUNT, dtype=np.intp), np.zeros(COMBO_COUNT, dtype=np.intp)
        entries = views = 0
        for shape in shapes():
            size = len(shape.opponents)
            own = shape.row >= 0
            start[own] = entries + shape.row[own] * size
            view[own] = views + shape.view[own]
            entries, views = entries + len(shape.heroes) * size, views + len(shape.column)
        column = np.concatenate([shape.column for shape in shapes()])
        won, tied = (
            np.concatenate([part.ravel() for part in parts]) for parts in (self.wins, self.ties)
        )
        return won, tied, start, view, column


@cache
def preflop_table() -> PreflopTable:
    """Return the preflop table, reading its file on the first call.

    This takes a few milliseconds.

    Raises:
        HoldemRuntimeError: the file is damaged.
    """
    # Imported here: most exact answers do not need these, which take 4 ms.
    import hashlib
    from pkgutil import get_data

    content = get_data(__name__, FILE) or b""
    found = hashlib.sha256(content).hexdigest()
    if found != _DIGEST:
        raise HoldemRuntimeError(
            f"the table of match-ups before the flop {FILE} is damaged (sha256 {found[:12]}…,"
            f" not {_DIGEST[:12]}…): install holdem again"
        )
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return PreflopTable(_by_shape(arrays["wins"]), _by_shape(arrays["ties"]))


def _by_shape(planes: NDArray[np.uint8]) -> tuple[NDArray[np.float64], ...]:
    """Combine the three bytes of each stored number; return a ``float64 (class, opponent)`` array
    for each hand type: pairs, suited and offsuit hands.
    """
    numbers = planes[0] + 256.0 * planes[1] + 65536.0 * planes[2]
    parts, start = [], 0
    for shape in shapes():
        size = (len(shape.heroes), len(shape.opponents))
        parts.append(numbers[start : start + size[0] * size[1]].reshape(size))
        start += size[0] * size[1]
    return tuple(parts)
