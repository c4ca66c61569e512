"""Range against range on any board: every combo's wins and ties, exactly, for both players.

On each final board the combos are put in order of strength once, and one pass over them
finds what each of them beats and ties (`holdem.odds.exact.two_ranges.kernels`): the time goes with the
number of combos, not with that of their pairs. All sums are whole numbers (see
`holdem.odds.exact.integer_weights`), so blocks of boards can be added in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from math import comb

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, card_set
from holdem.evaluation.evaluator import Evaluator
from holdem.odds.exact.integer_weights import WholeWeights, whole_weights
from holdem.odds.exact.ordering.combos import by_ranks, combos_on, live_combos
from holdem.odds.exact.ordering.ranked_combos import HANDS_A_TASK
from holdem.odds.exact.totals import ComboSums, sums_of_two, weight_left
from holdem.odds.symmetry.canonical_boards import AlikeBoards, list_boards
from holdem.odds.symmetry.suit_permutations import renamings_that_keep
from holdem.ranges.combos import COMBO_COUNT, COMBO_SETS

_MOST_SUM = 1 << 62
# In combos ranked or compared: some 3 ms, and 12 where there are enough tasks. With those two
# workers are 1.93 times as fast as one, with the shorter ones 1.88 times.
_WORK_A_TASK, _MOST_WORK_A_TASK, _ENOUGH_TASKS = 1 << 20, 1 << 22, 64


@attrs.frozen(eq=False)
class Sweep:
    """A question made ready. Made by `make_sweep`.

    Run all `tasks`, add up what they return, and hand the sum to `sums`.
    """

    weights: NDArray[np.float64]
    """``float64 (2, 1326)``; 0 where a combo holds a card that is gone."""

    whole: tuple[WholeWeights, ...]
    """Each player's weights as whole numbers."""

    board: tuple[int, ...]
    dead: tuple[int, ...]

    evaluator: Evaluator | None
    """Who ranks hands; None for the default one, which the kernel has built in."""

    @cached_property
    def boards(self) -> AlikeBoards:
        """The boards to run."""
        renamings = np.zeros(1, dtype=np.intp)
        if len(self.board) < 4:
            renamings = renamings_that_keep(self.weights, (self.board, self.dead))
        return list_boards(self.board, self.dead, renamings)

    @cached_property
    def combos(self) -> NDArray[np.intp]:
        """The combos in play, ``intp (combo,)``, in the order of the tasks' sums."""
        return by_ranks(np.flatnonzero(self.weights.any(axis=0)))

    @cached_property
    def _columns(self) -> NDArray[np.int64]:
        """The opponents' weights, ``int64 (column, combo)``: player 2's first.

        Where both have the same weights they are there once.
        """
        whole = self.whole[:1] if self._alike else self.whole[::-1]
        numbers = np.concatenate([weights.numbers[:, self.combos] for weights in whole])
        return numbers.astype(np.int64)

    @cached_property
    def _alike(self) -> bool:
        return bool((self.weights[0] == self.weights[1]).all())

    @property
    def boards_a_task(self) -> int:
        """How many boards a task runs."""
        if self.evaluator is not None:
            return max(1, HANDS_A_TASK // len(self.combos))
        of_one = 1 + len(self.combos) * (1 + len(self._columns))
        work = len(self.boards.cards) * of_one // _ENOUGH_TASKS
        return max(1, min(max(work, _WORK_A_TASK), _MOST_WORK_A_TASK) // of_one)

    @property
    def work(self) -> int:
        """The number of tasks."""
        return -(-len(self.boards.cards) // self.boards_a_task)

    def tasks(self) -> Iterator[Callable[[], NDArray[np.int64]]]:
        """Yield tasks, each of which returns sums to be added, ``int64 (column, combo, 2)``."""
        from holdem.odds.exact.two_ranges.kernels import sweep_boards

        combos = live_combos(self.combos)

        def task(rows: slice) -> NDArray[np.int64]:
            sums = np.zeros((*self._columns.shape, 2), dtype=np.int64)
            boards, times = self.boards.cards[rows], self.boards.times[rows]
            ranked = combos_on(boards, combos, self.combos, self.evaluator)
            sweep_boards(boards, times, ranked, self._columns, sums)
            return sums

        for start in range(0, len(self.boards.cards), self.boards_a_task):
            yield partial(task, slice(start, start + self.boards_a_task))

    def sums(self, added: NDArray[np.int64]) -> tuple[ComboSums, ComboSums]:
        """Return both players' sums, from what the tasks returned, added up."""
        by_combo = np.zeros((len(added), 2, COMBO_COUNT), dtype=np.int64)
        by_combo[:, :, self.combos] = added.transpose(0, 2, 1)
        by_combo = self.boards.spread(by_combo)
        layers = len(self.whole[1].numbers)
        second = by_combo if self._alike else by_combo[layers:]
        return self._of_player(0, by_combo[:layers]), self._of_player(1, second)

    def _of_player(self, player: int, found: NDArray[np.int64]) -> ComboSums:
        """Put together a player's sums from what its combos beat, and beat or tie."""
        against = self.whole[1 - player]
        gone = len(self.board) + len(self.dead)
        runouts = comb(DECK_SIZE - gone - 4, 5 - len(self.board))
        deals = weight_left(against.numbers).astype(np.int64) * runouts
        wins, ties = found[:, 0], found[:, 1] - found[:, 0]
        return sums_of_two(self.weights[player], against, wins, ties, deals)


def make_sweep(
    weights: NDArray[np.float64],
    board: Sequence[int] = (),
    dead: Sequence[int] = (),
    evaluator: Evaluator | None = None,
) -> Sweep:
    """Make a question of two ranges ready.

    Args:
        weights: ``float64 (2, 1326)``, 0..1; at least one deal is possible.
        board: 0, 3, 4 or 5 cards.
        dead: cards out of play, and those that are not in the deck.
        evaluator: who ranks hands; None for the default one.
    """
    gone = np.uint64(card_set((*board, *dead)))
    weights = np.where(COMBO_SETS & gone == 0, weights, 0.0)
    # So many weights a combo adds up over all boards.
    terms = COMBO_COUNT * comb(DECK_SIZE - len(board) - len(dead), 5 - len(board))
    whole = tuple(whole_weights(own, _MOST_SUM // terms) for own in weights)
    return Sweep(weights, whole, tuple(map(int, board)), tuple(map(int, dead)), evaluator)
