"""Invalid range text, and the messages about it."""

import contextlib
import pickle
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdem import Range
from holdem.errors import HoldemError, HoldemTypeError, RangeError
from holdem.ranges.combos import COMBO_TEXT
from holdem.ranges.parser import MAX_LENGTH, read
from holdem.ranges.range_messages import underlined

QUOTES = (
    '; a hand is one word, as in AsKs; a board of several words needs quotes: --board "Td 9d 2c"'
)
# text, the offending part, hint
FAULTS = [
    ("AAs", "AAs", "AA"),
    ("KK, 77o", "77o", "77"),
    ("AK+-AJ", "AK+-AJ", "AK-AJ"),
    ("AKs-QJo", "AKs-QJo", "AKs-QJs"),
    ("AsAs", "AsAs", "AA is any pair of this rank"),
    ("AxAx", "AxAx", "AA is any pair of this rank"),
    ("A1", "A1", None),
    ("AKs:1.5", "1.5", None),
    ("AKs:50", "50", "for 50 %, write AKs@50 or AKs:0.5"),
    ("AKs:100", "100", "for 100 %, write AKs@100 or AKs:1"),
    ("AKs:2", "2", "for 2 %, write AKs@2 or AKs:0.02"),
    ("AKs:101", "101", None),
    ("AK:50%", "50%", "AK:0.5 or AK@50%"),
    ("QQ, AK=33.3%,KK", "33.3%", "AK:0.333 or AK@33.3%"),
    ("(AK,QQ):50%", "50%", ":0.5 or @50%"),
    ("Ah Kd:50%", "50%", ":0.5 or @50%"),
    ("AK:0.5%", "0.5%", "AK:0.005"),
    ("AK:150%", "150%", None),
    ("AK:0%", "0%", None),
    ("AK:%", "%", None),
    ("AK@0.5", "0.5", ":0.5 or @50"),
    ("AK@101", "101", None),
    ("50(AK)", "50", "50%("),
    ("22(AK)", "22", "22%( for a weight, 22,( for a hand"),
    ("101%(AK)", "101%", None),
    ("[101]AK[/101]", "101", None),
    ("[50]AA[/40]", "40", "[/50]"),
    ("AK,,QQ", ",", None),
    ("AK, ,QQ", ",", None),
    (",AK", ",", None),
    (",", ",", None),
    ("0.4(AK", "", ")"),
    ("[50]AA", "", "[/50]"),
    ("(AA, [50]KK", "", "[/50]"),
    ("[50](AA", "", ")"),
    ("[50AA", "AA", None),
    ("(AA))", ")", None),
    ("()", ")", None),
    ("(AA,)", ")", None),
    ("AKQ", "AKQ", None),
    ("Ah", "Ah", f"AhX is any hand that holds it{QUOTES}"),
    ("AA, 10s", "10s", "TsX is any hand that holds it"),
    ("A♥", "A♥", f"A♥X is any hand that holds it{QUOTES}"),
    ("A", "A", "AX is any hand with that rank and another rank"),
    ("15", "15", "15%"),
    ("top 15", "top", "top 15%"),
    ("top15", "top15", "15%"),
    ("5-10%", "5-10%", "5%-10%"),
    ("10%-5%", "10%-5%", "5%-10%"),
    ("5%-5%", "5%-5%", None),
    ("top 5%-10%", "-10%", None),
    ("0%", "0%", None),
    ("100.1%", "100.1%", None),
    ("0.4 AK", "0.4", "AK:0.4"),
    ("TT+!0.5(AA)", "0.5", None),
    ("66- (AA)", "66-", "66-, with a comma after it or at the end"),
    ("66- AK", "66- AK", "66-, AK is two items"),
    ("A*+", "A*+", "A*"),
    ("A*-", "A*-", "A*"),
    ("AhX+", "AhX+", "AhX"),
    ("AhXh+", "AhXh+", "AhXh"),
    ("XXs+", "XXs+", "XXs"),
    ("2X-", "2X-", None),
    ("AX-TX", "AX-TX", None),
    ("AA-AK", "AA-AK", None),
    ("AK-T8", "AK-T8", None),
    ("AdKd-QhJh", "AdKd-QhJh", None),
    ("AA #note", "#note", None),
    ("AA:", "", None),
    ("AA!", "", None),
    ("AA:x", "x", None),
    ("AA:0.5:0.5", ":", None),
    ("AA@50%%", "%", None),
    ("AK suited", "suited", "AKs"),
    ("AK - A1", "A1", None),
    ("22 - 33 - 44", "-", None),
    ("22-33-44", "22-33-44", None),
    ("66- 5%", "5%", "66-@5% or 66-, 5%"),
    ("66- x", "x", None),
    ("Ax Ksx", "Ksx", None),
    ("TT+!22(AA)", "(", None),
    ("AA:1.5x", "1.5", None),
    ("AA:50%x", "50%", "AA:0.5 or AA@50%"),
    ("#a#AA", "AA", None),
    ("[50)AA", ")", None),
    ("[x]AA", "x", None),
    ("[50]AA[/]", "]", None),
    ("[50]AA[/50", "", None),
    ("(AA[/50]", "[", None),
    ("0.5(0.5(0.5(A1)))", "A1", None),
    ("22 A1 " + "(" * 51, "A1", None),
    ("KK, АK", "А", "AK"),  # Cyrillic
    ("ＫK", "Ｋ", "KK"),  # full width
    ("A²", "²", "A2"),
    ("AA\u200b", "\u200b", None),
    ("AA:٣", "٣", None),  # an Arabic digit
    ("\u212aQ", "\u212a", "KQ"),  # the Kelvin sign
    ("AK\u017f", "\u017f", "AKs"),  # a long s
    ("AA\xa0KK", "\xa0", None),
    ("A\x1b[31mK", "\x1b", None),
    ("AA\x00", "\x00", None),
    ("AA,@utg?x", "?", None),  # in the name of a range
    # a percentage beside a hand
    ("AA 100%, KK 50%", "100%", "AA@100% or AA, 100%"),
    ("AKs 50%", "50%", "AKs@50% or AKs, 50%"),
    ("AKs (50%)", "(50%)", "AKs@50% or AKs, 50%"),
    ("50% AKs", "50%", "AKs@50% or 50%, AKs"),
    ("(50%) AKs", "(50%)", "AKs@50% or 50%, AKs"),
    ("AQs 75% ATs 25%", "75%", "AQs@75% or AQs, 75%"),
    ("22 1%", "1%", "22@1% or 22, 1%"),
    ("QQ (25%), JJ", "(25%)", "QQ@25% or QQ, 25%"),
    ("A5s-A2s  25%", "25%", "A5s-A2s@25% or A5s-A2s, 25%"),
    ("QQ, (AA, KK) 50%", "50%", "(AA, KK)@50% or (AA, KK), 50%"),
    ("(AKs 50%), QQ", "50%", "AKs@50% or AKs, 50%"),
    ("22, TT+!AA 5%", "5%", "TT+!AA@5% or TT+!AA, 5%"),
    ("AhKh .5%", ".5%", "AhKh:0.005 or AhKh, .5%"),
    ("AA\n50%", "50%", "AA@50% or AA, 50%"),
    ("AKs(50%)", "(", "AKs@50"),
    ("AKs 50", "50", "AKs@50% or AKs, 50%"),
    ("50 AKs", "50", "AKs@50% or 50%, AKs"),
    ("AKs 0.5", "0.5", "AKs:0.5"),
    ("QQ, AA 10", "10", "AA@10% or AA, 10%"),
    ("66- 50%", "50%", "66-@50% or 66-, 50%"),
    ("50 % AKs", "50", "AKs@50% or 50%, AKs"),
    ("50 %", "50", "50%"),
    ("AKs, 50 %", "50", None),
    # a percentage beside a hand that has a weight or a tag
    ("AKs:0.5 20%", "20%", "AKs:0.5, 20%"),
    ("AKs@50% 20%", "20%", "AKs@50%, 20%"),
    ("(AKs@50%) 20%", "20%", "(AKs@50%)@20% or (AKs@50%), 20%"),
    ("0.5(AKs) (20%)", "(20%)", "0.5(AKs), 20%"),
    ("[50]AKs[/50] 20%", "20%", "[50]AKs[/50], 20%"),
    ("20% [50]AKs[/50]", "20%", "20%, [50]AKs[/50]"),
    ("20% AKs:.5", "20%", "20%, AKs:.5"),
    ("AKs #a# 20%, QQ", "20%", "AKs@20% or AKs, 20%"),
    ("20% #a# #b# AKs", "20%", "AKs@20% or 20%, AKs"),
    ("AKs:0.5 #a# 50", "50", "AKs:0.5, 50%"),
    ("AKs:0.5 0.3", "0.3", None),
    # numbers that are not hands
    ("AKs % 50", "%", "AKs@50%"),
    ("AKs %", "%", None),
    ("AKs/50%", "AKs/50%", "AKs@50%"),
    ("QQ+ | 7.5 %, JJ", "|", "QQ+@7.5%, JJ"),
    ("50%/AKs", "/AKs", "AKs@50%"),
    ("22+ or 50%", "or", "22+, 50%"),
    ("AKs (0.5)", "0.5", "AKs:0.5"),
    ("QQ, AK( .25 )", "(", "QQ, AK:.25"),
    ("AKs (50)", "50", "AKs@50"),
    ("QJs,1.22,39.83,60.17,0.0", "1.22", None),
    ("AA, 0.4", "0.4", None),
    ("55- A2+", "A2+", "55-, A2+"),
    ("77-  A2s-, KK", "A2s-", "77-, A2s-, KK"),
    # a decimal comma
    ("33,3%", "33,3%", "33.3%"),
    ("22,5%", "22,5%", "22.5%"),
    ("AA, 22,5%", "22,5%", "AA, 22.5%"),
    ("top 12,5%", "top", "top 12.5%"),
    ("33,3%(AKs)", "33,3%", "33.3%(AKs)"),
    ("33,3%@5", "33,3%", "33.3%@5"),
    ("AKs@33,3%", "33,3%", "AKs@33.3%"),
    ("AKs@ 5,5%, QQ", "5,5%", "AKs@ 5.5%, QQ"),
    ("0,5(AKs)", "0", "0.5(AKs)"),
    ("AKs:0,5", "0,5", "AKs:0.5"),
    ("AKs:0,55", "0,55", "AKs:0.55"),
    ("[33,3]AA[/33,3]", ",", "[33.3]AA[/33.3]"),
    ("5%-10,5%", "-10", "5%-10.5%"),
    # forms of other programs
    ("100: AA, AKs, 75: AQs", "100", "100%(AA, AKs), 75%(AQs)"),
    ("100: AA, AKs; 50: KK, 7.5: QQ", "100", "100%(AA, AKs); 50%(KK), 7.5%(QQ)"),
    ("AA, ATs+; Weights: AQs:75%", "Weights", "(AA, ATs+)!(AQs), AQs@75%"),
    ("TT+; Weights: JJ:50%, AA:25%", "Weights", "(TT+)!(JJ, AA), JJ@50%, AA@25%"),
    ("AK:xx@10", "xx", "AKs@10"),
    ("QQ, AK:xy", "xy", "QQ, AKo"),
    ("AAp", "AAp", "AA"),
    ("KK, 22p+", "22p+", "KK, 22+"),
    ("AK-87s", "AK-87s", "AKs-87s"),
    ("JT-67s", "JT-67s", "JTs-76s"),
]


