"""The deals of a sampled spot, drawn in blocks of a fixed size.

Each block has a separate random stream. A sample consists of the first deals of the blocks in
order, so it depends only on the seed and the number of deals, not on the workers.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.seeds import counter_start
from holdem.jobs.workers import Workers
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.odds.tally import tally_size

#: Deals per block.
BLOCK = 1 << 14

#: Blocks that the default evaluator counts in a task of some milliseconds.
BLOCKS_PER_TASK = 8

# From this block on each thread draws from a copy of the tables, and tasks on row tables have more
# blocks: with AsKs v random two workers are 1.8 instead of 1.7 times as fast as one.
_LATER, _BLOCKS_PER_TASK_LATER = 64, 32


class Sampler:
    """A sampler of a spot's deals, with random access to blocks of deals from any thread.

    Attributes:
        spot: the spot.
        tables: `RowTables` or `DrawTables`, as the spot allows.
        cluster_size: how many consecutive deals share hole cards; see
            `holdem.odds.sampling.cluster_sampling`.
        start: the counter of the random stream at which block 0 begins.
    """

    def __init__(self, spot: Spot, seed: int, *path: str, independent: bool = False) -> None:
        """Prepare the tables from which deals are drawn.

        Args:
            spot: the spot whose deals are drawn.
            seed: 0..2^53-1.
            path: names one of the independent streams of the seed.
            independent: draw new hole cards for every deal.

        Raises:
            BudgetError: the ranges overlap so much that deals would take too long to find.
        """
        # Imported here: answers from the preflop table must not wait for numba.
        from holdem.odds.sampling.row_tables.prepare import row_tables

        self.spot = spot
        found = row_tables(spot)
        self._has_row_tables = found is not None
        self.tables: Any
        self._draw: Callable[..., None]
        self._sample: Callable[..., None]
        if found is not None:
            from holdem.odds.sampling.row_tables.kernels import draw_rows, sample_rows

            self.tables, self.cluster_size = found, 1
            self._draw, self._sample = draw_rows, sample_rows
        else:
            from holdem.odds.sampling.deck_draws.kernels import draw_deals
            from holdem.odds.sampling.deck_draws.prepare import draw_tables
            from holdem.odds.sampling.deck_draws.ranking_kernels import sample_deals

            self.tables = drawn = draw_tables(spot, independent=independent)
            self._draw, self._sample = draw_deals, sample_deals
            self.cluster_size = drawn.cluster_size
        self.start = counter_start(seed, "deals", *path)
        self._of_thread = threading.local()

    def blocks_per_task(self, block: int) -> int:
        """Return the number of blocks of deals to tally in a task that begins with `block`."""
        if not self.spot.evaluator.is_fused:
            return 1
        is_later = self._has_row_tables and block >= _LATER
        return _BLOCKS_PER_TASK_LATER if is_later else BLOCKS_PER_TASK

    def deals(self, block: int, size: int = BLOCK) -> CardArray:
        """Return the first `size` deals of a block as ``uint8 (deal, 5 + 2 * players)``.

        The board comes first, then each player's hole cards.
        """
        from holdem.dealing.random_words import BLOCK_STEP

        counter = np.uint64((self.start + block * int(BLOCK_STEP)) % 2**64)
        dealt = np.empty((size, BOARD_SIZE + 2 * self.spot.players), dtype=np.uint8)
        self._draw(self.tables, counter, dealt)
        return dealt

    def strengths(self, dealt: CardArray, workers: Workers | None = None) -> NDArray[np.int64]:
        """Return the strength of each player's hand in each deal as ``int64 (player, deal)``.

        Args:
            dealt: ``uint8 (deal, 5 + 2 * players)``.
            workers: the workers of the run; see `Evaluator.rank`.
        """
        ranked = np.empty((self.spot.players, len(dealt)), dtype=np.int64)
        for player, hands in enumerate(hands_dealt(dealt)):
            ranked[player] = self.spot.evaluator.rank(hands, workers)
        return ranked

    def count(
        self, first: int, sizes: Sequence[int], workers: Workers | None = None
    ) -> NDArray[np.int64]:
        """Return the tallies of consecutive blocks of deals as ``int64 (block, size)``.

        Args:
            first: the number of the first block.
            sizes: how many deals of each block to count, from its first on.
            workers: the workers of the run; see `Evaluator.rank`.
        """
        if not self.spot.evaluator.is_fused:
            blocks = enumerate(sizes, first)
            return np.stack([self.count_batch(block, 0, size, workers) for block, size in blocks])
        counts = np.zeros((len(sizes), tally_size(self.spot.players)), dtype=np.int64)
        tables = self.tables if first < _LATER else self._tables_of_thread()
        self._sample(tables, np.uint64(self.start), first, np.array(sizes), counts)
        return counts

    def count_batch(
        self, block: int, done: int, size: int, workers: Workers | None = None
    ) -> NDArray[np.int64]:
        """Rank consecutive deals of a block in one batch; return their tally, ``int64 (size,)``.

        Args:
            block: the number of the block.
            done: how many of its deals to skip; whole clusters.
            size: how many deals to count.
            workers: the workers of the run; see `Evaluator.rank`.
        """
        from holdem.odds.sampling.counting_kernels import count_winners

        counts = np.zeros(tally_size(self.spot.players), dtype=np.int64)
        strengths = self.strengths(self.deals(block, done + size)[done:], workers)
        count_winners(strengths, self.cluster_size, counts)
        return counts

    def _tables_of_thread(self) -> Any:
        """Return the current thread's own copy of the tables from which deals are drawn.

        Threads that share arrays compete for their reference counts.
        """
        own = self._of_thread
        if getattr(own, "original", None) is not self.tables:
            own.original = self.tables
            own.tables = self.tables._make(copy.copy(part) for part in self.tables)
        return own.tables


def require_deals(spot: Spot) -> None:
    """Raise the error of a spot that cannot be sampled, without preparing its tables.

    Raises:
        BudgetError: as by `Sampler`.
    """
    from holdem.odds.sampling.deck_draws.prepare import draw_lists
    from holdem.odds.sampling.row_tables.prepare import row_lists

    if row_lists(spot) is None:
        draw_lists(spot)


def hands_dealt(dealt: CardArray) -> Iterator[CardArray]:
    """Yield each player's seven-card hands in all deals as ``uint8 (deal, 7)``, board first.

    The same array is yielded for all players, overwritten each time.

    Args:
        dealt: ``uint8 (deal, 5 + 2 * players)``.
    """
    hands = np.empty((len(dealt), 7), dtype=np.uint8)
    hands[:, :BOARD_SIZE] = dealt[:, :BOARD_SIZE]
    for column in range(BOARD_SIZE, dealt.shape[1], 2):
        hands[:, BOARD_SIZE:] = dealt[:, column : column + 2]
        yield hands
