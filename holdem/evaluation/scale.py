"""`Scale`, which maps an evaluator's strengths to the strength classes of its rule set."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cached_property import cached_property
from holdem.errors import EvaluatorError
from holdem.rules import RuleSet

# Strengths from which a table is faster than a binary search, ten times for a million.
_MANY = 1 << 13
_LARGEST_TABLE = 1 << 20


# With slots, cached properties would make every attribute slow to read.
@attrs.frozen(eq=False, slots=False)
class Scale:
    """A mapping from an evaluator's strengths to the classes and categories of its rule set."""

    strengths: NDArray[np.int64]
    """Strength of each class from the weakest to the strongest, ``int64 (class,)``."""

    category_bounds: NDArray[np.int64]
    """Lowest strength of each category except the weakest, ascending, ``int64 (category - 1,)``."""

    @classmethod
    def from_classes(cls, rules: RuleSet, strengths: NDArray[np.int64]) -> Scale:
        """Create the scale from the strengths of all classes, weakest first, ``int64 (class,)``."""
        names = [hand_class.category for hand_class in reversed(rules.classes)]
        starts = [names.index(category) for category in rules.categories[1:]]
        return cls(strengths, strengths[starts])

    @cached_property
    def _class_table(self) -> NDArray[np.int64]:
        """The class number of each possible strength, ``int64 (strength,)``; 0 if no class has it.

        Index 0 stands for the weakest strength minus 1, and the last index for the strongest plus
        1. The array is empty if the strengths are too far apart for a table, or at an end of int64.
        """
        first, last = self.strengths[[0, -1]].tolist()
        limits = np.iinfo(np.int64)
        if last - first > _LARGEST_TABLE or first == limits.min or last == limits.max:
            return np.empty(0, dtype=np.int64)
        table = np.zeros(last - first + 3, dtype=np.int64)
        table[self.strengths - first + 1] = np.arange(len(self.strengths), 0, -1)
        return table

    def classes_or_zero(self, strengths: NDArray[Any]) -> NDArray[np.int64]:
        """Convert strengths to class numbers, 1 for the strongest class.

        A strength that no class has becomes 0.
        """
        wanted = np.asarray(strengths, dtype=np.int64)
        if wanted.size >= _MANY and len(self._class_table):
            first, last = self.strengths[[0, -1]]
            places = wanted.clip(first - 1, last + 1) - (first - 1)
            found: NDArray[np.int64] = self._class_table[places]
            return found
        places = np.searchsorted(self.strengths, wanted).clip(max=len(self.strengths) - 1)
        return np.where(self.strengths[places] == wanted, len(self.strengths) - places, 0)

    def classes(self, strengths: NDArray[Any]) -> NDArray[np.int64]:
        """Convert strengths to class numbers. Class 1 is the strongest."""
        classes = self.classes_or_zero(strengths)
        if not classes.all():
            stray = np.asarray(strengths)[classes == 0].flat[0]
            raise EvaluatorError(f"strength {stray} is not that of any five-card hand")
        return classes

    def categories(self, strengths: NDArray[Any]) -> NDArray[np.intp]:
        """Convert strengths to category numbers. Category 0 is the weakest."""
        # numpy would compare unsigned with signed integers as floats, which tie above 2^53.
        wanted = np.asarray(strengths, dtype=np.int64)
        return np.searchsorted(self.category_bounds, wanted, side="right")