@pytest.mark.parametrize(("text", "part", "hint"), FAULTS)
def test_the_offending_part_and_the_hint(text, part, hint):
    """An error underlines the offending part, and has a hint if a correction is obvious."""
    with pytest.raises(RangeError) as caught:
        Range(text)
    error = caught.value
    assert text == error.text
    assert part == text[error.position : error.position + error.length]
    assert hint == error.hint
    head, shown, carets, *rest = str(error).split("\n")
    assert f"(position {error.position + 1})" in head
    assert set(carets) <= {" ", "^"}
    assert (f"hint: {hint}" in rest) == (hint is not None)
    assert str(error).replace("\n", "").isprintable()
    if text.isascii() and text.isprintable():
        place = carets.index("^")
        assert part == shown[place : place + carets.count("^")][: len(part)]


def test_carets_match_the_escaped_text():
    """Escaped control characters and wide letters take more than one column."""
    for text, carets in (
        ("AA,\tA1", "       ^^"),
        ("A\x1bK", "   ^^^^"),
        ("AA ＫK", "     ^^"),
        ("A♥K♥,A1", "       ^^"),
    ):
        with pytest.raises(RangeError) as caught:
            Range(text)
        assert carets == str(caught.value).split("\n")[2]


def test_expected():
    """What was expected is in the message and in the attribute."""
    for text, expected in (
        ("AA:", "a number"),
        ("0.4(AK", "')'"),
        ("AA!", "a hand"),
        ("AA KK)", "a comma"),
        ("(AA:0.5 :0.5)", "a comma or ')'"),
        ("([50]AA:0.5 :0.5[/50])", "a comma or '[/50]'"),
        ("AA(KK)", "a comma or a weight (:0.5) or '!' or '&'"),
        ("[50]AA[/50]!AA", "a comma"),
        ("[50)", "']'"),
        ("66- 5%", "a hand, or a comma after the dash"),
    ):
        with pytest.raises(RangeError, match="expected") as caught:
            Range(text)
        assert caught.value.expected.startswith(expected)
        assert f"expected {caught.value.expected}" in str(caught.value).splitlines()


