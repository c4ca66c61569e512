"""Lists of holes: which players draw from which list, and alias tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.odds.sampling.deal_tables import estimate_acceptance, make_alias_table, single_lists
from holdem.odds.sampling.sampler import choose_lists
from holdem.odds.spot import make_spot

_WIDE = "22+,A2s+,KTs+,QJs,ATo+,KQo"


@pytest.mark.parametrize(
    ("players", "lists"),
    [
        (("AsKs", "random"), []),
        (("AsKs", "QdQh"), []),
        (("random", _WIDE), [(1,)]),
        ((_WIDE, _WIDE), [(0, 1)]),
        (("top 50%", "random", "top 60%"), [(0,), (2,)]),
        ((_WIDE, "QQ", "AsKs", "JJ", _WIDE), [(1, 3, 0), (4,)]),
    ],
)
def test_lists(players, lists):
    """Players with short lists have a joint one; known and random hands have none."""
    found, scarce, _ = choose_lists(make_spot(players))
    assert [own.seats for own in found] == lists
    assert scarce is None
    assert all(len(own.sets) < 1 << 16 for own in found)


@pytest.mark.parametrize(
    ("players", "accepted", "draws"), [(("AA",), 1, 1), (("AA", "AA"), 1 / 6, 12)]
)
def test_acceptance(players, accepted, draws):
    """Of the six pairs of aces one has no ace of the other: twelve rows are drawn for a deal."""
    found = estimate_acceptance(single_lists(make_spot((*players, "random"))), 1 << 16)
    assert found == pytest.approx((accepted, draws), rel=0.03)


_RNG = np.random.default_rng(5)


@pytest.mark.parametrize(
    "weights",
    [
        np.ones(7),
        np.array([0.1]),
        np.array([1.0, 3.0]),
        np.array([1e-9, 1.0, 1e-9, 1.0]),
        np.array([1.0, *[1e-7] * 1000]),
        _RNG.random(202),
        _RNG.random(65_535) ** 9,
        np.repeat([0.5, 1.0], [100, 102]),
        np.repeat([1 / 3, 1.0, 0.7], 1000),
        np.repeat([0.1, 1.0], 4),  # each heavy row gives exactly what a light one lacks
        np.array([0.5, 0.75, 1.0]),  # a row of exactly the mean comes before all heavier ones, ...
        np.array([0.75, 0.5, 0.75, 1.0, 0.75]),
        np.array([0.5, 0.5, 1.0, 0.75, 1.0, 0.75]),  # ... or among them
        np.array([1.0, 1.0 - 2.0**-53]),  # no row is above the mean, which is rounded up
    ],
    ids=len,
)
def test_an_alias_table_gives_each_row_its_weight(weights):
    """Each row's chance, summed over the rows that are drawn, is its share of the weight."""
    keep, alias = make_alias_table(weights)
    kept = (keep.astype(float) + 1) / 2.0**64  # a word is kept up to and including `keep`
    chances = kept + np.bincount(alias, 1 - kept, minlength=len(weights))
    shares = weights / weights.sum()
    assert chances / len(weights) == pytest.approx(shares, rel=1e-9, abs=1e-13 / len(weights))


@given(st.lists(st.sampled_from([0.25, 0.5, 0.75, 1.0]), min_size=2, max_size=40))
def test_weights_of_quarters_are_often_the_mean(quarters):
    """Also where rows weigh exactly the mean, each row's chance is its share of the weight."""
    test_an_alias_table_gives_each_row_its_weight(np.array(quarters))
