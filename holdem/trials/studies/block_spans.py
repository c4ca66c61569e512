"""Spans of deal blocks, which are scheduled for several spots and tallied here or on Dask.

The number of deals that a standard error takes is not known in advance. So as many blocks of each
spot are scheduled as it is estimated to need, and workers go on with the next spot instead of
waiting for its end. Blocks beyond the end of a spot are dropped. Results do not depend on the
schedule, because the blocks of a spot are added in their order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import chain
from math import ceil, inf
from typing import Any, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import EvaluatorError
from holdem.evaluation.registry import DEFAULT_EVALUATOR
from holdem.jobs.run import BatchSize, End, Job, Task, run, run_each
from holdem.jobs.workers import in_worker_thread
from holdem.odds.bounds import Bounds
from holdem.odds.dask_tasks import DaskTasks, Request, decode_array, encode_array
from holdem.odds.sampling.run import MIN_BLOCKS, BlockPart, BlockSums, RunState, make_block_tasks
from holdem.odds.sampling.sampler import BLOCK, BLOCKS_PER_TASK, Sampler
from holdem.trials.studies.study import StudySpot

_VARIANCE = 0.2  # assumed for a pot share before it is estimated; it is at most 0.25
_MOST_BLOCKS = 1 << 12  # of a span on a Dask cluster: their tallies are kept separately
_CACHED_SAMPLERS = 32  # the tables of a sampler can take some megabytes


@attrs.define(eq=False)
class RunningSpot:
    """A spot that is being sampled."""

    number: int
    """The index of the spot in the study."""
    spot: StudySpot
    state: RunState
    scheduled: int
    """The number of blocks scheduled so far, in this session or earlier ones."""

    @property
    def expected_blocks(self) -> float:
        """The estimated number of blocks of deals that the spot needs; infinite if unknown."""
        return estimate_blocks(self.spot.bounds, self.state)

    @property
    def most_blocks(self) -> float:
        """The largest number of blocks of deals that the spot can need; infinite if unlimited."""
        return inf if self.spot.deals is None else ceil(self.spot.deals / BLOCK)


@attrs.frozen(eq=False)
class BlockSpan:
    """Consecutive blocks of deals of one spot, which are tallied together."""

    running: RunningSpot
    first: int
    """The number of the first block."""
    sizes: tuple[int, ...]
    """The number of deals of each block."""


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
) -> Iterator[BlockSpan]:
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


def _schedule_next(running: RunningSpot, blocks: int) -> BlockSpan:
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
    return BlockSpan(running, first, divide_into_blocks(end - first * BLOCK))


def divide_into_blocks(deals: int) -> tuple[int, ...]:
    """Divide deals into blocks, and return the number of deals in each block."""
    blocks, rest = divmod(deals, BLOCK)
    return (BLOCK,) * blocks + (rest,) * bool(rest)


#: Called with a spot and the tallies of its next blocks, ``int64 (block, size)``.
AddTallies: TypeAlias = Callable[[RunningSpot, NDArray[np.int64]], None]


class LocalBlocks:
    """Tallying of blocks of deals in threads on this machine."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._sampler = lru_cache(_CACHED_SAMPLERS)(_make_sampler)

    def blocks_per_span(self, spot: StudySpot) -> int:
        """Choose how many blocks of a spot's deals to tally together.

        They take some milliseconds with the default evaluator.
        """
        return BLOCKS_PER_TASK if spot.evaluator == DEFAULT_EVALUATOR else 1

    def compute(
        self, spans: Iterator[BlockSpan], add: AddTallies, seconds: float | None = None
    ) -> NDArray[np.int64] | None:
        """Tally spans of blocks of deals, and pass the tallies to `add` in the same order.

        Args:
            spans: what to compute; may be endless. All spots have the same evaluator.
            add: called with the tallies.
            seconds: when to stop; None for no limit.

        Returns:
            The tally of the finished deals of an unfinished block, ``int64 (size,)``, if time ran
            out; None if there are none.

        Raises:
            EvaluatorError: the evaluator failed; the message has the spot.
        """
        first = next(spans, None)
        if first is None:
            return None
        job = _BlockJob(first, spans, self._sampler, add)
        try:
            return run(job, self._workers, seconds=seconds)
        except EvaluatorError as error:
            running = job.pending[0] if job.pending else first.running
            raise running.spot.error(running.number, error) from error


