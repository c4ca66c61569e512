"""Where a result's equity comes from: its tables, and what computes them when they are first used.

There are tables by class, category, combo, next card, runout and number of deals. A column is
declared once, as an array of a table; `RecordTable` makes records and JSON of them, and
`holdem.report.breakdown_reports` CSV, data frames and text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar, get_args

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.base_result import named
from holdem.cards import DECK, DECK_SIZE, Card, read_only
from holdem.errors import HoldemValueError, SpotError, quoted
from holdem.jobs.workers import Workers
from holdem.odds.record_tables import RecordTable
from holdem.odds.spot import Spot
from holdem.odds.tally import proportion
from holdem.ranges.combos import CLASS_COUNT, CLASS_NAMES, CLASS_OF_COMBO, COMBO_CARDS, COMBO_TEXT

By: TypeAlias = Literal["class", "category", "combo", "next-card", "runout"]

#: The names of the reports on where the equity comes from.
REPORTS: tuple[By, ...] = get_args(By)
#: The names of those that each player has.
PLAYER_REPORTS: tuple[By, ...] = ("class", "category", "combo")

#: Computes the equities by next card or by runout. Its arguments are the report, and `progress`
#: and `within` of `holdem.jobs.run.run`.
ComputeBoardReport: TypeAlias = Callable[[By, bool, Workers | None], Any]

_Record = TypeVar("_Record")


def check_reports(by: Iterable[str], board: tuple[Card, ...]) -> tuple[By, ...]:
    """Validate the report names for a board; sort the names and drop duplicates.

    Raises:
        HoldemValueError: there is no such report.
        SpotError: a report by next card needs a board of 3 or 4 cards, one by runout a flop.
    """
    reports = validate_report_names(by)
    if "next-card" in reports and len(board) not in (3, 4):
        raise SpotError(f"a report by next card needs a board of 3 or 4 cards, not {len(board)}")
    if "runout" in reports and len(board) != 3:
        raise SpotError(f"a report by runout needs a board of 3 cards, not {len(board)}")
    return reports


def validate_report_names(by: Iterable[str], known: tuple[By, ...] = REPORTS) -> tuple[By, ...]:
    """Validate report names; put them in the order of `known` and drop duplicates.

    Raises:
        HoldemValueError: a name is not known.
    """
    wanted = (by,) if isinstance(by, str) else tuple(by)
    for name in wanted:
        if name not in known:
            raise HoldemValueError(f"no report by {quoted(name)}; there are: {', '.join(known)}")
    return tuple(name for name in known if name in wanted)


@attrs.frozen(eq=False, repr=False, slots=False)
class PlayerTable(RecordTable[_Record]):
    """Base class of tables for a single player; columns have one element per row.

    The equity and what belongs to it is NaN in a row without deals.
    """

    _report: ClassVar[str] = "holdem.report.breakdown_reports:player_table_report"

    equity: NDArray[np.float64]
    """The equities, from 0 to 1, ``float64 (row,)``; NaN without deals, as are `win`, `tie` and
    `stderr`."""
    win: NDArray[np.float64]
    """The probabilities of winning alone, ``float64 (row,)``."""
    tie: NDArray[np.float64]
    """The probabilities of a tie for the best hand, ``float64 (row,)``."""
    deals: NDArray[np.float64]
    """The numbers of deals, as in the records, ``float64 (row,)``."""
    stderr: NDArray[np.float64]
    """One standard error of each equity, ``float64 (row,)``; 0.0 if exact."""
    all_deals: float | None = attrs.field(default=None, kw_only=True)
    """The sum of `deals` over all rows, in a table of some of them; None in others."""

    def _whole(self) -> dict[str, Any]:
        return {"all_deals": self._sum_of_deals}

    @property
    def _sum_of_deals(self) -> float:
        return float(self.deals.sum()) if self.all_deals is None else self.all_deals

    @property
    def lose(self) -> NDArray[np.float64]:
        """The probabilities of losing, ``float64 (row,)``."""
        # Exactly 0 for more combos than 1 - win - tie.
        return read_only(np.maximum(1 - (self.win + self.tie), 0.0))


@attrs.frozen(eq=False, repr=False, slots=False)
class BoardTable(RecordTable[_Record]):
    """Base class of tables for all players, with rows by cards that come on the board."""

    deals: NDArray[np.float64]
    """The numbers of deals, as in the records, ``float64 (row,)``."""
    equity: NDArray[np.float64]
    """The players' equities, from 0 to 1, ``float64 (row, player)``."""
    win: NDArray[np.float64]
    """The players' probabilities of winning alone, ``float64 (row, player)``."""
    tie: NDArray[np.float64]
    """The players' probabilities of a tie for the best hand, ``float64 (row, player)``."""


