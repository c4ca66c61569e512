"""Sweeps: one pass over all live combos, in order of strength, on each board.

`Sweep` is the base class of `TwoRanges` and `SeveralRanges`, which differ in the sums that the pass
computes. Of boards that differ only by a suit permutation that leaves the spot unchanged, one is
swept.

The combos are ordered with a counting sort. Without a flush, the strength of a combo depends only
on its two ranks, of which there are 91 pairs. If the board has three cards of a suit, the combos
that make a flush are ranked one by one. Combos of equal strength form a group; groups are numbered
in order of strength with the help of a bitmap of the strengths that occur. Pairs of ranks and
combos with a flush are sorted by group, and the combos are written in this order.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup import rank_strength, strength
from holdem.evaluation.builtin.lookup_tables import (
    FLUSH_BITS,
    RANK_KEYS,
    StrengthTable,
    StrengthTables,
    seven_or_empty,
)
from holdem.evaluation.evaluator import Ranker
from holdem.jit.kernels import inlined, popcount
from holdem.jobs.run import Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.integer_weights import Sums
from holdem.odds.exact.method import (
    THROUGH_ARRAYS,
    ComboTotals,
    ExactMethod,
    PlayerSums,
    estimate_ranking,
    sum_over_combos,
)
from holdem.odds.exact.ranked_combos import (
    BLOCKED,
    COMBO_KEYS,
    COMBO_MASKS,
    HANDS_PER_TASK,
    rank_combos,
    sum_cards,
)
from holdem.odds.spot import Spot
from holdem.odds.symmetry import CanonicalBoards, list_canonical_boards, weight_fixing_permutations
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, COMBO_SETS

# The cost of a board, and of ordering a combo on it, in evaluations of a kernel.
BOARD, ORDER = 300, 1


class Sweep(ExactMethod):
    """Base class of `TwoRanges` and `SeveralRanges`, which sweep all combos once per board."""

    name = "all combos swept over boards"
    players: ClassVar[tuple[int, ...]]  # the method applies to spots of so many

    # set by `prepare`
    boards: CanonicalBoards
    combos: NDArray[np.intp]
    """The numbers of the live combos, ``intp (combo,)``, in the order of the columns of `_sums`."""
    _ranker: Ranker
    _sortable: Combos
    _sums: Sums
    """Sums over the boards swept so far, ``(row, combo, quantity)``. Each subclass says what its
    rows and quantities are. By category, ``(row, category * combo, quantity + 1)``: on the second
    axis, all combos of the weakest category come first, then all of the next; the last quantity is
    the weight of all deals."""

    @classmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:  # noqa: ARG003
        if spot.players not in cls.players:
            return None
        board = BOARD + ORDER * len(spot.live_combos) + cls._estimate_comparing(spot)
        if not spot.evaluator.has_tables:
            board = estimate_ranking(spot) + board // THROUGH_ARRAYS
        return spot.boards * board // len(weight_fixing_permutations(spot))

    @classmethod
    @abstractmethod
    def _estimate_comparing(cls, spot: Spot) -> int:
        """Estimate the cost, in evaluations, of comparing the ordered combos on one board."""

    def prepare(self) -> None:
        spot = self.spot
        self._ranker = spot.evaluator.ranker
        # On the turn and the river there are too few boards for symmetry to save time.
        permutations = np.zeros(1, dtype=np.intp)
        if len(spot.board) < 4:
            permutations = weight_fixing_permutations(spot)
        self.boards = list_canonical_boards(spot.board, spot.free, permutations)
        self.combos = sort_by_ranks(spot.live_combos)
        self._sortable = lay_out_combos(self.combos, self._ranker.tables)
        if self.by_category:
            bounds = self._ranker.scale.category_bounds
            self._sortable = self._sortable._replace(category_bounds=bounds)

    def tasks(self) -> Iterator[Task[Sums]]:
        return self.batches(self._sweep, len(self.boards.cards), self._choose_boards_per_task())

    def _choose_boards_per_task(self) -> int:
        if self._ranker.tables:
            return self._choose_kernel_boards_per_task()
        return HANDS_PER_TASK // len(self.combos)

    @abstractmethod
    def _choose_kernel_boards_per_task(self) -> int:
        """Choose the number of boards in a task, for evaluators that have tables."""

    def _sweep(self, rows: slice, workers: Workers) -> Sums:
        boards, combos = self.boards.cards[rows], self._sortable
        if not self._ranker.tables:
            strengths = rank_combos(self._ranker, boards, self.combos, workers)
            combos = combos._replace(strengths=strengths, ranking=strengths.argsort(axis=1))
        return self._compare(boards, self.boards.orbit_sizes[rows], combos)

    @abstractmethod
    def _compare(self, boards: CardArray, orbit_sizes: NDArray[np.uint8], combos: Combos) -> Sums:
        """Compare all combos on boards, ``uint8 (board, 5)``; return what is added to `_sums`.

        Each board counts as often as `orbit_sizes` says, ``uint8 (board,)``. If the evaluator has
        no tables, `combos` have their strengths on these boards.
        """

    @property
    def _categories(self) -> int:
        """The number of categories for which there are separate sums; 1 if not by category."""
        return len(self._sortable.category_bounds) + 1

    def _repeat_by_category(self, weights: NDArray[Any]) -> NDArray[Any]:
        """Repeat weights for each category: ``(row, combo)`` becomes ``(row, category * combo)``.

        The order on the second axis is that of `_sums`.
        """
        # In C order; columns chosen by index have the other, for which numba would compile the
        # kernels once more.
        return np.ascontiguousarray(np.concatenate([weights] * self._categories, axis=1))

    def _sum_by_combo(self) -> Sums:
        """Convert `_sums` to sums over all boards, also those left out for symmetry.

        They are ``(category, row, quantity, 1326)``, with the rows and quantities of `_sums`, by
        combo number. There is a single category if sums are not by category.
        """
        rows, columns, quantity_count = self._sums.shape
        count = columns // self._categories
        sums = self._sums.reshape(rows, -1, count, quantity_count).transpose(1, 0, 3, 2)
        by_combo = cast(Sums, np.zeros_like(sums, shape=(*sums.shape[:3], COMBO_COUNT)))
        by_combo[..., self.combos] = sums
        return self.boards.spread(by_combo)

    def totals(self) -> tuple[ComboTotals, ...]:
        (sums,) = self._sum_by_combo()
        return self._compute_totals(sums)

    def category_sums(self) -> tuple[tuple[PlayerSums, ...], ...]:
        by_category = [self._compute_totals(sums) for sums in self._sum_by_combo()]
        return tuple(
            tuple(sum_over_combos(self.spot, player, totals) for totals in own)
            for player, own in enumerate(zip(*by_category, strict=True))
        )

    @abstractmethod
    def _compute_totals(self, sums: Sums) -> tuple[ComboTotals, ...]:
        """Compute the totals of each player's combos from sums over all boards.

        `sums` is ``(row, quantity, 1326)``, with the rows and quantities of `_sums`.
        """


# --- kernels -----------------------------------------------------------------------------

_HIGH, _LOW = COMBO_CARDS.T.astype(np.uint32)
_CARDS = _HIGH << np.uint32(6) | _LOW
_RANK_PAIRS = (13 * (_HIGH >> 2) + (_LOW >> 2)).astype(np.intp)
_RANK_KEYS = np.array(RANK_KEYS, dtype=np.uint32)
_RANK_PAIR_KEYS = (_RANK_KEYS[:, None] + _RANK_KEYS).ravel()
# Adjacent combos of the same two ranks share no card, so a kernel that adds their weights by
# card does not wait for the previous addition.
_POSITIONS = np.lexsort((_HIGH & 3, (_HIGH - _LOW) & 3, _RANK_PAIRS)).argsort()

#: An integer that indexes arrays; unsigned where possible, which is faster.
Index: TypeAlias = int | np.uint64

# Of the bitmap of strengths, in which kernels write without checks. No rule set with tables has
# more strengths than the 7,462 of standard rules; `lay_out_combos` asserts that all fit.
_WORDS = 7463 // 64 + 1
_FLUSH = np.uint64(FLUSH_BITS)
# Added to the suit counts, which start at 3, this sets the top bit of each nibble that counts
# at least three cards.
_THREE_OF_SUIT = np.uint64(0x2222 << 32)
_ONE, _SIX, _12, _63 = np.uint64(1), np.uint64(6), np.uint32(12), np.uint64(63)
_CARD = np.uint32(63)


class Combos(NamedTuple):
    """Live combos in the arrays that `order_combos` reads; those with the same two ranks adjacent.

    Keys and suit masks are those of `holdem.evaluation.builtin.lookup_tables`.
    """

    sets: NDArray[np.uint64]
    """The card set of each combo, ``uint64 (combo,)``."""
    keys: NDArray[np.uint64]
    """The sum of the keys of each combo's cards, ``uint64 (combo,)``."""
    masks: NDArray[np.uint64]
    """The suit mask of each combo, ``uint64 (combo,)``."""
    packed: NDArray[np.uint32]
    """The index and the cards of each combo, ``index << 12 | high << 6 | low``, ``uint32
    (combo,)``."""
    pair_keys: NDArray[np.uint32]
    """The sum of the two rank keys of each pair of ranks that occurs, ``uint32 (pair,)``."""
    pair_starts: NDArray[np.uint32]
    """The index of the first combo of each pair of ranks and, last, the number of combos, ``uint32
    (pair + 1,)``."""
    table: StrengthTable
    """The strengths of hands of seven cards; empty if the evaluator has no tables."""
    strengths: NDArray[np.int64]
    """The evaluator's strengths, if it has no tables: ``int64 (board, combo)``, `BLOCKED` for
    combos that share a card with the board. Otherwise empty."""
    ranking: NDArray[np.intp]
    """For each row of `strengths`, the indices of the combos, weakest first, ``intp (board,
    combo)``; empty if `strengths` is."""
    category_bounds: NDArray[np.int64]
    """The lowest strength of each category but the weakest, ``int64 (category - 1,)``, if sums
    are kept by category; otherwise empty."""


