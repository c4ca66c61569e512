"""Breakdowns of equities: tables by class, category, combo, next card and runout.

A table by number of deals shows how a sampled result converges. `Breakdowns` computes the other
tables of a result when they are first used.

The columns of a table are declared once, in a class such as `ComboColumns`. The class of the table,
`ComboTable`, derives from it and has an array for each column; the class of its records,
`ComboResult`, also derives from it and has a single value for each. `RecordTable` converts tables
to JSON, and `holdem.report.breakdown_reports` to CSV, data frames and text. In text, a table by
next card or by runout is shown as a grid of equities.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, get_args

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import is_iterable, require_text
from holdem.cached_property import cached_property
from holdem.cards import DECK_SIZE, Card, read_only
from holdem.errors import HoldemValueError, SpotError, quoted
from holdem.jobs.workers import Workers
from holdem.odds.spot import Spot
from holdem.odds.tally import proportion
from holdem.ranges.combos import CLASS_COUNT, CLASS_NAMES, CLASS_OF_COMBO, COMBO_CARDS, COMBO_TEXT
from holdem.results.base_result import import_named
from holdem.results.fields import ERROR_HEAD, shown
from holdem.results.record_tables import Record, RecordTable, name_rows, table_without_rows

By: TypeAlias = Literal["class", "category", "combo", "next-card", "runout"]

#: The names of the breakdowns; messages call them reports.
BREAKDOWNS: tuple[By, ...] = get_args(By)
#: The names of the breakdowns that have a table for each player.
PLAYER_BREAKDOWNS: tuple[By, ...] = ("class", "category", "combo")

#: Computes the equities by next card or by runout. Its arguments are the breakdown, and `progress`
#: and `within` of `holdem.jobs.run.run`.
ComputeBoardBreakdown: TypeAlias = Callable[[By, bool, Workers | None], Any]

_Record = TypeVar("_Record")


def check_breakdowns(by: Iterable[str], board: tuple[Card, ...]) -> tuple[By, ...]:
    """Validate the names of breakdowns, and check that a board allows them.

    `by` may be a single name. The names are returned without duplicates, in the order of
    `BREAKDOWNS`.
    """
    breakdowns = validate_breakdown_names(by)
    if "next-card" in breakdowns and len(board) not in (3, 4):
        raise SpotError(f"a report by next card needs a board of 3 or 4 cards, not {len(board)}")
    if "runout" in breakdowns and len(board) != 3:
        raise SpotError(f"a report by runout needs a board of 3 cards, not {len(board)}")
    return breakdowns


def validate_breakdown_names(
    by: Iterable[str], known: tuple[By, ...] = BREAKDOWNS
) -> tuple[By, ...]:
    """Validate one or several names; return them without duplicates, in the order of `known`."""
    wanted = tuple(by) if is_iterable(by) and not isinstance(by, str) else (by,)
    for name in wanted:
        require_text(name, "the name of a report")
        if name not in known:
            raise HoldemValueError(f"no report by {quoted(name)}; there are: {', '.join(known)}")
    return tuple(name for name in known if name in wanted)


# The types of columns: an array in a table, a single value in a record.
Text = TypeVar("Text")
Count = TypeVar("Count")
Flag = TypeVar("Flag")
Real = TypeVar("Real")
RealOrNone = TypeVar("RealOrNone")
Reals = TypeVar("Reals")

_Texts: TypeAlias = NDArray[np.str_]
_Counts: TypeAlias = NDArray[np.int64]
_Reals: TypeAlias = NDArray[np.float64]


@attrs.frozen(eq=False, repr=False, slots=False, kw_only=True)
class OutcomeColumns(Generic[Real, RealOrNone]):
    """Columns with a player's equity and outcomes in a group of deals.

    In a table by combo, for example, each group consists of the deals with one of the combos.
    If the group has no deals, these columns, except `deals`, are None in a record and NaN in a
    table.
    """

    equity: RealOrNone = attrs.field(metadata=shown(cell="%", error="stderr"))
    """The player's equity in these deals, from 0 to 1."""
    win: RealOrNone = attrs.field(metadata=shown(cell="%", error="stderr"))
    """The probability of winning alone."""
    tie: RealOrNone = attrs.field(metadata=shown(cell="%", error="stderr"))
    """The probability of a tie for the best hand."""
    lose: RealOrNone = attrs.field(metadata=shown(in_text=False))
    """The probability of losing."""
    deals: Real = attrs.field(metadata=shown(in_text=False))
    """The number of these deals; in an exact table the sum of their weights."""
    stderr: RealOrNone = attrs.field(metadata=shown(head=ERROR_HEAD, cell="%", error="stderr"))
    """One standard error of the equity; 0.0 if it is exact."""


