"""Kernels that rank combos on boards and compare every two of them.

Strengths are ``int16 (board, combo)``, because 16 of them fit into a vector of 256 bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.jit.decorators import inlined, kernel
from holdem.odds.exact.ranked_combos_kernels import rank_every_combo

_BLOCK = 16  # boards; a multiple of 4


@inlined
def _write(board: int, combo: int, strength: np.uint16, strengths: NDArray[np.int16]) -> None:
    strengths[board, combo] = strength


@kernel
def rank_on_boards(boards: CardArray, holes: CardArray, strengths: NDArray[np.int16]) -> None:
    """Rank each combo on each board with the default evaluator.

    Args:
        boards: ``uint8 (board, 5)``.
        holes: the cards of each combo, ``uint8 (combo, 2)``.
        strengths: the result, ``int16 (board, combo)``; not written where a combo shares a card
            with the board.
    """
    rank_every_combo(boards, holes, _write, strengths)


@kernel
def count_wins_and_ties(
    rows: NDArray[np.int16],
    columns: NDArray[np.int16],
    wins: NDArray[np.int16],
    ties: NDArray[np.int16],
) -> None:
    """Count the boards on which each row's combo beats, and on which it ties, each column's.

    LLVM makes vector code of the inner loop. It compares on four boards at a time, which halves
    the time, because wins and ties are loaded and stored once for all four. The boards of a
    block stay in the first-level cache.

    Args:
        rows: strengths of the rows' combos, ``int16 (board, row)``; below all strengths where a
            combo is blocked. The number of boards is a multiple of 4, and at most 32,764.
        columns: strengths of the columns' combos, ``int16 (board, column)``; above all
            strengths where a combo is blocked.
        wins: added to, ``int16 (row, column)``.
        ties: added to, ``int16 (row, column)``.
    """
    count, size = len(rows), columns.shape[1]
    for first in range(0, count, _BLOCK):
        last = min(count, first + _BLOCK)
        for row in range(rows.shape[1]):
            for board in range(first, last, 4):
                a, b = rows[board, row], rows[board + 1, row]
                c, d = rows[board + 2, row], rows[board + 3, row]
                for column in range(size):
                    e, f = columns[board, column], columns[board + 1, column]
                    g, h = columns[board + 2, column], columns[board + 3, column]
                    wins[row, column] += (
                        np.int16(a > e) + np.int16(b > f) + np.int16(c > g) + np.int16(d > h)
                    )
                    ties[row, column] += (
                        np.int16(a == e) + np.int16(b == f) + np.int16(c == g) + np.int16(d == h)
                    )
