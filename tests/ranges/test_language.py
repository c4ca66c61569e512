"""Combos of each form of the range language."""

import re
import warnings
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from holdem import Range
from holdem.cards import RANKS
from holdem.errors import DialectWarning, RangeError
from holdem.ranges.combos import COMBO_CARDS, COMBO_TEXT
from holdem.ranges.parser import read

EXAMPLES = {
    "22+": 78,
    "TT+": 30,
    "ATs+": 16,
    "A2+": 192,
    "97s+": 8,
    "66-": 30,
    "A5s-": 16,
    "77-TT": 24,
    "A5s-A2s": 16,
    "A2s-A5s": 16,
    "T9s-65s": 20,
    "AQo-86o": 84,
    "J8-J4": 80,
    "AsKs": 1,
    "As Ks": 1,
    "A♠K♠": 1,
    "10s9s": 1,
    "AhXh": 12,
    "AxKx": 4,
    "AxKy": 12,
    "8d5d+": 3,
    "9d8d-6d5d": 4,
    "AhX": 51,
    "AX": 192,
    "A*": 198,
    "AXs": 48,
    "KX+": 368,
    "random": 1326,
    "100%": 1326,
    "22+, A5s-A2s, KTs+, AhKd": 107,
    "22+ A2s+ KQ": 142,
    "AA,KK,": 12,
    "AKs:0.5": 4,
    "0.4(AK, QQ)": 22,
    "[50.0]AA,KK[/50.0],QQ": 18,
    "TT+!AA": 24,
    "(TT+,AK)!(AA,AKs)": 36,
    "AX&XXs": 48,
    "acas=0.5,khkd": 2,
    "AK@100, AQ@50": 32,
}

