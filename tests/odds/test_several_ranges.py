"""Three and four ranges: every combo's totals equal those of plain enumeration."""

from fractions import Fraction
from functools import partial
from math import comb

import numpy as np
import pytest

from holdem.cards import card_set, parse_cards
from holdem.evaluation.builtin.lookup_tables import tables_of
from holdem.jobs.workers import Workers
from holdem.odds.exact.known_hands import count_known_hands
from holdem.odds.exact.ranked_boards import RankedBoards
from holdem.odds.exact.several_ranges import SeveralRanges
from holdem.odds.tally import outcomes
from holdem.ranges.combos import CLASS_INDEX, CLASS_OF_COMBO, COMBO_CARDS, COMBO_SETS
from holdem.rules import STANDARD
from spots import check_totals, generate_spots, run_method, spot_of

FIGURES = ("wins", "ties", "losses", "shares")

SEVEN = tables_of(STANDARD).seven


def _cards(text):
    return tuple(map(int, parse_cards(text)))


def _sums(weights, board=(), dead=(), by_pairs=False):
    return run_method(_method(spot_of(weights, board, dead), by_pairs))


def _method(spot, by_pairs):
    method = SeveralRanges(spot)
    method.by_pairs = by_pairs
    return method


def _both(weights, board, dead):
    """Return the totals by combos and, of three players, by pairs."""
    ways = (False, True) if len(weights) == 3 else (False,)
    return [_sums(weights, board, dead, by_pairs) for by_pairs in ways]


def _prepared(weights, board=(), dead=()):
    method = SeveralRanges(spot_of(weights, board, dead))
    method.prepare()
    return method


def _spots_of_four(count, size, seed):
    """Generate spots as `generate_spots` does, but with at most five combos a player."""
    rng = np.random.default_rng(seed)
    for weights, board, dead in generate_spots(count, 4, size, seed):
        for own in weights:
            own[rng.permutation(np.flatnonzero(own))[5:]] = 0
        yield weights, board, dead


def _classes(*names):
    """Return the weights of whole classes of hands."""
    return np.isin(CLASS_OF_COMBO, [CLASS_INDEX[name] for name in names]).astype(float)


def _check(weights, board, dead, tolerance=Fraction(0)):
    """Compare all players' totals, by combos and by pairs; return the number of deals."""
    by_combos = (False, True) if len(weights) == 3 else (False,)
    ways = [partial(_method, by_pairs=by_pairs) for by_pairs in by_combos]
    return check_totals(ways, weights, board, dead, tolerance)


@pytest.mark.parametrize(
    ("size", "count", "least"),
    [
        *[(5, 30, 18), (4, 9, 6), (3, 3, 2), (0, 6, 3)],
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in [(5, 200, 120), (4, 60, 40), (3, 12, 8), (0, 24, 15)]
        ),
    ],
)
def test_plain_enumeration(size, count, least):
    """Wins, ties and losses of every combo are exact, with dead cards and blockers."""
    played = sum(_check(*spot) > 0 for spot in generate_spots(count, 3, size, seed=100 + size))
    assert played >= least


@pytest.mark.parametrize(
    ("size", "count", "least"),
    [(5, 24, 8), (4, 12, 4), pytest.param(3, 4, 1, marks=pytest.mark.slow)],
)
def test_plain_enumeration_of_four(size, count, least):
    """With four players, too; some of them have the same range."""
    rng = np.random.default_rng(size)
    played = 0
    for weights, board, dead in _spots_of_four(count, size, seed=400 + size):
        weights[1:] = weights[1:][rng.integers(0, 3, 3)]  # some have the same range
        played += _check(weights, board, dead) > 0
    assert played >= least


