"""Hand classes: the 7,462 classes in nine categories published by Cactus Kev."""

import copy
import hashlib
import pickle
from collections import Counter
from itertools import combinations, pairwise

import attrs
import eval7
import numpy as np
import pytest

from holdem import deal, rules
from holdem.cards import cards_text
from holdem.errors import HoldemError, HoldemTypeError, HoldemValueError
from holdem.evaluation.builtin import reference
from holdem.rules import CATEGORIES, DEUCES_WILD, RULE_SETS, STANDARD, HandClass, RuleSet
from naive import NaiveGame

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
    short = RuleSet("from-sixes-up", ranks="6789TJQKA", categories=CATEGORIES)
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


# --- rule sets of one's own ---

ROYAL = tuple(name for name in CATEGORIES if name not in ("high card", "flush"))
THREES_ABOVE_STRAIGHTS = (
    *("high card", "pair", "two pair", "straight", "three of a kind"),
    *("full house", "flush", "four of a kind", "straight flush"),
)


@pytest.mark.parametrize(
    ("ranks", "categories", "counts"),
    [
        # five ranks: one straight, twenty full houses (5 * 4) and so on; see the docstring
        ("TJQKA", ROYAL, (20, 30, 30, 1, 20, 20, 1)),
        # eight ranks: C(8, 5) = 56 sets of five, five of them straights with the wheel A 7 8 9 T
        ("789TJQKA", CATEGORIES, (51, 8 * 35, 28 * 6, 8 * 21, 5, 51, 56, 56, 5)),
        ("9TJQKA", CATEGORIES, (3, 6 * 10, 15 * 4, 6 * 10, 3, 3, 30, 30, 3)),
        pytest.param(
            *("6789TJQKA", THREES_ABOVE_STRAIGHTS, (120, 504, 252, 6, 252, 72, 120, 72, 6)),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_classes_of_decks_and_orders(ranks, categories, counts):
    """Classes are counted by hand: n ranks have n * C(n - 1, 3) pairs, C(n, 2) * (n - 2) two pairs,
    n * C(n - 1, 2) threes, n * (n - 1) full houses and fours, and n - 3 straights, but 1 if n is 5.
    A brute force that shares no code ranks every hand of the deck the same.
    """
    rules = RuleSet("mine", ranks, categories)
    found = Counter(hand_class.category for hand_class in reversed(rules.classes))
    assert dict(zip(categories, counts, strict=True)) == found
    assert list(categories) == list(found)  # in this order
    game = NaiveGame(ranks, categories)
    assert [str(card) for card in rules.deck] == game.deck
    hands = list(combinations(game.deck, 5))
    by_rank = sorted({str(game.rank(hand)): game.rank(hand) for hand in hands}.values())
    assert len(by_rank) == sum(counts)
    examples = [game.rank([str(card) for card in c.example]) for c in reversed(rules.classes)]
    assert by_rank == examples


def test_royal_has_122_classes():
    """The 20-card deck of Royal hold'em has 122 classes, and its wheel is its only straight."""
    rules = RuleSet("royal", "TJQKA", ROYAL)
    assert 122 == len(rules.classes)
    assert ((12, 11, 10, 9, 8),) == rules.straights
    assert ("Royal Flush", "Pair, Tens") == (rules.class_at(1).name, rules.class_at(122).name)
    assert "20 cards, T to A" == rules.deck_text


def test_rule_sets_are_values():
    """Equal names, ranks and categories are equal rules, also after pickling; others are not."""
    rules = RuleSet("mine", "789TJQKA", list(CATEGORIES))
    assert len(rules.classes)  # cached, and not pickled
    again = pickle.loads(pickle.dumps(rules))
    assert len(pickle.dumps(rules)) < 500
    assert {rules: 1}[again] == 1
    for engine in RULE_SETS.values():
        assert pickle.loads(pickle.dumps(engine)) == copy.deepcopy(engine) == engine
    assert DEUCES_WILD.deuces_wild
    for other in (
        RuleSet("other", "789TJQKA", CATEGORIES),
        RuleSet("mine", "89TJQKA", CATEGORIES),
        RuleSet("mine", "789TJQKA", THREES_ABOVE_STRAIGHTS),
    ):
        assert other != rules
        assert str(other) != str(rules)
    assert RuleSet("standard", "23456789TJQKA", CATEGORIES) == STANDARD
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        rules.name = "other"


WITHOUT_FLUSH = tuple(name for name in CATEGORIES if name != "flush")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("mine", "JQKA", ROYAL), "at least five ranks, as in 'TJQKA', and 'JQKA' has 4"),
        (("mine", "", ROYAL), "the ranks '' are not neighbours up to the ace"),
        (("mine", "789TJQ", CATEGORIES), "not neighbours up to the ace.*did you mean '789TJQKA'"),
        (("mine", "79TJQKA", CATEGORIES), "not neighbours up to the ace.*did you mean '789TJQKA'"),
        (("mine", "AKQJT", ROYAL), "not neighbours up to the ace.*did you mean 'TJQKA'"),
        (("mine", "tjqka", ROYAL), "did you mean 'TJQKA'"),
        (("mine", "789TJQKA1", CATEGORIES), "not neighbours up to the ace.*from the lowest"),
        (("mine", "789TJQKA", ROYAL), "the categories lack high card and flush: there are such"),
        (
            ("mine", "789TJQKA", ROYAL[2:]),
            "the categories lack high card, pair, two pair and flush:",
        ),
        (("mine", "TJQKA", CATEGORIES), "high card: five different ranks are always a straight"),
        (
            ("mine", "TJQKA", (*ROYAL, "flush")),
            "flush: five cards of one suit are always a straight flush in a deck of 20 cards, T to",
        ),
        (
            ("mine", "789TJQKA", (*CATEGORIES, "five of a kind")),
            "five of a kind: there are only four cards of a rank",
        ),
        (
            ("mine", "789TJQKA", ("trips", *CATEGORIES)),
            "unknown category 'trips' .did you mean three of a kind.*; there are: high card, .*",
        ),
        (("mine", "789TJQKA", (*CATEGORIES, "pair")), "pair is in the categories twice"),
        *(
            (
                ("mine", "789TJQKA", (*WITHOUT_FLUSH[:at], "flush", *WITHOUT_FLUSH[at:])),
                f"flush must stand above {WITHOUT_FLUSH[at]}: seven cards can be both, and hands"
                " with five cards of one suit are ranked by that suit alone",
            )
            for at in range(5)
        ),
        (
            ("mine", "TJQKA", (*ROYAL[:3], "straight flush", *ROYAL[3:-1])),
            "straight flush must stand above straight",
        ),
        *(
            ((name, "789TJQKA", CATEGORIES), f"the name '{name}' is taken by a rule set of the")
            for name in RULE_SETS
        ),
        (("My game", "789TJQKA", CATEGORIES), "'My game' is not a valid rule set name"),
    ],
)
def test_wrong_rule_sets(arguments, message):
    """Rules that are impossible, or that no tables could rank, are refused with the reason."""
    with pytest.raises(HoldemValueError, match=message):
        RuleSet(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((7, "789TJQKA", CATEGORIES), "a rule set's name must be text, not 7"),
        (("mine", 7, CATEGORIES), 'ranks must be text, as in "789TJQKA", not 7'),
        (("mine", "789TJQKA", "pair"), "categories must be a sequence of names, weakest first"),
        (("mine", "789TJQKA", None), "categories must be a sequence of names, weakest first"),
        (("mine", "789TJQKA", (1, 2)), "a category must be text, not 1"),
    ],
)
def test_rule_sets_of_wrong_types(arguments, message):
    """Values of the wrong type are refused."""
    with pytest.raises(HoldemTypeError, match=message):
        RuleSet(*arguments)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("one pair", "pair"),
        ("Quads", "four of a kind"),
        ("trips", "three of a kind"),
        ("set", "three of a kind"),
        ("boat", "full house"),
        ("full boat", "full house"),
        ("royal flush", "straight flush"),
        ("two pairs", "two pair"),
        ("flsh", "flush"),
    ],
)
def test_what_people_say_for_a_category(said, meant):
    """The words of the game come before the nearest spelling."""
    table = deal(players=2, hands=1, seed=1)
    for ask in (table.code, lambda name: RuleSet("mine", "789TJQKA", (name,))):
        with pytest.raises(HoldemValueError) as raised:
            ask(said)
        assert f"(did you mean {meant}?" in str(raised.value)
        assert ("rank_class 1" in str(raised.value)) == (said == "royal flush")
