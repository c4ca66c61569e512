"""The short-deck rules and their evaluator: the order of hands, on every hand there is."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import combinations, pairwise, permutations
from math import comb

import numpy as np
import pytest
from numba import njit
from pokerkit import ShortDeckHoldemHand

import holdem
from holdem.cli import run
from holdem.evaluation.builtin import reference
from holdem.values import RULE_SETS, SHORT_DECK
from holdem_short_deck import tables
from holdem_short_deck.classes import number_classes

LOWEST = 16  # the six of clubs

# How many hands of five are of each category, weakest first, from counting by hand: 9 ranks
# of which C(9,5) - 6 sets of five are no straight, 4 suits, and so on.
FIVES = {
    "high card": (comb(9, 5) - 6) * (4**5 - 4),
    "pair": 9 * comb(4, 2) * comb(8, 3) * 4**3,
    "two pair": comb(9, 2) * comb(4, 2) ** 2 * 7 * 4,
    "three of a kind": 9 * 4 * comb(8, 2) * 4**2,
    "straight": 6 * (4**5 - 4),
    "full house": 9 * 4 * 8 * comb(4, 2),
    "flush": (comb(9, 5) - 6) * 4,
    "four of a kind": 9 * 8 * 4,
    "straight flush": 6 * 4,
}

# Strongest first; hands on one line tie.
LADDER = [
    ["As Ks Qs Js Ts", "Ac Kc Qc Jc Tc"],
    ["Ks Qs Js Ts 9s"],
    ["Td 9d 8d 7d 6d"],
    ["9h 8h 7h 6h Ah", "9s 8s 7s 6s As"],
    ["Ac Ad Ah As Kc"],
    ["6c 6d 6h 6s 7c"],
    ["As Ks Qs Js 9s"],
    ["Js 9s 8s 7s 6s", "Jd 9d 8d 7d 6d"],
    ["Ac Ad Ah Kc Kd"],
    ["6c 6d 6h 7c 7d"],
    ["As Ks Qs Js Td"],
    ["Ts 9s 8s 7s 6d", "Tc 9s 8h 7s 6d"],
    ["As 9s 8s 7s 6d"],
    ["Ac Ad Ah Kc Qd"],
    ["6c 6d 6h 8c 7d"],
    ["Ac Ad Kc Kd Qd"],
    ["7c 7d 6c 6d 8d"],
    ["Ac Ad Kc Qd Jd"],
    ["6c 6d 9c 8d 7d"],
    ["As Ks Qs Js 9d"],
    ["As 9s 8s 7s Td"],
    ["Js 9s 8s 7s 6d"],
]


@pytest.fixture(scope="module")
def short_deck():
    return holdem.get_evaluator("short-deck")


@pytest.fixture(scope="module")
def fives():
    """Every hand of five, ``uint8 (376992, 5)``, in lexicographic order."""
    return np.array(list(combinations(range(LOWEST, 52), 5)), dtype=np.uint8)


@pytest.fixture(scope="module")
def by_rule_book(fives):
    """The class of each of `fives` by the rule book, 1 the best, ``int64 (376992,)``."""
    strengths = reference.rank_batch(fives, SHORT_DECK)
    different, places = np.unique(strengths, return_inverse=True)
    return len(different) - places


def random_hands(count, size, seed=36):
    shuffled = np.random.default_rng(seed).random((count, 36)).argsort(axis=1)
    return np.ascontiguousarray(shuffled[:, :size] + LOWEST, dtype=np.uint8)


# --- the rule set ----------------------------------------------------------------------------


def test_the_rule_set_is_found_by_its_name():
    """36 cards from the six of clubs up; only the two middle categories change places."""
    assert SHORT_DECK is RULE_SETS["short-deck"]
    assert list(range(LOWEST, 52)) == list(SHORT_DECK.deck)
    assert tuple(FIVES) == SHORT_DECK.categories
    assert "36 cards, 6 to A" == SHORT_DECK.deck_text


def test_the_straights():
    """Six straights; in the lowest the ace stands below the six."""
    expected = ["AKQJT", "KQJT9", "QJT98", "JT987", "T9876", "9876A"]
    found = ["".join("23456789TJQKA"[rank] for rank in ranks) for ranks in SHORT_DECK.straights]
    assert expected == found


def test_the_ladder():
    """Every hand of a rung ties with its rung and beats all rungs below, by the rule book."""
    found = [
        [reference.strength(holdem.parse_cards(hand), SHORT_DECK) for hand in rung]
        for rung in LADDER
    ]
    assert [[rung[0]] * len(rung) for rung in found] == found
    assert all(one[0] > other[0] for one, other in pairwise(found))


def test_the_classes_are_those_of_all_hands(fives, by_rule_book):
    """The 1,404 classes are exactly the judgements on all 376,992 hands, in their order."""
    assert comb(36, 5) == len(fives) == sum(FIVES.values())
    assert by_rule_book.max() == len(SHORT_DECK.classes) == 1404
    counts = Counter()
    seen = {}
    for hand, number in zip(fives.tolist(), by_rule_book.tolist(), strict=True):
        if number not in seen:
            seen[number] = reference.classify(hand, SHORT_DECK)
        counts[seen[number][0]] += 1
    assert counts == FIVES
    for number, hand_class in enumerate(SHORT_DECK.classes, start=1):
        assert seen[number] == (hand_class.category, hand_class.ranks)
        assert seen[number] == reference.classify(hand_class.example, SHORT_DECK)


def test_rarer_categories_are_stronger():
    """From a pair up, a category is the stronger the fewer hands of five it has."""
    assert all(FIVES[weak] > FIVES[strong] for weak, strong in pairwise(list(FIVES)[1:]))


# --- the evaluator, on every hand --------------------------------------------------------------


def test_every_hand_of_five(short_deck, fives, by_rule_book):
    """All 376,992 hands of five are of the class that the rule book puts them in."""
    np.testing.assert_array_equal(by_rule_book, short_deck.scale.classes(short_deck.rank(fives)))


@njit
def next_hand(hand):
    """Step to the next hand in lexicographic order; say whether there is one."""
    size = len(hand)
    place = size - 1
    while place >= 0 and hand[place] == 52 - size + place:
        place -= 1
    if place < 0:
        return False
    hand[place] += 1
    for i in range(place + 1, size):
        hand[i] = hand[i - 1] + 1
    return True


@njit
def best_of_each(size, classes, binomials, picks, hands, best):
    """List all hands, and the best class among each one's choices of five.

    A hand of five stands in `classes` behind those with a lower first card, and so on: its
    place is C(36,5) - 1 less the sum of C(35 - card, 5 - place), cards counted from 0.
    """
    hand = np.arange(16, 16 + size)
    for row in range(len(hands)):
        lowest = 1 << 30
        for pick in picks:
            after = 0
            for place in range(5):
                after += binomials[35 - (hand[pick[place]] - 16), 5 - place]
            lowest = min(lowest, classes[len(classes) - 1 - after])
        hands[row, :] = hand
        best[row] = lowest
        next_hand(hand)


@pytest.mark.parametrize("size", [6, 7])
def test_every_hand_of_more(short_deck, by_rule_book, size):
    """All 1,947,792 hands of six and 8,347,680 of seven have the class of their best five.

    The best five are found in a table that holds the rule book's class of every hand of five.
    """
    binomials = np.array([[comb(n, k) for k in range(6)] for n in range(36)])
    picks = np.array(list(combinations(range(size), 5)))
    hands = np.empty((comb(36, size), size), dtype=np.uint8)
    best = np.empty(len(hands), dtype=np.int64)
    best_of_each(size, by_rule_book, binomials, picks, hands, best)
    found = short_deck.scale.classes(short_deck.rank(hands))
    np.testing.assert_array_equal(best, found)
    counts = np.bincount(short_deck.scale.categories(short_deck.rank(hands)), minlength=9)
    assert counts.sum() == len(hands)
    names = [hand_class.category for hand_class in SHORT_DECK.classes]
    by_category = Counter(dict.fromkeys(SHORT_DECK.categories, 0))
    for number, count in enumerate(np.bincount(best, minlength=1405)[1:].tolist()):
        by_category[names[number]] += count
    assert dict(by_category) == dict(zip(SHORT_DECK.categories, counts.tolist(), strict=True))


@pytest.mark.parametrize("size", [5, 7])
def test_another_program_agrees(short_deck, size):
    """On 2,000 random hands order and ties are those of PokerKit's short-deck hands."""
    hands = random_hands(2_000 if size == 5 else 300, size)
    theirs = [
        max(
            ShortDeckHoldemHand.lookup.get_entry("".join(five)).index
            for five in combinations([str(holdem.Card(card)) for card in hand], 5)
        )
        for hand in hands.tolist()
    ]
    np.testing.assert_array_equal(
        np.unique(theirs, return_inverse=True)[1],
        np.unique(short_deck.rank(hands), return_inverse=True)[1],
    )


