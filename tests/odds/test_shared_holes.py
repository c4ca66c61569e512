"""Deals that share holes: who does, that the account is that of the draws, and what it says."""

import numpy as np
import pytest

import holdem
from holdem.odds.sampling.cluster_sampling import POT, SHARED_BOARDS, worth_of_deals
from holdem.odds.sampling.deck_draws.tables import DEALS_A_GROUP
from holdem.odds.sampling.players import estimates
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import make_spot
from holdem.odds.tally import account_in, deals_in, shares, tally_size, winners_in

ALIKE = ("top 20%",) * 6
PAIRS = ("AA,KK,QQ,JJ",) * 7
HARDLY = ("99+",) * 10


@pytest.mark.parametrize(
    ("players", "board", "boards"),
    [
        (ALIKE, "", 4),
        (("top 20%",) * 8, "", 8),
        (PAIRS, "", 4),
        (HARDLY, "", 8),
        (("top 15%",) * 9, "", 16),
        (("AA,KK,QQ,JJ",) * 6, "", 1),
        (("top 20%",) * 5, "", 1),
        ((*ALIKE, "AsKs", "random"), "", 4),
        (ALIKE, "Ts7d2c", 1),
        (("QQ+,AK", "TT+,AQ+", "22+,AT+", "top 20%"), "", 1),
        (("AsKs", *["random"] * 8), "", 1),
        (("QQ", "AK", "JJ", "T9s"), "", 1),
    ],
)
def test_who_shares_holes(players, board, boards):
    """Players whose holes are costly to draw do, before the flop, and nobody else."""
    assert Sampler(make_spot(players, board), 1).cluster_size == boards
    assert Sampler(make_spot(players, board), 1, independent=True).cluster_size == 1


@pytest.mark.parametrize("players", [ALIKE, PAIRS, (*ALIKE, "random")])
def test_boards_of_a_draw(players):
    """The deals of a draw have the same listed holes and boards of their own, no card twice."""
    sampler = Sampler(make_spot(players), 5)
    deals = sampler.deals(0)
    draws = deals.reshape(-1, sampler.cluster_size, deals.shape[1])
    listed = draws[:, :, 5 : 5 + 2 * sum(player != "random" for player in players)]
    assert (listed == listed[:, :1]).all()
    # Seven pairs in four ranks are held in 3,265,920 ways, of which two of 4,096 draws have the
    # same in three cases or so; two boards of a draw have the same cards once in 658,008.
    holes = {tuple(row) for row in listed[:, 0].tolist()}
    assert len(holes) > len(draws) - 20
    boards = np.sort(draws[:, :, :5])
    unlike = [len({tuple(row) for row in draw}) for draw in boards.tolist()]
    assert sum(unlike) > len(deals) - 10
    assert (np.sort(deals, axis=1)[:, 1:] != np.sort(deals, axis=1)[:, :-1]).all()


@pytest.mark.parametrize("players", [ALIKE, PAIRS, ("top 15%",) * 9])
@pytest.mark.parametrize("size", [1, 3, 128, 1003, BLOCK])
def test_the_account_is_that_of_the_draws(players, size):
    """Squares summed over the draws here, deal by deal, are those of the tally."""
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
    assert account_in(tally).tolist() == expected
    assert deals_in(tally) == size
    half = size // 2 // sampler.cluster_size * sampler.cluster_size
    batches = sampler.count_batch(0, 0, half) + sampler.count_batch(0, half, size - half)
    assert batches.tolist() == tally.tolist()


def test_deals_apart_are_worth_one():
    """Where no deals share holes a deal is worth one, and the account is empty."""
    for players in (("AsKs", "random"), ("QQ+,AK", "TT+,AQ+", "22+,AT+", "top 20%")):
        tally = Sampler(make_spot(players), 3).count(0, [1000])[0]
        assert not account_in(tally).any()
        assert (worth_of_deals(tally) == 1).all()


def test_what_a_deal_is_worth():
    """It is the variance of a mean of independent deals over that of the draws, seen directly.

    With 2^17 draws the ratio is known to two percent or so; the prior of two draws is nothing.
    """
    sampler = Sampler(make_spot(ALIKE), 2)
    tallies = sampler.count(0, [BLOCK] * 32)
    share, winners = shares(6), winners_in(tallies.sum(axis=0))
    strengths = np.concatenate([sampler.strengths(sampler.deals(b)) for b in range(32)], axis=1)
    at_top = strengths == strengths.max(axis=0)
    shared = (at_top / at_top.sum(axis=0)).reshape(6, -1, sampler.cluster_size)
    of_draws = shared.mean(axis=2).var(axis=1) * sampler.cluster_size
    of_deals = share**2 @ winners / winners.sum() - (share @ winners / winners.sum()) ** 2
    expected = of_deals / of_draws
    assert worth_of_deals(tallies.sum(axis=0))[0] == pytest.approx(expected, rel=1e-4)
    each = worth_of_deals(tallies)
    assert each.shape == (32, 3, 6)
    assert (each[7] == worth_of_deals(tallies[7])).all()


def test_little_seen_of_something():
    """Where one outcome is all that was seen, a draw counts as one deal; errors are those."""
    tally = np.zeros(tally_size(4), dtype=np.int64)
    tally[1], draws, boards = 400, 100, 4
    account_in(tally)[:] = [draws * boards**2, *[0] * 12]
    account_in(tally)[1] = draws * (boards * POT) ** 2
    account_in(tally)[5] = draws * boards**2
    assert worth_of_deals(tally) == pytest.approx(1 / boards)
    alone = np.zeros(tally_size(4), dtype=np.int64)
    alone[1] = draws
    assert [each.ci95 for player in estimates(tally) for each in player] == [
        pytest.approx(each.ci95) for player in estimates(alone) for each in player
    ]


@pytest.mark.parametrize(("square", "worth"), [(8, 1 / 4), (5, 1), (4, 1)])
def test_how_much_holes_decide(square, worth):
    """All of it: a deal is worth a part of its draw. Nothing, or less than that: a whole one.

    Two players win four deals a draw between them: all, none or, if each deal is a fair coin,
    4 / 2 + 4 * 3 / 4 squared on average. If each wins two of the four, boards cannot be drawn at
    random; that is not believed.
    """
    tally, draws, boards = np.zeros(tally_size(4), dtype=np.int64), 1_000_000, 4
    tally[[1, 2]] = draws // 2 * boards
    squares = np.zeros((3, 4), dtype=np.int64)
    squares[0, :2], squares[1, :2] = draws * square * POT**2, draws * square
    account_in(tally)[:] = [draws * boards**2, *squares.ravel().tolist()]
    assert worth_of_deals(tally)[:2, :2] == pytest.approx(worth, rel=1e-5)
    assert worth_of_deals(tally)[2] == pytest.approx(1 / boards)  # no tie was seen


def test_groups_of_deals_hold_whole_draws():
    """Groups and blocks end where a draw does, so none is torn."""
    for _, boards in SHARED_BOARDS:
        assert DEALS_A_GROUP % boards == BLOCK % boards == 0


def test_trials_are_dealt_apart():
    """Head-to-head multiplies over deals, so none of its deals share holes."""
    found = holdem.head_to_head(*ALIKE, deals=BLOCK, seed=1)
    expected = Sampler(make_spot(ALIKE), 1, independent=True).count(0, [BLOCK])[0]
    wins = [int(expected[1 << player]) for player in range(6)]
    assert [player.outcomes.wins for player in found.players] == wins
