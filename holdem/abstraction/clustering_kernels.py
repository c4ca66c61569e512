"""The kernel that assigns cumulative histograms to their nearest centres."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.jit.decorators import kernel

_STEP = 4  # dimensions added at a time, which saves loads and stores of the products


@kernel
def assign_points(
    points: NDArray[np.uint16],
    weights: NDArray[np.int64],
    centres: NDArray[np.float32],
    labels: NDArray[np.uint16],
    sums: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> tuple[np.int64, float, int]:
    """Find the centre that is nearest to each point, the cumulative sums of a histogram.

    Of centres at equal distances, the first is nearest. Products in float32 leave few centres to
    choose from, and those in float64 decide. All operations are in a fixed order, so the labels
    are the same on every machine.

    Args:
        points: ``uint16 (hand, bin)``.
        weights: what each hand counts, ``int64 (hand,)``.
        centres: the centres transposed, ``float32 (bin, centre)``; the rows beyond the last
            multiple of 4 are 0.
        labels: the centre of each hand, ``uint16 (hand,)``, updated in place.
        sums: updated in place: the weighted sums of the points of each centre, ``int64 (centre,
            bin)``.
        sizes: updated in place: the weights of the hands of each centre, ``int64 (centre,)``.

    Returns:
        The weight of the hands whose label has changed, and the largest squared distance of a hand
        from its centre with the row of the first such hand; -1 without hands.
    """
    bins, count = points.shape[1], centres.shape[1]
    norms, longest = np.zeros(count, dtype=np.float32), 0.0
    for centre in range(count):
        norm = 0.0
        for dimension in range(bins):
            norm += np.float64(centres[dimension, centre]) * np.float64(centres[dimension, centre])
        norms[centre] = norm
        longest = max(longest, norm)
    products = np.empty(count, dtype=np.float32)
    point = np.zeros(centres.shape[0], dtype=np.float32)
    moved, worst, worst_row = np.int64(0), -1.0, -1
    for row in range(len(points)):
        length = 0.0
        for column in range(bins):
            value = np.float64(points[row, column])
            point[column] = 2 * value
            length += value * value
        products[:] = norms
        for start in range(0, centres.shape[0], _STEP):
            a, b, c, d = point[start], point[start + 1], point[start + 2], point[start + 3]
            for centre in range(count):
                products[centre] -= (
                    a * centres[start, centre]
                    + b * centres[start + 1, centre]
                    + (c * centres[start + 2, centre] + d * centres[start + 3, centre])
                )
        least = products[0]
        for centre in range(1, count):
            least = min(least, products[centre])
        # Two products differ by at most this more than the exact ones: an addition for each four
        # bins and a few more, each to 2**-24 of a norm and twice an inner product.
        bound = np.float64(least) + (bins + 32) * 2.0**-25 * (2 * longest + length)
        nearest, distance = 0, np.inf
        for centre in range(count):
            if products[centre] <= bound:
                own = 0.0
                for column in range(bins):
                    difference = 0.5 * np.float64(point[column]) - np.float64(
                        centres[column, centre]
                    )
                    own += difference * difference
                if own < distance:
                    nearest, distance = centre, own
        weight = weights[row]
        if nearest != labels[row]:
            moved += weight
            labels[row] = nearest
        sizes[nearest] += weight
        for column in range(bins):
            sums[nearest, column] += weight * np.int64(points[row, column])
        if distance > worst:
            worst, worst_row = distance, row
    return moved, worst, worst_row
