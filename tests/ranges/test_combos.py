"""Numbers of combos and classes."""

from itertools import combinations

import numpy as np
import pytest

from holdem.cards import DECK
from holdem.errors import CardError, HoldemTypeError
from holdem.ranges.combos import (
    CLASS_INDEX,
    CLASS_NAMES,
    CLASS_OF_COMBO,
    CLASS_SIZES,
    COMBO_CARDS,
    COMBO_SETS,
    COMBO_TEXT,
    Combo,
    combo_at,
    combo_number,
    combo_numbers,
)


def test_numbers_go_up_by_the_higher_card_then_the_lower():
    """The number of cards a > b is a * (a - 1) / 2 + b, and the tables are in this order."""
    pairs = sorted((b, a) for a, b in combinations(range(52), 2))
    assert [list(pair) for pair in pairs] == COMBO_CARDS.tolist()
    for number, (a, b) in enumerate(pairs):
        assert number == combo_number(a, b)
        assert 1 << a | 1 << b == COMBO_SETS[number]
        assert f"{DECK[a]}{DECK[b]}" == COMBO_TEXT[number]


def test_numbers_of_arrays():
    """`combo_numbers` takes cards in any order and arrays of any shape."""
    assert list(range(1326)) == combo_numbers(COMBO_CARDS).tolist()
    assert list(range(1326)) == combo_numbers(COMBO_CARDS[:, ::-1]).tolist()
    table = COMBO_CARDS.reshape(13, 102, 2)
    assert ((13, 102), np.int64) == (combo_numbers(table).shape, combo_numbers(table).dtype)


def test_tables_cannot_be_changed():
    """The shared tables are read-only."""
    for table in (COMBO_CARDS, COMBO_SETS, CLASS_OF_COMBO, CLASS_SIZES):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 1


def test_classes_lie_on_the_grid():
    """Row and column 0 are the ace; suited hands are above the diagonal, offsuit hands below."""
    grid = np.array(CLASS_NAMES).reshape(13, 13)
    assert ["AA", "AKs", "A2s"] == [grid[0, 0], grid[0, 1], grid[0, 12]]
    assert ["AKo", "KK", "KQs"] == [grid[1, 0], grid[1, 1], grid[1, 2]]
    assert ["A2o", "32o", "22"] == [grid[12, 0], grid[12, 11], grid[12, 12]]
    assert 169 == len(set(CLASS_NAMES))


def test_each_combo_has_the_class_of_its_ranks_and_suits():
    """The class of a combo agrees with its text; class sizes are 6, 4 and 12."""
    for number, text in enumerate(COMBO_TEXT):
        high, suit, low, other = text
        name = high + low + ("" if high == low else "s" if suit == other else "o")
        assert name == CLASS_NAMES[CLASS_OF_COMBO[number]]
    sizes = {2: 6, 3: {"s": 4, "o": 12}}
    for name, number in CLASS_INDEX.items():
        assert (sizes[2] if len(name) == 2 else sizes[3][name[2]]) == CLASS_SIZES[number]


def test_a_combo_is_a_tuple_of_two_cards_that_prints():
    """All spellings and orders give the same combo, a hashable tuple with the higher card first."""
    combo = Combo("Kd As")
    assert combo == Combo(("Kd", "As")) == Combo([51, 45]) == Combo("A♠K♦")
    assert ("AsKd", "Combo('AsKd')", "AKo") == (str(combo), repr(combo), combo.class_name)
    assert "  AsKd" == f"{combo:>6}"
    ace, king = combo
    assert ("As", "Kd") == (str(ace), str(king))
    assert combo == combo_at(combo.number)
    assert {combo} == {Combo("AsKd")}


@pytest.mark.parametrize("text", ["As", "AsKdQh", "", "AsAs", "A1"])
def test_invalid_combos(text):
    """One card, three cards, the same card twice and no card are errors."""
    with pytest.raises(CardError):
        Combo(text)


def test_wrong_types():
    """An argument that is neither text nor cards is a type error."""
    with pytest.raises(HoldemTypeError):
        Combo(7)
