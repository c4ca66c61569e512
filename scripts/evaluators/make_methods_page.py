"""Make the tables of ``docs/evaluators/methods.md`` and ``docs/evaluators/examples.md``.

    python scripts/evaluators/make_methods_page.py

* *figures*: bytes of the plugins' tables, from the arrays, and hands a second, from the plugins'
  pages, where ``scripts/evaluators/measure_*.py`` writes them, and from `BENCHMARK`.
* *others*: the tables of other libraries that are installed (extra ``peers``; ``nm`` of the GNU
  binutils reads the compiled ones), and their hands a second from `BENCHMARK`.
* of the second page, one table for each article: its examples (``scripts/evaluators/articles``),
  with the answers given here.

``tests/test_methods_page.py`` checks that the pages are current.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import is_dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import eval7
import numpy as np
import phevaluator
import pokerkit
import treys

import holdem_cactus_kev.tables
import holdem_dead_horse.tables
import holdem_suit_mask.tables
from articles import bitwise, cactus_kev, dead_horse, example, suit_mask
from holdem.evaluation.builtin import lookup, lookup_tables
from holdem.report.markup import markdown_table
from holdem.rules import STANDARD
from plugin_figures import figure, put_block

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "evaluators" / "methods.md"
EXAMPLES_PAGE = ROOT / "docs" / "evaluators" / "examples.md"
BENCHMARK = ROOT / "docs" / "benchmarks" / "benchmark.json"
COMMAND = "python scripts/evaluators/make_methods_page.py"

ARTICLES = {
    "bitwise": bitwise.examples,
    "suit-mask": suit_mask.examples,
    "cactus-kev": cactus_kev.examples,
    "dead-horse": dead_horse.examples,
}

_SEVENS_OF_FIVES = "hands of seven, 21 choices of five each, through the engine"
#: Evaluators of the articles: package, modules with tables, and the rows and columns of the
#: package's README with the figures of five and seven cards.
_PLUGINS: dict[str, tuple[str, list[ModuleType], tuple[str, int], tuple[str, int]]] = {
    "bitwise": ("holdem_bitwise", [], ("AVX-512", 1), ("AVX-512", 3)),
    "suit-mask": (
        "holdem_suit_mask",
        [holdem_suit_mask.tables],
        ("suit-mask, AVX-512", 1),
        ("suit-mask, AVX-512", 3),
    ),
    "deuces-wild": (
        "holdem_suit_mask",
        [holdem_suit_mask.tables],
        ("deuces-wild, AVX-512", 1),
        ("deuces-wild, AVX-512", 3),
    ),
    "cactus-kev": (
        "holdem_cactus_kev",
        [holdem_cactus_kev.tables],
        ("perfect hash, no branch on step 3", 1),
        (_SEVENS_OF_FIVES, 1),
    ),
    "dead-horse": (
        "holdem_dead_horse",
        [holdem_dead_horse.tables],
        ("as in the plugin", 1),
        (_SEVENS_OF_FIVES, 1),
    ),
}


def table_bytes(modules: Iterable[ModuleType]) -> int:
    """Return the bytes of the arrays of some modules."""
    arrays = {
        id(value): value.nbytes
        for module in modules
        for value in vars(module).values()
        if isinstance(value, np.ndarray)
    }
    return sum(arrays.values())


def _benchmark(key: str, program: str) -> float:
    """Return the median of a program in a row of the benchmark."""
    rows = json.loads(BENCHMARK.read_text(encoding="utf-8"))["rows"]
    (found,) = (
        each["median"]
        for row in rows
        if row["key"] == key
        for each in row["programs"]
        if each["name"] == program
    )
    return float(found)


def figures() -> str:
    """Return the table of the articles' evaluators, and the default one."""
    rows = []
    for name, (package, modules, five, seven) in _PLUGINS.items():
        page = ROOT / "plugins" / package / "README.md"
        link = f"[`{name}`](../../plugins/{package}/README.md)"
        cells = (figure(page, *place) for place in (five, seven))
        rows.append([link, f"{table_bytes(modules):,}", *cells])
    speed = f"{_benchmark('batch', 'lookup, trusted') / 1e6:.0f}"
    strengths = lookup_tables.tables_of(STANDARD).of_size.values()
    size = table_bytes([lookup, lookup_tables]) + sum(own.nbytes for own in strengths)
    rows.append(["`lookup`, the default", f"{size:,}", "–", speed])
    head = ["evaluator", "bytes of tables", "hands of five, M/s", "hands of seven, M/s"]
    return markdown_table(head, rows)


def _symbols(module: str, pattern: str) -> int:
    """Return the bytes of the symbols of a compiled module whose names match."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    command = ["nm", "-S", spec.origin]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    symbols = (line.split() for line in lines)
    return sum(
        int(words[1], 16)
        for words in symbols
        if len(words) == 4 and re.fullmatch(pattern, words[3])
    )


def _objects(value: Any, seen: set[int]) -> int:
    """Return the bytes of a dictionary, tuple or dataclass and of all objects in it."""
    if id(value) in seen:
        return 0
    seen.add(id(value))
    size = sys.getsizeof(value)
    inner: list[Any] = []
    if isinstance(value, dict):
        inner = [*value.keys(), *value.values()]
    elif isinstance(value, tuple):
        inner = list(value)
    elif is_dataclass(value):
        inner = list(vars(value).values())
    return size + sum(_objects(each, seen) for each in inner)


def others() -> str:
    """Return the table of other libraries."""
    table = treys.Evaluator().table
    entries = vars(pokerkit.StandardHighHand.lookup)
    sizes = {
        eval7: ("four arrays", _symbols("eval7.evaluate", r"\w+_TABLE")),
        phevaluator: (
            "arrays for five to seven cards",
            _symbols("phevaluator._pheval", r"suits|dp|choose|flush|noflush[567]"),
        ),
        treys: (
            "two dictionaries with their numbers",
            _objects((table.flush_lookup, table.unsuited_lookup), set()),
        ),
        pokerkit: ("a dictionary with its entries", _objects(entries, set())),
    }
    rows = []
    for library, (kind, size) in sizes.items():
        name = library.__name__
        rate = _benchmark("one hand a call", name) / 1e3
        rows.append([f"{name} {version(name)}", kind, f"{size:,}", f"{rate:,.0f}"])
    head = ["library", "tables", "bytes", "hands of seven, thousand/s"]
    return markdown_table(head, rows, left=2)


def with_tables(page: str, *, measured: bool) -> str:
    """Return the page with current tables.

    Args:
        page: its text.
        measured: also the table of other libraries, which depends on their versions.
    """
    page = put_block(page, f"{COMMAND}: figures", figures())
    if measured:
        page = put_block(page, f"{COMMAND}: others", others())
    return page


def with_examples(page: str) -> str:
    """Return the page of examples with current tables."""
    for name, examples in ARTICLES.items():
        page = put_block(page, f"{COMMAND}: {name}", example.table(examples()))
    return page


def main() -> None:
    """Update both pages."""
    page = with_tables(PAGE.read_text(encoding="utf-8"), measured=True)
    PAGE.write_text(page, encoding="utf-8")
    page = with_examples(EXAMPLES_PAGE.read_text(encoding="utf-8"))
    EXAMPLES_PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