@attrs.frozen(eq=False, repr=False, slots=False, kw_only=True)
class PlayerTable(RecordTable[_Record], OutcomeColumns[_Reals, _Reals]):
    """Base class of tables for a single player, whose columns are arrays ``(row,)``."""

    _report: ClassVar[str] = "holdem.report.breakdown_reports:player_table_report"


@attrs.frozen(eq=False, repr=False, slots=False, kw_only=True)
class ComboColumns(OutcomeColumns[Real, RealOrNone], Generic[Text, Real, RealOrNone]):
    """Columns of a table by combo: a combo of the player, and the outcomes of deals with it."""

    _first = ("combo", "weight")

    combo: Text = attrs.field(metadata=shown(cell="range"))
    """The combo as text, the higher card first: ``"AsKd"``."""
    weight: Real = attrs.field(metadata=shown(cell="g"))
    """The weight of the combo in the range. It does not count in `deals`: in an exact result, a
    deal counts as the product of the weights of the other players' combos."""


@attrs.frozen(repr=False)
class ComboResult(Record, ComboColumns[str, float, float | None]):
    """The result of one combo of a player's range.

    If a sampled run never dealt the combo, its equity, probabilities and error are None.
    """


@attrs.frozen(eq=False, repr=False, slots=False, kw_only=True)
class ComboTable(PlayerTable[ComboResult], ComboColumns[_Texts, _Reals, _Reals]):
    """The result of each live combo in a player's range, in ascending order of combo number.

    The columns are read-only arrays with one element for each combo. As a sequence, the table
    contains `ComboResult` records. For combos that a sampled run never dealt, equities,
    probabilities and errors are NaN. With four players or more, several sampled deals may have the
    same hole cards; `stderr` takes into account that such deals are not independent.
    """

    _chart: ClassVar[str] = "holdem.report.plots.charts:combos_chart"
    _record: ClassVar[type[ComboResult]] = ComboResult
    _missing: ClassVar[str] = "the range has no live combo"

    numbers: NDArray[np.intp]
    """The combo numbers, ``intp (combo,)``."""


@attrs.frozen(eq=False, repr=False, slots=False, kw_only=True)
class ClassColumns(OutcomeColumns[Real, RealOrNone], Generic[Text, Count, Real, RealOrNone]):
    """Columns of a table by class: a class of starting hands, and the outcomes of deals with it.

    These are the deals in which the player holds a hand of the class.
    """

    _first = ("name", "combos", "weight", "share")

    name: Text = attrs.field(metadata=shown(head="class"))
    """The name of the class, such as ``"AA"``, ``"AKs"`` or ``"T9o"``."""
    combos: Count
    """The number of live combos of the class."""
    weight: Real = attrs.field(metadata=shown(cell="g"))
    """The mean weight of these combos in the range."""
    share: Real
    """The probability that the player holds the class, from 0 to 1."""


@attrs.frozen(repr=False)
class ClassResult(Record, ClassColumns[str, int, float, float | None]):
    """The result of one class of starting hands in a player's range.

    If a sampled run never dealt the class, its equity, probabilities and error are None.
    """


@attrs.frozen(eq=False, repr=False, slots=False, kw_only=True)
class ClassTable(PlayerTable[ClassResult], ClassColumns[_Texts, _Counts, _Reals, _Reals]):
    """The result of each class of starting hands in a player's range.

    The classes are in the order of the 13×13 grid, row by row: AA, AKs, …, 22. The columns are
    read-only arrays with one element for each class; as a sequence, the table contains
    `ClassResult` records. The sum of the equities, each multiplied by `share`, is the player's
    equity.
    """

    _chart: ClassVar[str] = "holdem.report.plots.heat_maps:class_chart"
    _html: ClassVar[str] = "holdem.report.breakdown_reports:class_html"
    _record: ClassVar[type[ClassResult]] = ClassResult
    _missing: ClassVar[str] = "the range has no live combo of the class"

    numbers: NDArray[np.intp]
    """The class numbers, ``intp (class,)``: ``13 * row + column`` in the grid."""

    def _repr_html_(self) -> str:
        html: str = import_named(self._html)(self)
        return html


