"""Tables for numbering hands up to suit permutations, which the kernels read.

Each suit of a hand is a pair: the ranks of its hole cards and those of its board cards. A table
gives every pair a *code*, its kind (how many of each) above a number within the kind. A hand up
to suit permutations is the multiset of the codes of its four suits. The kinds of the four suits,
sorted, are one of a few *patterns*. Each has an offset, from which its hands are numbered: suits
of equal kinds as multisets, different ones independently.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

HOLE_CARDS = 2
_MOST_BOARD_CARDS = 5
#: The kinds of a suit: how many hole cards and how many board cards it has.
KINDS = [(hole, board) for hole in range(HOLE_CARDS + 1) for board in range(_MOST_BOARD_CARDS + 1)]
#: The bits of a code, of a pair of ranks and of a number below those that find its pattern.
LOW_BITS = 16


class Codes(NamedTuple):
    """Tables that convert the hole and board ranks of one suit to a code and back."""

    rows: NDArray[np.uint32]
    """The row of each set of hole ranks in `codes`, as the index of its first item, ``uint32
    (ranks,)``."""
    columns: NDArray[np.uint16]
    """The column of each set of board ranks, ``uint16 (ranks,)``."""
    codes: NDArray[np.uint32]
    """``kind << 16 | number``, ``uint32 (row * column,)``."""
    starts: NDArray[np.uint32]
    """The index of the first pair of each kind in `pairs`, ``uint32 (kind,)``."""
    pairs: NDArray[np.uint32]
    """Hole ranks ``<< 16 |`` board ranks, by kind and number, ``uint32 (pair,)``."""


class Numbering(NamedTuple):
    """A numbering of hands up to suit permutations. Created by `make_numbering`."""

    codes: Codes
    pattern_of_kinds: NDArray[np.uint8]
    """The pattern of the kinds a >= b >= c >= d, at ``a + 18 * (b + 18 * c)``, ``uint8 (…,)``."""
    radices: NDArray[np.uint32]
    """The factors between the numbers of the four suits, ``uint32 (pattern, 4)``. The first is
    not used; after a suit of the same kind they are 1."""
    kinds: NDArray[np.uint8]
    """The kinds of the suits, highest first, ``uint8 (pattern, 4)``."""
    bounds: NDArray[np.uint64]
    """The first number of each pattern, and the size, ``uint64 (pattern + 1,)``."""
    near: NDArray[np.uint8]
    """The pattern of each multiple of 2^16, ``uint8 (number >> 16,)``."""

    @property
    def size(self) -> int:
        """The number of hands up to suit permutations."""
        return int(self.bounds[-1])


@cache
def make_numbering(hole_cards: int, board_cards: int) -> Numbering:
    """Number the hands with the given numbers of cards. With 0 hole cards, these are boards."""
    codes = _make_codes()
    counts = np.diff([*codes.starts.tolist(), len(codes.pairs)]).tolist()
    patterns, radices, sizes = [], [], []
    for kinds in combinations_with_replacement(range(len(KINDS) - 1, -1, -1), 4):
        holes, boards = zip(*(KINDS[kind] for kind in kinds), strict=True)
        if (sum(holes), sum(boards)) != (hole_cards, board_cards):
            continue
        own = [1] * 4
        for suit, kind in enumerate(kinds):
            if suit == kinds.index(kind):  # the first of its kind
                own[suit] = comb(counts[kind] + kinds.count(kind) - 1, kinds.count(kind))
        patterns.append(kinds)
        radices.append(own)
        sizes.append(prod(own))
    bounds = np.cumsum([0, *sizes]).astype(np.uint64)
    kinds_of_patterns = np.array(patterns, dtype=np.uint8)
    pattern_of_kinds = np.zeros(len(KINDS) ** 3, dtype=np.uint8)
    keys = kinds_of_patterns[:, :3].astype(np.intp) @ len(KINDS) ** np.arange(3)
    pattern_of_kinds[keys] = np.arange(len(patterns))
    steps = np.arange(0, int(bounds[-1]), 1 << LOW_BITS, dtype=np.uint64)
    near = (np.searchsorted(bounds, steps, side="right") - 1).astype(np.uint8)
    return Numbering(
        codes, pattern_of_kinds, np.array(radices, dtype=np.uint32), kinds_of_patterns, bounds, near
    )


@cache
def _make_codes() -> Codes:
    sets = [
        [sum(1 << rank for rank in ranks) for ranks in combinations(range(13), size)]
        for size in range(_MOST_BOARD_CARDS + 1)
    ]
    holes = np.concatenate(sets[: HOLE_CARDS + 1])
    boards = np.concatenate(sets)
    rows, columns = np.zeros(1 << 13, dtype=np.uint32), np.zeros(1 << 13, dtype=np.uint16)
    rows[holes] = np.arange(len(holes)) * len(boards)
    columns[boards] = np.arange(len(boards))
    sizes = np.bitwise_count(holes)[:, None], np.bitwise_count(boards)
    codes = np.zeros((len(holes), len(boards)), dtype=np.uint32)
    starts: list[int] = []
    pairs: list[NDArray[np.int64]] = []
    for kind, (hole, board) in enumerate(KINDS):
        fits = (sizes[0] == hole) & (sizes[1] == board) & (holes[:, None] & boards == 0)
        row, column = np.nonzero(fits)
        codes[row, column] = kind << LOW_BITS | np.arange(len(row))
        starts.append(sum(map(len, pairs)))
        pairs.append(holes[row] << LOW_BITS | boards[column])
    return Codes(
        rows,
        columns,
        codes.ravel(),
        np.array(starts, dtype=np.uint32),
        np.concatenate(pairs).astype(np.uint32),
    )
