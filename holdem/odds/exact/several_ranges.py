"""Exact method for three or four ranges: every combo's wins and ties against all other ranges.

As for two ranges, there is one pass over the combos in order of strength on each board. The weaker
combos are edges of a graph on the cards, and the ways in which all opponents hold weaker combos are
its matchings (`holdem.odds.exact.graph`). Players with the same weights have the same totals, which
are computed once. If there are three ranges, and two of them are small, the pairs of their combos
are compared with the third range instead (`holdem.odds.exact.three_ranges_pair_kernels`): AKs and
QQ against a random hand take half the time.

If the weights of each range are multiples of a common unit, such as hundredths, sums are exact.
Otherwise, sums are doubles, added in the order of the boards, and sums below 1e-13 of a combo's
deals are set to 0, since they are rounding errors; 1e-11 for four ranges. Larger errors remain
where a combo blocks most of the other ranges' weight, because they are relative to all of it: with
weights from 1/96 to 2/3, up to 2e-12 of a combo's deals, and 2e-10 for four ranges.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, prod
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from holdem.cached_property import cached_property
from holdem.cards import DECK_SIZE, CardArray
from holdem.jit.kernels import interruptible, kernel
from holdem.odds.card_removal import sum_unblocked_pairs
from holdem.odds.exact.contests import Contests, combine, find_first, sum_ranges
from holdem.odds.exact.graph import (
    CARDS,
    Graphs,
    allocate_graphs,
    borrow,
    fits_doubles,
    sweep_groups,
)
from holdem.odds.exact.integer_weights import Sums, express_as_integers
from holdem.odds.exact.method import ComboTotals
from holdem.odds.exact.sweep import (
    Combos,
    Sweep,
    allocate_order,
    label_categories,
    order_combos,
)
from holdem.odds.spot import Spot
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT

if TYPE_CHECKING:
    from holdem.odds.exact.three_ranges_pair_kernels import Pairs

_COMBOS_PER_TASK = 1 << 17  # some 10 ms for three ranges
_EXACT = 1 << 53  # integers up to this are exact in doubles
_MOST = (1 << 63) - 1
_LARGEST = 1 << 20  # of the integers that express weights
_ROUNDING = {3: 1e-13, 4: 1e-11}

# The cost of adding a combo, and of comparing it with the ranges of two or three opponents, in
# evaluations; and of comparing a pair of combos with one range.
_ADD, _COMPARE, _COMPARE_PAIR = 3, 50, 16
_ADD_4, _COMPARE_4 = 100, 110
_PAIRS_PER_COMBO = 3
# With smaller weights, sums of doubles would lose too many digits.
_MIN_WEIGHT = 0.01


class SeveralRanges(Sweep):
    """Exact method for three or four ranges, which compares all combos in one pass per board.

    `_sums` has a row for each contest: a hand against a sum of ranges or, if `by_pairs`, of one
    player. Its quantities are 2^n F(0), 2^n F(1/2) and 2^n F(1) for n opponents, as defined in
    `holdem.odds.exact.graph`; by category, they are followed by 2^n times the weight of all deals.
    """

    players = (3, 4)
    is_exact: bool  # weights are integers, so all sums are exact; set by `prepare`

    @cached_property
    def by_pairs(self) -> bool:
        """Whether `sweep_pairs` computes the sums instead of `sweep_ranges`.

        It is faster if there are three ranges, of which the two smallest form few pairs of combos.
        """
        weights = self.spot.all_weights
        return len(weights) == 3 and _count_pairs(weights) < _PAIRS_PER_COMBO * _count_heroes(
            weights
        )

    @classmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:
        """Estimate the cost in evaluations; return None if the method does not apply.

        It applies to three or four players whose weights are all at least 0.01.
        """
        if spot.players not in cls.players:
            return None
        if min(spot.weights(player).min() for player in range(spot.players)) < _MIN_WEIGHT:
            return None
        return super().cost(spot, by_category=by_category)

    @classmethod
    def _estimate_comparing(cls, spot: Spot) -> int:
        weights = spot.all_weights
        if spot.players == 3:
            by_combos = _COMPARE * _count_heroes(weights)
            pairs = _COMPARE_PAIR * _count_pairs(weights)
            return min(by_combos, _ADD * len(spot.live_combos) + pairs)
        contests = Contests.of(weights)
        asked = int(np.count_nonzero(contests.heroes(weights)))
        added = int(np.count_nonzero(sum_ranges(contests.distinct(weights), contests.sums)))
        return _COMPARE_4 * asked + _ADD_4 * added

    def prepare(self) -> None:
        super().prepare()
        weights, opponents = self.spot.all_weights, self.spot.players - 1
        self._scale = 1 << opponents
        self._contests = Contests.of(weights)
        as_integers = [express_as_integers(own, _LARGEST) for own in weights]
        self._units = [float(own.divisor / own.units[0]) for own in as_integers]
        self.is_exact = all(len(own.numbers) == 1 for own in as_integers)
        if self.is_exact:
            self._numbers = np.concatenate([own.numbers for own in as_integers])
            self.is_exact = self._fit()
        self._kernel_type: type = np.float64
        if not self.is_exact:
            self._numbers, self._units = weights, [1.0] * len(weights)
        found = self._contests
        totals = sum_ranges(found.distinct(self._numbers).sum(axis=1), found.sums)
        self._most_weight = float(totals.max())  # of a graph
        if self.is_exact and not (self.by_pairs or fits_doubles(self._most_weight, opponents)):
            self._kernel_type = np.int64
        self._arguments: tuple[Any, ...] = (
            self._prepare_pair_arguments()
            if self.by_pairs
            else tuple(map(self._repeat_by_category, self._prepare_graph_arguments(self._numbers)))
        )
        columns = len(self.combos) * self._categories
        sums = np.zeros((len(self._contests.rows), columns, 3 + self.by_category))
        self._sums = sums.astype(np.int64) if self.is_exact else sums

    def _fit(self) -> bool:
        """Check whether all sums of integers fit: six times the sum over all boards, in an int64.

        The six are for the shares and, if ranges differ, for `polarize`. Pairs are summed in
        doubles, in which the sum over the boards of an orbit must be exact.
        """
        most = sorted(self._numbers.sum(axis=1).astype(np.int64).tolist())[1:]
        largest = sorted(self._numbers.max(axis=1).astype(np.int64).tolist())[1:]
        cards = self.spot.cards_left - self.spot.to_come - 2
        beside = [comb(cards - 2 * n, 2) for n in range(len(most))]
        on_a_board = self._scale * min(prod(most), prod(beside) * prod(largest))
        orbits = self.boards.orbit_sizes
        fits = 6 * on_a_board * int(orbits.sum(dtype=np.int64)) <= _MOST
        return fits and (not self.by_pairs or on_a_board * int(orbits.max()) <= _EXACT)

    def _prepare_graph_arguments(
        self, numbers: NDArray[np.float64]
    ) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Build `weights` and `heroes` of `sweep_ranges` from weights ``(player, 1326)``."""
        found, held = self._contests, numbers[:, self.combos]
        weights: NDArray[Any] = sum_ranges(found.distinct(held), found.sums)
        weights = weights.astype(self._kernel_type)
        return weights, found.heroes(held)

    def _prepare_pair_arguments(self) -> tuple[NDArray[np.float64], Pairs]:
        """Build `weights` and `pairs` of `sweep_pairs`."""
        from holdem.odds.exact.three_ranges_pair_kernels import Pairs

        held = self.spot.all_weights[:, self.combos] > 0
        by_size = np.argsort(np.count_nonzero(held, axis=1), kind="stable").tolist()
        small, medium = (np.flatnonzero(held[player]) for player in by_size[:2])
        sets = self._sortable.sets
        disjoint = np.nonzero(sets[small][:, None] & sets[medium] == 0)
        combos = np.stack([small[disjoint[0]], medium[disjoint[1]]], axis=1)
        cards = COMBO_CARDS[self.combos[combos]].reshape(-1, 4)
        cards = np.ascontiguousarray(np.sort(cards, axis=1)[:, ::-1])
        # The kernel has a row of sums for each player.
        self._pair_rows = [by_size.index(hero) for hero in self._contests.players]
        weights = self._repeat_by_category(self._numbers[by_size][:, self.combos])
        return weights, Pairs(combos.astype(np.uint32), cards)

    def _choose_boards_per_task(self) -> int:
        boards = super()._choose_boards_per_task()
        if not self.is_exact or self._kernel_type is np.int64:
            return boards
        # Few enough boards that the sums of the kernels, which are doubles, are exact.
        on_a_board = self._scale * comb(45, 2) * comb(43, 2) * int(self._numbers.max()) ** 2
        if not self.by_pairs:
            on_a_board = int((2 * self._most_weight) ** (self.spot.players - 1))
        return min(boards, _EXACT // (on_a_board * int(self.boards.orbit_sizes.max())))

    def _choose_kernel_boards_per_task(self) -> int:
        if self.spot.players == 3:
            return _COMBOS_PER_TASK // (_count_heroes(self.spot.all_weights) + 1)
        return _COMPARE * _COMBOS_PER_TASK // self._estimate_comparing(self.spot)

    def _compare(self, boards: CardArray, orbit_sizes: NDArray[np.uint8], combos: Combos) -> Sums:
        if not self.by_pairs:
            found: NDArray[Any] = np.zeros(self._sums.shape, self._kernel_type)
            self._sweep_graphs(boards, orbit_sizes, combos, self._arguments, found)
            return cast(Sums, found.astype(self._sums.dtype))
        from holdem.odds.exact.three_ranges_pair_kernels import sweep_pairs

        parts = np.zeros((3, *self._sums.shape[1:]))
        interruptible(sweep_pairs)(boards, orbit_sizes, combos, *self._arguments, parts)
        scaled: Sums = parts[self._pair_rows] * self._scale
        return scaled.astype(np.int64) if self.is_exact else scaled

    def _sweep_graphs(
        self,
        boards: CardArray,
        orbit_sizes: NDArray[np.uint8],
        combos: Combos,
        arguments: tuple[Any, ...],
        sums: NDArray[Any],
    ) -> None:
        rows = self._contests
        graphs = allocate_graphs(len(rows.sums), rows.rows, CARDS, sums.dtype)
        graphs.counts[:DECK_SIZE] = 1
        interruptible(sweep_ranges)(boards, orbit_sizes, combos, *arguments, graphs, sums)

    def _compute_totals(self, sums: Sums) -> tuple[ComboTotals, ...]:
        deals = None
        if not self.by_category:
            deals = self._sum_all_holdings(self._numbers) * self.spot.runouts
        totals = {
            player: self._compute_player_totals(player, terms, sums, deals)
            for player, terms in self._contests.factors.items()
        }
        return tuple(totals[first] for first in self._contests.first)

    def _sum_all_holdings(self, numbers: NDArray[np.float64]) -> Sums:
        """Sum weights, ``(player, 1326)``, over all ways to hold the opponents' cards.

        The sums are ``(contest, 1326)``, times 2^n.
        """
        found = self._contests
        if self.spot.players == 3:
            opponents = sum_ranges(found.distinct(numbers), found.sums)[found.rows[:, 1:3]]
            sums = self._scale * np.stack([sum_unblocked_pairs(*own) for own in opponents])
            return sums.astype(np.int64) if self.is_exact else sums
        # If all combos are equally strong, each ties all ways to hold the opponents' cards.
        count = len(self.combos)
        combos = self._sortable._replace(
            strengths=np.zeros((1, count), np.int64),
            ranking=np.arange(count)[None],
            category_bounds=np.zeros(0, np.int64),
        )
        board = np.zeros((1, 5), np.uint8), np.ones(1, np.uint8)
        swept: NDArray[Any] = np.zeros((len(found.rows), count, 3), self._kernel_type)
        self._sweep_graphs(*board, combos, self._prepare_graph_arguments(numbers), swept)
        by_combo = cast(Sums, np.zeros((len(found.rows), COMBO_COUNT), self._sums.dtype))
        by_combo[:, self.combos] = swept[:, :, 2]
        return by_combo

    def count_deals(self) -> int:
        if self.spot.players == 3:
            return super().count_deals()
        held = (self.spot.all_weights > 0).astype(np.float64)
        player, terms = next(iter(self._contests.factors.items()))
        holdings = combine(terms, self._sum_all_holdings(held))[self.spot.live[player]]
        return int(holdings.sum()) // self._scale * self.spot.runouts

    def _compute_player_totals(
        self, player: int, terms: dict[int, Fraction], sums: Sums, all_deals: Sums | None
    ) -> ComboTotals:
        """Convert a player's sums over all boards to wins, ties, losses and pot shares.

        `terms` are the factors of contests, `sums` are ``(contest, 3, 1326)``, 2^n F(0), 2^n F(1/2)
        and 2^n F(1), and `all_deals` is ``(contest, 1326)``. By category, it is None, and the sums
        of all deals are the last of four quantities.
        """
        combos = self.spot.live[player]
        alone, half, at_top, *found = combine(terms, sums)[:, combos]
        (deals,) = found if all_deals is None else [combine(terms, all_deals)[combos]]
        unit = prod(own for n, own in enumerate(self._units) if n != player)

        def divide(scaled: Sums, parts: int = 1) -> NDArray[np.float64]:
            if not self.is_exact:
                least = _ROUNDING[self.spot.players] * parts
                scaled = np.where(scaled < least * deals, 0.0, scaled)
            result: NDArray[np.float64] = scaled / (self._scale * parts * unit)
            return result

        # The share is the integral of F from 0 to 1; Simpson's rule is exact for cubics.
        return ComboTotals(
            combos,
            wins=divide(alone),
            ties=divide(at_top - alone),
            losses=divide(deals - at_top),
            shares=divide(alone + 4 * half + at_top, parts=6),
        )


def _count_heroes(weights: NDArray[np.float64]) -> int:
    """Count the combos of all players; those of a range that several players have count once.

    `weights` is ``float64 (player, 1326)``, 0 for combos that a player does not have.
    """
    return int(np.count_nonzero(weights[sorted(set(find_first(weights)))]))


def _count_pairs(weights: NDArray[np.float64]) -> int:
    """Count the ways to choose one combo from each of the two smallest ranges.

    `weights` is ``float64 (player, 1326)``. Combos that share a card are not excluded.
    """
    small, medium, _ = sorted(np.count_nonzero(weights, axis=1).tolist())
    return int(small * medium)


# --- one pass per board -------------------------------------------------------------------


@kernel
def sweep_ranges(
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    combos: Combos,
    weights: NDArray[Any],
    heroes: NDArray[np.bool_],
    room: Graphs,
    sums: NDArray[Any],
) -> None:
    """Add what `sweep_groups` finds for each combo, over boards ``uint8 (board, 5)``, to `sums`.

    Each board counts as often as `orbit_sizes` says, ``uint8 (board,)``. `weights` and `heroes` are
    those of `sweep_groups`, by combo, and `room` has graphs without edges, which it has again
    afterwards. If `Combos.category_bounds` is not empty, they are repeated for each category, ``(…,
    category * combo)``, and `sums` is ``(contest, category * combo, 4)``.
    """
    order, own = allocate_order(combos), borrow(room, CARDS)
    for board in range(np.uint64(len(boards))):
        groups = order_combos(boards, board, combos, order)
        if len(combos.category_bounds):
            label_categories(board, groups, combos, order)
        times, none = np.int64(orbit_sizes[board]), np.uint64(0)
        sweep_groups(
            groups, order.ends, order.combos, weights, heroes, none, np.int64(0), times, own, sums
        )
