"""`Range`: constructors, set operations and access to weights."""

import copy
import pickle
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import holdem
from holdem import Range
from holdem.cards import Card
from holdem.errors import CardError, HoldemTypeError, HoldemWarning, RangeError
from holdem.ranges.combos import CLASS_NAMES, COMBO_TEXT, Combo, combo_numbers

_RANGES = st.dictionaries(
    st.sampled_from(COMBO_TEXT), st.sampled_from([0.25, 0.5, 1.0]), max_size=30
).map(Range.from_combos)


def test_a_range_holds_combos():
    """`len`, `in`, iteration and `weight` agree."""
    held = Range("22+, A5s-A2s, KTs+, AhKd:0.25")
    assert 107 == len(held) == len(list(held)) == len(set(held))
    assert all(combo in held for combo in held)
    assert [combo.number for combo in held] == np.flatnonzero(held.weights).tolist()
    assert (1.0, 0.25, 0.0) == tuple(held.weight(combo) for combo in ("AsAh", "KdAh", "7c2d"))
    assert "Ah Kd" in held
    assert Combo("KdAh") in held
    assert (Card("Kd"), 50) in held
    assert "7c2d" not in held
    assert (Card("As"), Card("Ah")) == list(held)[-1]
    assert Range("random").weights.sum() == len(Range("random")) == 1326


@pytest.mark.parametrize("text", ["", "7c2d", "AA,KQs:0.25,7h2c", "random"])
def test_held_numbers_the_combos(text):
    """`held` has the numbers of the combos with a weight above 0, and is read-only."""
    found = Range(text)
    weights = found.weights.tolist()
    assert [number for number, weight in enumerate(weights) if weight > 0] == found.held.tolist()
    assert np.dtype(np.intp) == found.held.dtype
    for array in (found.held, found.weights, found.grid, found.counts):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_a_range_is_false_where_it_is_empty():
    """An empty text is the empty range."""
    assert not Range()
    assert Range("") == Range() == Range.from_combos([])
    assert Range("AA")


def test_invalid_combos():
    """A class is not a combo; the message names alternatives."""
    held = Range("AA")
    with pytest.raises(RangeError, match="AKs is 4 combos, not one"):
        _ = "AKs" in held
    with pytest.raises(CardError):
        held.weight("AsKsQs")
    with pytest.raises(HoldemTypeError):
        _ = 7 in held


def test_total_and_share_count_weights():
    """Total and share count weights; the share is of 1,326 combos."""
    held = Range("AKs:0.5,AA")
    assert (10, 8.0, 8 / 1326) == (len(held), held.total, held.share)


def test_frequencies_by_class():
    """Frequencies are mean weights of all 169 classes, in the order of the grid."""
    held = Range("AA:0.4,AKs,AhKd,QsQh:0.5")
    frequencies = held.frequencies()
    assert list(CLASS_NAMES) == list(frequencies)
    assert (0.4, 1.0) == (frequencies["AA"], frequencies["AKs"])
    assert (1 / 12, 0.5 / 6) == (frequencies["AKo"], frequencies["QQ"])
    assert 0 == frequencies["72o"]
    assert (0.4, 1.0, 1 / 12) == (held.grid[0, 0], held.grid[0, 1], held.grid[1, 0])


@settings(max_examples=100, deadline=None)
@given(_RANGES, _RANGES, _RANGES)
def test_set_operations_are_those_of_the_language(one, two, three):
    """Set operations agree with those of the range language."""
    assert Range(f"{one}{',' if one and two else ''}{two}") == one | two
    if one and two:
        assert Range(f"({one})&({two})") == one & two
        assert Range(f"({one})!({two})") == one - two
    assert set(one | two) == set(one) | set(two)
    assert set(one & two) == set(one) & set(two)
    assert set(one - two) == set(one) - set(two)
    assert one | two == two | one
    assert one & (two | three) == (one & two) | (one & three)
    assert one & two <= one <= one | two
    assert one.isdisjoint(two) == (not one & two)
    assert (one - two).isdisjoint(two)


def test_order_is_that_of_sets():
    """`<=` compares weights combo by combo, and `<` requires a difference."""
    assert Range("AA:0.5") < Range("AA") <= Range("AA") < Range("KK+")
    assert Range("KK+") > Range("AA:0.5")
    assert Range("KK+") >= Range("KK+")
    assert not Range("AA") <= Range("KK")
    assert not Range("AA") < Range("AA")


def test_other_types():
    """Operators do not accept other types."""
    held = Range("AA")
    for operation in (
        "__or__",
        "__and__",
        "__sub__",
        "__le__",
        "__ge__",
        "__lt__",
        "__gt__",
        "__eq__",
    ):
        assert NotImplemented is getattr(held, operation)("AA")
    assert held != "AA"
    with pytest.raises(TypeError):
        held | "KK"


def test_equality_and_hashing():
    """Ranges with equal weights are equal and have equal hashes."""
    one, two = Range("AK"), Range("AKs,AKo")
    assert one == two
    assert hash(one) == hash(two)
    assert {one: 1}[two] == 1
    assert Range("AK:0.5") != one
    zero = np.zeros(1326)
    assert hash(Range.from_weights(zero)) == hash(Range.from_weights(-zero))


