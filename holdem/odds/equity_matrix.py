"""The public function `equity_matrix` and its result.

Before the flop, by standard rules and without dead cards, the wins and ties of every two combos
come from the preflop table. Otherwise each combo is ranked once per board, and every two combos
are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import require_text
from holdem.cached_property import cached_property
from holdem.cards import Card, CardArray, CardsLike, read_only
from holdem.errors import HoldemTypeError, HoldemValueError, SpotError, quoted
from holdem.evaluation.builtin.lookup_tables import StrengthTable
from holdem.evaluation.registry import EvaluatorLike
from holdem.jit.kernels import inlined, kernel
from holdem.jobs.run import End, Task, run
from holdem.jobs.stopwatch import Stopwatch
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.exact.method import THROUGH_ARRAYS, ExhaustiveJob
from holdem.odds.exact.preflop_table import PreflopTableMethod, preflop_table
from holdem.odds.exact.ranked_combos import BLOCKED, HANDS_PER_TASK, rank_combos, rank_every_combo
from holdem.odds.plan import UNSAMPLED_FACTOR, budget_of, require_affordable
from holdem.odds.spot import PlayerLike, Spot, make_spot
from holdem.odds.symmetry import list_canonical_boards
from holdem.odds.tally import proportion, require_precise
from holdem.ranges.combos import CLASS_NAMES, CLASS_OF_COMBO, COMBO_CARDS, COMBO_SETS, COMBO_TEXT
from holdem.results.base_result import Plottable, Result
from holdem.results.fields import EvaluatorLabel
from holdem.rules import STANDARD

By = Literal["combo", "class"]

# Rows that are computed at a time, so that temporary arrays stay in the cache.
_ROWS = 64
_COUNTED = ("weight", "wins", "ties")
#: The arrays that JSON, CSV and data frames have.
SHOWN = ("weight", "equity", "win", "tie")

#: Wins and ties, each ``(row, column)``: numbers of runouts, of any type.
Counts: TypeAlias = tuple[NDArray[Any], NDArray[Any]]

# Comparisons of two combos that take as long as an evaluation in a kernel.
_COMPARISONS = 16

# The sizes of a task. The first keeps its counts in 16 bits, the second limits its strengths to
# 8 MB, and the third its time to some 30 ms.
_MAX_BOARDS, _MAX_HANDS, _MAX_COMPARISONS = 1 << 14, 1 << 22, 1 << 28

_BLOCKED = np.int16(np.iinfo(np.int16).max)


# How arrays are compared.
_EQUAL: Any = attrs.cmp_using(eq=np.array_equal)


# With slots, cached properties would make every attribute slow to read.
@attrs.frozen(repr=False, slots=False)
class EquityMatrix(Result, Plottable):
    """The result of `equity_matrix`: equities of one range's combos or classes against another's.

    Rows are the combos or classes of the first range, and columns are those of the second. Where a
    row and a column have no deal in common, the weight is 0, and equity, win and tie are NaN. The
    arrays are read-only. Equality ignores `elapsed`.
    """

    _report: ClassVar[str] = "holdem.report.equity_report:matrix_report"
    _chart: ClassVar[str] = "holdem.report.plots.heat_maps:matrix_chart"

    by: By
    """Whether rows and columns are combos or classes of starting hands."""
    rows: tuple[str, ...]
    """The names of the rows: combos in the order of their numbers, the higher card first in each,
    or classes in the order of the 13x13 grid."""
    columns: tuple[str, ...]
    """The names of the columns, in the same form."""
    weight: NDArray[np.float64] = attrs.field(eq=_EQUAL, hash=False)
    """The weight of each entry, ``float64 (row, column)``: the product of the weights of the two
    combos, 0 if they share a card; by class, the sum of these products over all pairs of combos."""
    wins: NDArray[Any] = attrs.field(eq=_EQUAL, hash=False)
    """The numbers of runouts that the row wins, ``(row, column)``, integers or floats. By class,
    each pair of combos counts with its weight, the product of the weights of the two combos."""
    ties: NDArray[Any] = attrs.field(eq=_EQUAL, hash=False)
    """The numbers of runouts that are ties, in the same form as `wins`."""
    runouts: int
    """The number of runouts for each pair of combos."""
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    evaluator: EvaluatorLabel
    elapsed: float = attrs.field(eq=False)
    """The duration in seconds, without the time to compile and load kernels."""

    def __attrs_post_init__(self) -> None:
        for name in _COUNTED:
            getattr(self, name).flags.writeable = False

    def __array__(self, *_: Any, **__: Any) -> Any:
        """Raise `HoldemTypeError`, because a matrix has several arrays."""
        raise HoldemTypeError(
            "an EquityMatrix has several arrays: use .equity, .weight, .win or .tie, or .full() for"
            " all 1,326 combos"
        )

    @cached_property
    def equity(self) -> NDArray[np.float64]:
        """The equity of each row against each column, from 0 to 1, ``float64 (row, column)``."""
        return self._divide_by_deals(self.wins, self.ties)

    @cached_property
    def win(self) -> NDArray[np.float64]:
        """The probability that the row wins against the column, ``float64 (row, column)``."""
        return self._divide_by_deals(self.wins)

    @cached_property
    def tie(self) -> NDArray[np.float64]:
        """The probability of a tie between row and column, ``float64 (row, column)``."""
        return self._divide_by_deals(self.ties)

    def _divide_by_deals(
        self, counts: NDArray[Any], half_counts: NDArray[Any] | None = None
    ) -> NDArray[np.float64]:
        """Divide counts of runouts by the numbers of deals; NaN where there are no deals.

        `counts` are `wins` or `ties`, to which half of `half_counts` is added. All arrays are
        ``(row, column)``; the result is read-only.
        """
        mean = np.empty(self.weight.shape)
        for start in range(0, len(mean), _ROWS):
            rows = slice(start, start + _ROWS)
            weight, sums, deals = self.weight[rows], counts[rows], self.runouts
            if half_counts is not None:
                sums, deals = 2 * sums + half_counts[rows], 2 * deals
            if self.by == "combo":
                np.divide(sums, deals, out=mean[rows])
            else:
                mean[rows] = proportion(sums, deals * weight)
            np.copyto(mean[rows], np.nan, where=weight == 0)
        return read_only(mean)

    def full(self, what: Literal["equity", "win", "tie"] = "equity") -> NDArray[np.float64]:
        """Return a matrix that has a row and a column for every combo or, by class, every class.

        With weights `w` and `v` of two ranges, ``w @ np.nan_to_num(matrix.full()) @ v`` is the
        weighted sum over all pairs of combos.

        Args:
            what: the array to return: ``"equity"``, ``"win"`` or ``"tie"``.

        Returns:
            ``float64 (1326, 1326)`` in the order of `Range.weights`, or by class ``float64 (169,
            169)`` in the order of the 13x13 grid; read-only. It is NaN where a combo or class is
            not in this matrix, and where the two have no deal in common.

        Raises:
            HoldemTypeError: `what` is not text.
            HoldemValueError: `what` is none of the three.
        """
        require_text(what, "what")
        if what not in SHOWN[1:]:
            raise HoldemValueError(f"no matrix of {quoted(what)}; use equity, win or tie")
        names = COMBO_TEXT if self.by == "combo" else CLASS_NAMES
        number_of = {name: number for number, name in enumerate(names)}
        entries = np.full((len(names), len(names)), np.nan)
        places = ([number_of[name] for name in own] for own in (self.rows, self.columns))
        entries[np.ix_(*places)] = getattr(self, what)
        return read_only(entries)

    @property
    def mean_equity(self) -> float:
        """The equity of the first range against the second: the weighted mean of `equity`."""
        return min(float(np.nansum(self.weight * self.equity) / self.weight.sum()), 1.0)

    def __repr__(self) -> str:
        size = f"{len(self.rows):,} x {len(self.columns):,}"
        return f"<EquityMatrix by {self.by}, {size}: {self.mean_equity:.6f}>"

    def to_dict(self) -> dict[str, Any]:
        """Convert the matrix to a JSON object; arrays become lists of rows, with None for NaN."""
        return {
            "schema": "holdem/equity-matrix/1",
            "by": self.by,
            "board": [str(card) for card in self.board],
            "dead": [str(card) for card in self.dead],
            "runouts": self.runouts,
            "evaluator": self.evaluator.to_dict(),
            "elapsed": self.elapsed,
            "rows": list(self.rows),
            "columns": list(self.columns),
            **{name: _convert_to_lists(getattr(self, name)) for name in SHOWN},
        }


def put_highest_ranks_first(
    matrix: EquityMatrix,
) -> tuple[tuple[str, ...], tuple[str, ...], NDArray[np.float64]]:
    """Order rows and columns for display: return their names and the equities ``(row, column)``."""
    order = slice(None, None, -1 if matrix.by == "combo" else 1)
    return matrix.rows[order], matrix.columns[order], matrix.equity[order, order]


def _convert_to_lists(array: NDArray[np.float64]) -> Any:
    values = array.astype(object)
    values[np.isnan(array)] = None
    return values.tolist()


def equity_matrix(
    rows: PlayerLike,
    columns: PlayerLike,
    *,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    by: By = "combo",
    workers: int | None = None,
    progress: bool = False,
    evaluator: EvaluatorLike | None = None,
) -> EquityMatrix:
    """Compute the exact equity of each combo of one range against each combo of another range.

    By combo, each entry is the equity that `holdem.equity` gives for the two combos, to the
    last bit. By class, an entry is the mean over the pairs of combos of the two classes that
    share no card, weighted by the product of the combos' weights. It is exact but for one rounding
    if all weights are 0 or 1, and otherwise has a relative error below 1e-13.

    Rows and columns are the live combos of the ranges, those that occur in at least one deal,
    in the order of their numbers, as in `Range.weights`. Classes are in the order of the 13x13
    grid: AA, AKs, …, 22. `EquityMatrix.full` has a row and a column for each of the 1,326 combos.

    Args:
        rows: the first range, as a `Range`, text or two cards; messages call it "player 1".
        columns: the second range in the same forms; messages call it "player 2".
        board: up to five cards.
        dead: cards out of play.
        by: ``"combo"`` or ``"class"``.
        workers: the number of threads; all cores if None. The answer does not depend on it.
        progress: show a progress bar on standard error.
        evaluator: a name, an `EvaluatorSpec` or a `RuleSet`; None for the default evaluator.

    Returns:
        The matrix.

    Raises:
        HoldemError: an argument is invalid, or the answer would take too long to compute: before
            the flop, wide ranges need standard rules and no dead cards.
        Interrupted: Ctrl-C was pressed; ``finished`` is None.

    Example:
        >>> import holdem
        >>> matrix = holdem.equity_matrix("AA", "KK,QQ", by="class")
        >>> matrix.columns, matrix.equity.round(4)
        (('KK', 'QQ'), array([[0.8195, 0.8155]]))
    """
    require_text(by, "by")
    if by not in ("combo", "class"):
        raise SpotError(f"no matrix by {quoted(by)}; use combo or class")
    workers = count_workers(workers)
    spot = make_spot((rows, columns), board, dead, evaluator)
    stopwatch = Stopwatch()
    numbers = spot.live
    if by == "class":  # the combos of each class are adjacent
        numbers = tuple(own[np.argsort(CLASS_OF_COMBO[own], kind="stable")] for own in numbers)
    first, second = numbers
    if PreflopTableMethod.cost(spot) is not None:
        spot.evaluator.prove()
        wins, ties = preflop_table().match_ups(first[:, None], second)
    else:
        job = PairwiseComparison(spot, first, second)
        wins, ties = run(job, workers, progress=progress)
    weight = _multiply_weights(spot, first, second)
    if by == "combo":
        names = [tuple(COMBO_TEXT[number] for number in own.tolist()) for own in numbers]
    else:
        parts = [np.unique(CLASS_OF_COMBO[own], return_index=True) for own in numbers]
        names = [tuple(CLASS_NAMES[number] for number in classes.tolist()) for classes, _ in parts]
        starts = [start for _, start in parts]
        weight, wins, ties = (
            np.add.reduceat(np.add.reduceat(array, starts[0], axis=0), starts[1], axis=1)
            for array in (weight, weight * wins, weight * ties)
        )
    return EquityMatrix(
        by=by,
        rows=names[0],
        columns=names[1],
        weight=weight,
        wins=wins,
        ties=ties,
        runouts=spot.runouts,
        board=spot.board,
        dead=spot.dead,
        evaluator=spot.evaluator.label,
        elapsed=stopwatch.elapsed,
    )


class PairwiseComparison(ExhaustiveJob[Counts]):
    """Job that counts the runouts on which each combo of a range beats or ties each of another.

    It ranks all combos on each complete board, and compares each combo of one range with each of
    the other. Counts are 0 for two combos that share a card.
    """

    def __init__(self, spot: Spot, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> None:
        """Create the job for a spot of two players.

        `rows` are live combos of the first, ``intp (row,)``, and `columns` of the second, ``intp
        (column,)``.
        """
        _require_affordable(spot, len(rows) * len(columns))
        self._spot = spot
        self._rows = np.searchsorted(spot.live_combos, rows)
        self._columns = np.searchsorted(spot.live_combos, columns)

    def prepare(self) -> None:
        spot = self._spot
        self._ranker = spot.evaluator.ranker
        hands = spot.boards * len(spot.live_combos)
        spot.evaluator.announce(hands * spot.evaluator.evaluations(7))
        identity = np.zeros(1, dtype=np.intp)
        self._boards = list_canonical_boards(spot.board, spot.board_cards, identity).cards
        self._sums = np.zeros((2, len(self._rows), len(self._columns)), dtype=np.int32)

    def tasks(self) -> Iterator[Task[NDArray[np.int16]]]:
        pairs = len(self._rows) * len(self._columns)
        hands = _MAX_HANDS if self._ranker.tables else HANDS_PER_TASK
        together = min(_MAX_BOARDS, hands // len(self._spot.live_combos), _MAX_COMPARISONS // pairs)
        return self.batches(self._compare, len(self._boards), together)

    def _compare(self, batch: slice, workers: Workers) -> NDArray[np.int16]:
        """Count wins, then ties, on a batch of boards, ``int16 (2, row, column)``."""
        strengths = self._rank(self._boards[batch], workers)
        columns = strengths.take(self._columns, axis=1)
        rows = strengths.take(self._rows, axis=1)
        rows[rows == _BLOCKED] = -1
        counts = np.zeros(self._sums.shape, dtype=np.int16)
        count_wins_and_ties(rows, columns, *counts)
        return counts

    def _rank(self, boards: CardArray, workers: Workers) -> NDArray[np.int16]:
        """Rank all live combos on a batch of boards, ``int16 (board, combo)``.

        Combos that share a card with the board have `_BLOCKED`. Boards on which all combos are
        blocked are added at the end, so that their number is a multiple of 4.
        """
        combos, ranker = self._spot.live_combos, self._ranker
        strengths = np.full((-(-len(boards) // 4) * 4, len(combos)), _BLOCKED)
        if ranker.tables is not None:
            rank_on_boards(ranker.tables.seven, boards, COMBO_CARDS[combos], strengths)
            return strengths
        found = rank_combos(ranker, boards, combos, workers)
        free = found != BLOCKED
        scale = ranker.scale
        strengths[: len(boards)][free] = len(scale.strengths) - scale.classes(found[free])
        return strengths

    def answer(self, end: End) -> Counts:  # noqa: ARG002 - there is no time limit
        """Return the runouts that rows win and tie against columns, ``int32 (row, column)``."""
        wins, ties = self._sums
        return wins, ties


def _require_affordable(spot: Spot, pairs: int) -> None:
    has_tables = spot.evaluator.has_tables
    comparing = pairs // (_COMPARISONS if has_tables else _COMPARISONS * THROUGH_ARRAYS)
    ranking = len(spot.live_combos) * spot.evaluator.evaluations(7)
    boards = spot.boards
    advice = "narrow the ranges"
    if not spot.board:
        advice += " or add board cards"
        if spot.evaluator.rules == STANDARD:
            needed = "with no dead cards"
            if not has_tables:
                needed = f"without direct ranking and {needed}"
            advice += f"; {needed}, a table before the flop has the answer"
    require_affordable(
        f"a matrix of {pairs:,} pairs of combos over {boards:,} boards",
        boards * (ranking + comparing),
        UNSAMPLED_FACTOR * budget_of(spot.evaluator),
        advice,
    )


def _multiply_weights(
    spot: Spot, first: NDArray[np.intp], second: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Multiply the weights of the combos of two players, ``float64 (row, column)``.

    `first` are combos ``intp (row,)`` of the first player, and `second` ``intp (column,)`` of the
    second. The product is 0 if the combos share a card.
    """
    rows, columns = spot.ranges
    own, theirs = rows.weights[first], columns.weights[second]
    require_precise(own.min() * theirs.min())
    weights: NDArray[np.float64] = np.multiply.outer(own, theirs)
    for start in range(0, len(first), _ROWS):
        part = slice(start, start + _ROWS)
        weights[part] *= COMBO_SETS[first[part], None] & COMBO_SETS[second] == 0
    return weights


