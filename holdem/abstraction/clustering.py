"""Clustering of histograms by the earth mover's distance.

In one dimension the earth mover's distance of two histograms is the sum of the absolute
differences of their cumulative sums. With squares in place of absolute values, the centre of a
cluster is the mean, and k-means applies: Lloyd's iterations, first on a sample from centres chosen
by k-means++, then on all hands. Sums are integers and ties are decided by rule, so the clusters
depend on the seed only, and not on the workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.dealing.seeds import fractions, stream
from holdem.errors import HoldemValueError
from holdem.jobs.run import End, Job, ProgressBar, Task, run
from holdem.jobs.workers import Workers

#: The label of hands that have none.
NO_LABEL = 65535

_SAMPLE, _SEEDING_SAMPLE = 1 << 16, 1 << 14  # hands
# The most rounds, and the share of the hands below which moves to another cluster end them.
_SAMPLE_ROUNDS, _SAMPLE_SETTLED = 50, 0.001
_ROUNDS, _SETTLED = 12, 0.005
_ROWS = 16  # boards in a task, some 20 to 50 ms


class _Part(NamedTuple):
    """A task's result: sums and sizes of clusters, moved weight, and the worst-fitting hand."""

    sums: NDArray[np.int64]
    sizes: NDArray[np.int64]
    moved: int
    worst: float
    worst_hand: NDArray[np.int64]


def cluster_histograms(
    histogram: NDArray[np.unsignedinteger],
    weights: NDArray[np.uint16],
    clusters: int,
    seed: int,
    workers: int,
    *,
    progress: bool = False,
) -> NDArray[np.uint16]:
    """Divide histograms into clusters by k-means.

    Args:
        histogram: unsigned integers, ``(board, combo, bin)``.
        weights: what each hand counts, ``uint16 (board, combo)``; hands with 0 are left out.
        clusters: the number of clusters, none of which is empty.
        seed: the seed of the sample and of the first centres.
        workers: the number of threads, on which the clusters do not depend.
        progress: show a progress bar on standard error.

    Returns:
        The cluster of each hand, ``uint16 (board, combo)``, `NO_LABEL` where the weight is 0.

    Raises:
        HoldemValueError: fewer histograms than clusters are different.
    """
    random = stream(seed, "card abstraction").bit_generator
    assert isinstance(random, np.random.PCG64)
    ends = np.cumsum(weights, dtype=np.int64)
    count = min(_SAMPLE, int(np.count_nonzero(weights)))
    positions = (fractions(random, count) * ends[-1]).astype(np.int64)
    cells = np.searchsorted(ends, positions, side="right")
    sample = histogram.reshape(-1, histogram.shape[2])[cells].astype(np.uint16)
    centres = _choose_centres(sample[:_SEEDING_SAMPLE], fractions(random, clusters))
    ones = np.ones(len(sample), dtype=np.int64)
    of_sample = _Rounds(sample[None], ones[None].astype(np.uint16), centres)
    centres = of_sample.repeat(_SAMPLE_ROUNDS, _SAMPLE_SETTLED, workers)
    rounds = _Rounds(histogram, weights, centres)
    with ProgressBar(progress, "%", 100.0) as bar:
        rounds.repeat(_ROUNDS, _SETTLED, workers, bar)
    return rounds.labels


