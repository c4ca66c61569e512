"""Computation of a study's sampled blocks of deals by threads of this machine."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.errors import EvaluatorError
from holdem.evaluation.registry import DEFAULT_EVALUATOR
from holdem.jobs.run import BatchSize, End, Job, Task, run
from holdem.jobs.workers import in_worker_thread
from holdem.odds.sampling.block_tasks import BlockPart, BlockSums, block_tasks
from holdem.odds.sampling.sampler import BLOCKS_PER_TASK, Sampler
from holdem.trials.studies.schedule import BlockRange, RunningSpot
from holdem.trials.studies.study import StudySpot

_CACHED_SAMPLERS = 32  # the tables of a sampler can take some megabytes

#: Called with a spot and the tallies of its next blocks, ``int64 (block, size)``.
AddTallies: TypeAlias = Callable[[RunningSpot, NDArray[np.int64]], None]


class BlockSource(Protocol):
    """Protocol for tallying blocks of deals, on this machine or elsewhere."""

    def blocks_per_range(self, spot: StudySpot) -> int:
        """Return the number of blocks of a spot's deals that should be tallied together."""

    def compute(
        self, ranges: Iterator[BlockRange], add: AddTallies, seconds: float | None = None
    ) -> NDArray[np.int64] | None:
        """Tally ranges of blocks of deals, and pass the tallies to `add` in the same order.

        Args:
            ranges: what to compute; may be endless. All spots have the same evaluator, except on
                a cluster.
            add: called with the tallies.
            seconds: when to stop; None for no limit.

        Returns:
            The tally of the finished deals of an unfinished block, ``int64 (size,)``, if time ran
            out; None if there are none.
        """


class LocalBlocks:
    """Block source that tallies blocks of deals on this machine."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._sampler = lru_cache(_CACHED_SAMPLERS)(_make_sampler)

    def blocks_per_range(self, spot: StudySpot) -> int:
        """Return the number of blocks of a spot's deals that should be tallied together.

        They take some milliseconds with the default evaluator.
        """
        return BLOCKS_PER_TASK if spot.evaluator == DEFAULT_EVALUATOR else 1

    def compute(
        self, ranges: Iterator[BlockRange], add: AddTallies, seconds: float | None = None
    ) -> NDArray[np.int64] | None:
        """Tally blocks of deals on this machine; see `BlockSource`.

        Raises:
            EvaluatorError: the evaluator failed; the message has the spot.
        """
        first = next(ranges, None)
        if first is None:
            return None
        job = _BlockJob(first, ranges, self._sampler, add)
        try:
            return run(job, self._workers, seconds=seconds)
        except EvaluatorError as error:
            running = job.pending[0] if job.pending else first.running
            raise running.spot.error(running.number, error) from error


def _make_sampler(spot: StudySpot) -> Sampler:
    return in_worker_thread(spot.sampler)


class _BlockJob(Job[BlockPart, NDArray[np.int64] | None]):
    """Job that tallies ranges of blocks of deals.

    Attributes:
        pending: the spot of each tally that is still to come, in order.
    """

    unit = "deals"
    batch_size: BatchSize

    def __init__(
        self,
        first: BlockRange,
        ranges: Iterator[BlockRange],
        sampler: Callable[[StudySpot], Sampler],
        add: AddTallies,
    ) -> None:
        self.batch_size = BatchSize()
        self.pending = deque[RunningSpot]()
        self._first = first
        self._ranges = ranges
        self._sampler = sampler
        self._add = add
        self._sums = BlockSums()

    def prepare(self) -> None:
        """Load the evaluator and prepare the sampler of the first spot."""
        self._sampler(self._first.running.spot).spot.evaluator.load()

    def tasks(self) -> Iterator[Task[BlockPart]]:
        """Yield the tasks that tally the ranges of blocks of deals."""
        for blocks in chain([self._first], self._ranges):
            sampler = self._sampler(blocks.running.spot)
            tallies = 1 if sampler.spot.evaluator.is_fused else len(blocks.sizes)
            self.pending.extend([blocks.running] * tallies)
            yield from block_tasks(sampler, blocks.first, blocks.sizes, self.batch_size)

    def add(self, part: BlockPart) -> bool:
        """Add the next partial result, and pass on the tallies of completed blocks."""
        tallies = self._sums.add(part)
        if tallies is not None:
            self._add(self.pending.popleft(), tallies)
        return False

    def answer(self, end: End) -> NDArray[np.int64] | None:
        """Return the tally of an unfinished block's deals if time ran out; None otherwise."""
        return self._sums.rest if end == "time" else None