_BLOCK = 16  # boards; a multiple of 4


@inlined
def _write(board: int, combo: int, strength: np.uint16, strengths: NDArray[np.int16]) -> None:
    strengths[board, combo] = strength


@kernel
def rank_on_boards(
    table: StrengthTable, boards: CardArray, holes: CardArray, strengths: NDArray[np.int16]
) -> None:
    """Rank each combo on each board with the table for seven-card hands.

    `boards` are complete, ``uint8 (board, 5)``; `holes` are ``uint8 (combo, 2)``. Strengths are
    written to `strengths`, ``int16 (board, combo)``, except of combos that share a card with the
    board.
    """
    rank_every_combo(table, boards, holes, _write, strengths)


@kernel
def count_wins_and_ties(
    rows: NDArray[np.int16],
    columns: NDArray[np.int16],
    wins: NDArray[np.int16],
    ties: NDArray[np.int16],
) -> None:
    """Count the boards on which each row's combo wins or ties against each column's combo.

    LLVM vectorizes the inner loop. It compares on four boards at a time, which halves the time,
    because wins and ties are loaded and stored once for all four. Boards are taken in blocks that
    stay in the first-level cache.

    `rows`, ``int16 (board, row)``, and `columns`, ``int16 (board, column)``, are strengths; where a
    combo shares a card with the board, a row has a number below all strengths, and a column one
    above. The number of boards is a multiple of 4, and at most 32,764. Counts are added to `wins`
    and `ties`, ``int16 (row, column)``.
    """
    count, size = len(rows), columns.shape[1]
    for first in range(0, count, _BLOCK):
        last = min(count, first + _BLOCK)
        for row in range(rows.shape[1]):
            for board in range(first, last, 4):
                a, b = rows[board, row], rows[board + 1, row]
                c, d = rows[board + 2, row], rows[board + 3, row]
                for column in range(size):
                    e, f = columns[board, column], columns[board + 1, column]
                    g, h = columns[board + 2, column], columns[board + 3, column]
                    wins[row, column] += (
                        np.int16(a > e) + np.int16(b > f) + np.int16(c > g) + np.int16(d > h)
                    )
                    ties[row, column] += (
                        np.int16(a == e) + np.int16(b == f) + np.int16(c == g) + np.int16(d == h)
                    )
