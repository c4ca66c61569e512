"""Hand classes: the 7,462 classes in nine categories published by Cactus Kev."""

import hashlib
from collections import Counter
from itertools import pairwise

import attrs
import eval7
import numpy as np
import pytest

from holdem import rules
from holdem.cards import cards_text
from holdem.errors import HoldemError
from holdem.evaluation.builtin import reference
from holdem.rules import CATEGORIES, STANDARD, HandClass, RuleSet

# The first and the last class of each category, with their ranks and names.
# Source: Kevin Suffecool, "Cactus Kev's Poker Hand Evaluator", the table of 7,462 values.
LANDMARKS = [
    (1, "straight flush", "AKQJT", "Royal Flush"),
    (2, "straight flush", "KQJT9", "Straight Flush, King high"),
    (10, "straight flush", "5432A", "Straight Flush, Five high"),
    (11, "four of a kind", "AAAAK", "Four of a Kind, Aces"),
    (166, "four of a kind", "22223", "Four of a Kind, Twos"),
    (167, "full house", "AAAKK", "Full House, Aces full of Kings"),
    (322, "full house", "22233", "Full House, Twos full of Threes"),
    (323, "flush", "AKQJ9", "Flush, Ace high"),
    (1599, "flush", "75432", "Flush, Seven high"),
    (1600, "straight", "AKQJT", "Straight, Ace high"),
    (1609, "straight", "5432A", "Straight, Five high"),
    (1610, "three of a kind", "AAAKQ", "Three of a Kind, Aces"),
    (2467, "three of a kind", "22243", "Three of a Kind, Twos"),
    (2468, "two pair", "AAKKQ", "Two Pair, Aces and Kings"),
    (3325, "two pair", "33224", "Two Pair, Threes and Twos"),
    (3326, "pair", "AAKQJ", "Pair, Aces"),
    (6185, "pair", "22543", "Pair, Twos"),
    (6186, "high card", "AKQJ9", "High Card, Ace"),
    (7462, "high card", "75432", "High Card, Seven"),
]
CLASSES_OF = {
    "straight flush": 10,
    "four of a kind": 156,
    "full house": 156,
    "flush": 1277,
    "straight": 10,
    "three of a kind": 858,
    "two pair": 858,
    "pair": 2860,
    "high card": 1277,
}


def class_of(category, ranks):
    """Return the class of that category and those ranks, written `777AA` or `5432A`."""
    wanted = tuple(dict.fromkeys("23456789TJQKA".index(rank) for rank in ranks))
    return HandClass(category, wanted)


@pytest.mark.parametrize(("number", "category", "ranks", "name"), LANDMARKS)
def test_landmarks_of_the_published_numbering(number, category, ranks, name):
    """Each category begins and ends as in Cactus Kev's table."""
    found = STANDARD.class_at(number)
    assert class_of(category, ranks) == found
    assert name == found.name
    assert sorted(ranks) == sorted(str(card)[0] for card in found.example)


def test_there_are_7462_classes():
    """Nine categories, the strongest first, with the published number of classes each."""
    assert 7462 == len(STANDARD.classes)
    assert list(CLASSES_OF.items()) == list(Counter(c.category for c in STANDARD.classes).items())
    assert tuple(reversed(CLASSES_OF)) == CATEGORIES == STANDARD.categories
    assert 7462 == len(set(STANDARD.classes))


def test_one_digest_pins_the_whole_order():
    """Names, examples and order of all classes are pinned by a digest."""
    text = "\n".join(f"{c.name} {cards_text(c.example)}" for c in STANDARD.classes)
    digest = "c61238f17a1d0ca958c70e7d8a65f810789b7dcd501afe53e6af61dce0d386d2"
    assert digest == hashlib.sha256(text.encode()).hexdigest()


def test_examples_are_hands_of_their_class():
    """Each example is five different cards of its class, by the reference evaluator."""
    for hand_class in STANDARD.classes:
        example = hand_class.example
        assert 5 == len(set(example))
        assert (hand_class.category, hand_class.ranks) == reference.classify(example)


def test_examples_are_in_the_order_of_the_reference():
    """Each class is stronger than the next, by the reference evaluator."""
    strengths = reference.rank_batch(STANDARD.examples)
    assert (strengths[:-1] > strengths[1:]).all()


def test_examples_are_in_the_order_of_eval7():
    """Each class is stronger than the next, by eval7."""
    found = [
        eval7.evaluate([eval7.Card(str(card)) for card in hand_class.example])
        for hand_class in STANDARD.classes
    ]
    assert all(better > worse for better, worse in pairwise(found))


