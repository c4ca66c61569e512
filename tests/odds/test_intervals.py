"""Standard errors and intervals from tallies."""

import numpy as np
import pytest

import rare_coverage
from holdem.odds.sampling.intervals import estimate_difference, estimate_mean, standard_errors
from holdem.odds.sampling.run import MIN_BLOCKS
from holdem.odds.sampling.sampler import BLOCK
from holdem.odds.tally import outcomes, shares, winner_sets


def test_interval_of_wins():
    """Agresti and Coull's for 8 in 10 is 0.479 to 0.954; each side is a quarter of a deal wider."""
    found = estimate_mean(np.array([2, 8]), np.array([0.0, 1.0]))
    assert tuple(round(bound, 3) for bound in found.ci95) == (0.454, 0.979)


@pytest.mark.parametrize("deals", [1, 10, 1000])
@pytest.mark.parametrize("seen", [0.0, 1.0])
def test_nothing_else_seen_is_not_certainty(deals, seen):
    """After nothing but losses, or wins, the interval has a width, and the error is not zero."""
    found = estimate_mean(np.array([deals, 0]), np.array([seen, 1 - seen]))
    assert found.mean == seen
    assert seen in found.ci95
    # Two and two deals more, in the mean: (1.92 + 1.96 * sqrt(1.92)) / (n + 3.84) for large n.
    assert found.ci95[1] - found.ci95[0] >= 3.6 / (deals + 3.85)
    assert found.stderr > 0


@pytest.mark.parametrize("deals", [*range(1, 101), 2000])
def test_coverage_with_few_deals(deals):
    """For any chance and any number of deals, at least 94.2 of 100 intervals cover it."""
    assert 0.942 < rare_coverage.lowest_of_fixed(deals).coverage


def test_lowest_coverage_is_beside_an_end():
    """No chance of a fine grid is covered less often than the lowest one found."""
    lowest = rare_coverage.lowest_of_fixed(23)
    assert round(lowest.coverage, 4) == 0.9421
    chances = np.linspace(0.001, 0.5, 1_000)
    assert lowest.coverage <= min(rare_coverage.fixed(23, float(chance)) for chance in chances)


@pytest.mark.parametrize("rarer", [4, 20, 30, 31.25, 36, 50])
def test_coverage_of_early_stops(rarer):
    """Runs that stop by their error are not misled by few of the rarer outcome."""
    coverage, deals = rare_coverage.stopped(0.00001, 0.00001 * rarer**0.5)
    assert coverage > 0.94
    assert deals > MIN_BLOCKS * BLOCK


@pytest.mark.parametrize("share", [1 / 2, 1 / 9])
def test_coverage_beside_ties(share):
    """Rare wins and losses are covered when nearly all deals are ties."""
    assert rare_coverage.lowest_of_ties(share).coverage > 0.942


def test_all_ties():
    """If all deals are ties, the interval allows for a few that are not."""
    found = estimate_mean(np.array([0, 1000, 0]), np.array([0.0, 0.5, 1.0]))
    low, high = found.ci95
    # As if two wins and two losses were seen: 1.96 * sqrt(3.84) / 2 of 1000 deals.
    assert (high - low) / 2 == pytest.approx(1.92 / 1000, rel=0.01)


def test_error_of_shares_is_from_the_shares():
    """Sample variance of 0, 1/2 and 1, not that of a coin."""
    counts, values = np.array([30, 50, 20]), np.array([0.0, 0.5, 1.0])
    drawn = np.repeat(values, counts)
    found = estimate_mean(counts, values)
    assert found.mean == pytest.approx(drawn.mean())
    assert found.stderr == pytest.approx(drawn.std(ddof=1) / 10)


def test_difference_is_paired():
    """A difference that is always the same has nearly no error, whatever the parts do."""
    found = estimate_difference(np.array([0, 1000]), np.array([0.0, 0.25]))
    assert found.mean == pytest.approx(0.25)
    assert found.ci95[1] - found.ci95[0] < 0.3


def test_errors_to_stop_by():
    """Each is the standard error, or that of the interval if it is larger."""
    counts = np.array([[0, 997, 3, 0], [10, 20, 5, 3], [10_000, 15_000, 6_000, 4_000]])
    values = shares(2)
    found = standard_errors(counts, values)
    for row in range(3):
        for player in range(2):
            expected = estimate_mean(counts[row], values[player]).stderr
            seen = np.append(values[player], [0, 1])
            weights = np.append(counts[row], [1.9207, 1.9207])
            spread = np.average((seen - np.average(seen, weights=weights)) ** 2, weights=weights)
            of_interval = (spread / weights.sum()) ** 0.5
            assert max(expected, of_interval) == pytest.approx(found[row, player], rel=1e-5)
    assert found[0, 0] > 1.2 * estimate_mean(counts[0], values[0]).stderr


def test_tables_of_winners():
    """Three players: who is in each set, each one's share, and win, tie, loss."""
    assert winner_sets(3)[:, 0b101].tolist() == [True, False, True]
    assert shares(3)[:, 0b101].tolist() == [0.5, 0.0, 0.5]
    assert outcomes(3)[:, 0, 0b001].tolist() == [True, False, False]
    assert outcomes(3)[:, 0, 0b101].tolist() == [False, True, False]
    assert outcomes(3)[:, 1, 0b101].tolist() == [False, False, True]
    assert outcomes(3)[:, :, 1:].sum(axis=0).all()
