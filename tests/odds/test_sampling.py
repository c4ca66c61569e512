"""Monte Carlo: the joint distribution, reproducibility, and the stated error."""

import numpy as np
import pytest
from scipy.stats import chisquare

import holdem
from holdem.evaluation.builtin import load_lookup
from holdem.evaluation.contract import EvaluatorSpec
from holdem.odds.sampling.run import MIN_BLOCKS
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import make_spot
from holdem.ranges.combos import COMBO_SETS, combo_numbers
from holdem.ranges.range import Range

# The default evaluator under another name, so that it is called with batches.
BATCHED = EvaluatorSpec("batched-lookup", "", "", {5, 6, 7}, lambda: load_lookup())

_WIDE = "22+,A2s+,KTs+,QJs,ATo+,KQo"
_FEW_LEFT = "".join(f"{rank}{suit}" for rank in "456789TJQK" for suit in "cdhs")[:70]
_ACES_FIRST = (
    "AA,A2+,"
    + ",".join(f"{rank}2+:0.02" for rank in "KQJT98765")
    + ",43:0.02,42:0.02,32:0.02,22-KK:0.02"
)
SPOTS = [
    (("AsKs", "random"), "", ""),
    (("AA:0.2,72o", "A2s+,KK:0.5"), "Td9d2c", "As"),
    (("QQ+", "TT+", "AK"), "Ks7d2c5h", ""),
    (("AsKs", "QdQh", "7c7d", "random"), "", "2c2d"),
    (("AA", "AA", "random"), "", ""),
    (("AsKs", "QdQh", "QQ+,AK:0.5"), "Td9d2c", ""),
    (("random", "QdQh"), "Ks7d2c5h", ""),
    (("AhKh", "QdQh"), "Ks7d2c5h9s", ""),
    (("random", "22+:0.5,A2s+"), "", "2h"),
    (("random", "random"), "", ""),
    (("random", "55+,A9s+:0.25", _WIDE), "Ks7d2c", "2h"),
    (("AsKs", "random", "random", "random"), "", ""),
    (("TT+,AK", "99+", "AsKs", "AQ:0.5,KK"), "", "2c"),
    (("random",) * 3, "2c2d2h2s3c", _FEW_LEFT),
    (("top 20%",) * 6, "", "2c"),
]


def _without_time(result):
    answer = result.to_dict()
    del answer["elapsed"], answer["evaluator"]
    return answer


@pytest.mark.parametrize(("players", "board", "dead"), SPOTS)
def test_same_seed_same_bits(players, board, dead):
    """Neither workers nor the evaluator's batches change the answer."""
    deals = 2 * BLOCK * 8 + 1000
    answers = [
        _without_time(
            holdem.equity(
                *players,
                board=board,
                dead=dead,
                method="monte-carlo",
                deals=deals,
                seed=7,
                **options,
            )
        )
        for options in (
            *({"workers": workers} for workers in (1, 2, 3, 8)),
            {"evaluator": BATCHED},
        )
    ]
    assert answers[0]["deals"] == deals
    assert all(answer == answers[0] for answer in answers[1:])


def test_other_seed_other_deals():
    """Two seeds give two samples, and a drawn seed reproduces its sample."""
    ask = {"method": "monte-carlo", "deals": 10_000}
    first = holdem.equity("AsKs", "QQ", seed=1, **ask)
    second = holdem.equity("AsKs", "QQ", seed=2, **ask)
    assert first.players[0].wins != second.players[0].wins
    drawn = holdem.equity("AsKs", "QQ", **ask)
    again = holdem.equity("AsKs", "QQ", seed=drawn.seed, **ask)
    assert _without_time(drawn) == _without_time(again)


@pytest.mark.parametrize(("players", "board", "dead"), SPOTS)
def test_a_run_is_the_start_of_every_longer_one(players, board, dead):
    """The deals of a block do not depend on how many of them are drawn."""
    spot = make_spot(players, board, dead)
    sampler = Sampler(spot, seed=3)
    whole = sampler.deals(5)
    for size in (1, 511, 512, 513, 1000):
        assert (whole[:size] == sampler.deals(5, size)).all()
    if spot.to_come or any(len(own) > 1 for own in spot.live):
        assert not (whole == sampler.deals(6)).all()