def test_examples_are_a_read_only_array():
    """The array has one example for each class, and is read-only."""
    assert ((7462, 5), np.uint8) == (STANDARD.examples.shape, STANDARD.examples.dtype)
    assert [list(c.example) for c in STANDARD.classes] == STANDARD.examples.tolist()
    with pytest.raises(ValueError, match="read-only"):
        STANDARD.examples[0, 0] = 1


@pytest.mark.parametrize(
    ("category", "ranks", "name"),
    [
        ("full house", "777AA", "Full House, Sevens full of Aces"),
        ("full house", "66622", "Full House, Sixes full of Twos"),
        ("four of a kind", "6666A", "Four of a Kind, Sixes"),
        ("three of a kind", "666A2", "Three of a Kind, Sixes"),
        ("two pair", "JJ66A", "Two Pair, Jacks and Sixes"),
        ("pair", "66A32", "Pair, Sixes"),
        ("pair", "TTA32", "Pair, Tens"),
        ("high card", "QJ642", "High Card, Queen"),
        ("straight", "98765", "Straight, Nine high"),
        ("straight", "65432", "Straight, Six high"),
        ("straight flush", "QJT98", "Straight Flush, Queen high"),
        ("flush", "86432", "Flush, Eight high"),
    ],
)
def test_names_for_people(category, ranks, name):
    """A name has the category and the ranks as players say them."""
    hand_class = class_of(category, ranks)
    assert hand_class in STANDARD.classes
    assert name == hand_class.name


def test_names_are_capitalised_and_only_one_royal_flush():
    """Every name begins with its category in title case; one class is a Royal Flush."""
    titles = {
        category: category.title().replace(" Of A ", " of a ") for category in STANDARD.categories
    }
    assert "Four of a Kind" == titles["four of a kind"]
    royal = [c for c in STANDARD.classes if c.name == "Royal Flush"]
    assert [STANDARD.classes[0]] == royal
    for hand_class in STANDARD.classes[1:]:
        assert hand_class.name.startswith(f"{titles[hand_class.category]}, ")


def test_rank_names():
    """Thirteen rank names; the plural of a six ends in `es`."""
    assert ("Two", "Six", "Ten", "Ace") == tuple(rules.RANK_NAMES[rank] for rank in (0, 4, 8, 12))
    assert "Sixes" == rules.RANK_PLURALS[4]
    others = [rank for rank in range(13) if rank != 4]
    assert all(rules.RANK_NAMES[rank] + "s" == rules.RANK_PLURALS[rank] for rank in others)


def test_straights_from_ace_high_down_to_the_wheel():
    """Ten straights; in the last one the ace is low."""
    assert 10 == len(STANDARD.straights)
    assert (12, 11, 10, 9, 8) == STANDARD.straights[0]
    assert (4, 3, 2, 1, 0) == STANDARD.straights[8]
    assert (3, 2, 1, 0, 12) == STANDARD.straights[9]


def test_the_standard_deck_is_all_52_cards():
    """Standard rules use the whole deck."""
    assert list(range(52)) == list(STANDARD.deck)


@pytest.mark.parametrize("number", [0, -1, 7463])
def test_classes_out_of_bounds(number):
    """Class numbers outside 1..7462 are errors."""
    with pytest.raises(HoldemError, match=rf"no class {number}: standard rules have 1\.\.7462"):
        STANDARD.class_at(number)


def test_a_deck_without_low_cards_has_its_own_wheel_and_classes():
    """With a deck from sixes up, A 6 7 8 9 is the wheel, and classes are fewer."""
    short = RuleSet(name="from sixes up", lowest_rank=4, categories=CATEGORIES)
    assert 36 == len(short.deck)
    assert (7, 6, 5, 4, 12) == short.straights[-1]
    assert 6 == len(short.straights)
    counts = Counter(c.category for c in short.classes)
    # nine ranks: C(9,5) = 126 sets of five, six of them straights; 9*8 pairs of ranks; and so on
    assert {
        "straight flush": 6,
        "four of a kind": 72,
        "full house": 72,
        "flush": 120,
        "straight": 6,
        "three of a kind": 9 * 28,
        "two pair": 36 * 7,
        "pair": 9 * 56,
        "high card": 120,
    } == counts
    for hand_class in short.classes:
        assert set(hand_class.example) <= set(short.deck)
        expected = reference.classify(hand_class.example, short)
        assert expected == (hand_class.category, hand_class.ranks)


def test_a_class_is_a_value():
    """Classes with equal category and ranks are equal, and immutable."""
    assert class_of("pair", "AAKQJ") == STANDARD.class_at(3326)
    assert hash(class_of("pair", "AAKQJ")) == hash(STANDARD.class_at(3326))
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        STANDARD.class_at(1).category = "pair"