@attrs.frozen
class ComboResult:
    """The result of one combo of a player's range.

    The equity and everything after it are None if a sampled run never dealt the combo.
    """

    combo: str
    """As text, the higher card first: ``"AsKd"``."""
    weight: float
    equity: float | None
    """From 0 to 1."""
    win: float | None
    tie: float | None
    lose: float | None
    deals: float | None
    """The number of deals in which the player holds the combo; in an exact result the sum of the
    weights of the other players' combos over these deals."""
    stderr: float | None
    """One standard error of the equity; 0.0 if it is exact."""


@attrs.frozen(eq=False, repr=False, slots=False)
class ComboTable(PlayerTable[ComboResult]):
    """The result of each live combo in a player's range, in ascending order of combo number.

    The columns are read-only arrays with one element for each combo. As a sequence, the table
    contains `ComboResult` records. Equities and everything after them are NaN for combos that a
    sampled run never dealt. Where deals share hole cards, a combo has fewer independent draws
    than deals, which `stderr` takes into account.
    """

    _chart: ClassVar[str] = "holdem.report.plots.charts:combos_chart"
    _record: ClassVar[type[ComboResult]] = ComboResult
    _missing: ClassVar[str] = "the range has no live combo"

    numbers: NDArray[np.intp]
    """The combo numbers, ``intp (combo,)``."""
    weight: NDArray[np.float64]
    """The weights in the range, ``float64 (combo,)``."""

    @cached_property
    def combo(self) -> NDArray[np.str_]:
        """The combos as strings, the higher card first, ``str (combo,)``."""
        texts = [COMBO_TEXT[number] for number in self.numbers.tolist()]
        return read_only(np.array(texts, dtype="U4"))


@attrs.frozen
class ClassResult:
    """The result of a starting-hand class, over the combos that the player can hold.

    The equity and everything after it are None if a sampled run never dealt the class.
    """

    name: str
    """``"AA"``, ``"AKs"`` or ``"T9o"``."""
    combos: int
    """The number of live combos of the class."""
    weight: float
    """The mean weight of these combos in the range."""
    share: float
    """The probability that the player holds the class, 0..1."""
    equity: float | None
    """The equity of the player when holding the class, 0..1."""
    win: float | None
    tie: float | None
    lose: float | None
    deals: float
    """The number of deals in which the player holds the class; in an exact result the sum of
    the weights of these deals."""
    stderr: float | None
    """One standard error of the equity; 0.0 if it is exact."""


@attrs.frozen(eq=False, repr=False, slots=False)
class ClassTable(PlayerTable[ClassResult]):
    """The result of each class of starting hands in a player's range.

    The classes are in the order of the 13×13 grid, row by row: AA, AKs, …, 22. The columns are
    read-only arrays with one element for each class; as a sequence, the table contains
    `ClassResult` records. The equities, weighted by `share`, have the player's equity as their
    sum.
    """

    _chart: ClassVar[str] = "holdem.report.plots.heat_maps:class_chart"
    _html: ClassVar[str] = "holdem.report.breakdown_reports:class_html"
    _record: ClassVar[type[ClassResult]] = ClassResult
    _missing: ClassVar[str] = "the range has no live combo of the class"

    numbers: NDArray[np.intp]
    """The class numbers, ``intp (class,)``: ``13 * row + column`` in the grid."""
    combos: NDArray[np.int64]
    """The numbers of live combos, ``int64 (class,)``."""
    weight: NDArray[np.float64]
    """The mean weights of the live combos, ``float64 (class,)``."""

    @cached_property
    def name(self) -> NDArray[np.str_]:
        """The names of the classes, ``str (class,)``."""
        texts = [CLASS_NAMES[number] for number in self.numbers.tolist()]
        return read_only(np.array(texts, dtype="U3"))

    @property
    def share(self) -> NDArray[np.float64]:
        """The probabilities that the player holds each class, ``float64 (class,)``."""
        return read_only(self.deals / self._sum_of_deals)

    def _repr_html_(self) -> str:
        html: str = named(self._html)(self)
        return html


