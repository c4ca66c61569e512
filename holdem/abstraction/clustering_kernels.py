"""The kernel that assigns histograms to their nearest centres."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.jit.decorators import kernel

_STEP = 4  # dimensions added at a time, which saves loads and stores of the products


@kernel
def assign_histograms(
    histograms: NDArray[np.uint16],
    weights: NDArray[np.int64],
    centres: NDArray[np.float32],
    labels: NDArray[np.uint16],
    sums: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> tuple[np.int64, float, int]:
    """Find the centre that is nearest to the cumulative sums of each histogram.

    Of centres at equal distances, the first is nearest. All operations are in a fixed order, so
    the labels are the same on every machine.

    Args:
        histograms: ``uint16 (hand, bin)``.
        weights: what each hand counts, ``int64 (hand,)``.
        centres: the centres transposed, ``float32 (bin, centre)``; the rows beyond the last
            multiple of 4 are 0.
        labels: the centre of each hand, ``uint16 (hand,)``, updated in place.
        sums: updated in place: the weighted sums of the cumulative sums of the hands of each
            centre, ``int64 (centre, bin)``.
        sizes: updated in place: the weights of the hands of each centre, ``int64 (centre,)``.

    Returns:
        The weight of the hands whose label has changed, and the largest squared distance of a hand
        from its centre with the row of the first such hand.
    """
    bins, count = histograms.shape[1], centres.shape[1]
    norms = np.zeros(count, dtype=np.float32)
    for dimension in range(centres.shape[0]):
        for centre in range(count):
            norms[centre] += centres[dimension, centre] * centres[dimension, centre]
    products = np.empty(count, dtype=np.float32)
    point = np.zeros(centres.shape[0], dtype=np.float32)
    moved, worst, worst_row = np.int64(0), -1.0, -1
    for row in range(len(histograms)):
        total = np.int64(0)
        for column in range(bins):
            total += np.int64(histograms[row, column])
            point[column] = np.float32(2 * total)
        products[:] = norms
        for start in range(0, centres.shape[0], _STEP):
            a, b, c, d = point[start], point[start + 1], point[start + 2], point[start + 3]
            for centre in range(count):
                products[centre] -= (
                    a * centres[start, centre]
                    + b * centres[start + 1, centre]
                    + (c * centres[start + 2, centre] + d * centres[start + 3, centre])
                )
        nearest, least = 0, products[0]
        for centre in range(1, count):
            if products[centre] < least:
                nearest, least = centre, products[centre]
        weight = weights[row]
        if nearest != labels[row]:
            moved += weight
            labels[row] = nearest
        sizes[nearest] += weight
        total, distance = np.int64(0), 0.0
        for column in range(bins):
            total += np.int64(histograms[row, column])
            sums[nearest, column] += weight * total
            difference = np.float64(total) - np.float64(centres[column, nearest])
            distance += difference * difference
        if distance > worst:
            worst, worst_row = distance, row
    return moved, worst, worst_row
