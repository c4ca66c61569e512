"""Matrices of all combos against all, and the time of a loop over the same match-ups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

import holdem
from benchmarking import peers
from benchmarking.goals import MATRIX
from benchmarking.measure import Job, Program, Work
from holdem.ranges.combos import COMBO_SETS, COMBO_TEXT

SECTION = "Equity matrices"
_SEED = 20
_COMPARED = 2  # match-ups of which all programs compute the equities


@attrs.frozen(eq=False)
class Matrix:
    """A board and some of the match-ups of the matrix on it."""

    board: tuple[holdem.Card, ...]
    cells: NDArray[np.intp]
    """Combo numbers of match-ups, ``intp (match-up, 2)``."""


_NOTE = (
    "loops run over 1,000 to 3,000 match-ups, 3 with poker_equity before the flop, and their time"
    f" is scaled to all of them; {_COMPARED} equities of each are compared"
)


@lru_cache(maxsize=1)  # programs that do the same work run in turn
def _matrix(street: int, few: int, number: int) -> Matrix:
    """Return a random board, another one for each number, and a few random match-ups on it."""
    generator = np.random.default_rng((_SEED, number))
    board = tuple(map(holdem.Card, generator.permutation(52)[:street].tolist()))
    used = np.uint64(sum(1 << card for card in board))
    cells = generator.integers(len(COMBO_SETS), size=(2 * few, 2))  # at least half are possible
    first, second = COMBO_SETS[cells.T]
    is_possible = (first & second | (first | second) & used) == 0
    return Matrix(board, cells[is_possible][:few])


def jobs() -> Iterator[Job]:
    """Yield the jobs."""
    for key, title, street, few in (
        ("before the flop", "before the flop", 0, 3000),
        ("flop", "on a flop", 3, 1000),
        ("turn", "on a turn", 4, 2000),
        ("river", "on a river", 5, 2000),
    ):
        yield _work(f"matrix, {key}", title, street, few)


def _work(key: str, title: str, street: int, few: int) -> Work:
    """Return work for `holdem.equity_matrix` and loops over match-ups of two combos.

    Args:
        key: the key of the row.
        title: the street, as the end of the title.
        street: the number of board cards.
        few: the number of match-ups of a loop, whose time is scaled to all of them.
    """
    free = (52 - street) * (51 - street) // 2
    count = free * (50 - street) * (49 - street) // 2

    def loop(name: str, ask: Callable[[list[str], str], float], size: int, ours: bool) -> Program:
        def questions(number: int) -> tuple[list[list[str]], str]:
            asked = _matrix(street, few, number)
            pairs = asked.cells[:size].tolist()
            board = " ".join(map(str, asked.board))
            return [[COMBO_TEXT[combo] for combo in pair] for pair in pairs], board

        def run(asked: tuple[list[list[str]], str]) -> list[float]:
            pairs, board = asked
            return [ask(pair, board) for pair in pairs]

        return Program(
            name, run, questions, size / count, ours=ours, figures=lambda found: found[:_COMPARED]
        )

    make = partial(_matrix, street, few)
    programs = [
        Program(MATRIX, _all_against_all, make, ours=True, figures=_compared),
        loop("a loop of holdem.equity", _ask, few, ours=True),
    ]
    if "poker_equity" in peers.installed():
        size = 3 if street == 0 else few
        programs.append(loop("a loop of poker_equity", _ask_poker_equity, size, ours=False))
    return Work(key, SECTION, f"every combo v every combo {title}", "s", programs, note=_NOTE)


def _all_against_all(asked: Matrix) -> tuple[Matrix, holdem.EquityMatrix]:
    board = asked.board
    matrix = holdem.equity_matrix("random", "random", board=board, workers=1)
    matrix.equity  # noqa: B018 - computed on first access
    return asked, matrix


def _compared(found: tuple[Matrix, holdem.EquityMatrix]) -> list[float]:
    asked, matrix = found
    pairs = [[COMBO_TEXT[combo] for combo in pair] for pair in asked.cells[:_COMPARED].tolist()]
    places = [(matrix.rows.index(first), matrix.columns.index(second)) for first, second in pairs]
    return [float(matrix.equity[place]) for place in places]


def _ask(pair: list[str], board: str) -> float:
    return float(holdem.equity(*pair, board=board, method="exact", workers=1).equities[0])


def _ask_poker_equity(pair: list[str], board: str) -> float:
    found: Any = peers.installed()["poker_equity"].exact_from_text("holdem", pair, board)
    return float(found["players"][0]["equity"])