@pytest.mark.parametrize(
    ("unit", "size", "players"), [(8, 5, 3), (100, 4, 3), (100, 0, 3), (8, 5, 4), (100, 4, 4)]
)
def test_short_decimals(size, unit, players):
    """With weights in eighths or hundredths all sums are exact; quotients are rounded."""
    rng = np.random.default_rng(unit + size)
    generate = _spots_of_four if players == 4 else partial(generate_spots, players=3)
    for held, board, dead in generate(count=4, size=size, seed=200 + size):
        weights = held * rng.integers(1, unit + 1, held.shape) / unit
        # A weight of 0.07 is itself rounded, and so are products and quotients: 4 roundings.
        if _check(weights, board, dead, Fraction(4, 2**53) if unit == 100 else Fraction(0)):
            assert _prepared(weights, board, dead).is_exact


@pytest.mark.parametrize(("size", "players"), [(5, 3), (0, 3), (5, 4)])
def test_any_weights(size, players):
    """With any weights the error is below 1e-12 of a combo's deals."""
    rng = np.random.default_rng(size)
    generate = _spots_of_four if players == 4 else partial(generate_spots, players=3)
    for held, board, dead in generate(count=5, size=size, seed=300 + size):
        weights = held * rng.uniform(0.01, 1, held.shape)
        if _check(weights, board, dead, Fraction(1, 10**12)):
            assert not _prepared(weights, board, dead).is_exact


@pytest.mark.parametrize(("size", "players"), [(5, 3), (4, 3), (5, 4), (4, 4)])
def test_thirds(size, players):
    """Weights in thirds, which no integers express, are as exact as doubles are."""
    rng = np.random.default_rng(players)
    generate = _spots_of_four if players == 4 else partial(generate_spots, players=3)
    played = 0
    for held, board, dead in generate(count=4, size=size, seed=500 + size):
        weights = held * rng.integers(1, 4, held.shape) / 3
        played += _check(weights, board, dead, Fraction(1, 10**13 if players == 3 else 10**11)) > 0
    assert played > 1


@pytest.mark.parametrize("players", [3, 4])
def test_thirds_of_different_sizes(players):
    """Where a combo blocks the large weights, the error is relative to them, too."""
    rng, played = np.random.default_rng(players), 0
    generate = _spots_of_four if players == 4 else partial(generate_spots, players=3)
    for held, board, dead in generate(count=8, size=5, seed=505):
        weights = held * rng.choice([1 / 3, 2 / 3, 1 / 96], held.shape)
        tolerance = Fraction(2, 10**12 if players == 3 else 10**10)
        played += _check(weights, board, dead, tolerance) > 0
    assert played > 2


@pytest.mark.parametrize("players", [3, 4])
def test_tiny_weights(players):
    """Weights below 0.01 are another method's, to which a billionth is a weight like any other."""
    generate = _spots_of_four if players == 4 else partial(generate_spots, players=3)
    played = 0
    for held, board, dead in generate(count=8, size=5, seed=600 + players):
        weights = held.copy()
        weights[0] *= np.where(np.cumsum(held[0]) % 2, 1e-9, 1)
        if check_totals([RankedBoards], weights, board, dead, Fraction(1, 10**13)):
            assert SeveralRanges.cost(spot_of(weights, board, dead)) is None
            played += 1
    assert played > 2


@pytest.mark.parametrize("board", ["9s8s2s", "9s9d2c"])
def test_canonical_boards(board):
    """Symmetric ranges are swept over canonical boards; the totals do not change."""
    weights = np.stack([_classes("AA"), _classes("99", "A5s"), _classes("T9s")])
    boards = _prepared(weights, _cards(board)).boards
    assert len(boards.cards) < 1176 == boards.orbit_sizes.sum()
    _check(weights, _cards(board), ())


def test_three_random_hands_on_a_flop():
    """Three random hands have equal totals, and every deal is counted once."""
    found = _sums(np.ones((3, 1326)), _cards("Ks7d2c"))
    deals = comb(47, 2) * comb(45, 2) * comb(43, 2)
    for sums in found:
        assert set(sums.deals.tolist()) == {deals}
        for name in ("wins", "ties", "losses"):
            assert getattr(found[0], name).tolist() == getattr(sums, name).tolist()
    # Thirds are rounded once a combo: 1,176 roundings of half a unit in the last place.
    everything = 1176 * deals
    assert abs(found[0].shares.sum() - everything / 3) <= everything * 1176 * 2.0**-53