@attrs.frozen(eq=False, repr=False, slots=False, kw_only=True)
class CategoryColumns(OutcomeColumns[Real, RealOrNone], Generic[Text, Real, RealOrNone]):
    """Columns of a table by category: a hand category, and the outcomes of deals with it.

    These are the deals in which the player has a hand of the category at showdown.
    """

    _first = ("category", "share", "equity", "win", "tie", "lose", "deals", "share_stderr")

    category: Text
    """The name of the category, such as ``"full house"``."""
    share: Real = attrs.field(metadata=shown(cell="%", error="share_stderr"))
    """The probability of the category, from 0 to 1."""
    share_stderr: Real = attrs.field(metadata=shown(in_text=False))
    """One standard error of `share`; 0.0 if it is exact."""


@attrs.frozen(repr=False)
class CategoryResult(Record, CategoryColumns[str, float, float | None]):
    """A player's result over the deals in which the player has a given hand category at showdown.

    If there are no such deals, the equity, the probabilities of the outcomes and the error are
    None.
    """


@attrs.frozen(eq=False, repr=False, slots=False, kw_only=True)
class CategoryTable(PlayerTable[CategoryResult], CategoryColumns[_Texts, _Reals, _Reals]):
    """A player's result by hand category at showdown, the weakest category first.

    There is a row for every category of the evaluator's rule set. The columns are read-only arrays
    with one element for each row; as a sequence, the table contains `CategoryResult` records. The
    sum of the equities, each multiplied by `share`, is the player's equity.
    """

    _chart: ClassVar[str] = "holdem.report.plots.charts:category_chart"
    _record: ClassVar[type[CategoryResult]] = CategoryResult
    _missing: ClassVar[str] = "there is no category"

    categories: tuple[str, ...] = attrs.Factory(
        lambda table: tuple(table.category.tolist()), takes_self=True
    )
    """The names of all categories of the rule set, weakest first; a table without rows has them,
    too."""


@attrs.frozen(eq=False, repr=False, slots=False, kw_only=True)
class BoardColumns(Generic[Real, Reals]):
    """Columns with the players' outcomes in the deals with one or two given cards on the board.

    In a table, there is a row for each card or pair of cards; `deals` is ``float64 (row,)``, and
    the other columns are ``float64 (row, player)``.
    """

    deals: Real
    """The number of these deals; in an exact table the sum of their weights."""
    equity: Reals
    """Each player's equity, from 0 to 1."""
    win: Reals
    """Each player's probability of winning alone."""
    tie: Reals
    """Each player's probability of a tie for the best hand."""


@attrs.frozen(eq=False, repr=False, slots=False, kw_only=True)
class NextCardColumns(BoardColumns[Real, Reals], Generic[Text, Flag, Real, Reals]):
    """Columns of a table by next card: the card, and the players' outcomes if it comes next."""

    _first = ("card",)

    card: Text
    """The card as text: ``"Td"``."""
    stderr: Reals
    """One standard error of each equity; 0.0 if exact."""
    exact: Flag
    """Whether the equities with this card are exact."""


@attrs.frozen(repr=False)
class NextCardResult(Record, NextCardColumns[str, bool, float, tuple[float, ...]]):
    """The players' results in the deals in which a given card comes next."""


@attrs.frozen(eq=False, repr=False, slots=False, kw_only=True)
class NextCardTable(
    RecordTable[NextCardResult], NextCardColumns[_Texts, NDArray[np.bool_], _Reals, _Reals]
):
    """The players' equities after each card that can come next, the lowest card first.

    Cards that cannot come are left out. The columns are read-only arrays; as a sequence, the table
    contains `NextCardResult` records. In an exact table, the mean of a player's equities, weighted
    by `deals`, is the player's equity before the card.
    """

    _report: ClassVar[str] = "holdem.report.breakdown_reports:next_card_report"
    _chart: ClassVar[str] = "holdem.report.plots.heat_maps:next_card_chart"
    _record: ClassVar[type[NextCardResult]] = NextCardResult
    _missing: ClassVar[str] = "no deal has the next card"
    _shared: ClassVar[tuple[str, ...]] = ("now",)

    cards: NDArray[np.uint8]
    """The card ids, ``uint8 (card,)``."""
    now: NDArray[np.float64] = attrs.field(factory=lambda: np.zeros(0))
    """The players' equities before the next card, as in the result, ``float64 (player,)``. In a
    sampled table, the mean of `equity`, weighted by `deals`, differs from them, because about as
    many deals are drawn for each card, whether it is likely or not."""


