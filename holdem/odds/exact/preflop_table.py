"""Exact method for two players before the flop, which reads outcomes from a precomputed table.

One combo, the *hero*, represents each of the 169 classes of starting hands, such as ``AsAh``,
``AsKs`` or ``AsKh``, because suit permutations map it to all other combos of the class. The
permutations that leave the hero unchanged (4 for a pair, 6 suited, 2 offsuit) map opposing combos
to each other. Of the combos that they map to each other, one is an *opponent* of the class and
represents the others. Each pair has 507 opponents, each suited class 416 and each offsuit class
832.

For each class and each of its opponents, the table has the number of boards on which the hero wins
and on which it ties. ``scripts/make/make_preflop_table.py`` makes the file with the default
evaluator and the standard rules.

No board is dealt and nothing is compiled. If there are few match-ups, they are looked up one by
one. For two unweighted ranges, the sums are added up class by class if the second range has either
all combos or none of each class. Otherwise, and for totals by combo, there are two small matrix
products for each of the three types of hands: pairs, suited and offsuit hands.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from functools import cache
from pkgutil import get_data
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cached_property import cached_property
from holdem.errors import HoldemRuntimeError
from holdem.jobs.run import Task
from holdem.odds.card_removal import sum_unblocked
from holdem.odds.exact.integer_weights import express_as_integers
from holdem.odds.exact.method import (
    ComboTotals,
    ExactMethod,
    PlayerSums,
    combine_outcomes,
    convert_two_players,
)
from holdem.odds.matchups import count_matchups
from holdem.odds.spot import Spot
from holdem.odds.symmetry import permuted_combos
from holdem.ranges.combos import (
    CLASS_COUNT,
    CLASS_OF_COMBO,
    CLASS_SIZES,
    COMBO_CARDS,
    COMBO_COUNT,
    COMBO_SETS,
)
from holdem.rules import STANDARD

FILE = "preflop.npz"
BOARDS = 1_712_304  # C(48, 5)
_CHECKSUM = 0xD439CC0D  # CRC-32

_OPPONENTS = 1_225  # C(50, 2)
_FEW_MATCHUPS = 4096  # up to this many are as fast to add up one by one as in matrix products
# With this limit, sums counted in half boards stay below 2^53.
_MAX_WEIGHT = (1 << 53) // (2 * BOARDS * _OPPONENTS)


@attrs.frozen(eq=False)
class Shape:
    """The layout of the preflop table for one hand type: pairs, suited or offsuit hands."""

    heroes: NDArray[np.intp]
    """The combo that represents each class, ``intp (class,)``."""

    opponents: NDArray[np.intp]
    """The combos that represent all combos of the other player, ``intp (opponent,)``."""

    combos: NDArray[np.intp]
    """All combos of the hand type, ``intp (class, view)``. A view is a suit permutation that maps a
    combo to the hero of its class; there is one for each choice of suits of the hole cards."""

    column: NDArray[np.intp]
    """The index in `opponents` to which each view maps each opposing combo, ``intp (view,
    1326)``."""


@cache
def list_shapes() -> tuple[Shape, ...]:
    high, low = COMBO_CARDS.T
    pair, suited = high >> 2 == low >> 2, high & 3 == low & 3
    return _make_shape(pair), _make_shape(suited), _make_shape(~pair & ~suited)


def _make_shape(own: NDArray[np.bool_]) -> Shape:
    images = permuted_combos()
    combos = np.flatnonzero(own)
    # The highest combo of each class represents it.
    heroes = np.zeros(169, dtype=np.intp)
    heroes[CLASS_OF_COMBO[combos]] = combos
    classes, row_of = np.unique(CLASS_OF_COMBO[combos], return_inverse=True)
    heroes = heroes[classes]
    fixing = np.flatnonzero(images[:, heroes[0]] == heroes[0])
    opponents, opponent_of = np.unique(images[fixing].min(axis=0), return_inverse=True)
    # The first permutation that maps each combo to its hero.
    permutations, view_of = np.unique(
        (images[:, combos] == heroes[row_of]).argmax(axis=0), return_inverse=True
    )
    grid = combos[np.lexsort((view_of, row_of))].reshape(len(classes), len(permutations))
    return Shape(heroes, opponents, grid, opponent_of[images[permutations]])


@attrs.frozen(eq=False, slots=False)
class PreflopTable:
    """The numbers of boards won and tied in every preflop match-up of two combos.

    Instances are created by `preflop_table`.
    """

    counts: NDArray[np.float64]
    """The numbers of boards that the hero wins, and of boards that are ties, ``float64 (2,
    entry)``; 0 if the two combos share a card. An entry is a class and one of its opponents. Those
    of pairs come first, then suited and then offsuit hands, each ordered by class and opponent."""

    @cached_property
    def by_shape(self) -> list[tuple[Shape, NDArray[np.float64]]]:
        """For pairs, suited and offsuit hands, the layout of their part of `counts`, and this part.

        The part is ``float64 (2, class, opponent)``: the numbers of boards won and of boards tied.
        """
        shapes = list_shapes()
        ends = np.cumsum([len(shape.heroes) * len(shape.opponents) for shape in shapes])
        parts = np.split(self.counts, ends[:-1], axis=1)
        return [
            (shape, part.reshape(2, len(shape.heroes), -1))
            for shape, part in zip(shapes, parts, strict=True)
        ]

    def match_ups(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> NDArray[np.float64]:
        """Look up the boards that combos win and tie against others, ``float64 (2, …)``.

        The two arrays of combo numbers are broadcast against each other. Combos that share a card
        have 0.
        """
        start, view, column = _index_entries()
        return self.counts.take(start[first] + column[view[first], second], axis=1)

    def sum_by_class(
        self, first: NDArray[np.intp], second: NDArray[np.intp]
    ) -> tuple[int, int, int] | None:
        """Count the boards won, tied and dealt over all match-ups of two unweighted ranges.

        All match-ups of two classes are counted at once, from `_class_sums`, so the result is None
        if the second range has only some of the combos of a class.
        """
        held, opposing = (
            np.bincount(CLASS_OF_COMBO.take(combos), minlength=CLASS_COUNT)
            for combos in (first, second)
        )
        if (opposing % CLASS_SIZES).any():
            return None
        won, tied, all_boards = (self._class_sums @ (opposing > 0) @ held).tolist()
        return int(won), int(tied), int(all_boards)

    @cached_property
    def _class_sums(self) -> NDArray[np.float64]:
        """The outcomes of one combo of each class against all combos of each opposing class.

        They are the numbers of boards won, of boards tied, and of all boards, ``float64 (3, class,
        opposing class)``.
        """
        sums = np.zeros((3, CLASS_COUNT, CLASS_COUNT))
        for shape, counts in self.by_shape:
            disjoint = COMBO_SETS[shape.heroes][:, None] & COMBO_SETS[shape.opponents] == 0
            # Each opponent represents some combos.
            boards = np.array([*counts, disjoint * float(BOARDS)]) * np.bincount(shape.column[0])
            classes = CLASS_OF_COMBO[shape.opponents]
            order = classes.argsort()
            starts = np.searchsorted(classes[order], np.arange(CLASS_COUNT))
            by_class = np.add.reduceat(boards[:, :, order], starts, axis=2)
            sums[:, CLASS_OF_COMBO[shape.heroes]] = by_class
        return sums


@cache
def _index_entries() -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Create ``start``, ``view`` and ``column``, by which `PreflopTable.counts` is indexed.

    The entry of a combo ``a`` against a combo ``b`` is ``start[a] + column[view[a], b]``. ``start``
    is the first entry of each combo's class, ``intp (1326,)``; ``view`` the index of a suit
    permutation that maps each combo to the hero of its class, ``intp (1326,)``; and ``column`` the
    index of the opponent to which this permutation maps each opposing combo, ``intp (view, 1326)``.
    """
    start, view = np.zeros((2, COMBO_COUNT), dtype=np.intp)
    entries = views = 0
    for shape in list_shapes():
        size = len(shape.opponents)
        start[shape.combos] = entries + size * np.arange(len(shape.heroes))[:, None]
        view[shape.combos] = views + np.arange(len(shape.column))
        entries, views = entries + len(shape.heroes) * size, views + len(shape.column)
    return start, view, np.concatenate([shape.column for shape in list_shapes()])


