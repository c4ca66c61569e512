"""Confidence sequences: the evidence, the anytime-valid test and the intervals."""

from itertools import product
from math import ceil, exp, log, sqrt

import numpy as np
import pytest

from holdem.odds.sampling.intervals import (
    BETS,
    anytime_valid_mean,
    estimate_difference,
    is_ahead,
    log_evidence,
)

SHARES = np.array([0.0, 1 / 3, 0.5, 1.0])


def test_evidence_is_what_the_gambler_holds():
    """It is the mean capital over the bets, each the product of its gains on the deals."""
    seen = [1.0, 0.5, 0.0, 1.0, 1 / 3]
    held = [np.prod([1 + bet * (x - 0.4) for x in seen]) for bet in BETS]
    counts = np.array([seen.count(value) for value in SHARES])
    assert exp(log_evidence(counts, SHARES, 0.4)) == pytest.approx(np.mean(held), rel=1e-12)


@pytest.mark.parametrize("chances", [(0.5, 0.0, 0.0, 0.5), (0.3, 0.3, 0.2, 0.2), (0.9, 0, 0, 0.1)])
def test_no_gain_is_expected(chances):
    """Its mean over all runs of six deals is 1 if the true mean is the one tested.

    With Ville's inequality that bounds how often a player is ever wrongly said to be ahead.
    """
    mean = float(np.dot(chances, SHARES))
    expected = 0.0
    for run in product(range(4), repeat=6):
        counts = np.bincount(run, minlength=4)
        expected += np.prod([chances[x] for x in run]) * exp(log_evidence(counts, SHARES, mean))
    assert expected == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize("tied", [0.0, 0.98])
def test_equal_contenders_are_rarely_ahead(tied):
    """Of fair runs, tested 50 times each, at most 5 % ever have a player ahead.

    400 runs of 10,000 deals: 3.5 standard errors of that measurement are 3.8 points.
    """
    rng = np.random.default_rng(5)
    runs, tests, lead = 400, 50, np.array([-1.0, 0.0, 1.0])
    ahead = plainly_ahead = 0
    for _ in range(runs):
        tallies = rng.multinomial(200, [(1 - tied) / 2, tied, (1 - tied) / 2], tests).cumsum(axis=0)
        steps, played = tallies[:, 2] - tallies[:, 0], tallies[:, [0, 2]].sum(axis=1)
        plainly_ahead += bool((np.abs(steps) > 1.96 * np.sqrt(played)).any())
        ahead += any(
            is_ahead(counts, lead, 0.025) or is_ahead(counts[::-1], lead, 0.025)
            for counts in tallies
        )
    assert ahead / runs <= 0.05 + 3.5 * sqrt(0.05 * 0.95 / runs)
    # The interval of a fixed number of deals, tested so often, is wrong far more often.
    assert plainly_ahead / runs > 0.2


@pytest.mark.parametrize("lead", [0.3, 0.03, 0.01])
def test_power(lead):
    """A lead is found after the number of deals that theory predicts, in each of 300 runs.

    The best bet is the lead over the variance, b = lead / 1. One of `BETS`, which are halved for
    a quantity in -1..1, is within a factor of 2^(1/4) of it. There the logarithm of the capital
    grows by at least 0.94 * b * lead / 2 a deal (0.9 without the third moment), with a standard
    deviation of at most 1.2 * b. It has to reach the logarithm of the number of bets over the
    risk, with a margin of five standard deviations (3e-7 a run).
    """
    goal = log(len(BETS) / 0.025)
    growth, noise = 0.9 * lead * lead / 2, 1.2 * lead
    # n * growth - 5 * sqrt(n) * noise = goal
    deals = ceil(((5 * noise + sqrt(25 * noise**2 + 4 * growth * goal)) / (2 * growth)) ** 2)
    rng = np.random.default_rng(6)
    wins = rng.binomial(deals, (1 + lead) / 2, size=300)
    for won in wins:
        assert is_ahead(np.array([deals - won, won]), np.array([-1.0, 1.0]), 0.025)


@pytest.mark.parametrize("mean", [0.5, 0.999])
def test_intervals_are_anytime_valid(mean):
    """Eight intervals of a run all cover the mean in 95 % of 150 runs, less 3.5 standard errors."""
    rng = np.random.default_rng(7)
    deals = np.array([50, 50, 100, 200, 400, 800, 1600, 3200])
    held = 0
    for _ in range(150):
        ones = rng.binomial(deals, mean).cumsum()
        counts = np.stack([deals.cumsum() - ones, ones], axis=1)
        intervals = [anytime_valid_mean(row, np.array([0.0, 1.0])).ci95 for row in counts]
        held += all(low <= mean <= high for low, high in intervals)
    assert held / 150 >= 0.95 - 3.5 * sqrt(0.05 * 0.95 / 150)


def test_interval_and_test_agree():
    """A player is ahead at 95 % exactly if the interval of the difference excludes zero."""
    lead = np.array([-1.0, 0.0, 1.0])
    said = []
    for won in range(450, 600):
        counts = np.array([1000 - won, 200, won])
        said.append(is_ahead(counts, lead, 0.025))
        assert said[-1] == (estimate_difference(counts, lead, anytime_valid_mean).ci95[0] > 0)
    assert not all(said)
    assert any(said)


def test_within_bounds():
    """If all deals were won, the interval ends at 1 and has a width."""
    low, high = anytime_valid_mean(np.array([0, 0, 0, 500]), SHARES).ci95
    assert high == 1
    assert 0.95 < low < 1
    low, high = estimate_difference(
        np.array([500, 0]), np.array([-1.0, 1.0]), anytime_valid_mean
    ).ci95
    assert low == -1
    assert -1 < high < -0.9
