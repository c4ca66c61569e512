"""Jobs that count the boards on which each combo of a range has a made hand, draw or category."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup import flush_strength, strength_of_ranks
from holdem.evaluation.builtin.lookup_tables import CARD_KEYS, CARD_MASKS, FLUSH_BITS
from holdem.jit.kernels import inlined, kernel, kernel_or_numpy, unowned
from holdem.jobs.run import End, Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.method import TOGETHER_IN_NUMPY, ExhaustiveJob
from holdem.odds.exact.ranked_combos import (
    BLOCKED,
    BLOCKED_16,
    HANDS_PER_TASK,
    rank_combos,
    rank_combos_in_numpy,
    sum_cards,
)
from holdem.odds.hand_lines import find_draws, find_made_hands
from holdem.odds.plan import UNSAMPLED_FACTOR, budget_of, require_affordable
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.odds.symmetry import card_fixing_permutations, list_canonical_boards, permuted_combos
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, Mask, combo_numbers

_KERNEL_HANDS_PER_TASK = 1 << 22  # some 10 ms
FLOP = 3  # cards on the board

_ONE, _FLUSH = np.uint64(1), np.uint64(FLUSH_BITS)

#: Numbers of boards, ``int64 (property, combo)``, or ``int64 (combo,)`` for a single property.
Counts = NDArray[np.int64]


class _ComboCount(ExhaustiveJob[Counts]):
    """Base class of jobs that count the boards on which each combo of a range has some property.

    A property is, for example, a made hand or a category. All boards have the same number of cards.
    Before the flop, only one of several boards is used that are the same up to a suit permutation
    which leaves the dead cards unchanged. To make up for this, boards are also counted for all
    combos to which these permutations map the range's combos. The weights of combos have no effect.

    The answer is ``int64 (property, combo)``, for the combos ``spot.live[0]``.
    """

    def __init__(self, spot: Spot, size: int, counts: int) -> None:
        """Create the job for a spot of one player.

        The boards have `size` cards, the first of them those of the spot's board; `counts` is the
        number of properties.
        """
        self._spot = spot
        self._size = size
        self._counts = counts
        self._group = np.zeros(1, dtype=np.intp)  # the identity
        if not spot.board:
            self._group = card_fixing_permutations(spot)
        self._combos = np.unique(permuted_combos()[self._group[:, None], spot.live[0]])
        to_come = size - len(spot.board)
        combos, boards = len(self._combos), comb(len(spot.free), to_come) // len(self._group)
        self._evaluations = boards * combos * spot.evaluator.evaluations(size + 2)
        is_direct = spot.evaluator.ranked_by is not None
        require_affordable(
            f"{combos:,} combos on {boards:,} boards",
            self._evaluations,
            UNSAMPLED_FACTOR * budget_of(spot.evaluator),
            "narrow the range or add board cards" + ", or leave out direct ranking" * is_direct,
        )
        self.boards_of_each = comb(len(spot.free) - 2, to_come)

    def prepare(self) -> None:
        spot = self._spot
        self._ranker = spot.evaluator.ranker
        spot.evaluator.announce(self._evaluations)
        self._scale = self._ranker.scale
        self._boards = list_canonical_boards(spot.board, spot.free, self._group, self._size)
        self._sums = np.zeros((self._counts, len(self._combos)), dtype=np.int64)

    def _find_categories(self, boards: CardArray, workers: Workers) -> NDArray[np.intp]:
        """Find the category of each combo's hand on each board, ``intp (board, combo)``.

        Categories are numbered from 0, the weakest; combos that share a card with the board have
        -1. `boards` are ``uint8 (board, card)``.
        """
        strengths = rank_combos(self._ranker, boards, self._combos, workers)
        return np.where(strengths == BLOCKED, -1, self._scale.categories(strengths))

    def answer(self, end: End) -> Counts:  # noqa: ARG002 - there is no time limit
        by_combo = np.zeros((self._counts, COMBO_COUNT), dtype=np.int64)
        by_combo[:, self._combos] = self._sums
        return self._boards.spread(by_combo)[:, self._spot.live[0]]


class LineCount(_ComboCount):
    """Job that counts the boards on which each combo has each made hand, draw and category.

    If the spot has a board, it is the only one that is counted; otherwise, all flops are.
    """

    def __init__(self, spot: Spot) -> None:
        rules, size = spot.evaluator.rules, max(len(spot.board), FLOP)
        self._has_draws = size < BOARD_SIZE and not rules.deuces_wild
        none = np.zeros((1, 0), dtype=np.intp)
        self._names = [
            [*found]
            for found in self._find(spot, np.zeros((1, size), dtype=np.uint8), none[0], none)
        ]
        super().__init__(spot, size, sum(map(len, self._names)))

    def _find(
        self, spot: Spot, boards: CardArray, combos: NDArray[np.intp], categories: NDArray[np.intp]
    ) -> tuple[dict[str, Mask], dict[str, Mask], dict[str, Mask]]:
        """Find the combos with each made hand, draw and category, as masks ``(board, combo)``.

        `boards` are ``uint8 (board, card)``; `categories` are those of `_find_categories`.
        """
        rules = spot.evaluator.rules
        made = find_made_hands(combos, boards, categories, rules)
        drawing = find_draws(combos, boards, rules) if self._has_draws else {}
        is_live = categories >= 0
        return (
            made,
            {name: mask & is_live for name, mask in drawing.items()},
            {name: categories == number for number, name in enumerate(rules.categories)},
        )

    def name(self, counts: Counts) -> list[dict[str, Counts]]:
        """Divide the job's answer into counts of made hands, draws and categories, by name.

        Categories are in the order of the rule set, weakest first.
        """
        rows = iter(counts)
        return [{name: next(rows) for name in names} for names in self._names]

    def tasks(self) -> Iterator[Task[Counts]]:
        together = HANDS_PER_TASK // len(self._combos)
        return self.batches(self._count, len(self._boards.cards), together)

    def _count(self, rows: slice, workers: Workers) -> Counts:
        boards = self._boards.cards[rows]
        categories = self._find_categories(boards, workers)
        found = self._find(self._spot, boards, self._combos, categories)
        # Counts of flops are exact in single precision.
        sizes = self._boards.orbit_sizes[rows].astype(np.float32)
        counts = [sizes @ mask.astype(np.float32) for masks in found for mask in masks.values()]
        return np.array(counts).astype(np.int64)


class CategoryCount(_ComboCount):
    """Job that counts the boards on which each combo has each category, weakest category first."""

    def __init__(self, spot: Spot, size: int) -> None:
        super().__init__(spot, size, len(spot.evaluator.rules.categories))

    def prepare(self) -> None:
        super().prepare()
        self._by_key = None
        if tables := self._ranker.tables:
            of_strength = self._scale.categories(np.arange(len(self._scale.strengths) + 1))
            self._by_key = of_strength.astype(np.uint8)[tables.of_size[self._size + 2]]
        cost = len(self._boards.cards) * len(self._combos)
        self._count_categories = kernel_or_numpy(count_categories, count_categories_in_numpy, cost)

    def tasks(self) -> Iterator[Task[Counts]]:
        tables = self._spot.evaluator.has_tables
        hands = _KERNEL_HANDS_PER_TASK if tables else HANDS_PER_TASK
        return self.batches(self._count, len(self._boards.cards), hands // len(self._combos))

    def _count(self, rows: slice, workers: Workers) -> Counts:
        boards, sizes = self._boards.cards[rows], self._boards.orbit_sizes[rows]
        categories, combos = self._sums.shape
        if self._by_key is not None:
            counts = np.zeros((combos, categories), dtype=np.int64)
            holes = COMBO_CARDS[self._combos]
            self._count_categories(self._by_key, boards, sizes, holes, counts)
            return counts.T
        found = self._find_categories(boards, workers)
        board, combo = np.nonzero(found >= 0)
        cells = found[board, combo] * combos + combo
        counted = np.bincount(cells, weights=sizes[board], minlength=self._sums.size)
        return counted.astype(np.int64).reshape(self._sums.shape)


@kernel
def count_categories(
    by_key: NDArray[np.uint8],
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    holes: CardArray,
    counts: NDArray[np.int64],
) -> None:
    """Count the boards on which each combo has each category.

    Combos that share a card with a board are not counted on it. They are still ranked, since
    skipping them takes a branch that would be mispredicted too often.

    `by_key` is the `StrengthTable` of hands with two cards more than a board, in which each
    strength is replaced by the index of its category, ``uint8 (entry,)``. `boards` are ``uint8
    (board, 3..5)``, each counts `orbit_sizes` times, ``uint8 (board,)``; `holes` are ``uint8
    (combo, 2)``. Counts are added to `counts`, ``int64 (combo, category)``.
    """
    size = boards.shape[1]
    if size == 5:
        _count_on_boards(by_key, boards, 5, orbit_sizes, holes, counts)
    elif size == 4:
        _count_on_boards(by_key, boards, 4, orbit_sizes, holes, counts)
    else:
        _count_on_boards(by_key, boards, 3, orbit_sizes, holes, counts)


@inlined
def _count_on_boards(
    by_key: NDArray[np.uint8],
    boards: CardArray,
    size: Any,
    orbit_sizes: NDArray[np.uint8],
    holes: CardArray,
    counts: NDArray[np.int64],
) -> None:
    """Do the same as `count_categories` for boards of `size` cards.

    `size` is passed as a literal, so that it is a constant for the compiler.
    """
    category_of = unowned(by_key)
    combos = np.uint64(len(holes))
    sets, keys, masks = (
        np.empty(combos, dtype=np.uint64),
        np.empty(combos, dtype=np.uint64),
        np.empty(combos, dtype=np.uint64),
    )
    for combo in range(combos):
        high, low = holes[combo, 0], holes[combo, 1]
        sets[combo] = _ONE << np.uint64(high) | _ONE << np.uint64(low)
        keys[combo] = CARD_KEYS[high] + CARD_KEYS[low]
        masks[combo] = CARD_MASKS[high] | CARD_MASKS[low]
    for board in range(len(boards)):
        used, board_key, board_mask = sum_cards(boards, board, size)
        orbit_size = np.int64(orbit_sizes[board])
        for combo in range(combos):
            key = board_key + keys[combo]
            category = strength_of_ranks(category_of, np.uint32(key), np.uint64(size + 2))
            if key & _FLUSH:
                category = flush_strength(category_of, key, board_mask | masks[combo])
            counts[combo, category] += orbit_size * np.int64(used & sets[combo] == 0)


def count_categories_in_numpy(
    by_key: NDArray[np.uint8],
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    holes: CardArray,
    counts: NDArray[np.int64],
) -> None:
    combos = combo_numbers(holes)
    together = max(1, TOGETHER_IN_NUMPY // len(combos))
    for start in range(0, len(boards), together):
        part = slice(start, start + together)
        categories = rank_combos_in_numpy(by_key, boards[part], combos)
        rows, columns = np.nonzero(categories != BLOCKED_16)
        cells = columns * counts.shape[1] + categories[rows, columns]
        found = np.bincount(cells, orbit_sizes[part][rows], counts.size)
        counts += found.astype(np.int64).reshape(counts.shape)