@attrs.frozen(eq=False, repr=False, slots=False, kw_only=True)
class RunoutColumns(BoardColumns[Real, Reals], Generic[Text, Real, Reals]):
    """Columns of a table by runout: a turn and river, and the players' outcomes with them.

    The order of the two cards does not matter; `deals` counts only one of the two orders.
    """

    _first = ("runout",)

    runout: Text
    """The two cards as text, the higher one first: ``"AsKd"``."""


@attrs.frozen(repr=False)
class RunoutResult(Record, RunoutColumns[str, float, tuple[float, ...]]):
    """The players' results in the deals in which two given cards follow the flop, in any order."""


@attrs.frozen(eq=False, repr=False, slots=False, kw_only=True)
class RunoutTable(RecordTable[RunoutResult], RunoutColumns[_Texts, _Reals, _Reals]):
    """The players' exact equities after each turn and river on a flop.

    The order of the two cards does not matter, so there is one row for each pair of cards; runouts
    that no deal can have are left out. The columns are read-only arrays; as a sequence, the table
    contains `RunoutResult` records. The mean of the equities, weighted by `deals`, is the equity
    on the flop.
    """

    _report: ClassVar[str] = "holdem.report.breakdown_reports:runout_report"
    _chart: ClassVar[str] = "holdem.report.plots.heat_maps:runout_chart"
    _record: ClassVar[type[RunoutResult]] = RunoutResult
    _missing: ClassVar[str] = "no deal has the runout"

    numbers: NDArray[np.intp]
    """The turn and river of each row as the number of a combo, ascending, ``intp (runout,)``."""

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """The players' equities by the ids of turn and river, ``float64 (card, card, player)``.

        The matrix is symmetric in the two cards, and NaN for runouts that are not in the table.
        """
        matrix = np.full((DECK_SIZE, DECK_SIZE, self.equity.shape[1]), np.nan)
        high, low = COMBO_CARDS[self.numbers].T
        matrix[high, low] = matrix[low, high] = self.equity
        return read_only(matrix)


@attrs.frozen(eq=False, repr=False, slots=False, kw_only=True)
class ConvergenceColumns(Generic[Count, Reals]):
    """Columns of a table by number of deals: the results after the first `deals` sampled deals."""

    deals: Count
    """The number of these deals."""
    equity: Reals
    """Each player's equity, from 0 to 1."""
    stderr: Reals
    """One standard error of each equity."""
    low: Reals
    """The lower bound of each 95 % confidence interval."""
    high: Reals
    """The upper bound of each 95 % confidence interval."""


@attrs.frozen(repr=False)
class ConvergenceResult(Record, ConvergenceColumns[int, tuple[float, ...]]):
    """The players' results after a given number of deals of a sampled run."""


@attrs.frozen(eq=False, repr=False, slots=False, kw_only=True)
class ConvergenceTable(RecordTable[ConvergenceResult], ConvergenceColumns[_Counts, _Reals]):
    """The players' results after increasing numbers of deals; the last row is the final result.

    The columns are read-only arrays: `deals` is ``int64 (row,)``, and the others are ``float64
    (row, player)``. As a sequence, the table contains `ConvergenceResult` records.
    """

    _report: ClassVar[str] = "holdem.report.breakdown_reports:convergence_report"
    _chart: ClassVar[str] = "holdem.report.plots.charts:convergence_chart"
    _record: ClassVar[type[ConvergenceResult]] = ConvergenceResult
    _missing: ClassVar[str] = "a convergence table has numbers as indices, not"


# --- computation ----------------------------------------------------------------------------


