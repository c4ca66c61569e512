"""Benchmark the engine and other libraries in one run on one core.

Programs that do the same work run in turn. The tables show medians, and answers of different
programs to the same question are compared. Libraries that are not installed are skipped, with a
message. To install all of them:

    pip install -e ".[bench]"
    python scripts/benchmarks/benchmark.py [--json FILE] [--quick] [--only PATTERN]

Nothing is cached between repetitions: each has a different question of the same shape, or
different hands. The tables show `holdem.equity` on text and the compiled method on prepared input;
`benchmarking.goals` says which of them is compared with the target.

A full run takes about twenty minutes on an idle machine.
``scripts/benchmarks/make_benchmark_page.py`` generates ``docs/benchmarks/index.md`` from its JSON.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import attrs

from benchmarking import (
    commands,
    equities,
    evaluation,
    games,
    machine,
    many_spots,
    matches,
    matrices,
    sampling,
    small_questions,
    streets,
    two_workers,
)
from benchmarking.goals import GOALS
from benchmarking.measure import Job
from benchmarking.page import page
from holdem.jit.kernels import always_use_kernels


def jobs(quick: bool, cores: set[int]) -> Iterator[Job]:
    """Yield all jobs; `cores` are the processor cores to use."""
    return chain(
        evaluation.jobs(quick),
        equities.jobs(quick),
        small_questions.jobs(),
        many_spots.jobs(quick),
        matrices.jobs(),
        sampling.jobs(quick),
        streets.jobs(quick),
        two_workers.jobs(quick, cores),
        games.jobs(quick),
        matches.jobs(quick),
        commands.jobs(quick),
    )


def main() -> None:
    """Measure, print the tables, and write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", type=Path, help="write what was measured to this file as well")
    parser.add_argument("--quick", action="store_true", help="less work, three repetitions")
    parser.add_argument("--only", default="", metavar="TEXT", help="only rows whose name holds it")
    parser.add_argument("--list", action="store_true", help="print the rows' names and end")
    arguments = parser.parse_args()
    always_use_kernels()
    cores: set[int] = set()
    if hasattr(os, "sched_setaffinity"):
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})  # all programs run on one core
    chosen = [
        job
        for job in jobs(arguments.quick, cores)
        if arguments.only.lower() in f"{job.section}: {job.key}".lower()
    ]
    if arguments.list:
        print("\n".join(f"{job.section}: {job.key}" for job in chosen))
        return
    if not chosen:
        parser.error(f"no row's name holds {arguments.only!r}; --list shows them")
    repetitions, seconds = (3, 1.0) if arguments.quick else (15, 8.0)
    rows = [row for job in chosen for row in job.rows(repetitions, seconds)]
    found = {
        "machine": machine.describe(min(cores) if cores else None),
        "quick": arguments.quick,
        "rows": [
            {
                **attrs.asdict(row),
                "goal": attrs.asdict(GOALS[row.key]) if row.key in GOALS else None,
            }
            for row in rows
        ],
    }
    print(page(found))
    if arguments.json:
        text = json.dumps(found, indent=1, ensure_ascii=False)
        arguments.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
