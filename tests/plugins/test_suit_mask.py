"""The suit-mask evaluator: the article's patterns and their order, and the parts of values.

Tests of conformance to the contract are in tests/evaluation/test_conformance.py.
"""

from __future__ import annotations

import subprocess
import sys

import numba
import numpy as np
import pytest

import holdem
import holdem_suit_mask
from articles.suit_mask import ONE_MASK, TWO_MASKS, cards_of_ranks
from holdem.evaluation.builtin.reference import classify
from holdem.rules import STANDARD
from holdem_suit_mask import kernel, layout, value
from holdem_suit_mask.tables import CARD_MASKS
from holdem_suit_mask.value import HandType, Parts

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
    """Return the name of a hand's type, its primary and its secondary ranks."""
    parts = parts_of(hand)
    return parts.type.label, parts.primary, parts.secondary


# --- cards ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("suit", "first_index", "first_bit"),
    [("s", 0, 0), ("h", 13, 16), ("d", 26, 32), ("c", 39, 48)],
)
def test_article_order_of_suits(suit, first_index, first_bit):
    """Spades are 0 to 12, hearts 13 to 25, …; in a mask they start at bits 0, 16, 32, 48."""
    cards = holdem.parse_cards([rank + suit for rank in "A23456789TJQK"])
    assert list(range(first_index, first_index + 13)) == [layout.card_index(card) for card in cards]
    low = [1 << first_bit + rank for rank in range(13)]
    low[0] |= 1 << first_bit + 13  # the ace has its high bit too
    assert low == [layout.card_mask(card) for card in cards]
    assert low == [layout.card_mask(str(card)) for card in cards]
    assert low == CARD_MASKS[list(cards)].tolist()


def test_conversion_of_sets():
    """Random sets of cards are unchanged after conversion to indices and back."""
    random = np.random.default_rng(8)
    for indices in random.integers(0, 1 << 52, size=500).tolist():
        mask = layout.from_index_set(indices)
        assert indices == layout.to_index_set(mask)
        assert mask == layout.from_index_set(layout.to_index_set(mask))
        cards = [card for card in range(52) if indices >> layout.card_index(card) & 1]
        assert (mask_of(cards) if cards else 0) == mask


def test_high_aces_are_removed():
    """A high ace of spades would become the ace of hearts."""
    (ace,) = holdem.parse_cards("As")
    assert 1 << 13 | 1 == layout.card_mask(ace)
    assert 1 << layout.card_index(ace) == layout.to_index_set(layout.card_mask(ace))


def test_conversion_is_the_article_extract():
    """The bits under the mask 0b0001111111111111, four times, become adjacent."""
    chosen = [bit for bit in range(64) if 0x1FFF_1FFF_1FFF_1FFF >> bit & 1]
    for mask in np.random.default_rng(9).integers(0, 1 << 63, size=200).tolist():
        expected = sum((mask >> bit & 1) << place for place, bit in enumerate(chosen))
        assert expected == layout.to_index_set(mask)


def test_horizontal_reductions():
    """They combine the four sections by AND, OR and XOR."""
    for number in np.random.default_rng(10).integers(0, 1 << 64, size=200, dtype=np.uint64):
        a, b, c, d = (int(number) >> shift & 0xFFFF for shift in (0, 16, 32, 48))
        assert a & b & c & d == kernel.horizontal_and(number)
        assert a & b & c & d == holdem_suit_mask.horizontal_and(int(number))
        assert a | b | c | d == kernel.horizontal_or(number)
        assert a | b | c | d == holdem_suit_mask.horizontal_or(int(number))
        assert a ^ b ^ c ^ d == kernel.horizontal_xor(number)
        assert a ^ b ^ c ^ d == holdem_suit_mask.horizontal_xor(int(number))


def test_and_of_four_of_a_kind():
    """It is the rank; of four aces it is both bits."""
    assert bits("9") == kernel.horizontal_and(mask_of(holdem.parse_cards("9c9d9h9sKs")))
    assert bits("aA") == kernel.horizontal_and(mask_of(holdem.parse_cards("AcAdAhAsKs")))


def test_article_section():
    """A section is `--AKQJT987654321A` with the 1 and the low ace as one bit."""
    for bit, rank in enumerate("A23456789TJQK"):
        mask = holdem_suit_mask.hand_mask(f"{rank}s")
        assert 1 << bit | (rank == "A") << 13 == mask


# --- public functions ------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 5, 7, 52])
def test_cards_of_masks(count):
    """Random sets of cards are unchanged after conversion to a mask and back."""
    for cards in random_hands(50, count).tolist():
        mask = holdem_suit_mask.hand_mask(cards)
        assert sorted(cards) == sorted(holdem_suit_mask.mask_cards(mask))
        text = holdem_suit_mask.mask_text(mask)
        assert mask == holdem_suit_mask.hand_mask(text)
        indices = [layout.card_index(card) for card in holdem.parse_cards(text)]
        assert sorted(indices) == indices
        assert mask == holdem_suit_mask.from_index_set(holdem_suit_mask.to_index_set(mask))


