"""Make the table of all match-ups before the flop: ``preflop.npz``.

Every class of starting hands is played against every canonical opposing combo, over all
1,712,304 boards. Up to suit permutations and order there are 47,008 match-ups of two holes;
most are in the table twice, once for each player, and both are checked to agree. The file
holds ``wins`` and ``ties``, each as three planes of bytes (the lowest first), one number for
each class and opponent in the order of `holdem.odds.exact.preflop_table`. Run it from the
checkout; it prints the checksum to put into ``holdem/odds/exact/preflop_table.py``:

    python scripts/make/make_preflop_table.py
"""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdem.evaluation.builtin.lookup_tables import tables_of
from holdem.odds.exact.known_hands import count_known_hands, order_by_ranks
from holdem.odds.exact.preflop_table import list_shapes
from holdem.odds.symmetry import permuted_combos
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, COMBO_SETS
from holdem.rules import STANDARD

BOARDS = 1_712_304  # C(48, 5)
OUTPUT = Path(__file__).parents[2] / "holdem" / "odds" / "exact" / "preflop.npz"


def match_ups() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the two combos of every entry of the table, ``intp (entry,)`` each."""
    heroes = [np.repeat(shape.heroes, len(shape.opponents)) for shape in list_shapes()]
    opponents = [np.tile(shape.opponents, len(shape.heroes)) for shape in list_shapes()]
    return np.concatenate(heroes), np.concatenate(opponents)


def planes(numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Split numbers below 2^24 into planes of bytes, ``uint8 (3, entry)``.

    Compressed, planes are a quarter smaller.
    """
    return np.stack([numbers >> 8 * place & 0xFF for place in range(3)]).astype(np.uint8)


def main() -> None:
    """Make the file and print its checksum."""
    heroes, opponents = match_ups()
    apart = (COMBO_SETS[heroes] & COMBO_SETS[opponents]) == 0
    codes = heroes[apart] * COMBO_COUNT + opponents[apart]
    turned = opponents[apart] * COMBO_COUNT + heroes[apart]
    counted = np.zeros((len(heroes), 4), dtype=np.int64)
    holes = COMBO_CARDS[np.stack([heroes, opponents], axis=1)]
    rows = np.flatnonzero(apart)
    rows = rows[order_by_ranks(holes[rows])]
    counted[rows] = count_known_hands(tables_of(STANDARD).seven, holes[rows])
    assert bool((counted[apart].sum(axis=1) == BOARDS).all())

    # The match-up with the players swapped, up to suits: its code is the smallest of 24.
    images = permuted_combos()

    def smallest(code: NDArray[np.intp]) -> NDArray[np.intp]:
        first, second = code // COMBO_COUNT, code % COMBO_COUNT
        least: NDArray[np.intp] = (images[:, first] * COMBO_COUNT + images[:, second]).min(axis=0)
        return least

    order = np.argsort(smallest(codes))
    found = counted[apart][order]
    other = np.searchsorted(smallest(codes)[order], smallest(turned)[order])
    assert bool((found[:, [2, 1, 3]] == found[other][:, [1, 2, 3]]).all())
    matchups = len(np.unique(np.minimum(smallest(codes), smallest(turned))))

    np.savez_compressed(OUTPUT, wins=planes(counted[:, 1]), ties=planes(counted[:, 3]))
    print(f"{matchups:,} match-ups, {len(heroes):,} entries")
    content = OUTPUT.read_bytes()
    print(f"{OUTPUT}: {len(content)} bytes, CRC-32 {zlib.crc32(content):08X}")


if __name__ == "__main__":
    main()
