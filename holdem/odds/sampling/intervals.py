"""Standard errors, confidence intervals and confidence sequences of sampled means.

A player's share of the pot can be any fraction, not only 0 or 1, so its variance is estimated from
the shares themselves. Wins and ties are 0 or 1, and have the intervals of Agresti and Coull. For
shares, these intervals are generalised: two more deals won and two more lost are counted, and the
centre is shifted by the skewness. The intervals stay within 0..1, and have a width above 0 even if
all deals had the same outcome. (Agresti, Coull: Approximate is better than exact for interval
estimation of binomial proportions, 1998.)

Two corrections are needed because counts are integers. Each side of an interval is a quarter of a
deal wider, so that coverage is at least 94.2 % with any number of deals and any chance of a win,
also for rare wins or losses where nearly all deals are ties; without this, coverage was 82 % with
two deals. If the standard error of the interval is larger than that of the sample, it decides when
a run stops, so that a run does not stop because a rare outcome happened to be seen too seldom.
Without this, only 92.8 % of runs to a standard error of 0.00001 covered a probability of 0.00006.
``scripts/checks/rare_coverage.py`` computes coverage, and ``scripts/checks/check_intervals.py``
measures it.

A confidence interval for a fixed number of deals covers the true mean in 95 of 100 runs. If an
interval is computed after every block, and the run stops once an interval happens to exclude a
value, the last interval covers the mean far less often. In 95 of 100 runs, all intervals of a
*confidence sequence* cover the mean, however many intervals there are and whatever makes a run
stop.

A gambler who believes that the mean of ``x`` in 0..1 is above ``m`` bets a fraction ``b`` of the
capital on each deal. The deal multiplies the capital by ``1 + b * (x - m)``. If the mean is ``m``
or less, the capital is a supermartingale; by Ville's inequality, the probability that the capital
ever reaches ``1 / risk`` is at most `risk`. This involves no approximation, no minimum number of
deals and no known variance. The capital is divided evenly among the fixed fractions `BETS`. One of
them is near the optimum, which is the difference between mean and ``m`` divided by the variance. As
the fractions are fixed, only the tally matters, not the order of the deals. (Ville: Étude
critique de la notion de collectif, 1939; Robbins: Statistical methods related to the law of the
iterated logarithm, 1970; Waudby-Smith, Ramdas: Estimating means of bounded random variables by
betting, 2024.)
"""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.odds.result import Estimate
from holdem.odds.sampling.cluster_sampling import effective_fraction
from holdem.odds.tally import outcomes, players_of, shares, winners_in

_Counts: TypeAlias = NDArray[np.int64] | NDArray[np.float64]

#: The 97.5 % quantile of the normal distribution, as in ``statistics.NormalDist``.
Z95 = 1.9599639845400536
#: Pseudo-counts of wins, and of losses.
ADDED = Z95**2 / 2


def estimate_mean(counts: _Counts, values: NDArray[np.float64]) -> Estimate:
    """Estimate the mean of a quantity between 0 and 1 from a sample.

    `counts` are how often each value was seen, ``(value,)``; if deals share hole cards, multiplied
    by the result of `effective_fraction`. `values` are all possible ones, ``float64 (value,)``.
    """
    deals = float(counts.sum())
    mean = float(counts @ values) / deals
    variance = float(counts @ (values - mean) ** 2) / max(deals - 1, 1)
    weights = np.append(counts, [ADDED, ADDED])
    weight = deals + 2 * ADDED
    middle = (mean * deals + ADDED) / weight
    deviations = np.append(values, [0.0, 1.0]) - middle
    squares = float(weights @ deviations**2) / weight
    error = (squares / weight) ** 0.5
    centre = mean + ADDED * float(weights @ deviations**3) / weight / squares / deals
    # A quarter of a deal, scaled down if shares vary less than wins and losses.
    half = Z95 * error + 0.25 * squares / (middle * (1 - middle)) / deals
    low, high = max(centre - half, 0.0), min(centre + half, 1.0)
    # If all deals had the same outcome, the sample variance is uninformative.
    stderr = (variance / deals) ** 0.5 if variance > 0 else error
    return Estimate(mean, stderr, (min(low, mean), max(high, mean)))


def estimate_difference(
    counts: _Counts,
    values: NDArray[np.float64],
    mean: Callable[[_Counts, NDArray[np.float64]], Estimate] = estimate_mean,
) -> Estimate:
    """Estimate the mean of a quantity from -1 to 1, such as the difference between two pot shares.

    The arguments are those of `estimate_mean`, with values in -1..1; `mean` is a function like it.
    """
    halved = mean(counts, (values + 1) / 2)
    low, high = halved.ci95
    return Estimate(2 * halved.mean - 1, 2 * halved.stderr, (2 * low - 1, 2 * high - 1))


