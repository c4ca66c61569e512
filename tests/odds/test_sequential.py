"""Means looked at again and again: the evidence, the test and the intervals."""

from itertools import product
from math import ceil, exp, log, sqrt

import numpy as np
import pytest

from holdem.odds.sampling.confidence_sequence import (
    BETS,
    difference_at_any_look,
    is_ahead,
    log_evidence,
    mean_at_any_look,
)

SHARES = np.array([0.0, 1 / 3, 0.5, 1.0])


def test_evidence_is_what_the_gambler_holds():
    """It is the mean over the bets of the product of what each deal made of them."""
    seen = [1.0, 0.5, 0.0, 1.0, 1 / 3]
    held = [np.prod([1 + bet * (x - 0.4) for x in seen]) for bet in BETS]
    counts = np.array([seen.count(value) for value in SHARES])
    assert exp(log_evidence(counts, SHARES, 0.4)) == pytest.approx(np.mean(held), rel=1e-12)


@pytest.mark.parametrize("chances", [(0.5, 0.0, 0.0, 0.5), (0.3, 0.3, 0.2, 0.2), (0.9, 0, 0, 0.1)])
def test_no_gain_is_expected(chances):
    """Over all runs of six deals it is 1 on average where the mean is what it is held against.

    With Ville's inequality that bounds how often a run is ever taken for ahead.
    """
    mean = float(np.dot(chances, SHARES))
    expected = 0.0
    for run in product(range(4), repeat=6):
        counts = np.bincount(run, minlength=4)
        expected += np.prod([chances[x] for x in run]) * exp(log_evidence(counts, SHARES, mean))
    assert expected == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize("tied", [0.0, 0.98])
def test_equal_contenders_are_seldom_told_apart(tied):
    """Looked at 50 times, at most 5 % of fair runs are ever said to have somebody ahead.

    1,000 runs of 10,000 deals: 3.5 standard errors of that measurement are 2.4 points.
    """
    rng = np.random.default_rng(5)
    runs, looks, lead = 1000, 50, np.array([-1.0, 0.0, 1.0])
    ahead = plainly_ahead = 0
    for _ in range(runs):
        tallies = rng.multinomial(200, [(1 - tied) / 2, tied, (1 - tied) / 2], looks).cumsum(axis=0)
        steps, played = tallies[:, 2] - tallies[:, 0], tallies[:, [0, 2]].sum(axis=1)
        plainly_ahead += bool((np.abs(steps) > 1.96 * np.sqrt(played)).any())
        ahead += any(
            is_ahead(counts, lead, 0.025) or is_ahead(counts[::-1], lead, 0.025)
            for counts in tallies
        )
    assert ahead / runs <= 0.05 + 3.5 * sqrt(0.05 * 0.95 / runs)
    # The interval of a fixed number of deals, looked at so often, is wrong far more often.
    assert plainly_ahead / runs > 0.2


@pytest.mark.parametrize("lead", [0.3, 0.03, 0.01])
def test_power(lead):
    """A lead is found after the deals that theory asks for, in each of 300 runs.

    The best bet is the lead over the variance, b = lead / 1; one of `BETS`, which are halved
    for a quantity in -1..1, is within a factor of 2^(1/4) of it, where the logarithm of what is
    held grows by at least 0.94 * b * lead / 2 a deal (with the third moment left out, 0.9), with a
    standard deviation of at most 1.2 * b. It has to reach the logarithm of the number of bets
    over the risk; five standard deviations are spare (3e-7 a run).
    """
    goal = log(len(BETS) / 0.025)
    growth, noise = 0.9 * lead * lead / 2, 1.2 * lead
    # n * growth - 5 * sqrt(n) * noise = goal
    deals = ceil(((5 * noise + sqrt(25 * noise**2 + 4 * growth * goal)) / (2 * growth)) ** 2)
    rng = np.random.default_rng(6)
    wins = rng.binomial(deals, (1 + lead) / 2, size=300)
    for won in wins:
        assert is_ahead(np.array([deals - won, won]), np.array([-1.0, 1.0]), 0.025)


@pytest.mark.parametrize("mean", [0.5, 0.02, 0.999])
def test_intervals_hold_at_every_look(mean):
    """Eight looks all hold the mean in at least 95 % of 150 runs, less 3.5 standard errors."""
    rng = np.random.default_rng(7)
    deals = np.array([50, 50, 100, 200, 400, 800, 1600, 3200])
    held = 0
    for _ in range(150):
        ones = rng.binomial(deals, mean).cumsum()
        counts = np.stack([deals.cumsum() - ones, ones], axis=1)
        intervals = [mean_at_any_look(row, np.array([0.0, 1.0])).ci95 for row in counts]
        held += all(low <= mean <= high for low, high in intervals)
    assert held / 150 >= 0.95 - 3.5 * sqrt(0.05 * 0.95 / 150)


def test_interval_and_test_agree():
    """A player is ahead at 95 % just when the interval of the difference leaves out zero."""
    lead = np.array([-1.0, 0.0, 1.0])
    said = []
    for won in range(450, 600):
        counts = np.array([1000 - won, 200, won])
        said.append(is_ahead(counts, lead, 0.025))
        assert said[-1] == (difference_at_any_look(counts, lead).ci95[0] > 0)
    assert not all(said)
    assert any(said)


def test_within_bounds():
    """Where all was won the interval ends at 1 and has a width."""
    low, high = mean_at_any_look(np.array([0, 0, 0, 500]), SHARES).ci95
    assert high == 1
    assert 0.95 < low < 1
    low, high = difference_at_any_look(np.array([500, 0]), np.array([-1.0, 1.0])).ci95
    assert low == -1
    assert -1 < high < -0.9
