"""The order of starting hands, their counts, and percentages."""

from fractions import Fraction

import numpy as np
import pytest

from holdem import HoldemValueError, Range, RangeError
from holdem.odds.starting_hand_counts import count_starting_hands
from holdem.ranges.combos import CLASS_NAMES, CLASS_OF_COMBO, CLASS_SIZES
from holdem.ranges.starting_hands import (
    StartingHand,
    classes_in,
    starting_hand_ranks,
    starting_hands,
    strongest,
)
from holdem.rules import DEUCES_WILD, SHORT_DECK, STANDARD


def test_the_list_has_every_class_once_in_order():
    """169 classes in the order of equity, each with C(50, 2) * C(48, 5) deals."""
    hands = starting_hands()
    assert sorted(CLASS_NAMES) == sorted(hand.name for hand in hands)
    assert {2_097_572_400} == {hand.deals for hand in hands}
    assert sorted(hands, key=lambda hand: -hand.equity) == list(hands)
    assert len({2 * hand.wins + hand.ties for hand in hands}) == 169  # no two are equal


def test_known_counts():
    """The published counts of AsKs against a random hand."""
    hand = next(hand for hand in starting_hands() if hand.name == "AKs")
    assert (1389004215, 34610976) == (hand.wins, hand.ties)
    assert 673957209 == hand.deals - hand.wins - hand.ties


def test_random_against_random_is_even():
    """Wins and losses are equal over all 1,326 combos."""
    ranks = starting_hand_ranks()
    wins = np.array([hand.wins for hand in starting_hands()])[ranks].sum()
    ties = np.array([hand.ties for hand in starting_hands()])[ranks].sum()
    assert 1326 * 2_097_572_400 == 2 * wins + ties


def test_the_ends_of_the_list():
    """Aces are first and 32o is last."""
    names = [hand.name for hand in starting_hands()]
    assert ["AA", "KK", "QQ", "JJ", "TT", "99", "88", "AKs"] == names[:8]
    assert ["62o", "42o", "32o"] == names[-3:]


def test_ranks_of_combos():
    """Every combo has the rank of its class."""
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
    """Percentages are rounded to the nearest number of classes; halves are rounded up."""
    assert classes == classes_in(Fraction(combos) * 100 / 1326)


def test_every_percentage_is_the_nearest():
    """No other number of classes is nearer to any of 2,000 percentages."""
    totals = np.cumsum([len(Range(hand.name)) for hand in starting_hands()])
    for step in range(1, 2001):
        percent = Fraction(step, 20)
        held = int(strongest(percent).sum())
        target = percent * 1326 / 100
        assert abs(held - target) == min(abs(int(total) - target) for total in totals)
        assert held == totals[starting_hand_ranks()[strongest(percent)].max()]


def test_percentages_nest():
    """Larger percentages include smaller ones, and spans add up."""
    assert Range("5%") < Range("10%") < Range("20%")
    assert Range("20%") == Range("5%") | Range("5%-10%") | Range("10%-20%")
    assert Range("AA") == Range("0.1%")


@pytest.mark.parametrize(
    ("evaluator", "rules"),
    [
        ("lookup", STANDARD),
        ("short-deck", SHORT_DECK),
        pytest.param("deuces-wild", DEUCES_WILD, marks=pytest.mark.slow),
    ],
)
def test_the_files_have_what_is_counted(evaluator, rules):
    """The files of the engine's rule sets have the counts that other rule sets get when needed."""
    counted = [StartingHand(*line) for line in count_starting_hands(evaluator)]
    assert list(starting_hands(rules)) == counted


@pytest.mark.parametrize("rules", [STANDARD, SHORT_DECK, DEUCES_WILD])
def test_standings(rules):
    """Every class has its place, and the stronger classes make up its top share."""
    deck = Range("random", rules=rules)
    above = Range()
    for rank, hand in enumerate(starting_hands(rules), 1):
        held = Range(hand.name, rules=rules)
        above |= held
        found = held.standing(rules=rules)
        assert (found.hand, found.rank, found.combos) == (hand.name, rank, len(held))
        assert (found.classes, found.equity) == (len(starting_hands(rules)), hand.equity)
        assert found.top == pytest.approx(len(above) / len(deck))
        assert found.percentile == pytest.approx(100 * (len(deck) - len(above)) / len(deck))
        one = Range.from_combos([next(iter(held))])
        assert one.standing(rules=rules.name) == found


@pytest.mark.parametrize(
    ("text", "rules", "message"),
    [
        ("", "standard", "a standing is that of one hand or class, not of an empty range"),
        ("AK", "standard", "a standing is that of one hand or class, not of 2 classes"),
        ("22", "short-deck", "22 is not in the deck of short-deck rules"),
    ],
)
def test_no_standing(text, rules, message):
    """Ranges of several classes have no standing."""
    with pytest.raises(RangeError, match=message):
        Range(text).standing(rules=rules)
    with pytest.raises(HoldemValueError, match="unknown rule set 'omaha'"):
        Range("AA").standing(rules="omaha")


def test_counts():
    """The counts of all classes are their sizes; those of a range are its combos."""
    assert Range("random").counts.ravel().tolist() == CLASS_SIZES.tolist()
    held = Range("QQ+,AKs:0.5,AhKd")
    assert (held.counts.sum(), held.counts[0, 1], held.counts[1, 0]) == (len(held), 4, 1)
