"""CSV and Markdown that paste cleanly."""

import csv
import io

import pytest

from holdem.report.markup import csv_table, markdown_table


def _file(text):
    return io.StringIO(text, newline="")


@pytest.mark.parametrize(
    "cell", ["=1+1", "+AA", "-AA", "@SUM(A1)", "\t=1", "\n=1", "=", "-", "+-1", "-1+1", "-inf"]
)
def test_formulas_are_harmless(cell):
    """An apostrophe stands before text that a spreadsheet would take for a formula."""
    ((_,), (found,)) = csv.reader(_file(csv_table(["name"], [[cell]])))
    assert found == f"'{cell}"


@pytest.mark.parametrize(
    "cell", ["-0.5", "+3", "-1e-09", "-.5", -0.5, -3, -1e-9, "AA", "A-B", "'=1"]
)
def test_numbers_and_other_text_are_unchanged(cell):
    ((_,), (found,)) = csv.reader(_file(csv_table(["name"], [[cell]])))
    assert found == str(cell)


def test_line_breaks():
    """Lines of a cell end in line feeds, so that the cell is quoted."""
    ((_,), (found,)) = csv.reader(_file(csv_table(["name"], [["a\r\nb\rc"]])))
    assert found == "a\nb\nc"


def test_markdown_is_escaped():
    """Pipes and line breaks do not end a cell."""
    table = markdown_table(["a|b", "n"], [["x|y\nz", "1"]])
    assert table == "| a\\|b | n |\n| --- | ---: |\n| x\\|y<br>z | 1 |"
