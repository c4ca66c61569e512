"""Where a match-up stands in the table before the flop.

Suits can be renamed, so one combo stands for each of the 169 classes: ``AsAh``, ``AsKs``,
``AsKh``. The renamings that leave that combo as it is (4 for a pair, 6 suited, 2 offsuit)
also make some opposing combos the same; what is left are the *opponents* of the class. Pairs
have 507 of them, suited hands 416 and offsuit hands 832, the same for each class of a shape.
"""

from __future__ import annotations

from functools import cache

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.odds.symmetry.suit_permutations import renamed_combos
from holdem.ranges.combos import CLASS_OF_COMBO, COMBO_CARDS, COMBO_COUNT


@attrs.frozen(eq=False)
class Shape:
    """The part of the table that one shape of hands has: pairs, suited or offsuit hands."""

    heroes: NDArray[np.intp]
    """The combo that stands for each class, ``intp (class,)``."""

    opponents: NDArray[np.intp]
    """A combo of each kind of opponent, ``intp (opponent,)``."""

    row: NDArray[np.intp]
    """The class of each combo of this shape, ``intp (1326,)``: its row; -1 for others."""

    view: NDArray[np.intp]
    """By which renaming each combo becomes the hero of its class, ``intp (1326,)``: its
    place among those the shape needs (one for each choice of suits); -1 for others."""

    column: NDArray[np.intp]
    """The opponent that each combo is in each view, ``intp (view, 1326)``."""


@cache
def shapes() -> tuple[Shape, ...]:
    """Return the shapes in the order of the file: pairs, suited, offsuit."""
    high, low = COMBO_CARDS.T
    pair, suited = high >> 2 == low >> 2, high & 3 == low & 3
    return _shape(pair), _shape(suited), _shape(~pair & ~suited)


def _shape(mine: NDArray[np.bool_]) -> Shape:
    renamed = renamed_combos()
    combos = np.flatnonzero(mine)
    # The highest combo of each class stands for it.
    heroes = np.zeros(169, dtype=np.intp)
    heroes[CLASS_OF_COMBO[combos]] = combos
    classes, row_of = np.unique(CLASS_OF_COMBO[combos], return_inverse=True)
    heroes = heroes[classes]
    keeping = np.flatnonzero(renamed[:, heroes[0]] == heroes[0])
    opponents, kind = np.unique(renamed[keeping].min(axis=0), return_inverse=True)
    # Which renaming, the first of several, takes each combo to its hero.
    renamings, view_of = np.unique(
        (renamed[:, combos] == heroes[row_of]).argmax(axis=0), return_inverse=True
    )
    row, view = np.full(COMBO_COUNT, -1, dtype=np.intp), np.full(COMBO_COUNT, -1, dtype=np.intp)
    row[combos], view[combos] = row_of, view_of
    return Shape(heroes, opponents, row, view, kind[renamed[renamings]])
