"""The cactus-kev evaluator: the article's numbers, tables, binary search and perfect hash.

Tests of conformance to the contract are in tests/evaluation/test_conformance.py.
"""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations_with_replacement
from math import prod

import numpy as np
import pytest

import holdem
from articles.cactus_kev import PRINTED_TABLES, PUBLISHED, numbers
from holdem.rules import STANDARD
from holdem_cactus_kev import (
    Category,
    card_bitfield,
    card_text,
    deck_bitfields,
    hand_bitfields,
    hand_category,
    hand_text,
    hand_value,
    kernel,
    perfect_hash,
    tables,
    value_category,
)
from holdem_cactus_kev.cards import PRIMES


@pytest.fixture(scope="module")
def cactus_kev():
    return holdem.get_evaluator("cactus-kev")


@pytest.fixture(scope="module")
def random_fives():
    """20,000 random hands of five cards, ``uint8 (hand, 5)``."""
    return random_hands(20_000, 5)


def random_hands(count, size):
    shuffled = np.random.default_rng(20060412).random((count, 52)).argsort(axis=1)
    return np.ascontiguousarray(shuffled[:, :size], dtype=np.uint8)


# --- cards and tables --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "bits", "number"),
    [
        ("KD", "00001000 00000000 01001011 00100101", 134236965),
        ("5S", "00000000 00001000 00010011 00000111", 529159),
        ("JC", "00000010 00000000 10001001 00011101", 33589533),
    ],
)
def test_article_bit_fields(card, bits, number):
    """King of diamonds, five of spades and jack of clubs."""
    assert int(bits.replace(" ", ""), 2) == number
    assert number == card_bitfield(card)
    assert card == card_text(number)
    assert number == tables.CARDS[holdem.Card(card)]


def test_article_hand_of_numbers():
    """The five numbers of `7C 5D 4H 3S 2C`, and back."""
    fields = (2131213, 541447, 270853, 135427, 98306)
    assert fields == hand_bitfields("7C 5D 4H 3S 2C")
    assert hand_text(fields) == "7C 5D 4H 3S 2C"


def test_article_deck():
    """The deck is that of ``init_deck``: suits from 0x8000 down, in each the ranks from 2 to A."""
    primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41]
    expected = [
        primes[rank] | rank << 8 | suit | 1 << 16 + rank
        for suit in (0x8000, 0x4000, 0x2000, 0x1000)
        for rank in range(13)
    ]
    assert expected == list(deck_bitfields())
    assert hand_text(deck_bitfields()[:13]) == "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
    assert hand_text(deck_bitfields()[12::13]) == "AC AD AH AS"


def test_cards_to_bit_fields_and_back():
    """Each of the 52 cards is the same after a round trip, from every form of its text."""
    assert len(set(deck_bitfields())) == 52
    for card in map(holdem.Card, range(52)):
        text = str(card).upper()
        for form in (card, text, text.lower(), text.replace("T", "10")):
            assert text == card_text(card_bitfield(form))
        assert card == holdem.Card(card_text(tables.CARDS[card]))
    assert deck_bitfields() == hand_bitfields(hand_text(deck_bitfields()))


def test_layout_of_cards():
    """A card has its prime, its rank, one suit bit and one rank bit, and nothing else."""
    suit_bits = dict(zip("cdhs", (0x8000, 0x4000, 0x2000, 0x1000), strict=True))
    for card in map(holdem.Card, range(52)):
        field = card_bitfield(card)
        expected = (PRIMES[card.rank], card.rank, suit_bits[str(card)[1]], 1 << card.rank)
        assert expected == (field & 0xFF, field >> 8 & 0xF, field & 0xF000, field >> 16)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: card_bitfield("1S"), "'1S' is not a card"),
        (lambda: card_bitfield("AS KD"), "'AS KD' is not one card"),
        (lambda: card_bitfield(52), "no card has the id 52"),
        (lambda: hand_bitfields("7C 5D 4X"), "hand: '4X' at position 7"),
        (lambda: hand_bitfields("7C 7C"), "hand: 7c appears twice"),
        (lambda: card_text(51), "51 is not the bit field of a card"),
        (lambda: hand_text([134236965, 134236964]), "134236964 is not the bit field of a card"),
        (lambda: hand_category("7C"), "a hand has 5 to 7 cards, not 1: 7c"),
    ],
)
def test_cards_that_are_not_there(call, told):
    """The error for cards that are not there is that of the engine, and names them."""
    with pytest.raises(holdem.CardError) as caught:
        call()
    assert told in str(caught.value)


def test_importing_loads_no_numba():
    """Importing the package loads no numba, and neither do bit fields and categories."""
    code = (
        "import sys, holdem_cactus_kev as kev;"
        "kev.hand_text(kev.hand_bitfields('AS KD')); kev.value_category(7).label;"
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    ("name", "size", "printed"),
    [("FLUSHES", 7937, 158), ("UNIQUE5", 7937, 152), ("PRODUCTS", 4888, 73), ("VALUES", 4888, 78)],
)
def test_printed_tables(name, size, printed):
    """The tables begin and end with all the entries that the article prints."""
    table = tuple(getattr(tables, name).tolist())
    first, last = map(numbers, PRINTED_TABLES[name])
    assert (size, printed) == (len(table), len(first) + len(last))
    assert first == table[: len(first)]
    assert last == table[-len(last) :]


