"""The table of a range against two to five random hands before the flop."""

import json
import math
import pickle
import subprocess
import sys
from itertools import combinations
from unittest.mock import patch

import numpy as np
import pytest

import holdem
from holdem.cli import run
from holdem.odds.exact.board_classes import BoardClasses
from holdem.odds.exact.candidates import list_candidates
from holdem.odds.exact.method import sum_over_combos
from holdem.odds.exact.random_opponents import RandomOpponents
from holdem.odds.spot import make_spot
from holdem.ranges.combos import CLASS_SIZES
from holdem.ranges.opponents_table import (
    OPPONENTS,
    SHARES,
    count_all_deals,
    random_opponents_table,
)
from naive import rank_by_rule_book
from spots import run_method


@pytest.mark.parametrize("opponents", OPPONENTS)
def test_sums_over_all_hands(opponents):
    """Summed over all hands, a seat has an equal part of the pots.

    It wins and ties as often as one of three or four random hands, in the integers of other
    programs; what the opponents win adds up to the same.
    """
    table = random_opponents_table(opponents)
    won, tied, share, *others = (
        None if None in column else sum(map(int.__mul__, CLASS_SIZES.tolist(), column))
        for column in zip(*table, strict=True)
    )
    expected = {
        2: (798_625_530_002_304, 84_396_351_547_224),
        3: (486_913_440_812_634_864, 62_135_581_195_307_376),
    }
    assert share * (opponents + 1) == 1326 * SHARES * count_all_deals(opponents)
    if opponents in expected:
        assert (won, tied) == tuple(others) == expected[opponents]
    for own in table:
        # Of a pot that is tied, at most a half and at least an equal part.
        assert SHARES * own.won + SHARES * own.tied / (opponents + 1) <= own.share
        assert own.share <= SHARES * own.won + SHARES * own.tied / 2


ACE_KING = {
    2: (943_971_570_012, 36_393_602_532),
    3: (629_544_811_571_082, 30_790_574_985_006),
    4: (397_187_326_632_947_184, 22_827_499_594_953_912),
    5: (231_314_277_160_454_069_520, 15_088_320_535_801_841_640),
}


@pytest.mark.parametrize("opponents", OPPONENTS)
def test_ace_king_suited(opponents):
    """The integers are those of a program that has nothing in common with this one."""
    result = holdem.equity("AsKs", *["random"] * opponents)
    first, *others = result.players
    assert (result.exact, first.wins, first.ties) == (True, *ACE_KING[opponents])
    assert result.deals == first.wins + first.ties + first.losses == count_all_deals(opponents)
    assert sum(player.equity for player in result.players) == pytest.approx(1, abs=1e-15)
    if opponents < 4:
        assert all(player.wins == others[0].wins for player in others)


@pytest.mark.parametrize(
    "hand",
    ["7h7d", "Jc4c", "Ah2d", "9h9d:0.5", pytest.param("8h7h,Kc5d:0.25", marks=pytest.mark.slow)],
)
def test_against_other_methods(hand):
    """Of one hand, against the method that made the table; of other suits, at another seat."""
    players = ("random", hand, "random")
    spot = make_spot(players)
    looked_up = RandomOpponents(spot).player_sums()
    other = list_candidates(spot)[1].method(spot)
    assert ("," in hand) != isinstance(other, BoardClasses)
    totals = run_method(other)
    for seat, (sums, own) in enumerate(zip(looked_up, totals, strict=True)):
        counted = [own.wins.sum(), own.ties.sum(), own.losses.sum(), own.shares.sum()]
        if ":" in hand:
            counted = sum_over_combos(spot, seat, own)
        np.testing.assert_allclose(sums, counted, rtol=1e-14)
        if ":" not in hand:
            assert sums[:3] == tuple(map(int, counted[:3]))


