"""The parser of plain lists agrees with the full parser, and both are fast."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdem.errors import RangeError
from holdem.ranges.dialects import warning_texts
from holdem.ranges.parser import parse
from holdem.ranges.reader import parse_plain_list, read

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
    """Texts of plain tokens, most of them with valid separators."""
    tokens = draw(st.lists(_TOKEN, min_size=1, max_size=6))
    text = draw(st.sampled_from(["", " ", "\n"])) + tokens[0]
    for token in tokens[1:]:
        text += draw(_SEPARATOR) + token
    return text + draw(st.sampled_from(["", ",", " ", " , ", ",,", "-", "#x#"]))


@settings(max_examples=1500, deadline=None)
@given(_lists())
def test_plain_lists_agree_with_the_full_parser(text):
    """For plain lists the full parser gives the same weights and warnings."""
    plain = parse_plain_list(text)
    if plain is not None:
        weights, ambiguities = parse(text)
        assert (weights == plain[0]).all()
        assert warning_texts(ambiguities) == warning_texts(plain[1])


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
def test_plain_lists_need_no_full_parser(text):
    """Lists of classes and combos do not need the full parser."""
    plain = parse_plain_list(text)
    assert plain is not None
    assert (parse(text).weights == plain[0]).all()


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
def test_other_text_needs_the_full_parser(text):
    """Text that is ambiguous, invalid, or has more than plain tokens needs the full parser."""
    assert parse_plain_list(text) is None


def test_the_same_text_is_read_once():
    """The reading of a text is cached."""
    text = "22+,(A2s+,K9s+)!A5s,QTs+:0.25"
    assert read(text) is read(text)
    assert not read(text).weights.flags.writeable


def test_errors_are_raised_every_time():
    """Invalid text raises the second time too."""
    for _ in range(2):
        with pytest.raises(RangeError):
            read("AAs")


def test_plain_ranges_load_neither_lark_nor_numba():
    """Plain lists load neither lark nor numba; other text loads lark."""
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


def test_cached_tokens_are_not_changed():
    """Tokens that are cached for the next text are not changed by set operations."""
    before = parse("AA").weights.copy()
    parse("(AA,KK)!AA:0.5")
    parse("0.25(AA)")
    assert np.array_equal(before, parse("AA").weights)
    assert np.array_equal(before, parse_plain_list("AA")[0])


_THIRTY = (
    "22+,A2s+,K9s+,Q9s+,J9s+,T8s+,97s+,87s,76s,65s,54s,ATo+,KTo+,QTo+,JTo,AhKd,AsQs:0.5,A5s-A2s,"
    "K8s-K5s,99-66,Q8s,J8s,T7s,96s,86s,75s,64s,53s,43s,A9o"
)


def _calls(text):
    """Count the calls of Python and C functions while a text is parsed."""
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
    ids=["plain list", "full parser"],
)
def test_cost_of_thirty_tokens(text, most):
    """Parsing thirty cached tokens takes a limited number of calls, linear in the tokens.

    A plain list takes 0.03 ms, the full parser 0.45 ms. Calls are counted, because their number
    is the same on every machine.
    """
    read.__wrapped__(text)
    once, twice = _calls(text), _calls(f"{text},{text}")
    assert once <= most
    assert twice <= 2 * once
