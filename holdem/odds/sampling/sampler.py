"""Monte Carlo: deals drawn in blocks of a fixed size, each with a random stream of its own.

A result is the first so many deals of the blocks in order, whoever computed them and when,
so it depends on the seed and the number of deals alone.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, Literal

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.seeds import counter_start
from holdem.errors import SpotError
from holdem.jobs.ordered import Interrupted, TimeOverError
from holdem.odds.sampling.cluster_sampling import worth_of_deals
from holdem.odds.sampling.counting import Blocks, Counting
from holdem.odds.sampling.estimates import standard_errors
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.odds.tally import deals_in, players_of, shares, tally_size, winners_in

#: Deals a block.
BLOCK = 1 << 14

#: A run that stops by its error goes on for so many blocks at least: with fewer the error
#: itself is known too poorly, and stopping when it happens to look small would be a lie.
LEAST_BLOCKS = 4

#: Blocks that the fused kernel draws in a task: some milliseconds, so that Ctrl-C is heard.
BLOCKS_TOGETHER = 8

# From this block on each thread has a copy of what it draws from, and the faster kernel draws more
# blocks in a task: of AsKs v random two workers were 1.7 times as fast as one, and are 1.8 times.
_LATER, _TOGETHER_LATER = 64, 32

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
    """The tally, ``int64 (size,)``."""
    stop: Stop

    @property
    def deals(self) -> int:
        """How many deals were drawn."""
        return deals_in(self.counts)


class Sampler:
    """Draws the deals of one spot with one seed, any block of them at any time.

    Attributes:
        boards_a_draw: how many deals side by side share holes, from the first of a block on.
    """

    def __init__(self, spot: Spot, seed: int, *path: str, apart: bool = False) -> None:
        """Prepare the drawing.

        Args:
            spot: what is drawn.
            seed: whatever is drawn depends on it.
            path: names a stream of its own among those of the seed.
            apart: no two deals share holes.
        """
        # What is sampled needs compiled code; what stands in a table must not wait for it.
        from holdem.odds.sampling.row_tables.prepare import piece_tables

        self.spot = spot
        pieces = piece_tables(spot)
        self._in_pieces = pieces is not None
        # `PieceTables` or `DrawTables`, and the kernels that take them.
        self.tables: Any
        self._draw: Callable[..., None]
        self._sample: Callable[..., None]
        if self._in_pieces:
            from holdem.odds.sampling.row_tables.kernels import draw_pieces, sample_pieces

            self.tables, self.boards_a_draw = pieces, 1
            self._draw, self._sample = draw_pieces, sample_pieces
        else:
            from holdem.odds.sampling.deck_draws.kernels import draw_block
            from holdem.odds.sampling.deck_draws.prepare import draw_tables
            from holdem.odds.sampling.deck_draws.ranking_kernels import sample_blocks

            self.tables = drawn = draw_tables(spot, apart=apart)
            self._draw, self._sample = draw_block, sample_blocks
            self.boards_a_draw = drawn.boards_a_draw
        self.start = counter_start(seed, "deals", *path)
        self._here = threading.local()

    def blocks_a_task(self, block: int) -> int:
        """Return how many blocks a task has at most that begins with a block."""
        if not self.spot.evaluator.is_fused:
            return 1
        return _TOGETHER_LATER if self._in_pieces and block >= _LATER else BLOCKS_TOGETHER

    def deals(self, block: int, size: int = BLOCK) -> CardArray:
        """Return the first `size` deals of a block, ``uint8 (deal, 5 + 2 * players)``.

        The board comes first, then each player's hole.
        """
        from holdem.dealing.random_words import BLOCK_STEP

        counter = np.uint64((self.start + block * int(BLOCK_STEP)) % 2**64)
        dealt = np.empty((size, BOARD_SIZE + 2 * self.spot.players), dtype=np.uint8)
        self._draw(self.tables, counter, dealt)
        return dealt

    def strengths(self, dealt: CardArray) -> NDArray[np.int64]:
        """Rank every player's hand in every deal, ``int64 (player, deal)``."""
        ranked = np.empty((self.spot.players, len(dealt)), dtype=np.int64)
        for player, hands in enumerate(hands_dealt(dealt)):
            ranked[player] = self.spot.evaluator.rank(hands)
        return ranked

    def count(self, first: int, sizes: list[int]) -> NDArray[np.int64]:
        """Return the tallies of consecutive blocks, ``int64 (block, size)``.

        Args:
            first: the number of the first block.
            sizes: how many deals of each block to draw.
        """
        counts = np.zeros((len(sizes), tally_size(self.spot.players)), dtype=np.int64)
        if self.spot.evaluator.is_fused:
            start, lengths = np.uint64(self.start), np.array(sizes)
            tables = self.tables if first < _LATER else self._tables_here()
            self._sample(tables, start, first, lengths, counts)
            return counts
        for row, size in enumerate(sizes):
            self.count_piece(first + row, 0, size, counts[row])
        return counts

    def _tables_here(self) -> Any:
        """Return what is drawn from, in a copy of this thread's own."""
        here = self._here
        if getattr(here, "original", None) is not self.tables:
            here.original = self.tables
            here.tables = self.tables._make(copy.copy(part) for part in self.tables)
        return here.tables

    def count_piece(self, block: int, done: int, size: int, counts: NDArray[np.int64]) -> None:
        """Count the winners of some deals of a block, ranked by the evaluator in one batch.

        Args:
            block: the number of the block.
            done: how many of its deals are left out, from the first on; all that share holes.
            size: how many deals to count.
            counts: the tally, ``int64 (size,)``, added to.
        """
        from holdem.odds.sampling.counting_kernels import count_winners

        strengths = self.strengths(self.deals(block, done + size)[done:])
        count_winners(strengths, self.boards_a_draw, counts)


