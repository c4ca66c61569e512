"""The deals of a sampled spot, drawn in blocks of a fixed size.

Each block has a separate random stream. A sample consists of the first deals of the blocks in
order, so it depends only on the seed and the number of deals, not on the workers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.seeds import Words, counter_start
from holdem.errors import BudgetError, quoted
from holdem.evaluation.builtin.lookup import rank_strength
from holdem.evaluation.builtin.lookup_tables import FLUSH_BITS, SUIT_COUNT_START
from holdem.jit.kernels import inlined, kernel, popcount
from holdem.jobs.workers import Workers
from holdem.odds.sampling.cluster_sampling import POT, choose_cluster_size
from holdem.odds.sampling.deal_kernels import (
    GROUP,
    Group,
    deal_group,
    deck_counter,
    draw_holes,
    draw_scarce_holes,
    empty_group,
    write_deals,
)
from holdem.odds.sampling.deal_tables import (
    Blocks,
    DealTables,
    JointHoles,
    estimate_acceptance,
    join,
    make_deal_tables,
    make_hole_tables,
    single_lists,
)
from holdem.odds.sampling.scarce_cards import ScarceCards, choose_scarce_cards
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.odds.tally import tally_size, update_winners

#: The number of the random stream. It changes whenever a seed gives other deals than before.
#: Studies are continued with the same stream only (`docs/how/sampling.md`).
STREAM = 4

#: Deals per block.
BLOCK = 1 << 14

#: The number of blocks in a task if hands are ranked by tables: some milliseconds.
BLOCKS_PER_TASK = 8

# The most rows of a joint list: row numbers fit into 16 bits, and the list fits into the L2 cache.
_MAX_ROWS = (1 << 16) - 1
# Below this chance that holes from all lists fit together, scarce cards are tracked.
_MIN_ACCEPTANCE, _TRIES = 1 / 1024, 1 << 13
_MAX_DRAWS = 1 << 14  # of holes per deal: 0.1 ms


class Sampler:
    """Source of random deals of a spot; any thread can draw or tally any block of deals.

    A tally counts deals by the set of players who share the best hand (`holdem.odds.tally`).
    """

    def __init__(
        self, spot: Spot, seed: int, *path: str, independent: bool = False, burns: int = 0
    ) -> None:
        """Prepare the tables from which deals are drawn.

        `path` is the name of one of the independent random streams of the seed. With `independent`,
        each deal has new hole cards, without clusters. Deals with `burns` burnt cards can only be
        drawn by `deals`, not counted.
        """
        lists, self._scarce, draws = choose_lists(spot)
        self._lists = make_hole_tables(spot, lists)
        listed = [player for own in lists for player in own.seats]
        self._ranker = spot.evaluator.ranker
        self._tables = make_deal_tables(spot, listed, self._ranker.tables, burns)
        self._columns = BOARD_SIZE + 2 * spot.players + burns
        self.cluster_size = 1  # consecutive deals that share hole cards, see `cluster_sampling`
        # From the flop on, hole cards decide too much of the outcome.
        if spot.to_come == BOARD_SIZE and not independent:
            combos = [len(spot.live[player]) for player in listed]
            self.cluster_size = choose_cluster_size(spot.players, draws, combos)
        self.spot = spot
        # where block 0 begins in the random stream
        self.start = counter_start(seed, "deals", *path)

    @property
    def blocks_per_task(self) -> int:
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

        The deals, from `deals`, have no burnt cards: ``uint8 (deal, 5 + 2 * players)``. For
        `workers`, see `Evaluator.rank`.
        """
        ranked = np.empty((self.spot.players, len(dealt)), dtype=np.int64)
        for player, hands in enumerate(hands_dealt(dealt)):
            ranked[player] = self._ranker.rank(hands, workers)
        return ranked

    def count(
        self, first: int, sizes: Sequence[int], workers: Workers | None = None
    ) -> NDArray[np.int64]:
        """Tally consecutive blocks of deals as ``int64 (block, tally_size)``.

        `sizes` are how many deals of each block to count, from its first deal on. For `workers`,
        see `Evaluator.rank`.
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
        """Add tallies of at most `BLOCKS_PER_TASK` blocks, ranked by tables, to `counts`.

        `counts` is ``int64 (block, tally_size)``; `sizes` are how many deals of each block to
        count, from its first deal on.
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
        """Rank consecutive deals of a block in one batch, and tally them, ``int64 (tally_size,)``.

        The first `done` deals of the block, a multiple of `cluster_size`, are skipped. For
        `workers`, see `Evaluator.rank`.
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
        """Draw the hole cards from lists for consecutive blocks of deals.

        `sizes` are how many deals of each block are needed, from its first deal on.
        """
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
    """Choose the lists from which a spot's hole cards are drawn, and whether to track scarce cards.

    If players compete for a few cards, tracking scarce ones saves draws
    (`holdem.odds.sampling.scarce_cards`); they are None if it doesn't. `max_draws` is how many
    holes may then be drawn for a deal, on average. The last value is the mean number of draws from
    lists per deal.
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
    """Check, without preparing tables, that a spot can be sampled in reasonable time."""
    choose_lists(spot)