def standard_errors(
    counts: NDArray[np.int64],
    values: NDArray[np.float64],
    fraction: NDArray[np.float64] | float = 1.0,
) -> NDArray[np.float64]:
    """Compute the standard errors that decide when a run stops, ``float64 (…, tally, mean)``.

    Each is the larger of two: that of the sample mean, and that from which `estimate_mean` computes
    the interval. `counts` are how often each value was seen in each of several samples, ``int64 (…,
    tally, value)``, and `values` the possible ones of each quantity whose mean is estimated,
    ``float64 (mean, value)``. `fraction` is the result of `effective_fraction`, ``float64 (…,
    tally, mean)``; 1 if deals are independent.
    """
    counted = counts.astype(np.float64)[..., None, :]
    deals = counted.sum(axis=-1)
    # Not as matrix products, whose last bits may depend on the number of tallies: results must not
    # depend on how blocks were batched.
    means, squares = ((counted * each).sum(axis=-1) / deals for each in (values, values * values))
    deals = deals * fraction
    variances = np.maximum(squares - means * means, 0.0)
    weight = deals + 2 * ADDED
    middles = (means * deals + ADDED) / weight
    of_interval = np.maximum((squares * deals + ADDED) / weight - middles * middles, 0.0)
    errors: NDArray[np.float64] = np.sqrt(
        np.maximum(variances / np.maximum(deals - 1, 1), of_interval / weight)
    )
    return errors


def estimate_players(counts: NDArray[np.int64]) -> list[tuple[Estimate, Estimate, Estimate]]:
    """Estimate each player's equity, chance to win alone and chance to tie from a tally.

    The tally, ``int64 (size,)``, has at least one deal.
    """
    players, winners = players_of(counts), winners_in(counts)
    wins, ties, _ = outcomes(players).astype(np.float64)
    quantities = zip((shares(players), wins, ties), effective_fraction(counts), strict=True)
    equity, win, tie = (
        [estimate_mean(winners * part, own) for own, part in zip(values, fraction, strict=True)]
        for values, fraction in quantities
    )
    return list(zip(equity, win, tie, strict=True))


# --- confidence sequences -----------------------------------------------------------------

#: The fractions that are bet, in steps of a factor of 1.41: the best one grows at 97 % of the
#: optimal rate. The smallest detects differences of 0.0001 of the pot.
BETS: NDArray[np.float64] = 2.0 ** (-np.arange(1, 29) / 2)

_RISK = 0.05
_HALVINGS = 50  # of the interval 0..1


def log_evidence(
    counts: NDArray[np.int64], values: NDArray[np.float64], least: float = 0.5
) -> float:
    """Compute the natural logarithm of the evidence that a mean is above `least`, 0..1.

    The evidence is the capital of the gambler in the module docstring, who begins with 1. The
    arguments are those of `estimate_mean`, with whole counts.
    """
    return evidence_of(log_gains(counts.astype(np.float64), values, least))


def log_gains(
    counts: NDArray[np.float64], values: NDArray[np.float64], least: float = 0.5
) -> NDArray[np.float64]:
    """Compute the logarithm of what each of `BETS` gains, ``float64 (bet,)``.

    Those of further deals are added.
    """
    gains: NDArray[np.float64] = np.log1p(BETS[:, None] * (values - least)) @ counts
    return gains


def evidence_of(gains: NDArray[np.float64]) -> float:
    """Compute `log_evidence` from the sum of `log_gains`."""
    return float(np.logaddexp.reduce(gains)) - log(len(BETS))


def is_ahead(counts: NDArray[np.int64], lead: NDArray[np.float64], risk: float) -> bool:
    """Test whether the evidence shows that a quantity between -1 and 1 has a mean above 0.

    `lead` has its possible values, ``float64 (value,)``, and `counts` how often each was seen.
    `risk` is the largest allowed probability that one or more of the tests in a run are wrongly
    True, above 0 and below 1.
    """
    return log_evidence(counts, (lead + 1) / 2) >= -log(risk)


def anytime_valid_mean(
    counts: NDArray[np.int64] | NDArray[np.float64], values: NDArray[np.float64]
) -> Estimate:
    """Estimate the mean of a quantity from 0 to 1, with an interval of a confidence sequence.

    The 95 % interval remains valid if the run stops because of it (see the module docstring). The
    arguments are those of `estimate_mean`.
    """
    distinct, indices = np.unique(values, return_inverse=True)
    totals = np.bincount(indices, counts, len(distinct)).astype(np.int64)
    found = estimate_mean(totals, distinct)
    low = _lower_limit(totals, distinct, found.mean)
    high = 1 - _lower_limit(totals, 1 - distinct, 1 - found.mean)
    return found._replace(ci95=(min(low, found.mean), max(high, found.mean)))


def _lower_limit(counts: NDArray[np.int64], values: NDArray[np.float64], mean: float) -> float:
    """Find the lower limit of `anytime_valid_mean`; `mean` is that of the sample."""
    low, high = 0.0, mean
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if log_evidence(counts, values, middle) >= -log(_RISK / 2):  # falls as `middle` rises
            low = middle
        else:
            high = middle
    return low