@attrs.frozen
class CategoryResult:
    """A player's result over the deals in which the player has a given hand category at showdown.

    The equity, its error and the probabilities of the outcomes are None if no deal has the
    category.
    """

    category: str
    """One of the categories of the rule set, such as ``"full house"``."""
    share: float
    """The probability of the category, 0..1."""
    equity: float | None
    """The equity in the deals with this category, 0..1."""
    win: float | None
    tie: float | None
    lose: float | None
    deals: float
    """The number of these deals; in an exact result the sum of their weights."""
    share_stderr: float
    """One standard error of `share`; 0.0 if it is exact."""
    stderr: float | None
    """One standard error of the equity; 0.0 if it is exact."""


@attrs.frozen(eq=False, repr=False, slots=False)
class CategoryTable(PlayerTable[CategoryResult]):
    """A player's result by hand category at showdown, the weakest category first.

    It has all categories of the evaluator's rule set. The columns are read-only arrays with one
    element for each; as a sequence, the table contains `CategoryResult` records. The equities,
    weighted by `share`, have the player's equity as their sum.
    """

    _chart: ClassVar[str] = "holdem.report.plots.charts:category_chart"
    _record: ClassVar[type[CategoryResult]] = CategoryResult
    _missing: ClassVar[str] = "there is no category"

    category: NDArray[np.str_]
    """The names of the categories, ``str (category,)``."""
    share_stderr: NDArray[np.float64]
    """One standard error of each share, ``float64 (category,)``; 0.0 if exact."""
    categories: tuple[str, ...] = attrs.Factory(
        lambda table: tuple(table.category.tolist()), takes_self=True
    )
    """The names of all categories, weakest first, also in a table without rows."""

    @property
    def share(self) -> NDArray[np.float64]:
        """The probability of each category, ``float64 (category,)``."""
        return read_only(self.deals / self._sum_of_deals)


@attrs.frozen
class NextCardResult:
    """The players' results if a given card comes next."""

    card: str
    """As text: ``"Td"``."""
    deals: float
    """The number of deals with this card; in an exact result the sum of their weights."""
    equity: tuple[float, ...]
    """Each player's equity, 0..1."""
    win: tuple[float, ...]
    """Each player's probability of winning alone."""
    tie: tuple[float, ...]
    """Each player's probability of a tie for the best hand."""
    stderr: tuple[float, ...]
    """One standard error of each equity; 0.0 if exact."""
    exact: bool


@attrs.frozen(eq=False, repr=False, slots=False)
class NextCardTable(BoardTable[NextCardResult]):
    """The players' equities after each card that can come next, the lowest card first.

    Cards that no deal can have are left out. The columns are read-only arrays; as a sequence, the
    table contains `NextCardResult` records. In an exact table the mean of the equities, weighted
    by `deals`, is the equity without the card.
    """

    _report: ClassVar[str] = "holdem.report.breakdown_reports:next_card_report"
    _chart: ClassVar[str] = "holdem.report.plots.heat_maps:next_card_chart"
    _record: ClassVar[type[NextCardResult]] = NextCardResult
    _missing: ClassVar[str] = "no deal has the next card"
    _shared: ClassVar[tuple[str, ...]] = ("now",)

    cards: NDArray[np.uint8]
    """The card ids, ``uint8 (card,)``."""
    stderr: NDArray[np.float64]
    """One standard error of each equity, ``float64 (card, player)``; 0.0 if exact."""
    exact: NDArray[np.bool_]
    """Whether the equities after each card are exact, ``bool (card,)``."""
    now: NDArray[np.float64] = attrs.field(factory=lambda: np.zeros(0))
    """The players' equities before the card, those of the result, ``float64 (player,)``. The
    means of sampled equities weighted by `deals` are not: every card has as many deals."""

    @cached_property
    def card(self) -> NDArray[np.str_]:
        """The cards as strings, ``str (card,)``."""
        texts = [str(DECK[card]) for card in self.cards.tolist()]
        return read_only(np.array(texts, dtype="U2"))


