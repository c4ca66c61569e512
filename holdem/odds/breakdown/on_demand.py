"""The parts of a result that are computed when they are first used."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from holdem.cards import Card
from holdem.errors import HoldemValueError, SpotError, quoted
from holdem.odds.breakdown.category_table import CategoryTable
from holdem.odds.breakdown.class_table import ClassTable
from holdem.odds.breakdown.next_card_table import NextCardTable
from holdem.odds.combo_table import ComboTable

By: TypeAlias = Literal["class", "category", "combo", "next-card"]

#: The names of the reports on where the equity comes from.
REPORTS: tuple[By, ...] = get_args(By)

#: Computes the equities by next card, with a progress bar if its argument is true.
ComputeNextCards: TypeAlias = Callable[[bool], NextCardTable]


def check_reports(by: Iterable[str], board: tuple[Card, ...]) -> tuple[By, ...]:
    """Return the names of reports in the order of `REPORTS`, each once.

    Raises:
        HoldemValueError: there is no such report.
        SpotError: no card comes next on the board, or three do.
    """
    wanted = (by,) if isinstance(by, str) else tuple(by)
    for name in wanted:
        if name not in REPORTS:
            raise HoldemValueError(f"no report by {quoted(name)}; there are: {', '.join(REPORTS)}")
    if "next-card" in wanted and len(board) not in (3, 4):
        raise SpotError(f"a report by next card needs a board of 3 or 4 cards, not {len(board)}")
    return tuple(name for name in REPORTS if name in wanted)


class Breakdown(ABC):
    """Computes where the equity of a result comes from, and keeps the tables.

    A pickle has no tables.
    """

    def __init__(self) -> None:
        self._kept: dict[By, Any] = {}

    def tables(self, by: By, *, progress: bool = False) -> Any:
        """Return a tuple with a table for each player; by next card, one table.

        Args:
            by: the name of the report.
            progress: show a progress bar on standard error.

        Raises:
            Interrupted: Ctrl-C was pressed.
        """
        if by not in self._kept:
            self._kept[by] = self._compute(by, progress)
        return self._kept[by]

    @abstractmethod
    def _compute(self, by: By, progress: bool) -> Any:
        """Return the value of `tables`."""

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_kept": {}}


class NoBreakdown(Breakdown):
    """The breakdown of a result without equities: tables without rows."""

    def __init__(self, players: int) -> None:
        super().__init__()
        self._players = players

    def _compute(self, by: By, progress: bool) -> Any:  # noqa: ARG002
        def column(of: type = np.float64) -> NDArray[Any]:
            return np.zeros(0, dtype=of)

        if by == "next-card":
            equity, win, tie, stderr = np.zeros((4, 0, self._players))
            cards, exact = column(np.uint8), column(np.bool_)
            return NextCardTable(cards, column(), equity, win, tie, stderr, exact)
        tables: dict[By, Any] = {
            "class": ClassTable(column(np.intp), column(np.int64), *(column() for _ in range(6))),
            "category": CategoryTable(column(np.str_), *(column() for _ in range(6))),
            "combo": ComboTable(column(np.intp), *(column() for _ in range(6))),
        }
        return (tables[by],) * self._players
