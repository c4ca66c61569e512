"""The list of starting hands, its counts, and the percentages that go down it."""

import importlib.util
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from holdem import Range
from holdem.cards import parse_cards
from holdem.errors import RangeError
from holdem.evaluation.lookup.kernels import rank_batch
from holdem.ranges import ranking
from holdem.ranges.combos import CLASS_NAMES, CLASS_OF_COMBO
from holdem.ranges.ranking import classes_in, starting_hand_ranks, starting_hands, strongest

BOARDS = 1_712_304
SCRIPT = Path(__file__).parents[2] / "scripts" / "make_starting_hands.py"


def test_the_list_has_every_class_once_in_order():
    """169 classes by equity, each over C(50, 2) * C(48, 5) deals."""
    hands = starting_hands()
    assert sorted(CLASS_NAMES) == sorted(hand.name for hand in hands)
    assert {2_097_572_400} == {hand.deals for hand in hands}
    assert sorted(hands, key=lambda hand: -hand.equity) == list(hands)
    assert len({2 * hand.wins + hand.ties for hand in hands}) == 169  # no two are equal


def test_known_counts():
    """AsKs against a random hand: published counts."""
    hand = next(hand for hand in starting_hands() if hand.name == "AKs")
    assert (1389004215, 34610976) == (hand.wins, hand.ties)
    assert 673957209 == hand.deals - hand.wins - hand.ties


def test_random_against_random_is_even():
    """Over all 1,326 combos wins and losses are equal: what one wins another loses."""
    ranks = starting_hand_ranks()
    wins = np.array([hand.wins for hand in starting_hands()])[ranks].sum()
    ties = np.array([hand.ties for hand in starting_hands()])[ranks].sum()
    assert 1326 * 2_097_572_400 == 2 * wins + ties


def test_the_ends_of_the_list():
    """Aces are first and 32o last; 72o is not the worst against one hand."""
    names = [hand.name for hand in starting_hands()]
    assert ["AA", "KK", "QQ", "JJ", "TT", "99", "88", "AKs"] == names[:8]
    assert ["62o", "42o", "32o"] == names[-3:]


def test_ranks_of_combos():
    """Every combo has the place of its class."""
    ranks = starting_hand_ranks()
    assert ((1326,), np.uint8) == (ranks.shape, ranks.dtype)
    for place, hand in enumerate(starting_hands()):
        assert {place} == set(ranks[CLASS_OF_COMBO == CLASS_NAMES.index(hand.name)].tolist())


@pytest.mark.parametrize(
    ("combos", "classes"),
    [
        (Fraction(1, 100), 1),  # at least one class
        (6, 1),
        (Fraction(899, 100), 1),  # AA has 6 combos, KK+ 12: 9 is half way
        (9, 2),
        (12, 2),
        (40, 7),  # 42 combos are seven pairs
        (44, 8),  # 42 and 46 are equally near: a half goes up
        (Fraction(4399, 100), 7),
        (1326, 169),
        (1320, 169),  # 32o has twelve combos
        (Fraction(131999, 100), 168),
    ],
)
def test_whole_classes_to_the_nearest_share(combos, classes):
    """Percentages take the number of classes that comes nearest; a half goes up."""
    assert classes == classes_in(Fraction(combos) * 100 / 1326)


def test_every_percentage_is_the_nearest():
    """No other number of classes is nearer, over a fine net of percentages."""
    totals = np.cumsum([len(Range(hand.name)) for hand in starting_hands()])
    for step in range(1, 2001):
        percent = Fraction(step, 20)
        held = int(strongest(percent).sum())
        target = percent * 1326 / 100
        assert abs(held - target) == min(abs(int(total) - target) for total in totals)
        assert held == totals[starting_hand_ranks()[strongest(percent)].max()]


def test_percentages_nest():
    """A larger percentage holds a smaller one, and spans fit together."""
    assert Range("5%") < Range("10%") < Range("20%")
    assert Range("20%") == Range("5%") | Range("5%-10%") | Range("10%-20%")
    assert Range("AA") == Range("0.1%")


def test_a_damaged_list_is_noticed(monkeypatch, tmp_path):
    """A list without all classes is an error, not another order."""
    (tmp_path / ranking.FILE).write_text("class\twins\tties\tdeals\nAA\t3\t2\t9\n")
    monkeypatch.setattr(ranking.resources, "files", lambda _: tmp_path)
    starting_hands.cache_clear()
    try:
        with pytest.raises(RangeError, match="damaged"):
            starting_hands()
    finally:
        monkeypatch.undo()
        starting_hands.cache_clear()
    assert 169 == len(starting_hands())


# --- the script that makes the list -----------------------------------------------------------


@pytest.fixture(scope="module")
def script():
    """Return the script as a module."""
    spec = importlib.util.spec_from_file_location("make_starting_hands", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MATCH_UPS = {
    ("AcAs", "KdKh"): (1388072, 6538),
    ("AcAs", "KcKs"): (1410336, 9308),
    ("AdKd", "QcQs"): (787966, 6732),
    ("2s2h", "AhKd"): (896216, 10559),
}


def _play(script, match_ups):
    holes = np.array([parse_cards(a) + parse_cards(b) for a, b in match_ups], dtype=np.uint8)
    holes = np.concatenate(
        (-np.sort(-holes[:, :2].astype(int)), -np.sort(-holes[:, 2:].astype(int))), axis=1
    )
    counts = np.empty((len(holes), 2), dtype=np.int64)
    script.play(holes.astype(np.uint8), counts)
    return counts.tolist()


def test_the_kernel_has_the_known_counts(script):
    """Published match-ups of two hands before the flop."""
    assert [list(counts) for counts in MATCH_UPS.values()] == _play(script, MATCH_UPS)


@pytest.mark.parametrize(
    "match_up", [("9h8h", "9s7s"), ("AsKs", "QsJs"), ("7d2c", "7h2s"), ("5c4c", "AcTc")]
)
def test_the_kernel_agrees_with_every_board(script, match_up):
    """Match-ups where flushes matter, against the plain enumeration of all boards."""
    first, second = (parse_cards(hole) for hole in match_up)
    left = [card for card in range(52) if card not in first + second]
    flat = np.fromiter((c for board in combinations(left, 5) for c in board), np.uint8, 5 * BOARDS)
    hands = np.empty((BOARDS, 7), dtype=np.uint8)
    hands[:, 2:] = flat.reshape(BOARDS, 5)
    hands[:, :2] = first
    mine = rank_batch(hands)
    hands[:, :2] = second
    theirs = rank_batch(hands)
    assert [[int((mine > theirs).sum()), int((mine == theirs).sum())]] == _play(script, [match_up])


def test_match_ups_up_to_suits(script):
    """There are 47,008 match-ups of two holes, and 1,225 opponents for each class."""
    codes, places, _, apart = script.class_match_ups()
    assert 47_008 == len(codes)
    assert {1225} == set(apart.sum(axis=1).tolist())
    assert set(range(47_008)) == set(places[apart].tolist())