@attrs.frozen
class RunoutResult:
    """The players' results if two given cards follow a flop, in any order."""

    runout: str
    """Turn and river as text, the higher card first: ``"AsKd"``."""
    deals: float
    """The number of deals with this runout, in one of its orders; with weights the sum of the
    weights of these deals."""
    equity: tuple[float, ...]
    """Each player's equity, 0..1."""
    win: tuple[float, ...]
    """Each player's probability of winning alone."""
    tie: tuple[float, ...]
    """Each player's probability of a tie for the best hand."""


@attrs.frozen(eq=False, repr=False, slots=False)
class RunoutTable(BoardTable[RunoutResult]):
    """The players' exact equities after each turn and river on a flop.

    The order of the two cards does not matter, so that there is a row for every two cards;
    runouts that no deal can have are left out. The columns are read-only arrays; as a sequence,
    the table contains `RunoutResult` records. The mean of the equities, weighted by `deals`, is
    the equity on the flop.
    """

    _report: ClassVar[str] = "holdem.report.breakdown_reports:runout_report"
    _chart: ClassVar[str] = "holdem.report.plots.heat_maps:runout_chart"
    _record: ClassVar[type[RunoutResult]] = RunoutResult
    _missing: ClassVar[str] = "no deal has the runout"

    numbers: NDArray[np.intp]
    """The runouts as combo numbers, ascending, ``intp (runout,)``."""

    @cached_property
    def runout(self) -> NDArray[np.str_]:
        """The runouts as strings, the higher card first, ``str (runout,)``."""
        texts = [COMBO_TEXT[number] for number in self.numbers.tolist()]
        return read_only(np.array(texts, dtype="U4"))

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """The equities by turn card id and river card id, ``float64 (card, card, player)``.

        It is symmetric in the cards, and NaN where no deal has the runout.
        """
        matrix = np.full((DECK_SIZE, DECK_SIZE, self.equity.shape[1]), np.nan)
        high, low = COMBO_CARDS[self.numbers].T
        matrix[high, low] = matrix[low, high] = self.equity
        return read_only(matrix)


@attrs.frozen
class ConvergenceResult:
    """The players' results after a given number of deals of a sampled run."""

    deals: int
    """The number of deals."""
    equity: tuple[float, ...]
    """Each player's equity, 0..1."""
    stderr: tuple[float, ...]
    """One standard error of each equity."""
    low: tuple[float, ...]
    """The lower bound of each 95 % confidence interval."""
    high: tuple[float, ...]
    """The upper bound of each 95 % confidence interval."""


@attrs.frozen(eq=False, repr=False, slots=False)
class ConvergenceTable(RecordTable[ConvergenceResult]):
    """The players' results after increasing numbers of deals; the last row is the final result.

    The columns are read-only arrays; as a sequence, the table contains `ConvergenceResult`
    records.
    """

    _report: ClassVar[str] = "holdem.report.breakdown_reports:convergence_report"
    _chart: ClassVar[str] = "holdem.report.plots.charts:convergence_chart"
    _record: ClassVar[type[ConvergenceResult]] = ConvergenceResult
    _missing: ClassVar[str] = "a convergence table has numbers as indices, not"

    deals: NDArray[np.int64]
    """The numbers of deals, ascending, ``int64 (point,)``."""
    equity: NDArray[np.float64]
    """The players' equities, from 0 to 1, ``float64 (point, player)``."""
    stderr: NDArray[np.float64]
    """One standard error of each equity, ``float64 (point, player)``."""
    low: NDArray[np.float64]
    """The lower bounds of the 95 % confidence intervals, ``float64 (point, player)``."""
    high: NDArray[np.float64]
    """The upper bounds, ``float64 (point, player)``."""


# --- computation ----------------------------------------------------------------------------


