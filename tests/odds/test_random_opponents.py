"""The table of a known hand against two and three random hands before the flop."""

import subprocess
import sys

import numpy as np
import pytest

import holdem
from holdem.odds.exact.board_classes import BoardClasses
from holdem.odds.exact.random_opponents import RandomOpponents, count_all_deals
from holdem.odds.spot import make_spot
from holdem.ranges.combos import CLASS_SIZES
from holdem.ranges.opponents_table import SHARES, random_opponents_table
from spots import run_method


def test_sums_over_all_hands():
    """Summed over all hands, a seat wins and ties as often as one of three or four random hands.

    The integers are those of other programs; what the opponents win adds up to the same.
    """
    sums = (random_opponents_table() * CLASS_SIZES).sum(axis=2).tolist()
    three = [798_625_530_002_304, 84_396_351_547_224]
    four = [486_913_440_812_634_864, 62_135_581_195_307_376]
    for (won, tied, share, *others), expected, players in zip(
        sums, (three, four), (3, 4), strict=True
    ):
        assert [won, tied] == others == expected
        assert share * players == 1326 * SHARES * count_all_deals(players - 1)


@pytest.mark.parametrize(
    ("opponents", "won", "tied"),
    [(2, 943_971_570_012, 36_393_602_532), (3, 629_544_811_571_082, 30_790_574_985_006)],
)
def test_ace_king_suited(opponents, won, tied):
    """The integers are those of a program that has nothing in common with this one."""
    result = holdem.equity("AsKs", *["random"] * opponents)
    first, *others = result.players
    assert (result.exact, first.wins, first.ties) == (True, won, tied)
    assert result.deals == first.wins + first.ties + first.losses == count_all_deals(opponents)
    assert sum(player.equity for player in result.players) == pytest.approx(1, abs=1e-15)
    assert all(player.wins == others[0].wins for player in others)


@pytest.mark.parametrize("hand", ["7h7d", "Jc4c", "Ah2d"])
def test_against_classes_of_boards(hand):
    """What the method that made the table finds for other suits, at another seat."""
    players = ("random", hand, "random")
    looked_up = RandomOpponents(make_spot(players)).player_sums()
    totals = run_method(BoardClasses(make_spot(players)))
    for sums, own in zip(looked_up, totals, strict=True):
        counted = [own.wins.sum(), own.ties.sum(), own.losses.sum(), own.shares.sum()]
        np.testing.assert_allclose(sums, counted, rtol=1e-14)
        assert sums[:3] == tuple(map(int, counted[:3]))


def test_when_it_applies():
    for players, options in [
        (("AsKs", "random"), {}),
        (("AsKs", "QhQd", "random"), {}),
        (("AA", "random", "random"), {}),
        (("AsKs", "random:0.5", "random"), {}),
        (("AsKs", "random", "random"), {"dead": "2c"}),
        (("AsKs", "random", "random"), {"board": "2c"}),
        (("AsKs", "random", "random"), {"evaluator": "short-deck"}),
        (("AsKs", *["random"] * 4), {}),
    ]:
        assert RandomOpponents.cost(make_spot(players, **options)) is None
    spot = make_spot(("random", "AsKs", "random"))
    assert RandomOpponents.cost(spot) == 1
    assert RandomOpponents.cost(spot, by_category=True) is None


def test_reports_are_of_the_same_deals():
    result = holdem.equity("AsKs", "random", "random")
    for player in result.players:
        table = player.by_class
        assert table.equity[table.combos > 0].min() > 0
        by_category = player.by_category
        assert np.nansum(by_category.share * by_category.equity) == pytest.approx(player.equity)


def test_nothing_is_compiled():
    """The answer imports no numba."""
    code = (
        "import sys, holdem; holdem.equity('AsKs', 'random', 'random', 'random');"
        " assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
