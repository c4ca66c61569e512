"""Tasks that tally blocks of deals, and accumulation of their results.

The default evaluator counts several blocks in a task of some milliseconds. Any other may take
minutes for one block, so its blocks are counted in batches of adaptive size: a time limit or
Ctrl-C then loses little work, and the workers share the work evenly. A block's tally is the sum of
those of its batches, so batch sizes do not affect it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.jobs.run import BatchSize, Task
from holdem.jobs.workers import Workers
from holdem.odds.sampling.sampler import BLOCK, Sampler


@attrs.frozen(eq=False)
class BlockPart:
    """The result of a task: tallies of whole blocks of deals, or of a batch within one block."""

    tallies: NDArray[np.int64]
    """``int64 (block, size)``; one row for a batch."""
    is_last: bool
    """Whether this part completes its blocks."""


def block_ranges(sampler: Sampler, deals: int | None) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield, for each task in order, the index of its first block of deals and its block sizes.

    Args:
        sampler: the sampler that draws the blocks.
        deals: the number of deals in all blocks together; None for no limit.
    """
    block = 0
    while deals is None or block * BLOCK < deals:
        blocks = range(block, block + sampler.blocks_per_task(block))
        sizes = [BLOCK if deals is None else min(BLOCK, deals - each * BLOCK) for each in blocks]
        yield block, tuple(size for size in sizes if size > 0)
        block = blocks.stop


def block_tasks(
    sampler: Sampler, first: int, sizes: Sequence[int], batch_size: BatchSize
) -> Iterator[Task[BlockPart]]:
    """Yield tasks that tally the deals in consecutive blocks.

    Args:
        sampler: the sampler that draws the blocks.
        first: the number of the first block.
        sizes: how many deals of each block to count.
        batch_size: the size of batches, for evaluators other than the default.
    """
    if sampler.spot.evaluator.is_fused:
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
    """An accumulator that combines the tasks' results, in order, into tallies of whole blocks of
    deals.

    Attributes:
        rest: the tally of the batches counted so far of an unfinished block,
            ``int64 (size,)``; None if there are none.
    """

    def __init__(self) -> None:
        self.rest: NDArray[np.int64] | None = None

    def add(self, part: BlockPart) -> NDArray[np.int64] | None:
        """Add the next task's result and return the tallies of any blocks of deals that it
        completes.

        Returns:
            The tallies of the blocks that this part completes, ``int64 (block, size)``;
            None if it completes none.
        """
        tallies = part.tallies if self.rest is None else part.tallies + self.rest
        self.rest = None if part.is_last else tallies[0]
        return tallies if part.is_last else None
