"""Buckets of hands: quantiles and clusters."""

from math import comb
from unittest.mock import patch

import attrs
import numpy as np
import pytest

import holdem
from holdem.ranges.combos import CLASS_OF_COMBO
from holdem_abstraction import (
    CardAbstraction,
    card_abstraction,
    clustering,
    hand_strengths,
    load_card_abstraction,
    load_hand_strengths,
)
from holdem_abstraction.clustering import NO_LABEL, cluster_histograms
from street_tables import some_rows

SCHEMA = {"schema": "holdem/card-abstraction/1"}


@pytest.fixture(scope="module")
def by_histogram(flop):
    with some_rows("flop"):
        return card_abstraction(flop, 20, by="histogram", seed=7)


def points_of(histogram):
    return np.cumsum(histogram, axis=-1, dtype=np.float64)


def distance(points, labels, weights):
    """Return the weighted sum of the squared distances to the means of clusters."""
    total = 0.0
    for label in np.unique(labels):
        own, weight = points[labels == label], weights[labels == label]
        mean = np.average(own, axis=0, weights=weight)
        total += (weight * np.square(own - mean).sum(axis=1)).sum()
    return total


def live_hands(table, buckets):
    """Return the histograms, buckets and weights of the hands of a table."""
    has_hand = buckets != 65535
    weights = np.broadcast_to(table.deals[:, None], has_hand.shape)[has_hand].astype(float)
    return table.histogram[has_hand], buckets[has_hand], weights


def test_quantiles(turn):
    """Buckets have about the same number of deals, and equal hands share one."""
    with some_rows("turn"):
        found = card_abstraction(turn, 50)
    share = found.sizes / found.sizes.sum()
    np.testing.assert_allclose(share, 1 / 50, atol=0.002)
    assert (np.diff(found.equity) > 0).all()
    has_hand = found.buckets != 65535
    np.testing.assert_array_equal(has_hand, ~np.isnan(turn.equity))
    pairs = set(zip(turn.points[has_hand].tolist(), found.buckets[has_hand].tolist(), strict=True))
    assert len(pairs) == len({points for points, _ in pairs})
    buckets = [bucket for _, bucket in sorted(pairs)]
    assert buckets == sorted(buckets)
    frame = found.to_frame()
    assert list(frame.columns) == ["bucket", "deals", "share", "equity"]
    assert frame.deals.tolist() == found.sizes.tolist()


@pytest.mark.slow
def test_quantiles_of_rivers(river):
    found = card_abstraction(river, 50)
    assert found.sizes.sum() == comb(52, 2) * comb(50, 5)
    assert found.lookup(["AsKs", "7d6d"], "QsJsTs2c3d").tolist() == [49, 3]
    # On the river, E[HS2] orders hands as the equity does.
    other = card_abstraction(river, 50, by="ehs2")
    np.testing.assert_array_equal(other.buckets, found.buckets)


def test_buckets_before_the_flop():
    """With as many buckets as classes, each class is alone, in the order of its equity."""
    strengths = hand_strengths("preflop", workers=1)
    found = card_abstraction(strengths, 169)
    assert len(set(zip(CLASS_OF_COMBO.tolist(), found.buckets[0].tolist(), strict=True))) == 169
    assert found.lookup("AsAh")[0] == 168
    assert found.lookup("3d2c")[0] == 0
    assert found.sizes.sum() == 1326
    assert str(found).splitlines()[0] == "169 buckets of the preflop by equity, against random"
    with pytest.raises(holdem.HoldemValueError, match="only 169 hands have different strengths"):
        card_abstraction(strengths, 170)


@pytest.mark.parametrize("by", ["equity", "ehs2"])
def test_quantiles_with_opponents(by):
    """Hands that are equal up to suits share a bucket, though their sums are floats."""
    with some_rows("flop") as compute:
        table = compute(opponent="QQ+:0.3,AKs:0.7,76s")
        found = card_abstraction(table, 300, by=by)
    assert (found.sizes > 0).all()
    values = {"equity": table.equity, "ehs2": table.ehs2}[by]
    has_hand = found.buckets != 65535
    np.testing.assert_array_equal(has_hand, ~np.isnan(values))
    order = np.argsort(values[has_hand], kind="stable")
    numbers = found.buckets[has_hand].astype(int)
    if by == "equity":
        assert (np.diff(numbers[order]) >= 0).all()