@pytest.mark.parametrize("opponents", OPPONENTS)
def test_a_range_against_samples(opponents):
    players = ("random", "A5s-A2s:0.5,77+,KQo", *["random"] * (opponents - 1))
    exact = holdem.equity(*players)
    sampled = holdem.equity(*players, method="monte-carlo", seed=opponents)
    assert exact.exact
    for own, drawn in zip(exact.players, sampled.players, strict=True):
        assert abs(own.equity - drawn.equity) < 4 * drawn.stderr
        for name in ("win", "tie"):
            of_all, of_some = getattr(own, name), getattr(drawn, name)
            assert math.isnan(of_all) == (opponents > 3 and own.range == "random")
            assert not abs(of_all - of_some) > 4 * getattr(drawn, f"{name}_stderr")
    combos, groups = exact.players[1].by_combo, exact.players[1].by_class
    assert not combos.stderr.any()
    for table, weight in ((combos, combos.weight), (groups, groups.weight * groups.combos)):
        for name in ("equity", "win", "tie", "lose"):
            mean = np.average(getattr(table, name), weights=weight)
            assert mean == pytest.approx(getattr(exact.players[1], name), abs=1e-14)
    known = holdem.equity("KdQh", *["random"] * opponents).players[0]
    assert groups.equity[list(groups.name).index("KQo")] == pytest.approx(known.equity)


@pytest.mark.parametrize("opponents", OPPONENTS)
def test_random_hands_share_equally(opponents):
    result = holdem.equity(*["random"] * (opponents + 1))
    first = result.players[0]
    assert result.equities.tolist() == pytest.approx([1 / (opponents + 1)] * (opponents + 1))
    assert all((own.wins, own.ties) == (first.wins, first.ties) for own in result.players)
    assert result.deals == 1326 * count_all_deals(opponents)
    if opponents < 4:  # each combo's wins fit a double, and their sum does not
        spot = make_spot(("random",) * (opponents + 1))
        totals = RandomOpponents(spot).known_totals()[opponents]
        assert sum_over_combos(spot, opponents, totals)[:2] == (first.wins, first.ties)
    aces = holdem.equity("AsAh", *["random"] * opponents).players[0].equity
    found = [own.by_class.equity[0] for own in result.players]
    assert found == pytest.approx([aces] * (opponents + 1), abs=1e-14)


def test_what_may_be_sampled(capsys):
    """Reports that the table does not have: within the budget by another method, else sampled."""
    few, many = (holdem.equity("7d7h", *["random"] * count) for count in (2, 4))
    assert not few.players[1].by_combo.stderr.any()
    assert many.players[1].by_combo.stderr.all()
    other = holdem.equity("7d7h", "random", "random", method="exact", time=60)
    assert other.players[1].by_combo.stderr.all()
    assert run(["equity", "AA", *["random"] * 4, "--by", "class"]) == 0
    titles = [line for line in capsys.readouterr().out.splitlines() if "by class" in line]
    assert ["sampled with seed 0" in title for title in titles] == [False, *[True] * 4]
    assert holdem.equity("top 20%", "random", "random").players[1].by_class.stderr.any()


def test_pickled_reports_need_no_second_run():
    result = holdem.equity("7d7h", "random", "random")
    result.compute("combo")
    again = pickle.loads(pickle.dumps(result))
    with patch("holdem.odds.late_breakdowns.run", side_effect=AssertionError):
        assert again.players[1].by_combo == result.players[1].by_combo


def test_when_it_applies():
    for players, options in [
        (("AsKs", "random"), {}),
        (("AsKs", "QhQd", "random"), {}),
        (("AA", "KK", "random"), {}),
        (("AsKs", "random:0.5", "random"), {}),
        (("AsKs", "random", "random"), {"dead": "2c"}),
        (("AsKs", "random", "random"), {"board": "2c"}),
        (("AsKs", "random", "random"), {"evaluator": "short-deck"}),
        (("AsKs", *["random"] * 6), {}),
    ]:
        assert RandomOpponents.cost(make_spot(players, **options)) is None
    spot = make_spot(("random", "AsKs", "random"))
    assert RandomOpponents.cost(spot) == 1
    assert RandomOpponents.cost(spot, by_category=True) is None
    assert RandomOpponents.cost(make_spot(("random", "random", "AA:0.5"))) == 1


def test_reports_are_of_the_same_deals():
    result = holdem.equity("AsKs", "random", "random")
    for player in result.players:
        table = player.by_class
        assert table.equity[table.combos > 0].min() > 0
        by_category = player.by_category
        assert np.nansum(by_category.share * by_category.equity) == pytest.approx(player.equity)


