"""The old loop, until `holdem.odds.api` uses `holdem.odds.sampling.run`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import Interrupted, SpotError
from holdem.jobs.ordered import TimeOverError
from holdem.odds.sampling.counting import Blocks, Counting
from holdem.odds.sampling.run_state import Bounds, Stop, no_deal_finished
from holdem.odds.sampling.run_state import RunState as Course
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.tally import deals_in, tally_size


@attrs.frozen(eq=False)
class Sample:
    """What was drawn."""

    counts: NDArray[np.int64]
    stop: Stop

    @property
    def deals(self) -> int:
        """How many deals were drawn."""
        return deals_in(self.counts)


def sample(
    sampler: Sampler,
    bounds: Bounds,
    workers: int,
    on_progress: Callable[[int, float], None] | None = None,
) -> Sample:
    """Draw until a bound is met.

    Args:
        sampler: the spot and the seed.
        bounds: at least one of them is set.
        workers: how many threads.
        on_progress: called with the deals so far and the largest standard error.

    Raises:
        Interrupted: Ctrl-C; carries the sample of what was finished.
        SpotError: the time was over before anything was finished.
    """
    course = Course(bounds, np.zeros(tally_size(sampler.spot.players), dtype=np.int64))
    counting = Counting(_asked(sampler, bounds.deals), workers, bounds.time)
    try:
        with closing(counting.tallies()) as counted:
            for tallies in counted:
                if len(tallies):
                    course.add(tallies)
                if on_progress is not None:
                    rest = 0 if counting.rest is None else deals_in(counting.rest)
                    on_progress(course.deals + rest, course.stderr)
                if course.stop is not None:
                    return Sample(course.counts, course.stop)
    except TimeOverError:
        course.end("time", counting.rest)
    except KeyboardInterrupt as interruption:
        course.end("interrupted", counting.rest)
        raise Interrupted(Sample(course.counts, "interrupted")) from interruption
    if not course.deals:
        raise SpotError(no_deal_finished(bounds, sampler.spot.evaluator.name))
    return Sample(course.counts, "time")


def _asked(sampler: Sampler, deals: int | None) -> Iterator[Blocks]:
    block = 0
    while deals is None or block * BLOCK < deals:
        together = sampler.blocks_per_task(block)
        sizes = [BLOCK] * together
        if deals is not None:
            left = deals - block * BLOCK
            sizes = [min(BLOCK, left - i * BLOCK) for i in range(min(together, -(-left // BLOCK)))]
        yield Blocks(sampler, block, tuple(sizes))
        block += len(sizes)
