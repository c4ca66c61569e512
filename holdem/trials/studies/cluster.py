"""Computation of a study's spots on the workers of a Dask cluster.

The results are bit for bit those of a single machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.evaluation.registry import DEFAULT_EVALUATOR
from holdem.jobs.run import End, Job, Task, run
from holdem.odds.cluster.requests import Question, array_of_record, array_record
from holdem.odds.cluster.tasks import ClusterTasks
from holdem.odds.sampling.sampler import BLOCKS_PER_TASK, Sampler
from holdem.trials.studies.local_blocks import AddTallies
from holdem.trials.studies.schedule import BlockRange, RunningSpot, block_sizes
from holdem.trials.studies.study import StudySpot

_MOST_BLOCKS = 1 << 12  # of a range: their tallies are kept separately

#: Called with the number of a spot and its exact result, as a record.
AddExact: TypeAlias = Callable[[int, dict[str, Any]], None]


class ClusterSpots:
    """Computes spots, and blocks of deals, on the workers of a Dask cluster."""

    def __init__(self, tasks: ClusterTasks) -> None:
        self._tasks = tasks

    def answer_exactly(self, spots: Iterator[tuple[int, StudySpot]], add: AddExact) -> None:
        """Compute the spots that the plan answers exactly; skip those that it samples.

        Args:
            spots: the number of each spot, and the spot.
            add: called with each result, in the order of the spots.

        Raises:
            ClusterError: as for `ClusterTasks.results`.
            EvaluatorError: the evaluator failed; the message has the spot.
        """

        def pass_on(answer: tuple[int, dict[str, Any] | None]) -> None:
            number, record = answer
            if record is not None:
                add(number, record)

        tasks = (Task(_exact_question(number, spot), 1) for number, spot in spots)
        run(_ClusterJob(tasks, pass_on), 1, results=self._tasks.results)

    def blocks_per_range(self, spot: StudySpot) -> int:
        """Return the number of blocks of deals that a worker should tally at a time."""
        least = BLOCKS_PER_TASK if spot.evaluator == DEFAULT_EVALUATOR else 1
        size = int(self._tasks.size_of_request(_kind(spot)))
        return max(least, min(size, _MOST_BLOCKS))

    def compute(
        self, ranges: Iterator[BlockRange], add: AddTallies, seconds: float | None = None
    ) -> NDArray[np.int64] | None:
        """Tally blocks of deals on the cluster; see
        `holdem.trials.studies.local_blocks.BlockSource`.

        The first range is waited for even if it takes longer than `seconds`. Ranges are finished
        as a whole or not at all.

        Raises:
            ClusterError: as for `ClusterTasks.results`.
            EvaluatorError: the evaluator failed; the message has the spot.
        """

        def pass_on(answer: tuple[RunningSpot, NDArray[np.int64]]) -> None:
            add(*answer)

        tasks = (Task(_blocks_question(each), len(each.sizes)) for each in ranges)
        run(_ClusterJob(tasks, pass_on), 1, seconds=seconds, results=self._tasks.results)
        return None


class _ClusterJob(Job[Any, None]):
    """Job that passes on the results of tasks."""

    unit = "tasks"

    def __init__(self, tasks: Iterator[Task[Any]], pass_on: Callable[[Any], None]) -> None:
        self._tasks = tasks
        self._pass_on = pass_on

    def tasks(self) -> Iterator[Task[Any]]:
        """Return the tasks."""
        return self._tasks

    def add(self, part: Any) -> bool:
        """Pass on the result of the next task."""
        self._pass_on(part)
        return False

    def answer(self, end: End) -> None:
        """Return nothing, because the results were passed on one by one."""


def _kind(spot: StudySpot) -> str:
    return f"blocks of {len(spot.players)} players by {spot.evaluator}"


def _exact_question(number: int, spot: StudySpot) -> Question[tuple[int, dict[str, Any] | None]]:
    return Question(
        {"spot": spot.to_dict()},
        answer_spot,
        lambda record: (number, record),
        partial(spot.error, number),
        "exact spots",
    )


def answer_spot(question: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the exact result of a spot as a record; None if the plan samples it."""
    query = StudySpot.from_dict(question["spot"]).query(workers=1)
    return query.answer().to_dict() if query.plan.method == "exact" else None


def _blocks_question(blocks: BlockRange) -> Question[tuple[RunningSpot, NDArray[np.int64]]]:
    running = blocks.running
    return Question(
        {"spot": running.spot.to_dict(), "first": blocks.first, "deals": sum(blocks.sizes)},
        answer_blocks,
        lambda record: (running, array_of_record(record).astype(np.int64)),
        partial(running.spot.error, running.number),
        _kind(running.spot),
        is_needed=lambda: running.state.stop is None,
    )


def answer_blocks(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tallies of consecutive blocks of a spot's deals as a record."""
    sampler = _sampler(StudySpot.from_dict(question["spot"]))
    return array_record(sampler.count(question["first"], block_sizes(question["deals"])))


@lru_cache(maxsize=8)
def _sampler(spot: StudySpot) -> Sampler:
    return spot.sampler()