@cache
def preflop_table() -> PreflopTable:
    """Return the preflop table, which the first call loads in a few milliseconds."""
    content = get_data(__name__, FILE) or b""
    if zlib.crc32(content) != _CHECKSUM:
        raise HoldemRuntimeError(
            f"the table of match-ups before the flop {FILE} is damaged: install holdem again"
        )
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        low, middle, high = np.stack([arrays["wins"], arrays["ties"]], axis=1)
    return PreflopTable(low + 256.0 * middle + 65536.0 * high)  # from the bytes of each number


class PreflopTableMethod(ExactMethod):
    """Exact method that looks up two-player preflop match-ups in the precomputed table."""

    name = "from the table before the flop"

    @classmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:
        """Return 1, the lowest possible cost; return None if the method does not apply.

        It applies to two players before the flop, without dead cards and not by category, if the
        evaluator follows the standard rules and has tables.
        """
        in_table = spot.players == 2 and not spot.board and not spot.dead and not by_category
        if not in_table or not spot.evaluator.has_tables:
            return None
        return 1 if spot.evaluator.rules == STANDARD else None

    def prepare(self) -> None:
        """Check that the evaluator ranks hands by the standard rules, as the table does."""
        self.spot.evaluator.prove()

    def tasks(self) -> Iterator[Task[Any]]:
        """Return an iterator without tasks: `totals` and `player_sums` read the table."""
        return iter(())

    def player_sums(self) -> tuple[PlayerSums, ...] | None:
        """Compute both players' sums if all weights are 1; None for other spots."""
        spot = self.spot
        if not spot.is_unweighted:
            return None
        first, second = spot.live
        if len(first) * len(second) <= _FEW_MATCHUPS:
            boards = self._few_matchups
        elif sums := preflop_table().sum_by_class(first, second):
            return convert_two_players(*sums)
        else:
            boards = _multiply_matrices(first, spot.all_weights[1:])[:, :, first]
        won, tied = (int(own.sum()) for own in boards)
        matchups = count_matchups(spot)
        assert matchups is not None
        return convert_two_players(won, tied, BOARDS * matchups)

    @cached_property
    def _few_matchups(self) -> NDArray[np.float64]:
        """The boards won and tied, ``float64 (2, combo of player 1, combo of player 2)``."""
        first, second = self.spot.live
        return preflop_table().match_ups(first[:, None], second)

    def totals(self) -> tuple[ComboTotals, ...]:
        first, second = self.spot.live
        is_few = len(first) * len(second) <= _FEW_MATCHUPS
        weights = map(self.spot.weights, range(2)) if is_few else self.spot.all_weights
        one, other = (express_as_integers(own, _MAX_WEIGHT) for own in weights)
        if is_few:
            disjoint = COMBO_SETS[first][:, None] & COMBO_SETS[second] == 0
            won, tied = self._few_matchups
            boards = np.array([won, tied, disjoint * float(BOARDS) - won - tied])
            outcome_sums = (
                other.numbers @ boards.transpose(0, 2, 1),
                one.numbers @ boards[::-1],
            )
        else:
            outcome_sums = _sum_boards(first, other.numbers), _sum_boards(second, one.numbers)
        return (
            combine_outcomes(first, other, outcome_sums[0]),
            combine_outcomes(second, one, outcome_sums[1]),
        )