def _make_sampler(spot: StudySpot) -> Sampler:
    return in_worker_thread(spot.sampler)


class _BlockJob(Job[BlockPart, NDArray[np.int64] | None]):
    """Job that tallies spans of blocks of deals.

    Attributes:
        pending: the spot of each tally that is still to come, in order.
    """

    unit = "deals"
    batch_size: BatchSize

    def __init__(
        self,
        first: BlockSpan,
        spans: Iterator[BlockSpan],
        sampler: Callable[[StudySpot], Sampler],
        add: AddTallies,
    ) -> None:
        self.batch_size = BatchSize()
        self.pending = deque[RunningSpot]()
        self._first = first
        self._spans = spans
        self._sampler = sampler
        self._add = add
        self._sums = BlockSums()

    def prepare(self) -> None:
        """Load the evaluator and prepare the sampler of the first spot."""
        self._sampler(self._first.running.spot).spot.evaluator.load()

    def tasks(self) -> Iterator[Task[BlockPart]]:
        """Yield the tasks that tally the spans."""
        for span in chain([self._first], self._spans):
            sampler = self._sampler(span.running.spot)
            tallies = 1 if sampler.spot.evaluator.is_fused else len(span.sizes)
            self.pending.extend([span.running] * tallies)
            yield from make_block_tasks(sampler, span.first, span.sizes, self.batch_size)

    def add(self, part: BlockPart) -> bool:
        """Add a task's partial result, and pass on the tallies of complete blocks."""
        tallies = self._sums.add(part)
        if tallies is not None:
            self._add(self.pending.popleft(), tallies)
        return False

    def answer(self, end: End) -> NDArray[np.int64] | None:
        """Return the tally of the deals in an unfinished block if time ran out; None otherwise."""
        return self._sums.rest if end == "time" else None


class DaskBlocks:
    """Tallying of blocks of deals on a Dask cluster, like `LocalBlocks` on this machine."""

    def __init__(self, tasks: DaskTasks) -> None:
        self._tasks = tasks

    def blocks_per_span(self, spot: StudySpot) -> int:
        """Choose how many blocks of a spot's deals a worker tallies together.

        They take as long as a batch of requests, once the speed of the cluster is known.
        """
        least = BLOCKS_PER_TASK if spot.evaluator == DEFAULT_EVALUATOR else 1
        size = int(self._tasks.size_of_batch(_describe_kind(spot)))
        return max(least, min(size, _MOST_BLOCKS))

    def compute(
        self, spans: Iterator[BlockSpan], add: AddTallies, seconds: float | None = None
    ) -> NDArray[np.int64] | None:
        """Tally spans like `LocalBlocks.compute`, but with any mixture of evaluators.

        The first span is waited for even if it takes longer than `seconds`. A span is finished
        completely or not at all.

        Raises:
            ClusterError: as for `DaskTasks.results`.
            EvaluatorError: the evaluator failed; the message has the spot.
        """
        tasks = (Task(request_blocks(span), len(span.sizes)) for span in spans)
        results = self._tasks.results
        run_each(tasks, lambda part: add(*part), 1, seconds=seconds, results=results)
        return None


def request_blocks(span: BlockSpan) -> Request[tuple[RunningSpot, NDArray[np.int64]]]:
    """Build the request to tally a span of blocks of deals."""
    running = span.running
    spot = running.spot
    return Request(
        lambda _: (running, _get_sampler(spot).count(span.first, span.sizes)),
        lambda: {"spot": spot.to_dict(), "first": span.first, "deals": sum(span.sizes)},
        answer_blocks,
        lambda answer: (running, decode_array(answer).astype(np.int64)),
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
