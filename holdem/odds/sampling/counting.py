"""Blocks of deals counted on several workers and handed back in their order.

The default evaluator counts some blocks in a task, which takes milliseconds. Any other may
take minutes for one block, so its blocks are counted in pieces: a stop by time and Ctrl-C then
lose little, and the workers share the work more evenly. A piece grows until it takes a
noticeable time; how a block was cut changes no figure, for its tally is the sum of them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.jobs.old_batch_size import Pace, timed
from holdem.jobs.old_deadline import Deadline
from holdem.jobs.old_threads import apart
from holdem.jobs.ordered import in_order
from holdem.odds.tally import tally_size

if TYPE_CHECKING:
    from holdem.odds.sampling.sampler import Sampler


@attrs.frozen(eq=False)
class Blocks:
    """Consecutive blocks of one spot, to be counted together."""

    sampler: Sampler
    first: int
    """The number of the first block."""
    sizes: tuple[int, ...]
    """How many deals each block has."""


@attrs.frozen(eq=False)
class _Piece:
    tallies: NDArray[np.int64]
    """``int64 (block, size)``, to be added to those of the same blocks."""
    is_last: bool
    deals: int


class Counting:
    """Counts blocks, one request after the other.

    Attributes:
        rest: the tally of the deals that are finished of the request that is not,
            ``int64 (size,)``: the first deals of its first blocks. None where there is
            none. To be looked at once the counting has ended, or was interrupted.
    """

    def __init__(self, asked: Iterable[Blocks], workers: int, seconds: float | None = None) -> None:
        """Make ready to count.

        Args:
            asked: what to count; may be endless.
            workers: how many threads.
            seconds: when to end, counted from when the first evaluator is loaded, without
                what kernels take to compile; the first piece may be a second late.
        """
        self.rest: NDArray[np.int64] | None = None
        self._asked = asked
        self._workers = workers
        self._seconds = seconds
        self._pace = Pace()

    def tallies(self) -> Generator[NDArray[np.int64], None, None]:
        """Yield the tallies of each request, ``int64 (block, size)``, in their order.

        An array without a row says that a piece of the next one is finished. Closing the
        generator drops what is under way.

        Raises:
            TimeOverError: there is more to count, and the time is over.
            EvaluatorError: an evaluator failed.
        """
        until: Deadline | None = None
        asked = iter(self._asked)
        if self._seconds is not None:
            head = list(islice(asked, 1))
            for blocks in head:
                apart(partial(getattr, blocks.sampler.spot.evaluator, "scale"))
            asked = chain(head, asked)
            until = Deadline(self._seconds)
        so_far: NDArray[np.int64] | None = None
        with closing(in_order(self._tasks(asked), self._workers, until)) as pieces:
            for piece, seconds in pieces:
                self._pace.heed(piece.deals, seconds)
                so_far = piece.tallies if so_far is None else so_far + piece.tallies
                if piece.is_last:
                    self.rest, counted, so_far = None, so_far, None
                    yield counted
                else:
                    self.rest = so_far.sum(axis=0)
                    yield so_far[:0]

    def _tasks(self, asked: Iterator[Blocks]) -> Iterator[Callable[[], tuple[_Piece, float]]]:
        for blocks in asked:
            if blocks.sampler.spot.evaluator.is_fused:
                yield partial(timed, partial(_count_together, blocks))
                continue
            for row, size in enumerate(blocks.sizes):
                done = 0
                while done < size:
                    together = blocks.sampler.cluster_size  # deals that share holes
                    deals = min(-(-self._pace.size // together) * together, size - done)
                    yield partial(timed, partial(_count_piece, blocks, row, done, deals))
                    done += deals


def _count_together(blocks: Blocks) -> _Piece:
    tallies = blocks.sampler.count(blocks.first, list(blocks.sizes))
    return _Piece(tallies, True, sum(blocks.sizes))


def _count_piece(blocks: Blocks, row: int, done: int, deals: int) -> _Piece:
    sampler = blocks.sampler
    tallies = np.zeros((len(blocks.sizes), tally_size(sampler.spot.players)), dtype=np.int64)
    tallies[row] = sampler.count_batch(blocks.first + row, done, deals)
    is_last = row == len(blocks.sizes) - 1 and done + deals == blocks.sizes[row]
    return _Piece(tallies, is_last, deals)
