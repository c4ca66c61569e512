"""Canonical text and the text for other tools."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdem import Range
from holdem.errors import DialectWarning, RangeError
from holdem.ranges.combos import CLASS_NAMES, CLASS_OF_COMBO, COMBO_TEXT

_COMBOS_OF = [np.flatnonzero(number == CLASS_OF_COMBO).tolist() for number in range(169)]


def _generated(count, seed):
    """Yield random ranges of classes, runs with gaps, single combos and weights."""
    source = np.random.default_rng(seed)
    weights_to_choose = [1.0, 0.5, 0.25, 1 / 3, 0.1, 1e-9]
    for number in range(count):
        classes = np.zeros(169)
        kind = number % 5
        chosen = source.random(169) < source.choice([0.02, 0.1, 0.5, 0.95])
        if kind in (0, 1):
            classes[chosen] = 1.0
        elif kind in (2, 3):
            classes[chosen] = source.choice(weights_to_choose[: 2 + number % 4], chosen.sum())
        weights = classes[CLASS_OF_COMBO]
        if kind in (1, 3, 4):
            some = source.integers(0, 1326, source.integers(1, 30))
            weights[some] = source.choice([0.0, 1.0, 0.5, source.random()], len(some))
        if number % 250 == 0:
            weights = source.random(1326)
        yield Range.from_weights(weights)


def _plain_list(held):
    """Return a range as a list of classes and combos, without runs."""
    items = []
    weights = held.weights.tolist()
    for name, combos in zip(CLASS_NAMES, _COMBOS_OF, strict=True):
        if len({weights[i] for i in combos}) == 1:
            items += [(name, weights[combos[0]])] if weights[combos[0]] > 0 else []
        else:
            items += [(COMBO_TEXT[i], weights[i]) for i in combos if weights[i] > 0]
    return ",".join(
        text if weight == 1 else f"{text}:{np.format_float_positional(weight, trim='-')}"
        for text, weight in items
    )


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_printing_and_reading_is_the_identity(count):
    """The text of random ranges parses to the same range, and is not longer than the plain list."""
    for held in _generated(count, seed=20):
        text = str(held)
        assert held == Range(text)
        assert len(text) <= len(_plain_list(held))


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(CLASS_NAMES + COMBO_TEXT),
        st.floats(1e-300, 1) | st.just(1.0),
        max_size=12,
    )
)
def test_any_weight_comes_back(weights):
    """All weights survive formatting and parsing, in all dialects with weights."""
    held = Range()
    for name, weight in weights.items():
        array = np.where(Range(name).weights > 0, weight, held.weights)
        held = Range.from_weights(array)
    assert held == Range(str(held))
    assert held == Range(held.to_text("pio"))
    assert held == Range(held.to_text("gto+"))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("", ""),
        ("AA", "AA"),
        ("KK,AA", "KK+"),
        ("TT-22", "TT-22"),
        ("22+", "22+"),
        ("22,55,33", "55,33-22"),
        ("AK", "AKs,AKo"),
        ("AKs", "AKs"),
        ("AKs,AQs", "AQs+"),
        ("A2s+,A2o+", "A2s+,A2o+"),
        ("A2s-A5s", "A5s-A2s"),
        ("32s", "32s"),
        ("43s,42s", "42s+"),
        ("T9s,98s", "T9s,98s"),
        ("87s,T9s,98s", "T9s-87s"),
        ("T9s:0.5,98s:0.5", "T9s-98s:0.5"),
        ("T9s,98s:0.5,87s", "T9s,98s:0.5,87s"),
        ("J9s,T8s,97s", "J9s-97s"),
        ("AKs-32s", "AKs-32s"),
        ("AKo-32o,KTs", "KTs,AKo-32o"),
        ("random", "random"),
        ("random:0.5", "random:0.5"),
        ("XXs", "A2s+,K2s+,Q2s+,J2s+,T2s+,92s+,82s+,72s+,62s+,52s+,42s+,32s"),
        ("AhKd,22+,KTs+,A2s-A5s", "22+,A5s-A2s,KTs+,AhKd"),
        ("KdAh,2c2d,AsKs", "2d2c,AsKs,AhKd"),
        ("AA!AsAh", "AsAd,AsAc,AhAd,AhAc,AdAc"),
        ("AA:0.5,AsAh", "AsAh,AsAd:0.5,AsAc:0.5,AhAd:0.5,AhAc:0.5,AdAc:0.5"),
        ("AsAh:0.25,AsAd:.25,AsAc:.25,AhAd:.25,AhAc:.25,AdAc:.25", "AA:0.25"),
    ],
)
def test_canonical_text(text, canonical):
    """The canonical text of a range, which parses to the same range."""
    assert canonical == str(Range(text))
    assert Range(text) == Range(canonical)


def test_equal_ranges_print_the_same():
    """The text depends on the weights only."""
    spellings = ["AK,QQ+", "QQ,AKo KK AKs;AA", "(random&QQ+),AXs&K*s,AKo", "QQ+,AK:0.5,AK"]
    assert {"QQ+,AKs,AKo"} == {str(Range(text)) for text in spellings}


def test_pio_has_plain_lists_with_colons():
    """Text for PioSOLVER has no runs, and weights after a colon."""
    assert "AA,KK,AKs:0.5,AhKd" == Range("KK+,AKs:0.5,AhKd").to_text(dialect="pio")
    assert 168 == Range("random").to_text("pio").count(",")


def test_gto_plus_has_brackets_in_per_cent():
    """Text for GTO+ has brackets around groups of equal weight."""
    text = Range("QQ,AA:0.5,KK:0.5,AKs:0.333,AhKd").to_text(dialect="gto+")
    assert "[50.0]AA,KK[/50.0],QQ,[33.3]AKs[/33.3],AhKd" == text


def test_equilab_has_no_weights():
    """Text for Equilab has runs; a warning is issued if weights are lost."""
    assert "22+,A5s-A2s,T9s,98s,87s,AhKd" == Range("22+,A5s-A2s,T9s-87s,AhKd").to_text("equilab")
    with pytest.warns(DialectWarning, match="no weights"):
        assert "AKs" == Range("AKs:0.5").to_text("equilab")


def test_dialects_come_back():
    """Text for other tools parses to the same range."""
    for held in _generated(200, seed=21):
        assert held == Range(held.to_text("pio")) == Range(held.to_text("GTO+"))
        full = Range.from_weights(held.weights > 0)
        assert full == Range(full.to_text("equilab"))


def test_no_dialect_is_the_canonical_text():
    """None is the canonical text; the error about an unknown dialect lists the known ones."""
    held = Range("22+,AKs:0.5")
    assert str(held) == held.to_text()
    with pytest.raises(RangeError, match=r"'flopzilla'; there are: pio, gto\+, equilab"):
        held.to_text("flopzilla")
