"""Sampled runs, which tally blocks of deals up to a limit on deals, standard error or time.

If hands are ranked by tables, a task of some milliseconds counts several blocks. An evaluator that
ranks every hand may take minutes for one block. Its blocks are therefore counted in batches of
adaptive size, so that a time limit or Ctrl-C loses little work, and the workers share the work
evenly. The tally of a block is the sum of the tallies of its batches, so it does not depend on the
batch sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from functools import partial

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import SpotError
from holdem.jobs.run import BatchSize, End, Job, Task
from holdem.jobs.workers import Workers
from holdem.odds.bounds import Bounds
from holdem.odds.result import EquityResult, Stop
from holdem.odds.sampling.cluster_sampling import effective_fraction
from holdem.odds.sampling.intervals import standard_errors
from holdem.odds.sampling.sample_results import make_player_results, measure_convergence
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import Spot
from holdem.odds.tally import deals_in, players_of, shares, tally_size, winners_in

#: The fewest blocks of a run that stops by its standard error. With fewer, the error itself
#: is too uncertain, and runs that happen to underestimate it would stop too early.
MIN_BLOCKS = 4


@attrs.frozen(eq=False)
class BlockPart:
    """A task's result: tallies of complete blocks of deals, or of a batch within one block."""

    tallies: NDArray[np.int64]
    """The tallies (`holdem.odds.tally`), ``int64 (block, size)``; a single row for a batch."""
    is_last: bool
    """Whether this part completes its blocks."""


