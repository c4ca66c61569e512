"""Make tables of ``docs/evaluators/methods.md``, ``docs/evaluators/examples.md`` and README.

    python scripts/evaluators/make_methods_page.py
    python scripts/evaluators/make_methods_page.py all    # print every example instead

* *figures*: bytes of the plugins' tables, from the arrays, and hands a second from `BENCHMARK`,
  the only place that has them.
* of the second page, one table for each article: its examples (``scripts/evaluators/articles``)
  that have another answer here, or a remark.
* of README, *articles*: the articles, their evaluators and hands a second.

``tests/test_methods_page.py`` checks that the pages are current.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import numpy as np

import holdem
import holdem_cactus_kev.tables
import holdem_dead_horse.tables
import holdem_suit_mask.tables
from articles import bitwise, cactus_kev, dead_horse, example, suit_mask
from holdem.evaluation.builtin import lookup, lookup_tables
from holdem.report.cells import rate
from holdem.report.markup import markdown_table
from holdem.rules import STANDARD
from plugin_figures import put_block, write_block

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
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

#: Evaluators of the articles: package, and modules with tables.
_PLUGINS: dict[str, tuple[str, list[ModuleType]]] = {
    "bitwise": ("holdem_bitwise", []),
    "suit-mask": ("holdem_suit_mask", [holdem_suit_mask.tables]),
    "cactus-kev": ("holdem_cactus_kev", [holdem_cactus_kev.tables]),
    "dead-horse": ("holdem_dead_horse", [holdem_dead_horse.tables]),
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
    for name, (package, modules) in _PLUGINS.items():
        link = f"[`{name}`](../../plugins/{package}/README.md)"
        rows.append([link, f"{table_bytes(modules):,}", _speed("evaluators", name)])
    strengths = lookup_tables.tables_of(STANDARD).of_size.values()
    size = table_bytes([lookup, lookup_tables]) + sum(own.nbytes for own in strengths)
    rows.append(["`lookup`, the default", f"{size:,}", _speed("batch", "lookup, trusted")])
    return markdown_table(["evaluator", "bytes of tables", "hands of seven a second"], rows)


def _speed(key: str, program: str) -> str:
    """Return the speed of a program in a row of the benchmark, as its page has it."""
    return rate(_benchmark(key, program))


def articles_table() -> str:
    """Return README's table."""
    records = {record.name: record for record in holdem.evaluators()}
    rows = []
    for name in ARTICLES:
        record = records[name]
        title = re.findall("“(.*)”", record.source)[0]
        link = f"[`{name}`](plugins/{_PLUGINS[name][0]}/README.md)"
        rows.append([title, link, record.summary, _speed("evaluators", name)])
    return markdown_table(["article", "evaluator", "method", "hands of seven"], rows, left=3)


def with_tables(page: str) -> str:
    """Return the page with a current table of figures."""
    return put_block(page, f"{COMMAND}: figures", figures())


def with_examples(page: str) -> str:
    """Return the page of examples with current tables."""
    for name, examples in ARTICLES.items():
        page = put_block(page, f"{COMMAND}: {name}", example.table(examples()))
    return page


def main() -> None:
    """Update the pages, or print every example."""
    if sys.argv[1:] == ["all"]:
        for name, examples in ARTICLES.items():
            print(f"\n{name}\n\n{example.table(examples(), all_of_them=True)}")
        return
    write_block(README, f"{COMMAND}: articles", articles_table())
    page = with_tables(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(page, encoding="utf-8")
    page = with_examples(EXAMPLES_PAGE.read_text(encoding="utf-8"))
    EXAMPLES_PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
