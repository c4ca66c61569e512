"""The two ways from text to weights agree, and neither costs what it need not."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdem.errors import RangeError
from holdem.ranges.parser import read_any
from holdem.ranges.reading import read, read_plain

_RANKS = [*"23456789TJQKAtjqka", "10"]
_RANK = st.sampled_from(_RANKS)
_CARD = st.builds("{}{}".format, _RANK, st.sampled_from("cdhsCDHS"))
_HAND = st.builds(
    "{}{}{}".format, _RANK, _RANK, st.sampled_from(["", "s", "o", "S", "O"])
) | st.builds("{}{}".format, _CARD, _CARD)
_WEIGHT = st.sampled_from(["", "", "", ":0.5", "=1", ":.25", ":1.", ":0", ":1.5"])
_TOKEN = st.builds(
    "{}{}{}".format, _HAND, st.just("") | st.just("+") | st.builds("-{}".format, _HAND), _WEIGHT
)
_SEPARATOR = st.sampled_from([",", ", ", " ", ";", "\n", " , ", ",,", "- ", " -", "!", " :"])


@st.composite
def _lists(draw):
    """Texts of plain tokens, most with separators that are right and some without."""
    tokens = draw(st.lists(_TOKEN, min_size=1, max_size=6))
    text = draw(st.sampled_from(["", " ", "\n"])) + tokens[0]
    for token in tokens[1:]:
        text += draw(_SEPARATOR) + token
    return text + draw(st.sampled_from(["", ",", " ", " , ", ",,", "-", "#x#"]))


@settings(max_examples=1500, deadline=None)
@given(_lists())
def test_the_short_way_agrees_with_the_parser(text):
    """Wherever the short way answers, the parser gives the same weights and notes."""
    plain = read_plain(text)
    if plain is not None:
        whole = read_any(text)
        assert (whole.weights == plain.weights).all()
        assert whole.notes == plain.notes


@pytest.mark.parametrize(
    "text",
    [
        "AA",
        "22+, A2s+; KTs+ AhKd",
        "A5s-A2s",
        "T9s+ 98s+",
        "AA:0.5,KK=.25",
        " 1010 , 109s ,",
        "AsKs+",
    ],
)
def test_plain_lists_take_the_short_way(text):
    """Lists of classes and combos do not need the parser."""
    plain = read_plain(text)
    assert plain is not None
    assert (read_any(text).weights == plain.weights).all()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "As Ks",
        "66-",
        "66 - 77",
        "AK -QQ",
        "22%",
        "22 (AA)",
        "AX",
        "AAs",
        "AA,,KK",
        "AA:0",
        "#a#",
    ],
)
def test_all_else_takes_the_long_way(text):
    """What has a second reading, a fault, or more than plain tokens is left to the parser."""
    assert read_plain(text) is None


def test_the_same_text_is_read_once():
    """A text that comes again costs a look into a dictionary."""
    text = "22+,(A2s+,K9s+)!A5s,QTs+:0.25"
    assert read(text) is read(text)
    assert not read(text).weights.flags.writeable


def test_errors_are_raised_every_time():
    """A bad text is bad the second time too."""
    for _ in range(2):
        with pytest.raises(RangeError):
            read("AAs")


def test_plain_ranges_load_neither_lark_nor_numba():
    """Importing the package and reading a plain range stays cheap; other text loads lark."""
    program = (
        "import sys, holdem\n"
        "holdem.Range('22+, A5s-A2s:0.5, AhKd'); str(holdem.Range('AKs'))\n"
        "print([name for name in ('lark', 'numba', 'fractions') if name in sys.modules])\n"
        "holdem.Range('AX'); print('lark' in sys.modules, 'numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ["[]", "True False"] == done.stdout.splitlines()


def test_a_reading_is_not_shared_with_what_was_read_from_its_parts():
    """Parts that are kept for the next text are not changed by this one."""
    before = read_any("AA").weights.copy()
    read_any("(AA,KK)!AA:0.5")
    read_any("0.25(AA)")
    assert np.array_equal(before, read_any("AA").weights)
    assert np.array_equal(before, read_plain("AA").weights)


_THIRTY = (
    "22+,A2s+,K9s+,Q9s+,J9s+,T8s+,97s+,87s,76s,65s,54s,ATo+,KTo+,QTo+,JTo,AhKd,AsQs:0.5,A5s-A2s,"
    "K8s-K5s,99-66,Q8s,J8s,T7s,96s,86s,75s,64s,53s,43s,A9o"
)


def _calls(text):
    """Count the functions, Python's and others', that reading a text calls."""
    count = 0

    def one_more(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(one_more)
    try:
        read.__wrapped__(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    ("text", "most"),
    [(_THIRTY, 50), (_THIRTY.replace("22+", "22+!33").replace("A9o", "0.5(A9o)"), 6000)],
    ids=["short way", "long way"],
)
def test_what_thirty_tokens_cost(text, most):
    """Thirty tokens that were read before take so many calls, and twice as many no more than twice.

    They take 0.03 ms the short way, all at once, and 0.45 ms the long way, 117 calls each.
    Counted in calls that is the same on every machine.
    """
    read.__wrapped__(text)
    once, twice = _calls(text), _calls(f"{text},{text}")
    assert once <= most
    assert twice <= 2 * once
