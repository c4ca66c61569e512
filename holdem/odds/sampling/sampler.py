"""The deals of a sampled spot, drawn in blocks of a fixed size.

Each block has a separate random stream. A sample consists of the first deals of the blocks in
order, so it depends only on the seed and the number of deals, not on the workers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.seeds import counter_start
from holdem.errors import BudgetError, quoted
from holdem.jobs.workers import Workers
from holdem.odds.sampling.cluster_sampling import choose_cluster_size
from holdem.odds.sampling.counting_kernels import (
    count_many,
    count_ranked,
    count_two,
    square_clusters,
)
from holdem.odds.sampling.deal_kernels import GROUP, draw_holes, draw_scarce_holes, write_deals
from holdem.odds.sampling.deal_tables import (
    Blocks,
    JointHoles,
    estimate_acceptance,
    join,
    make_deal_tables,
    make_hole_tables,
    single_lists,
)
from holdem.odds.sampling.scarce_cards import ScarceCards, choose_scarce_cards
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.odds.tally import tally_size

#: The number of the random stream: which deals a seed gives. It changes with every change of
#: them, and studies are continued with the same stream only (`docs/how/sampling.md`).
STREAM = 3

#: Deals per block.
BLOCK = 1 << 14

#: Blocks that are counted by tables in a task of some milliseconds.
BLOCKS_PER_TASK = 8

# The most rows of a joint list: row numbers fit into 16 bits, and a list into the L2 cache.
_MAX_ROWS = (1 << 16) - 1
# Below this chance that holes from all lists fit together, scarce cards are tracked.
_MIN_ACCEPTANCE, _TRIES = 1 / 1024, 1 << 13
_MAX_DRAWS = 1 << 14  # of holes per deal: 0.1 ms


class Sampler:
    """Sampler of a spot's deals, whose blocks any thread can draw or tally in any order.

    Attributes:
        spot: the spot.
        cluster_size: how many consecutive deals share hole cards; see
            `holdem.odds.sampling.cluster_sampling`.
        start: the counter of the random stream at which block 0 begins.
    """

    def __init__(
        self, spot: Spot, seed: int, *path: str, independent: bool = False, burns: int = 0
    ) -> None:
        """Prepare the tables from which deals are drawn.

        Args:
            spot: the spot whose deals are drawn.
            seed: 0..2^53-1.
            path: names one of the independent streams of the seed.
            independent: whether to draw new hole cards for every deal.
            burns: the number of cards that are burnt in each deal. Such deals are not counted,
                but only drawn by `deals`.

        Raises:
            BudgetError: the ranges overlap so much that deals would take too long to find.
        """
        lists, self._scarce, draws = choose_lists(spot)
        self._lists = make_hole_tables(spot, lists)
        listed = [player for own in lists for player in own.seats]
        self._ranker = spot.evaluator.ranker
        self._tables = make_deal_tables(spot, listed, self._ranker.tables, burns)
        self._columns = BOARD_SIZE + 2 * spot.players + burns
        self.cluster_size = 1
        # From the flop on, hole cards decide too much of the outcome.
        if spot.to_come == BOARD_SIZE and not independent:
            combos = [len(spot.live[player]) for player in listed]
            self.cluster_size = choose_cluster_size(spot.players, draws, combos)
        self.spot = spot
        self.start = counter_start(seed, "deals", *path)

    @property
    def blocks_per_task(self) -> int:
        """The number of blocks of deals to tally in a task."""
        return BLOCKS_PER_TASK if self._ranker.tables else 1

    def deals(self, block: int, size: int = BLOCK) -> CardArray:
        """Draw the first `size` deals of a block as ``uint8 (deal, 5 + 2 * players + burns)``.

        The board comes first, then each player's hole cards, then the burnt cards.
        """
        dealt = np.empty((size, self._columns), dtype=np.uint8)
        write_deals(self._tables, self._draw_holes(block, [size]), dealt)
        return dealt

    def strengths(self, dealt: CardArray, workers: Workers | None = None) -> NDArray[np.int64]:
        """Rank each player's hand in each deal, ``int64 (player, deal)``.

        Args:
            dealt: ``uint8 (deal, 5 + 2 * players)``.
            workers: the workers of the run; see `Evaluator.rank`.
        """
        ranked = np.empty((self.spot.players, len(dealt)), dtype=np.int64)
        for player, hands in enumerate(hands_dealt(dealt)):
            ranked[player] = self._ranker.rank(hands, workers)
        return ranked

    def count(
        self, first: int, sizes: Sequence[int], workers: Workers | None = None
    ) -> NDArray[np.int64]:
        """Tally consecutive blocks of deals as ``int64 (block, tally_size)``.

        Args:
            first: the number of the first block.
            sizes: how many deals of each block to count, from its first on.
            workers: the workers of the run; see `Evaluator.rank`.
        """
        if not self._ranker.tables:
            blocks = enumerate(sizes, first)
            return np.stack([self.count_batch(block, 0, size, workers) for block, size in blocks])
        counts = np.zeros((len(sizes), tally_size(self.spot.players)), dtype=np.int64)
        for done in range(0, len(sizes), BLOCKS_PER_TASK):
            part = slice(done, done + BLOCKS_PER_TASK)
            self._count_blocks(first + done, sizes[part], counts[part])
        return counts

    def _count_blocks(self, first: int, sizes: Sequence[int], counts: NDArray[np.int64]) -> None:
        """Tally a few blocks of deals by tables, and add the tallies to `counts`.

        The arguments are those of `count`, at most `BLOCKS_PER_TASK` blocks; `counts` is ``int64
        (block, tally_size)``.
        """
        blocks, players = self._draw_holes(first, sizes), self.spot.players
        if players == 2:
            count_two(self._tables, blocks, counts)
            return
        winners = np.empty((len(sizes), max(sizes)), dtype=np.uint16)
        count_many(self._tables, blocks, winners, counts)
        if self.cluster_size > 1:
            for winning, size, tally in zip(winners, sizes, counts, strict=True):
                square_clusters(winning[:size], self.cluster_size, players, tally)

    def count_batch(
        self, block: int, done: int, size: int, workers: Workers | None = None
    ) -> NDArray[np.int64]:
        """Rank consecutive deals of a block in one batch; return their tally (see `tally_size`).

        Args:
            block: the number of the block.
            done: how many of its deals to skip; whole clusters.
            size: how many deals to count.
            workers: the workers of the run; see `Evaluator.rank`.
        """
        players = self.spot.players
        counts = np.zeros(tally_size(players), dtype=np.int64)
        strengths = self.strengths(self.deals(block, done + size)[done:], workers)
        winners = np.empty(size, dtype=np.uint16)
        count_ranked(strengths, winners, counts)
        if self.cluster_size > 1:
            square_clusters(winners, self.cluster_size, players, counts)
        return counts

    def _draw_holes(self, first: int, sizes: Sequence[int]) -> Blocks:
        """Draw the holes from lists for consecutive blocks; the arguments are as for `count`."""
        deals = -(-max(sizes) // GROUP) * GROUP
        shape = len(sizes), len(self._lists.codes), deals // self.cluster_size
        holes = np.empty(shape, dtype=np.uint16)
        blocks = Blocks(np.uint64(self.start), np.uint64(first), np.array(sizes), holes)
        if self._scarce is not None:
            draw_scarce_holes(self._lists, self._scarce, blocks)
        elif len(self._lists.codes):
            draw_holes(self._lists, blocks)
        if self.cluster_size > 1:
            return blocks._replace(holes=np.repeat(holes, self.cluster_size, axis=2))
        return blocks


def choose_lists(
    spot: Spot, max_draws: int = _MAX_DRAWS
) -> tuple[list[JointHoles], ScarceCards | None, float]:
    """Choose the lists from which a spot's hole cards are drawn.

    Args:
        spot: the spot whose deals are drawn.
        max_draws: how many holes may be drawn for a deal, on average.

    Returns:
        The lists, the scarce cards, if they are tracked, and the mean number of draws per deal.

    Raises:
        BudgetError: the ranges overlap so much that deals would take too long to find.
    """
    singles = single_lists(spot)
    lists = join(singles, _MAX_ROWS)
    accepted, draws = estimate_acceptance(lists, _TRIES)
    if accepted >= _MIN_ACCEPTANCE:
        return lists, None, draws
    scarce = choose_scarce_cards(singles)
    if scarce.draws > max_draws:
        texts = ", ".join(quoted(text) for text in spot.texts)
        taken = (
            f"some {scarce.draws:,.0f} draws"
            if isfinite(scarce.draws)
            else "more draws than can be estimated"
        )
        raise BudgetError(
            f"these ranges share so many cards that finding one deal takes {taken}, and the limit"
            f" is {max_draws:,}: {texts}; widen the ranges or remove players"
        )
    return singles, scarce, scarce.draws


def require_deals(spot: Spot) -> None:
    """Raise `BudgetError` if a spot cannot be sampled, without preparing any tables.

    Raises:
        BudgetError: the ranges overlap so much that deals would take too long to find.
    """
    choose_lists(spot)


def hands_dealt(dealt: CardArray) -> Iterator[CardArray]:
    """Yield, for each player, the seven-card hands of all deals, ``uint8 (deal, 7)``, board first.

    The same array is yielded for all players, overwritten each time.

    Args:
        dealt: ``uint8 (deal, 5 + 2 * players)``.
    """
    hands = np.empty((len(dealt), 7), dtype=np.uint8)
    hands[:, :BOARD_SIZE] = dealt[:, :BOARD_SIZE]
    for column in range(BOARD_SIZE, dealt.shape[1], 2):
        hands[:, BOARD_SIZE:] = dealt[:, column : column + 2]
        yield hands
