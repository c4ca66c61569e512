"""Cards as ids and text, and sets of cards as bits."""

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.cards import (
    DECK,
    Card,
    card_set,
    card_sets,
    cards_in_sets,
    cards_text,
    parse_cards,
    require_distinct,
    scan_cards,
)
from holdem.errors import CardError, HoldemError, HoldemTypeError
from naive import card_set_of

# Written out once more, so that the module under test is not its own oracle.
TEXTS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
SIGNS = {"c": "♣♧", "d": "♦♢", "h": "♥♡", "s": "♠♤"}
CARD_SETS = st.frozensets(st.integers(0, 51))


# --- one card --------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "text"), list(enumerate(TEXTS)))
def test_each_card_reads_in_every_spelling(card, text):
    """Rank and suit may be upper or lower case; suit signs and `10` are accepted."""
    rank, suit = text
    ranks = {rank, rank.lower()} | ({"10"} if rank == "T" else set())
    suits = {suit, suit.upper(), *SIGNS[suit]}
    suits |= {sign + selector for sign in SIGNS[suit] for selector in "\ufe0e\ufe0f"}
    for spelling in (a + b for a in ranks for b in suits):
        assert card == Card(spelling), spelling


@pytest.mark.parametrize(("card", "text"), list(enumerate(TEXTS)))
def test_each_card_prints_as_text_and_counts_as_its_id(card, text):
    """A card equals its id, and prints as text."""
    found = Card(card)
    assert text == str(found)
    assert text == f"{found}"
    assert f"{text:>5}" == f"{found:>5}"
    assert f"Card('{text}')" == repr(found)
    assert (card // 4, card % 4) == (found.rank, found.suit)
    assert card == int(found)
    assert hash(card) == hash(found)
    assert "x" == ("." * card + "x" + "." * 60)[found]
    assert found is not card
    assert found == DECK[card]


@pytest.mark.parametrize(("card", "text"), list(enumerate(TEXTS)))
def test_format_with_symbols(card, text):
    """The format "symbol" shows the suit as a symbol, which reads back."""
    shown = f"{Card(card):symbol}"
    assert text[0] + SIGNS[text[1]][0] == shown
    assert card == Card(shown)


def test_cards_compare_as_ids():
    """Order, equality and membership are those of the ids."""
    assert Card("2c") < Card("2d") < Card("3c") < Card("As")
    assert Card("As") in {51}
    assert {51: "ace"}[Card("As")] == "ace"
    assert Card("As") != "As"
    assert [Card("2c"), Card("Ks"), Card("As")] == sorted([Card("As"), Card("2c"), Card("Ks")])


def test_cards_from_integers():
    """Ids, cards and numpy integers make cards."""
    for card in (51, Card(51), np.uint8(51), np.int64(51), np.array(51)):
        assert Card("As") == Card(card)
        assert type(Card(card)) is Card


def test_copies_and_pickles():
    """Copies and pickles are cards; JSON has the id."""
    assert Card("Td") == pickle.loads(pickle.dumps(Card("Td")))
    assert Card is type(pickle.loads(pickle.dumps(Card("Td"))))
    assert "Td" == str(copy.deepcopy(Card("Td")))
    assert "33" == json.dumps(Card("Td"))


@pytest.mark.parametrize("card", [-1, 52, 255, 10**30, np.int64(-1)])
def test_ids_outside_the_deck(card):
    """Ids outside 0..51 are errors."""
    with pytest.raises(CardError, match=rf"no card has the id {card}: ids are 0\.\.51"):
        Card(card)


def test_very_long_ids():
    """Very long integers give a short message."""
    for digits in (400, 5000):
        bits = (10**digits).bit_length()
        with pytest.raises(CardError, match=rf"^no card has the id a number of {bits} bits: ids"):
            Card(-(10**digits))


@pytest.mark.parametrize(
    "card", [True, False, np.True_, 1.0, np.float64(1), None, b"As", [1], np.array([1, 2]), 1j]
)
def test_wrong_types(card):
    """Booleans and floats are not ids."""
    with pytest.raises(
        HoldemTypeError, match=r"a card must be text or an id 0\.\.51, not "
    ) as caught:
        Card(card)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", "'' is not a card"),
        ("A", "'A' has no suit: write c, d, h or s after it, as in As"),
        ("s", "'s' is not a card"),
        ("sA", "'sA' is not a card"),
        ("1s", "'1s' is not a card"),
        ("10", "'10' has no suit: write c, d, h or s after it, as in 10s"),
        ("0s", "'0s' is not a card"),
        ("11s", "'11s' is not a card"),
        ("Ax", "'Ax' is not a card"),
        (" As", "' As' is not a card"),
        ("As ", "'As ' is not one card: ' ' is left over"),
        ("AsKd", "'AsKd' is not one card: 'Kd' is left over"),
        ("As\u200d", r"'As\\u200d' is not one card: '\\u200d' is left over"),
    ],
)
def test_invalid_text(text, shown):
    """Text before or after a card is an error."""
    with pytest.raises(CardError, match=f"^{shown}"):
        Card(text)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("D4", "the rank comes first: 4d"),
        ("sA", "the rank comes first: As"),
        ("h10", "the rank comes first: 10h"),
        ("♠K", "the rank comes first: K♠"),
        ("11c", "11c is Jc"),
        ("14D", "14D is Ad"),
        ("13♥", "13♥ is K♥"),
        ("0s", "0s is Ts"),
        ("🂡", "🂡 is As"),
        ("🃍", "🃍 is Qd"),
        ("🃞", "🃞 is Kc"),
        ("6с", "'с' (U+0441 CYRILLIC SMALL LETTER ES) only looks like 'c': 6c"),
        ("Кs", "'К' (U+041A CYRILLIC CAPITAL LETTER KA) only looks like 'K': Ks"),
        ("１０s", "'１' (U+FF11 FULLWIDTH DIGIT ONE) only looks like '1': 10s"),
    ],
)
def test_cards_as_other_programs_write_them(text, advice):
    """The message corrects the card, alone or among others."""
    with pytest.raises(CardError) as alone:
        Card(text)
    assert str(alone.value) == f"{text!r} is not a card: {advice}"
    with pytest.raises(CardError) as among:
        parse_cards(f"2d {text}, 3c", what="board")
    where = f"at position 4 of '2d {text}, 3c'"
    assert str(among.value) == f"board: {text!r} {where} is not a card: {advice}"


