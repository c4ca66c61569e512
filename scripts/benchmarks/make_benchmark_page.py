"""Generate ``docs/benchmarks/index.md``, and its excerpt in README, from ``benchmark.json``.

``tests/test_benchmark.py`` checks that both are current. Run this script after
``scripts/benchmarks/benchmark.py`` has written the JSON:

    python scripts/benchmarks/make_benchmark_page.py
"""

from __future__ import annotations

import json
from pathlib import Path

from benchmarking.page import page, put_excerpt

ROOT = Path(__file__).parents[2]
MEASURED = ROOT / "docs" / "benchmarks" / "benchmark.json"
PAGE = ROOT / "docs" / "benchmarks" / "index.md"
README = ROOT / "README.md"


def main() -> None:
    """Write the page and the excerpt."""
    found = json.loads(MEASURED.read_text(encoding="utf-8"))
    PAGE.write_text(page(found), encoding="utf-8")
    README.write_text(put_excerpt(README.read_text(encoding="utf-8"), found), encoding="utf-8")


if __name__ == "__main__":
    main()
