"""Classes of boards: every combo's totals are those of plain enumeration and of other methods."""

from fractions import Fraction
from math import comb, isqrt

import numpy as np
import pytest

import holdem
from games import GAMES
from holdem.jobs.workers import Workers
from holdem.odds.exact.board_classes import BoardClasses
from holdem.odds.exact.method import sum_over_combos
from holdem.odds.exact.ranked_boards import RankedBoards
from holdem.odds.exact.several_ranges import SeveralRanges
from holdem.odds.plan import make_plan
from holdem.odds.spot import make_spot
from holdem.ranges.combos import COMBO_CARDS
from holdem.ranges.range import Range
from spots import check_totals, run_method, spot_of


def _spots(count, size, players, seed):
    """Generate spots of whole pairs of ranks and known hands, from the cards of five ranks.

    Each player has a known hand, or a range of one or two pairs of ranks with weights of 1 to 4
    quarters; some have the same.
    """
    rng = np.random.default_rng(seed)
    ranks = COMBO_CARDS >> 2
    for number in range(count):
        five = rng.permutation(13)[:5]
        cards = rng.permutation((4 * five[:, None] + np.arange(4)).ravel())
        board, rest = cards[:size].tolist(), cards[size:]
        known = int(rng.integers(0, players - 1)) if number % 2 else 0
        # Before the flop, and with many players, few cards are left.
        dropped = {0: 3, 3: 1}.get(size, 0) if number % 3 else 0
        dead = np.setdiff1d(np.arange(52), [*board, *rest[: len(rest) - dropped]]).tolist()
        weights = np.zeros((players, 1326))
        for player, own in enumerate(weights):
            if player < known:
                hand = sorted(rest[2 * player : 2 * player + 2].tolist(), reverse=True)
                own[(COMBO_CARDS == hand).all(axis=1)] = 1
                continue
            for _ in range(int(rng.integers(1, 3 if size > 3 and players < 4 else 2))):
                pair = sorted(rng.choice(five, 2).tolist(), reverse=True)
                own[(ranks == pair).all(axis=1)] = rng.integers(1, 5) / 4
        if number % 4 == 3:
            weights[known + 1 :] = weights[known]
        yield weights[rng.permutation(players)], tuple(board), tuple(dead)


@pytest.mark.parametrize(
    ("size", "players", "count", "least"),
    [
        *[(5, 2, 8, 5), (5, 3, 12, 8), (5, 4, 16, 3), (4, 2, 4, 2), (4, 3, 6, 3), (3, 3, 4, 2)],
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in [(5, 4, 40, 15), (4, 4, 12, 4), (3, 3, 12, 7), (0, 2, 6, 4), (0, 3, 4, 2)]
        ),
    ],
)
def test_plain_enumeration(size, players, count, least):
    """All totals of every combo are exact, with known hands, dead cards and weights."""
    played = 0
    for spot in _spots(count, size, players, seed=10 * size + players):
        played += check_totals([BoardClasses], *spot) > 0
    assert played >= least


def _figures(totals):
    names = ("combos", "wins", "ties", "losses", "shares")
    return [[getattr(own, name).tolist() for name in names] for own in totals]


@pytest.mark.parametrize(
    ("players", "board", "dead"),
    [
        (("random", "random", "random"), "Ks7s2d", "As 9c"),
        (("AK:0.5,QQ", "random:0.25", "random"), "Kd7d2d9h", ""),
        (("A5,K3:0.03", "random", "A5,K3:0.03"), "8c8d8h2s", ""),
        (("random", "random", "random", "random"), "Ks7d2c9h4s", ""),
        (("AK,QQ", "22,33,T9:0.75", "random", "QQ"), "Th9h2h3c", "Ah"),
    ],
)
def test_sweeps_over_boards(players, board, dead):
    """The totals are those of the sweep over all boards, to the last bit."""
    spot = make_spot(players, board, dead)
    expected, found = (run_method(method(spot)) for method in (SeveralRanges, BoardClasses))
    assert _figures(found) == _figures(expected)


