"""Exact method for ranges that don't tell suits apart, and known hands, by classes of boards.

As in `holdem.odds.exact.boards_by_ranks`, all boards of the same ranks are first counted as if
there were no flushes. Then, suit by suit, boards that have three cards or more of the suit are
counted by their ranks in this suit and their other ranks: the outcome without flushes is
subtracted, and the true one added. No board has three cards of two suits. Before the flop, 42,783
*classes* stand for 2,598,960 boards.

On a class, cards are exchangeable if they have the same rank and both are in the suit or both are
not. Such *kinds* of cards, 13 or 26, are the vertices of the graphs of weaker hands
(`holdem.odds.exact.graph`). The hands of two kinds have the same outcomes, so they are one item of
the sweep. A known hand is an item without edges: only hands at least as strong as all known ones
win, and a tie with a known hand multiplies F(t) by t.

In all sums over boards, the hands of two kinds have equal parts. So the sum of a class of hands,
divided by their number, is that of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache, partial
from itertools import combinations_with_replacement, pairwise
from math import comb, prod
from typing import Any, NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, card_set
from holdem.evaluation.builtin.lookup import rank_strength
from holdem.evaluation.builtin.lookup_tables import RANK_KEYS, StrengthTable
from holdem.jit.kernels import interruptible, kernel, unowned
from holdem.jobs.run import Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.contests import KNOWN, Contests, combine, sum_ranges
from holdem.odds.exact.graph import (
    KINDS,
    Graphs,
    allocate_graphs,
    borrow,
    fits_doubles,
    sweep_groups,
)
from holdem.odds.exact.integer_weights import express_as_integers
from holdem.odds.exact.method import (
    ComboTotals,
    ExactMethod,
    PlayerSums,
    require_table,
    sum_over_combos,
)
from holdem.odds.exact.sweep import Order, order_items
from holdem.odds.spot import Spot
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS

_RANKS, _SUITS = 13, 4
_KEYS = np.array(RANK_KEYS, dtype=np.uint32)
_MOST = (1 << 63) - 1
_LARGEST = 1 << 20  # of the integers that express weights
_EMPTY = KINDS - 1  # a kind without cards
_PLAYERS = 4  # at most
_HANDS = 16  # of two ranks, at most
_FLUSH = 3  # cards of a suit on a board that can give a flush

# The cost in evaluations: of preparing a run; of a class; on it, of a graph, for up to two
# opponents and for three; and of a contest of a range's hands, by the number of opponents.
_START, _CLASS, _GRAPH, _GRAPH_3 = 1_500_000, 8_000, 2_000, 20_000
_CONTEST = (0, 2_000, 12_000, 125_000)
_CLASSES_PER_TASK = 500  # some 10 ms


def _list_slots() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """List the kinds of all slots, ``int64 (slot, 2)``, and the slot of each two ranks in each.

    A slot is two kinds: of any suits or, for each suit, with kinds 0..12 in the suit and 13..25 out
    of it. The second array is ``int64 (slot,)``.
    """
    out = [_RANKS + rank for rank in range(_RANKS)]
    pairs = list(combinations_with_replacement(out, 2))
    of_suit = list(combinations_with_replacement(range(2 * _RANKS), 2))
    # A card cannot be in the suit twice.
    of_suit = [(s, t) for s, t in of_suit if s != t or s >= _RANKS]
    kinds = np.array(pairs + of_suit * _SUITS)
    number = np.zeros((_RANKS, _RANKS), np.int64)
    number[tuple(np.array(pairs).T - _RANKS)] = np.arange(len(pairs))
    return kinds, np.maximum(number, number.T)[tuple(kinds.T % _RANKS)]


_KINDS, _PAIR_OF = _list_slots()
_PAIRS = 91
_OF_SUIT = (len(_KINDS) - _PAIRS) // _SUITS
# The slots of each suit and, last, those of any suits: the first and the end.
_RANGES = [(_PAIRS + _OF_SUIT * n, _PAIRS + _OF_SUIT * (n + 1)) for n in range(_SUITS)]
_SLOTS_OF = np.array([*_RANGES, (0, _PAIRS)])
# For each combo and suit, the number of its slot among those of the suit, ``int64 (1326, 4)``.
_NUMBER = np.zeros((2 * _RANKS, 2 * _RANKS), np.int64)
_NUMBER[tuple(_KINDS[_PAIRS : _PAIRS + _OF_SUIT].T)] = np.arange(_OF_SUIT)
_NUMBER = np.maximum(_NUMBER, _NUMBER.T)
_KIND_IN = (COMBO_CARDS >> 2)[:, None] + _RANKS * (
    (COMBO_CARDS & 3)[:, None] != np.arange(_SUITS)[:, None]
)
_KIND_IN = _KIND_IN.astype(np.int64)
_NUMBER_OF_COMBO = _NUMBER[_KIND_IN[:, :, 0], _KIND_IN[:, :, 1]]
_PAIR_OF_COMBO = _PAIR_OF[_PAIRS + _NUMBER_OF_COMBO[:, 0]]
_WAYS = np.array([[comb(n, k) for k in range(_SUITS + 1)] for n in range(_SUITS + 1)])
_PLACES = 5 ** np.arange(_RANKS)


class Classes(NamedTuple):
    """The classes of a spot's boards: for given ranks, first without flushes, then with flushes."""

    keys: NDArray[np.uint32]
    """The sum of the rank keys of the board, ``uint32 (class,)``."""
    suits: NDArray[np.int64]
    """The suit; 4 if no flushes are counted, ``int64 (class,)``."""
    ranks: NDArray[np.uint64]
    """The ranks of the board in the suit, as a set of bits, ``uint64 (class,)``."""
    boards: NDArray[np.int64]
    """The number of boards in one suit, ``int64 (class,)``."""
    times: NDArray[np.int64]
    """The number of suits that the suit stands for, ``int64 (class,)``."""
    counts: NDArray[np.int64]
    """The number of cards left of each kind, ``int64 (class, 26)``."""