def test_clusters(flop, by_histogram):
    """Clusters are numbered by equity, complete, and closer together than quantiles."""
    found = by_histogram
    points, buckets, weights = live_hands(flop, found.buckets)
    assert found.sizes.tolist() == np.bincount(buckets, weights).astype(int).tolist()
    assert (np.diff(found.equity) >= 0).all()
    np.testing.assert_array_equal(found.buckets == 65535, np.isnan(flop.equity))
    np.testing.assert_allclose(found.histogram.sum(axis=1), 1, atol=1e-6)
    own = points[buckets == 3].astype(float)
    mean = np.average(own, axis=0, weights=weights[buckets == 3]) / flop.runouts
    np.testing.assert_allclose(found.histogram[3], mean, atol=1e-6)
    for by in ("equity", "ehs2"):
        quantiles = card_abstraction(flop, 20, by=by)
        _, other, _ = live_hands(flop, quantiles.buckets)
        assert distance(points_of(points), buckets, weights) < 0.7 * distance(
            points_of(points), other, weights
        )


def test_nearest_centre(flop, by_histogram):
    """Nearly every hand is in the bucket whose mean is nearest."""
    points, buckets, weights = live_hands(flop, by_histogram.buckets)
    points = points_of(points)
    means = np.array(
        [np.average(points[buckets == b], axis=0, weights=weights[buckets == b]) for b in range(20)]
    )
    nearest = np.square(points[:, None] - means).sum(axis=2).argmin(axis=1)
    assert (nearest == buckets).mean() > 0.99


def test_same_on_any_number_of_workers(flop, by_histogram, monkeypatch):
    monkeypatch.setattr(clustering, "_ROWS", 1)  # each board is a task
    with some_rows("flop"):
        for workers in (1, 3):
            found = card_abstraction(flop, 20, by="histogram", seed=7, workers=workers)
            np.testing.assert_array_equal(found.buckets, by_histogram.buckets)
        other = card_abstraction(flop, 20, by="histogram", seed=8, workers=2)
    assert not np.array_equal(other.buckets, by_histogram.buckets)


def test_histograms_of_fewer_runouts():
    """Where the opponent has no hand on some runouts, distributions are compared nevertheless."""
    with some_rows("flop") as compute:
        table = compute(opponent="AA", bins=20)
        found = card_abstraction(table, 12, by="histogram", seed=1)
    histogram, buckets, weights = live_hands(table, found.buckets)
    totals = histogram.sum(axis=1, keepdims=True)
    assert len(np.unique(totals)) > 2
    points = points_of(histogram / totals)
    means = np.array(
        [np.average(points[buckets == b], axis=0, weights=weights[buckets == b]) for b in range(12)]
    )
    nearest = np.square(points[:, None] - means).sum(axis=2).argmin(axis=1)
    assert (nearest == buckets).mean() > 0.99
    np.testing.assert_allclose(np.cumsum(found.histogram, axis=1), means, atol=1e-6)


def test_few_different_hands():
    """Each of three different histograms gets a cluster of its own, however rare; not more."""
    histogram = np.zeros((40, 1326, 4), dtype=np.uint8)
    histogram[..., 0] = 46
    histogram[7, 11] = (0, 46, 0, 0)
    histogram[39, 0] = (0, 0, 0, 46)
    weights = np.ones((40, 1326), dtype=np.uint16)
    found = cluster_histograms(histogram, weights, 46, 3, 1, 2)
    assert len({int(found[0, 0]), int(found[7, 11]), int(found[39, 0])}) == 3
    weights[7, 11] = 0
    found = cluster_histograms(histogram, weights, 46, 2, 1, 2)
    assert found[7, 11] == NO_LABEL
    with pytest.raises(holdem.HoldemValueError, match="only 2 hands have different histograms"):
        cluster_histograms(histogram, weights, 46, 3, 1, 2)


def test_nearly_equal_hands():
    """The one hand that differs by a single runout gets a cluster of its own."""
    histogram = np.zeros((40, 1326, 50), dtype=np.uint16)
    histogram[..., 0] = 1081
    histogram[20, 700, :2] = 1080, 1
    weights = np.ones((40, 1326), dtype=np.uint16)
    found = cluster_histograms(histogram, weights, 1081, 2, 1, 1)
    assert (found != found[0, 0]).nonzero() == (20, 700)


