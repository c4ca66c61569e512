"""Kill runs at random moments and hold what comes of them against a run that was left alone.

Each time a run of `STUDY` is begun with a new store and killed (SIGKILL) after a random time.
Then no process of it may be left five seconds later, the same command must go on and end, its
results must be those of the unbroken run to the last bit, and no file but the store may be
left. One evaluator of the study is in plain Python, so processes that rank are killed, too.

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
from pathlib import Path
from typing import Any

STUDY = """
seed = 4
method = "monte-carlo"

[[spot]]
players = ["AsKs", "random"]
deals = 40_000_000

[[spot]]
players = ["AsKs", "random"]
board = "Td9d2c7h3s"
evaluator = "reference"
deals = 400_000

[[spot]]
players = ["AcAs", "KdKh"]
method = "exact"

[[spot]]
players = ["AA", "random", "random", "random"]
stderr = 0.0002
"""

MARK = "HOLDEM_CHECK_KILLS"
SECONDS_TO_END = 5.0


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


def main() -> None:
    """Kill and compare, a line each time."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, failures = random.Random(options.seed), 0
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        study = directory / "study.toml"
        study.write_text(STUDY, encoding="utf-8")
        finish(study, directory / "first", options.workers)  # compiles, where there is need
        begun = time.monotonic()
        begin(study, directory / "unbroken", options.workers, "").communicate()
        span = time.monotonic() - begun
        expected = results(directory / "unbroken")
        print(f"unbroken: {span:.2f} s, {sum(s['deals'] for s in expected['spots']):,} deals")
        for kill in range(1, options.kills + 1):
            store, mark = directory / f"store-{kill}", f"{os.getpid()}-{kill}"
            process = begin(study, store, options.workers, mark)
            after = rng.uniform(0.0, span)
            time.sleep(after)
            mates = max(len(alive(mark)) - 1, 0)
            process.kill()
            process.communicate()
            gone = seconds_until_gone(mark)
            kept = results(store)["spots"] if store.exists() and store.stat().st_size else []
            same = finish(study, store, options.workers) == expected
            others = {path.name for path in directory.iterdir()}
            others -= {"study.toml", "first", "unbroken", store.name}
            failures += not (same and not others and gone < SECONDS_TO_END)
            verdict = "the same" if same else "NOT THE SAME"
            verdict += f", LEFT: {others}" if others else ""
            print(
                f"{kill:4}  killed after {after:5.2f} s with {mates} others, gone after"
                f" {gone:4.2f} s; kept {sum(spot['deals'] for spot in kept):11,} deals; {verdict}",
                flush=True,
            )
            store.unlink()
    print(f"{options.kills - failures} of {options.kills} as they should be")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
