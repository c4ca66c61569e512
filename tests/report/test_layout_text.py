"""Text that fits a width: wrapped paragraphs and cells, optional columns, and split tables."""

import random
import re

import pytest

from holdem.report.model import Style, Table, text_width
from holdem.report.text_tables import bar, fill, text_table, wrap

HEAD = ("player", "range", "combos", "equity", "wins", "losses")
ROWS = [
    ("1", "22+,A2s+,KTs+,QTs+,JTs,ATo+,KJo+", "222", "64.5189 %", "1,000,000", "500,000"),
    ("2", "random", "1,326", "35.4811 %", "500,000", "1,000,000"),
]
OPTIONAL = (("wins", "losses"), ("combos",))


def table(width, **options):
    return text_table(Table(HEAD, ROWS, left=2, **options), Style(width=width, bars=True))


def test_wide_table_is_aligned():
    """Text is aligned left and numbers right, in columns two blanks apart."""
    assert table(90) == (
        "player  range                             combos     equity       wins     losses\n"
        "1       22+,A2s+,KTs+,QTs+,JTs,ATo+,KJo+     222  64.5189 %  1,000,000    500,000\n"
        "2       random                             1,326  35.4811 %    500,000  1,000,000"
    )


def test_text_is_wrapped_first():
    """A narrower table wraps its text, as little as possible."""
    assert table(80, optional=OPTIONAL).splitlines() == [
        "player  range                         combos     equity       wins     losses",
        "1       22+,A2s+,KTs+,QTs+,JTs,ATo+,     222  64.5189 %  1,000,000    500,000",
        "        KJo+",
        "2       random                         1,326  35.4811 %    500,000  1,000,000",
    ]


def test_optional_columns_are_left_out_in_order():
    for width, names in ((65, HEAD), (64, HEAD[:4]), (43, HEAD[:4]), (42, (*HEAD[:2], "equity"))):
        assert tuple(table(width, optional=OPTIONAL).splitlines()[0].split()) == names


def test_other_columns_are_split():
    """What does not fit is shown below, with the first column again; nothing is left out."""
    assert table(44).splitlines() == [
        "player  range           combos     equity",
        "1       22+,A2s+,KTs+,     222  64.5189 %",
        "        QTs+,JTs,ATo+,",
        "        KJo+",
        "2       random           1,326  35.4811 %",
        "",
        "player       wins     losses",
        "1       1,000,000    500,000",
        "2         500,000  1,000,000",
    ]


def test_bars():
    """Bars are drawn only in a style with bars, narrower rather than without optional columns."""
    bars = (0.6125, None)
    assert table(103, bars=bars).splitlines()[1].endswith("500,000  ███████████▋       ▏")
    narrow = table(73, bars=bars, optional=OPTIONAL).splitlines()
    assert narrow[0].split() == list(HEAD[:4])
    assert narrow[1].endswith("JTs,ATo+,KJo+     222  64.5189 %  ██████▊    ▏")
    assert narrow[2].endswith("%")
    assert "█" not in table(40, bars=bars, optional=OPTIONAL)  # no room
    plain = text_table(Table(HEAD, ROWS, left=2, bars=bars), Style(width=120))
    assert plain == table(120)
    coloured = text_table(
        Table(HEAD, ROWS, bars=bars, bars_head="share"), Style(width=120, bars=True, colour=True)
    )
    assert coloured.splitlines()[0].endswith("losses  share")
    assert coloured.splitlines()[1].endswith("  \x1b[36m███████████▋       ▏\x1b[39m")


@pytest.mark.parametrize("fraction", [0.0, 0.001, 0.0625, 0.5, 0.99, 1.0])
def test_length_of_a_bar(fraction):
    """The length of a bar is right to a sixteenth of a character."""
    drawn = bar(fraction, 10)
    length = sum(1 - (ord(char) - ord("█")) / 8 for char in drawn)  # █ and seven narrower ones
    assert abs(length - 10 * fraction) <= 1 / 16
    assert len(drawn) <= 10


def test_random_tables_fit():
    """Whatever the cells, no line is longer than the width and no character is lost."""
    chooser = random.Random(5)
    for _ in range(300):
        columns, rows = chooser.randint(1, 12), chooser.randint(0, 4)
        left = chooser.randint(0, columns)
        cells = [
            ["".join(chooser.choices("ab, ", k=chooser.randint(0, 20))) for _ in range(columns)]
            for _ in range(rows + 1)
        ]
        width = chooser.randint(60, 100)
        text = text_table(Table(cells[0], cells[1:], left=left), Style(width=width))
        assert max(map(len, text.splitlines()), default=0) <= width
        # The first column may occur several times.
        rest = "".join("".join(row[1:]) for row in cells)
        for letter in "ab,":
            assert text.count(letter) >= rest.count(letter)


def test_wrapping():
    """Lines end at blanks and commas, but not in numbers or before units; long words are broken."""
    assert wrap("AA,KK,QQ", 6) == ["AA,KK,", "QQ"]
    assert wrap("some 1,234,567 deals in 1.5 s", 14) == ["some 1,234,567", "deals in 1.5 s"]
    assert wrap("deals in 1.5 s", 12) == ["deals in", "1.5 s"]
    assert wrap("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]
    assert wrap("x" * 12, 10, "  ") == ["x" * 10, "  xx"]
    assert wrap("", 10) == [""]


def test_values_continue_below_values():
    assert fill("text  AA,KK,QQ\nsome words of text", 12) == (
        "text  AA,KK,\n      QQ\nsome words\n  of text"
    )


def test_control_characters_are_escaped():
    """Text of a cell can neither break the line nor change the terminal."""
    text = text_table(Table(["name"], [["a\nb\t\x1b[31m"]]), Style())
    assert text == "name\na b \\x1b[31m"


def test_width(monkeypatch):
    """COLUMNS overrides the width of the terminal; 80 without either, and never below 60."""
    assert (text_width(), text_width(132), text_width(40)) == (80, 132, 60)
    for given, width in (("100", 100), ("20", 60), ("0", 132), ("wide", 132), ("", 132)):
        monkeypatch.setenv("COLUMNS", given)
        assert text_width(132) == width


def test_style_does_not_matter_to_lines():
    """Bars and colours change no other character of a table."""
    plain = text_table(Table(HEAD, ROWS, left=2), Style(width=120))
    drawn = text_table(
        Table(HEAD, ROWS, left=2, bars=(0.5, 0.5)), Style(width=120, bars=True, colour=True)
    )
    without = re.sub("\x1b\\[\\d+m[█▋▌ ]*▏\x1b\\[\\d+m$", "", drawn, flags=re.MULTILINE)
    assert [line.rstrip() for line in without.splitlines()] == plain.splitlines()