def test_a_range_is_immutable():
    """A range is immutable, and independent of the array it was made from."""
    weights = np.ones(1326)
    held = Range.from_weights(weights)
    weights[0] = 0
    assert "2d2c" in held
    with pytest.raises(ValueError, match="read-only"):
        held.weights[0] = 0
    with pytest.raises(AttributeError, match="is immutable"):
        held.weights = weights
    with pytest.raises(AttributeError, match="is immutable"):
        del held.weights


def test_copies():
    """Pickling, copying, `repr` and the constructor give equal ranges."""
    held = Range("22+,AKs:0.3")
    assert held == pickle.loads(pickle.dumps(held))
    assert held is copy.copy(held) is copy.deepcopy(held)
    assert held == Range(held)
    assert held == eval(repr(held), {"Range": holdem.Range})


def test_without_cards():
    """`without` removes the combos with any of the cards."""
    held = Range("AA,AK:0.5").without("As Kd")
    assert 3 + 9 == len(held)
    assert {0.5, 1.0} == set(held.weights[held.weights > 0])
    assert held == Range("AA,AK:0.5").without([51, "Kd"])
    assert Range("AA") == Range("AA").without("")
    assert not Range("AsKs").without("Ks")
    with pytest.raises(CardError):
        held.without("Ax")


def test_from_weights():
    """`from_weights` accepts arrays by combo or by grid, of floats, bools and integers."""
    weights = np.zeros(1326)
    weights[1325] = 0.5
    assert Range("AsAh:0.5") == Range.from_weights(weights)
    assert Range("AsAh") == Range.from_weights(weights > 0)
    assert Range("random") == Range.from_weights([1] * 1326)
    assert Range("AA:0.5,KK").grid.shape == (13, 13)
    assert Range("AA:0.5,KK") == Range.from_weights(Range("AA:0.5,KK").grid)


def test_from_grid():
    """`from_grid` has the ace first, and suited hands above the diagonal."""
    grid = np.zeros((13, 13))
    grid[0, 1], grid[1, 0], grid[12, 12] = 1, 0.5, 0.25
    assert Range("AKs,AKo:0.5,22:0.25") == Range.from_grid(grid) == Range.from_grid(grid.tolist())


@pytest.mark.parametrize("bad", [1.5, -0.1, float("nan"), float("inf")])
def test_weights_out_of_bounds(bad):
    """All constructors reject weights outside 0..1."""
    weights = np.zeros(1326)
    weights[7] = bad
    grid = np.zeros((13, 13))
    grid[0, 0] = bad
    for make in (
        lambda: Range.from_weights(weights),
        lambda: Range.from_grid(grid),
        lambda: Range.from_combos({"AsAh": bad}),
    ):
        with pytest.raises(RangeError, match=r"weights are 0\.\.1"):
            make()


def test_masked_weights():
    """What a mask hides is no weight."""
    hidden = np.ma.masked_array(np.ones(1326), np.arange(1326) == 7)
    with pytest.raises(RangeError, match="nan is not a valid weight of"):
        Range.from_weights(hidden)
    assert Range.from_weights(np.ma.masked_array(np.ones(1326))) == Range("random")
    with pytest.raises(HoldemTypeError):
        Range.from_weights(hidden.astype(str))
    with pytest.raises(RangeError):
        Range.from_weights(pd.array([None, *[0.5] * 1325], dtype="Float64"))


@pytest.mark.parametrize("bad", [[1] * 7, np.zeros((12, 13)), np.zeros(1327), 1])
def test_arrays_of_other_shapes(bad):
    """Arrays of other shapes are errors that show the shape."""
    for make in (Range.from_weights, Range.from_grid):
        with pytest.raises(RangeError, match="shape"):
            make(bad)


@pytest.mark.parametrize(
    "bad", ["AA", None, [[1, 2], [3]], ["a"] * 1326, np.zeros(1326, dtype=complex)]
)
def test_arrays_that_are_not_numeric(bad):
    """Arrays that are not numeric are type errors."""
    for make in (Range.from_weights, Range.from_grid):
        with pytest.raises(HoldemTypeError):
            make(bad)


def test_from_combos():
    """`from_combos` accepts combos and mappings; the larger weight of a repeated combo counts."""
    assert Range("AsKs,AhKd") == Range.from_combos(["AsKs", ("Kd", "Ah")])
    assert Range("AsKs:0.5,AhKd") == Range.from_combos({"AsKs": 0.5, Combo("AhKd"): 1})
    assert Range("AsKs:0.5") == Range.from_combos({"AsKs": 0.5, "KsAs": 0.25, "AhKd": 0})
    held = Range("22+,AKs")
    assert held == Range.from_combos(held) == Range.from_combos(iter(held))
    for bad in ("AsKs", None, 7):
        with pytest.raises(HoldemTypeError):
            Range.from_combos(bad)
    with pytest.raises(CardError):
        Range.from_combos(["AsK"])
    with pytest.raises(HoldemTypeError):
        Range.from_combos({"AsKs": "much"})


