"""Cluster sampling: cluster sizes, cluster squares and effective sample sizes."""

import numpy as np
import pytest

import holdem
from holdem.odds.sampling.cluster_sampling import CLUSTER_SIZES, POT, effective_fraction
from holdem.odds.sampling.deal_kernels import GROUP
from holdem.odds.sampling.intervals import estimate_players
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import make_spot
from holdem.odds.tally import cluster_squares_in, deals_in, shares, tally_size, winners_in

EQUAL = ("top 20%",) * 6
PAIRS = ("AA,KK,QQ,JJ",) * 7


@pytest.mark.parametrize(
    ("players", "board", "size"),
    [
        (EQUAL, "", 8),
        (PAIRS, "", 8),
        (("top 15%",) * 9, "", 16),
        (("AA,KK,QQ,JJ",) * 6, "", 1),
        (("top 20%",) * 5, "", 1),
        ((*EQUAL, "top 20%", "AsKs", "random"), "", 8),
        (EQUAL, "Ts7d2c", 1),
        (("QQ+,AK", "TT+,AQ+", "22+,AT+", "top 20%"), "", 1),
        (("AsKs", *["random"] * 8), "", 1),
        (("QQ", "AK", "JJ", "T9s"), "", 1),
    ],
)
def test_cluster_size(players, board, size):
    """Deals share holes only before the flop, and if the holes are costly to draw."""
    assert Sampler(make_spot(players, board), 1).cluster_size == size
    assert Sampler(make_spot(players, board), 1, independent=True).cluster_size == 1


@pytest.mark.parametrize("players", [EQUAL, PAIRS, (*EQUAL, "random")])
def test_clusters(players):
    """The deals of a cluster have the same listed holes and different boards, no card twice."""
    sampler = Sampler(make_spot(players), 5)
    deals = sampler.deals(0)
    clusters = deals.reshape(-1, sampler.cluster_size, deals.shape[1])
    listed = clusters[:, :, 5 : 5 + 2 * sum(player != "random" for player in players)]
    assert (listed == listed[:, :1]).all()
    # Seven pairs in four ranks are held in 3,265,920 ways, of which two of 4,096 clusters have the
    # same in three cases or so; two boards of a cluster are the same once in 658,008.
    holes = {tuple(row) for row in listed[:, 0].tolist()}
    assert len(holes) > len(clusters) - 20
    boards = np.sort(clusters[:, :, :5])
    distinct = [len({tuple(row) for row in cluster}) for cluster in boards.tolist()]
    assert sum(distinct) > len(deals) - 10
    assert (np.sort(deals, axis=1)[:, 1:] != np.sort(deals, axis=1)[:, :-1]).all()