def test_ace_with_one_bit():
    """The article makes a mask by shifts of one bit, which gives an ace only one of its two."""
    for mask in (1 << 16, 1 << 29, 1 << 16 | 1 << 29):
        assert "Ah" == holdem_suit_mask.mask_text(mask)


@pytest.mark.parametrize("mask", [-1, 1 << 14, 1 << 15, 1 << 63, 1 << 64])
def test_bits_without_card(mask):
    with pytest.raises(holdem.CardError, match=rf"{mask:#x} is not a mask of cards"):
        holdem_suit_mask.mask_cards(mask)


@pytest.mark.parametrize(
    ("hand", "deuces_wild", "expected"),
    [
        ("As Ks Qs Js Ts", False, HandType.ROYAL_FLUSH),
        ("As Ks Qs 2d Ts 3c 4h", False, HandType.HIGH_CARD),
        ("As Ks Qs 2d Ts 3c 4h", True, HandType.ROYAL_FLUSH),
        ("As Ac Ah Ad 2s", True, HandType.FIVE_OF_A_KIND),
    ],
)
def test_type_and_value_of_hand(hand, deuces_wild, expected):
    """The type is that of the value, for text and ids."""
    assert expected is holdem_suit_mask.hand_type(hand, deuces_wild=deuces_wild)
    number = holdem_suit_mask.hand_value(holdem.parse_cards(hand), deuces_wild=deuces_wild)
    assert expected is holdem_suit_mask.split(number).type


def test_values_of_too_few_cards():
    with pytest.raises(holdem.CardError, match="a hand has 5 to 7 cards, not 2"):
        holdem_suit_mask.hand_value("As Ks")


def test_import_is_cheap():
    """The public functions that need no evaluator load no numba."""
    script = (
        "import sys, holdem_suit_mask as s; s.mask_text(s.hand_mask('As Kd'));"
        " print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "False" == done.stdout.strip(), done.stderr


# --- the article's examples ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ranks", "pattern", "printed"), [row for pair in ONE_MASK for row in pair]
)
def test_article_single_masks(ranks, pattern, printed):
    """All ranks of a hand in one mask; all figures but 3,224 are octal."""
    mask = mask_of(holdem.parse_cards(cards_of_ranks(ranks)))
    assert int(pattern, 2) == kernel.horizontal_or(mask)
    assert printed == (int(pattern, 2) if printed == 3224 else int(f"{int(pattern, 2):o}"))


@pytest.mark.parametrize(
    ("ranks", "pattern", "printed"), [row for pair in TWO_MASKS for row in pair]
)
def test_article_primary_and_secondary_masks(ranks, pattern, printed):
    """The figures are octal, of 14 + 14 bits."""
    primary, secondary = (int(part, 2) for part in pattern.split())
    parts = parts_of(cards_of_ranks(ranks))
    assert (primary, secondary) == (parts.primary, parts.secondary)
    assert printed == int(f"{primary << 14 | secondary:o}")


@pytest.mark.parametrize(("loser", "winner"), ONE_MASK + TWO_MASKS)
def test_article_comparisons(loser, winner):
    """The winner has the higher value."""
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


def test_bits_of_values():
    """4 bits of type, 14 primary and 13 secondary: never negative in 32 bits, with 11 types."""
    assert (4, 14, 13) == (value.TYPE_BITS, value.PRIMARY_BITS, value.SECONDARY_BITS)
    assert value.VALUE_BITS == 31
    assert len(HandType) == 11 <= 1 << value.TYPE_BITS
    five_aces = Parts(HandType.FIVE_OF_A_KIND, bits("A"), 0)
    assert value.join(five_aces) < 1 << 31
    assert five_aces == value.split(value.join(five_aces))


def test_order_of_types():
    """A royal flush has its own type above a straight flush, and five of a kind beats all."""
    labels = [kind.label for kind in sorted(HandType)]
    assert [*STANDARD.categories, "royal flush", "five of a kind"] == labels


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
    return Parts(
        HandType[name.upper().replace(" ", "_")], sum(deciding[:first]), sum(deciding[first:])
    )


def test_parts_of_five_cards():
    """All classes and random hands have the type and the ranks by the rule book."""
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
def test_parts_of_six_and_seven_cards(hand, name, primary, secondary):
    assert (name, bits(primary), bits(secondary)) == named(hand)


def test_kickers_of_four_of_a_kind_on_the_board():
    """The higher kicker wins; kickers below the board's card tie."""
    king, ace, low, lower = (
        kernel.hand_value(holdem.parse_cards("7c7d7h7sTd" + hole))
        for hole in ("Kc2d", "Ac2d", "9c8d", "3c2d")
    )
    assert lower == low < king < ace


def test_text_of_parts():
    """It is a type and ranks from the highest down."""
    assert str(parts_of("Ac2d3h4s5cKdQh")) == "straight 5432A"
    assert str(parts_of("8c8d8hKsKd2c2s")) == "full house 8 K"


# --- batches -------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_batch_and_single_hands_agree(size):
    hands = random_hands(2_000, size)
    value_of = numba.njit(lambda mask: kernel.mask_value(mask, np.uint64(size)))
    expected = [int(value_of(mask_of(hand))) for hand in hands]
    assert expected == kernel.rank_batch(hands).tolist()