SAME = {
    # the order of ranks, cases, signs for suits, blanks
    "KA": "AK",
    "aks": "AKs",
    "AKS": "AKs",
    "ASKS": "AsKs",
    "A♠️K♠️": "AsKs",
    "A♤K♧": "AsKc",
    "KsAs": "AsKs",
    "1010": "TT",
    "109s": "T9s",
    "  AA  ": "AA",
    "\tAA\r\n KK\n": "AA,KK",
    "AA;KK": "AA,KK",
    "AA , KK ; QQ": "AA,KK,QQ",
    "AA KK QQ ": "AA,KK,QQ",
    "( AA , KK )": "AA,KK",
    "77 - TT": "77-TT",
    "77 -TT": "77-TT",
    "66- AA": "66+",
    "66-, AA": "22-66,AA",
    "66 -": "66-",
    "(66-)": "66-",
    "66-!22": "66-33",
    "TT+ ! AA": "TT+!AA",
    "AK : 0.5": "AK:0.5",
    "AK = .5": "AK:0.5",
    "AK @ 50": "AK:0.5",
    "AK@50%": "AK:0.5",
    "40%(AK)": "AK:0.4",
    "40% (AK)": "AK:0.4",
    "0.4 ( AK )": "AK:0.4",
    "[ 50 ] AA [ / 50.0 ]": "AA:0.5",
    "TOP 5%": "5%",
    "top5%": "5%",
    "5% - 10%": "5%-10%",
    # wildcards
    "any": "random",
    "RANDOM": "random",
    "*": "random",
    "**": "random",
    "XX": "random",
    "xx": "random",
    "??": "random",
    "????": "random",
    "....": "random",
    "XA": "AX",
    "Ax": "AX",
    "Axs": "AXs",
    "A*s": "AXs",
    "A*o": "AXo",
    "XXs": "A2s+,K2s+,Q2s+,J2s+,T2s+,92s+,82s+,72s+,62s+,52s+,42s+,32s",
    "random!XXs": "22+,XXo",
    "AX+": "AX",
    "AXs+": "AXs",
    "KXo+": "KXo,AXo",
    "3X-": "32",
    "KX-": "random!(AX,22+)",
    "2X+": "random!22+",
    "A*!AX": "AA",
    # cards with wildcards and suit variables
    "Ah*": "AhX",
    "AHX": "AhX",
    "XhXh": "AhXh,KhXh,QhXh,JhXh,ThXh,9hXh,8hXh,7hXh,6hXh,5hXh,4hXh,3hXh",
    "AhXd": "Ah*d!AhAd",
    "AxXx": "AXs",
    "AxXy": "AXo",
    "XxXx": "XXs",
    "AyKw": "AKo",
    "AxKs": "AsKs,AhKs,AdKs,AcKs",
    "AxAs": "AhAs,AdAs,AcAs",
    "AxAy": "AA",
    "AwX": "A*",
    "XhX": "random&(AhX,KhX,QhX,JhX,ThX,9hX,8hX,7hX,6hX,5hX,4hX,3hX,2hX)",
    "Ax KsQs": "AX,KsQs",
    # spans of cards
    "8h8d+": "8h8d,9h9d,ThTd,JhJd,QhQd,KhKd,AhAd",
    "8d8h-6h6d": "8h8d,7h7d,6h6d",
    "AxTx+": "ATs+",
    "AxKy-AxTy": "ATo+",
    "AhKd-AhTd": "AhKd,AhQd,AhJd,AhTd",
    # sets
    "AK,AK:0.5": "AK",
    "AK:0.5,AKs:0.2": "AK:0.5",
    "0.5(AK:0.5)": "AK:0.25",
    "[50]0.5(AK)[/50]": "AK:0.25",
    "(AA,KK):0.5": "KK+:0.5",
    "(AA:0.5,KK)&(AA,KK:0.2)": "AA:0.5,KK:0.2",
    "(AA:0.5,KK)!KK:0.1": "AA:0.05",
    "(AA:0.5,KK)!(KK:0.1)": "AA:0.5",
    "TT+!AA!KK&(QQ,JJ)": "QQ,JJ",
    "AA!KK:0.5": "AA:0.5",
    "#my (note, 1#,AA": "AA",
    "## AA": "AA",
    "#only a note#": "",
    "": "",
    " \n": "",
    "AA&KK": "",
    "0%-10%": "10%",
    # a span from 1 % begins with the best hand, as in ProPokerTools
    "1%-100%": "random",
    "1% - 5%": "5%",
    "1%-1%": "1%",
    "1.0%-7.5%": "7.5%",
    "top 15% AKs": "top 15%, AKs",  # with "top", it is no weight
    "20% 5%-10%": "20%",
    "AKs, 50%": "50%, AKs",
    "AKs;50%": "50%, AKs",
    "77,66,5%": "77; 66; 5%",  # commas part hands here
    "AA:1,15%": "AA; 15%",  # no decimals of a weight or of a percentage
    "QQ+= 1,5%": "QQ+; 5%",
    "AA@ 50,15%": "AA@50; 15%",
    "AA@100,5%": "AA; 5%",
    "15%@5,9%@4": "15%@5; 9%@4",
    "5%@50,6%(AKs)": "5%@50; 6%(AKs)",
    "AA@5,1% - 50%": "AA@5; 1%-50%",
    "77,16%-50%": "77; 16%-50%",
    "45,100%": "45; 100%",
    "45,0.5%": "45; 0.5%",
    "AA:1,55": "AA,55",
    # numbers as Python writes them
    "AKs:5e-1": "AKs:0.5",
    "AKs:1.5e-3": "AKs:0.0015",
    "AKs:1e-05": "AKs:0.00001",
    "AKs@1E+1%": "AKs:0.1",
    "2.5e-1(AK)": "AK:0.25",
    "[5e1]AA[/50]": "AA:0.5",
    "1e1%": "10%",
    # per cent in brackets, and the dashes of word processors
    "AA,[25%]AKs[/25%]": "AA,AKs:0.25",
    "[ 25 % ] AKs [ / 25 ]": "AKs:0.25",
    "AJs–A2s": "A2s-AJs",
    "77—TT": "77-TT",
    "66−": "66-",
    "5%–10%": "5%-10%",
}


