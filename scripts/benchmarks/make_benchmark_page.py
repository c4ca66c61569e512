"""Generate ``docs/benchmarks/index.md``, its chart, and the excerpt in README.

Run this script after ``scripts/benchmarks/benchmark.py`` has written
``docs/benchmarks/benchmark.json``. ``tests/test_benchmark.py`` checks that the texts are current.

    python scripts/benchmarks/make_benchmark_page.py
"""

from __future__ import annotations

import json
from pathlib import Path

from benchmarking.page import chart, page, put_excerpt

ROOT = Path(__file__).parents[2]
MEASURED = ROOT / "docs" / "benchmarks" / "benchmark.json"
PAGE = ROOT / "docs" / "benchmarks" / "index.md"
CHART = ROOT / "docs" / "_static" / "benchmark.png"
README = ROOT / "README.md"


def main() -> None:
    """Write the page, its chart and the excerpt."""
    found = json.loads(MEASURED.read_text(encoding="utf-8"))
    PAGE.write_text(page(found), encoding="utf-8")
    chart(found).savefig(CHART)
    README.write_text(put_excerpt(README.read_text(encoding="utf-8"), found), encoding="utf-8")


if __name__ == "__main__":
    main()
