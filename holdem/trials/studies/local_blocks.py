"""Who computes the blocks of a long run: the threads and processes of this machine."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from holdem.errors import EvaluatorError
from holdem.evaluation.registry import DEFAULT_EVALUATOR
from holdem.jobs.ordered import TimeOverError
from holdem.odds.sampling.counting import Blocks, Counting
from holdem.odds.sampling.sampler import BLOCKS_PER_TASK, Sampler
from holdem.trials.studies.results import sampler_of
from holdem.trials.studies.schedule import Part
from holdem.trials.studies.study import StudySpot

_SAMPLERS_KEPT = 32  # a spot's tables can be some megabytes


class Crew(Protocol):
    """Computes parts, on whatever it has, and hands them back in their order."""

    def together(self, asked: StudySpot) -> int:
        """Return how many blocks of a spot should go together."""

    def count(
        self, parts: Iterator[Part], seconds: float | None = None
    ) -> Generator[tuple[Part, NDArray[np.int64]], None, None]:
        """Yield each part with the tallies of its blocks, ``int64 (block, size)``.

        All parts are of one evaluator. Closing the generator drops what is under way.

        Args:
            parts: what to compute; may be endless.
            seconds: when to end. Then the last tallies may be those of the first deals of a
                part only.
        """


class LocalCrew:
    """Computes parts on this machine."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._samplers: OrderedDict[int, Sampler] = OrderedDict()

    def together(self, asked: StudySpot) -> int:
        """Return as many blocks as take some milliseconds with the default evaluator."""
        return BLOCKS_PER_TASK if asked.evaluator == DEFAULT_EVALUATOR else 1

    def count(
        self, parts: Iterator[Part], seconds: float | None = None
    ) -> Generator[tuple[Part, NDArray[np.int64]], None, None]:
        """Yield each part with the tallies of its blocks.

        Raises:
            EvaluatorError: the evaluator failed; the message names it and the spot.
        """
        handed_out: deque[Part] = deque()

        def asked() -> Iterator[Blocks]:
            for part in parts:
                handed_out.append(part)
                yield Blocks(self._sampler(part), part.first, part.sizes)

        counting = Counting(asked(), self._workers, seconds)
        try:
            with closing(counting.tallies()) as counted:
                for tallies in counted:
                    if len(tallies):
                        yield handed_out.popleft(), tallies
        except TimeOverError:
            if counting.rest is not None:
                yield handed_out[0], counting.rest[None, :]
        except EvaluatorError as error:
            raise at_spot(handed_out[0], error) from error

    def _sampler(self, part: Part) -> Sampler:
        number = part.spot.number
        if number not in self._samplers:
            self._samplers[number] = sampler_of(part.spot.asked)
            if len(self._samplers) > _SAMPLERS_KEPT:
                self._samplers.popitem(last=False)
        self._samplers.move_to_end(number)
        return self._samplers[number]


def at_spot(part: Part, error: EvaluatorError) -> EvaluatorError:
    """Return an evaluator's error with the spot at which it came."""
    return EvaluatorError(f"spot {part.spot.number + 1} ({part.spot.asked.name}): {error}")