@cache
def _multisets(size: int) -> NDArray[np.int64]:
    """List how many cards of each rank a choice of `size` cards has, ``int64 (choice, rank)``."""
    choices = list(combinations_with_replacement(range(_RANKS), size))
    chosen = np.array(choices, np.int64).reshape(len(choices), size, 1)
    counts: NDArray[np.int64] = (chosen == np.arange(_RANKS)).sum(axis=1)
    return counts[(counts <= _SUITS).all(axis=1)]


def _choose(left: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """List choices of `size` cards by their ranks, and the number of ways to choose each.

    `left` is the number of cards of each rank.
    """
    counts = _multisets(size)
    ways = _WAYS[left, counts].prod(axis=1)
    return counts[ways > 0], ways[ways > 0]


def list_classes(deck: int, board: CardArray, known: CardArray) -> tuple[Classes, list[int]]:
    """List the classes of boards that begin with the known cards, ``uint8 (card,)``.

    `deck` is the card set of those that can come, and `known` has the known hands, ``uint8 (player,
    2)``. Also, return for each suit the first suit of which the same ranks are left, on the board
    and in each known hand: that suit stands for both.
    """
    left = (deck >> np.arange(_RANKS * _SUITS) & 1).reshape(_RANKS, _SUITS)
    shown = np.zeros_like(left)
    shown[board >> 2, board & 3] = 1
    held = [np.zeros_like(left) for _ in known]
    for own, (high, low) in zip(held, known, strict=True):
        own[high >> 2, high & 3] = own[low >> 2, low & 3] = 1
    looks = [tuple(each[:, suit].tobytes() for each in (left, shown, *held)) for suit in range(4)]
    first = [looks.index(look) for look in looks]

    by_rank, to_come = left.sum(axis=1), 5 - len(board)
    every, ways = _choose(by_rank, to_come)
    order = np.argsort(every @ _PLACES)
    every, ways = every[order], ways[order]
    codes, rest = every @ _PLACES, ways.copy()
    numbers, suits, sets, boards, counts = [], [], [], [], []
    for suit in dict.fromkeys(first):
        in_suit = left[:, suit]
        outside = by_rank - in_suit
        for size in range(max(_FLUSH - int(shown[:, suit].sum()), 0), to_come + 1):
            flushes = _multisets(size)
            flushes = flushes[(flushes <= in_suit).all(axis=1)]
            others, other_ways = _choose(outside, to_come - size)
            own, other = np.divmod(np.arange(len(flushes) * len(others)), len(others))
            number = np.searchsorted(codes, (flushes @ _PLACES)[own] + (others @ _PLACES)[other])
            np.subtract.at(rest, number, other_ways[other] * first.count(suit))
            numbers.append(number)
            suits.append(np.full(len(number), suit))
            sets.append(((flushes + shown[:, suit]) @ (1 << np.arange(_RANKS)))[own])
            boards.append(other_ways[other])
            counts.append(np.hstack([in_suit - flushes[own], outside - others[other]]))
    (blind,) = np.nonzero(rest)
    none = np.zeros_like(blind)
    numbers, suits, sets = [blind, *numbers], [none + _SUITS, *suits], [none, *sets]
    boards = [ways[blind], *boards]
    counts = [np.hstack([np.zeros_like(every[blind]), by_rank - every[blind]]), *counts]
    number, suit_of = np.concatenate(numbers), np.concatenate(suits)
    place = np.argsort(number, kind="stable")  # without flushes first
    keys = (every[number] + shown.sum(axis=1)) @ _KEYS
    times = np.array([*map(first.count, range(_SUITS)), 1])[suit_of]
    return Classes(
        keys[place].astype(np.uint32),
        suit_of[place],
        np.concatenate(sets)[place].astype(np.uint64),
        np.concatenate(boards)[place],
        times[place],
        np.concatenate(counts)[place].astype(np.int64),
    ), first


class BoardClasses(ExactMethod):
    """Exact method that sweeps the hands of ranges that don't tell suits apart over classes.

    `_sums` is ``int64 (contest, category * slot, quantity)``: 2^n F(0), 2^n F(1/2) and 2^n F(1) for
    n opponents, as defined in `holdem.odds.exact.graph`, and, by category, 2^n times the number of
    all deals. A slot is two kinds of cards, or, last, a known hand.
    """

    name = "classes of boards"

    def __init__(self, spot: Spot, *, by_category: bool = False) -> None:
        super().__init__(spot, by_category=by_category)
        found = describe(spot)
        assert found is not None, "checked by `cost`"
        self._found = found

    @classmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:  # noqa: ARG003
        """Estimate the cost in evaluations; return None if the method does not apply.

        It applies to up to four players, of whom two or more have ranges that don't tell suits
        apart, and the others known hands, if sums of integers fit.
        """
        found = describe(spot)
        if found is None:
            return None
        opponents, _, _, _, is_known = found.contests.rows.T.tolist()
        a_class = _CLASS + (_GRAPH_3 if 3 in opponents else _GRAPH) * len(found.contests.sums)
        for count, known in zip(opponents, is_known, strict=True):
            a_class += 0 if known else _CONTEST[count]
        return _START + a_class * _estimate_classes(spot)

    def prepare(self) -> None:
        spot, found = self.spot, self._found
        self._table = require_table(spot)
        taken = found.holes.ravel().tolist()
        self._deck = sum(1 << int(card) for card in spot.free if int(card) not in taken)
        board = np.array(spot.board, np.uint8)
        self._classes, self._first = list_classes(self._deck, board, found.holes)
        scale = spot.evaluator.ranker.scale
        strengths = np.arange(int(scale.strengths[-1]) + 1)
        categories = scale.categories(strengths) if self.by_category else np.zeros_like(strengths)
        self._categories = int(categories.max()) + 1
        self._category_of = categories.astype(np.int64)
        self._sums = self._allocate(3 + self.by_category, self._categories)

    def _allocate(self, quantities: int, categories: int) -> NDArray[np.int64]:
        rows, slots = len(self._found.contests.rows), len(_KINDS) + len(self._found.known)
        return np.zeros((rows, categories * slots, quantities), np.int64)

    def tasks(self) -> Iterator[Task[Any]]:
        keys = self._classes.keys
        # Classes of the same ranks, of which the first are without flushes, stay together.
        firsts = np.flatnonzero(np.append(keys[1:] != keys[:-1], True)) + 1
        starts = np.arange(_CLASSES_PER_TASK, len(keys) + _CLASSES_PER_TASK, _CLASSES_PER_TASK)
        ends = np.unique(firsts[np.minimum(np.searchsorted(firsts, starts), len(firsts) - 1)])
        for start, end in pairwise([0, *ends.tolist()]):
            yield Task(
                partial(self._sweep, slice(start, end)), self.total * (end - start) / len(keys)
            )

    def _sweep(self, rows: slice, workers: Workers) -> NDArray[np.int64]:  # noqa: ARG002
        parts: Any = [own[rows] for own in self._classes]
        classes = Classes(*parts)
        sums = np.zeros_like(self._sums)
        self._sweep_classes(self._table, classes, self._found.numbers, self._category_of, sums)
        return sums

    def _sweep_classes(
        self,
        table: StrengthTable,
        classes: Classes,
        numbers: NDArray[np.int64],
        category_of: NDArray[np.int64],
        sums: NDArray[np.int64],
    ) -> None:
        """Call the kernel; `numbers` are the weights of each player's hands, ``(player, pair)``."""
        found = self._found
        known = np.zeros(len(found.known), np.int64)
        own = found.contests.distinct(numbers)
        weights = sum_ranges(own, found.contests.sums)
        most = float((weights[:, _PAIR_OF_COMBO]).sum(axis=1).max())
        in_doubles = fits_doubles(most, max(2, int(found.contests.rows[:, 0].max())))
        weights = weights.astype(np.float64 if in_doubles else np.int64)
        weights = np.hstack([weights[:, _PAIR_OF], weights[:, known]])
        weights[:, len(_KINDS) :] = 0
        heroes = found.contests.heroes(numbers)[:, _PAIR_OF]
        is_known = np.zeros((len(heroes), len(known)), np.bool_)
        is_known[list(found.contests.factors.get(KNOWN, ()))] = True
        room = allocate_graphs(len(weights), found.contests.rows, KINDS, weights.dtype)
        arrays = np.ascontiguousarray(weights), np.hstack([heroes, is_known])
        interruptible(sweep_classes)(table, classes, found.holes, *arrays, room, category_of, sums)

    def totals(self) -> tuple[ComboTotals, ...]:
        ((combos, known),) = self._divide(self._sums)
        deals = self._sum_all_holdings(self._found.numbers)
        runouts = self.spot.runouts
        return self._compute_totals(combos, known, [each * runouts for each in deals])

    def category_sums(self) -> tuple[tuple[PlayerSums, ...], ...]:
        by_category = [self._compute_totals(*each, None) for each in self._divide(self._sums)]
        return tuple(
            tuple(sum_over_combos(self.spot, player, totals) for totals in own)
            for player, own in enumerate(zip(*by_category, strict=True))
        )

    def _divide(
        self, sums: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield, for each category, the sums of each combo and of each known hand.

        They are ``int64 (contest, quantity, 1326)`` and ``(contest, quantity, known hand)``; those
        of combos that hold a card that is gone are not meant.
        """
        left = (self._deck >> np.arange(_RANKS * _SUITS) & 1).reshape(_RANKS, _SUITS)
        hands = []
        for first, own in zip(self._first, left.T, strict=True):
            counts = np.concatenate([own, left.sum(axis=1) - own])
            hands.append(_count_hands(counts, np.arange(*_RANGES[first])))
        counts = np.concatenate([np.zeros(_RANKS, np.int64), left.sum(axis=1)])
        of_pair = _count_hands(counts, np.arange(_PAIRS))
        _rows, columns, _quantities = sums.shape
        slots = len(_KINDS) + len(self._found.known)
        for category in range(columns // slots):
            own = sums[:, category * slots :][:, :slots].transpose(0, 2, 1)
            combos = (own[:, :, :_PAIRS] // of_pair)[:, :, _PAIR_OF_COMBO]
            for suit, first in enumerate(self._first):
                each = own[:, :, slice(*_RANGES[first])] // hands[suit]
                combos = combos + each[:, :, _NUMBER_OF_COMBO[:, suit]]
            yield combos, own[:, :, len(_KINDS) :]

    def _sum_all_holdings(
        self, numbers: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Sum weights, ``(player, pair)``, over all ways to hold the opponents' cards, times 2^n.

        The sums are ``(contest, 1326)`` and, of known hands, ``(contest, known hand)``.
        """
        # On a class without a board, with a table by which all hands tie.
        left = (self._deck >> np.arange(_RANKS * _SUITS) & 1).reshape(_RANKS, _SUITS)
        counts = np.concatenate([np.zeros(_RANKS, np.int64), left.sum(axis=1)])
        one = np.ones(1, np.int64)
        classes = Classes(
            one.astype(np.uint32), one * _SUITS, np.zeros(1, np.uint64), one, one, counts[None]
        )
        sums = self._allocate(3, 1)
        self._sweep_classes(
            np.zeros_like(self._table), classes, numbers, np.zeros(1, np.int64), sums
        )
        ((combos, known),) = self._divide(sums)
        return combos[:, 2], known[:, 2]

    def count_deals(self) -> int:
        found = self._found
        combos, _known = self._sum_all_holdings((found.numbers > 0).astype(np.int64))
        player, terms = next(iter(found.contests.factors.items()))
        live = self.spot.live[found.ranges[player]]
        holdings = int(combine(terms, combos)[live].sum()) >> self.spot.players - 1
        return holdings * self.spot.runouts

    def _compute_totals(
        self,
        combos: NDArray[np.int64],
        known: NDArray[np.int64],
        deals: list[NDArray[np.int64]] | None,
    ) -> tuple[ComboTotals, ...]:
        """Compute the totals of each player's combos from the results of `_divide`.

        `deals` are those of `_sum_all_holdings`, for all runouts; None by category, where they are
        the last of the quantities.
        """
        spot, found = self.spot, self._found
        contests, scale = found.contests, 1 << spot.players - 1
        weight_of = {
            player: float(spot.weights(player)[0]) for player in found.known
        } | dict.fromkeys(found.ranges, 1.0)
        unit_of = dict.fromkeys(found.known, 1.0) | dict(
            zip(found.ranges, found.units, strict=True)
        )

        def convert(player: int, key: int, sums: Any, all_deals: Any, live: Any) -> ComboTotals:
            alone, half, at_top, *rest = combine(contests.factors[key], sums)
            if all_deals is None:
                (all_held,) = rest
            else:
                all_held = combine(contests.factors[key], all_deals)
            others = [n for n in range(spot.players) if n != player]
            factor = prod(weight_of[n] for n in others)
            unit = scale * prod(unit_of[n] for n in others)

            def divide(values: Any, parts: int = 1) -> NDArray[np.float64]:
                result: NDArray[np.float64] = values[live] / (unit * parts) * factor
                return result

            return ComboTotals(
                spot.live[player],
                wins=divide(alone),
                ties=divide(at_top - alone),
                losses=divide(all_held - at_top),
                shares=divide(alone + 4 * half + at_top, parts=6),
            )

        totals = {}
        of_combos, of_known = deals or (None, None)
        for number, player in enumerate(found.ranges):
            key = contests.first[number]
            totals[player] = convert(player, key, combos, of_combos, spot.live[player])
        for number, player in enumerate(found.known):
            totals[player] = convert(player, KNOWN, known, of_known, [number])
        return tuple(totals[player] for player in range(spot.players))


def _count_hands(counts: NDArray[np.int64], slots: NDArray[np.intp]) -> NDArray[np.int64]:
    """Count the hands of slots, at least 1, from the number of cards of each kind."""
    s, t = _KINDS[slots].T
    hands = np.where(s == t, counts[s] * (counts[s] - 1) // 2, counts[s] * counts[t])
    found: NDArray[np.int64] = np.maximum(hands, 1)
    return found


@attrs.frozen(eq=False)
class Description:
    """The players of a spot, by what the method needs to know of them."""

    known: list[int]
    """The players whose hands are known."""
    holes: CardArray
    """Their hands, ``uint8 (player, 2)``."""
    ranges: list[int]
    """The other players."""
    numbers: NDArray[np.int64]
    """The weights of their hands as integers, ``int64 (player, pair of ranks)``."""
    units: list[float]
    """The integer that expresses the weight 1, for each."""
    contests: Contests


@lru_cache(maxsize=16)  # called for the cost and for the run
def describe(spot: Spot) -> Description | None:
    """Describe the players of a spot; None if the method does not apply."""
    known = [player for player, own in enumerate(spot.live) if len(own) == 1]
    ranges = [player for player in range(spot.players) if player not in known]
    if not spot.evaluator.has_tables or spot.players > _PLAYERS or len(ranges) < 2:
        return None
    holes = np.array([spot.known[player] for player in known], np.uint8).reshape(-1, 2)
    gone = np.uint64(spot.gone | card_set(holes.ravel().tolist()))
    free = COMBO_SETS & gone == 0
    pairs, numbers, units = _PAIR_OF_COMBO[free], [], []
    for player in ranges:
        weights = spot.ranges[player].weights[free]
        by_pair = np.zeros(_PAIRS)
        by_pair[pairs] = weights
        if not np.array_equal(by_pair[pairs], weights):
            return None
        integers = express_as_integers(by_pair, _LARGEST)
        if len(integers.numbers) > 1:
            return None
        own = integers.numbers[0].astype(np.int64)
        common = int(np.gcd.reduce(own))
        numbers.append(own // common)
        units.append(float(integers.divisor / integers.units[0] / common))
    contests = Contests.of(np.array(numbers), len(known))
    # The sums of the hands of two kinds, up to 16, over all boards fit in an int64.
    opponents = spot.players - 1 if not known else len(ranges)
    cards = spot.cards_left - 2 * len(known)
    in_hand = spot.to_come + (0 if known else 2)
    most = prod(comb(cards - in_hand - 2 * n, 2) for n in range(opponents))
    most *= prod(sorted(int(own.max()) for own in numbers)[-opponents:])
    sums = (len(contests.sums) > 1) * 5 + 1  # with different ranges, up to six times as large
    if _HANDS * sums * most * comb(cards, spot.to_come) << spot.players - 1 > _MOST:
        return None
    return Description(known, holes, ranges, np.array(numbers), units, contests)


def _estimate_classes(spot: Spot) -> int:
    """Estimate the number of classes of boards."""
    looks = set()
    for suit in range(_SUITS):
        bits = sum(1 << 4 * rank + suit for rank in range(_RANKS))
        own = [spot.gone & bits, *(card_set(hole.tolist()) & bits for hole in spot.known)]
        shown = card_set(spot.board) & bits
        looks.add((*(each >> suit for each in own), shown >> suit))
    classes = comb(_RANKS + spot.to_come - 1, spot.to_come)
    for gone, *_, shown in looks:
        for size in range(max(_FLUSH - shown.bit_count(), 0), spot.to_come + 1):
            others = spot.to_come - size
            classes += comb(_RANKS - gone.bit_count(), size) * comb(_RANKS + others - 1, others)
    return classes


# --- one pass per class -------------------------------------------------------------------

_NO_KEY = np.uint32(0xFFFFFFFF)
_WORDS = 7463 // 64 + 1
_KEYS_OF_PAIR = (_KEYS[_KINDS[:_PAIRS, 0] - _RANKS] + _KEYS[_KINDS[:_PAIRS, 1] - _RANKS]).astype(
    np.uint32
)
_BITS = np.array([1 << kind if kind < _RANKS else 0 for kind in range(KINDS)], np.uint64)
_EMPTY_HAND = np.uint32(_EMPTY << 6 | _EMPTY)


@kernel
def sweep_classes(
    table: StrengthTable,
    classes: Classes,
    holes: CardArray,
    weights: NDArray[Any],
    heroes: NDArray[np.bool_],
    room: Graphs,
    category_of: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Add what `sweep_groups` finds for all hands of each slot on classes of boards to `sums`.

    `holes` are the known hands, ``uint8 (player, 2)``. `weights` and `heroes` are those of
    `sweep_groups`, by slot, and then by known hand. `category_of` has the category of each
    strength. `sums` is ``int64 (contest, category * slot, 3 or 4)``.
    """
    strengths, own = unowned(table), borrow(room, KINDS)
    slots, known = len(_KINDS), len(holes)
    columns = weights.shape[1]
    order = Order(
        np.empty(1, dtype=np.uint32),
        np.empty(1, dtype=np.uint32),
        np.empty(columns, dtype=np.uint32),
        np.empty(columns, dtype=np.uint16),
        np.empty(columns, dtype=np.uint32),
        np.empty(columns, dtype=np.uint32),
        np.empty(_WORDS, dtype=np.uint64),
        np.empty(_WORDS, dtype=np.uint16),
    )
    quantities = sums.shape[2]
    found = np.zeros((len(heroes), columns, quantities), dtype=weights.dtype)
    # What was found without flushes, and the category then, by pair of ranks and known hand.
    before = np.zeros((len(heroes), columns, quantities), dtype=weights.dtype)
    category_before = np.zeros(columns, dtype=np.int64)
    of_ranks = np.zeros(_PAIRS, dtype=np.int64)
    own_of = np.zeros(columns, dtype=np.int64)
    last = _NO_KEY
    for row in range(len(classes.keys)):
        key, suit, ranks = classes.keys[row], classes.suits[row], classes.ranks[row]
        is_blind = suit == _SUITS
        for kind in range(2 * _RANKS):
            own.counts[kind] = classes.counts[row, kind]
        for word in range(_WORDS):
            order.present[word] = 0
        for n in range(_PAIRS):
            of_ranks[n] = rank_strength(strengths, np.uint32(key + _KEYS_OF_PAIR[n]))
        count = 0
        for slot in range(_SLOTS_OF[suit, 0], _SLOTS_OF[suit, 1]):
            s, t = _KINDS[slot, 0], _KINDS[slot, 1]
            have, others = own.counts[s], own.counts[t]
            if have == 0 or others == 0 or (s == t and have == 1):
                continue
            value = np.int64(strengths[ranks | _BITS[s] | _BITS[t]])
            if value == 0:
                value = of_ranks[_PAIR_OF[slot]]
            own_of[slot] = value
            order.items[count] = slot << 12 | s << 6 | t
            order.strengths[count] = value
            count += 1
        hands = count
        for n in range(known):
            high, low = holes[n, 0], holes[n, 1]
            held = ranks
            if high & 3 == suit:
                held |= _BITS[high >> 2]
            if low & 3 == suit:
                held |= _BITS[low >> 2]
            value = np.int64(strengths[held])
            if value == 0:
                value = np.int64(
                    rank_strength(strengths, np.uint32(key + _KEYS[high >> 2] + _KEYS[low >> 2]))
                )
            own_of[slots + n] = value
            order.items[count] = np.uint32(slots + n) << np.uint32(12) | _EMPTY_HAND
            order.strengths[count] = value
            count += 1
        for n in range(count):
            bit = np.uint64(order.strengths[n])
            order.present[bit >> np.uint64(6)] |= np.uint64(1) << (bit & np.uint64(63))
        groups = order_items(np.uint64(count), order)
        top, tied = np.uint64(0), np.int64(0)
        for n in range(hands, count):
            group = np.uint64(order.strengths[n])
            if group > top or tied == 0:
                top, tied = group, np.int64(1)
            elif group == top:
                tied += 1
        target = before if is_blind else found
        for contest in range(len(heroes)):
            for n in range(count):
                for quantity in range(quantities):
                    target[contest, order.items[n] >> np.uint32(12), quantity] = 0
        sweep_groups(
            groups,
            order.item_ends,
            order.in_order,
            weights,
            heroes,
            top,
            tied,
            np.int64(1),
            own,
            target,
        )
        if is_blind:
            last = key
        for n in range(count):
            place = np.int64(order.items[n]) >> np.int64(12)
            pair: Any = place
            times: Any = classes.boards[row]
            if place < slots:
                pair = _PAIR_OF[place]
                s, t = _KINDS[place, 0], _KINDS[place, 1]
                have, others = own.counts[s], own.counts[t]
                times *= have * (have - 1) // 2 if s == t else have * others
            else:
                times *= classes.times[row]
            category = category_of[own_of[place]]
            if is_blind:
                category_before[place] = category
            for contest in range(len(heroes)):
                for quantity in range(quantities):
                    value = np.int64(target[contest, place, quantity])
                    sums[contest, category * columns + place, quantity] += times * value
                    if not is_blind and last == key:
                        then = category_before[pair] * columns + place
                        value = np.int64(before[contest, pair, quantity])
                        sums[contest, then, quantity] -= times * value