def _sum_boards(own: NDArray[np.intp], numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Count the boards on which a player's combos win, tie and lose against an opponent's range.

    A board counts as the integer that stands for the weight of the opponent's combo; `numbers` are
    those of `IntegerWeights`, ``float64 (layer, 1326)``. The sums are ``float64 (3, layer,
    combo)``.
    """
    won, tied = _multiply_matrices(own, numbers)
    deals = BOARDS * sum_unblocked(numbers)
    return np.array([won, tied, deals - won - tied])[:, :, own]


def _multiply_matrices(own: NDArray[np.intp], numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute the wins and ties of `_sum_boards` as products of matrices.

    The arguments are those of `_sum_boards`. The sums are ``float64 (2, layer, 1326)``, for all
    combos of the classes that occur in `own`; 0 for other combos.
    """
    sums = np.zeros((2, *numbers.shape))
    is_own = np.zeros(COMBO_COUNT, dtype=np.bool_)
    is_own[own] = True
    opponents = np.flatnonzero(numbers.any(axis=0))
    for shape, counts in preflop_table().by_shape:
        rows = np.flatnonzero(is_own[shape.combos].any(axis=1))
        views, size = len(shape.column), len(shape.opponents)
        cells = (shape.column[:, opponents] + size * np.arange(views)[:, None]).ravel()
        for layer, weights in enumerate(numbers[:, opponents]):
            # The opponent's weight in each column of each view: (view, column).
            seen = np.bincount(cells, np.tile(weights, views), views * size).reshape(views, size)
            sums[:, layer, shape.combos[rows]] = counts[:, rows] @ seen.T
    return sums