class CardOfMine:
    def __str__(self):
        return "A♠"


def test_cards_of_other_libraries():
    """They are read if they print as a card; those of treys are integers."""
    eval7, phevaluator, pokerkit, treys = map(
        pytest.importorskip, ("eval7", "phevaluator", "pokerkit", "treys")
    )
    for make in (eval7.Card, phevaluator.Card, lambda text: next(pokerkit.Card.parse(text))):
        assert TEXTS == [str(Card(make(text))) for text in TEXTS]
        assert (51, 46) == parse_cards([make("As"), make("Kh")])
        assert (51,) == parse_cards(make("As"))
    assert (51, 0) == parse_cards([CardOfMine(), "2c"])
    for text in TEXTS:
        with pytest.raises(CardError, match=f"treys.Card.int_to_str makes it text, '{text}'"):
            parse_cards(["2c", treys.Card.new(text)])
    with pytest.raises(CardError, match=r"suit\)$"):
        Card(treys.Card.new("As") ^ 1 << 13)


LOOK_ALIKES = {
    "Cyrillic A": "Аs",
    "Greek A": "Αs",
    "full-width A": "Ａs",
    "full-width s": "Aｓ",
    "Kelvin sign": "\u212as",
    "long s": "Aſ",
    "Arabic-Indic 9": "٩s",
    "superscript 2": "²s",
    "roman numeral ten": "Ⅹs",
    "Cyrillic es for c": "Aс",
    "full-width 10": "１０s",
    "playing card sign": "🂡",
    "combining mark": "A\u0301s",
}


