"""Standard errors and intervals from tallies."""

from math import lgamma

import numpy as np
import pytest

from holdem.odds.estimate import difference, mean_in_unit_interval, standard_errors
from holdem.odds.tally import outcomes, shares, winner_sets


def test_interval_of_wins():
    """For a 0-or-1 quantity it is that of Agresti and Coull: 8 of 10 is 0.479 to 0.954."""
    found = mean_in_unit_interval(np.array([2, 8]), np.array([0.0, 1.0]))
    assert tuple(round(bound, 3) for bound in found.ci95) == (0.479, 0.954)


@pytest.mark.parametrize("deals", [1, 10, 1000])
@pytest.mark.parametrize("seen", [0.0, 1.0])
def test_nothing_else_seen_is_not_certainty(deals, seen):
    """After nothing but losses, or wins, the interval has a width, and the error is not zero."""
    found = mean_in_unit_interval(np.array([deals, 0]), np.array([seen, 1 - seen]))
    assert found.mean == seen
    assert seen in found.ci95
    # Two and two deals more, in the mean: (1.92 + 1.96 * sqrt(1.92)) / (n + 3.84) for large n.
    assert found.ci95[1] - found.ci95[0] >= 3.6 / (deals + 3.85)
    assert found.stderr > 0


def test_coverage_for_rare_outcomes():
    """However rare the outcome, the interval holds the truth in 94 of 100 cases at least."""
    deals = 2000
    counts = np.arange(deals + 1)
    low, high = np.array(
        [mean_in_unit_interval(np.array([deals - k, k]), np.array([0.0, 1.0])).ci95 for k in counts]
    ).T
    logs = np.array([lgamma(k + 1) for k in counts])
    choose = logs[-1] - logs - logs[::-1]
    for expected in np.arange(0.05, 60, 0.05):
        p = expected / deals
        chance = np.exp(choose + counts * np.log(p) + (deals - counts) * np.log1p(-p))
        assert chance[(low <= p) & (p <= high)].sum() > 0.94


def test_error_of_shares_is_from_the_shares():
    """Sample variance of 0, 1/2 and 1, not that of a coin."""
    counts, values = np.array([30, 50, 20]), np.array([0.0, 0.5, 1.0])
    drawn = np.repeat(values, counts)
    found = mean_in_unit_interval(counts, values)
    assert found.mean == pytest.approx(drawn.mean())
    assert found.stderr == pytest.approx(drawn.std(ddof=1) / 10)


def test_difference_is_paired():
    """A difference that is always the same has nearly no error, whatever the parts do."""
    found = difference(np.array([0, 1000]), np.array([0.0, 0.25]))
    assert found.mean == pytest.approx(0.25)
    assert found.ci95[1] - found.ci95[0] < 0.3


def test_running_errors_match():
    """The errors that a run stops by are those of the single estimates."""
    counts = np.array([[10, 20, 5, 3], [100, 150, 60, 40]])
    values = shares(2)
    found = standard_errors(counts, values)
    for row in range(2):
        for player in range(2):
            expected = mean_in_unit_interval(counts[row], values[player]).stderr
            assert expected == pytest.approx(found[row, player], rel=1e-9)


def test_tables_of_winners():
    """Three players: who is in each set, each one's share, and win, tie, loss."""
    assert winner_sets(3)[:, 0b101].tolist() == [True, False, True]
    assert shares(3)[:, 0b101].tolist() == [0.5, 0.0, 0.5]
    assert outcomes(3)[:, 0, 0b001].tolist() == [True, False, False]
    assert outcomes(3)[:, 0, 0b101].tolist() == [False, True, False]
    assert outcomes(3)[:, 1, 0b101].tolist() == [False, False, True]
    assert outcomes(3)[:, :, 1:].sum(axis=0).all()
