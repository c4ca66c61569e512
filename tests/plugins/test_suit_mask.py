"""The suit-mask evaluator: the article's patterns and their order, and the hands it leaves out."""

from __future__ import annotations

import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest

import holdem
from holdem.evaluation.best_five import best_of_five
from holdem.evaluation.builtin.reference import classify
from holdem.values import STANDARD
from holdem_suit_mask import kernel, layout, value
from holdem_suit_mask.tables import CARD_MASKS
from holdem_suit_mask.value import Parts

SIZES = [5, 6, 7]


@pytest.fixture(scope="module")
def suit_mask():
    return holdem.get_evaluator("suit-mask")


def random_hands(count, size):
    shuffled = np.random.default_rng(20210214).random((count, 52)).argsort(axis=1)
    return np.ascontiguousarray(shuffled[:, :size], dtype=np.uint8)


def mask_of(cards):
    return np.bitwise_or.reduce(CARD_MASKS[np.array(list(cards))])


def bits(text):
    """Return the bits of ranks, ``"AKQ"``, as in a section; ``a`` is the low ace."""
    return sum(1 << "a23456789TJQKA".index(rank) for rank in text)


def parts_of(hand):
    """Return the parts of a hand in text."""
    return value.split(kernel.hand_value(holdem.parse_cards(hand)))


def named(hand):
    """Return a hand's type by name, its primary and its secondary ranks."""
    parts = parts_of(hand)
    return value.TYPE_NAMES[parts.type], parts.primary, parts.secondary


# --- cards ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("suit", "first_index", "first_bit"),
    [("s", 0, 0), ("h", 13, 16), ("d", 26, 32), ("c", 39, 48)],
)
def test_the_articles_places_of_suits(suit, first_index, first_bit):
    """Spades are 0 to 12, hearts 13 to 25, …; in a mask they start at bits 0, 16, 32, 48."""
    cards = holdem.parse_cards([rank + suit for rank in "A23456789TJQK"])
    assert list(range(first_index, first_index + 13)) == [layout.card_index(card) for card in cards]
    low = [1 << first_bit + rank for rank in range(13)]
    low[0] |= 1 << first_bit + 13  # the ace has its high bit too
    assert low == [layout.card_mask(card) for card in cards]
    assert low == CARD_MASKS[list(cards)].tolist()


def test_sets_go_from_mask_to_indices_and_back():
    """Random sets of cards survive the way there and back; a mask keeps both bits of an ace."""
    random = np.random.default_rng(8)
    for indices in random.integers(0, 1 << 52, size=500).tolist():
        mask = layout.from_index_set(indices)
        assert indices == layout.to_index_set(mask)
        assert mask == layout.from_index_set(layout.to_index_set(mask))
        cards = [card for card in range(52) if indices >> layout.card_index(card) & 1]
        assert (mask_of(cards) if cards else 0) == mask


def test_high_aces_are_masked_off():
    """A high ace of spades would come out as the ace of hearts; the ace alone comes out."""
    (ace,) = holdem.parse_cards("As")
    assert 1 << 13 | 1 == layout.card_mask(ace)
    assert 1 << layout.card_index(ace) == layout.to_index_set(layout.card_mask(ace))


def test_the_squeeze_is_the_articles_extract():
    """Bits under the mask 0b0001111111111111, four times, are brought together at the low end."""
    chosen = [bit for bit in range(64) if 0x1FFF_1FFF_1FFF_1FFF >> bit & 1]
    for mask in np.random.default_rng(9).integers(0, 1 << 63, size=200).tolist():
        expected = sum((mask >> bit & 1) << place for place, bit in enumerate(chosen))
        assert expected == layout.to_index_set(mask)


def test_horizontal_reductions():
    """The three reductions combine the four sections as AND, OR and XOR do."""
    for number in np.random.default_rng(10).integers(0, 1 << 64, size=200, dtype=np.uint64):
        a, b, c, d = (int(number) >> shift & 0xFFFF for shift in (0, 16, 32, 48))
        assert a & b & c & d == kernel.horizontal_and(number)
        assert a | b | c | d == kernel.horizontal_or(number)
        assert a ^ b ^ c ^ d == kernel.horizontal_xor(number)


def test_and_finds_four_of_a_kind():
    """AND leaves the rank of four of a kind; of four aces it leaves both bits."""
    assert bits("9") == kernel.horizontal_and(mask_of(holdem.parse_cards("9c9d9h9sKs")))
    assert bits("aA") == kernel.horizontal_and(mask_of(holdem.parse_cards("AcAdAhAsKs")))