def _read(text):
    return Range.from_weights(read(text).weights)


@pytest.mark.parametrize(("text", "combos"), EXAMPLES.items())
def test_the_examples_have_their_combos(text, combos):
    """Each example has the expected number of combos."""
    assert combos == len(Range(text))


def test_the_weights_of_the_examples():
    """Weights in all notations."""
    assert 0.5 == Range("AKs:0.5").weight("AsKs")
    assert {0.4} == set(Range("0.4(AK, QQ)").frequencies().values()) - {0}
    grouped = Range("[50.0]AA,KK[/50.0],QQ")
    assert (0.5, 0.5, 1) == tuple(grouped.weight(combo) for combo in ("AsAh", "KsKh", "QsQh"))
    assert (0.5, 1) == tuple(Range("acas=0.5,khkd").weight(c) for c in ("AcAs", "KhKd"))
    assert (1, 0.5) == tuple(Range("AK@100, AQ@50").weight(c) for c in ("AcKs", "AcQs"))
    assert (0.333, 0.333) == (Range("AA@33.3").weight("AsAh"), Range("33.3%(AA)").weight("AsAh"))


@pytest.mark.parametrize(("text", "other"), SAME.items())
def test_equivalent_texts(text, other):
    """Both texts of each pair give the same range."""
    assert _read(other) == _read(text)


def test_similar_texts_that_differ():
    """`T9s+` is T9s alone, `5%-10%` excludes the first five percent, and X is not `*`."""
    with pytest.warns(DialectWarning):
        assert Range("T9s") == Range("T9s+")
    assert Range("10%") - Range("5%") == Range("5%-10%")
    assert 6 == len(Range("A*") - Range("AX"))


def test_a_tag_needs_a_separator():
    """A tag is an item of its own."""
    with pytest.raises(RangeError):
        Range("#my (note, 1#AA")


# --- every hand against definitions in plain Python -------------------------------------------

_CLASSES = [
    RANKS[a] + RANKS[b] + suits for a in range(13) for b in range(a + 1) for suits in ("", "s", "o")
]
_CLASSES = [name for name in _CLASSES if name[0] != name[1] or len(name) == 2]


def _held(text):
    """Return the combos of a range text."""
    return {COMBO_TEXT[number] for number in np.flatnonzero(read(text).weights)}


def _combos_of(high, low, suits):
    """Return the combos of two ranks and `s`, `o` or nothing, found by comparing all combos."""
    found = set()
    for text in COMBO_TEXT:
        if {text[0], text[2]} == {high, low} and (text[0] == text[2]) == (high == low):
            same = text[1] == text[3]
            if not suits or same == (suits == "s"):
                found.add(text)
    return found


@pytest.mark.parametrize("name", _CLASSES)
def test_every_class_with_and_without_signs(name):
    """A sign raises or lowers the kicker or the pair of a class."""
    high, low, suits = name[0], name[1], name[2:]
    assert _combos_of(high, low, suits) == _held(name) == _held(low + high + suits)
    h, k = RANKS.index(high), RANKS.index(low)
    if high == low:
        up = [(rank, rank) for rank in RANKS[h:]]
        down = [(rank, rank) for rank in RANKS[: h + 1]]
    else:
        up = [(high, rank) for rank in RANKS[k:h]]
        down = [(high, rank) for rank in RANKS[: k + 1]]
    assert set().union(*(_combos_of(*pair, suits) for pair in up)) == _held(f"{name}+")
    assert set().union(*(_combos_of(*pair, suits) for pair in down)) == _held(f"{name}-")