@pytest.mark.parametrize("players", [EQUAL, PAIRS, ("top 15%",) * 9])
@pytest.mark.parametrize("size", [1, 3, 128, 1003, BLOCK])
def test_cluster_squares(players, size):
    """Squares summed over the clusters here, deal by deal, are those of the tally."""
    sampler = Sampler(make_spot(players), 11)
    strengths = sampler.strengths(sampler.deals(0, size))
    at_top = strengths == strengths.max(axis=0)
    heads = at_top.sum(axis=0)
    figures = [at_top * (POT // heads), at_top & (heads == 1), at_top & (heads > 1)]
    starts = np.arange(0, size, sampler.cluster_size)
    expected = [int((np.diff([*starts, size]) ** 2).sum())]
    for figure in figures:
        expected += (np.add.reduceat(figure.astype(int), starts, axis=1) ** 2).sum(axis=1).tolist()
    tally = sampler.count(0, [size])[0]
    assert cluster_squares_in(tally).tolist() == expected
    assert deals_in(tally) == size
    half = size // 2 // sampler.cluster_size * sampler.cluster_size
    batches = sampler.count_batch(0, 0, half) + sampler.count_batch(0, half, size - half)
    assert batches.tolist() == tally.tolist()


def test_independent_deals():
    """If no deals share holes, the cluster squares are empty and the sample has its full size."""
    for players in (("AsKs", "random"), ("QQ+,AK", "TT+,AQ+", "22+,AT+", "top 20%")):
        tally = Sampler(make_spot(players), 3).count(0, [1000])[0]
        assert not cluster_squares_in(tally).any()
        assert (effective_fraction(tally) == 1).all()


def test_effective_fraction():
    """It is the variance of a mean of independent deals over that of clusters, measured directly.

    With 2^17 clusters the ratio is known to two percent or so; the prior of two is negligible.
    """
    sampler = Sampler(make_spot(EQUAL), 2)
    tallies = sampler.count(0, [BLOCK] * 32)
    share, winners = shares(6), winners_in(tallies.sum(axis=0))
    strengths = np.concatenate([sampler.strengths(sampler.deals(b)) for b in range(32)], axis=1)
    at_top = strengths == strengths.max(axis=0)
    shared = (at_top / at_top.sum(axis=0)).reshape(6, -1, sampler.cluster_size)
    of_clusters = shared.mean(axis=2).var(axis=1) * sampler.cluster_size
    of_deals = share**2 @ winners / winners.sum() - (share @ winners / winners.sum()) ** 2
    expected = of_deals / of_clusters
    assert effective_fraction(tallies.sum(axis=0))[0] == pytest.approx(expected, rel=1e-4)
    each = effective_fraction(tallies)
    assert each.shape == (32, 3, 6)
    assert (each[7] == effective_fraction(tallies[7])).all()


def test_rare_outcomes():
    """If all deals had the same outcome, a cluster counts as one deal, also in the errors."""
    tally = np.zeros(tally_size(4), dtype=np.int64)
    tally[1], clusters, size = 400, 100, 4
    cluster_squares_in(tally)[:] = [clusters * size**2, *[0] * 12]
    cluster_squares_in(tally)[1] = clusters * (size * POT) ** 2
    cluster_squares_in(tally)[5] = clusters * size**2
    assert effective_fraction(tally) == pytest.approx(1 / size)
    alone = np.zeros(tally_size(4), dtype=np.int64)
    alone[1] = clusters
    assert [each.ci95 for player in estimate_players(tally) for each in player] == [
        pytest.approx(each.ci95) for player in estimate_players(alone) for each in player
    ]


@pytest.mark.parametrize(("square", "fraction"), [(8, 1 / 4), (5, 1), (4, 1)])
def test_design_effect(square, fraction):
    """The design effect lies between 1 and the cluster size.

    Two players win the four deals of a cluster between them. The mean square of a player's wins
    is 16 / 2 if the holes decide all, and 4 / 2 + 4 * 3 / 4 if each deal is a fair coin. If each
    wins two of the four, boards cannot be random: the effect is still 1.
    """
    tally, clusters, size = np.zeros(tally_size(4), dtype=np.int64), 1_000_000, 4
    tally[[1, 2]] = clusters // 2 * size
    squares = np.zeros((3, 4), dtype=np.int64)
    squares[0, :2], squares[1, :2] = clusters * square * POT**2, clusters * square
    cluster_squares_in(tally)[:] = [clusters * size**2, *squares.ravel().tolist()]
    assert effective_fraction(tally)[:2, :2] == pytest.approx(fraction, rel=1e-5)
    assert effective_fraction(tally)[2] == pytest.approx(1 / size)  # no tie was seen


def test_runs_stop_by_the_error_of_clusters():
    """A run ends after the block in which the standard error, that of clusters, is reached."""
    sampler, blocks = Sampler(make_spot(EQUAL), 3), 10
    strengths = np.concatenate([sampler.strengths(sampler.deals(b)) for b in range(blocks)], axis=1)
    at_top = strengths == strengths.max(axis=0)
    shared = (at_top / at_top.sum(axis=0)).reshape(6, -1, sampler.cluster_size).mean(axis=2)
    clusters = BLOCK // sampler.cluster_size * np.array([blocks - 1, blocks])
    before, after = (shared[:, :count].std(axis=1).max() / count**0.5 for count in clusters)
    bound = (before + after) / 2
    found = holdem.equity(*EQUAL, method="monte-carlo", stderr=bound, seed=3)
    assert (found.stop, found.deals) == ("stderr", blocks * BLOCK)


def test_groups_have_whole_clusters():
    """No cluster crosses the end of a group or a block."""
    for _, size in CLUSTER_SIZES:
        assert GROUP % size == BLOCK % size == 0


def test_trials_are_independent():
    """Head-to-head needs independent deals, so none of them share holes."""
    found = holdem.head_to_head(*EQUAL, deals=BLOCK, seed=1)
    expected = Sampler(make_spot(EQUAL), 1, independent=True).count(0, [BLOCK])[0]
    wins = [int(expected[1 << player]) for player in range(6)]
    assert [player.outcomes.wins for player in found.players] == wins
