"""`ClassTable`: a player's result for each of the 169 classes of starting hands."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.base_result import named
from holdem.odds.record_table import RecordTable
from holdem.ranges.combos import CLASS_COUNT, CLASS_NAMES, CLASS_OF_COMBO


@attrs.frozen
class ClassResult:
    """The result of one class of starting hands, over the combos that the player can hold.

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
class ClassTable(RecordTable[ClassResult]):
    """The result of each class of starting hands in a player's range.

    The classes are in the order of the 13×13 grid, row by row: AA, AKs, …, 22. The columns are
    read-only arrays with one element for each class; as a sequence, the table contains
    `ClassResult` records. The equities, weighted by `share`, have the player's equity as their
    sum.
    """

    _report: ClassVar[str] = "holdem.report.by_reports:class_report"
    _picture: ClassVar[str] = "holdem.report.plots.heat_maps:class_picture"
    _html: ClassVar[str] = "holdem.report.class_html:class_html"
    _record: ClassVar[type[ClassResult]] = ClassResult
    _missing: ClassVar[str] = "the range has no live combo of the class"

    numbers: NDArray[np.intp]
    """The class numbers, ``intp (class,)``: ``13 * row + column`` in the grid."""
    combos: NDArray[np.int64]
    """The numbers of live combos, ``int64 (class,)``."""
    weight: NDArray[np.float64]
    """The mean weights of the live combos, ``float64 (class,)``."""
    equity: NDArray[np.float64]
    """The equities, from 0 to 1, ``float64 (class,)``; NaN without deals, as are `win`, `tie` and
    `stderr`."""
    win: NDArray[np.float64]
    """The probabilities of winning alone, ``float64 (class,)``."""
    tie: NDArray[np.float64]
    """The probabilities of a tie for the best hand, ``float64 (class,)``."""
    deals: NDArray[np.float64]
    """The numbers of deals, as in `ClassResult`, ``float64 (class,)``."""
    stderr: NDArray[np.float64]
    """One standard error of each equity, ``float64 (class,)``; 0.0 if exact."""

    @cached_property
    def name(self) -> NDArray[np.str_]:
        """The names of the classes, ``str (class,)``."""
        return np.array([CLASS_NAMES[number] for number in self.numbers.tolist()], dtype="U3")

    @property
    def share(self) -> NDArray[np.float64]:
        """The probabilities that the player holds each class, ``float64 (class,)``."""
        share: NDArray[np.float64] = self.deals / self.deals.sum()
        return share

    @property
    def lose(self) -> NDArray[np.float64]:
        """The probabilities of losing, ``float64 (class,)``."""
        return 1 - (self.win + self.tie)

    def __len__(self) -> int:
        return len(self.numbers)

    def _repr_html_(self) -> str:
        html: str = named(self._html)(self)
        return html


def live_classes(
    combos: NDArray[np.intp], weights: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.float64]]:
    """Return a player's classes, the number of combos of each, and the mean of their weights.

    Args:
        combos: the live combos, ``intp (combo,)``.
        weights: their weights, ``float64 (combo,)``.
    """
    classes = CLASS_OF_COMBO[combos]
    count = np.bincount(classes, minlength=CLASS_COUNT)
    numbers = count.nonzero()[0]
    total = np.bincount(classes, weights, CLASS_COUNT)
    return numbers, count[numbers], total[numbers] / count[numbers]
