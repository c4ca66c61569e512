"""Spans of deal blocks, which are scheduled for several spots and tallied here or on Dask.

The number of deals that a standard error takes is not known in advance. So as many blocks of each
spot are scheduled as it is estimated to need, and workers go on with the next spot instead of
waiting for its end. Blocks beyond the end of a spot are dropped. Results do not depend on the
schedule, because the blocks of a spot are added in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache, partial
from itertools import chain
from math import ceil, inf
from typing import Any, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import EvaluatorError
from holdem.evaluation.registry import DEFAULT_EVALUATOR
from holdem.jobs.run import BatchSize, End, Job, Task
from holdem.jobs.workers import Workers, in_worker_thread
from holdem.odds.bounds import Bounds
from holdem.odds.dask_tasks import DaskTasks, Request, decode_array, encode_array
from holdem.odds.sampling.run import MIN_BLOCKS, BlockPart, BlockSums, RunState, make_block_tasks
from holdem.odds.sampling.sampler import BLOCK, BLOCKS_PER_TASK, Sampler
from holdem.trials.studies.study import StudySpot

_VARIANCE = 0.2  # assumed for a pot share before it is estimated; it is at most 0.25
_MOST_BLOCKS = 1 << 12  # of a span on a Dask cluster: their tallies are kept separately


@attrs.define(eq=False)
class RunningSpot:
    """A spot that is being sampled."""

    number: int
    """The index of the spot in the study."""
    spot: StudySpot
    state: RunState
    scheduled: int
    """The number of blocks scheduled so far, in this session or earlier ones."""

    @cached_property
    def sampler(self) -> Sampler:
        """The sampler that draws the deals on this machine."""
        return in_worker_thread(self.spot.sampler)

    @property
    def expected_blocks(self) -> float:
        """The estimated number of blocks of deals that the spot needs; infinite if unknown."""
        return estimate_blocks(self.spot.bounds, self.state)

    @property
    def most_blocks(self) -> float:
        """The largest number of blocks of deals that the spot can need; infinite if unlimited."""
        return inf if self.spot.deals is None else ceil(self.spot.deals / BLOCK)

    def tally(
        self, call: Callable[[Workers], BlockPart], workers: Workers
    ) -> tuple[RunningSpot, BlockPart]:
        """Make the call of a task that tallies deals of the spot.

        Raises:
            EvaluatorError: the evaluator failed; the message has the spot.
        """
        try:
            return self, call(workers)
        except EvaluatorError as error:
            raise self.spot.error(self.number, error) from error


#: Consecutive blocks of deals of one spot that are tallied together: the spot, the number of the
#: first block, and the number of deals of each block.
Span: TypeAlias = tuple[RunningSpot, int, tuple[int, ...]]


def estimate_blocks(bounds: Bounds, state: RunState | None = None) -> float:
    """Estimate the number of deal blocks that a sampled run needs; infinite if unknown.

    Args:
        bounds: when the run ends.
        state: the state of the run so far, if any.
    """
    blocks = inf if bounds.deals is None else ceil(bounds.deals / BLOCK)
    if bounds.stderr is not None:
        if state is not None and state.blocks >= MIN_BLOCKS:
            needed = ceil(state.blocks * (state.stderr / bounds.stderr) ** 2 * 1.01)
        else:
            needed = ceil(_VARIANCE / bounds.stderr**2 / BLOCK)
        blocks = min(blocks, max(needed, MIN_BLOCKS))
    return blocks


def schedule_spans(
    spots: Iterator[RunningSpot], blocks_per_span: Callable[[StudySpot], int]
) -> Iterator[Span]:
    """Yield the next spans to tally, until no spot can need more blocks of deals.

    Args:
        spots: the spots to sample; the next one is taken when the expected blocks of all earlier
            ones are scheduled.
        blocks_per_span: returns how many blocks of a spot should be computed together.
    """
    running: list[RunningSpot] = []
    while True:
        running = [each for each in running if each.state.stop is None]
        chosen = next((each for each in running if each.scheduled < each.expected_blocks), None)
        if chosen is None and (started := next(spots, None)) is not None:
            running.append(started)
            continue
        if chosen is None:  # no spots are left: too many blocks are better than idle workers
            chosen = next((each for each in running if each.scheduled < each.most_blocks), None)
        if chosen is None:
            return
        yield _schedule_next(chosen, blocks_per_span(chosen.spot))


def _schedule_next(running: RunningSpot, blocks: int) -> Span:
    """Schedule the next blocks of a spot's deals, at most `blocks`."""
    first = running.scheduled
    expected = running.expected_blocks
    # Beyond the expected end only a few at a time, because most of them will be dropped.
    limit = expected - first if first < expected else max(first // 8, BLOCKS_PER_TASK)
    blocks = int(min(blocks, limit))
    end = (first + blocks) * BLOCK
    if running.spot.deals is not None:
        end = min(end, running.spot.deals)
    running.scheduled += blocks
    return running, first, divide_into_blocks(end - first * BLOCK)


def divide_into_blocks(deals: int) -> tuple[int, ...]:
    """Divide deals into blocks, and return the number of deals in each block."""
    blocks, rest = divmod(deals, BLOCK)
    return (BLOCK,) * blocks + (rest,) * bool(rest)


#: Called with a spot and the tallies of its next blocks, ``int64 (block, size)``.
AddTallies: TypeAlias = Callable[[RunningSpot, NDArray[np.int64]], None]


class BlocksJob(Job[tuple[RunningSpot, BlockPart], NDArray[np.int64] | None]):
    """Job that tallies blocks of deals of several spots, in threads or on a Dask cluster."""

    unit = "deals"
    batch_size: BatchSize

    def __init__(
        self,
        first: RunningSpot,
        others: Iterator[RunningSpot],
        add: AddTallies,
        dask: DaskTasks | None,
    ) -> None:
        """Create the job.

        Args:
            first: the first spot to sample.
            others: the next ones. On this machine, all spots have the same evaluator.
            add: called with the tallies of each spot in the order of its blocks.
            dask: computes the tasks on a cluster; None on this machine.
        """
        self.batch_size = BatchSize()
        self._first = first
        self._others = others
        self._add = add
        self._dask = dask
        self._sums = BlockSums()

    def prepare(self) -> None:
        """Load the evaluator and prepare the sampler of the first spot."""
        if self._dask is None:
            self._first.sampler.spot.evaluator.load()

    def tasks(self) -> Iterator[Task[tuple[RunningSpot, BlockPart]]]:
        """Yield the tasks that tally the spans."""
        spots = chain([self._first], self._others)
        for running, first, sizes in schedule_spans(spots, self._choose_blocks):
            if self._dask is not None:
                yield Task(request_blocks(running, first, sizes), len(sizes))
                continue
            for task in make_block_tasks(running.sampler, first, sizes, self.batch_size):
                yield Task(partial(running.tally, task.call), task.size)

    def _choose_blocks(self, spot: StudySpot) -> int:
        """Choose how many blocks of a spot's deals to tally together.

        They take some milliseconds with the default evaluator. On a cluster they take as long as a
        batch of requests, once its speed is known.
        """
        least = BLOCKS_PER_TASK if spot.evaluator == DEFAULT_EVALUATOR else 1
        if self._dask is None:
            return least
        return max(least, min(int(self._dask.size_of_batch(_describe_kind(spot))), _MOST_BLOCKS))

    def add(self, part: tuple[RunningSpot, BlockPart]) -> bool:
        """Pass on the tallies of the blocks that a task's result completes."""
        running, tallied = part
        tallies = self._sums.add(tallied)
        if tallies is not None:
            self._add(running, tallies)
        return False

    def answer(self, end: End) -> NDArray[np.int64] | None:
        """Return the tally of the deals in an unfinished block if time ran out; None otherwise."""
        return self._sums.rest if end == "time" else None


def request_blocks(
    running: RunningSpot, first: int, sizes: tuple[int, ...]
) -> Request[tuple[RunningSpot, BlockPart]]:
    """Build the request to tally consecutive blocks of deals of a spot.

    Args:
        running: the spot.
        first: the number of the first block.
        sizes: the number of deals of each block.
    """
    spot = running.spot

    def read(tallies: NDArray[np.int64]) -> tuple[RunningSpot, BlockPart]:
        return running, BlockPart(tallies, is_last=True)

    return Request(
        lambda _: read(_get_sampler(spot).count(first, sizes)),
        lambda: {"spot": spot.to_dict(), "first": first, "deals": sum(sizes)},
        answer_blocks,
        lambda answer: read(decode_array(answer).astype(np.int64)),
        partial(spot.error, running.number),
        _describe_kind(spot),
        is_needed=lambda: running.state.stop is None,
    )


def answer_blocks(record: Mapping[str, Any]) -> dict[str, Any]:
    """Tally consecutive blocks of a spot's deals on a Dask worker, and encode the tallies."""
    sampler = _get_sampler(StudySpot.from_dict(record["spot"]))
    return encode_array(sampler.count(record["first"], divide_into_blocks(record["deals"])))


def _describe_kind(spot: StudySpot) -> str:
    return f"blocks of {len(spot.players)} players by {spot.evaluator}"


@lru_cache(maxsize=8)
def _get_sampler(spot: StudySpot) -> Sampler:
    return spot.sampler()
