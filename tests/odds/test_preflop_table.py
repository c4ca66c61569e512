"""The table of match-ups before the flop, and the totals from it."""

from fractions import Fraction

import numpy as np
import pytest

from holdem.errors import HoldemError
from holdem.odds.exact.preflop_table import BOARDS, PreflopTableMethod, list_shapes, preflop_table
from holdem.odds.spot import make_spot
from holdem.odds.symmetry import permuted_combos
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS, Combo
from holdem.ranges.range import Range
from naive import count_every_board
from spots import run_method, spot_of

WIDE = "22+,A2s+,KTs+,QJs,ATo+,KQo"


def _combo(text):
    return Combo(text).number


def _weights(*texts):
    return np.stack([Range(text).weights for text in texts])


def _match_up(table, first, second):
    """Return the boards that a combo wins, ties and loses against another."""
    won, tied = (int(count) for count in table.match_ups(first, second))
    deals = 0 if COMBO_SETS[first] & COMBO_SETS[second] else BOARDS
    return won, tied, deals - won - tied


def _totals(weights):
    return run_method(PreflopTableMethod(spot_of(weights)))


def test_match_ups_against_every_board():
    """20 random match-ups have the counts over every board."""
    rng = np.random.default_rng(1)
    combos = rng.integers(0, 1326, (30, 2))
    combos = combos[COMBO_SETS[combos[:, 0]] & COMBO_SETS[combos[:, 1]] == 0][:20]
    counts = count_every_board(COMBO_CARDS[combos])
    table = preflop_table()
    assert len(combos) == 20
    for (first, second), (_, wins, losses, ties) in zip(
        combos.tolist(), counts.tolist(), strict=True
    ):
        assert (wins, ties, losses) == _match_up(table, first, second)


def test_match_ups_with_a_shared_card():
    """Combos that share a card have no deal together."""
    assert _match_up(preflop_table(), _combo("AsAh"), _combo("AsKd")) == (0, 0, 0)
    assert _match_up(preflop_table(), _combo("7c2d"), _combo("7c2d")) == (0, 0, 0)


def test_symmetry():
    """Exchanging the players exchanges wins and losses; permuting the suits changes nothing."""
    table = preflop_table()
    rng = np.random.default_rng(2)
    images = permuted_combos()
    for first, second in rng.integers(0, 1326, (500, 2)).tolist():
        wins, ties, losses = _match_up(table, first, second)
        assert (losses, ties, wins) == _match_up(table, second, first)
        other = images[rng.integers(24)]
        assert (wins, ties, losses) == _match_up(table, int(other[first]), int(other[second]))


def test_combos_have_their_own_figures():
    """Each combo's totals are those of its match-ups, for ranges of any width."""
    table = preflop_table()
    weights = _weights("88+,AKs,AdTd,T9o,7h2c", WIDE)
    for player, sums in enumerate(_totals(weights)):
        opponents = np.flatnonzero(weights[1 - player]).tolist()
        assert sums.combos.tolist() == np.flatnonzero(weights[player]).tolist()
        for place, combo in enumerate(sums.combos.tolist()):
            counts = np.sum([_match_up(table, combo, opponent) for opponent in opponents], axis=0)
            wins, ties, losses = counts.tolist()
            found = (sums.wins[place], sums.ties[place], sums.losses[place], sums.shares[place])
            assert (wins, ties, losses, wins + ties / 2) == found


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("TT+,AJ+", WIDE),
        ("random", "random"),
        (f"({WIDE}) ! AhKh", WIDE),
        (WIDE, f"({WIDE}) ! 7c7d"),
    ],
)
def test_sums_of_ranges(first, second):
    """The sums of two ranges, with complete and incomplete classes, are those of their combos."""
    method = PreflopTableMethod(make_spot((first, second)))
    for sums, totals in zip(method.player_sums(), method.totals(), strict=True):
        combos = totals.wins.sum(), totals.ties.sum(), totals.losses.sum(), totals.shares.sum()
        assert sums == combos


def _weight_kinds():
    rng = np.random.default_rng(3)
    yield "hundredths", np.rint(rng.random((2, 1326)) * 100) / 100
    yield "fractions of two", rng.integers(0, 9, (2, 1326)) / 8
    yield "any", rng.random((2, 1326))
    yield "large and tiny", rng.random((2, 1326)) ** 40
    yield "one tiny", np.where(np.arange(1326) == 1325, 1e-9, 1.0) * np.ones((2, 1))