@pytest.mark.parametrize(("players", "board", "dead"), SPOTS)
def test_no_card_twice(players, board, dead):
    """Every deal has distinct cards, among them the known board, and no dead card."""
    spot = make_spot(players, board, dead)
    deals = np.concatenate([Sampler(spot, seed=9).deals(block) for block in range(4)])
    assert (np.sort(deals, axis=1)[:, 1:] != np.sort(deals, axis=1)[:, :-1]).all()
    assert (deals[:, : len(spot.board)] == np.array(spot.board, dtype=np.uint8)).all()
    assert not np.isin(deals, np.array(spot.dead, dtype=np.uint8)).any()
    for player in range(spot.players):
        combo = combo_numbers(deals[:, 5 + 2 * player : 7 + 2 * player])
        assert set(np.unique(combo)) <= set(spot.live[player].tolist())


def _is_plausible(seen, expected=None):
    """Return whether chi-square is below its 99.999 % quantile."""
    return chisquare(seen, expected).pvalue > 1e-5


@pytest.mark.parametrize(
    ("texts", "max_rows"),
    [
        (("AsKs", "AA:0.5,AKs,KK:0.25", "QdQh"), 65_535),  # one list
        (("AA:0.5,AKs,KK", "AA,KK:0.25,QQ", "AKs,AQs:0.1"), 65_535),  # one joint list
        (("AA:0.5,AKs,KK", "AA,KK:0.25,QQ", "AKs,AQs:0.1"), 300),  # two weighted lists
        (("22+,A2s+,K9s+,ATo+,KJo+", "22+,A2s+,K9s+,ATo+,KJo+,QTs+", "AA,KsKh"), 65_535),
        (("AA:0.5,AKs,KK", "KK,QQ", _ACES_FIRST), 300),  # every hole, at different weights
        (("AA:0.5,AKs,KK", "AA,KK:0.25,QQ", "AKs,AQs:0.1"), 0),  # a list for each player
    ],
)
def test_holes_have_the_joint_distribution(texts, max_rows, monkeypatch):
    """Holes of overlapping, weighted ranges are dealt in proportion to the product of weights."""
    monkeypatch.setattr("holdem.odds.sampling.sampler._MAX_ROWS", max_rows)
    spot = make_spot(texts)
    sampler = Sampler(spot, 3)
    deals = np.concatenate([sampler.deals(block) for block in range(15)])
    combos = combo_numbers(deals[:, 5:].reshape(len(deals), 3, 2))
    # The exact marginal of each player, by summing over all triples that fit.
    w = [spot.ranges[player].weights for player in range(3)]
    live = [np.flatnonzero(own) for own in w]
    sets = [COMBO_SETS[own] for own in live]
    fits = [
        (sets[one][:, None] & sets[other][None, :] == 0).astype(float)
        for one, other in ((0, 1), (0, 2), (1, 2))
    ]
    joint = np.einsum(
        "i,j,k,ij,ik,jk->ijk", w[0][live[0]], w[1][live[1]], w[2][live[2]], *fits, optimize=True
    )
    for player in range(3):
        axes = tuple(axis for axis in range(3) if axis != player)
        expected = joint.sum(axis=axes) / joint.sum() * len(deals)
        seen = np.array([(combos[:, player] == combo).sum() for combo in live[player]])
        possible = expected > 0
        assert (seen[~possible] == 0).all()
        if possible.sum() > 1:
            assert _is_plausible(seen[possible], expected[possible])


