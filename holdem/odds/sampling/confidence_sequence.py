"""Confidence sequences: anytime-valid intervals and tests for sampled means.

A confidence interval for a fixed number of deals covers the true mean in 95 of 100 runs. If it is
computed after every block, and the run stops once it happens to exclude a value, it does so far
less often. The intervals of a *confidence sequence* all cover the mean in 95 of 100 runs, however
many there are and whatever makes a run stop.

A gambler who believes that the mean of ``x`` in 0..1 is above ``m`` bets a fraction ``b`` of the
capital on each deal, which multiplies it by ``1 + b * (x - m)``. If the mean is ``m`` or less, the
capital is a supermartingale, and by Ville's inequality it ever reaches ``1 / risk`` with
probability `risk` at most. This involves no approximation, no minimum number of deals and no known
variance. The capital is divided evenly among the fixed fractions `BETS`, one of which is near the
optimum, the difference divided by its variance. As the fractions are fixed, only the tally
matters, not the order of the deals. (Ville: Étude critique de la notion de collectif, 1939;
Robbins: Statistical methods related to the law of the iterated logarithm, 1970; Waudby-Smith,
Ramdas: Estimating means of bounded random variables by betting, 2024.)
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from holdem.odds.result import Estimate
from holdem.odds.sampling.estimates import estimate_mean

#: The fractions that are bet, in steps of a factor of 1.41: the best one grows at 97 % of the
#: optimal rate. The smallest detects differences of 0.0001 of the pot.
BETS: NDArray[np.float64] = 2.0 ** (-np.arange(1, 29) / 2)

_RISK = 0.05
_HALVINGS = 50  # of the interval 0..1


def log_evidence(
    counts: NDArray[np.int64], values: NDArray[np.float64], least: float = 0.5
) -> float:
    """Compute the log of the evidence that a mean, estimated from counts, is above `least`.

    The evidence is the capital of the gambler in the module docstring.

    Args:
        counts: ``int64 (value,)``: how often each value was seen.
        values: ``float64 (value,)``, each in 0..1.
        least: 0..1.
    """
    gains = np.log1p(BETS[:, None] * (values - least)) @ counts.astype(np.float64)
    return float(np.logaddexp.reduce(gains)) - log(len(BETS))


def is_ahead(counts: NDArray[np.int64], lead: NDArray[np.float64], risk: float) -> bool:
    """Test whether the evidence shows that a quantity between -1 and 1 has a mean above 0.

    The result is wrongly True with probability `risk` at most, over all tests of a run.
    """
    return log_evidence(counts, (lead + 1) / 2) >= -log(risk)


def anytime_valid_mean(
    counts: NDArray[np.int64] | NDArray[np.float64], values: NDArray[np.float64]
) -> Estimate:
    """Estimate the mean of a quantity from 0 to 1, with an anytime-valid 95% confidence interval.

    Args:
        counts: ``(value,)``: how often each value was seen.
        values: ``float64 (value,)``, each in 0..1.
    """
    distinct, indices = np.unique(values, return_inverse=True)
    totals = np.bincount(indices, counts, len(distinct)).astype(np.int64)
    found = estimate_mean(totals, distinct)
    low = _lower_limit(totals, distinct, found.mean)
    high = 1 - _lower_limit(totals, 1 - distinct, 1 - found.mean)
    return found._replace(ci95=(min(low, found.mean), max(high, found.mean)))


def _lower_limit(counts: NDArray[np.int64], values: NDArray[np.float64], mean: float) -> float:
    """Find the lower limit of a mean's anytime-valid 95% confidence interval."""
    low, high = 0.0, mean
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if log_evidence(counts, values, middle) >= -log(_RISK / 2):  # falls as `middle` rises
            low = middle
        else:
            high = middle
    return low