@pytest.mark.parametrize("text", LOOK_ALIKES.values(), ids=LOOK_ALIKES)
def test_look_alikes(text):
    """Look-alike characters and characters that fold to letters are errors."""
    with pytest.raises(CardError, match="is not a card"):
        Card(text)
    with pytest.raises(CardError, match="at position 3 of"):
        parse_cards(f"Kd{text}")


@given(st.text(max_size=4))
def test_any_text_is_a_card_or_a_card_error(text):
    """Any text gives a card or a CardError with one printable line."""
    try:
        told, card = "", Card(text)
    except CardError as error:
        told, card = str(error), None
    assert told.isprintable()
    assert bool(told) == (card is None)
    if card is not None:
        rank = "T" if text.startswith("10") else text[0].upper()
        assert rank == str(card)[0]


# --- several cards ---------------------------------------------------------------------


@given(st.lists(st.integers(0, 51), unique=True), st.data())
def test_cards_written_with_or_without_separators_read_back(cards, data):
    """Cards are parsed with any separators between them."""
    separators = st.text(" \t\r\n,;", max_size=3)
    text = data.draw(separators) + "".join(TEXTS[card] + data.draw(separators) for card in cards)
    assert tuple(cards) == parse_cards(text)
    assert tuple(cards) == scan_cards(text)


@given(st.lists(st.integers(0, 51), unique=True))
def test_text_of_cards_reads_back(cards):
    """`cards_text` and `parse_cards` are inverses."""
    assert tuple(cards) == parse_cards(cards_text(cards))
    assert tuple(cards) == parse_cards(cards_text(cards, ", "))


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("", ""),
        (" , ;\t", ""),
        ("AsKd", "As Kd"),
        ("aSkD", "As Kd"),
        ("10s10D2c", "Ts Td 2c"),
        ("A♠,10♦;K♡ q♤", "As Td Kh Qs"),
        ("A♠\ufe0fK♥\ufe0e2c", "As Kh 2c"),
        (["As", 0, Card("Kd"), np.uint8(1)], "As 2c Kd 2d"),
        ((51, 50), "As Ah"),
        (np.array([51, 50], dtype=np.uint8), "As Ah"),
        (iter(["As", "Kd"]), "As Kd"),
        ([], ""),
    ],
)
def test_cards_are_read_from_text_and_from_sequences(cards, expected):
    """Text and sequences give cards in their order."""
    found = parse_cards(cards)
    assert expected == cards_text(found, " ")
    assert all(type(card) is Card for card in found)


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("As Kd As", "hand: As appears twice in 'As Kd As', at positions 1 and 7"),
        ("10s,Kd,ts", "hand: Ts appears twice in '10s,Kd,ts', at positions 1 and 8"),
        ("A♠As", "hand: As appears twice in 'A♠As', at positions 1 and 3"),
        (["As", "Kd", 51], "hand: As appears twice, as item 1 and item 3"),
    ],
)
def test_repeated_cards(cards, told):
    """A repeated card is an error with both positions."""
    with pytest.raises(CardError) as caught:
        parse_cards(cards, what="hand")
    assert told == str(caught.value)


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("As Kx Qd", "board: 'Kx' at position 4 of 'As Kx Qd' is not a card"),
        ("AsKdQ", "board: 'Q' at position 5 of 'AsKdQ' has no suit: write c, d, h or s"),
        ("T9d2c", "board: 'T' at position 1 of 'T9d2c' has no suit: write c, d, h or s"),
        ("10 9d2c", "board: '10' at position 1 of '10 9d2c' has no suit"),
        ("As K, Qd", "board: 'K' at position 4 of 'As K, Qd' has no suit"),
        ("xx", "board: 'xx' is not a card"),
        ("As\x1b[31m", r"board: '\x1b' at position 3 of 'As\x1b[31m' is not a card"),
        ("As\x00", r"board: '\x00' at position 3 of 'As\x00' is not a card"),
        ("As\u202eKd", r"board: '\u202eKd' at position 3 of 'As\u202eKd' is not a card"),
        ("As|Kd", "board: '|Kd' at position 3 of 'As|Kd' is not a card"),
        (["As", "Kx"], "board: item 2: 'Kx' is not a card"),
        (["As", "K d"], "board: item 2: 'K' at position 1 of 'K d' has no suit"),
        (["As", 52], "board: item 2: no card has the id 52"),
        ([["As", "Kx"]], "board: item 1: 'Kx' is not a card"),
        ([[["As"]]], "board: item 1: a card must be text or an id 0..51, not ['As']"),
        ([0.0], "board: item 1: a card must be text or an id 0..51, not 0.0"),
        (7, "board: expected text or a sequence of cards, not 7"),
        (None, "board: expected text or a sequence of cards, not None"),
        (
            np.array([[1, 2]]),
            "board: expected text or a sequence of cards, not array([[1, 2]])",
        ),
    ],
)
def test_messages_about_invalid_cards(cards, told):
    """The message has the name of the input, the offending text and its position."""
    with pytest.raises(HoldemError) as caught:
        parse_cards(cards, what="board")
    assert str(caught.value).startswith(told)
    assert str(caught.value).isprintable()
    wrong_type = "expected text" in told or "a card must be text" in told
    assert wrong_type == isinstance(caught.value, TypeError)