def test_tables_have_every_class_once():
    held = np.concatenate([tables.FLUSHES, tables.UNIQUE5, tables.VALUES])
    assert list(range(1, 7463)) == sorted(held[held > 0].tolist())


def test_products():
    """They are those of five primes, not all different, at most four equal."""
    expected = {
        prod(chosen)
        for chosen in combinations_with_replacement(PRIMES, 5)
        if 1 < len(set(chosen)) < 5
    }
    assert sorted(expected) == tables.PRODUCTS.tolist()


# --- finders -------------------------------------------------------------------------------------


def test_search_and_hash_agree():
    """Both find the correct class of each of the 4,888 products."""
    products = tables.PRODUCTS.astype(np.uint64)
    searched = [tables.VALUES[kernel.find_by_search(product)] for product in products]
    hashed = [tables.SLOT_VALUES[kernel.find_by_hash(product)] for product in products]
    assert tables.VALUES.tolist() == searched
    assert tables.VALUES.tolist() == hashed


def test_hash_is_perfect():
    """Products have different slots, and none has the empty slot."""
    slots = [int(kernel.find_by_hash(product)) for product in tables.PRODUCTS.astype(np.uint64)]
    assert len(set(slots)) == 4888
    assert 0 <= min(slots) <= max(slots) < perfect_hash.SLOTS
    assert tables.EMPTY_SLOT not in slots
    assert tables.SLOT_VALUES[tables.EMPTY_SLOT] == 0


@pytest.mark.parametrize(
    "keys", [(), (7,), range(1, 5_000), [(1 << 32) - 1 - 65_536 * key for key in range(3_000)]]
)
def test_hash_of_other_keys(keys):
    """Other sets of keys have perfect hashes, too."""
    found = perfect_hash.build(keys)
    assert len({found.slot(key) for key in keys}) == len(keys)
    assert found.multiplier % 2 == 1


def test_no_hash_for_equal_keys():
    with pytest.raises(holdem.EvaluatorError, match="no perfect hash for 2 keys"):
        perfect_hash.build([48, 48])


# --- hands ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("search", [False, True])
def test_article_full_house(search):
    """`7H 7S 7D AS AC`."""
    hand = "7H 7S 7D AS AC"
    rank_class = kernel.hand_class(hand_bitfields(hand), search=search)
    assert 322 - 12 * 5 - 11 == rank_class  # five weaker threes; the best of twelve pairs
    assert rank_class == hand_value(hand) == hand_value(hand_bitfields(hand))
    assert hand_category(hand) is Category.FULL_HOUSE
    assert hand_category(hand).label == "Full House"


@pytest.mark.parametrize("search", [False, True])
def test_article_comparison(search):
    """`7C 5D 4H 3S 2C` has a higher class than `KD QS JC TH 9S`, and so is weaker."""
    hands = ("7C 5D 4H 3S 2C", "KD QS JC TH 9S")
    weakest, straight = (kernel.hand_class(hand_bitfields(hand), search=search) for hand in hands)
    assert (weakest, straight) == (7462, 1601)
    assert [weakest, straight] == [hand_value(hand) for hand in hands]
    assert hand_value(hands[0]) > hand_value(hands[1])
    weaker, stronger = kernel.rank_batch(
        np.array([holdem.parse_cards(hand) for hand in hands], np.uint8), search=search
    )
    assert weaker < stronger


def test_numbers_of_the_categories():
    """They are those of the constants in Factor, with its names."""
    assert [(name, number) for number, (_, name, _) in enumerate(reversed(PUBLISHED))] == [
        (category.label, category) for category in Category
    ]
    constants = (
        "STRAIGHT_FLUSH FOUR_OF_A_KIND FULL_HOUSE FLUSH STRAIGHT THREE_OF_A_KIND TWO_PAIR"
        " ONE_PAIR HIGH_CARD"
    )
    assert constants.split() == [category.name for category in Category]


def test_published_bounds_of_categories():
    found = [value_category(value).label for value in range(1, 7463)]
    expected = [
        next(name for bound, name, _ in PUBLISHED if value > bound) for value in range(1, 7463)
    ]
    assert expected == found
    assert {name: count for _, name, count in PUBLISHED} == {
        category.label: found.count(category.label) for category in Category
    }


@pytest.mark.parametrize("value", [-1, 0, 7463])
def test_category_of_no_value(value):
    with pytest.raises(holdem.EvaluatorError, match=rf"value {value}: values are 1\.\.7462"):
        value_category(value)


@pytest.mark.parametrize("search", [False, True])
def test_published_classes(search):
    """The examples of the 7,462 classes, strongest first, have the classes 1 to 7462."""
    assert list(range(7462, 0, -1)) == kernel.rank_batch(STANDARD.examples, search=search).tolist()


def test_categories_of_the_engine():
    """They are the same, with the published names."""
    for rank_class, hand_class in enumerate(STANDARD.classes, 1):
        name = value_category(rank_class).label.lower()
        assert hand_class.category == {"one pair": "pair"}.get(name, name)


def test_batch_and_single_hands_agree(random_fives):
    """By search and by hash."""
    hands = np.concatenate([STANDARD.examples[::10], random_fives[:2000]])
    for search in (False, True):
        singles = [
            kernel.hand_class([card_bitfield(card) for card in hand], search=search)
            for hand in hands.tolist()
        ]
        for batch_search in (False, True):
            strengths = kernel.rank_batch(hands, search=batch_search)
            assert singles == (7463 - strengths).tolist()
