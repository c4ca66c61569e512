"""Clustering of histograms by the earth mover's distance.

In one dimension, the earth mover's distance of two histograms is the sum of the absolute
differences of their cumulative sums. Here, the differences are squared instead, so that the centre
of a cluster is the mean, and k-means can be used. The first centres are chosen by k-means++.
Lloyd's iterations follow, first on a sample and then on all hands. Sums are integers, and ties are
decided by a fixed rule, so the clusters do not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.dealing.seeds import fractions, stream
from holdem.errors import HoldemValueError
from holdem.jit.kernels import kernel
from holdem.jobs.run import End, Job, Task, progress_bar, run
from holdem.jobs.workers import Workers

#: The label of hands that are in no cluster.
NO_LABEL = 65535

#: The most clusters. The sample for the first centres has several hands for each cluster.
MOST_CLUSTERS = 1 << 14
_SAMPLE, _SEEDING_SAMPLE = 4 * MOST_CLUSTERS, 1 << 14  # hands
# The most rounds, and the share of the hands below which moves to another cluster end them.
_SAMPLE_ROUNDS, _SAMPLE_SETTLED = 50, 0.001
_ROUNDS, _SETTLED = 12, 0.005
_ROWS = 16  # boards in a task, some 20 to 50 ms
_SAMPLE_COLUMNS = 256  # the sample is laid out in rows, so that workers share it
_STEP = 4  # dimensions added at a time, which saves loads and stores of the products

#: Squared distances from the nearest centre, each with the point (the cumulative sums of a hand).
_Far: TypeAlias = list[tuple[float, NDArray[np.uint16]]]

#: The result of a task: the sum of the points and the weight of each cluster, the weight of the
#: hands that changed cluster, and the hand that is farthest from its centre, if any.
_Part: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64], int, _Far]


def cluster_histograms(
    histogram: NDArray[np.unsignedinteger],
    weights: NDArray[np.uint16],
    total: int,
    clusters: int,
    seed: int,
    workers: int,
    *,
    progress: bool = False,
) -> NDArray[np.uint16]:
    """Divide histograms into clusters by k-means; return each hand's cluster, ``(board, combo)``.

    Histograms, ``(board, combo, bin)``, are unsigned integers, scaled to the sum `total`.
    `weights`, ``(board, combo)``, are how often each hand counts; hands of weight 0 are left out
    and get `NO_LABEL`. There are at most `MOST_CLUSTERS` clusters, none of them empty. `seed` is
    that of the sample and of the first centres; the number of threads, `workers`, does not change
    the clusters.
    """
    random = stream(seed, "card abstraction").bit_generator
    assert isinstance(random, np.random.PCG64)
    ends = np.cumsum(weights, dtype=np.int32)
    count = min(_SAMPLE, int(np.count_nonzero(weights)))
    positions = (fractions(random, count) * ends[-1]).astype(np.int32)
    cells = np.searchsorted(ends, positions, side="right")
    del ends
    sample = histogram.reshape(-1, histogram.shape[2])[cells]
    seeding = sample[: max(_SEEDING_SAMPLE, 4 * clusters)]
    centres = _choose_centres(_add_up(seeding, total), fractions(random, clusters))
    padding = -count % _SAMPLE_COLUMNS
    ones = np.pad(np.ones(count, dtype=np.uint16), (0, padding)).reshape(-1, _SAMPLE_COLUMNS)
    sample = np.pad(sample, ((0, padding), (0, 0))).reshape(*ones.shape, -1)
    of_sample = _Rounds(sample, ones, total, centres)
    centres = of_sample.repeat(_SAMPLE_ROUNDS, _SAMPLE_SETTLED, workers, may_be_empty=True)
    rounds = _Rounds(histogram, weights, total, centres)
    with progress_bar(progress, "%", 100.0) as bar:
        rounds.repeat(_ROUNDS, _SETTLED, workers, bar)
    return rounds.labels


def _add_up(histograms: NDArray[np.unsignedinteger], total: int) -> NDArray[np.uint16]:
    """Compute cumulative sums of histograms ``(hand, bin)``, scaled so that the last is `total`."""
    points = np.cumsum(histograms, axis=1, dtype=np.uint16)
    if (points[:, -1] != total).any():
        points = (points.astype(np.uint32) * np.uint32(total) // points[:, -1:]).astype(np.uint16)
    return points


def _choose_centres(
    sample: NDArray[np.uint16], chances: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Choose the first centres, ``(centre, bin)``, by k-means++.

    `sample` has the cumulative sums of histograms, ``(hand, bin)``, and `chances` a random number
    from 0 to 1 for each centre.
    """
    points = sample.astype(np.int32)
    chosen: list[NDArray[np.int32]] = []
    distances = np.ones(len(points), dtype=np.int64)
    for chance in chances:
        ends = np.cumsum(distances)
        # All hands of the sample are centres already: the rest of the centres is empty at first.
        row = int(np.searchsorted(ends, chance * ends[-1], side="right")) if ends[-1] else 0
        chosen.append(points[row])
        found = np.square(points - points[row]).sum(axis=1)
        distances = found if len(chosen) == 1 else np.minimum(distances, found)
    return np.array(chosen, dtype=np.float64)


