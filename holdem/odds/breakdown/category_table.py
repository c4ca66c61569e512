"""`CategoryTable`: a player's result by the category of the hand at showdown."""

from __future__ import annotations

from typing import ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.odds.record_table import RecordTable


@attrs.frozen
class CategoryResult:
    """A player's result in the deals in which the hand has one category at showdown.

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
class CategoryTable(RecordTable[CategoryResult]):
    """A player's result by the category of the hand at showdown, the weakest category first.

    It has all categories of the evaluator's rule set. The columns are read-only arrays with one
    element for each; as a sequence, the table contains `CategoryResult` records. The equities,
    weighted by `share`, have the player's equity as their sum.
    """

    _report: ClassVar[str] = "holdem.report.by_reports:category_report"
    _picture: ClassVar[str] = "holdem.report.plots.bars:category_picture"
    _record: ClassVar[type[CategoryResult]] = CategoryResult
    _missing: ClassVar[str] = "there is no category"

    category: NDArray[np.str_]
    """The names of the categories, ``str (category,)``."""
    equity: NDArray[np.float64]
    """The equities, from 0 to 1, ``float64 (category,)``; NaN without deals, as are `win`, `tie`
    and `stderr`."""
    win: NDArray[np.float64]
    """The probabilities of winning alone, ``float64 (category,)``."""
    tie: NDArray[np.float64]
    """The probabilities of a tie for the best hand, ``float64 (category,)``."""
    deals: NDArray[np.float64]
    """The numbers of deals, as in `CategoryResult`, ``float64 (category,)``."""
    share_stderr: NDArray[np.float64]
    """One standard error of each share, ``float64 (category,)``; 0.0 if exact."""
    stderr: NDArray[np.float64]
    """One standard error of each equity, ``float64 (category,)``; 0.0 if exact."""

    @property
    def share(self) -> NDArray[np.float64]:
        """The probability of each category, ``float64 (category,)``."""
        share: NDArray[np.float64] = self.deals / self.deals.sum()
        return share

    @property
    def lose(self) -> NDArray[np.float64]:
        """The probabilities of losing, ``float64 (category,)``."""
        return 1 - (self.win + self.tie)

    def __len__(self) -> int:
        return len(self.category)
