"""Check all evaluators on all hands and against other libraries, and update the docs.

    pip install -e ".[peers]"
    python scripts/checks/check_evaluators.py            # all of it: half an hour on two cores
    python scripts/checks/check_evaluators.py peers      # or one of: hands, peers

Each row of ``hands`` and ``peers`` shows the command it comes from. Compiled evaluators are checked
on every hand of five, six and seven cards. The rule book in Python is checked on all hands of five
cards and on ten million of six and seven, in one process per core. Other libraries are compared on
all hands of five cards and on random ones, fewer for slow libraries.

The script replaces the blocks of docs/evaluators/compared.md that are marked by comments with its
command line.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import Any

import attrs

from holdem.report.cells import duration
from holdem.report.markup import markdown_table

PAGE = Path(__file__).parents[2] / "docs" / "evaluators" / "compared.md"
COMPILED = (
    *("lookup", "suit-mask", "cactus-kev", "dead-horse", "bitwise", "short-deck"),
    "deuces-wild",
)
REFERENCE_HANDS = 10_000_000
#: The number of random hands of six, and of seven, to compare with each library.
PEER_HANDS = {
    "phevaluator": 10_000_000,
    "eval7": 10_000_000,
    "treys": 10_000_000,
    "pokerkit": 1_000_000,
}
SIZES = ("5", "6", "7")


@attrs.frozen
class Run:
    """A finished command."""

    command: str
    answer: dict[str, Any]
    processor: float
    """Seconds of processor time."""


def holdem(*arguments: str) -> Run:
    """Run a command and return its JSON, also if a check fails."""
    command = " ".join(("holdem", "evaluators", *arguments))
    print(command, flush=True)
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "holdem", "evaluators", *arguments, "-f", "json"],
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)  # the usage of this process alone
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{command} ended with {process.returncode}")
    spent = _processor(usage)
    print(f"  {spent:.1f} s processor, {time.perf_counter() - begun:.1f} s", flush=True)
    return Run(command, json.loads(out), spent)


def _processor(usage: resource.struct_rusage) -> float:
    return usage.ru_utime + usage.ru_stime


# --- all hands -------------------------------------------------------------------------


def check_hands() -> str:
    """Check every compiled evaluator on all hands, and the rule book on a sample."""
    rows = [_checked_row([holdem("check", name, "--exhaustive")]) for name in COMPILED]
    cores = os.cpu_count() or 1
    each = -(-REFERENCE_HANDS // cores)
    commands = [
        ("check", "reference", "--hands", str(each), "--seed", str(1 + part))
        for part in range(cores)
    ]
    with ThreadPoolExecutor(cores) as pool:
        parts = list(pool.map(lambda arguments: holdem(*arguments), commands))
    rows.append(_checked_row(parts))
    head = ["evaluator", "five cards", "six cards", "seven cards", "wrong", "processor time"]
    shown = "`holdem evaluators check NAME --exhaustive`"
    return (
        f"{markdown_table(head, rows)}\n\n"
        f"Each row is {shown}; `reference` was checked by"
        f" {' and '.join(f'`{run.command}`' for run in parts)} at the same time."
    )


def _checked_row(runs: list[Run]) -> list[str]:
    """Return an evaluator's row, with random hands summed over its runs."""
    (found, *_) = checked = [run.answer["evaluators"][0] for run in runs]
    hands = [{check["name"]: check["hands"] for check in each["checks"]} for each in checked]
    wrong = sum(
        check["failure"]["affected"] if check["failure"] else 0
        for each in checked
        for check in each["checks"]
    )
    return [
        found["evaluator"]["name"],
        f"{hands[0]['five cards']:,}",
        f"{sum(each['six cards'] for each in hands):,}",
        f"{sum(each['seven cards'] for each in hands):,}",
        "0" if all(each["passed"] for each in checked) else f"{wrong:,}",
        duration(sum(run.processor for run in runs)),
    ]


# --- other libraries -------------------------------------------------------------------


def compare_peers() -> str:
    """Compare `lookup` with every other library that is installed."""
    rows = []
    for name, count in PEER_HANDS.items():
        run = holdem("diff", "lookup", name, "--hands", str(count))
        hands, wrong = run.answer["hands"], run.answer["disagreements"]
        tested = ", ".join(f"{hands[size]:,}" for size in SIZES)
        different = f"{sum(wrong.values()):,}"
        rows.append([f"{name} {metadata.version(name)}", tested, different])
    head = ["library", "hands of five, of six, of seven", "different"]
    return markdown_table(head, rows, left=2)


BLOCKS = {"hands": check_hands, "peers": compare_peers}


def write_block(name: str, text: str) -> None:
    """Replace a generated block of the page."""
    page = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- python scripts/checks/check_evaluators.py {name} -->\n", "<!-- end -->\n"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    assert pattern.search(page), f"{PAGE} has no mark for {name}"
    page = pattern.sub(lambda _: f"{begin}\n{text}\n\n{end}", page)
    PAGE.write_text(page, encoding="utf-8")


def main() -> None:
    """Generate the requested blocks."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("blocks", nargs="*", metavar="BLOCK", help=f"{', '.join(BLOCKS)}; or all")
    chosen = parser.parse_args().blocks or list(BLOCKS)
    for name in chosen:
        if name not in BLOCKS:
            parser.error(f"no block {name!r}; there are: {', '.join(BLOCKS)}")
    for name in chosen:
        write_block(name, BLOCKS[name]())


if __name__ == "__main__":
    main()