# --- the article's examples ------------------------------------------------------------------

# Loser and winner: the hand, its ranks in one mask, and how the article prints that number.
ONE_MASK = [
    (("QJ854", "00110010011000", 3224), ("KQ543", "01100000011100", 14034)),
    (("QJ854", "00110010011000", 3224), ("QJ984", "00110110001000", 6610)),
    (("KK888", "01000010000000", 10200), ("KKK88", "01000010000000", 10200)),
    (("999KQ", "01100100000000", 14400), ("JJJ98", "00010110000000", 2600)),
    (("QQJJK", "01110000000000", 16000), ("KK332", "01000000000110", 10006)),
]
# … and in two: primary and secondary ranks.
TWO_MASKS = [
    (
        ("KK888", "00000010000000 01000000000000", 10010000),
        ("KKK88", "01000000000000 00000010000000", 400000200),
    ),
    (
        ("999KQ", "00000100000000 01100000000000", 20014000),
        ("JJJ98", "00010000000000 00000110000000", 100000600),
    ),
    (
        ("QQJJK", "00110000000000 01000000000000", 300010000),
        ("KK332", "01000000000100 00000000000010", 400200002),
    ),
]


def cards_of_ranks(ranks):
    """Return cards of these ranks, suits in turn, so that there is no flush."""
    return " ".join(rank + "shdc"[place % 4] for place, rank in enumerate(ranks))


@pytest.mark.parametrize(
    ("ranks", "pattern", "printed"), [row for pair in ONE_MASK for row in pair]
)
def test_the_articles_single_masks(ranks, pattern, printed):
    """All ranks of a hand in one mask are the bits shown; all figures but 3,224 are octal."""
    mask = mask_of(holdem.parse_cards(cards_of_ranks(ranks)))
    assert int(pattern, 2) == kernel.horizontal_or(mask)
    assert printed == (int(pattern, 2) if printed == 3224 else int(f"{int(pattern, 2):o}"))


@pytest.mark.parametrize(
    ("ranks", "pattern", "printed"), [row for pair in TWO_MASKS for row in pair]
)
def test_the_articles_primary_and_secondary_masks(ranks, pattern, printed):
    """The two groups of ranks are the bits shown; the figures are octal, of 14 + 14 bits."""
    primary, secondary = (int(part, 2) for part in pattern.split())
    parts = parts_of(cards_of_ranks(ranks))
    assert (primary, secondary) == (parts.primary, parts.secondary)
    assert printed == int(f"{primary << 14 | secondary:o}")


@pytest.mark.parametrize(("loser", "winner"), ONE_MASK + TWO_MASKS)
def test_the_articles_winners_win(loser, winner):
    """In each of the article's comparisons the winner has the higher value."""
    losing, winning = (
        kernel.hand_value(holdem.parse_cards(cards_of_ranks(ranks)))
        for ranks, _, _ in (loser, winner)
    )
    assert losing < winning


def test_one_mask_is_not_enough():
    """For hands with pairs or threes the order by one mask is wrong, by two masks it is right."""
    for (_, loser, _), (_, winner, _) in ONE_MASK[2:]:
        assert int(loser, 2) >= int(winner, 2)
    for (_, loser, _), (_, winner, _) in TWO_MASKS:
        assert int(loser.replace(" ", ""), 2) < int(winner.replace(" ", ""), 2)


def test_a_value_has_31_bits():
    """4 bits of type, 14 primary and 13 secondary: never negative in 32 bits, with 11 types."""
    assert (4, 14, 13) == (value.TYPE_BITS, value.PRIMARY_BITS, value.SECONDARY_BITS)
    assert value.VALUE_BITS == 31
    assert len(value.TYPE_NAMES) == 11
    five_aces = Parts(value.FIVE_OF_A_KIND, bits("A"), 0)
    assert value.join(five_aces) < 1 << 31
    assert five_aces == value.split(value.join(five_aces))
    assert (value.FIVE_OF_A_KIND, value.ROYAL_FLUSH) == (10, 9)


# --- values ------------------------------------------------------------------------------------


def expected_parts(five):
    """Return the parts of five cards by the rule book."""
    category, ranks = classify(five)
    name = "royal flush" if category == "straight flush" and ranks[0] == 12 else category
    deciding = [1 << rank + 1 for rank in ranks]
    if "straight" in category and ranks[-1] == 12:
        deciding[-1] = 1  # the wheel's ace is low
    leading = {"pair": 1, "two pair": 2, "three of a kind": 1, "full house": 1, "four of a kind": 1}
    first = leading.get(category, 5)
    return Parts(value.TYPE_NAMES.index(name), sum(deciding[:first]), sum(deciding[first:]))