def schedule_blocks(sampler: Sampler, deals: int | None) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Divide the deals of a run into tasks of one or more blocks.

    Args:
        sampler: the sampler that draws the blocks.
        deals: the number of deals in all blocks together; None for no limit.

    Yields:
        For each task: the number of its first block, and the number of deals of each of its blocks.
    """
    block = 0
    while deals is None or block * BLOCK < deals:
        blocks = range(block, block + sampler.blocks_per_task)
        sizes = [BLOCK if deals is None else min(BLOCK, deals - each * BLOCK) for each in blocks]
        yield block, tuple(size for size in sizes if size > 0)
        block = blocks.stop


def make_block_tasks(
    sampler: Sampler, first: int, sizes: Sequence[int], batch_size: BatchSize
) -> Iterator[Task[BlockPart]]:
    """Yield tasks that tally the deals in consecutive blocks.

    Args:
        sampler: the sampler that draws the blocks.
        sizes: how many deals of each block to count, from its first deal on.
        batch_size: the number of deals in a batch, for evaluators without tables. It is read again
            for each batch, since it adapts to the evaluator's speed.
    """
    if sampler.spot.evaluator.has_tables:
        yield Task(partial(_count_blocks, sampler, first, sizes), sum(sizes))
        return
    cluster = sampler.cluster_size  # a batch has whole clusters
    for block, size in enumerate(sizes, first):
        done = 0
        while done < size:
            deals = min(-(-batch_size.size // cluster) * cluster, size - done)
            is_last = done + deals == size
            yield Task(partial(_count_batch, sampler, block, done, deals, is_last), deals)
            done += deals


def _count_blocks(
    sampler: Sampler, first: int, sizes: Sequence[int], workers: Workers
) -> BlockPart:
    return BlockPart(sampler.count(first, sizes, workers), is_last=True)


def _count_batch(
    sampler: Sampler, block: int, done: int, deals: int, is_last: bool, workers: Workers
) -> BlockPart:
    return BlockPart(sampler.count_batch(block, done, deals, workers)[None, :], is_last)


class BlockSums:
    """Accumulator that combines the results of tasks, in order, into tallies of complete blocks.

    Attributes:
        rest: the tally of the batches of the unfinished block so far, ``int64 (size,)``; None if
            no block is unfinished.
    """

    def __init__(self) -> None:
        self.rest: NDArray[np.int64] | None = None

    def add(self, part: BlockPart) -> NDArray[np.int64] | None:
        """Add the next task's result; return the tallies of the blocks that it completes, if any.

        Returns:
            The tallies, ``int64 (block, size)``; None if the part completes no block.
        """
        tallies = part.tallies if self.rest is None else part.tallies + self.rest
        self.rest = None if part.is_last else tallies[0]
        return tallies if part.is_last else None


class RunState:
    """The tally of a sampled run so far and, once the run has ended, why it ended.

    Attributes:
        bounds: the limits at which the run ends.
        counts: the tally of all deals so far, ``int64 (size,)``.
        blocks: the number of complete blocks counted.
        stop: why the run ended; None while it goes on.
    """

    def __init__(self, bounds: Bounds, counts: NDArray[np.int64], blocks: int = 0) -> None:
        """Create the state of a new or resumed run.

        Args:
            bounds: the limits at which the run ends; the caller applies the time limit.
            counts: the tally of the blocks that are done, ``int64 (size,)``.
            blocks: the number of blocks that are done. The run must not have reached a limit before
                the last of them.
        """
        self.bounds = bounds
        self.counts = counts
        self.blocks = blocks
        self.stop: Stop | None = None
        if blocks:
            self._advance(counts[None, :], blocks - 1)

    @property
    def deals(self) -> int:
        """The number of deals counted so far."""
        return deals_in(self.counts)

    @property
    def stderr(self) -> float:
        """The largest standard error of the players' equities; infinite before the first block.

        Computed on each access, in 0.03 to 0.4 ms.
        """
        if not self.blocks:
            return float("inf")
        return float(_largest_errors(self.counts[None, :])[0])

    def add(self, tallies: NDArray[np.int64]) -> int:
        """Add the tallies of the next blocks until the run ends; return the number of blocks added.

        Args:
            tallies: the tallies, ``int64 (block, size)``. Blocks after the end of the run are not
                added.
        """
        return self._advance(self.counts + np.cumsum(tallies, axis=0), self.blocks)

    def end(self, stop: Stop, rest: NDArray[np.int64] | None = None) -> None:
        """End the run before it reaches its limit on deals or standard error.

        Args:
            stop: why the run ends.
            rest: the tally of the first deals of an unfinished block, which are added, ``int64
                (size,)``; None if there are none.
        """
        if rest is not None:
            self.counts = self.counts + rest
        self.stop = stop

    def _advance(self, cumulative: NDArray[np.int64], first: int) -> int:
        """Add consecutive blocks of deals until the run ends; return the number of blocks added.

        Args:
            cumulative: the tally of all deals of the run up to the end of each block, ``int64
                (block, size)``.
            first: the number of the first block.
        """
        added = len(cumulative)
        if self.bounds.stderr is not None:
            errors = _largest_errors(cumulative)
            enough = np.arange(first + 1, first + added + 1) >= MIN_BLOCKS
            stops = np.flatnonzero(enough & (errors <= self.bounds.stderr))
            if len(stops):
                added, self.stop = int(stops[0]) + 1, "stderr"
        self.counts, self.blocks = cumulative[added - 1], first + added
        if self.stop is None and self.deals == self.bounds.deals:
            self.stop = "deals"
        return added


def _largest_errors(tallies: NDArray[np.int64]) -> NDArray[np.float64]:
    """Compute the largest standard error of the players' equities for each tally.

    Args:
        tallies: ``int64 (tally, size)``.

    Returns:
        Standard errors, ``float64 (tally,)``.
    """
    fraction = effective_fraction(tallies)[:, 0]
    errors = standard_errors(winners_in(tallies), shares(players_of(tallies)), fraction)
    largest: NDArray[np.float64] = errors.max(axis=-1)
    return largest


def explain_no_deal(bounds: Bounds, evaluator: str) -> str:
    """Write the error message for a run that finished no deal within the time limit.

    `evaluator` is the name of the evaluator.
    """
    return (
        f"evaluator {evaluator!r} finished no deal in {bounds.time:g} seconds: allow more time, or"
        " use a faster evaluator"
    )


class SampledRun(Job[BlockPart, EquityResult]):
    """Job that samples a spot until it reaches a limit on deals, standard error or time."""

    unit = "deals"
    total: int | None
    batch_size: BatchSize

    def __init__(
        self, spot: Spot, bounds: Bounds, seed: int, *stream: str, workers: int = 1
    ) -> None:
        """Create a job that samples a spot.

        Args:
            spot: the spot to sample.
            bounds: the limits at which the run ends; `holdem.jobs.run.run` applies the time limit.
            seed: 0..2^53-1. The answer depends only on the spot, the seed, `stream` and the number
                of deals.
            stream: the name of one of the independent random streams of the seed.
            workers: the number of threads for breakdowns of the result, which are computed when
                they are first used.
        """
        self.total = bounds.deals
        self.batch_size = BatchSize()
        self._spot = spot
        self._seed = seed
        self._stream = stream
        self._workers = workers
        self._state = RunState(bounds, np.zeros(tally_size(spot.players), dtype=np.int64))
        self._sums = BlockSums()

    def prepare(self) -> None:
        """Prepare the sampler and load the evaluator."""
        spot = self._spot
        self._sampler = Sampler(spot, self._seed, *self._stream)
        if self.total is not None:
            spot.evaluator.announce(self.total * spot.players * spot.evaluator.evaluations(7))

    def tasks(self) -> Iterator[Task[BlockPart]]:
        """Yield the tasks that tally the blocks of deals, in order."""
        for first, sizes in schedule_blocks(self._sampler, self.total):
            yield from make_block_tasks(self._sampler, first, sizes, self.batch_size)

    def add(self, part: BlockPart) -> bool:
        """Add the next task's tallies; return whether a limit other than the time is reached."""
        tallies = self._sums.add(part)
        if tallies is not None:
            self._state.add(tallies)
        return self._state.stop is not None

    def status(self) -> str:
        """Format the largest standard error of the equities; return "" before the first block."""
        return f"standard error {self._state.stderr:.6f}" if self._state.blocks else ""

    def answer(self, end: End) -> EquityResult:
        """Build the result of the run."""
        if end == "time":
            self._state.end("time", self._sums.rest)
        if not self._state.deals:
            raise SpotError(explain_no_deal(self._state.bounds, self._spot.evaluator.name))
        return self._result(self._state)

    def partial_answer(self) -> EquityResult | None:
        """Build the result from the deals finished so far; return None if there are none."""
        state = copy(self._state)
        state.end("interrupted", self._sums.rest)
        return self._result(state) if state.deals else None

    def _result(self, state: RunState) -> EquityResult:
        spot = self._spot
        assert state.stop is not None
        sampler = partial(Sampler, spot, self._seed, *self._stream)
        return EquityResult(
            method="monte-carlo",
            exact=False,
            deals=state.deals,
            stop=state.stop,
            board=spot.board,
            dead=spot.dead,
            seed=self._seed,
            evaluator=spot.evaluator.label,
            elapsed=self.stopwatch.elapsed,
            players=make_player_results(
                spot.texts,
                tuple(map(len, spot.live)),
                state.counts,
                sampler,
                self._workers,
                spot.names,
            ),
            convergence=partial(measure_convergence, sampler, state.deals),
        )