def hands_dealt(dealt: CardArray) -> Iterator[CardArray]:
    """Yield, for each player, the seven-card hands of all deals, ``uint8 (deal, 7)``, board first.

    The deals are ``uint8 (deal, 5 + 2 * players)``, the board first. The same array is yielded for
    every player, with other hole cards each time.
    """
    hands = np.empty((len(dealt), 7), dtype=np.uint8)
    hands[:, :BOARD_SIZE] = dealt[:, :BOARD_SIZE]
    for column in range(BOARD_SIZE, dealt.shape[1], 2):
        hands[:, BOARD_SIZE:] = dealt[:, column : column + 2]
        yield hands


# --- kernels that find winners ----------------------------------------------------------------

# `count_two` and `count_many` rank deals by tables of strengths. Each player's hands of a group are
# ranked without regard to flushes, and those with a flush, one in thirty, again. A branch for each
# hand would be mispredicted too often.

_ZERO, _ONE, _TWO, _THREE, _FOUR, _FIVE = (np.uint64(number) for number in range(6))
_16, _32, _48, _LANES = (np.uint64(number) for number in (16, 32, 48, GROUP))
_START, _FLUSH = np.uint64(SUIT_COUNT_START), np.uint64(FLUSH_BITS)
# The flush bit of each suit but clubs, and the bits of a suit mask that are one suit.
_DIAMONDS, _HEARTS, _SPADES = (np.uint64(bit) for bit in (39, 43, 47))
_13_BITS = np.uint64(0x1FFF)
_16_OF_32, _LOW_16 = np.uint32(16), np.uint32(0xFFFF)


class Keys(NamedTuple):
    """Buffers for the keys by which the hands of a group of deals are ranked."""

    cards: Words
    """``uint64 (number,)``: a copy of the keys of all cards. LLVM knows that it overlaps no array
    that is written."""
    boards: Words
    """``uint64 (GROUP,)``: the sum of `SUIT_COUNT_START` and the keys of each deal's board."""
    hands: Words
    """``uint64 (GROUP,)``: the same sum for each deal's hand of seven cards."""
    flushes: Words
    """``uint64 (GROUP,)``: the indices of the deals in which the hand has a flush."""


@inlined
def _empty_keys(tables: DealTables) -> Keys:
    cards = np.empty(len(tables.keys), dtype=np.uint64)
    for card in range(len(cards)):
        cards[card] = tables.keys[card]
    return Keys(
        cards,
        np.empty(GROUP, dtype=np.uint64),
        np.empty(GROUP, dtype=np.uint64),
        np.empty(GROUP, dtype=np.uint64),
    )


@inlined
def _add_boards(tables: DealTables, group: Group, keys: Keys) -> None:
    """Write the sum of the card keys of each board in a group of deals to `keys.boards`."""
    of_card, boards, cards = keys.cards, keys.boards, group.cards
    one, two, three, four, five = cards[0], cards[1], cards[2], cards[3], cards[4]
    if tables.template[2]:  # the flop is known: 0 stands for an unknown card
        flop = _START + of_card[one[0]] + of_card[two[0]] + of_card[three[0]]
        for i in range(_LANES):
            boards[i] = flop + of_card[four[i]] + of_card[five[i]]
    else:
        for i in range(_LANES):
            key = _START + of_card[one[i]] + of_card[two[i]] + of_card[three[i]]
            boards[i] = key + of_card[four[i]] + of_card[five[i]]


@inlined
def _rank_player(
    tables: DealTables, group: Group, keys: Keys, player: Any, strengths: NDArray[np.uint32]
) -> None:
    """Write the strengths of a player's hands in a group to `strengths`, ``uint32 (GROUP,)``.

    `keys` has the sums that `_add_boards` wrote for this group.
    """
    of_card, boards, hands, flushes = keys.cards, keys.boards, keys.hands, keys.flushes
    column, rare = _FIVE + _TWO * player, _ZERO
    low, high = group.cards[column], group.cards[column + _ONE]
    for i in range(_LANES):
        key = boards[i] + of_card[low[i]] + of_card[high[i]]
        hands[i] = key
        strengths[i] = rank_strength(tables.strengths, np.uint32(key))
        flushes[rare] = i
        rare += np.uint64(key & _FLUSH != _ZERO)
    for place in range(rare):
        i = flushes[place]
        mask = tables.masks[low[i]] | tables.masks[high[i]]
        for board in range(_FIVE):
            mask |= tables.masks[group.cards[board, i]]
        suit = hands[i] & _FLUSH
        shift = (suit >> _DIAMONDS & _ONE) * _16
        shift += (suit >> _HEARTS & _ONE) * _32
        shift += (suit >> _SPADES & _ONE) * _48
        strengths[i] = tables.strengths[mask >> shift & _13_BITS]


