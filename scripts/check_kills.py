"""Kill runs at random moments and hold what comes of them against a run that was left alone.

Each time a run of `STUDY` is begun with a new store and killed (SIGKILL) after a random time.
Then no process of it may be left five seconds later, the same command must go on and end, its
results must be those of the unbroken run to the last bit, and no file but the store may be
left: neither beside it nor in the directory for temporary files, which is one of this script's
own. One evaluator of the study is in plain Python, so some kills leave processes that rank
without their parent.

    python scripts/check_kills.py [--kills 100] [--workers 2] [--seed 1]

Works where there is /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STUDY = """
seed = 4
method = "monte-carlo"

[[spot]]
players = ["AsKs", "random"]
deals = 60_000_000

[[spot]]
players = ["AsKs", "TT+"]
board = "Td9d2c7h"
evaluator = "reference"
deals = 120_000

[[spot]]
players = ["AcAs", "KdKh"]
method = "exact"

[[spot]]
players = ["AA", "random", "random", "random"]
stderr = 0.0002
"""

MARK = "HOLDEM_CHECK_KILLS"
SECONDS_TO_END = 5.0
STUDY_NAME, STORE_NAME, TEMPORARY_NAME = "study.toml", "study.store", "temporary"


@dataclass(frozen=True)
class Kill:
    """What came of one kill."""

    after: float
    """Seconds after the run began."""
    mates: int
    """How many processes the run had besides the one that was killed."""
    gone: float
    """Seconds until none of them was there any more."""
    deals: int
    """How many deals the store held after the kill."""
    same: bool
    """Whether the run that went on ended with the results of the unbroken one."""
    left: set[str]
    """The files that were there in the end besides study and store."""

    @property
    def is_good(self) -> bool:
        """Whether all is as it should be."""
        return self.same and not self.left and self.gone < SECONDS_TO_END

    def __str__(self) -> str:
        verdict = "the same" if self.same else "NOT THE SAME"
        verdict += f", LEFT: {self.left}" if self.left else ""
        return (
            f"killed after {self.after:5.2f} s with {self.mates} others, gone after"
            f" {self.gone:4.2f} s; kept {self.deals:11,} deals; {verdict}"
        )


@contextmanager
def empty_directory() -> Iterator[Path]:
    """Yield a directory with the study and, empty, a directory for temporary files."""
    before = os.environ.get("TMPDIR")
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / STUDY_NAME).write_text(STUDY, encoding="utf-8")
        (directory / TEMPORARY_NAME).mkdir()
        os.environ["TMPDIR"] = str(directory / TEMPORARY_NAME)  # of the processes begun meanwhile
        try:
            yield directory
        finally:
            del os.environ["TMPDIR"]
            if before is not None:
                os.environ["TMPDIR"] = before


def command(*arguments: str | Path) -> list[str]:
    """Return the words that run `holdem` with some arguments."""
    return [sys.executable, "-m", "holdem", *map(str, arguments)]


def begin(study: Path, store: Path, workers: int, mark: str) -> subprocess.Popen[str]:
    """Begin a run in the background; its processes carry `mark` in their environment."""
    return subprocess.Popen(
        command("run", study, "--store", store, "-j", str(workers)),
        env={**os.environ, MARK: mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(study: Path, store: Path, workers: int) -> dict[str, Any]:
    """Run to the end and return the results, seconds left out."""
    done = subprocess.run(
        command("run", study, "--store", store, "-j", str(workers)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return results(store)


def results(store: Path) -> dict[str, Any]:
    """Return what a store holds, seconds left out."""
    done = subprocess.run(
        command("results", store, "-f", "json"), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    for spot in found["spots"]:
        del spot["elapsed"]
    return found


def alive(mark: str) -> list[int]:
    """Return the processes that carry `mark`; ended ones that nobody asked after do not."""
    wanted, found = f"{MARK}={mark}".encode(), []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:  # it ended meanwhile, or is another user's
            continue
    return found


def seconds_until_gone(mark: str) -> float:
    """Wait until no process carries `mark`, for `SECONDS_TO_END` at most."""
    begun = time.monotonic()
    while alive(mark) and time.monotonic() - begun < SECONDS_TO_END:
        time.sleep(0.05)
    return time.monotonic() - begun


def kill_and_resume(
    directory: Path, workers: int, after: float, expected: dict[str, Any], mark: str
) -> Kill:
    """Begin a run in an empty directory, kill it, and go on with it to its end."""
    study, store = directory / STUDY_NAME, directory / STORE_NAME
    process = begin(study, store, workers, mark)
    time.sleep(after)
    mates = max(len(alive(mark)) - 1, 0)
    process.kill()
    process.communicate()
    gone = seconds_until_gone(mark)
    kept = results(store)["spots"] if store.exists() and store.stat().st_size else []
    same = finish(study, store, workers) == expected
    left = {
        str(path.relative_to(directory))
        for path in directory.rglob("*")
        if path not in (study, store, directory / TEMPORARY_NAME)
    }
    return Kill(after, mates, gone, sum(spot["deals"] for spot in kept), same, left)


def main() -> None:
    """Kill and compare, a line each time."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, kills = random.Random(options.seed), list[Kill]()
    begun = time.monotonic()
    with empty_directory() as directory:
        # Compiles where there is need, and says so.
        begin(directory / STUDY_NAME, directory / "first", options.workers, "").communicate()
        started = time.monotonic()
        finish(directory / STUDY_NAME, directory / STORE_NAME, options.workers)
        span = time.monotonic() - started
        expected = results(directory / STORE_NAME)
    print(f"unbroken: {span:.2f} s, {sum(s['deals'] for s in expected['spots']):,} deals")
    for number in range(1, options.kills + 1):
        with empty_directory() as directory:
            after, mark = rng.uniform(0.0, span), f"{os.getpid()}-{number}"
            kill = kill_and_resume(directory, options.workers, after, expected, mark)
        kills.append(kill)
        print(f"{number:4}  {kill}", flush=True)
    good = sum(kill.is_good for kill in kills)
    kept, shared = sum(kill.deals > 0 for kill in kills), sum(kill.mates > 0 for kill in kills)
    print(
        f"{good} of {len(kills)} as they should be: {kept} with deals kept, {shared} with other"
        f" processes, all gone within {max(kill.gone for kill in kills):.2f} s;"
        f" {time.monotonic() - begun:.0f} s in all"
    )
    sys.exit(good < len(kills))


if __name__ == "__main__":
    main()