def test_equal_ranges():
    """Players with equal weights have the totals of the general case, whoever is third."""
    equal, other = _classes("KQs", "88"), _classes("AA", "T9s")
    for order in ([0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 0]):
        weights = np.stack([(equal, other)[which] for which in order])
        _check(weights, _cards("Ts9d2c4h"), ())


def test_four_random_hands_on_a_turn():
    """Every deal is counted once, and a quarter of all pots is each player's."""
    sums, *others = _sums(np.ones((4, 1326)), _cards("Ks7d2c9h"))
    assert all(own is sums for own in others)
    deals = comb(46, 2) * comb(44, 2) * comb(42, 2) * 40
    assert set(sums.deals.tolist()) == {deals}
    assert abs(sums.shares.sum() - 1128 * deals / 4) <= 1128 * deals * 2.0**-50


def test_known_hands_before_the_flop():
    """Before the flop the totals are those of known hands."""
    dead = _cards("Ad")
    weights = np.stack([_classes("AA") / 2, _classes("KK", "AKs"), _classes("QJs") / 4])
    gone = np.uint64(card_set(dead))
    players = [np.flatnonzero((own > 0) & (COMBO_SETS & gone == 0)) for own in weights]
    combos = np.stack([axis.ravel() for axis in np.meshgrid(*players, indexing="ij")], axis=1)
    taken = np.bitwise_or.reduce(COMBO_SETS[combos], axis=1)
    combos = combos[np.bitwise_count(taken) == 6]
    counts = count_known_hands(SEVEN, COMBO_CARDS[combos], int(gone))
    expected = outcomes(3).astype(np.int64) @ counts.T  # outcome, player, match-up
    for player, sums in [found for each in _both(weights, (), dead) for found in enumerate(each)]:
        rest = np.prod([weights[m, combos[:, m]] for m in range(3) if m != player], axis=0)
        for outcome, name in enumerate(FIGURES[:3]):
            by_combo = np.bincount(combos[:, player], rest * expected[outcome, player], 1326)
            assert by_combo[sums.combos].tolist() == getattr(sums, name).tolist()


@pytest.mark.parametrize("by_pairs", [False, True])
def test_order_of_tasks(by_pairs):
    """The same spot gives the same bits again; integer sums do in any order of tasks."""
    rng = np.random.default_rng(8)
    held = rng.random((3, 1326)) < [[0.02], [0.05], [0.9]]
    odd = np.where(held, rng.random((3, 1326)), 0.0)
    even = np.where(odd > 0, 1.0, 0.0)
    for weights in (odd, even):
        spot = spot_of(weights, _cards("Ks7d2c"))
        totals = []
        for order in (list, list if weights is odd else reversed):
            method = _method(spot, by_pairs)
            method.prepare()
            tasks = list(method.tasks())
            assert len(tasks) > 3
            for task in order(tasks):
                method.add(task.call(Workers(1)))
            totals.append(method.totals())
        for sums, other in zip(*totals, strict=True):
            for name in FIGURES:
                assert getattr(sums, name).tolist() == getattr(other, name).tolist()


@pytest.mark.parametrize(
    ("ranges", "by_pairs"),
    [
        ((["AKs", "AKo"], ["QQ"], None), True),
        ((None, ["AA"], None), False),
        ((None, None, None), False),
    ],
)
def test_pairs_of_small_ranges(ranges, by_pairs):
    """Pairs are compared if two ranges are small, whatever the third."""
    weights = np.stack([np.ones(1326) if own is None else _classes(*own) for own in ranges])
    assert SeveralRanges(spot_of(weights, _cards("Ks7d2c"))).by_pairs is by_pairs
