"""Test the uniformity and independence of deals by chi-square.

For each source of deals: every card at every position, the hole cards of each seat, flops and
boards as sets, the orders of five cards, and pairs of deals: neighbours, deals of neighbouring
groups, and deals of neighbouring blocks, which different workers may deal. Pairs are compared by
the cards that they share, and by the first card of each with every card of the other. P-values are
two-sided; the bound is 1 % divided by the number of tests (Bonferroni).

    python scripts/checks/check_shuffle.py [--deals 1000000000] [--workers 2] [SOURCE ...]

Sources are hands (`holdem.simulate`), equity and known-hand (`holdem.equity`, ten random players
and a known hand), and three with planted defects: biased, whose
bias is too small for 10^8 deals, and strongly-biased and overlapping, which must fail. The exit
status is 1 unless exactly those two fail.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict

from holdem.report.markup import markdown_table
from shuffling.deals import SOURCES
from shuffling.uniformity import LEVEL, Finding, examine

PLANTED = ("strongly-biased", "overlapping")


def rows(findings: list[Finding]) -> list[list[str]]:
    """Return a row for each group of tests: cells, number of tests, smallest p-value, verdict."""
    groups = defaultdict(list)
    for finding in findings:
        groups[finding.name].append(finding)
    bound = LEVEL / len(findings)
    table = []
    for name, own in groups.items():
        least = min(finding.p for finding in own)
        failed = sum(finding.p < bound for finding in own)
        table.append(
            [name, f"{own[0].degrees + 1:,}", str(len(own)), f"{least:.2g}", str(failed or "-")]
        )
    return table


def main() -> None:
    """Examine the sources that the command line names and print a table for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=lambda text: int(float(text)), default=10**9)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("sources", nargs="*", default=["hands", "equity", "known-hand", *PLANTED])
    arguments = parser.parse_args()
    wrong = []
    for name in arguments.sources:
        start = time.perf_counter()
        findings = examine(SOURCES[name](), arguments.deals, arguments.workers)
        bound = LEVEL / len(findings)
        seconds = time.perf_counter() - start
        print(f"\n{name}: {arguments.deals:,} deals, {len(findings)} tests, bound {bound:.2g}")
        print(f"({seconds:.0f} seconds)\n")
        head = ["test", "cells", "tests", "smallest p", "failed"]
        print(markdown_table(head, rows(findings)), flush=True)
        if any(finding.p < bound for finding in findings) != (name in PLANTED):
            wrong.append(name)
    sys.exit(f"unexpected: {', '.join(wrong)}" if wrong else 0)


if __name__ == "__main__":
    main()