@pytest.mark.parametrize(("weights"), [pytest.param(w, id=name) for name, w in _weight_kinds()])
def test_weights(weights):
    """Weighted sums have a relative error below 1e-12, for each combo."""
    table = preflop_table()
    rng = np.random.default_rng(4)
    for player, sums in enumerate(_totals(weights)):
        exact = [Fraction(float(weight)) for weight in weights[1 - player]]
        for place in rng.choice(len(sums.combos), 6).tolist():
            combo = int(sums.combos[place])
            wins = ties = losses = Fraction(0)
            for opponent, weight in enumerate(exact):
                won, tied, lost = _match_up(table, combo, opponent)
                wins, ties, losses = (
                    wins + won * weight,
                    ties + tied * weight,
                    losses + lost * weight,
                )
            expected = (wins, ties, losses, wins + ties / 2)
            found = (sums.wins[place], sums.ties[place], sums.losses[place], sums.shares[place])
            for right, value in zip(expected, found, strict=True):
                assert abs(Fraction(float(value)) - right) <= right * Fraction(1, 10**12)


def test_known_hands_have_the_totals_of_ranges():
    """Two combos have the totals that a range has for one of its combos."""
    rng = np.random.default_rng(5)
    pairs = rng.integers(0, 1326, (200, 2))
    pairs = pairs[COMBO_SETS[pairs[:, 0]] & COMBO_SETS[pairs[:, 1]] == 0]
    assert len(pairs) > 100
    for first, second in pairs.tolist():
        weights = np.zeros((2, 1326))
        weights[[0, 1], [first, second]] = 1.0
        known, _ = _totals(weights)
        weights[0] = 1.0
        ranges, _ = _totals(weights)
        row = ranges.combos.tolist().index(first)
        for name in ("combos", "wins", "ties", "losses", "shares"):
            assert getattr(known, name).tolist() == [getattr(ranges, name)[row]]


def test_blocked_combos_are_left_out():
    """Combos that leave the opponent no combo have no totals."""
    weights = np.zeros((2, 1326))
    weights[0, [_combo("AsAh"), _combo("KsKh")]] = 0.3
    weights[1, [_combo("AsKd"), _combo("AsQd")]] = 0.7
    one, other = _totals(weights)
    assert one.combos.tolist() == [_combo("KsKh")]
    assert other.combos.tolist() == [_combo("AsQd"), _combo("AsKd")]


def test_blocked_opponents_add_nothing():
    """Opposing combos that share a card add exactly 0, whatever their weights."""
    weights = np.zeros((2, 1326))
    weights[0, _combo("2c2d")] = 1
    opponents = [_combo("2h2s"), _combo("2cAd"), _combo("2dKc"), _combo("3c2c")]
    weights[1, opponents] = 0.5, 0.1, 1 / 3, 0.987
    one, _ = _totals(weights)
    wins, ties, losses = _match_up(preflop_table(), _combo("2c2d"), _combo("2h2s"))
    assert (one.wins[0], one.ties[0], one.losses[0]) == (wins / 2, ties / 2, losses / 2)


def test_the_table_holds_47008_match_ups():
    """Up to suit permutations and order the entries are the 47,008 match-ups of two holes."""
    images = permuted_combos()
    codes = []
    for shape in list_shapes():
        heroes, opponents = np.meshgrid(shape.heroes, shape.opponents, indexing="ij")
        apart = (COMBO_SETS[heroes] & COMBO_SETS[opponents]) == 0
        mine, theirs = images[:, heroes[apart]], images[:, opponents[apart]]
        codes.append(np.minimum(mine * 1326 + theirs, theirs * 1326 + mine).min(axis=0))
    assert len(np.unique(np.concatenate(codes))) == 47008


def test_damaged_table(monkeypatch):
    """A file with another checksum is refused."""
    monkeypatch.setattr("holdem.odds.exact.preflop_table._CHECKSUM", 0)
    with pytest.raises(HoldemError, match=r"preflop\.npz is damaged"):
        preflop_table.__wrapped__()