def test_parts_are_those_of_the_rule_book():
    """All classes, and random hands, have the type and the two groups of ranks of the rules."""
    hands = np.concatenate([STANDARD.examples, random_hands(5_000, 5)])
    values = kernel.rank_batch(hands).tolist()
    assert [expected_parts(hand) for hand in hands.tolist()] == [
        value.split(number) for number in values
    ]
    assert values == [value.join(value.split(number)) for number in values]


@pytest.mark.parametrize(
    ("hand", "name", "primary", "secondary"),
    [
        # more pairs and threes than a hand can use
        ("KcKdKh8s8d8c2s", "full house", "K", "8"),
        ("8c8d8hKsKd2c2s", "full house", "8", "K"),
        ("8c8d8hKsKd2c3s", "full house", "8", "K"),
        ("2c2d2hAsKdAcKs", "full house", "2", "A"),
        ("AcAdAhKsKdKc", "full house", "A", "K"),
        ("AcAdKhKs2d2cQs", "two pair", "AK", "Q"),
        ("AcAdKhKsQdQc2s", "two pair", "AK", "Q"),
        ("4c4d3h3s2d2c", "two pair", "43", "2"),
        ("4c4d3h3s2d2cAs", "two pair", "43", "A"),
        ("4c4d3hQsKdTcAs", "pair", "4", "AKQ"),
        ("4c4d4hQsKdTcAs", "three of a kind", "4", "AK"),
        ("4c2d3h9sKdTcJs", "high card", "KJT94", ""),
        # four of a kind on the board: the kicker decides
        ("7c7d7h7sKd2c3s", "four of a kind", "7", "K"),
        ("7c7d7h7sAd2c3s", "four of a kind", "7", "A"),
        ("7c7d7h7s2d2c2s", "four of a kind", "7", "2"),
        ("7c7d7h7sKdKc8s", "four of a kind", "7", "K"),
        ("7c7d7h7s5d6c4s", "four of a kind", "7", "6"),
        ("AcAdAhAsKdKcKs", "four of a kind", "A", "K"),
        # more cards of a suit than a flush needs
        ("2s4s6s8sTsQs", "flush", "QT864", ""),
        ("2s4s6s8sTsQsAs", "flush", "AQT86", ""),
        ("AdKdJd9d7d5d3d", "flush", "AKJ97", ""),
        ("AhKh9h7h2hAcAd", "flush", "AK972", ""),
        ("3c4c5c6cJc7d8h", "flush", "J6543", ""),
        # more ranks than a straight needs
        ("2c3d4h5s6c7d", "straight", "76543", ""),
        ("2c3d4h5s6c7d8h", "straight", "87654", ""),
        ("Ac2d3h4s5c6d7h", "straight", "76543", ""),
        ("Ac2d3h4s5c6d", "straight", "65432", ""),
        ("Ac2d3h4s5cKdQh", "straight", "5432a", ""),
        ("Ac2d3h4s5cAdAh", "straight", "5432a", ""),
        ("8cAdKhQsJcTd9h", "straight", "AKQJT", ""),
        ("9cTdTh8s7cTs6d", "straight", "T9876", ""),
        ("AcKdQhJs2c3d4h", "high card", "AKQJ4", ""),
        ("QcKdAh2s3c9d8h", "high card", "AKQ98", ""),
        # straight flushes under other strong cards
        ("4d5d6d7d8dKd2c", "straight flush", "87654", ""),
        ("4d5d6d7d8dAdKd", "straight flush", "87654", ""),
        ("4d5d6d7d8d9cTc", "straight flush", "87654", ""),
        ("Ah2h3h4h5h6c7c", "straight flush", "5432a", ""),
        ("Ah2h3h4h5hKhQh", "straight flush", "5432a", ""),
        ("Ah2h3h4h5h6h7h", "straight flush", "76543", ""),
        ("Ac2c3c4c5cAdAh", "straight flush", "5432a", ""),
        ("9sTsJsQsKsAs8s", "royal flush", "AKQJT", ""),
        ("9sTsJsQsKsAdAh", "straight flush", "KQJT9", ""),
        ("AcKcQcJcTc9d8d", "royal flush", "AKQJT", ""),
        # the straight and the flush are not of the same cards
        ("2s3s4s5s9s6d7d", "flush", "95432", ""),
    ],
)
def test_six_and_seven_cards(hand, name, primary, secondary):
    """The best five of six or seven cards have the type and the ranks that the rules say."""
    assert (name, bits(primary), bits(secondary)) == named(hand)