def test_the_classes_stand_in_another_programs_order():
    """Each class is stronger than the next, by PokerKit."""
    lookup = ShortDeckHoldemHand.lookup
    found = [
        lookup.get_entry("".join(map(str, hand_class.example))).index
        for hand_class in SHORT_DECK.classes
    ]
    assert all(better > worse for better, worse in pairwise(found))


def test_it_conforms_to_its_own_reference(capsys):
    """What every evaluator is checked for holds, on the deck and by the rule book of its rules."""
    assert run(["evaluators", "check", "short-deck"]) == 0
    told = capsys.readouterr().out
    assert "short-deck rules" in told
    assert "376,992" in told


# --- the evaluator's own parts ------------------------------------------------------------------


def test_strengths_count_up_from_the_weakest(short_deck):
    """Strengths are 1 for J-9-8-7-6 to 1404 for the royal flush."""
    found = short_deck.rank(SHORT_DECK.examples)
    assert list(range(1404, 0, -1)) == found.tolist()
    assert np.int16 == found.dtype


def test_the_counting_has_all_hands():
    """1,278 sets of ranks and 126 suited ones, each with a strength of its own."""
    mixed, suited = number_classes()
    assert comb(13, 5) - 9 == len(mixed) == 1278
    assert comb(9, 5) == len(suited) == 126
    assert set(range(1, 1405)) == {*mixed.values(), *suited.values()}