def test_stop_by_standard_error():
    """The run ends once the largest error is small enough, and has the minimum of blocks."""
    result = holdem.equity("AsKs", "random", method="monte-carlo", stderr=0.001, seed=7)
    assert result.stop == "stderr"
    assert max(player.stderr for player in result.players) <= 0.001
    assert result.deals % BLOCK == 0
    early = holdem.equity("AsKs", "random", method="monte-carlo", stderr=0.5, seed=7)
    assert early.deals == MIN_BLOCKS * BLOCK
    again = holdem.equity("AsKs", "random", method="monte-carlo", deals=result.deals, seed=7)
    assert again.players[0].wins == result.players[0].wins


@pytest.mark.usefixtures("immediate_bars")
def test_progress_shows_the_error(capsys):
    """The progress bar shows the deals and the standard error of the result."""
    result = holdem.equity("AsKs", "QQ", method="monte-carlo", deals=BLOCK, seed=1, progress=True)
    bar = capsys.readouterr().err
    assert f"standard error {result.players[0].stderr:.6f}" in bar
    assert "16.4k/16.4k" in bar


@pytest.mark.usefixtures("immediate_bars")
def test_progress_counts_the_next_cards(capsys):
    result = holdem.equity("AsKs", "QQ", board="Td9d2c", method="monte-carlo", deals=BLOCK, seed=1)
    result.compute("next-card", progress=True)
    assert "| 47.0/47.0 [" in capsys.readouterr().err  # two cards are player 1's, three the board's


def test_stop_by_time():
    """A run stopped by time is the same as one of that many deals."""
    result = holdem.equity("AsKs", "random", method="monte-carlo", time=0.05, seed=7)
    assert result.stop == "time"
    again = holdem.equity("AsKs", "random", method="monte-carlo", deals=result.deals, seed=7)
    assert [p.to_dict() for p in result.players] == [p.to_dict() for p in again.players]


def test_full_range_object():
    """A range of all combos with one weight is drawn from the deck like `random`."""
    half = Range.from_weights(np.full(1326, 0.5))
    one = holdem.equity("AsKs", half, method="monte-carlo", deals=10_000, seed=4)
    other = holdem.equity("AsKs", "random", method="monte-carlo", deals=10_000, seed=4)
    assert one.players[0].wins == other.players[0].wins


@pytest.mark.parametrize("weight", [1e-100, 1e-155, 1e-200, 1e-300])
def test_products_of_small_weights(weight):
    """One of three holds AsKs, each as often, and so in everything that samples.

    Two hold the other pair, whose weights multiply to as little as 0; the shares are exact below.
    """
    pairs = ("QhQd", "JhJd", "ThTd")
    players = [Range.from_combos({"AsKs": 1.0, pair: weight}) for pair in pairs]
    held = holdem.deal(*players, hands=20_000, seed=1).hole.astype(int)
    holds = np.sort(held, axis=2)[:, :, 1] == int(holdem.Card("As"))
    assert holds.any(axis=1).all()
    assert np.abs(holds.mean(axis=0) - 1 / 3).max() < 4 * (2 / 9 / 20_000) ** 0.5
    exact = np.mean(
        [
            [player.equity for player in holdem.equity(*pairs[:n], "AsKs", *pairs[n + 1 :]).players]
            for n in range(3)
        ],
        axis=0,
    )
    options = {"deals": 20_000, "seed": 1}
    sampled = holdem.equity(*players, method="monte-carlo", **options).players
    counted = holdem.head_to_head(*players, **options).players
    for player, own in enumerate(exact):
        share = holdem.estimate(lambda h, n=player: h.share[:, n], *players, hands=20_000, seed=2)
        for found in (sampled[player].equity, counted[player].equity, share.mean):
            assert found == pytest.approx(own, abs=4 * 0.5 / 20_000**0.5)


def test_small_weights_that_take_too_many_draws():
    """Beside long lists, what is lost in products is refused, since it's hardly ever drawn."""
    weights = np.where(Range("22+,A2+,K2+,Q2+").weights > 0, 1e-155, 0)
    weights[Range("AsKs").weights > 0] = 1
    players = [Range.from_weights(weights)] * 4
    with pytest.raises(holdem.BudgetError, match="share so many cards"):
        holdem.deal(*players, hands=10)
