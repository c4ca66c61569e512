"""What a sampled mean is worth: standard errors and intervals from a tally.

A player's share of the pot is a number in 0..1, seldom only 0 or 1, so its variance is taken
from the shares themselves. Intervals are those of Agresti and Coull for wins and ties, which are
0 or 1, and for shares what they are when one says: two deals more were won and two were lost, and
the middle is moved by how lopsided the shares are. They stay within 0..1 and keep their width
where all deals came out alike. (Agresti, Coull: Approximate is better than exact for interval
estimation of binomial proportions, 1998.)

Two things are added, for counts come in whole deals. Either side is a quarter of a deal wider,
so that they hold the true value in at least 94.2 % of cases with any number of deals and any
chance of a win, and with any rare outcome beside ties; it was 82 % with two deals. And a run
stops by the error of the interval where it is the larger one, so that it does not end because few
of the rarer outcome happened to be seen: of runs to a standard error of 0.00001 at a chance of
0.00006 only 92.8 % held it. ``scripts/rare_coverage.py`` computes this, and
``scripts/check_intervals.py`` measures.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.odds.result import Estimate

# The 97.5 % point of the normal distribution, as of ``statistics.NormalDist``.
_Z95 = 1.9599639845400536
_MORE = _Z95**2 / 2  # wins, and losses, that an interval counts beside those seen


def mean_in_unit_interval(
    counts: NDArray[np.int64] | NDArray[np.float64], values: NDArray[np.float64]
) -> Estimate:
    """Estimate the mean of a quantity in 0..1 from how often each value was seen.

    Args:
        counts: ``(value,)``, how often; no integers where a deal is worth less than one that
            is independent of all others.
        values: ``float64 (value,)``, each in 0..1.
    """
    deals = float(counts.sum())
    mean = float(counts @ values) / deals
    variance = float(counts @ (values - mean) ** 2) / max(deals - 1, 1)
    # As if two wins and two losses more had been seen: no mean is taken for quite 0 or 1.
    weights = np.append(counts, [_MORE, _MORE])
    weight = deals + 2 * _MORE
    middle = (mean * deals + _MORE) / weight
    apart = np.append(values, [0.0, 1.0]) - middle
    squares = float(weights @ apart**2) / weight
    error = (squares / weight) ** 0.5
    centre = mean + _MORE * float(weights @ apart**3) / weight / squares / deals
    # A quarter of a deal, or as much less as shares vary less than wins and losses.
    half = _Z95 * error + 0.25 * squares / (middle * (1 - middle)) / deals
    low, high = max(centre - half, 0.0), min(centre + half, 1.0)
    # Where every deal came out alike the sample variance says nothing.
    stderr = (variance / deals) ** 0.5 if variance > 0 else error
    return Estimate(mean, stderr, (min(low, mean), max(high, mean)))


def difference(counts: NDArray[np.int64], values: NDArray[np.float64]) -> Estimate:
    """Estimate the mean of a quantity in -1..1, such as one share less another."""
    halved = mean_in_unit_interval(counts, (values + 1) / 2)
    low, high = halved.ci95
    return Estimate(2 * halved.mean - 1, 2 * halved.stderr, (2 * low - 1, 2 * high - 1))


def standard_errors(
    counts: NDArray[np.int64],
    values: NDArray[np.float64],
    worth: NDArray[np.float64] | float = 1.0,
) -> NDArray[np.float64]:
    """Return the error of each mean that a run stops by, after each of a row of tallies.

    Args:
        counts: ``int64 (tally, value)``.
        values: ``float64 (mean, value)``.
        worth: ``float64 (tally, mean)``: how many independent deals one is worth.

    Returns:
        ``float64 (tally, mean)``: the standard error, or that of the interval if it is larger.
    """
    deals = counts.sum(axis=1, dtype=np.float64)[:, None]
    means = counts @ values.T / deals
    squares = counts @ (values * values).T / deals
    deals = deals * worth
    variances = np.maximum(squares - means * means, 0.0)
    weight = deals + 2 * _MORE
    middles = (means * deals + _MORE) / weight
    around = np.maximum((squares * deals + _MORE) / weight - middles * middles, 0.0)
    errors: NDArray[np.float64] = np.sqrt(
        np.maximum(variances / np.maximum(deals - 1, 1), around / weight)
    )
    return errors