@pytest.mark.parametrize(
    ("players", "board"),
    [
        (("AsKs", "QQ,87", "TT,KQ"), "Ts9s2d4h"),
        (("AsKs", "QhQd", "JJ,T9", "JJ,T9"), "Ts9s2d4h3c"),
        (("AcKc", "AdKd", "AK,QJ:0.5", "22"), "AsTs2s9h"),
        (("AK", "QJ,TT"), "Ts9s2s4h"),
    ],
)
def test_by_category(players, board):
    """The sums by category are those of boards that are ranked one by one."""
    found = []
    for method in (RankedBoards, BoardClasses):
        own = method(make_spot(players, board), by_category=True)
        own.prepare()
        for task in own.tasks():
            own.add(task.call(Workers(1)))
        found.append(np.array(own.category_sums()))
    assert (found[0] > 0).sum() > 10
    np.testing.assert_allclose(found[1], found[0], rtol=1e-13)


@pytest.mark.parametrize("rules", ["short-deck", *GAMES], ids=str)
def test_other_rules(rules):
    """Strengths are those of the rule set; a suit has only the ranks of its deck."""
    spot = make_spot(("AsKs", "AK,QQ", "random"), "TsJsAd", "Qc", rules)
    found = _figures(run_method(BoardClasses(spot)))
    assert found == _figures(run_method(SeveralRanges(spot)))


@pytest.mark.parametrize(
    ("players", "wins", "ties"),
    [
        (("AsKs", "random", "random"), 943_971_570_012, 36_393_602_532),
        (("random", "random", "random"), 798_625_530_002_304, 84_396_351_547_224),
        pytest.param(
            ("AsKs", "random", "random", "random"),
            *(629_544_811_571_082, 30_790_574_985_006),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ("random", "random", "random", "random"),
            *(486_913_440_812_634_864, 62_135_581_195_307_376),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_random_hands_before_the_flop(players, wins, ties):
    """The counts are those of other programs, and all pots are paid out."""
    spot = make_spot(players)
    totals = run_method(BoardClasses(spot))
    sums = [sum_over_combos(spot, *own) for own in enumerate(totals)]
    assert (sums[0].wins, sums[0].ties) == (wins, ties)
    assert sum(own.share for own in sums) == pytest.approx(sums[0].deals, rel=1e-14)


@pytest.mark.parametrize(
    ("players", "board"),
    [
        (("random", "random"), "Ks7d2c"),
        (("random", "random", "random"), "Ks7d2c"),
        (("AsKs", "random", "random"), "Qs7s2c"),
        (("22+", "A2+", "random"), ""),
        (("random", "random"), "Ks7d2c9h4s"),
        (("AKs", "random", "random"), "Ks7d2c"),
    ],
)
def test_choice(players, board):
    """Classes are chosen where no range tells suits apart, except for a single board."""
    chosen = make_plan(make_spot(players, board)).chosen.method
    is_plain = "AKs" not in players and len(board) < 10
    assert (chosen is BoardClasses) == is_plain


def test_sums_that_do_not_fit():
    """Sums that might reach 2^63 are refused; those just below are exact."""
    board = holdem.parse_cards("Ks7d2c9h4s")
    # 16 hands, 2^2 for two opponents and 990 * 903 ways to hold their cards.
    most = isqrt(((1 << 63) - 1) // (16 * 4 * comb(45, 2) * comb(43, 2)))
    for largest, fits in ((most, True), (most + 1, False)):
        weights = Range("AQ").weights + largest * Range("TT").weights
        weights = np.array([weights / (1 << 20)] * 3)
        assert (BoardClasses.cost(spot_of(weights, board)) is not None) is fits
        if fits:
            assert check_totals([BoardClasses], weights, board, (), Fraction(4, 2**53))
