"""Start-up time and memory of new processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import attrs

from benchmarking import peers
from benchmarking.measure import Job, Measurement, Program, Row, Work, timed

WAITING, MEMORY = "Start-up time", "Memory"
_FLOP = ["equity", "AsKs", "QQ+", "--board", "Td9d2c"]
_CALL = "import holdem; holdem.equity('AsKs', 'QQ+', board='Td9d2c')"
_THOUSAND = """
import random, holdem
rng = random.Random(1)
for _ in range(1000):
    cards = rng.sample([rank + suit for rank in "23456789TJQKA" for suit in "cdhs"], 7)
    first, second, flop = ("".join(cards[part]) for part in (slice(2), slice(2, 4), slice(4, 7)))
    holdem.equity(first, second, board=flop)
"""


def jobs(quick: bool) -> Iterator[Job]:
    """Yield the jobs."""
    yield Measurement("import", WAITING, lambda: [_imports(3 if quick else 15)])
    for key, title, arguments in (
        ("command line, hand", "`holdem evaluate AsKsQsJsTs2c3d`", ["evaluate", "AsKsQsJsTs2c3d"]),
        ("command line, table", "`holdem equity AsKs QQ`", ["equity", "AsKs", "QQ"]),
        ("command line, flop", "`holdem equity AsKs QQ+ --board Td9d2c`, warm", _FLOP),
    ):
        program = _process("holdem", "-m", "holdem", *arguments, ours=True)
        yield Work(key, WAITING, title, "s", [program])
    for key, title, script in (
        ("first call, flop", "a script: AsKs v QQ+ on Td9d2c", _CALL),
        ("first calls, flop", "a script: 1,000 times hole v hole on a flop", _THOUSAND),
    ):
        warm = Program("cache warm", partial(_run_script, script), ours=True)
        empty = Program("cache empty", partial(_with_empty_cache, ["-c", script]), ours=True)
        yield Work(key, WAITING, title, "s", [warm, empty])
    yield from _first_runs(quick)
    if Path("/proc/self/status").exists():
        yield from _memory(quick)


def _imports(repetitions: int) -> Row:
    """Measure the time of imports in new processes on top of bare Python."""
    bare = _process("bare Python", "-c", "pass")
    others = [
        _process("numpy", "-c", "import numpy"),
        _process("import holdem", "-c", "import holdem", ours=True),
        _process("holdem.equity imported", "-c", "from holdem import equity", ours=True),
        *(_process(name, "-c", f"import {name}") for name in peers.installed()),
    ]
    work = Work("import", WAITING, "import", "s", [bare, *others])
    first, *rest = work.rows(repetitions, 10.0)[0].programs
    above = [
        attrs.evolve(
            program,
            median=program.median - first.median,
            low=program.low - first.median,
            high=program.high - first.median,
        )
        for program in rest
    ]
    note = f"import: {1e3 * first.median:.0f} ms of bare Python are subtracted"
    return Row("import", WAITING, "import time on top of bare Python", "s", above, note)


def _first_runs(quick: bool) -> Iterator[Job]:
    """Yield first runs after installation, with an empty cache."""
    flop, deals = ["--board", "Td9d2c"], ["--deals", "100000"]
    questions = [("known hands", "`holdem equity AsKs QQ+ --board Td9d2c`", _FLOP)]
    if not quick:
        three, six = (["equity", "AsKs", *["random"] * n, *deals] for n in (2, 5))
        questions += [
            ("two ranges", "22+,AT+ v itself on that flop", ["equity", *["22+,AT+"] * 2, *flop]),
            ("two random hands", "random v itself there", ["equity", *["random"] * 2, *flop]),
            ("three ranges", "three random hands on that flop", ["equity", *["random"] * 3, *flop]),
            ("categories", "AsKs v QQ+ on that flop, by category", [*_FLOP, "--by", "category"]),
            ("Monte Carlo", "AsKs v two random, 100,000 deals", three),
            ("Monte Carlo of six", "AsKs v five random, 100,000 deals", six),
            ("head-to-head", "`holdem head-to-head AsKs QdQh`", ["head-to-head", "AsKs", "QdQh"]),
        ]
    for key, title, arguments in questions:
        command = ["-m", "holdem", *arguments]
        program = Program("holdem", partial(_with_empty_cache, command), ours=True)
        title = f"{title}, first run: cache empty"
        yield Work(f"first run, {key}", WAITING, title, "s", [program])


def _memory(quick: bool) -> Iterator[Job]:
    """Yield the memory in addition to that of the interpreter with numba loaded."""
    few, many = 1_000_000, 10_000_000 if quick else 100_000_000
    two = "holdem.equity('random', 'random', board='Ks7d2c')"
    three = "holdem.equity('random', 'random', 'random', board='Ks7d2c')"
    sampled = "holdem.equity('AsKs', 'random', 'random', method='monte-carlo', deals={}, seed=1)"

    def growth() -> int:
        return peak(sampled.format(many)) - peak(sampled.format(few))

    for key, title, measured in (
        ("memory, flop", "random v random on a flop", lambda: peak(two)),
        ("memory, three ranges", "three random hands on a flop", lambda: peak(three)),
        ("memory, sampled", f"{few:,} deals", lambda: peak(sampled.format(few))),
        ("memory, deals", f"{many:,} deals, above {few:,}", growth),
    ):
        yield Measurement(key, MEMORY, partial(_held, key, title, measured))


def _held(key: str, title: str, measured: Callable[[], int]) -> list[Row]:
    measured()  # first, because compiling kernels takes memory
    values = [measured() for _ in range(3)]
    return [Row(key, MEMORY, title, "B", [timed("holdem", values, ours=True)])]


def peak(work: str) -> int:
    """Return the increase of a process's peak memory during its work, in bytes.

    Args:
        work: Python code that uses `holdem`. Before it begins, numba has compiled a function.
    """
    script = f"""
import numba, numpy, pathlib
numba.njit("int64(int64)")(lambda x: x + 1)(1)
def status(name):
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) * 1024
before = status("VmRSS")
import holdem
{work}
print(status("VmHWM") - before)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    return int(done.stdout)


def _process(name: str, *arguments: str, ours: bool = False) -> Program:
    return Program(name, lambda _: _run(arguments), ours=ours)


def _run_script(script: str, _number: int) -> None:
    _run(["-c", script])


def _run(arguments: Sequence[str], **variables: str) -> None:
    # Byte code is written by the first call and kept, as for an installed package.
    kept = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(
        [sys.executable, *arguments], check=True, capture_output=True, env={**kept, **variables}
    )


def _with_empty_cache(arguments: Sequence[str], _number: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        _run(arguments, HOLDEM_CACHE_DIR=str(Path(directory) / "cache"))