def test_a_long_text_is_cut_in_the_message():
    """The message about a long text is one short line."""
    with pytest.raises(CardError) as caught:
        parse_cards("As " + "x" * 100_000)
    assert len(str(caught.value)) < 250
    assert "at position 4 of" in str(caught.value)


def test_scan_cards_accepts_repeated_cards():
    """`scan_cards` accepts repeated cards."""
    assert (51, 46, 51) == scan_cards("As Kh As")
    with pytest.raises(CardError, match="'Kx' at position 4 of 'As Kx'"):
        scan_cards("As Kx")


@given(st.text("AsKd1 ,0♠\ufe0fx", max_size=12))
def test_any_text_is_cards_or_a_card_error(text):
    """Any text gives distinct cards or a CardError with one printable line."""
    try:
        told, cards = "", parse_cards(text)
    except CardError as error:
        told, cards = str(error), ()
    assert told.isprintable()
    assert len(cards) == len(set(cards))
    assert bool(told or cards or not text.strip(" ,"))


def test_groups_that_share_a_card():
    """A card in two groups is an error that names both."""
    require_distinct([("board", parse_cards("As")), ("dead", parse_cards("Ks")), ("hole", ())])
    with pytest.raises(CardError, match="Ks appears twice: in the board and in the dead"):
        require_distinct([("board", parse_cards("AsKs")), ("dead", parse_cards("2cKs"))])


def test_the_deck_is_in_order():
    """52 cards, each at its id."""
    assert list(range(52)) == [int(card) for card in DECK]
    assert TEXTS == [str(card) for card in DECK]


# --- sets of cards ---------------------------------------------------------------------


@given(CARD_SETS)
def test_card_set_is_the_naive_one(cards):
    """A card set has the bit of each card's id."""
    assert card_set_of(cards) == card_set(cards)


@given(st.integers(0, 7), st.data())
def test_rows_of_cards_become_sets_and_come_back_sorted(size, data):
    """`cards_in_sets` is the inverse of `card_sets`, with cards sorted."""
    row = st.lists(st.integers(0, 51), min_size=size, max_size=size, unique=True)
    rows = data.draw(st.lists(row, max_size=10))
    cards = np.array(rows, dtype=np.uint8).reshape(len(rows), size)
    sets = card_sets(cards)
    np.testing.assert_array_equal(
        np.array([card_set_of(row) for row in rows], dtype=np.uint64), sets
    )
    assert (np.uint64, np.uint8) == (sets.dtype, cards_in_sets(sets, size).dtype)
    np.testing.assert_array_equal(np.sort(cards, axis=1), cards_in_sets(sets, size))


def test_a_card_twice_in_a_row_counts_once():
    """A card that appears twice in a row is in its set once."""
    assert [0b11] == card_sets(np.array([[0, 1, 0]], dtype=np.uint8)).tolist()