def hands_dealt(dealt: CardArray) -> Iterator[CardArray]:
    """Yield every player's hands of some deals, board first, ``uint8 (deal, 7)``.

    All of them stand in one array, one player's after another's.
    """
    hands = np.empty((len(dealt), 7), dtype=np.uint8)
    hands[:, :BOARD_SIZE] = dealt[:, :BOARD_SIZE]
    for place in range(BOARD_SIZE, dealt.shape[1], 2):
        hands[:, BOARD_SIZE:] = dealt[:, place : place + 2]
        yield hands


class Course:
    """What a sampled run has found so far, block after block, and whether it has ended.

    Attributes:
        counts: the tally of the blocks that count, ``int64 (size,)``.
        blocks: how many they are.
        stop: why it ended; None while it has not.
    """

    def __init__(self, bounds: Bounds, counts: NDArray[np.int64], blocks: int = 0) -> None:
        """Begin, or go on.

        Args:
            bounds: when to end.
            counts: the tally of blocks that are done, ``int64 (size,)``.
            blocks: how many those are: the first ones, of which none but the last may end
                the run.
        """
        self.bounds = bounds
        self.counts = counts
        self.blocks = blocks
        self.stop: Stop | None = None
        if blocks:
            self._settle(counts[None, :], blocks - 1)

    @property
    def deals(self) -> int:
        """How many deals were drawn."""
        return deals_in(self.counts)

    @property
    def stderr(self) -> float:
        """The largest standard error over the players' equities; infinite before a first block.

        Counted anew each time, in 0.03 to 0.4 ms.
        """
        if not self.blocks:
            return float("inf")
        return float(_errors_after(self.counts[None, :], self.blocks - 1)[0])

    def take(self, tallies: NDArray[np.int64]) -> int:
        """Take the tallies of the next blocks, ``int64 (block, size)``.

        Returns:
            How many of them count: those up to where the run ends by its error.
        """
        return self._settle(self.counts + np.cumsum(tallies, axis=0), self.blocks)

    def end(self, stop: Stop, rest: NDArray[np.int64] | None = None) -> None:
        """End before any other bound is met.

        Args:
            stop: why.
            rest: the tally of the first deals of the next block, ``int64 (size,)``.
        """
        if rest is not None:
            self.counts = self.counts + rest
        self.stop = stop

    def _settle(self, so_far: NDArray[np.int64], first: int) -> int:
        """Take the tallies *after* some blocks, from number `first` on."""
        taken = len(so_far)
        if self.bounds.stderr is not None:
            errors = _errors_after(so_far, first)
            late = np.arange(first + 1, first + taken + 1) >= LEAST_BLOCKS
            stops = np.flatnonzero(late & (errors <= self.bounds.stderr))
            if len(stops):
                taken, self.stop = int(stops[0]) + 1, "stderr"
        self.counts, self.blocks = so_far[taken - 1], first + taken
        if self.stop is None and self.deals == self.bounds.deals:
            self.stop = "deals"
        return taken


def _errors_after(so_far: NDArray[np.int64], first: int) -> NDArray[np.float64]:
    """Return the largest standard error after each of some blocks, ``float64 (block,)``.

    The last bits of a product of matrices may depend on how many rows go in together, and
    nothing may depend on which blocks were handed over together: so they always go in by the
    same groups of blocks, the first of them with the number `first`.
    """
    before = first % BLOCKS_TOGETHER
    rows = -(-(before + len(so_far)) // BLOCKS_TOGETHER) * BLOCKS_TOGETHER
    padded = np.repeat(so_far[:1], rows, axis=0)
    padded[before : before + len(so_far)] = so_far
    winners, worth = winners_in(padded), worth_of_deals(padded)[:, 0]
    share = shares(players_of(so_far))
    groups = [slice(row, row + BLOCKS_TOGETHER) for row in range(0, rows, BLOCKS_TOGETHER)]
    errors = [standard_errors(winners[own], share, worth[own]).max(axis=1) for own in groups]
    return np.concatenate(errors)[before : before + len(so_far)]


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
                    course.take(tallies)
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
        raise SpotError(nothing_finished(bounds, sampler.spot.evaluator.name))
    return Sample(course.counts, "time")


def nothing_finished(bounds: Bounds, evaluator: str) -> str:
    """Return what is said of a run whose time was over before anything was counted."""
    return (
        f"evaluator {evaluator!r} finished not one deal in {bounds.time:g} seconds: allow more"
        " time, or take a faster one"
    )


def _asked(sampler: Sampler, deals: int | None) -> Iterator[Blocks]:
    block = 0
    while deals is None or block * BLOCK < deals:
        together = sampler.blocks_a_task(block)
        sizes = [BLOCK] * together
        if deals is not None:
            left = deals - block * BLOCK
            sizes = [min(BLOCK, left - i * BLOCK) for i in range(min(together, -(-left // BLOCK)))]
        yield Blocks(sampler, block, tuple(sizes))
        block += len(sizes)