@kernel
def _assign_points(
    points: NDArray[np.uint16],
    weights: NDArray[np.int64],
    centres: NDArray[np.float32],
    labels: NDArray[np.uint16],
    sums: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> tuple[np.int64, float, int]:
    """Assign each point to the nearest centre, the first one of several at the same distance.

    Distances in float32 select a few centres that may be the nearest, and distances in float64
    decide between these. All operations are in a fixed order, so the labels are the same on every
    machine.

    - `points`: cumulative sums of the hands' histograms, ``(hand, bin)``
    - `weights`: of the hands, ``(hand,)``
    - `centres`: ``(bin, centre)``, padded with 0 to a multiple of 4 bins
    - `labels`: the index of each hand's centre, updated in place, ``(hand,)``
    - `sums`: points times weights are added to their centre's row, ``(centre, bin)``
    - `sizes`: weights are added to their centre's, ``(centre,)``

    Returned are the total weight of the hands whose label has changed; the largest squared distance
    of a hand from its centre; and the index of the first hand at this distance. The latter two are
    -1 if there are no hands.
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


class _Rounds(Job[_Part, None]):
    """Job that performs one of Lloyd's iterations over all hands each time that it is run."""

    unit = "boards"

    def __init__(
        self,
        histogram: NDArray[np.unsignedinteger],
        weights: NDArray[np.uint16],
        total: int,
        centres: NDArray[np.float64],
    ) -> None:
        self._histogram, self._weights, self._total = histogram, weights, total
        self._centres = centres
        self._all = int(weights.sum(dtype=np.int64))
        # The cluster of each hand, (board, combo); it stays so where the weight is 0.
        self.labels = np.full(weights.shape, NO_LABEL, dtype=np.uint16)

    def repeat(
        self,
        rounds: int,
        settled: float,
        workers: int,
        bar: Any = None,
        *,
        may_be_empty: bool = False,
    ) -> NDArray[np.float64]:
        """Repeat iterations until few hands change cluster, or `rounds` are done.

        After an iteration, the centre of an empty cluster becomes a hand that is far from all
        centres. If there are still empty clusters at the end, and `may_be_empty` is false, further
        iterations, not counted in `rounds`, fill them without moving the other centres.

        Hands are few if they have at most the share `settled` of the total weight. A progress bar
        is updated in percent. The centres, ``(cluster, bin)``, are returned.
        """
        done, is_over = 0, False
        while True:
            self._bar, self._share = bar, 100 / (rounds * len(self.labels))
            self._sums = np.zeros(self._centres.shape, dtype=np.int64)
            self._sizes = np.zeros(len(self._centres), dtype=np.int64)
            self._moved = 0
            self._far: _Far = []
            run(self, workers)
            done += 1
            is_empty = self._sizes == 0
            must_fill = bool(is_empty.any()) and not may_be_empty
            if must_fill and not self._far:
                raise HoldemValueError(
                    f"only {np.count_nonzero(~is_empty):,} hands have different histograms: use"
                    " fewer buckets or more bins"
                )
            is_over |= self._moved <= settled * self._all or done >= rounds
            if is_over and not must_fill:
                return self._centres
            if not is_over:
                means = self._sums / np.maximum(self._sizes, 1)[:, None]
                self._centres = np.where(is_empty[:, None], self._centres, means)
            self._far.sort(key=lambda far: -far[0])
            hands = {hand.tobytes(): hand for _, hand in self._far}.values()
            for cluster, hand in zip(np.flatnonzero(is_empty), hands, strict=False):
                self._centres[cluster] = hand

    def tasks(self) -> Iterator[Task[_Part]]:
        bins, count = self._centres.shape[1], len(self._centres)
        centres = np.zeros((-(-bins // 4) * 4, count), dtype=np.float32)
        centres[:bins] = self._centres.T
        for start in range(0, len(self.labels), _ROWS):
            rows = slice(start, min(start + _ROWS, len(self.labels)))
            yield Task(partial(self._assign, rows, centres), rows.stop - rows.start)

    def _assign(self, rows: slice, centres: NDArray[np.float32], _: Workers) -> _Part:
        counted = self._weights[rows] > 0
        points = _add_up(self._histogram[rows][counted], self._total)
        weights = self._weights[rows][counted].astype(np.int64)
        labels = self.labels[rows][counted]
        sums = np.zeros(self._centres.shape, dtype=np.int64)
        sizes = np.zeros(len(sums), dtype=np.int64)
        moved, worst, row = _assign_points(points, weights, centres, labels, sums, sizes)
        self.labels[rows][counted] = labels
        # A copy, since a row would keep all points of the task.
        far = [(worst, points[row].copy())] if worst > 0 else []
        return sums, sizes, int(moved), far

    def add(self, part: _Part) -> bool:
        """Add a task's result to the sums of the iteration; return False: all are needed."""
        sums, sizes, moved, far = part
        self._sums += sums
        self._sizes += sizes
        self._moved += moved
        self._far += far
        if self._bar is not None:
            self._bar.update(self._share * _ROWS)
        return False

    def answer(self, end: End) -> None:
        """Return None, because `repeat` reads the sums from the attributes."""
