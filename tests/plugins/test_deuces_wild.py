"""The rules of deuces wild and their evaluator."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import combinations
from math import comb

import numpy as np
import pytest

import holdem
from holdem.evaluation.builtin import reference
from holdem.evaluation.conformance.hands import every_hand, oracle, random_hands
from holdem.odds.spot import make_spot
from holdem.ranges.starting_hands import starting_hands
from holdem.rules import DEUCES_WILD, RULE_SETS, STANDARD
from holdem_suit_mask import HandType, split
from naive import count_deals, range_of, rank_by_rule_book

# Numbers of five-card hands by category, as the tables of deuces-wild video poker publish them.
# They count royal flushes by whether these have a wild card, and four deuces apart from other
# five of a kind: (natural royal flush, four deuces, wild royal flush).
ROYAL, FOUR_DEUCES, WILD_ROYAL = 4, 48, 480
PUBLISHED = {
    "five of a kind": 624 + FOUR_DEUCES,
    "straight flush": 2_068 + ROYAL + WILD_ROYAL,
    "four of a kind": 31_552,
    "full house": 12_672,
    "flush": 14_472,
    "straight": 62_232,
    "three of a kind": 355_080,
}
NOTHING = 2_119_728  # two pair, a pair or a high card, which the games do not pay

# Strongest first; hands on one line tie.
LADDER = [
    ["As Ac Ah Ad 2s", "As Ac Ah 2d 2s", "As 2h 2c 2d 2s"],
    ["Ks Kc Kh Kd 2s", "Ks 2h 2c 2d 2s"],
    ["3s 3c 3h 3d 2s", "3s 2h 2c 2d 2s"],
    ["As Ks Qs Js Ts", "As Ks Qs Js 2c", "Ad 2s 2h 2c Td"],
    ["Ks Qs Js Ts 9s", "Ks Qs 2h 2c 9s"],
    ["3s 4s 5s 6s 7s", "3s 4s 5s 6s 2s", "2d 3s 2c 6s 7s"],
    ["As 2s 3s 4s 5s", "As 2d 3s 4s 5s", "Ah 3h 2s 2c 2d"],
    ["Ac Ad Ah As Kc", "Ac 2c Ah As Kc", "Ac 2c 2d 2h Kd"],
    ["3c 3d 3h 3s 4c", "3c 2d 2h 3s 4c"],
    ["Ac Ad Ah Kc Kd", "Ac Ad 2h Kc Kd"],
    ["4c 4d 2s 3c 3d"],
    ["3c 3d 3h 4c 4d"],
    ["Ad Kd Qd Jd 9d", "Ad Kd 2s Jd 9d", "Ad 2h 2s Jd 9d"],
    ["8d 7d 5d 4d 3d"],
    ["As Ks Qs Js Td", "As Ks 2s Js Td", "As 2c 2s Js Td"],
    ["7s 6s 5s 4s 3d", "2s 6s 5s 4s 3d"],
    ["As 3s 4s 5c 2c", "As 3s 2d 5c 2c"],
    ["Ac Ad Ah Kc Qd", "Ac 2d Ah Kc Qd"],
    ["3c 3d 3h 5c 4d"],
    ["Ac Ad Kc Kd Qd"],
    ["4c 4d 3c 3d 5d"],
    ["Ac Ad Kc Qd Jd"],
    ["Ac Ad Kc Qd 9d", "Ac 2d Kc Qd 9d"],
    ["Ac 2c 8c 6d 4d"],
    ["3c 3d 6c 5d 4d"],
    ["As Ks Qs Js 9d"],
    ["8s 7s 5s 4s 3d"],
]


@pytest.fixture(scope="module")
def deuces():
    return holdem.get_evaluator("deuces-wild")


@pytest.fixture(scope="module")
def fives():
    """Every hand of five, ``uint8 (2598960, 5)``, ascending cards."""
    return np.concatenate(list(every_hand(STANDARD, 5)))


def substitutions(natural, wild):
    """Return each natural hand with every choice of other cards for `wild` cards.

    Args:
        natural: ``uint8 (hand, 5 - wild)``.
        wild: 1 to 3.

    Returns:
        ``uint8 (hand, choice, 5)``.
    """
    held = np.zeros((len(natural), 52), dtype=bool)
    np.put_along_axis(held, natural.astype(np.intp), True, axis=1)
    rest = np.nonzero(~held)[1].reshape(len(natural), -1)
    choices = np.array(list(combinations(range(rest.shape[1]), wild)))
    stand_ins = rest[:, choices].astype(np.uint8)
    shape = (len(natural), len(choices), 5 - wild)
    return np.concatenate([np.broadcast_to(natural[:, None], shape), stand_ins], axis=2)


@pytest.fixture(scope="module")
def by_substitution(fives):
    """The category and the ranks of every hand of five by substitution, as class numbers.

    Each wild card is replaced by every card that the hand does not have, and `lookup` ranks the
    hands without wild cards. Cards of one rank and a wild card are five of a kind.

    Returns:
        Standard class numbers ``int64 (2598960,)``, and minus the rank for five of a kind.
    """
    lookup = holdem.get_evaluator("lookup")
    numbers = np.zeros(len(fives), dtype=np.int64)
    wilds = (fives < 4).sum(axis=1)
    for wild in range(5):
        rows = np.flatnonzero(wilds == wild)
        natural = fives[rows][:, wild:]
        alike = (natural // 4 == natural[:, :1] // 4).all(axis=1)
        if wild:
            numbers[rows[alike]] = -(natural[alike, 0] // 4).astype(np.int64)
            rows, natural = rows[~alike], natural[~alike]
        step = 20_000 if wild < 2 else 1_000 if wild == 2 else 100
        for start in range(0, len(rows), step):
            part = natural[start : start + step]
            hands = substitutions(part, wild) if wild else part[:, None]
            ranked = lookup.rank(np.ascontiguousarray(hands.reshape(-1, 5)))
            best = ranked.reshape(len(part), -1).max(axis=1)
            numbers[rows[start : start + step]] = lookup.scale.classes(best)
    return numbers


# --- the rules ---------------------------------------------------------------------------------


def test_the_rule_set():
    """All 52 cards, with five of a kind above the nine categories of standard rules."""
    assert DEUCES_WILD is RULE_SETS["deuces-wild"]
    assert list(range(52)) == list(DEUCES_WILD.deck)
    assert (*STANDARD.categories, "five of a kind") == DEUCES_WILD.categories


def test_numbers_of_classes():
    """Sets of the 12 natural ranks. No hand is a six-high straight."""
    counts = Counter(hand_class.category for hand_class in DEUCES_WILD.classes)
    assert counts == {
        "five of a kind": 12,
        "straight flush": 9,
        "four of a kind": 12 * 11,
        "full house": 12 * 11,
        "flush": comb(12, 5) - 8,
        "straight": 9,
        "three of a kind": 12 * comb(11, 2),
        "two pair": comb(12, 2) * 10,
        "pair": 12 * comb(11, 3),
        "high card": comb(12, 5) - 8,
    }
    assert 5162 == counts.total()


def test_examples_by_rule_book():
    """Each class has an example of five cards, stronger than that of the next."""
    for hand_class in DEUCES_WILD.classes:
        assert 5 == len(set(hand_class.example))
        found = reference.classify(hand_class.example, DEUCES_WILD)
        assert (hand_class.category, hand_class.ranks) == found
    strengths = reference.rank_batch(DEUCES_WILD.examples, DEUCES_WILD)
    assert (strengths[:-1] > strengths[1:]).all()


def test_ladder_of_hands(deuces):
    """Order and ties by the rule book and by the evaluator."""
    for strength in (
        lambda hand: reference.strength(holdem.parse_cards(hand), DEUCES_WILD),
        lambda hand: holdem.evaluate(hand, evaluator=deuces).strength,
    ):
        found = [{strength(hand) for hand in rung} for rung in LADDER]
        assert [1] * len(LADDER) == [len(strengths) for strengths in found]
        order = [next(iter(strengths)) for strengths in found]
        assert sorted(order, reverse=True) == order


# --- every hand of five ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.exhaustive
def test_every_hand_by_substitution(deuces, fives, by_substitution):
    """All 2,598,960 hands have the class of their best substitution."""
    classes = deuces.scale.classes(deuces.rank(fives))
    for number, standard in set(zip(classes.tolist(), by_substitution.tolist(), strict=True)):
        hand_class = DEUCES_WILD.class_at(number)
        if standard < 0:
            assert ("five of a kind", (-standard,)) == (hand_class.category, hand_class.ranks)
        else:
            assert STANDARD.class_at(standard) == hand_class


def test_published_counts(deuces, fives):
    """Categories have the numbers of hands that are published for video poker."""
    values = deuces.rank(fives)
    counts = np.bincount(deuces.scale.categories(values), minlength=10)
    found = dict(zip(DEUCES_WILD.categories, counts.tolist(), strict=True))
    assert PUBLISHED == {category: found[category] for category in PUBLISHED}
    assert NOTHING == found["two pair"] + found["pair"] + found["high card"]
    assert comb(52, 5) == sum(found.values())
    royal = values >> 27 == HandType.ROYAL_FLUSH
    wilds = (fives < 4).sum(axis=1)
    assert (ROYAL, WILD_ROYAL) == (np.sum(royal & (wilds == 0)), np.sum(royal & (wilds > 0)))
    assert FOUR_DEUCES == np.sum(wilds == 4)
    assert (values[wilds == 4] >> 27 == HandType.FIVE_OF_A_KIND).all()


def test_hands_without_twos(deuces, fives):
    """They have the values of `suit-mask`."""
    natural = fives[fives[:, 0] >= 4]
    np.testing.assert_array_equal(
        holdem.get_evaluator("suit-mask").rank(natural), deuces.rank(natural)
    )


# --- six and seven cards -------------------------------------------------------------------------


@pytest.mark.parametrize("size", [6, 7])
def test_best_five(deuces, size):
    """Random hands, and hands with each number of twos, are as strong as their best five."""
    generator = np.random.default_rng(size)
    hands = [random_hands(DEUCES_WILD, size, 20_000, seed=size)]
    for wild in range(1, 5):
        natural = random_hands(STANDARD, size, 40_000, seed=wild)[:, wild:]
        natural = natural[natural[:, 0] >= 4]
        twos = np.array(list(combinations(range(4), wild)), dtype=np.uint8)
        drawn = twos[generator.integers(0, len(twos), len(natural))]
        hands.append(np.concatenate([drawn, natural], axis=1))
    every = np.ascontiguousarray(np.concatenate(hands))
    choices = np.array(list(combinations(range(size), 5)))
    fives = np.ascontiguousarray(every[:, choices].reshape(-1, 5))
    expected = deuces.rank(fives).reshape(len(every), -1).max(axis=1)
    np.testing.assert_array_equal(expected, deuces.rank(every))


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [6, 7])
def test_every_hand_of_six_and_seven(deuces, size):
    """All 20,358,520 and 133,784,560 hands have the class of their best five."""
    for hands in every_hand(DEUCES_WILD, size):
        classes = deuces.scale.classes(deuces.rank(hands))
        np.testing.assert_array_equal(5162 - oracle(DEUCES_WILD).levels(hands), classes)


# --- values of hands ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "name", "best", "rank_class"),
    [
        ("As Ah 2c 2d 2h Kd Ks", "Five of a Kind, Aces", "As Ah 2h 2d 2c", 1),
        ("2s 2h 2c 2d 3h 4d 9s", "Five of a Kind, Nines", "9s 2s 2h 2d 2c", 6),
        ("As Kd 2c Js Ts Ks 4h", "Royal Flush", "As Ks Js Ts 2c", 13),
        ("6s 5s 4s 3s 2d Kd Kh", "Straight Flush, Seven high", "6s 5s 4s 3s 2d", 20),
        ("As 4s 3s 2d 2s 9d Jh", "Straight Flush, Five high", "4s 3s 2s 2d As", 21),
        ("9s 9d 2d 2s Kd 3c 4h", "Four of a Kind, Nines", "9s 9d Kd 2s 2d", 78),
        ("9s 9d 2d Ks Kd 3c 4h", "Full House, Kings full of Nines", "Ks Kd 9s 9d 2d", 169),
        ("As Qs Js 9s 2d Kd Kh", "Flush, Ace high", "As Qs Js 9s 2d", 286),
        ("As 4d 3s 2d 5s 9d Jh", "Straight, Five high", "5s 4d 3s 2d As", 1078),
        ("As Kd 2s 9h 8d 5c 4s", "Pair, Aces", "As Kd 9h 8d 2s", 2423),
    ],
)
def test_names_and_classes(hand, name, best, rank_class):
    """The best five include the wild cards, as twos."""
    value = holdem.evaluate(hand, evaluator="deuces-wild")
    assert (name, best) == (value.name, " ".join(map(str, value.best)))
    assert reference.classify(value.best, DEUCES_WILD) == (
        value.category,
        value.hand_class.ranks,
    )
    assert rank_class == value.rank_class


def test_parts_of_values(deuces):
    """Type and ranks of an example of each class are those of the class."""
    for hand_class, number in zip(
        DEUCES_WILD.classes, deuces.rank(DEUCES_WILD.examples).tolist(), strict=True
    ):
        parts = split(number)
        is_royal = hand_class.name == "Royal Flush"
        assert ("royal flush" if is_royal else hand_class.category) == parts.type.label
        ranks = sum(1 << rank + 1 for rank in hand_class.ranks)
        if hand_class.ranks[-1] == 12 and len(hand_class.ranks) == 5:
            ranks ^= 1 << 13 | 1  # the wheel's ace is low
        assert ranks == parts.primary | parts.secondary


best_strength = partial(rank_by_rule_book, rules=DEUCES_WILD)


# --- the engine under these rules ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "board"),
    [
        (("AsKs", "QdQh"), "Td9d2c7h"),
        (("As2s", "KdKh"), "9d8c7h3s"),
        (("2s7h", "AdAc", "9s8s"), "Ts6d3h4c"),
        (("KsQs", "77+:0.5,A2s"), "Js2d9s4hTd"),
    ],
)
def test_exact_equity_is_that_of_every_deal(players, board):
    """Wins and ties are those of an enumeration by the rule book."""
    ranges = [range_of(text, "deuces-wild") for text in players]
    totals, _ = count_deals(ranges, holdem.parse_cards(board), rank=best_strength)
    result = holdem.equity(*players, board=board, evaluator="deuces-wild")
    assert result.exact
    for player, (wins, ties, *_) in zip(result.players, totals, strict=True):
        assert (float(wins), float(ties)) == pytest.approx((player.wins, player.ties), rel=1e-12)


def test_ranges_have_all_cards():
    spot = make_spot(("random", "22+"), evaluator="deuces-wild")
    assert [comb(52, 2), 13 * 6] == [len(own) for own in spot.live]


def test_simulated_hands():
    """Each seat has the best five of its seven cards, and the strongest win."""
    for hand in holdem.simulate(players=4, hands=30, seed=7, evaluator="deuces-wild"):
        strengths = []
        for seat in hand.seats:
            strengths.append(best_strength((*hand.board, *seat.hole)))
            assert strengths[-1] == reference.strength(seat.value.best, DEUCES_WILD)
        top = max(strengths)
        assert tuple(at for at, found in enumerate(strengths) if found == top) == hand.winners


def test_statistics():
    found = holdem.aggregate(players=6, hands=2_000, seed=7, evaluator="deuces-wild")
    assert list(DEUCES_WILD.categories) == list(found.categories)
    assert 12_000 == sum(found.categories.values())
    assert found.categories["five of a kind"] > 0


# --- the list of starting hands ------------------------------------------------------------------


def test_the_list_of_starting_hands():
    """169 classes by equity; over all combos wins and losses are equal."""
    hands = starting_hands(DEUCES_WILD)
    assert 169 == len({hand.name for hand in hands})
    assert {comb(50, 2) * comb(48, 5)} == {hand.deals for hand in hands}
    twice = [2 * hand.wins + hand.ties for hand in hands]
    assert sorted(twice, reverse=True) == twice
    sizes = [len(holdem.Range(hand.name)) for hand in hands]
    total = sum(size * count for size, count in zip(sizes, twice, strict=True))
    assert comb(52, 2) * hands[0].deals == total


def test_twos_are_the_best_starting_hands():
    """A two makes a hand better than any without; the suit of a wild card has no effect."""
    hands = starting_hands(DEUCES_WILD)
    assert "22" == hands[0].name
    assert all("2" in hand.name for hand in hands[:25])
    counts = {hand.name: (hand.wins, hand.ties) for hand in hands}
    assert all(counts[f"{rank}2s"] == counts[f"{rank}2o"] for rank in "AKQJT9876543")


@pytest.mark.parametrize("name", ["22", "A2s", "AA", "JTs", "72o", "43o"])
def test_the_list_has_sampled_equities(name):
    """The listed equity of a class is within four standard errors of a sampled one."""
    line = next(hand for hand in starting_hands(DEUCES_WILD) if hand.name == name)
    options = {"method": "monte-carlo", "deals": 100_000, "seed": 7}
    drawn = holdem.equity(name, "random", evaluator="deuces-wild", **options)
    assert abs(line.equity - drawn.players[0].equity) < 4 * drawn.players[0].stderr


def test_percentages():
    assert "22,A2s,A2o" == str(holdem.Range("top 1.5%", rules="deuces-wild"))