@pytest.mark.parametrize("first", [name for name in _CLASSES if name[2:] != "o"])
def test_every_dash(first):
    """A dash is a run of kickers, of pairs or down a diagonal, in both directions, or an error."""
    names = [name for name in _CLASSES if name[2:] != "o"]
    for second in names[names.index(first) % 3 :: 3]:  # a third of all pairs
        expected = _span(first, second)
        text = f"{first}-{second}"
        if expected is None:
            with pytest.raises(RangeError):
                read(text)
        else:
            assert expected == _held(text) == _held(f"{second}-{first}"), text


def _span(first, second):
    (a, b), (c, d) = (sorted(map(RANKS.index, name[:2]), reverse=True) for name in (first, second))
    if first[2:] != second[2:] or (a == b) != (c == d):
        return None
    if a == c:
        pairs = [(a, k) for k in range(min(b, d), max(b, d) + 1)]
    elif a - b == c - d:
        pairs = [(t, t - a + b) for t in range(min(a, c), max(a, c) + 1)]
    else:
        return None
    return set().union(*(_combos_of(RANKS[t], RANKS[k], first[2:]) for t, k in pairs))


def test_every_pattern_of_two_cards():
    """Cards with variables and wildcards have the combos that match in one order or the other."""
    cards = [rank + suit for rank in ("A", "K", "X", "*") for suit in ("h", "s", "x", "y")]
    for first, second in product(cards, repeat=2):
        expected = {
            COMBO_TEXT[number]
            for number, (a, b) in enumerate(COMBO_CARDS.tolist())
            if _fits(first, second, a, b) or _fits(first, second, b, a)
        }
        if not expected:
            with pytest.raises(RangeError):
                read(first + second)
        else:
            assert expected == _held(first + second), first + second


def _fits(first, second, a, b):
    suits = {}
    for pattern, card in ((first, a), (second, b)):
        rank, suit = pattern
        if rank not in "X*" and RANKS.index(rank) != card >> 2:
            return False
        if suit in "hs" and "cdhs".index(suit) != card & 3:
            return False
        if suit in "xy":
            suits.setdefault(suit, set()).add(card & 3)
    if any(len(found) > 1 for found in suits.values()):
        return False
    if len(suits) == 2 and suits["x"] == suits["y"]:
        return False
    # X beside a rank that is written out is another rank.
    ranks = {first[0], second[0]}
    return not ("X" in ranks and ranks & {"A", "K"} and a >> 2 == b >> 2)


# --- notes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "unambiguous"),
    [
        ("T9s+", "AKs-T9s"),
        ("98+", "AK-98"),
        ("kqo+", "AKo-KQo"),
        ("Td9d+", "AdKd-Td9d"),
        ("AhXh, T9s+", "AKs-T9s"),
    ],
)
def test_a_connector_with_a_plus_warns_of_both_meanings(text, unambiguous):
    """The warning gives the reading here and that of other tools."""
    with pytest.warns(DialectWarning) as warned:
        held = Range(text)
    assert 1 == len(warned)
    message = str(warned[0].message)
    assert f"or {unambiguous}" in message
    assert "alone" in message
    assert __file__ == warned[0].filename
    assert Range(text.replace("+", "")) == held


def test_several_connectors_make_one_warning():
    """Each construction from a text issues one warning."""
    for _ in range(2):
        with pytest.warns(DialectWarning) as warned:
            Range("T9s+, 98s+, T9s+, 87s+")
        assert 1 == len(warned)
        assert "98s+ (AKs-98s), 87s+ (AKs-87s)" in str(warned[0].message)


