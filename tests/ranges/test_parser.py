"""The parser against the grammar of the language, its cache, and its cost."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import range_oracle
from holdem.errors import RangeError
from holdem.ranges.combos import COMBO_TEXT
from holdem.ranges.parser import read
from holdem.ranges.range import Range

# --- strings of every form of the grammar ---


def _joined(*parts):
    """Return a strategy for strings, from strategies, strings and lists of strings."""
    return st.tuples(
        *(
            st.just(part)
            if isinstance(part, str)
            else st.sampled_from(part)
            if isinstance(part, list)
            else part
            for part in parts
        )
    ).map("".join)


_BLANKS = ["", "", "", " ", "\t", " \n"]
_RANKS = [*"2345789TJQKAtqka", "10"]
_ANY_RANKS = [*_RANKS, *_RANKS, "X", "x", "*"]
_LETTERS = ["", "", "s", "o", "S"]
_SUITS = [*"cdhsHS", "♥", "♠️", *"wxyz"]
_CARD = _joined(_ANY_RANKS, _SUITS)
_CLASS = _joined(_ANY_RANKS, _ANY_RANKS, _LETTERS)
_HAND = st.one_of(
    _CLASS,
    _joined(_RANKS, _RANKS, _LETTERS),
    _joined(_CARD, ["", "", " "], _CARD),
    _joined(_CARD, ["X", "x", "*"]),
)


@st.composite
def _runs(draw):
    """Draw two hands with a dash; most of them are the ends of a run."""
    gap, one, two = draw(st.integers(0, 5)), draw(st.integers(5, 12)), draw(st.integers(5, 12))
    suits = draw(st.sampled_from([("", ""), ("", "s"), ("", "o"), ("h", "d"), ("x", "x")]))
    ranks = range_oracle.RANKS
    low = draw(st.integers(0, 4)) if draw(st.booleans()) else None
    ends = [(one, one - gap), (two, two - gap) if low is None else (one, low)]
    hands = [ranks[a] + suits[0] + ranks[b] + suits[1] for a, b in ends]
    return draw(st.sampled_from(["-", " - ", "- ", " -"])).join(hands)


_NUMBER = st.sampled_from(["1", "0.5", ".25", "1.", "0.125", "5e-1", "0"])
_PERCENTAGE = st.sampled_from(["50", "15", "100", "7.5", "1.", "33.3", "22", "1e1", "1"])
_FORMS = st.one_of(
    _HAND,
    _joined(_RANKS, _RANKS, _LETTERS),
    _joined(_HAND, ["+", "-", " -"]),
    _runs(),
    st.sampled_from(["random", "ANY", "*", "??", "????", "....", "XX", "**"]),
    _joined(["", "", "top ", "Top", "5%-", "5% - ", "1%–"], _PERCENTAGE, "%"),
)


def _unions(items):
    separators = st.sampled_from([",", ", ", ";", " ", "\n", " , "])

    @st.composite
    def draw_union(draw):
        text = draw(items)
        for _ in range(draw(st.integers(0, 2))):
            text += draw(separators) + draw(items)
        return text

    return draw_union()


def _more(items):
    """Return a strategy for the forms that contain others."""
    union = _unions(items)
    group = _joined("(", _BLANKS, union, _BLANKS, ")")
    term = st.one_of(_FORMS, group)
    signed = _joined(term, _BLANKS, ["!", "&"], _BLANKS, term)
    share = _PERCENTAGE.flatmap(
        lambda number: _joined(
            "[", _BLANKS, number, "]", union, _BLANKS, f"[/{number}", ["", "0"], "]"
        )
    )
    return st.one_of(
        group,
        signed,
        _joined(st.one_of(term, signed), _BLANKS, [":", "="], _BLANKS, _NUMBER),
        _joined(st.one_of(term, signed), _BLANKS, "@", _BLANKS, _PERCENTAGE, ["", "%"]),
        _joined(_NUMBER, _BLANKS, group),
        _joined(_PERCENTAGE, "%", _BLANKS, group),
        share,
        st.sampled_from(["#a note#", "##"]),
    )


_STRINGS = _joined(
    _BLANKS, _unions(st.recursive(_FORMS, _more, max_leaves=6)), ["", "", "", ",", " ", " ;\n"]
)


def _assert_agrees(text):
    """Assert that the parser accepts what the grammar accepts, with the same weights."""
    expected = range_oracle.evaluate(text)
    if expected is None:
        with pytest.raises(RangeError) as caught:
            read(text)
        error = caught.value
        assert 0 <= error.position <= error.position + error.length <= len(text)
    else:
        weights = read(text).weights.tolist()
        held = {COMBO_TEXT[i]: weight for i, weight in enumerate(weights) if weight > 0}
        assert held == expected


@settings(max_examples=200, deadline=None)
@given(_STRINGS)
def test_ranges_mean_what_the_grammar_says(text):
    """Strings of every form have the weights of the grammar, evaluated combo by combo."""
    _assert_agrees(text)


_SIGNS = [*"AK29Tsohxw*X+-,; !&:=@%()[]/#.051", "10", "22", "top", "[50]", "[/50]", " - ", "0.5("]


@st.composite
def _slips(draw):
    """Draw a range in which one or two characters are missing, added or replaced."""
    text = draw(_STRINGS)
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(text)))
        text = (
            text[:at] + draw(st.sampled_from(["", *_SIGNS])) + text[at + draw(st.integers(0, 1)) :]
        )
    return text


@settings(max_examples=200, deadline=None)
@given(_slips())
def test_slips_are_rejected_where_the_grammar_rejects_them(text):
    """A string with a slip is a range for the parser if and only if it is one for the grammar."""
    _assert_agrees(text)


@pytest.mark.parametrize(
    "text",
    [
        "TT+!22 (AA)",  # 22 is a hand after !, and the group an item
        "22 (AA)",  # 22 is a weight at the start of an item
        "22, (AA)",
        "Ax KsQs",
        "Ax Ks Qs",
        "Ax Ksx",
        "66 - AA",
        "66 -, AA",
        "66- ; AA",
        "66-;AA",
        "(66-)",
        "66-!22",
        "66- & 22+",
        "66-:0.5",
        "66-=0.5",
        "66-@50",
        "[50]66-[/50]",
        "66-(AA)",
        "66-#a#",
        "66- 5%",
        "[50]AA[/50] KK",
        "[50]AA[/50.0]KK",
        "[ 50 ] AA [ / 50 ] ; KK",
        "5% - 10%",
        "top 5%-10%",
        "AK@50%%",
        "AK@0.5",
        "AK@100.1",
        "0.5%(AK)",
        "[0.5]AK[/0.50]",
        "AK:1.0001",
        "AA, ,KK",
        "(AA,)",
        "(AA )",
        "[50]AA,[/50]",
        "#a#AA",
        "#a#:0.5",
        "#a#!AA",
        "0.5(AK):0.5",
        "[50]AK[/50]&AK",
        "xxxx",
        "AxX+",
        "*",
        "*s",
        "???",
        "AKs-AxTx",
        "8d8h-6h6d",
    ],
)
def test_forms_that_are_easily_confused(text):
    """Forms whose start is that of another form mean what the grammar says."""
    _assert_agrees(text)


def test_the_same_string_is_parsed_once():
    """Equal strings share their weights, which are read-only."""
    text = "22+,(A2s+,K9s+)!A5s,QTs+:0.25"
    assert Range(text).weights is Range(text).weights
    assert not Range(text).weights.flags.writeable


def test_errors_are_raised_every_time():
    """An invalid string raises the second time too."""
    for _ in range(2):
        with pytest.raises(RangeError):
            read("AAs")


def test_cached_hands_are_not_changed():
    """Hands that are cached for the next string are not changed by set operations."""
    before = read("AA").weights.copy()
    read("(AA,KK)!AA:0.5")
    read("AA!AA,0.25(AA),AA&AA")
    assert np.array_equal(before, read("AA").weights)


def test_ranges_load_little():
    """Lists of hands load neither numba nor exact fractions; nothing loads a parser generator."""
    program = (
        "import sys, holdem\n"
        "holdem.Range('22+, A5s-A2s:0.5, (AhKd,AX)!AA'); str(holdem.Range('AKs'))\n"
        "print([name for name in ('lark', 'numba', 'fractions') if name in sys.modules])\n"
        "holdem.Range('top 15%'); print('lark' in sys.modules, 'numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ["[]", "False False"] == done.stdout.splitlines()


_THIRTY = (
    "22+,A2s+,K9s+,Q9s+,J9s+,T8s+,97s+,87s,76s,65s,54s,ATo+,KTo+,QTo+,JTo,AhKd,AsQs:0.5,A5s-A2s,"
    "K8s-K5s,99-66,Q8s,J8s,T7s,96s,86s,75s,64s,53s,43s,A9o"
)


def _calls(text):
    """Count the calls of Python and C functions while a string is parsed."""
    count = 0

    def one_more(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(one_more)
    try:
        read(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    ("text", "most"),
    [(_THIRTY, 260), (_THIRTY.replace("22+", "22+!33").replace("A9o", "0.5(A9o)"), 320)],
    ids=["plain list", "with operators"],
)
def test_cost_of_thirty_tokens(text, most):
    """Parsing thirty cached hands takes a limited number of calls, linear in the hands.

    It takes 0.03 ms. Calls are counted, because their number is the same on every machine.
    """
    read(text)
    once, twice = _calls(text), _calls(f"{text},{text}")
    assert once <= most
    assert twice <= 2 * once


def test_cost_of_percentages():
    """It is nearly linear in their number, also where spans may leave a gap."""
    once, twice = (_calls(",".join(f"{10 + at / 100}%" for at in range(n))) for n in (100, 200))
    assert twice <= 2.5 * once