def test_a_long_text_is_cut_around_the_fault():
    """A message is short for text of any length."""
    for text in ("AA," * 9000 + "A1" + ",KK" * 9000, "Q" * 60_000, "AA #" + "a" * 60_000):
        with pytest.raises(RangeError) as caught:
            Range(text)
        assert len(str(caught.value)) < 500
        assert "^" in str(caught.value)


def test_an_excerpt_of_a_long_text():
    """It has 30 characters before the fault, at most 40 of it, and 20 after a short one."""
    text = "A" * 100
    before = "  …" + "A" * 30
    assert (before + "A" * 22 + "…", " " * 33 + "^^") == underlined(text, 50, 52)
    assert (before + "A" * 40 + "…", " " * 33 + "^" * 40) == underlined(text, 50, 99)
    # Something is missing before the character at 50, which is shown with the 20 after it.
    assert (before + "A" * 21 + "…", " " * 33 + "^") == underlined(text, 50, 50)


def test_an_error_can_be_pickled():
    """Pickling keeps the attributes of an error."""
    with pytest.raises(RangeError) as caught:
        Range("AA, Ah")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(caught.value) == str(copy)
    assert (4, 2, "AA, Ah") == (copy.position, copy.length, copy.text)


@pytest.mark.parametrize("value", [None, 7, 0.5, b"AA", ["AA"], {"AA": 1}])
def test_wrong_types(value):
    """An argument that is not text raises HoldemTypeError."""
    with pytest.raises(HoldemTypeError):
        Range(value)


