"""Redrawing a sample's deals: sums over clusters, and the numbers of deals at which to look."""

import math

import numpy as np
import pytest

from holdem.odds.sampling.sample_results import _choose_points, _cluster_squares, ratio_errors
from holdem.odds.sampling.sampler import BLOCK


@pytest.mark.parametrize("size", [1, 4])
def test_squares_of_clusters(size):
    """For each group and cluster: n², n s and s², with n deals and the sum s of their shares."""
    rng = np.random.default_rng(7)
    group, share = rng.integers(0, 5, 120), rng.integers(0, 3, 120) / 2
    expected = np.zeros((3, 6))
    for first in range(0, 120, size):
        for own in range(6):
            held = group[first : first + size] == own
            n, s = held.sum(), share[first : first + size][held].sum()
            expected[:, own] += n * n, n * s, s * s
    assert np.allclose(_cluster_squares(group, share, size, 6), expected)


@pytest.mark.parametrize("size", [1, 4])
def test_errors_of_equal_outcomes(size):
    """A mean of 0 or 1 has the error of the center of the Agresti-Coull interval, by clusters."""
    deals, mean = np.array([40.0, 40.0]), np.array([0.0, 1.0])
    squares = size * deals * np.array([[1.0, 1.0], mean, mean])
    z, n = 1.959963984540054, 40 / size
    center = (z**2 / 2) / (n + z**2)
    expected = math.sqrt(center * (1 - center) / (n + z**2))
    assert ratio_errors(deals, mean, squares) == pytest.approx([expected, expected], rel=1e-12)


@pytest.mark.parametrize("deals", [1, 5, 90, 900, 5_000, BLOCK, 3 * BLOCK + 5, 10**7])
@pytest.mark.parametrize("cluster", [1, 16])
def test_points_of_convergence(deals, cluster):
    """Points ascend to all deals; the others are whole clusters or, above a block, whole blocks."""
    points = _choose_points(deals, cluster)
    assert points[-1] == deals
    assert (np.diff(points, prepend=0) > 0).all()
    for point in points[:-1].tolist():
        assert point % (BLOCK if point > BLOCK else cluster) == 0
    first = max(min(max(100, deals // 1000), deals // 10), 1)
    assert points[0] == min(max(first // cluster, 1) * cluster, deals)


def test_number_of_points_of_convergence():
    """There are sixty, or fewer where some would be the same cluster or block."""
    numbers = [len(_choose_points(deals, 1)) for deals in (1, 5, 5_000, BLOCK, 10**7)]
    assert numbers == [1, 5, 60, 60, 51]
