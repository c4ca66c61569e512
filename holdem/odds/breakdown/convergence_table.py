"""`ConvergenceTable`: the equities of a sampled run after increasing numbers of deals."""

from __future__ import annotations

from typing import ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.odds.record_table import RecordTable


@attrs.frozen
class ConvergenceResult:
    """The players' results after the first deals of a run."""

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
    """The players' results after increasing numbers of deals; the last row is the run's result.

    The columns are read-only arrays; as a sequence, the table contains `ConvergenceResult`
    records.
    """

    _report: ClassVar[str] = "holdem.report.convergence_report:convergence_report"
    _picture: ClassVar[str] = "holdem.report.plots.curves:convergence_picture"
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

    def __len__(self) -> int:
        return len(self.deals)