def _choose_centres(
    sample: NDArray[np.uint16], chances: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Choose the first centres by k-means++, with chances proportional to squared distances."""
    points = np.cumsum(sample, axis=1, dtype=np.int64)
    chosen: list[NDArray[np.int64]] = []
    distances = np.ones(len(points), dtype=np.int64)
    for chance in chances:
        ends = np.cumsum(distances)
        # All hands of the sample are centres already: the rest of the centres is empty at first.
        row = int(np.searchsorted(ends, chance * ends[-1], side="right")) if ends[-1] else 0
        chosen.append(points[row])
        found = np.square(points - points[row]).sum(axis=1)
        distances = found if len(chosen) == 1 else np.minimum(distances, found)
    return np.array(chosen, dtype=np.float64)


class _Rounds(Job[_Part, None]):
    """Job for Lloyd's iterations over hands. Each run of the job is one iteration.

    Attributes:
        labels: the cluster of each hand, ``uint16 (board, combo)``.
    """

    unit = "boards"

    def __init__(
        self,
        histogram: NDArray[np.unsignedinteger],
        weights: NDArray[np.uint16],
        centres: NDArray[np.float64],
    ) -> None:
        self._histogram, self._weights, self._centres = histogram, weights, centres
        self._all = int(weights.sum(dtype=np.int64))
        self.labels = np.full(weights.shape, NO_LABEL, dtype=np.uint16)

    def repeat(
        self, rounds: int, settled: float, workers: int, bar: ProgressBar | None = None
    ) -> NDArray[np.float64]:
        """Repeat iterations until few hands move or `rounds` are done; return the last centres.

        Few hands are a share of at most `settled`. Rounds beyond `rounds` follow while a cluster is
        empty, but not on the sample.

        Raises:
            HoldemValueError: a cluster is empty though no hand is away from its centre.
        """
        done = 0
        while True:
            self._bar, self._share = bar, 100 / (rounds * len(self.labels))
            sizes = np.zeros(len(self._centres), dtype=np.int64)
            self._total = _Part(
                np.zeros(self._centres.shape, dtype=np.int64), sizes, 0, -1.0, sizes
            )
            run(self, workers)
            done += 1
            sums, sizes, moved, worst, worst_hand = self._total
            is_empty = sizes == 0
            if bar is not None and is_empty.any() and worst == 0:
                raise HoldemValueError(
                    f"only {np.count_nonzero(~is_empty):,} hands have different histograms: use"
                    " fewer buckets or more bins"
                )
            is_over = moved <= settled * self._all or done >= rounds
            if is_over and (bar is None or not is_empty.any()):
                return self._centres
            self._centres = np.where(
                is_empty[:, None], self._centres, sums / np.maximum(sizes, 1)[:, None]
            )
            if is_empty.any():
                self._centres[np.argmax(is_empty)] = worst_hand

    def tasks(self) -> Iterator[Task[_Part]]:
        """Yield tasks, each of which assigns the hands on a batch of boards to clusters."""
        bins, count = self._centres.shape[1], len(self._centres)
        centres = np.zeros((-(-bins // 4) * 4, count), dtype=np.float32)
        centres[:bins] = self._centres.T
        for start in range(0, len(self.labels), _ROWS):
            rows = slice(start, min(start + _ROWS, len(self.labels)))
            yield Task(partial(self._assign, rows, centres), rows.stop - rows.start)

    def _assign(self, rows: slice, centres: NDArray[np.float32], _: Workers) -> _Part:
        from holdem.abstraction.clustering_kernels import assign_histograms

        counted = self._weights[rows] > 0
        histograms = self._histogram[rows][counted].astype(np.uint16)
        weights = self._weights[rows][counted].astype(np.int64)
        labels = self.labels[rows][counted]
        sums = np.zeros(self._centres.shape, dtype=np.int64)
        sizes = np.zeros(len(sums), dtype=np.int64)
        moved, worst, row = assign_histograms(histograms, weights, centres, labels, sums, sizes)
        self.labels[rows][counted] = labels
        hand = np.cumsum(histograms[row], dtype=np.int64)
        return _Part(sums, sizes, int(moved), worst, hand)

    def add(self, part: _Part) -> bool:
        """Add a task's result to the totals; return False, since the job never ends early."""
        total = self._total
        farthest = part if part.worst > total.worst else total
        self._total = _Part(
            total.sums + part.sums,
            total.sizes + part.sizes,
            total.moved + part.moved,
            farthest.worst,
            farthest.worst_hand,
        )
        if self._bar is not None:
            self._bar.advance(self._share * _ROWS)
        return False

    def answer(self, end: End) -> None:
        """Return None: `repeat` reads the totals."""
