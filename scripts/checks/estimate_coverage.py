"""Measure the coverage of the 95 % intervals of `estimate` in runs that stop by their error.

Each question is asked with thousands of seeds, and its exact answer is a fraction that was counted
by hand. The coverage must be at least 94 %; 93 % with a bound so close to the error of a number of
tables that chance decides whether one more is dealt.

    python scripts/checks/estimate_coverage.py [--seeds 2000]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

import holdem
from holdem.jobs.run import Task, ordered_results
from holdem.jobs.workers import Workers

FIRST_SEED = 1_000

Table = holdem.HandTable


def _flop_ranks(table: Table) -> NDArray[Any]:
    """Return the ranks of the flops, ``uint8 (hand, 3)``."""
    return table.board[:, :3] >> 2


def _is_red(table: Table) -> Any:
    return np.isin(table.board[:, 0] & 3, (1, 2))


def _count_flop(rank: int, table: Table) -> NDArray[Any]:
    found: NDArray[Any] = np.count_nonzero(_flop_ranks(table) == rank, axis=1)
    return found


def _flops_set_or_better(table: Table) -> Any:
    return _count_flop(5, table) > 0


def _flops_quads(table: Table) -> Any:
    return _count_flop(5, table) == 2


def _flops_straight_flush(table: Table) -> NDArray[Any]:
    """Test for a flop that makes a straight flush with Jh Th."""
    ranks, is_heart = table.board[:, :3] >> 2, (table.board[:, :3] & 3) == 2
    known = (1 << ranks.astype(np.int64)).sum(axis=1) | 1 << 9 | 1 << 8
    runs = sum((known & 31 << at == 31 << at) for at in range(5, 9))
    found: NDArray[Any] = is_heart.all(axis=1) & (runs > 0)
    return found


def _is_trips(table: Table) -> Any:
    ranks = _flop_ranks(table)
    return (ranks[:, 0] == ranks[:, 1]) & (ranks[:, 1] == ranks[:, 2])


def _is_monotone(table: Table) -> Any:
    suits = table.board[:, :3] & 3
    return (suits[:, 0] == suits[:, 1]) & (suits[:, 1] == suits[:, 2])


def _aces_on_board(table: Table) -> NDArray[Any]:
    found: NDArray[Any] = np.count_nonzero(table.board >> 2 == 12, axis=1)
    return found


def _highest_card(table: Table) -> Any:
    return _flop_ranks(table).max(axis=1).astype(np.float64)


def _jackpot(chance: Callable[[Table], NDArray[np.bool_]], table: Table) -> Any:
    return 1000.0 * chance(table)


_FLOPS = comb(50, 3)  # with one player's hole cards known
_HIGHEST = Fraction(sum(r * (comb(4 * r + 4, 3) - comb(4 * r, 3)) for r in range(13)), comb(52, 3))


@attrs.frozen
class Question:
    """A question whose exact answer is known."""

    name: str
    ask: Callable[[Table], NDArray[Any]]
    exact: Fraction
    stderr: float
    seats: tuple[str, ...] = ("random",)
    given: Callable[[Table], NDArray[np.bool_]] | None = None
    lowest: float = 0.94
    """The coverage that is required."""
    is_relative: bool = False
    """Whether the bound is the error as a part of the mean; `stderr` is what it should become."""


QUESTIONS = (
    Question("first card red", _is_red, Fraction(1, 2), 0.0014),
    Question(
        "first card red, with the worst bound",
        _is_red,
        Fraction(1, 2),
        0.00138106,
        lowest=0.93,
    ),
    Question(
        "77 flops three sevens or better",
        _flops_set_or_better,
        1 - Fraction(comb(48, 3), _FLOPS),
        0.0009,
        ("7c7d",),
    ),
    Question("77 flops four sevens", _flops_quads, Fraction(48, _FLOPS), 0.0001, ("7c7d",)),
    Question("flop of one rank", _is_trips, Fraction(52, comb(52, 3)), 0.00012),
    Question(
        "JTs flops a straight flush",
        _flops_straight_flush,
        Fraction(4, _FLOPS),
        0.00003,
        ("JhTh",),
    ),
    Question(
        "JTs flops a straight flush, to a tenth of itself",
        _flops_straight_flush,
        Fraction(4, _FLOPS),
        0.1 * 4 / _FLOPS,
        ("JhTh",),
        is_relative=True,
    ),
    Question(
        "four sevens, given three or better on the flop",
        _flops_quads,
        Fraction(48, _FLOPS - comb(48, 3)),
        0.0009,
        ("7c7d",),
        _flops_set_or_better,
    ),
    Question(
        "77 flops four sevens, given a red first card",
        _flops_quads,
        Fraction(48, _FLOPS),
        0.00015,
        ("7c7d",),
        _is_red,
    ),
    Question(
        "number of aces on the board, against AK",
        _aces_on_board,
        Fraction(3, 10),
        0.0014,
        ("AcKd",),
    ),
    Question("highest card of the flop, 0 to 12", _highest_card, _HIGHEST, 0.006),
    Question(
        "number of aces on the board, given a flop of one suit",
        _aces_on_board,
        Fraction(5, 13),
        0.007,
        given=_is_monotone,
    ),
    Question(
        "1,000 for four sevens on the flop",
        partial(_jackpot, _flops_quads),
        Fraction(48_000, _FLOPS),
        0.1,
        ("7c7d",),
    ),
    Question(
        "1,000 for a straight flush on the flop",
        partial(_jackpot, _flops_straight_flush),
        Fraction(4_000, _FLOPS),
        0.03,
        ("JhTh",),
    ),
)


@attrs.frozen
class Found:
    """The coverage measured for a question."""

    question: Question
    coverage: float
    hands: float
    """The mean number of hands dealt."""
    counted: float
    """The mean number of hands that met the condition."""
    width: float
    """The mean width of the interval, in standard errors as asked for."""


def measure(question: Question, seeds: int, workers: int) -> Found:
    """Ask a question with many seeds, and count how often the interval has the exact answer."""
    tasks = (
        Task(partial(_ask, question, seed), 1) for seed in range(FIRST_SEED, FIRST_SEED + seeds)
    )
    with Workers(workers) as pool:
        # axes: seed, (low, high, dealt, counted)
        rows = np.array([result for _, result, _ in ordered_results(tasks, pool)])
    exact = float(question.exact)
    covered = (rows[:, 0] <= exact) & (exact <= rows[:, 1])
    width = float((rows[:, 1] - rows[:, 0]).mean()) / question.stderr
    return Found(
        question, float(covered.mean()), float(rows[:, 2].mean()), float(rows[:, 3].mean()), width
    )


def _ask(question: Question, seed: int, _: Workers) -> tuple[float, float, int, int]:
    found = holdem.estimate(
        question.ask,
        *question.seats,
        given=question.given,
        stderr=None if question.is_relative else question.stderr,
        relative=question.stderr / float(question.exact) if question.is_relative else None,
        seed=seed,
        workers=1,
    )
    return (*found.ci95, found.dealt, found.hands)


def main() -> None:
    """Print a line for each question; exit with 1 if a coverage is too low."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=2_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", default="", help="questions whose name has this text")
    options = parser.parse_args()
    failures = 0
    for question in QUESTIONS:
        if options.only not in question.name:
            continue
        found = measure(question, options.seeds, options.workers)
        failures += found.coverage < question.lowest
        row = [
            question.name,
            f"{float(question.exact):.6g}",
            f"{question.stderr:g}",
            f"{found.hands:,.0f}",
            f"{found.counted:,.0f}",
            f"{100 * found.coverage:.2f}",
            f"{found.width:.2f}",
        ]
        print(*row, sep=" | ", flush=True)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