class Breakdown(ABC):
    """Base class of breakdowns, which compute a result's tables on first use and cache the tables.

    Pickles leave out the tables.
    """

    def __init__(self, compute_board_report: ComputeBoardReport | None = None) -> None:
        """Create a breakdown that has no tables yet.

        Args:
            compute_board_report: computes the equities by next card and by runout; set in results
                of public functions.
        """
        self._compute_board_report = compute_board_report
        self._kept: dict[By, Any] = {}

    def tables(self, by: By, *, progress: bool = False, within: Workers | None = None) -> Any:
        """Compute a tuple with one table per player, or a single table by next card or runout.

        A second call returns the same tables.

        Args:
            by: the name of the report.
            progress: show a progress bar on standard error.
            within: as in `holdem.jobs.run.run`.

        Raises:
            Interrupted: Ctrl-C was pressed.
        """
        if by not in self._kept:
            is_of_player = by in PLAYER_REPORTS
            compute = self._player_tables if is_of_player else self._board_report
            self._kept[by] = compute(by, progress, within)
        return self._kept[by]

    @abstractmethod
    def _player_tables(self, by: By, progress: bool, within: Workers | None) -> tuple[Any, ...]:
        """Compute a table for each player."""

    def _board_report(self, by: By, progress: bool, within: Workers | None) -> Any:
        assert self._compute_board_report is not None, "set by the public functions"
        return self._compute_board_report(by, progress, within)

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

    Args:
        by: the groups of deals.
        spot: the spot.
        player: the number of the player, from 0 on.
        sums: deals, pot shares, wins and ties, ``float64 (4, group)``. The groups are the player's
            live combos, all classes, or all categories.
        stderr: the standard errors of the equities, ``float64 (group,)``.
        share_stderr: those of each group's share of the deals; used by category only.
    """
    equity, win, tie = proportion(sums[1:], sums[0])
    columns = {"equity": equity, "win": win, "tie": tie, "deals": sums[0], "stderr": stderr}
    if by == "category":
        names = np.array(spot.evaluator.rules.categories)
        return CategoryTable(**columns, category=names, share_stderr=share_stderr)
    live, weights = spot.live[player], spot.weights(player)
    if by == "combo":
        return ComboTable(**columns, numbers=live.copy(), weight=weights.copy())
    classes = CLASS_OF_COMBO[live]
    combos = np.bincount(classes, minlength=CLASS_COUNT)
    numbers = combos.nonzero()[0]
    mean = np.bincount(classes, weights, CLASS_COUNT)[numbers] / combos[numbers]
    columns = {name: column[numbers] for name, column in columns.items()}
    return ClassTable(**columns, numbers=numbers, combos=combos[numbers], weight=mean)


class NoBreakdown(Breakdown):
    """The breakdown of a result that has no equities; the tables have no rows."""

    def __init__(self, players: int, categories: tuple[str, ...] = ()) -> None:
        """Create the breakdown.

        Args:
            players: the number of players.
            categories: the categories of the rule set, for the types of data frames.
        """
        super().__init__()
        self._players = players
        self._categories = categories

    def _player_tables(self, by: By, *_: object) -> tuple[Any, ...]:
        none, numbers = np.zeros(0), _no_rows(np.intp)
        outcomes = (none,) * 5
        tables: dict[By, Any] = {
            "class": ClassTable(*outcomes, numbers, _no_rows(np.int64), none),
            "category": CategoryTable(*outcomes, _no_rows(np.str_), none, self._categories),
            "combo": ComboTable(*outcomes, numbers, none),
        }
        return (tables[by],) * self._players

    def _board_report(self, by: By, *_: object) -> NextCardTable | RunoutTable:
        deals = np.zeros(0)
        equity, win, tie, stderr = np.zeros((4, 0, self._players))
        if by == "runout":
            return RunoutTable(deals, equity, win, tie, _no_rows(np.intp))
        cards, exact = _no_rows(np.uint8), _no_rows(np.bool_)
        return NextCardTable(deals, equity, win, tie, cards, stderr, exact)


def _no_rows(of: type) -> NDArray[Any]:
    return np.zeros(0, dtype=of)
