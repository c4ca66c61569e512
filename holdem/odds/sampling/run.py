"""Sampled runs, which tally deals until they reach a limit on deals, standard error or time."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from functools import partial

import numpy as np

from holdem.errors import SpotError
from holdem.jobs.run import BatchSize, End, Job, Stopwatch, Task
from holdem.odds.bounds import Bounds
from holdem.odds.breakdown.on_demand import ComputeNextCards
from holdem.odds.result import EquityResult
from holdem.odds.sampling.block_tasks import BlockPart, BlockSums, block_ranges, block_tasks
from holdem.odds.sampling.convergence import convergence
from holdem.odds.sampling.players import sampled_players
from holdem.odds.sampling.run_state import RunState, no_deal_finished
from holdem.odds.sampling.sampler import Sampler
from holdem.odds.spot import Spot
from holdem.odds.tally import tally_size


class SampledRun(Job[BlockPart, EquityResult]):
    """Job that samples a spot until it reaches a limit on deals, standard error or time."""

    unit = "deals"
    total: int | None
    batch_size: BatchSize

    def __init__(
        self,
        spot: Spot,
        bounds: Bounds,
        seed: int,
        *stream: str,
        workers: int = 1,
        next_cards: ComputeNextCards | None = None,
    ) -> None:
        """Create a job that samples a spot.

        Args:
            spot: the spot to sample.
            bounds: when to end; `holdem.jobs.run.run` applies the time limit.
            seed: 0..2^53-1; the answer depends only on it, on `stream` and the number of deals.
            stream: names one of the independent streams of the seed.
            workers: the number of threads of reports that are computed on demand.
            next_cards: computes the report by next card.
        """
        self.total = bounds.deals
        self.batch_size = BatchSize()
        self._spot = spot
        self._seed = seed
        self._stream = stream
        self._workers = workers
        self._next_cards = next_cards
        self._sampler: Sampler | None = None
        self._state = RunState(bounds, np.zeros(tally_size(spot.players), dtype=np.int64))
        self._sums = BlockSums()
        self._stopwatch = Stopwatch()

    def prepare(self) -> None:
        """Prepare the sampler and load the evaluator."""
        self._sampler = Sampler(self._spot, self._seed, *self._stream)
        if not self._spot.evaluator.is_fused:
            self._spot.evaluator.load()

    def tasks(self) -> Iterator[Task[BlockPart]]:
        """Yield the tasks that tally the blocks of deals, in order."""
        sampler = self._prepared_sampler()
        for first, sizes in block_ranges(sampler, self.total):
            yield from block_tasks(sampler, first, sizes, self.batch_size)

    def _prepared_sampler(self) -> Sampler:
        assert self._sampler is not None, "not prepared"
        return self._sampler

    def add(self, part: BlockPart) -> bool:
        """Add the next task's tallies; return whether the run has reached its limit on deals or
        error.
        """
        tallies = self._sums.add(part)
        if tallies is not None:
            self._state.add(tallies)
        return self._state.stop is not None

    def status(self) -> str:
        """Return the largest standard error as text; empty until the first block is complete."""
        return f"standard error {self._state.stderr:.6f}" if self._state.blocks else ""

    def answer(self, end: End) -> EquityResult:
        """Return the result of the run.

        Raises:
            SpotError: no deal was finished in time.
        """
        if end == "time":
            self._state.end("time", self._sums.rest)
        if not self._state.deals:
            raise SpotError(no_deal_finished(self._state.bounds, self._spot.evaluator.name))
        return self._result(self._state)

    def partial_answer(self) -> EquityResult | None:
        """Return the result of the deals finished so far; None if there are none."""
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
            elapsed=self._stopwatch.elapsed,
            players=sampled_players(
                spot.texts,
                tuple(map(len, spot.live)),
                state.counts,
                sampler,
                self._workers,
                self._next_cards,
            ),
            convergence=partial(convergence, sampler, state.deals),
        )
