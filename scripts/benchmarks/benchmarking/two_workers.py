"""Speed-up by a second worker, on questions that take over a second."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from functools import partial

import holdem
from benchmarking.goals import FASTER, TEXT
from benchmarking.measure import Job, Measurement, Row, timed
from benchmarking.sampling import sampled
from holdem.jobs.run import run
from holdem.odds.exact.board_classes import BoardClasses
from holdem.odds.spot import make_spot

SECTION = "Two workers"
_WORDS = {1: "one worker", 2: "two workers"}


def jobs(quick: bool, cores: set[int]) -> Iterator[Job]:
    """Yield the jobs; none on a machine with one core.

    Args:
        quick: a small one only.
        cores: the processor cores that may be used.
    """
    if len(cores) < 2:
        return
    deals = 20_000_000 if quick else 1_000_000_000

    def monte_carlo(workers: int, number: int) -> None:
        sampled(("AsKs", "random"), deals, number, workers)

    def dead_card(workers: int, number: int) -> None:
        dead = str(holdem.Card(4 * number))
        holdem.equity("random", "random", dead=dead, method="exact", workers=workers)

    def three_random(workers: int, _number: int) -> None:
        spot = make_spot(("random", "random", "random"))
        run(BoardClasses(spot), workers)  # the answer itself is from a table

    def job(key: str, title: str, ask: Callable[[int, int], None], repetitions: int) -> Job:
        find = partial(_compare, key, title, ask, repetitions, cores)
        return Measurement(key, SECTION, find)

    title = f"{deals:,} deals A♠K♠ v random"
    yield job("two workers, Monte Carlo", title, monte_carlo, 3)
    if not quick:
        title = "random v random before the flop, one dead card"
        yield job("two workers, dead card", title, dead_card, 5)
        title = "classes of boards: three random hands before the flop"
        yield job("two workers, three random", title, three_random, 1)


def _compare(
    key: str, title: str, ask: Callable[[int, int], None], repetitions: int, cores: set[int]
) -> list[Row]:
    """Return the speed-up by two workers, and the times."""
    bound = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    taken: dict[int, list[float]] = {1: [], 2: []}
    try:
        for number in range(repetitions):
            for workers, times in taken.items():
                begun = time.perf_counter()
                ask(workers, number)
                times.append(time.perf_counter() - begun)
    finally:
        os.sched_setaffinity(0, bound)
    ratios = [one / two for one, two in zip(taken[1], taken[2], strict=True)]
    both = [timed(f"{TEXT}, {words}", taken[n], ours=True) for n, words in _WORDS.items()]
    return [
        Row(key, SECTION, title, "times", [timed(FASTER, ratios, ours=True)]),
        Row(f"{key}, time", SECTION, f"{title}: seconds", "s", both),
    ]