def test_many_rare_hands():
    """Hands that the sample misses fill empty clusters in few rounds."""
    histogram = np.zeros((600, 256, 30), dtype=np.uint8)
    histogram[..., 0] = 46
    rare = np.arange(0, 600, 20)
    histogram[rare, 3, 0] -= 1 + np.arange(30, dtype=np.uint8)
    histogram[rare, 3, np.arange(30)] += 1 + np.arange(30, dtype=np.uint8)
    weights = np.ones((600, 256), dtype=np.uint16)
    with patch.object(clustering, "run", wraps=clustering.run) as rounds:
        found = cluster_histograms(histogram, weights, 46, 30, 1, 1)
    assert len(np.unique(found)) == 30
    assert rounds.call_count < 10


def test_interrupted(flop, monkeypatch):
    """Ctrl-C while first centres are chosen is as it is anywhere else."""

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(clustering, "_choose_centres", interrupt)
    with some_rows("flop"), pytest.raises(holdem.Interrupted):
        card_abstraction(flop, 20, by="histogram", seed=7)


def test_incomplete_files(by_histogram, tmp_path, monkeypatch):
    """Arrays must be all there, with the shapes that go together, whatever the digest says."""
    path = tmp_path / "flop.npz"
    for name, change in (
        ("buckets", {"buckets": by_histogram.buckets[:, :50].copy()}),
        ("equity", {"equity": by_histogram.equity.astype(np.float32)}),
        ("histogram", {"histogram": None}),
        ("boards", {"boards": by_histogram.boards[::-1].copy()}),
    ):
        attrs.evolve(by_histogram, **change).save(path)
        with some_rows("flop"), pytest.raises(holdem.HoldemValueError, match=f"damaged.*{name}"):
            load_card_abstraction(path)
    monkeypatch.setattr(CardAbstraction, "to_dict", lambda _: {**SCHEMA, "buckets": []})
    by_histogram.save(path)
    with pytest.raises(holdem.HoldemValueError, match="its header is incomplete"):
        load_card_abstraction(path)


def test_bucket_files(by_histogram, tmp_path):
    by_histogram.save(tmp_path / "flop.npz")
    with some_rows("flop"):
        other = load_card_abstraction(tmp_path / "flop.npz")
    assert other.to_dict() == by_histogram.to_dict()
    for name in ("boards", "deals", "buckets", "sizes", "equity", "histogram"):
        np.testing.assert_array_equal(getattr(other, name), getattr(by_histogram, name))
    with pytest.raises(holdem.HoldemValueError, match="has the schema holdem/card-abstraction/1"):
        load_hand_strengths(tmp_path / "flop.npz")


@pytest.mark.parametrize(
    ("street", "buckets", "options", "message"),
    [
        ("river", 10, {"by": "histogram"}, "by histogram are for flops and turns, not rivers"),
        ("flop", 1, {}, "buckets must be an integer from 2 to 65535, not 1"),
        (
            "flop",
            20_000,
            {"by": "histogram"},
            "buckets by histogram must be an integer from 2 to 16384, not 20000",
        ),
        ("flop", 10, {"by": "emd"}, "no buckets by 'emd'; use equity, ehs2 or histogram"),
        ("flop", 10, {"bins": 50}, "bins is for buckets by histogram, not by equity"),
        ("flop", 10, {"seed": 7}, "seed is for buckets by histogram, not by equity"),
        ("flop", 10, {"by": "histogram", "seed": -1}, "seed must be an integer from 0"),
        ("flop", 10, {"opponent": "AsKs"}, "depends on suits"),
        ("turn", 10, {"by": "histogram", "bins": 300}, "limit is 3.5 GB: use at most 13. bins"),
    ],
)
def test_refused_buckets(street, buckets, options, message):
    with pytest.raises(holdem.HoldemValueError, match=message):
        card_abstraction(street, buckets, **options)


def test_strengths_for_several_abstractions(flop):
    plain = card_abstraction(flop, 10)
    assert plain.sizes.min() > 0
    with pytest.raises(holdem.HoldemValueError, match="those of the strengths: leave them out"):
        card_abstraction(flop, 10, opponent="AA")
    with some_rows("flop") as compute, pytest.raises(holdem.HoldemValueError, match="bins=50"):
        card_abstraction(compute(), 10, by="histogram")