def test_from_percent():
    """`from_percent` agrees with percentages in text."""
    assert Range("15%") == Range.from_percent(15)
    assert Range("5%-10%") == Range.from_percent(5, 10)
    assert Range("10%") == Range.from_percent(0, 10)
    assert Range("random") == Range.from_percent(100)
    for half in (12.5, Fraction(25, 2), np.float32(12.5)):
        assert Range("12.5%") == Range.from_percent(half)
    for bad in ((0,), (-1,), (101,), (10, 5), (5, 5), (5, 101), (-5, 5)):
        given = " to ".join(map(str, bad))
        with pytest.raises(
            RangeError, match=f"^expected percentages from 0 to 100 that ascend, not {given}$"
        ):
            Range.from_percent(*bad)
    for bad in ("15", None, float("nan"), float("inf"), True):
        with pytest.raises(HoldemTypeError):
            Range.from_percent(bad)


def test_top():
    """`top` takes a fraction of all hands, and `from_percent` the same number in percent."""
    for percent in range(1, 101):
        assert Range.from_percent(percent) == Range.top(percent / 100)
    assert Range("12.5%") == Range.top(Fraction(1, 8)) == Range.top(np.float32(0.125))
    assert Range("AA") == Range.top(1e-9)
    short = Range("20%", rules="short-deck")
    assert short == Range.top(0.2, rules="short-deck") != Range.top(0.2)
    for bad in (0, -0.1, 1.01, 200):
        with pytest.raises(RangeError, match="above 0 and at most 1, not"):
            Range.top(bad)
    for bad in ("0.15", None, float("nan"), True):
        with pytest.raises(HoldemTypeError, match="a fraction must be a finite number"):
            Range.top(bad)


def test_a_fraction_as_a_percentage():
    """A percentage below 1 may be meant as a fraction, which is a warning."""
    for percent in ((0.15,), (Fraction(99, 100),), (0.1, 0.5)):
        with pytest.warns(HoldemWarning, match=r"is a percentage.*Range\.top\(.*\)") as caught:
            Range.from_percent(*percent)
        assert __file__ == caught[0].filename
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Range.from_percent(1)
        Range.from_percent(0.5, 10)
        Range("0.15%")


def test_weights_of_arrays():
    """Arrays of holes give the weights of their combos, in either order, of any integer type."""
    hands = Range("AA:0.25, KQs, 72o:0.5")
    holes = holdem.deal("AA,KQ,72", "random", hands=400, seed=2).hole
    expected = [[hands.weight(hole) for hole in row] for row in holes.tolist()]
    for dtype in (np.int8, np.uint8, np.int64):
        found = hands.weight(holes[..., ::-1].astype(dtype))
        assert found.dtype == np.float64
        assert found.tolist() == expected
    assert len({*found.ravel()}) == 4
    assert hands.weight(holes[:, 0]).shape == (400,)
    assert hands.weight(holes[:0]).shape == (0, 2)
    assert isinstance(hands.weight(holes[0, 0]), float)


@pytest.mark.parametrize(
    ("holes", "error", "message"),
    [
        ([[51, 50], [3, 3]], CardError, r"hole cards at \[1\]: \[3, 3\] are not two different ids"),
        ([[[51, 50], [52, 0]]], CardError, r"at \[0, 1\]: \[52, 0\]"),
        ([[-1, 0]], CardError, r"at \[0\]: \[-1, 0\]"),
        ([[51.0, 50]], HoldemTypeError, r"integers \(..., 2\), not float64 \(1, 2\)"),
        ([[1, 2, 3]], HoldemTypeError, r"not int64 \(1, 3\)"),
    ],
)
def test_arrays_that_are_no_holes(holes, error, message):
    with pytest.raises(error, match=message):
        Range("AA").weight(np.array(holes))


def test_sample():
    """Combos are drawn by weight, by seed alone, and those of weight 0 never."""
    hands = Range("AA:0.5, KK, 72s:0.01")
    drawn = hands.sample(60_000, seed=4)
    assert (drawn.dtype, drawn.shape) == (np.int8, (60_000, 2))
    numbers = combo_numbers(drawn)
    counts = np.bincount(numbers, minlength=1326)
    chances = hands.weights / hands.total
    assert (counts[chances == 0] == 0).all()
    assert (np.abs(counts - 60_000 * chances) <= 4.5 * np.sqrt(60_000 * chances)).all()
    assert (hands.sample(60_000, seed=4) == drawn).all()
    assert (hands.sample(60_000, seed=5) != drawn).any()
    assert (hands.sample(100) != hands.sample(100)).any()
    assert hands.sample(0, seed=1).shape == (0, 2)
    with pytest.raises(RangeError, match="an empty range has no combos to draw"):
        Range("").sample(1)
    with pytest.raises(RangeError, match="the number of combos must be an integer of at least 0"):
        hands.sample(-1)