def sort_by_ranks(numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """Sort combo numbers, ``intp (combo,)``, so that those with the same two ranks are adjacent."""
    ordered: NDArray[np.intp] = numbers[np.argsort(_POSITIONS[numbers])]
    return ordered


def lay_out_combos(numbers: NDArray[np.intp], tables: StrengthTables | None) -> Combos:
    """Arrange combos, sorted by `sort_by_ranks`, ``intp (combo,)``, for `order_combos`.

    `tables` is None if the evaluator has none.
    """
    table = seven_or_empty(tables)
    assert table.max(initial=0) < 64 * _WORDS, "strengths fit in the bitmap"
    none = np.zeros((0, 0), dtype=np.int64)
    rank_pairs, starts = np.unique(_RANK_PAIRS[numbers], return_index=True)
    indices = np.arange(len(numbers), dtype=np.uint32)
    return Combos(
        COMBO_SETS[numbers],
        COMBO_KEYS[numbers],
        COMBO_MASKS[numbers],
        indices << np.uint32(12) | _CARDS[numbers],
        _RANK_PAIR_KEYS[rank_pairs],
        np.concatenate([starts, [len(numbers)]]).astype(np.uint32),
        table=table,
        strengths=none,
        ranking=none.astype(np.intp),
        category_bounds=none.ravel(),
    )


class Order(NamedTuple):
    """The combos on one board ordered by strength, and work arrays for ordering them.

    Combos are sorted by way of items: an item is a pair of ranks, which stands for all its combos
    without a flush, or a combo that makes a flush.
    """

    combos: NDArray[np.uint32]
    """The combos, packed as in `Combos.packed`, weakest first, ``uint32 (combo,)``."""
    ends: NDArray[np.uint32]
    """For each group of equal strength, the index in `combos` after its last combo, ``uint32
    (group,)``."""
    items: NDArray[np.uint32]
    """Work array: the items, ``uint32 (item,)``. A pair of ranks is its index in
    `Combos.pair_keys`; a combo is its index plus the number of these pairs."""
    strengths: NDArray[np.uint16]
    """Work array: the strength of each item, later the number of its group, ``uint16 (item,)``."""
    in_order: NDArray[np.uint32]
    """Work array: the same numbers as in `items`, weakest item first, ``uint32 (item,)``."""
    item_ends: NDArray[np.uint32]
    """Work array: for each group, the index in `in_order` after its last item, ``uint32
    (group,)``."""
    present: NDArray[np.uint64]
    """Work array: a bitmap of the strengths that occur, 64 in a word, ``uint64 (word,)``."""
    below: NDArray[np.uint16]
    """Work array: the number of bits that are set in all lower words of `present`, ``uint16
    (word,)``."""


@inlined
def allocate_order(combos: Combos) -> Order:
    count = len(combos.sets)
    items = count + len(combos.pair_keys)
    return Order(
        np.empty(count + 1, dtype=np.uint32),
        np.empty(items, dtype=np.uint32),
        np.empty(items, dtype=np.uint32),
        np.empty(items, dtype=np.uint16),
        np.empty(items, dtype=np.uint32),
        np.empty(items, dtype=np.uint32),
        np.empty(_WORDS, dtype=np.uint64),
        np.empty(_WORDS, dtype=np.uint16),
    )


@inlined
def index_of(packed: np.uint32) -> np.uint32:
    """Unpack a combo's index from the form of `Combos.packed`."""
    return packed >> _12


@inlined
def high_card(packed: np.uint32) -> np.uint32:
    return packed >> np.uint32(6) & _CARD


@inlined
def low_card(packed: np.uint32) -> np.uint32:
    return packed & _CARD


@inlined
def order_combos(boards: CardArray, board: Index, combos: Combos, order: Order) -> Index:
    """Order the combos by strength on a board of ``uint8 (board, 5)``; return the number of groups.

    Combos of equal strength form a group, the weakest first. Those of group ``g`` are
    ``order.combos[order.ends[g - 1] : order.ends[g]]``. Groups may be empty. Combos that share a
    card with the board are left out. If `combos` have `strengths`, these are used. The arrays of
    `order` are overwritten.
    """
    if len(combos.strengths):
        return _order_ranked(board, combos, order)
    used, key, mask = sum_cards(boards, board, 5)
    pairs = np.uint64(len(combos.pair_keys))
    present, strengths, items = order.present, order.strengths, order.items
    for word in range(np.uint64(_WORDS)):
        present[word] = 0
    for pair in range(pairs):
        ranks = np.uint32(np.uint32(key) + combos.pair_keys[pair])
        # A pair of ranks and the board may add up to five cards of one rank. All such combos
        # are blocked, and the tables have an entry for every sum.
        found = np.uint64(rank_strength(combos.table, ranks))
        strengths[pair] = found
        items[pair] = pair
        present[found >> _SIX] |= _ONE << (found & _63)
    count = pairs
    may_flush = (key + _THREE_OF_SUIT) & _FLUSH != 0
    if may_flush:
        for i in range(np.uint64(len(combos.sets))):
            key_7 = key + combos.keys[i]
            if key_7 & _FLUSH and not combos.sets[i] & used:
                found = np.uint64(strength(combos.table, key_7, mask | combos.masks[i]))
                strengths[count] = found
                items[count] = pairs + i
                count += _ONE
                present[found >> _SIX] |= _ONE << (found & _63)
    groups = order_items(count, order)
    _write_groups(groups, used, key, may_flush, combos, order)
    return groups


@inlined
def label_categories(board: Index, groups: Index, combos: Combos, order: Order) -> None:
    """Replace the index of each ordered combo by ``category * count + index``.

    Here, ``count`` is the number of combos, and ``category`` the category of the combo's hand on
    the board. Sums by index are then sums by category and combo. This must follow `order_combos` on
    the same board, which returned `groups`; `Combos.category_bounds` is not empty. Packed indices
    in `order` are changed in place.
    """
    bounds, step = combos.category_bounds, np.uint32(len(combos.sets)) << _12
    category, label = np.uint64(0), np.uint32(0)
    word, rest, start = np.uint64(0), order.present[0], np.uint32(0)
    for group in range(groups):
        if len(combos.strengths):
            if order.ends[group] == start:  # every combo is blocked
                continue
            found = combos.strengths[board, index_of(order.combos[start])]
        else:
            while rest == 0:
                word += _ONE
                rest = order.present[word]
            lowest = rest & (~rest + _ONE)
            found = np.int64(word << _SIX) + np.int64(popcount(lowest - _ONE))
            rest ^= lowest
        while category < np.uint64(len(bounds)) and found >= bounds[category]:
            category += _ONE
            label += step
        for n in range(start, order.ends[group]):
            order.combos[n] += label
        start = order.ends[group]


@inlined
def _order_ranked(board: Index, combos: Combos, order: Order) -> Index:
    """Do what `order_combos` does, with the strengths in `Combos.strengths`."""
    groups, end, last = np.uint64(0), np.uint32(0), BLOCKED
    for n in range(np.uint64(len(combos.sets))):
        i = np.uint64(combos.ranking[board, n])
        found = combos.strengths[board, i]
        if found == BLOCKED:
            continue
        if found != last and last != BLOCKED:
            order.ends[groups] = end
            groups += _ONE
        last = found
        order.combos[end] = combos.packed[i]
        end += np.uint32(1)
    order.ends[groups] = end
    return groups + _ONE


@inlined
def order_items(count: Index, order: Order) -> Index:
    """Sort items by strength into `order.in_order`; return the number of groups of equal strength.

    The items in `order`, their strengths and the bitmap of these are given. The strengths are
    replaced by the numbers of the groups.
    """
    present, below, item_ends = order.present, order.below, order.item_ends
    groups = np.uint64(0)
    for word in range(np.uint64(_WORDS)):
        below[word] = groups
        groups += popcount(present[word])
    for group in range(groups):
        item_ends[group] = 0
    for item in range(count):
        # The group of a strength is the number of strengths below it.
        found = np.uint64(order.strengths[item])
        home = found >> _SIX
        rest = present[home] & ((_ONE << (found & _63)) - _ONE)
        own = np.uint64(below[home]) + popcount(rest)
        order.strengths[item] = own
        item_ends[own] += np.uint32(1)
    start = np.uint32(0)
    for group in range(groups):
        size = item_ends[group]
        item_ends[group] = start
        start += size
    for item in range(count):
        own = np.uint64(order.strengths[item])
        order.in_order[item_ends[own]] = order.items[item]
        item_ends[own] += np.uint32(1)
    return groups


@inlined
def _write_groups(
    groups: Index,
    used: np.uint64,
    key: np.uint64,
    may_flush: bool,
    combos: Combos,
    order: Order,
) -> None:
    """Write the combos of the sorted items to `order.combos`, and their groups to `order.ends`.

    Combos that share a card with the board are left out. `used` is the card set of the board, and
    `key` its key as `sum_cards` returns it. `may_flush` is whether the board has at least three
    cards of a suit; if so, combos that make a flush are items of their own.
    """
    pairs = np.uint32(len(combos.pair_keys))
    end, first = np.uint64(0), np.uint32(0)
    for group in range(groups):
        last = order.item_ends[group]
        for n in range(first, last):
            item = order.in_order[n]
            if item >= pairs:
                order.combos[end] = combos.packed[item - pairs]
                end += _ONE
                continue
            # Every combo is written; one to be left out is overwritten by the next.
            for i in range(combos.pair_starts[item], combos.pair_starts[item + np.uint32(1)]):
                order.combos[end] = combos.packed[i]
                counts = combos.sets[i] & used == 0
                if may_flush:
                    counts &= (key + combos.keys[i]) & _FLUSH == 0
                end += np.uint64(counts)
        order.ends[group] = end
        first = last
