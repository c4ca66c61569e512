"""Monte Carlo: deals drawn in blocks of a fixed size, each with a random stream of its own.

A result is the first so many deals of the blocks in order, whoever computed them and when,
so it depends on the seed and the number of deals alone.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.seeds import counter_start
from holdem.odds.blocks import in_order
from holdem.odds.drawing import draw_tables
from holdem.odds.estimate import standard_errors
from holdem.odds.pieces import piece_tables
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.odds.tally import shares

#: Deals a block.
BLOCK = 1 << 14

#: A run that stops by its error goes on for so many blocks at least: with fewer the error
#: itself is known too poorly, and stopping when it happens to look small would be a lie.
LEAST_BLOCKS = 4

_BLOCKS_A_TASK = 8  # of the fused kernel: some milliseconds, so that Ctrl-C is heard

Stop = Literal["deals", "stderr", "time", "interrupted"]


@attrs.frozen
class Bounds:
    """When a sampled run ends: whichever comes first."""

    deals: int | None = None
    stderr: float | None = None
    """The largest standard error over the players' equities."""
    time: float | None = None
    """Seconds."""


@attrs.frozen(eq=False)
class Sample:
    """What was drawn."""

    counts: NDArray[np.int64]
    """``int64 (2^players,)``: how often each set of players shared the top."""
    stop: Stop

    @property
    def deals(self) -> int:
        """How many deals were drawn."""
        return int(self.counts.sum())


class Sampler:
    """Draws the deals of one spot with one seed, any block of them at any time."""

    def __init__(self, spot: Spot, seed: int) -> None:
        self.spot = spot
        self.tables = piece_tables(spot) or draw_tables(spot)
        self.start = counter_start(seed, "deals")

    def deals(self, block: int, size: int = BLOCK) -> CardArray:
        """Return the first `size` deals of a block, ``uint8 (deal, 5 + 2 * players)``.

        The board comes first, then each player's hole.
        """
        from holdem.odds.kernels.drawing import BLOCK_STEP, draw_block
        from holdem.odds.kernels.pieces import PieceTables, draw_pieces

        counter = np.uint64((self.start + block * int(BLOCK_STEP)) % 2**64)
        dealt = np.empty((size, BOARD_SIZE + 2 * self.spot.players), dtype=np.uint8)
        if isinstance(self.tables, PieceTables):
            draw_pieces(self.tables, counter, dealt)
        else:
            draw_block(self.tables, counter, dealt)
        return dealt

    def strengths(self, dealt: CardArray) -> NDArray[np.int64]:
        """Rank every player's hand in every deal, ``int64 (player, deal)``."""
        ranked = np.empty((self.spot.players, len(dealt)), dtype=np.int64)
        hands = np.empty((len(dealt), 7), dtype=np.uint8)
        hands[:, :5] = dealt[:, :5]
        for player in range(self.spot.players):
            hands[:, 5:] = dealt[:, 5 + 2 * player : 7 + 2 * player]
            ranked[player] = self.spot.evaluator.rank(hands)
        return ranked

    def count(self, first: int, sizes: list[int]) -> NDArray[np.int64]:
        """Count the winners of consecutive blocks, ``int64 (block, 2^players)``.

        Args:
            first: the number of the first block.
            sizes: how many deals of each block to draw.
        """
        counts = np.zeros((len(sizes), 1 << self.spot.players), dtype=np.int64)
        if self.spot.evaluator.is_default:
            from holdem.odds.kernels.pieces import PieceTables, sample_pieces
            from holdem.odds.kernels.sampling import sample_blocks

            start, lengths = np.uint64(self.start), np.array(sizes)
            if isinstance(self.tables, PieceTables):
                sample_pieces(self.tables, start, first, lengths, counts)
            else:
                sample_blocks(self.tables, start, first, lengths, counts)
            return counts
        from holdem.odds.kernels.counting import count_winners

        for row, size in enumerate(sizes):
            count_winners(self.strengths(self.deals(first + row, size)), counts[row])
        return counts


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
        Interrupted: Ctrl-C; carries the sample of the blocks that were finished.
    """
    players = sampler.spot.players
    counts = np.zeros(1 << players, dtype=np.int64)
    ends = None if bounds.time is None else clock.monotonic() + bounds.time
    blocks_a_task = _BLOCKS_A_TASK if sampler.spot.evaluator.is_default else 1
    results = in_order(_tasks(sampler, bounds.deals, blocks_a_task), workers)
    finished = 0
    try:
        for result in results:
            so_far = counts + np.cumsum(result, axis=0)
            errors = standard_errors(so_far, shares(players)).max(axis=1)
            if bounds.stderr is not None:
                done = np.arange(finished + 1, finished + len(result) + 1) >= LEAST_BLOCKS
                stops = np.flatnonzero(done & (errors <= bounds.stderr))
                if len(stops):
                    return Sample(so_far[stops[0]], "stderr")
            counts = so_far[-1]
            finished += len(result)
            if on_progress is not None:
                on_progress(int(counts.sum()), float(errors[-1]))
            if ends is not None and clock.monotonic() >= ends:
                complete = bounds.deals is not None and int(counts.sum()) == bounds.deals
                return Sample(counts, "deals" if complete else "time")
    except KeyboardInterrupt as interruption:
        raise Interrupted(Sample(counts, "interrupted")) from interruption
    finally:
        results.close()
    return Sample(counts, "deals")


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run; `finished` is what was computed until then."""

    def __init__(self, finished: object) -> None:
        super().__init__()
        self.finished = finished


def _tasks(
    sampler: Sampler, deals: int | None, together: int
) -> Iterator[Callable[[], NDArray[np.int64]]]:
    block = 0
    while deals is None or block * BLOCK < deals:
        sizes = [BLOCK] * together
        if deals is not None:
            left = deals - block * BLOCK
            sizes = [min(BLOCK, left - i * BLOCK) for i in range(min(together, -(-left // BLOCK)))]
        yield partial(sampler.count, block, sizes)
        block += len(sizes)