def test_kickers_beside_four_of_a_kind_on_the_board():
    """With four of a kind on the board the higher kicker wins; below the board's card all tie."""
    king, ace, low, lower = (
        kernel.hand_value(holdem.parse_cards("7c7d7h7sTd" + hole))
        for hole in ("Kc2d", "Ac2d", "9c8d", "3c2d")
    )
    assert lower == low < king < ace


def test_ranks_are_shown_from_the_top():
    """Parts print as a type and ranks from the highest down."""
    assert str(parts_of("Ac2d3h4s5cKdQh")) == "straight 5432A"
    assert str(parts_of("8c8d8hKsKd2c2s")) == "full house 8 K"


# --- batches -------------------------------------------------------------------------------------


def test_classes_are_in_order_and_apart(suit_mask):
    """Over the 7,462 classes, values rise strictly with the reference's strengths."""
    expected = holdem.get_evaluator("reference").rank(STANDARD.examples).argsort()
    values = suit_mask.rank(STANDARD.examples)
    assert len(set(values.tolist())) == 7462
    np.testing.assert_array_equal(expected, values.argsort())


@pytest.mark.parametrize("size", SIZES)
def test_random_hands_agree_with_lookup(suit_mask, size):
    """Random hands of each size are of the classes that the default evaluator finds."""
    hands = random_hands(50_000, size)
    lookup = holdem.get_evaluator("lookup")
    expected = lookup.scale.classes(lookup.strengths(hands))
    np.testing.assert_array_equal(expected, suit_mask.scale.classes(suit_mask.strengths(hands)))


def test_five_cards_agree_with_the_reference(suit_mask):
    """Random hands of five are of the class that the rule book puts them in."""
    hands = random_hands(5_000, 5)
    reference = holdem.get_evaluator("reference")
    expected = reference.scale.classes(reference.strengths(hands))
    np.testing.assert_array_equal(expected, suit_mask.scale.classes(suit_mask.strengths(hands)))


@pytest.mark.parametrize("size", SIZES)
def test_the_best_five_cards_have_the_value_of_the_hand(size):
    """A hand of six or seven has the highest value of its choices of five."""
    hands = random_hands(5_000, size)
    expected = best_of_five(kernel.rank_batch, hands)
    np.testing.assert_array_equal(expected, kernel.rank_batch(hands))


@pytest.mark.parametrize("size", SIZES)
def test_batch_and_single_hands_agree(size):
    """The vectors give each hand the value that one call for its mask gives it."""
    hands = random_hands(2_000, size)
    expected = [int(kernel.mask_value(mask_of(hand), np.uint64(size))) for hand in hands]
    assert expected == kernel.rank_batch(hands).tolist()


@pytest.mark.parametrize("size", SIZES)
def test_the_order_of_cards_does_not_matter(size):
    """A hand's value is the same in any order of its cards."""
    hands = random_hands(200, size)
    expected = kernel.rank_batch(hands)
    for order in list(permutations(range(size)))[:: 1 if size == 5 else 37]:
        shuffled = np.ascontiguousarray(hands[:, order])
        np.testing.assert_array_equal(expected, kernel.rank_batch(shuffled))


@pytest.mark.parametrize("length", [0, 1, 511, 512, 513, 1025])
def test_any_length_of_batch(length):
    """A hand's value does not depend on where in a batch, or in which block, it stands."""
    hands = random_hands(1_100, 7)
    expected = kernel.rank_batch(hands)[:length]
    np.testing.assert_array_equal(expected, kernel.rank_batch(hands[:length]))
    backwards = np.ascontiguousarray(hands[:length][::-1])
    np.testing.assert_array_equal(expected[::-1], kernel.rank_batch(backwards))


def test_the_offer_is_cheap():
    """Importing the package and asking what it offers loads no numba and builds no table."""
    code = (
        "import sys, holdem_suit_mask as plugin; (spec,) = plugin.holdem_evaluators();"
        "print(spec.name, sorted(spec.hand_sizes), *(name in sys.modules"
        " for name in ('numba', 'holdem_suit_mask.tables')))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "suit-mask [5, 6, 7] False False"
