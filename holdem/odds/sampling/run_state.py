"""The state of a sampled run: its tally so far, and whether and why it has ended."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.odds.bounds import Bounds
from holdem.odds.result import Stop
from holdem.odds.sampling.cluster_sampling import effective_fraction
from holdem.odds.sampling.estimates import standard_errors
from holdem.odds.sampling.sampler import BLOCKS_PER_TASK
from holdem.odds.tally import deals_in, players_of, shares, winners_in

#: The fewest blocks of a run that stops by its standard error. With fewer, the error itself
#: is too uncertain, and runs that happen to underestimate it would stop too early.
MIN_BLOCKS = 4


class RunState:
    """The tally of a sampled run's deals so far, and whether and why the run has ended.

    Attributes:
        bounds: when the run ends.
        counts: the tally, ``int64 (size,)``.
        blocks: the number of blocks counted.
        stop: why the run ended; None before that.
    """

    def __init__(self, bounds: Bounds, counts: NDArray[np.int64], blocks: int = 0) -> None:
        """Create the state of a new or resumed run.

        Args:
            bounds: when the run ends; the caller applies the time limit.
            counts: the tally of the blocks that are done, ``int64 (size,)``.
            blocks: the number of blocks done. Only the last of them may meet a bound.
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
        return float(_errors_after(self.counts[None, :], self.blocks - 1)[0])

    def add(self, tallies: NDArray[np.int64]) -> int:
        """Add the tallies of the next blocks of deals; return the number of blocks before the run's
        end.

        The tallies are ``int64 (block, size)``.

        Returns:
            The number of these blocks that count: those after the end of the run do not.
        """
        return self._advance(self.counts + np.cumsum(tallies, axis=0), self.blocks)

    def end(self, stop: Stop, rest: NDArray[np.int64] | None = None) -> None:
        """End the run before it reaches its limit on deals or standard error.

        Args:
            stop: the reason.
            rest: the tally of the first deals of the next block, ``int64 (size,)``.
        """
        if rest is not None:
            self.counts = self.counts + rest
        self.stop = stop

    def _advance(self, cumulative: NDArray[np.int64], first: int) -> int:
        """Add consecutive blocks of deals, numbered from `first`, given the cumulative tally after
        each.
        """
        added = len(cumulative)
        if self.bounds.stderr is not None:
            errors = _errors_after(cumulative, first)
            enough = np.arange(first + 1, first + added + 1) >= MIN_BLOCKS
            stops = np.flatnonzero(enough & (errors <= self.bounds.stderr))
            if len(stops):
                added, self.stop = int(stops[0]) + 1, "stderr"
        self.counts, self.blocks = cumulative[added - 1], first + added
        if self.stop is None and self.deals == self.bounds.deals:
            self.stop = "deals"
        return added


def _errors_after(cumulative: NDArray[np.int64], first: int) -> NDArray[np.float64]:
    """Return the largest standard error after each block of deals as ``float64 (block,)``.

    The last bits of a matrix product may depend on the number of rows, and results must
    not depend on how blocks were batched. So errors are computed by a product for each fixed
    group of `BLOCKS_PER_TASK` blocks, the first of which begins with block 0.

    Args:
        cumulative: the tallies after consecutive blocks, ``int64 (block, size)``.
        first: the number of the first of these blocks.
    """
    before = first % BLOCKS_PER_TASK
    rows = -(-(before + len(cumulative)) // BLOCKS_PER_TASK) * BLOCKS_PER_TASK
    padded = np.repeat(cumulative[:1], rows, axis=0)
    padded[before : before + len(cumulative)] = cumulative
    winners = winners_in(padded).reshape(-1, BLOCKS_PER_TASK, 1 << players_of(cumulative))
    fraction = effective_fraction(padded)[:, 0].reshape(*winners.shape[:2], -1)
    errors = standard_errors(winners, shares(players_of(cumulative)), fraction).max(axis=-1)
    found: NDArray[np.float64] = errors.ravel()[before : before + len(cumulative)]
    return found


def no_deal_finished(bounds: Bounds, evaluator: str) -> str:
    """Return the error message for a run that finished no deal within its time limit."""
    return (
        f"evaluator {evaluator!r} finished no deal in {bounds.time:g} seconds: allow more time, or"
        " use a faster evaluator"
    )
