"""A mean looked at again and again: intervals, and a test, that hold at every look.

The interval of a fixed number of deals holds the true mean in 95 of 100 runs. Looked at after
every block, and stopped when it happens to leave something out, it does so far more seldom. These
hold at all looks together, however many there are and whatever makes a run stop.

A gambler who believes that the mean of ``x`` in 0..1 is above ``m`` bets a fraction ``b`` of what
he has on each deal and holds ``prod(1 + b * (x - m))`` times it afterwards. If the mean is ``m`` or
less that cannot be expected to grow, so by Ville's inequality it ever reaches ``1 / risk`` with
probability ``risk`` at most: no approximation, no least number of deals, no variance to be known.
`BETS` divides the money evenly among many fractions, so that one of them is near the best,
which is the difference over its variance. With fractions fixed beforehand only the tally
matters, not the order of the deals. (Ville 1939; Robbins, Statistical methods related to the
law of the iterated logarithm, 1970; Waudby-Smith, Ramdas: Estimating means of bounded random
variables by betting, 2024.)
"""

from __future__ import annotations

from math import log

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.odds.result import Estimate
from holdem.odds.sampling.estimates import mean_in_unit_interval

#: The fractions that are bet. With steps of a factor of 1.41 the best one grows at 97 % of the
#: best rate; the smallest finds differences of 0.0001 of the pot.
BETS: NDArray[np.float64] = 2.0 ** (-np.arange(1, 29) / 2)

_RISK = 0.05
_HALVINGS = 50  # of 0..1


def log_evidence(
    counts: NDArray[np.int64], values: NDArray[np.float64], least: float = 0.5
) -> float:
    """Return the log of the evidence that a mean is above `least`: of what the gambler holds.

    Args:
        counts: ``int64 (value,)``, how often each value was seen.
        values: ``float64 (value,)``, each in 0..1.
        least: 0..1.
    """
    gains = np.log1p(BETS[:, None] * (values - least)) @ counts.astype(np.float64)
    return float(np.logaddexp.reduce(gains)) - log(len(BETS))


def is_ahead(counts: NDArray[np.int64], lead: NDArray[np.float64], risk: float) -> bool:
    """Whether the mean of a quantity in -1..1 is above 0.

    Says so wrongly with probability `risk` at most, over all looks of a run.
    """
    return log_evidence(counts, (lead + 1) / 2) >= -log(risk)


def mean_at_any_look(counts: NDArray[np.int64], values: NDArray[np.float64]) -> Estimate:
    """Estimate the mean of a quantity in 0..1, with an interval that holds at every look.

    Arguments as of `holdem.odds.sampling.estimates.mean_in_unit_interval`.
    """
    distinct, places = np.unique(values, return_inverse=True)
    times = np.bincount(places, counts, len(distinct)).astype(np.int64)
    found = mean_in_unit_interval(times, distinct)
    low = _limit(times, distinct, found.mean)
    high = 1 - _limit(times, 1 - distinct, 1 - found.mean)
    return attrs.evolve(found, ci95=(min(low, found.mean), max(high, found.mean)))


def difference_at_any_look(counts: NDArray[np.int64], values: NDArray[np.float64]) -> Estimate:
    """Estimate the mean of a quantity in -1..1 likewise."""
    halved = mean_at_any_look(counts, (values + 1) / 2)
    low, high = halved.ci95
    return Estimate(2 * halved.mean - 1, 2 * halved.stderr, (2 * low - 1, 2 * high - 1))


def _limit(counts: NDArray[np.int64], values: NDArray[np.float64], mean: float) -> float:
    """Return the least mean without evidence to be above it; half the risk is for each side."""
    low, high = 0.0, mean
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        # The evidence falls as what is to be passed rises.
        if log_evidence(counts, values, middle) >= -log(_RISK / 2):
            low = middle
        else:
            high = middle
    return low