@pytest.mark.parametrize("text", ["AKs+", "97s+", "T9s", "22+", "A2s+", "T9s-", "AxKx", "Ay Ky"])
def test_unambiguous_text_does_not_warn(text):
    """Unambiguous text issues no warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Range(text)


def test_two_wildcards_apart_warn():
    """`Ax Kx` is a suited hand here, and could be any ace and any king."""
    with pytest.warns(DialectWarning, match="AX, KX"):
        assert Range("AKs") == Range("Ax Kx")
    with pytest.warns(DialectWarning, match="10X, KX"):
        assert Range("KTs") == Range("10x Kx")


WARNED = {
    "AKs 25": "'25' is 52s and 52o here; as a weight it would be AKs@25%",
    "QQ, 77+ 75": "77+@75%",
    "AhKh 65, KK": "AhKh@65%",
    "AKs 25, 76": "AKs@25%",
    "AKs 25 QQ 36": "likewise 36 (QQ@36%)",
    "KX": "includes AK here; other tools read it as KQ-",
    "AA, qxS": "QJs-",
    "JXo": "JTo-",
    "15%@10, 16%-50%@5, 51%-100%@1": "15%-50%",
    "15%@10,16%-50%@5,51%-100%@1": "15%-50%",
    "5%, 6%-10%": "5%-10%",
    "5%-10%, 11%-20%, 5%": "10%-20%",
    "AA:1,KK:0": "6 combos have a weight of 0 and are left out",
    "AA:0.000, [0]KK,QQ[/0.0], AKs@0%, 0(72o), JJ": "34 combos",
}


@pytest.mark.parametrize(("text", "part"), WARNED.items())
def test_what_may_mean_something_else_warns_once(text, part):
    """A number read as a hand, KX, the gap between two spans, and weights of 0."""
    with pytest.warns(DialectWarning) as warned:
        Range(text)
    assert 1 == len(warned)
    assert part in str(warned[0].message)


@pytest.mark.parametrize(
    "text",
    [
        *("T9 98 87 76 65", "77 66 55", "AKs, 25", "AKs 22", "AX", "K*", "KX+", "2X", "KhX"),
        *("5%-10%, 12%-20%", "15%, 16%-20%, 10%-30%", "5%-10%,10%-20%", "AA, AA:0", "QQ+ 98"),
        *("73s 72s 75 74 73 72", "AKo 22+ 45 33", "AKs 25 36", "AKs:0.5 25"),
        *("AKs top 5%", "AKs:0.5 1%-5%", "20%@50 AKs", "20% 0.5(30%)", "(20%) [5]40%[/5]"),
    ],
)
def test_what_means_what_it_says_does_not_warn(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Range(text)


def test_a_weight_of_zero_leaves_a_hand_out():
    """As solvers write all 1,326 combos; another mention of the hand counts."""
    text = ",".join(f"{combo}:{1.0 if combo[:2] == 'As' else 0:.3f}" for combo in COMBO_TEXT)
    with pytest.warns(DialectWarning, match="1,275 combos have a weight of 0"):
        assert sum("As" in combo[:2] for combo in COMBO_TEXT) == len(Range(text))
    assert _read("AA") == _read("AA:0, AA") == _read("AA, KK:0")
    assert _read("") == _read("0(AA)") == _read("(AA:0.5):0")


_GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "coming-from.md"
_ROWS = re.findall(r"^\| [^|]+ \| `([^|]+)` \| (.+?) \| .*\|$", _GUIDE.read_text("utf-8"), re.M)


@pytest.mark.parametrize(("text", "reading"), _ROWS, ids=[text for text, _ in _ROWS])
def test_the_table_of_other_programs(text, reading):
    """Each row of the guide is read, or refused, as it says."""
    parts = re.findall("`([^`]+)`", reading)
    if not reading.startswith("refused"):
        assert [_read(text)] == [_read(part) for part in parts]
        return
    with pytest.raises(RangeError) as caught:
        Range(text)
    assert " or ".join(parts) == caught.value.hint
    assert all(len(Range(part)) for part in parts)


def test_percentages_of_text_are_exact_decimals():
    """Equal numbers in text and in Python give equal ranges."""
    for percent in ("0.3", "7.25", "33.3", "66.6667"):
        assert Range.top(Fraction(percent) / 100) == Range(f"{percent}%")