class Breakdowns(ABC):
    """Base class of objects that compute the breakdowns of a result on first use, and keep them.

    The computed tables are not pickled.
    """

    compute_board_breakdown: ComputeBoardBreakdown | None = None
    """Computes the equities by next card or by runout; the public functions set it in results."""

    def __init__(self) -> None:
        self._kept: dict[str, Any] = {}

    def tables(self, by: By, *, progress: bool = False, within: Workers | None = None) -> Any:
        """Return a table for each player or, by next card or runout, a single table.

        The first call computes them.
        """
        if by not in self._kept:
            is_of_player = by in PLAYER_BREAKDOWNS
            compute = self._player_tables if is_of_player else self._board_breakdown
            self._kept[by] = compute(by, progress, within)
        return self._kept[by]

    def player_table(self, by: By, player: int) -> Any:
        """Return the table of one player, from 0; the first call may compute those of all."""
        return self.tables(by)[player]

    @abstractmethod
    def _player_tables(self, by: By, progress: bool, within: Workers | None) -> tuple[Any, ...]:
        """Compute a table for each player; the arguments are those of `tables`."""

    def _board_breakdown(self, by: By, progress: bool, within: Workers | None) -> Any:
        assert self.compute_board_breakdown is not None, "set by the public functions"
        return self.compute_board_breakdown(by, progress, within)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_kept": {}}


def make_player_table(
    by: By,
    spot: Spot,
    player: int,
    sums: NDArray[np.float64],
    stderr: NDArray[np.float64],
    share_stderr: NDArray[np.float64],
) -> PlayerTable[Any]:
    """Build a player's table by combo, class or category.

    The groups are the player's live combos, all 169 classes, or all categories. `sums` are the
    number of deals in each group (or the sum of their weights), the player's pot shares in them,
    the wins and the ties, ``float64 (4, group)``. `stderr` is the standard error of the equity in
    each group, and `share_stderr` that of the group's share of the deals, used by category only;
    both are ``float64 (group,)``.
    """
    deals = sums[0]
    equity, win, tie = proportion(sums[1:], deals)
    # Exactly 0 for more combos than 1 - win - tie.
    lose = np.maximum(1 - (win + tie), 0.0)
    live, weights = spot.live[player], spot.weights(player)
    outcomes = {
        "equity": equity,
        "win": win,
        "tie": tie,
        "lose": lose,
        "deals": deals,
        "stderr": stderr,
    }
    if by == "category":
        names = np.array(spot.evaluator.rules.categories)
        share = deals / deals.sum()
        return CategoryTable(**outcomes, category=names, share=share, share_stderr=share_stderr)
    if by == "combo":
        combo = name_rows(COMBO_TEXT, live)
        return ComboTable(**outcomes, combo=combo, numbers=live.copy(), weight=weights.copy())
    classes = CLASS_OF_COMBO[live]
    combos = np.bincount(classes, minlength=CLASS_COUNT)
    numbers = combos.nonzero()[0]
    outcomes = {name: column[numbers] for name, column in outcomes.items()}
    return ClassTable(
        **outcomes,
        name=name_rows(CLASS_NAMES, numbers),
        numbers=numbers,
        combos=combos[numbers],
        weight=np.bincount(classes, weights, CLASS_COUNT)[numbers] / combos[numbers],
        share=outcomes["deals"] / outcomes["deals"].sum(),
    )


class NoBreakdowns(Breakdowns):
    """The breakdowns of a result without equities: tables without rows."""

    def __init__(self, players: int, categories: tuple[str, ...] = ()) -> None:
        """Create tables without rows for each player.

        `categories` are those of the rule set, which data frames use as the values of a categorical
        column.
        """
        super().__init__()
        self._players = players
        self._categories = categories

    def _player_tables(self, by: By, *_: object) -> tuple[Any, ...]:
        none, numbers, text = np.zeros(0), np.zeros(0, np.intp), np.zeros(0, np.str_)
        if by == "combo":
            table: Any = table_without_rows(ComboTable, none, combo=text, numbers=numbers)
        elif by == "class":
            combos = np.zeros(0, np.int64)
            table = table_without_rows(ClassTable, none, name=text, numbers=numbers, combos=combos)
        else:
            table = table_without_rows(
                CategoryTable, none, category=text, categories=self._categories
            )
        return (table,) * self._players

    def _board_breakdown(self, by: By, *_: object) -> NextCardTable | RunoutTable:
        of_players, deals, text = np.zeros((0, self._players)), np.zeros(0), np.zeros(0, np.str_)
        if by == "runout":
            numbers = np.zeros(0, np.intp)
            return table_without_rows(
                RunoutTable, of_players, deals=deals, numbers=numbers, runout=text
            )
        cards, exact = np.zeros(0, np.uint8), np.zeros(0, np.bool_)
        return table_without_rows(
            NextCardTable, of_players, deals=deals, cards=cards, card=text, exact=exact
        )