@kernel
def count_two(tables: DealTables, blocks: Blocks, counts: NDArray[np.int64]) -> None:
    """Deal and rank blocks of two-player deals, and add them to `counts` by the set of winners.

    Hole cards that come from lists are in `blocks.holes`; the other cards are dealt here. `counts`
    is ``int64 (block, 4)``; a set is a number with bit *i* for player *i*.
    """
    group, keys = empty_group(tables), _empty_keys(tables)
    mine, theirs = np.empty(GROUP, dtype=np.uint32), np.empty(GROUP, dtype=np.uint32)
    for block in range(np.uint64(len(blocks.sizes))):
        counter, tally, size = deck_counter(blocks, block), counts[block], blocks.sizes[block]
        for done in range(0, size, GROUP):
            counter = deal_group(tables, blocks.holes[block], np.uint64(done), counter, group)
            _add_boards(tables, group, keys)
            _rank_player(tables, group, keys, _ZERO, mine)
            _rank_player(tables, group, keys, _ONE, theirs)
            count = min(GROUP, size - done)
            wins = ties = np.uint32(0)
            for i in range(count):
                wins += np.uint32(mine[i] > theirs[i])
                ties += np.uint32(mine[i] == theirs[i])
            tally[1] += np.int64(wins)
            tally[2] += count - np.int64(wins) - np.int64(ties)
            tally[3] += np.int64(ties)


@kernel
def count_many(
    tables: DealTables,
    blocks: Blocks,
    winners: NDArray[np.uint16],
    counts: NDArray[np.int64],
) -> None:
    """Deal and rank blocks of deals with three or more players, and add their tallies to `counts`.

    There is a separate kernel for two players, because this one would take a sixth longer.

    Hole cards that come from lists are in `blocks.holes`; the other cards are dealt here. `winners`
    receives the set of the winners of each deal, ``uint16 (block, deal)``, with bit *i* for player
    *i*. `counts` is ``int64 (block, size)``.
    """
    group, keys = empty_group(tables), _empty_keys(tables)
    strengths, best = np.empty(GROUP, dtype=np.uint32), np.empty(GROUP, dtype=np.uint32)
    for block in range(np.uint64(len(blocks.sizes))):
        counter, tally, size = deck_counter(blocks, block), counts[block], blocks.sizes[block]
        for done in range(0, size, GROUP):
            counter = deal_group(tables, blocks.holes[block], np.uint64(done), counter, group)
            _add_boards(tables, group, keys)
            for i in range(GROUP):
                best[i] = 0  # the set of winners, and above it their strength
            for player in range(np.uint64(len(tables.template) // 2 - 3)):  # 6 + 2 * players
                _rank_player(tables, group, keys, player, strengths)
                bit = np.uint32(1) << np.uint32(player)
                for i in range(GROUP):
                    own, so_far = strengths[i] << _16_OF_32 | bit, best[i]
                    is_tie = (so_far ^ own) >> _16_OF_32 == np.uint32(0)
                    higher = own if own > so_far else so_far
                    best[i] = so_far | own if is_tie else higher
            for i in range(min(GROUP, size - done)):
                winning = best[i] & _LOW_16
                winners[block, done + i] = winning
                tally[winning] += 1


@kernel
def square_clusters(
    winners: NDArray[np.uint16], cluster_size: int, players: int, counts: NDArray[np.int64]
) -> None:
    """Add the cluster squares of consecutive deals to a tally (see `cluster_sampling`).

    `winners` has the set of the winners of each deal, ``uint16 (deal,)``, with bit *i* for player
    *i*; the first deal begins a cluster. The last elements of the tally, ``int64 (size,)``, are the
    cluster squares.
    """
    squares = counts[1 << players :]
    for first in range(0, len(winners), cluster_size):
        cluster = winners[first : first + cluster_size]
        squares[0] += len(cluster) * len(cluster)
        for player in range(players):
            won = tied = share = np.int64(0)
            for winning in cluster:
                if winning >> player & 1:
                    count = np.int64(popcount(np.uint64(winning)))
                    won += count == 1
                    tied += count > 1
                    share += POT // count
            squares[1 + player] += share * share
            squares[1 + players + player] += won * won
            squares[1 + 2 * players + player] += tied * tied


@kernel
def count_ranked(
    strengths: NDArray[np.int64], winners: NDArray[np.uint16], counts: NDArray[np.int64]
) -> None:
    """Add deals to a tally, ``int64 (size,)``, given the strengths ``int64 (player, deal)``.

    The strengths are by any evaluator. `winners` receives the set of the winners of each deal,
    ``uint16 (deal,)``, with bit *i* for player *i*.
    """
    for deal in range(strengths.shape[1]):
        best, winning = strengths[0, deal], _ONE
        for player in range(_ONE, np.uint64(len(strengths))):
            best, winning = update_winners(best, winning, strengths[player, deal], _ONE << player)
        winners[deal] = winning
        counts[winning] += 1
