"""Check that each measured figure in README and docs stands once, with the script that measures it.

    python scripts/checks/check_figures.py

A figure is a number, in digits or words, with a unit of time, speed or memory, in sentences and
tables. Examples and the blocks that scripts write are left out, as are the benchmark page, which a
script writes, and limits between ``<!-- limits -->`` and ``<!-- end -->``. The section of each
figure must name a script, or link to the benchmark page, and no other page may have the same
figure. The page on reliability repeats figures of the page on checks on purpose.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "docs" / "benchmarks" / "index.md"
SUMMARY = ROOT / "docs" / "reliability.md"

_LEFT_OUT = re.compile(
    r"<!-- (?:python|made of|limits).*?<!-- (?:end|to here) -->|^```.*?^```|^ {4,}\S.*?$",
    re.DOTALL | re.MULTILINE,
)
_UNIT = (
    r"(?:[GMk]/s|(?:(?:hands|deals|spots|pairs|rows) )?(?:a|per) second|ns|µs|ms|s|seconds?"
    r"|minutes?|[GMk]B|[GMK]iB|times (?:as fast|faster|slower|as long))"
)
_WORDS = r"(?:ten|twelve|twenty|fifty|(?:a |some |several )?(?:hundred|thousand|million))"
_FIGURE = re.compile(
    rf"(?<![\w.])(\d[\d,.]*(?: million| billion)?|{_WORDS}) ({_UNIT})(?![\w/])".replace(
        " ", r"\s+"
    ),
    re.IGNORECASE,
)
_SOURCE = re.compile(r"scripts/\w+/\w+\.py|benchmarks/index\.md|how/checks\.md")


class Figure(NamedTuple):
    """A measured figure of a page."""

    page: Path
    line: int
    text: str
    """Number and unit."""
    has_source: bool
    """Whether its section names a script or links to the benchmark page."""


def pages() -> list[Path]:
    """Return the pages whose figures are checked."""
    docs = sorted((ROOT / "docs").rglob("*.md"))
    plugins = sorted((ROOT / "plugins").glob("*/README.md"))
    return [ROOT / "README.md", *(page for page in docs if page != BENCHMARKS), *plugins]


def figures_of(page: Path) -> Iterator[Figure]:
    """Yield the figures of a page."""
    text = page.read_text(encoding="utf-8")
    prose = _LEFT_OUT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    headings = [found.start() for found in re.finditer(r"^#+ ", prose, re.MULTILINE)]
    for start, end in pairwise([0, *headings, len(text)]):
        has_source = _SOURCE.search(text[start:end]) is not None
        for found in _FIGURE.finditer(prose, start, end):
            figure = " ".join(f"{found[1]} {found[2]}".split())
            yield Figure(page, text.count("\n", 0, found.start()) + 1, figure, has_source)


def faults(given: list[Path]) -> list[str]:
    """Return a line for each figure without a script and for each that stands on two pages."""
    figures = [figure for page in given for figure in figures_of(page)]
    found = []
    first: dict[str, Figure] = {}
    for figure in figures:
        place = f"{figure.page.name}, line {figure.line}: {figure.text}"
        if not figure.has_source:
            found.append(f"{place}: the section names no script")
        if figure.page == SUMMARY or re.fullmatch(r"\d\D*", figure.text):
            continue  # a figure of one digit is no copy of another one
        other = first.setdefault(figure.text.casefold(), figure)
        if other.page != figure.page:
            found.append(f"{place}: also in {other.page.name}, line {other.line}")
    return found


def main() -> int:
    """Print the faults; return 1 if there are any."""
    found = faults(pages())
    print("\n".join(found) or "each figure stands once, with its script")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
