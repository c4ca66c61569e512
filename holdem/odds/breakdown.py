"""Breakdowns of a result's equity, which are computed on first use."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from holdem.cards import Card
from holdem.errors import HoldemValueError, SpotError, quoted
from holdem.jobs.workers import Workers
from holdem.odds.breakdown_tables import (
    CategoryTable,
    ClassTable,
    ComboTable,
    NextCardTable,
    RunoutTable,
)

By: TypeAlias = Literal["class", "category", "combo", "next-card", "runout"]

#: The names of the reports on where the equity comes from.
REPORTS: tuple[By, ...] = get_args(By)
#: The names of those that each player has.
PLAYER_REPORTS: tuple[By, ...] = ("class", "category", "combo")

#: Computes the equities by next card or by runout. Its arguments are the report, and `progress`
#: and `within` of `holdem.jobs.run.run`.
ComputeBoardReport: TypeAlias = Callable[[By, bool, Workers | None], Any]


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
        none = np.zeros(0)
        outcomes: dict[str, Any] = dict.fromkeys(("equity", "win", "tie", "deals", "stderr"), none)
        numbers = _no_rows(np.intp)
        tables: dict[By, Any] = {
            "class": ClassTable(
                **outcomes, numbers=numbers, combos=_no_rows(np.int64), weight=none
            ),
            "category": CategoryTable(
                **outcomes,
                category=_no_rows(np.str_),
                share_stderr=none,
                categories=self._categories,
            ),
            "combo": ComboTable(**outcomes, numbers=numbers, weight=none),
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
