"""The layout of the precomputed table of preflop match-ups.

Up to suit permutations, one combo represents each of the 169 classes: ``AsAh``, ``AsKs``,
``AsKh``. The permutations that fix that combo (4 for a pair, 6 suited, 2 offsuit) also map
opposing combos to each other; one of each orbit, the canonical one, is an *opponent* of the
class. Pairs have 507 opponents, suited hands 416 and offsuit hands 832, for each class.
"""

from __future__ import annotations

from functools import cache

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.odds.symmetry.suit_permutations import permuted_combos
from holdem.ranges.combos import CLASS_OF_COMBO, COMBO_CARDS, COMBO_COUNT


@attrs.frozen(eq=False)
class Shape:
    """The layout of the preflop table's part for one hand type: pairs, suited or offsuit hands."""

    heroes: NDArray[np.intp]
    """The combo that represents each class, ``intp (class,)``."""

    opponents: NDArray[np.intp]
    """The canonical opposing combos, ``intp (opponent,)``."""

    row: NDArray[np.intp]
    """The row of each combo's class, ``intp (1326,)``; -1 for combos of other shapes."""

    view: NDArray[np.intp]
    """The view of each combo, ``intp (1326,)``; -1 for combos of other shapes. A view is a suit
    permutation that maps the combo to the hero of its class, one for each choice of suits."""

    column: NDArray[np.intp]
    """The opponent that each view maps each opposing combo to, ``intp (view, 1326)``."""


@cache
def shapes() -> tuple[Shape, ...]:
    """Return the preflop table's layout for each hand type: pairs, suited and offsuit hands."""
    high, low = COMBO_CARDS.T
    pair, suited = high >> 2 == low >> 2, high & 3 == low & 3
    return _shape(pair), _shape(suited), _shape(~pair & ~suited)


def _shape(own: NDArray[np.bool_]) -> Shape:
    images = permuted_combos()
    combos = np.flatnonzero(own)
    # The highest combo of each class represents it.
    heroes = np.zeros(169, dtype=np.intp)
    heroes[CLASS_OF_COMBO[combos]] = combos
    classes, row_of = np.unique(CLASS_OF_COMBO[combos], return_inverse=True)
    heroes = heroes[classes]
    fixing = np.flatnonzero(images[:, heroes[0]] == heroes[0])
    opponents, opponent_of = np.unique(images[fixing].min(axis=0), return_inverse=True)
    # The first permutation that maps each combo to its hero.
    permutations, view_of = np.unique(
        (images[:, combos] == heroes[row_of]).argmax(axis=0), return_inverse=True
    )
    row, view = np.full(COMBO_COUNT, -1, dtype=np.intp), np.full(COMBO_COUNT, -1, dtype=np.intp)
    row[combos], view[combos] = row_of, view_of
    return Shape(heroes, opponents, row, view, opponent_of[images[permutations]])
