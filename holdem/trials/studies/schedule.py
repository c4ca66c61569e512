"""Which blocks of a long run are computed next, so that no worker waits for the end of a spot.

How many deals a standard error takes is known only afterwards. So each spot is given as many
blocks as it will need by what is known of it, and workers go on with the next spot meanwhile.
What was computed beyond a spot's end is dropped. None of this changes an answer: a spot's
blocks are taken in their order, whatever was computed in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil, inf

import attrs

from holdem.odds.sampling.run_state import MIN_BLOCKS, Bounds, RunState
from holdem.odds.sampling.sampler import BLOCK
from holdem.trials.studies.study import StudySpot

_VARIANCE = 0.2  # of a share of the pot, before anything is known: at most 0.25, with two players


@attrs.define(eq=False)
class Underway:
    """A spot that has begun and not ended."""

    number: int
    """Its place in the study, from 0 on."""
    asked: StudySpot
    course: RunState
    scheduled: int
    """How many blocks were handed out, in this session or an earlier one."""


@attrs.frozen(eq=False)
class Part:
    """Some consecutive blocks of one spot: what a worker does at a time."""

    spot: Underway
    first: int
    """The number of the first block."""
    sizes: tuple[int, ...]
    """How many deals each block has."""


def expected_blocks(bounds: Bounds, course: RunState | None = None) -> float:
    """Return how many blocks a spot will need, by what is known of it; infinite if unknown."""
    blocks = inf if bounds.deals is None else ceil(bounds.deals / BLOCK)
    if bounds.stderr is not None:
        if course is not None and course.blocks >= MIN_BLOCKS:
            needed = ceil(course.blocks * (course.stderr / bounds.stderr) ** 2 * 1.01)
        else:
            needed = ceil(_VARIANCE / bounds.stderr**2 / BLOCK)
        blocks = min(blocks, max(needed, MIN_BLOCKS))
    return blocks


class Schedule:
    """Hands out the parts of some spots, as far ahead as it is asked."""

    def __init__(
        self,
        next_spot: Callable[[], Underway | None],
        together: Callable[[StudySpot], int],
    ) -> None:
        """Begin with no spot under way.

        Args:
            next_spot: begins the next spot; None where there is none to begin.
            together: how many blocks of a spot a worker does at a time.
        """
        self._next_spot = next_spot
        self._together = together
        self._open: list[Underway] = []

    def parts(self) -> Iterator[Part]:
        """Yield what to compute next, until nothing more can be needed."""
        while True:
            chosen = self._short_of(self._expected)
            if chosen is None:
                begun = self._next_spot()
                if begun is not None:
                    self._open.append(begun)
                    continue
                # The end of the run: rather too many blocks than a worker without any.
                chosen = self._short_of(self._most)
            if chosen is None:
                return
            yield self._part(chosen)

    def _short_of(self, wanted: Callable[[Underway], float]) -> Underway | None:
        self._open = [spot for spot in self._open if spot.course.stop is None]
        return next((spot for spot in self._open if spot.scheduled < wanted(spot)), None)

    @staticmethod
    def _expected(spot: Underway) -> float:
        return expected_blocks(spot.asked.bounds, spot.course)

    @staticmethod
    def _most(spot: Underway) -> float:
        return inf if spot.asked.deals is None else ceil(spot.asked.deals / BLOCK)

    def _part(self, spot: Underway) -> Part:
        """Hand out a spot's next blocks, up to where those that go together begin anew."""
        first = spot.scheduled
        blocks = self._together(spot.asked)
        blocks -= first % blocks
        expected = self._expected(spot)
        if first < expected:
            blocks = int(min(blocks, expected - first))
        deals = spot.asked.deals
        sizes = [
            BLOCK if deals is None else min(BLOCK, deals - block * BLOCK)
            for block in range(first, first + blocks)
        ]
        spot.scheduled += blocks
        return Part(spot, first, tuple(size for size in sizes if size > 0))
