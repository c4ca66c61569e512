"""Scheduling of blocks of deals when several spots are sampled at the same time.

The number of deals that a standard error takes is not known in advance. So as many blocks of each
spot are scheduled as it is estimated to need, and workers go on with the next spot instead of
waiting for its end. Blocks beyond the end of a spot are dropped. Results do not depend on the
schedule, because the blocks of a spot are added in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil, inf

import attrs

from holdem.odds.bounds import Bounds
from holdem.odds.sampling.run import MIN_BLOCKS, RunState
from holdem.odds.sampling.sampler import BLOCK, BLOCKS_PER_TASK
from holdem.trials.studies.study import StudySpot

_VARIANCE = 0.2  # assumed for a pot share before it is estimated; it is at most 0.25


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
        return expected_blocks(self.spot.bounds, self.state)

    @property
    def most_blocks(self) -> float:
        """The maximum number of blocks of deals that the spot can need; infinite if unlimited."""
        return inf if self.spot.deals is None else ceil(self.spot.deals / BLOCK)


@attrs.frozen(eq=False)
class BlockRange:
    """Consecutive blocks of one spot's deals that are tallied together."""

    running: RunningSpot
    first: int
    """The number of the first block."""
    sizes: tuple[int, ...]
    """The number of deals of each block."""


def expected_blocks(bounds: Bounds, state: RunState | None = None) -> float:
    """Return the estimated number of blocks of deals that a sampled run needs; infinite if unknown.

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


def scheduled_ranges(
    spots: Iterator[RunningSpot], blocks_per_range: Callable[[StudySpot], int]
) -> Iterator[BlockRange]:
    """Yield the next ranges of blocks of deals to tally, until no more blocks can be needed.

    Args:
        spots: the spots to sample; the next one is taken when the expected blocks of all earlier
            ones are scheduled.
        blocks_per_range: returns how many blocks of a spot should be computed together.
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
        yield _next_range(chosen, blocks_per_range(chosen.spot))


def _next_range(running: RunningSpot, blocks: int) -> BlockRange:
    """Schedule up to `blocks` more blocks of a spot's deals."""
    first = running.scheduled
    expected = running.expected_blocks
    # Beyond the expected end only a few at a time, because most of them will be dropped.
    limit = expected - first if first < expected else max(first // 8, BLOCKS_PER_TASK)
    blocks = int(min(blocks, limit))
    end = (first + blocks) * BLOCK
    if running.spot.deals is not None:
        end = min(end, running.spot.deals)
    running.scheduled += blocks
    return BlockRange(running, first, block_sizes(end - first * BLOCK))


def block_sizes(deals: int) -> tuple[int, ...]:
    """Return the number of deals of each of the blocks that have so many deals together."""
    blocks, rest = divmod(deals, BLOCK)
    return (BLOCK,) * blocks + (rest,) * bool(rest)
