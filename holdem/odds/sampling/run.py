"""Sampled runs, which tally blocks of deals up to a limit on deals, errors or time.

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
from holdem.odds.bounds import HOPELESS, Bounds
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
    """Yield, for each task, the number of its first block, and the deals of each of its blocks.

    `deals` is the number in all blocks together; None for no limit.
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
    """Yield tasks that tally consecutive blocks, of each the first deals, as many as `sizes` says.

    `batch_size` is for evaluators without tables. It is read again for each batch, since it adapts
    to the evaluator's speed.
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
    """Accumulator that combines the results of tasks, in order, into tallies of complete blocks."""

    def __init__(self) -> None:
        # the tally of the unfinished block so far, ``int64 (size,)``; None between blocks
        self.rest: NDArray[np.int64] | None = None

    def add(self, part: BlockPart) -> NDArray[np.int64] | None:
        """Add the next result; return the tallies of the blocks that it completes, None if none.

        The tallies are ``int64 (block, size)``.
        """
        tallies = part.tallies if self.rest is None else part.tallies + self.rest
        self.rest = None if part.is_last else tallies[0]
        return tallies if part.is_last else None


class RunState:
    """The tally of a sampled run so far and, once the run has ended, why it ended."""

    def __init__(self, bounds: Bounds, counts: NDArray[np.int64], blocks: int = 0) -> None:
        """Take limits, of which the caller applies that of time; and the deals of a resumed run.

        `counts` is the tally of the `blocks` that are done, ``int64 (size,)``. The run must not
        have reached a limit before the last of them.
        """
        self.bounds = bounds
        self.counts = counts
        self.blocks = blocks  # complete ones
        self.stop: Stop | None = None  # None while the run goes on
        if blocks:
            self._advance(counts[None, :], blocks - 1)

    @property
    def deals(self) -> int:
        return deals_in(self.counts)

    @property
    def stderr(self) -> float:
        """The largest standard error of the players' equities; infinite before the first block.

        Computed on each access, in 0.03 to 0.4 ms.
        """
        if not self.blocks:
            return float("inf")
        return float(_largest_errors(self.counts[None, :])[0][0])

    def add(self, tallies: NDArray[np.int64]) -> int:
        """Add the tallies of the next blocks until the run ends; return the number of blocks added.

        The tallies are ``int64 (block, size)``. Blocks after the end of the run are not added.
        """
        return self._advance(self.counts + np.cumsum(tallies, axis=0), self.blocks)

    def end(self, stop: Stop, rest: NDArray[np.int64] | None = None) -> None:
        """End the run before it reaches its limit on deals or errors.

        `rest`, the tally of the first deals of an unfinished block, ``int64 (size,)``, is added;
        None if there are none.
        """
        if rest is not None:
            self.counts = self.counts + rest
        self.stop = stop

    def _advance(self, cumulative: NDArray[np.int64], first: int) -> int:
        """Add blocks from `first` on until the run ends; return the number of blocks added.

        `cumulative` is the tally of all deals of the run up to the end of each block, ``int64
        (block, size)``.
        """
        added = len(cumulative)
        stderr, relative = self.bounds.stderr, self.bounds.relative
        if stderr is not None or relative is not None:
            errors, relative_errors = _largest_errors(cumulative)
            enough = np.arange(first + 1, first + added + 1) >= MIN_BLOCKS
            small = enough & (errors <= (stderr or 0))
            near = enough & (relative_errors <= (relative or 0))
            hopeless = np.zeros_like(enough)
            if self.bounds.patience is not None:
                deals = winners_in(cumulative).sum(axis=-1)
                hopeless = (deals >= self.bounds.patience) & (relative_errors > HOPELESS)
            stops = np.flatnonzero(small | near | hopeless)
            if len(stops):
                end = int(stops[0])
                added = end + 1
                self.stop = "stderr" if small[end] else "relative" if near[end] else "deals"
        self.counts, self.blocks = cumulative[added - 1], first + added
        if self.stop is None and self.deals == self.bounds.deals:
            self.stop = "deals"
        return added


def _largest_errors(tallies: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute the largest standard error of the players' equities, and the largest relative one.

    Tallies are ``int64 (tally, size)``, errors ``float64 (tally,)``. The relative error of an
    equity of 0 is infinite.
    """
    fraction, winners = effective_fraction(tallies)[:, 0], winners_in(tallies)
    values = shares(players_of(tallies))
    errors = standard_errors(winners, values, fraction)
    equities = (winners[:, None, :] * values).sum(axis=-1) / winners.sum(axis=-1)[:, None]
    with np.errstate(divide="ignore"):
        return errors.max(axis=-1), (errors / equities).max(axis=-1)


def explain_no_deal(bounds: Bounds, evaluator: str) -> str:
    """Write the error message for a run that finished no deal within the time limit."""
    return (
        f"evaluator {evaluator!r} finished no deal in {bounds.time:g} seconds: allow more time, or"
        " use a faster evaluator"
    )


class SampledRun(Job[BlockPart, EquityResult]):
    """Job that samples a spot until it reaches a limit on deals, errors or time."""

    unit = "deals"
    total: int | None
    batch_size: BatchSize

    def __init__(
        self, spot: Spot, bounds: Bounds, seed: int, *stream: str, workers: int = 1
    ) -> None:
        """Create a job that samples a spot; `holdem.jobs.run.run` applies the limit on time.

        The answer depends only on the spot, the seed, `stream` and the number of deals. `stream` is
        the name of one of the independent random streams of the seed, 0..2^53-1. `workers` is the
        number of threads for breakdowns of the result, which are computed when they are first used.
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
        spot = self._spot
        self._sampler = Sampler(spot, self._seed, *self._stream)
        if self.total is not None:
            spot.evaluator.announce(self.total * spot.players * spot.evaluator.evaluations(7))

    def tasks(self) -> Iterator[Task[BlockPart]]:
        for first, sizes in schedule_blocks(self._sampler, self.total):
            yield from make_block_tasks(self._sampler, first, sizes, self.batch_size)

    def add(self, part: BlockPart) -> bool:
        tallies = self._sums.add(part)
        if tallies is not None:
            self._state.add(tallies)
        return self._state.stop is not None

    def status(self) -> str:
        """Format the largest standard error of the equities; return "" before the first block."""
        return f"standard error {self._state.stderr:.6f}" if self._state.blocks else ""

    def answer(self, end: End) -> EquityResult:
        if end == "time":
            self._state.end("time", self._sums.rest)
        if not self._state.deals:
            raise SpotError(explain_no_deal(self._state.bounds, self._spot.evaluator.name))
        return self._result(self._state)

    def partial_answer(self) -> EquityResult | None:
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
