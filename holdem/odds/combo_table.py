"""`ComboTable`: a player's result for each combo of the range."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.odds.record_table import RecordTable
from holdem.ranges.combos import COMBO_TEXT


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
class ComboTable(RecordTable[ComboResult]):
    """The result of each live combo of a player's range, lowest combo number first.

    The columns are read-only arrays with one element for each combo. As a sequence, the table
    contains `ComboResult` records. Equities and everything after them are NaN for combos that a
    sampled run never dealt. Where deals share hole cards, a combo has fewer independent draws
    than deals, which `stderr` takes into account.
    """

    _report: ClassVar[str] = "holdem.report.by_reports:combo_report"
    _picture: ClassVar[str] = "holdem.report.plots.curves:combos_picture"
    _record: ClassVar[type[ComboResult]] = ComboResult
    _missing: ClassVar[str] = "the range has no live combo"

    numbers: NDArray[np.intp]
    """The combo numbers, ``intp (combo,)``."""
    weight: NDArray[np.float64]
    """The weights in the range, ``float64 (combo,)``."""
    equity: NDArray[np.float64]
    """The equities, from 0 to 1, ``float64 (combo,)``."""
    win: NDArray[np.float64]
    """The probabilities of winning alone, ``float64 (combo,)``."""
    tie: NDArray[np.float64]
    """The probabilities of a tie for the best hand, ``float64 (combo,)``."""
    deals: NDArray[np.float64]
    """The numbers of deals, as in `ComboResult`, ``float64 (combo,)``."""
    stderr: NDArray[np.float64]
    """One standard error of each equity, ``float64 (combo,)``; 0.0 if exact."""

    @cached_property
    def combo(self) -> NDArray[np.str_]:
        """The combos as text, the higher card first, ``str (combo,)``."""
        return np.array([COMBO_TEXT[number] for number in self.numbers.tolist()], dtype="U4")

    @property
    def lose(self) -> NDArray[np.float64]:
        """The probabilities of losing, ``float64 (combo,)``."""
        return 1 - (self.win + self.tie)  # exactly 0 for more combos than 1 - win - tie

    def __len__(self) -> int:
        return len(self.numbers)

    def _same_name(self, name: str) -> str:
        swapped = name[2:] + name[:2]
        return swapped if swapped in COMBO_TEXT else name
