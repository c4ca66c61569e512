"""The strengths that an evaluator assigns to the classes of its rule set."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import EvaluatorError


@attrs.frozen(eq=False)
class Scale:
    """A mapping from an evaluator's strengths to the classes and categories of its rule set."""

    strengths: NDArray[np.int64]
    """Strength of each class from the weakest to the strongest, ``int64 (class,)``."""

    category_bounds: NDArray[np.int64]
    """Lowest strength of each category but the weakest, ``int64 (category - 1,)``."""

    def classes_or_zero(self, strengths: NDArray[Any]) -> NDArray[np.int64]:
        """Convert strengths to class numbers (1 is the strongest), or 0 where no class matches."""
        wanted = np.asarray(strengths, dtype=np.int64)
        places = np.searchsorted(self.strengths, wanted).clip(max=len(self.strengths) - 1)
        return np.where(self.strengths[places] == wanted, len(self.strengths) - places, 0)

    def classes(self, strengths: NDArray[Any]) -> NDArray[np.int64]:
        """Convert strengths to class numbers (1 is the strongest), in an array of the same shape.

        Raises:
            EvaluatorError: a strength that no five-card hand has.
        """
        classes = self.classes_or_zero(strengths)
        if not classes.all():
            stray = np.asarray(strengths)[classes == 0].flat[0]
            raise EvaluatorError(f"strength {stray} is not that of any five-card hand")
        return classes

    def categories(self, strengths: NDArray[Any]) -> NDArray[np.intp]:
        """Convert strengths to numbers of hand categories (0 is the weakest), in an array of the
        same shape.
        """
        # numpy would compare unsigned with signed integers as floats, which tie above 2^53.
        wanted = np.asarray(strengths, dtype=np.int64)
        return np.searchsorted(self.category_bounds, wanted, side="right")
