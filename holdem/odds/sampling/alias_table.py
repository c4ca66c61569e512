"""Walker's alias method: weighted draws in constant time.

(Walker: An efficient method for generating discrete random variables with general
distributions, 1977; tables built as in Vose: A linear algorithm for generating random numbers
with a given distribution, 1991.)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def alias_table(weights: NDArray[np.float64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the alias table for drawing row indices at random with given weights.

    Args:
        weights: ``float64 (row,)``, all above zero.

    Returns:
        ``keep`` and ``alias``, ``uint64 (row,)``: draw a row uniformly, and a random word; keep
        the row if the word is at most its ``keep``, else take its ``alias``.
    """
    size = len(weights)
    scaled = (weights * (size / weights.sum())).tolist()
    keep, alias = [1.0] * size, list(range(size))
    small = [row for row in range(size) if scaled[row] < 1.0]
    large = [row for row in range(size) if scaled[row] >= 1.0]
    while small and large:
        low, high = small.pop(), large[-1]
        keep[low], alias[low] = scaled[low], high
        scaled[high] -= 1.0 - scaled[low]
        if scaled[high] < 1.0:
            small.append(large.pop())
    words = [min(int(share * 2.0**64), 2**64 - 1) for share in keep]
    return np.array(words, dtype=np.uint64), np.array(alias, dtype=np.uint64)