@pytest.mark.parametrize("opponents", [4, 5])
def test_random_hands_have_an_equity_only(opponents):
    """What the table does not have of them is missing, and breakdowns are sampled, with errors."""
    result = holdem.equity("random", "QhQd", *["random"] * (opponents - 1))
    other, known = result.players[:2]
    assert result.exact
    assert 0 < other.equity < known.equity < known.win + known.tie
    assert all(math.isnan(getattr(other, name)) for name in ("wins", "ties", "losses", "win"))
    assert other.to_dict()["win"] is other.to_dict()["tie_ci95"] is None
    assert str(result).count(" -  ") == opponents
    assert "of random hands, the equity only" in " ".join(str(result).split())
    for player in (other, known):
        table = player.by_category
        error = math.sqrt(np.nansum((table.share * table.stderr) ** 2) + 5e-4**2)
        assert np.nansum(table.share * table.equity) == pytest.approx(player.equity, abs=5 * error)
        assert np.nanmin(table.stderr) > 0
    widths = [bar.get_width() for bar in result.plot().patches]
    assert widths.count(pytest.approx(100 * other.equity)) == opponents
    frame = result.to_frame()
    assert frame.deals[0] == min(result.deals, 2**63 - 1)
    assert frame.win.isna().tolist() == [True, False, *[True] * (opponents - 1)]
    for library in ("polars", "pyarrow"):
        wins = result.to_frame(library)["wins"].to_numpy()
        assert wins[1] == known.wins
        assert np.isnan(np.delete(wins, 1).astype(float)).all()
    many = holdem.equities(["random"], ["QhQd"], *[["random"]] * (opponents - 1))
    assert many.equity[0].tolist() == result.equities.tolist()
    assert many.deals[0] == frame.deals[0]
    assert many[0] == many[0]
    (spot,) = json.loads(json.dumps(many.to_dict(), allow_nan=False))["spots"]
    assert spot["win"] == [None, known.win, *[None] * (opponents - 1)]


def _share_of_the_best(strengths, hands, opponents, used=frozenset(), tied=1):
    """Sum wins, ties and shares in sixtieths over all ways to hold opponents' hands."""
    if opponents == 0:
        return np.array([tied == 1, tied > 1, SHARES // tied])
    sums = np.zeros(3, np.int64)
    for hand, difference in zip(hands, strengths, strict=True):
        if difference <= 0 and not used & hand:
            equal = tied + (difference == 0)
            sums += _share_of_the_best(strengths, hands, opponents - 1, used | hand, equal)
    return sums


@pytest.mark.slow
@pytest.mark.parametrize("opponents", [4, 5])
def test_what_made_the_table(opponents):
    """On decks of five ranks, it is plain enumeration for five and six players."""
    from make_random_opponents import count_own

    rng, found = np.random.default_rng(opponents), np.zeros(3)
    for size in (5, 5, 5, 4)[: 8 - opponents]:
        ranks = rng.permutation(13)[:5]
        cards = rng.permutation((4 * ranks[:, None] + np.arange(4)).ravel())
        used = 2 + size + 2 * opponents + 1 + (5 - size)
        hole, board, rest = cards[:2], cards[2 : 2 + size], cards[2 + size : used]
        hole = -np.sort(-hole)
        dead = np.setdiff1d(np.arange(52), cards[:used])
        sums = np.zeros(3, np.int64)
        for runout in combinations(rest.tolist(), 5 - size):
            final = [*board.tolist(), *runout]
            hands = [*combinations([card for card in rest.tolist() if card not in runout], 2)]
            own = rank_by_rule_book([*final, *hole.tolist()])
            ranked = [rank_by_rule_book([*final, *hand]) for hand in hands]
            order = [(each > own) - (each < own) for each in ranked]
            sums += _share_of_the_best(order, [*map(frozenset, hands)], opponents)
        arrays = (each.astype(np.uint8) for each in (hole, board, dead))
        hole, board, dead = arrays
        assert count_own(hole, opponents, board, dead) == sums.tolist()
        found += sums
    assert (found > 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("hand", ["7h7d", "Jc4c", "Ah2d"])
@pytest.mark.parametrize("opponents", [4, 5])
def test_against_samples(opponents, hand):
    players = (hand, *["random"] * opponents)
    exact = holdem.equity(*players)
    sampled = holdem.equity(*players, method="monte-carlo", deals=2 * 10**8, seed=opponents)
    for name, error in (("equity", "stderr"), ("win", "win_stderr"), ("tie", "tie_stderr")):
        own, drawn = (getattr(each.players[0], name) for each in (exact, sampled))
        assert abs(own - drawn) < 4 * getattr(sampled.players[0], error)


def test_nothing_is_compiled():
    """The answer imports no numba."""
    code = (
        "import sys, holdem; holdem.equity('AsKs', 'random', 'random', 'random');"
        " assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