HOSTILE = {
    "a megabyte": "AA," * 350_000,
    "a hundred thousand brackets": "(" * 100_000,
    "as many brackets as fit": "(" * 65_536,
    "closing brackets": ")" * 65_536,
    "nested weights": "[50]" * 16_384,
    "one word": "A" * 65_536,
    "digits": "1" * 65_536,
    "points": "1." * 32_768,
    "a long percentage": "1" * 65_000 + "%",
    "a long decimal": "0." + "3" * 65_000 + "%",
    "blanks in a hand": "As" + " " * 65_000 + "x",
    "blanks after a class": "AK" + " " * 65_000 + "x",
    "cards apart": "As " * 21_845,
    "minuses": "-" * 65_536,
    "minuses and blanks": ("66-" + " " * 97) * 655,
    "an open tag": "AA," * 1000 + "#" + "a" * 60_000,
    "marks": "#" * 65_535,
    "wildcards": "x" * 65_536,
    "differences": "*!" * 32_767 + "*",
    "groups": "(AA)," * 13_000 + "(AA",
    "look-alikes": "А" * 65_536,
    "control characters": "\x00" * 65_536,
    "connectors": ",".join(f"{a}{b}+" for a, b in zip("3456789TJQK", "23456789TJQ", strict=True))
    * 1000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_bounded_time(name):
    """Hostile text is parsed or rejected within a bounded time.

    The slowest of these takes 0.3 s, the others under 0.03 s. Processor time counts, so that
    what else runs does not; in ten seconds no 65,536 characters are gone through once for each
    of them, let alone in more ways.
    """
    text = HOSTILE[name]
    start = time.thread_time()
    with contextlib.suppress(RangeError):
        read(text)
    assert time.thread_time() - start < 10


@pytest.mark.parametrize(
    "text",
    [
        *HOSTILE.values(),
        "A" * 6000 + "-",
        "A+-" * 6000,
        "[" + "5" * 3000 + "]AK",
        "[0." + "5" * 390 + "]AK[/0." + "6" * 390 + "]",
        "AK:" + "9" * 390,
    ],
)
def test_messages_are_short(text):
    """The lines of a message have a limited length for text of any length."""
    message = ""  # some of these are ranges
    try:
        Range(text)
    except HoldemError as error:
        message = str(error)
    lines = message.split("\n")
    assert len(lines) <= 5
    # A character that cannot be printed takes four columns.
    assert all(len(line) <= (320 if "\\x" in line else 200) for line in lines)


@pytest.mark.parametrize("value", ["x" * 65_000, list(range(65_000))])
@pytest.mark.parametrize("name", ["deals", "stderr", "time", "workers", "seed", "method"])
def test_messages_about_arguments_are_short(name, value):
    """Long invalid values of other arguments are cut in messages too."""
    from holdem import equity

    with pytest.raises(HoldemError) as caught:
        equity("AA", "KK", **{name: value})
    assert len(str(caught.value)) < 400


def test_bounds_of_length_and_depth():
    """`MAX_LENGTH` characters and 50 levels of brackets are the limits."""
    assert 12 == len(Range("AA,KK" + " " * (MAX_LENGTH - 5)))
    with pytest.raises(RangeError, match="too long"):
        Range("AA,KK" + " " * (MAX_LENGTH - 4))
    assert 6 == len(Range("(" * 50 + "AA" + ")" * 50))
    assert 6 == len(Range("(AA)," * 60))
    assert 6 == len(Range("#((((#," * 60 + "AA"))
    assert 6 == len(Range("[50](" * 25 + "AA" + ")[/50]" * 25))
    for text in ("(" * 51 + "AA" + ")" * 51, "[50](" * 26 + "AA" + ")[/50]" * 26):
        with pytest.raises(RangeError, match="too deep"):
            Range(text)


def test_tiny_weights():
    """A weight below 1e-300, or a product of weights, is an error at its place."""
    smallest, below = ("0." + "0" * zeros + "1" for zeros in (299, 300))
    assert Range(f"AA, KK:{smallest}, {smallest}(QQ)").weight("KsKh") == 1e-300
    percent = "0." + "0" * 298 + "1"
    for text, part in (
        (f"AA,KK:{below}", below),
        (f"{below}(AA)", below),
        (f"[{percent}]AA[/{percent}]", percent),
        (f"0.1({smallest}(AA))", "0.1"),
        (f"({smallest}(AA)):0.5", "0.5"),
    ):
        with pytest.raises(RangeError, match="is below 1e-300, the smallest weight") as caught:
            Range(text)
        place = caught.value.position
        assert text[place : place + caught.value.length] == part
    weights = np.zeros(1326)
    weights[5] = 1e-301
    combo = COMBO_TEXT[5]
    grid = np.zeros((13, 13))
    grid[0, 1] = 1e-301
    for name, call in (
        (combo, lambda: Range.from_weights(weights)),
        (combo, lambda: Range.from_combos({"AsKs": 1, combo: 1e-301})),
        ("AKs", lambda: Range.from_grid(grid)),
    ):
        message = f"1e-301 is not a valid weight of {name}: the smallest weight above 0 is 1e-300"
        with pytest.raises(RangeError, match=f"^{message}$"):
            call()
    with pytest.raises(RangeError, match="too long"):
        Range("AA:0." + "0" * 450 + "1")


_PIECES = [*"AKQT92x*shdcwyXS+-,; !&:=@%()[]/#.0515", "10", "top", "random", "AA", "KTs", "АK²"]


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(_PIECES), max_size=16).map("".join) | st.text(max_size=20))
def test_any_text_is_a_range_or_a_range_error(text):
    """Any text gives weights in 0..1 or a RangeError with a position inside the text."""
    fault = None
    try:
        weights = read(text).weights
        assert ((weights >= 0) & (weights <= 1)).all()
    except HoldemError as error:
        fault = error
    if fault is not None:
        assert isinstance(fault, RangeError)
        assert 0 <= fault.position <= fault.position + fault.length <= len(text)
        assert str(fault).replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("AA)", "')' closes no bracket"),
        ("AA]", "']' closes no bracket"),
        ("(AA])", "']' is not valid here"),
        (")", "')' is not valid here"),
        ("[50]AA)", "')' does not close the bracket before it"),
        ("(AA[50]KK[/50])", "'[' does not close the bracket before it"),
        ("AA,;KK", "two separators in a row, ',' and ';'"),
        ("AK\u0301", "'\\u0301' (U+0301 COMBINING ACUTE ACCENT) is not used in ranges"),
    ],
)
def test_problems_with_signs(text, problem):
    """The first line of a message says what is wrong with a bracket or a separator."""
    with pytest.raises(RangeError) as caught:
        Range(text)
    assert str(caught.value).splitlines()[0].rpartition(" (position")[0] == problem


def test_the_first_invalid_weight_is_named():
    """Of several invalid weights the message has the first."""
    with pytest.raises(RangeError, match=r"^1\.5 is not a valid weight"):
        Range.from_weights([1.5, -1.0] + [0.0] * 1324)
