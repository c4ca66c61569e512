"""What a sampled mean is worth: standard errors and intervals from a tally.

A player's share of the pot is a number in 0..1, seldom only 0 or 1, so its variance is taken
from the shares themselves. Intervals are those of Agresti and Coull with the number of deals
scaled by how much smaller the variance is than that of a 0-or-1 quantity of the same mean; for
wins and ties, which are 0 or 1, that is their interval itself. They stay within 0..1, keep
their width where nothing, or everything, was won, and hold the true value in at least 94.3 % of
cases however rare the rarer outcome is, where Wilson's falls to 84 % (few expected deals; the
limit of rare outcomes, computed). (Agresti, Coull: Approximate is better than exact for interval
estimation of binomial proportions, 1998.) ``scripts/check_intervals.py`` measures it.
"""

from __future__ import annotations

import attrs
import numpy as np
from numpy.typing import NDArray

# The 97.5 % point of the normal distribution, as of ``statistics.NormalDist``.
_Z95 = 1.9599639845400536


@attrs.frozen
class Estimate:
    """A mean with its error."""

    mean: float
    stderr: float
    """One standard error; 0.0 where the mean is exact."""
    ci95: tuple[float, float]
    """The interval that holds the true mean in 95 of 100 repetitions."""


def exactly(mean: float) -> Estimate:
    """Return a mean that has no error."""
    return Estimate(mean, 0.0, (mean, mean))


def mean_in_unit_interval(counts: NDArray[np.int64], values: NDArray[np.float64]) -> Estimate:
    """Estimate the mean of a quantity in 0..1 from how often each value was seen.

    Args:
        counts: ``int64 (value,)``, how often.
        values: ``float64 (value,)``, each in 0..1.
    """
    deals = int(counts.sum())
    mean = float(counts @ values) / deals
    variance = float(counts @ (values - mean) ** 2) / max(deals - 1, 1)
    spread = mean * (1 - mean)
    effective = deals * max(spread / variance, 1.0) if variance > 0 else float(deals)
    # As if two wins and two losses more had been seen: no mean is taken for quite 0 or 1.
    weight = effective + _Z95**2
    centre = (mean * effective + _Z95**2 / 2) / weight
    error = (centre * (1 - centre) / weight) ** 0.5
    low, high = max(centre - _Z95 * error, 0.0), min(centre + _Z95 * error, 1.0)
    # Where every deal came out alike the sample variance says nothing.
    stderr = (variance / deals) ** 0.5 if variance > 0 else error
    return Estimate(mean, stderr, (min(low, mean), max(high, mean)))


def difference(counts: NDArray[np.int64], values: NDArray[np.float64]) -> Estimate:
    """Estimate the mean of a quantity in -1..1, such as one share less another."""
    halved = mean_in_unit_interval(counts, (values + 1) / 2)
    low, high = halved.ci95
    return Estimate(2 * halved.mean - 1, 2 * halved.stderr, (2 * low - 1, 2 * high - 1))


def standard_errors(counts: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the standard error of each mean after each of a row of tallies.

    Args:
        counts: ``int64 (tally, value)``.
        values: ``float64 (mean, value)``.

    Returns:
        ``float64 (tally, mean)``; where no variance was seen, that of the interval.
    """
    deals = counts.sum(axis=1, dtype=np.float64)[:, None]
    means = counts @ values.T / deals
    squares = counts @ (values * values).T / deals
    variances = np.maximum(squares - means * means, 0.0)
    weight = deals + _Z95**2
    centres = (means * deals + _Z95**2 / 2) / weight
    unseen = np.sqrt(centres * (1 - centres) / weight)
    errors: NDArray[np.float64] = np.where(
        variances > 1e-15, np.sqrt(variances / np.maximum(deals - 1, 1)), unseen
    )
    return errors
