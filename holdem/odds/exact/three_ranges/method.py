"""Three ranges on any board: every combo's wins and ties, exactly, for all three players.

One pass over the combos in order of strength, as for two ranges, with inclusion and
exclusion over the cards that the two opponents of a combo share
(`holdem.odds.exact.three_ranges.kernels`). Players with the same weights are found once. Where two
of the ranges are small, the pairs of their combos are compared with the third range instead
(`holdem.odds.exact.three_ranges.pair_kernels`): AK and QQ against a random hand five times as fast.

Where all weights are whole numbers of a common unit, such as hundredths, sums are exact.
Others are summed up as doubles, block after block in a fixed order: what is less than 1e-13
of a combo's deals is then taken as none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from math import comb, isqrt
from typing import TYPE_CHECKING, cast

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray, card_set
from holdem.evaluation.evaluator import Evaluator
from holdem.odds.exact.integer_weights import Sums, whole_weights
from holdem.odds.exact.ordering.combos import by_ranks, combos_on, live_combos
from holdem.odds.exact.ordering.ranked_combos import HANDS_A_TASK
from holdem.odds.exact.totals import ComboSums, pairs_left
from holdem.odds.symmetry.canonical_boards import AlikeBoards, list_boards
from holdem.odds.symmetry.suit_permutations import renamings_that_keep
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, COMBO_SETS

if TYPE_CHECKING:
    from holdem.odds.exact.ordering.kernels import Combos

_PLAYERS = 3
_MOST_PAIRS = comb(45, 2) * comb(43, 2)  # of opponents' combos on a board, for one combo
_QUARTERS = 4  # F(1/2) is a whole number of them
_WORK_A_TASK = 1 << 17  # some 10 ms, in combos of heroes
_EXACT = 1 << 53  # whole numbers up to here are doubles
_DUST = 1e-13

#: Comparing a combo with two ranges takes as long as comparing a pair of combos with one three
#: times: 70 and 23 ns on a flop.
PAIRS_A_COMBO = 3

_Run = Callable[[CardArray, NDArray[np.uint8], NDArray[np.float64]], None]


@attrs.frozen(eq=False)
class ThreeRanges:
    """A question made ready. Made by `make_three_ranges`.

    Run all `tasks`, add up what they return in their order, and hand the sum to `sums`.
    """

    weights: NDArray[np.float64]
    """``float64 (3, 1326)``; 0 where a combo holds a card that is gone."""

    numbers: NDArray[np.float64]
    """The weights times `units`: whole numbers if `is_whole`, ``float64 (3, 1326)``."""

    units: tuple[float, float, float]

    is_whole: bool
    """Whether sums are whole numbers."""

    by_pairs: bool
    """Whether pairs of two ranges' combos are compared with the third range."""

    boards: AlikeBoards
    """The boards to run."""

    board: tuple[int, ...]
    dead: tuple[int, ...]

    evaluator: Evaluator | None
    """Who ranks hands; None for the default one, which the kernels have built in."""

    @cached_property
    def combos(self) -> NDArray[np.intp]:
        """The combos in play, ``intp (combo,)``, in the order of the tasks' sums."""
        return by_ranks(np.flatnonzero(self.weights.any(axis=0)))

    @cached_property
    def _range_of(self) -> list[int]:
        """The different ranges, by the first player who has it, for each player."""
        return [
            next(m for m in range(_PLAYERS) if bool((self.weights[m] == own).all()))
            for own in self.weights
        ]

    @cached_property
    def _contests(self) -> dict[int, tuple[int, int, int]]:
        """For each different range a player who has it and the opponents, all as ranges."""
        ranges = self._range_of
        return {
            ranges[player]: (ranges[player], ranges[player - 1], ranges[player - 2])
            for player in range(_PLAYERS)
        }

    @cached_property
    def boards_a_task(self) -> int:
        """How many boards a task runs: few enough for whole sums to be exact in doubles."""
        heroes = sum(int((self.weights[hero] > 0).sum()) for hero in self._contests)
        most = max(1, _WORK_A_TASK // (heroes + 1))
        if self.evaluator is not None:
            most = max(1, HANDS_A_TASK // len(self.combos))
        if not self.is_whole:
            return most
        largest = int(self.numbers.max()) ** 2 * int(self.boards.times.max())
        return max(1, min(most, _EXACT // (_QUARTERS * _MOST_PAIRS * largest)))

    @property
    def work(self) -> int:
        """The number of tasks."""
        return -(-len(self.boards.cards) // self.boards_a_task)

    def tasks(self) -> Iterator[Callable[[], Sums]]:
        """Yield tasks, each of which returns sums to be added.

        They are in quarters, ``(contest, combo, 3)``: int64 if `is_whole`, else float64.
        """
        run = self._compare_pairs() if self.by_pairs else self._compare_combos()
        boards = self.boards

        def task(some: slice) -> Sums:
            sums = np.zeros((len(self._contests), len(self.combos), 3))
            run(boards.cards[some], boards.times[some], sums)
            sums *= _QUARTERS
            return sums.astype(np.int64) if self.is_whole else sums

        for start in range(0, len(boards.cards), self.boards_a_task):
            yield partial(task, slice(start, start + self.boards_a_task))

    def _compare_combos(self) -> _Run:
        """Return what runs over some boards combo by combo."""
        from holdem.odds.exact.three_ranges.kernels import sweep_three

        combos = live_combos(self.combos)
        # Ranges by their place among the different ones.
        rows = list(self._contests)
        weights = np.ascontiguousarray(self.numbers[rows][:, self.combos])
        contests = np.array(
            [[rows.index(m) for m in contest] for contest in self._contests.values()], np.uint64
        )
        return lambda boards, times, sums: sweep_three(
            boards, times, self._on(boards, combos), weights, contests, sums
        )

    def _compare_pairs(self) -> _Run:
        """Return what runs over some boards, pairs of the two small ranges against the third."""
        from holdem.odds.exact.three_ranges.pair_kernels import Pairs, Seats, sweep_pairs

        first, second, third = np.argsort(np.count_nonzero(self.weights, axis=1), kind="stable")
        combos = live_combos(self.combos)
        of_first, of_second = (
            np.flatnonzero(self.weights[player][self.combos]) for player in (first, second)
        )
        beside = combos.sets[of_first][:, None] & combos.sets[of_second] == 0
        rows, columns = np.nonzero(beside)
        places = np.stack([of_first[rows], of_second[columns]], axis=1)
        cards = COMBO_CARDS[self.combos[places]].reshape(-1, 4)
        weights = np.ascontiguousarray(self.numbers[:, self.combos])
        pairs = Pairs(
            places.astype(np.uint32),
            np.ascontiguousarray(-np.sort(-cards.astype(np.int8), axis=1)).astype(np.uint8),
            np.stack([weights[first, places[:, 0]], weights[second, places[:, 1]]], axis=1),
        )
        of_contest = {hero: row for row, hero in enumerate(self._contests)}
        seats = Seats(
            int(third), *(of_contest.get(player, -1) for player in (first, second, third))
        )
        return lambda boards, times, sums: sweep_pairs(
            boards, times, self._on(boards, combos), weights, pairs, seats, sums
        )

    def _on(self, boards: CardArray, combos: Combos) -> Combos:
        return combos_on(boards, combos, self.combos, self.evaluator)

    def sums(self, added: Sums) -> tuple[ComboSums, ComboSums, ComboSums]:
        """Return all players' sums, from what the tasks returned, added up."""
        by_combo = cast(Sums, np.zeros_like(added, shape=(len(added), 3, COMBO_COUNT)))
        by_combo[:, :, self.combos] = added.transpose(0, 2, 1)
        by_combo = self.boards.spread(by_combo)
        found = {
            hero: self._of_player(hero, row)
            for hero, row in zip(self._contests, by_combo, strict=True)
        }
        first, second, third = (found[hero] for hero in self._range_of)
        return first, second, third

    def _of_player(self, player: int, found: Sums) -> ComboSums:
        """Put together a player's sums from 4 F(0), 4 F(1/2) and 4 F(1), ``(3, 1326)``."""
        others = [other for other in range(_PLAYERS) if other != player]
        gone = len(self.board) + len(self.dead)
        runouts = comb(DECK_SIZE - gone - 2 * _PLAYERS, 5 - len(self.board))
        pairs = pairs_left(*self.numbers[others])
        # Whole numbers say for certain whether opponents have a hand left.
        held = pairs if self.is_whole else pairs_left(*(self.weights[others] > 0).astype(float))
        combos = np.flatnonzero((self.weights[player] > 0) & (held > 0))
        pairs = pairs[combos]
        alone, half, at_top = found[:, combos]
        unit = self.units[others[0]] * self.units[others[1]]
        deals: Sums
        if self.is_whole:
            deals = _QUARTERS * runouts * pairs.astype(np.int64)
        else:
            deals = float(_QUARTERS * runouts) * pairs

        def weighed(quarters: Sums, parts: int = 1) -> NDArray[np.float64]:
            if not self.is_whole:
                quarters = np.where(quarters < _DUST * parts * deals, 0.0, quarters)
            value: NDArray[np.float64] = quarters / (_QUARTERS * parts * unit)
            return value

        # Simpson's rule: the share is the integral of F over t, and F a quadratic.
        return ComboSums(
            combos,
            wins=weighed(alone),
            ties=weighed(at_top - alone),
            losses=weighed(deals - at_top),
            shares=weighed(alone + 4 * half + at_top, parts=6),
        )


def combos_compared(weights: NDArray[np.float64]) -> int:
    """Return how many combos are compared with the ranges of two opponents, on each board.

    Args:
        weights: ``float64 (3, 1326)``.
    """
    different = {own.tobytes(): np.count_nonzero(own) for own in weights}
    return int(sum(different.values()))


def pairs_compared(weights: NDArray[np.float64]) -> int:
    """Return how many pairs of two small ranges could be compared with the third instead."""
    small, other, _ = sorted(np.count_nonzero(weights, axis=1).tolist())
    return int(small * other)


def make_three_ranges(
    weights: NDArray[np.float64],
    board: Sequence[int] = (),
    dead: Sequence[int] = (),
    evaluator: Evaluator | None = None,
) -> ThreeRanges:
    """Make a question of three ranges ready.

    Args:
        weights: ``float64 (3, 1326)``, 0..1; at least one deal is possible.
        board: 0, 3, 4 or 5 cards.
        dead: cards out of play, and those that are not in the deck.
        evaluator: who ranks hands; None for the default one.
    """
    gone = np.uint64(card_set((*board, *dead)))
    weights = np.where(COMBO_SETS & gone == 0, weights, 0.0)
    renamings = np.zeros(1, dtype=np.intp)
    if len(board) < 4:
        renamings = renamings_that_keep(weights, (board, dead))
    boards = list_boards(board, dead, renamings)
    # Six times the sum over all boards (see `_of_player`), and boards of one kind, in quarters.
    all_boards = 6 * _QUARTERS * _MOST_PAIRS * int(boards.times.sum(dtype=np.int64))
    one_kind = _QUARTERS * _MOST_PAIRS * int(boards.times.max())
    largest = isqrt(min((1 << 63) // all_boards, _EXACT // one_kind))
    whole = [whole_weights(own, largest) for own in weights]
    is_whole = all(len(own.numbers) == 1 for own in whole)
    if is_whole:
        numbers = np.concatenate([own.numbers for own in whole])
        first, second, third = (float(own.divisors[0]) for own in whole)
    else:
        numbers, (first, second, third) = weights, (1.0, 1.0, 1.0)
    return ThreeRanges(
        weights,
        numbers,
        (first, second, third),
        is_whole,
        pairs_compared(weights) < PAIRS_A_COMBO * combos_compared(weights),
        boards,
        tuple(map(int, board)),
        tuple(map(int, dead)),
        evaluator,
    )
