"""The numbers of the combos and their classes."""

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
    combo_index,
)


def test_numbers_go_up_by_the_higher_card_then_the_lower():
    """Number a * (a - 1) / 2 + b for cards a > b, with the tables laid out by it."""
    pairs = sorted((b, a) for a, b in combinations(range(52), 2))
    assert [list(pair) for pair in pairs] == COMBO_CARDS.tolist()
    for number, (a, b) in enumerate(pairs):
        assert number == combo_index(a, b) == combo_index(b, a)
        assert 1 << a | 1 << b == COMBO_SETS[number]
        assert f"{DECK[a]}{DECK[b]}" == COMBO_TEXT[number]


def test_tables_cannot_be_changed():
    """The shared tables are read-only."""
    for table in (COMBO_CARDS, COMBO_SETS, CLASS_OF_COMBO, CLASS_SIZES):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 1


def test_classes_lie_on_the_grid():
    """Row and column 0 are the ace; suited hands above the diagonal, offsuit ones below."""
    grid = np.array(CLASS_NAMES).reshape(13, 13)
    assert ["AA", "AKs", "A2s"] == [grid[0, 0], grid[0, 1], grid[0, 12]]
    assert ["AKo", "KK", "KQs"] == [grid[1, 0], grid[1, 1], grid[1, 2]]
    assert ["A2o", "32o", "22"] == [grid[12, 0], grid[12, 11], grid[12, 12]]
    assert 169 == len(set(CLASS_NAMES))


def test_each_combo_has_the_class_of_its_ranks_and_suits():
    """The class of a combo is what its text says; sizes are 6, 4 and 12."""
    for number, text in enumerate(COMBO_TEXT):
        high, suit, low, other = text
        name = high + low + ("" if high == low else "s" if suit == other else "o")
        assert name == CLASS_NAMES[CLASS_OF_COMBO[number]]
    sizes = {2: 6, 3: {"s": 4, "o": 12}}
    for name, number in CLASS_INDEX.items():
        assert (sizes[2] if len(name) == 2 else sizes[3][name[2]]) == CLASS_SIZES[number]


def test_a_combo_is_a_tuple_of_two_cards_that_prints():
    """Any spelling and order gives one combo: higher card first, unpackable, hashable."""
    combo = Combo("Kd As")
    assert combo == Combo(("Kd", "As")) == Combo([51, 45]) == Combo("A♠K♦")
    assert ("AsKd", "Combo('AsKd')", "AKo") == (str(combo), repr(combo), combo.class_name)
    assert "  AsKd" == f"{combo:>6}"
    ace, king = combo
    assert ("As", "Kd") == (str(ace), str(king))
    assert combo == combo_at(combo.number)
    assert {combo} == {Combo("AsKd")}


@pytest.mark.parametrize("text", ["As", "AsKdQh", "", "AsAs", "A1"])
def test_what_is_no_combo(text):
    """One card, three, the same card twice, no card: an error that says so."""
    with pytest.raises(CardError):
        Combo(text)


def test_wrong_types_and_numbers():
    """Neither text nor cards is a type error; ids out of 0..51 and equal ids are card errors."""
    with pytest.raises(HoldemTypeError):
        Combo(7)
    for pair in ((3, 3), (-1, 4), (52, 0)):
        with pytest.raises(CardError):
            combo_index(*pair)