@pytest.mark.parametrize(
    ("strengths", "count"), [(tables._FIVE, 1278), (tables._SIX, 2922), (tables._SEVEN, 6030)]
)
def test_key_sums_are_all_different(strengths, count):
    """No two sets of ranks of one size have the same sum of keys."""
    assert count == len(strengths) == len({tables.key_sum(ranks) for ranks in strengths})


def test_each_key_is_the_smallest():
    """Each key is the smallest above the last one with which sums of seven stay different.

    Two sums of seven meet in a new key if (other - one) is a multiple of it, where `one` and
    `other` are sums of the keys before with as many cards fewer as the new key stands for.
    """
    sums = [{0}, *(set() for _ in range(7))]  # of so many cards
    for place, key in enumerate(tables.RANK_KEYS):
        forbidden = {0} if place else set()
        for few, many in combinations(range(5), 2):
            left = np.array(sorted(sums[7 - few]), dtype=np.int64)
            right = np.array(sorted(sums[7 - many]), dtype=np.int64)
            apart = (left[:, None] - right[None, :]).ravel()
            apart = np.unique(apart[(apart > 0) & (apart % (many - few) == 0)] // (many - few))
            forbidden.update(apart.tolist())
        first = tables.RANK_KEYS[place - 1] + 1 if place else 0
        assert key == next(free for free in range(first, first + 10**6) if free not in forbidden)
        sums = [
            {rest + held * key for held in range(min(4, size) + 1) for rest in sums[size - held]}
            for size in range(8)
        ]


def test_the_order_of_cards_does_not_matter(short_deck):
    """All orders of five cards, and many of seven, have one strength."""
    hands = random_hands(300, 7)
    expected = short_deck.rank(hands)
    for order in list(permutations(range(7)))[::97]:
        shuffled = np.ascontiguousarray(hands[:, order])
        np.testing.assert_array_equal(expected, short_deck.rank(shuffled))
    expected = short_deck.rank(np.ascontiguousarray(hands[:, :5]))
    for order in permutations(range(5)):
        shuffled = np.ascontiguousarray(hands[:, order])
        np.testing.assert_array_equal(expected, short_deck.rank(shuffled))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_suits_have_no_rank(short_deck, size):
    """All 24 renamings of suits leave every strength as it is."""
    hands = np.concatenate([random_hands(2_000, size), _suited(size)])
    expected = short_deck.rank(hands)
    for suits in permutations(range(4)):
        renamed = (hands & 0xFC) | np.array(suits, dtype=np.uint8)[hands & 3]
        np.testing.assert_array_equal(expected, short_deck.rank(renamed))


def _suited(size):
    """Return every choice of five clubs, with two cards of other suits where there are more."""
    fives = np.array(list(combinations(range(LOWEST, 52, 4), 5)), dtype=np.uint8)
    others = np.tile(np.array([LOWEST + 1, 51], dtype=np.uint8)[: size - 5], (len(fives), 1))
    return np.concatenate([fives, others], axis=1)


@pytest.mark.parametrize("length", [0, 1, 2, 1000])
def test_any_length_of_batch(short_deck, length):
    """A hand's strength does not depend on where in a batch it stands."""
    hands = random_hands(1000, 7)
    expected = short_deck.rank(hands)[:length]
    np.testing.assert_array_equal(expected, short_deck.rank(hands[:length]))


def test_the_offer_is_cheap():
    """Importing the package and asking what it offers compiles nothing and loads no numba."""
    code = (
        "import sys, holdem_short_deck as plugin; (spec,) = plugin.holdem_evaluators();"
        "print(spec.name, spec.rules, sorted(spec.hand_sizes), 'numba' in sys.modules)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "short-deck short-deck [5, 6, 7] False"


# --- values of hands ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "name", "rank_class"),
    [
        ("As Ks Qs Js Ts 6c 7d", "Royal Flush", 1),
        ("As 6s 7s 8s 9s", "Straight Flush, Nine high", 6),
        ("Ac Ad Ah As Kc Kd Kh", "Four of a Kind, Aces", 7),
        ("As Ks Qs Js 9s 9c 9d", "Flush, Ace high", 79),
        ("Ac Ad Ah Kc Kd 6s 7s", "Full House, Aces full of Kings", 199),
        ("As 6c 7d 8h 9s", "Straight, Nine high", 276),
        ("As 6c 7d 8h 9s Tc", "Straight, Ten high", 275),
        ("Js 9s 8c 7d 6h", "High Card, Jack", 1404),
    ],
)
def test_names_and_classes(hand, name, rank_class):
    """Class, category and name come from the rule set, and so do the five that count."""
    value = holdem.evaluate(hand, evaluator="short-deck")
    assert (name, rank_class) == (value.name, value.rank_class)
    assert reference.classify(value.best, SHORT_DECK) == (value.category, value.hand_class.ranks)


def test_the_wheel_shows_its_ace_last():
    """Of A 6 7 8 9 the ace plays low, and stands last."""
    value = holdem.evaluate("As 6c 7d 8h 9s Ad 9d", evaluator="short-deck")
    assert [9, 8, 7, 6] == [card.rank + 2 for card in value.best[:4]]
    assert 12 == value.best[4].rank


def test_a_flush_beats_a_full_house():
    """With the two hands of one board; with 52 cards it is the other way round."""
    board = "As Ks 9s 9d Kh"
    flush, full = "7s 6s", "Kd Qc"
    for name, winner in (("short-deck", flush), ("lookup", full)):
        values = {
            hole: holdem.evaluate(f"{board} {hole}", evaluator=name) for hole in (flush, full)
        }
        assert winner == max(values, key=values.get)
