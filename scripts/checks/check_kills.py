"""Kill study runs at random moments, resume them, and compare the results with an unbroken run.

Each time a run of `STUDY` begins with a new store and is killed (SIGKILL) at a random share of the
processor time of the unbroken run, which does not depend on how busy the machine is. Then

- all its processes must end within five seconds,
- the same command must resume the run and finish it,
- its results must be bit for bit those of the unbroken run,
- and no file but the store may be left, neither beside it nor in the directory for temporary
  files, which the script creates.

    python scripts/checks/check_kills.py [--kills 100] [--workers 2] [--seed 1]

Requires /proc.
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
from contextlib import contextmanager, suppress
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
deals = 100_000

[[spot]]
players = ["AcAs", "KdKh"]
method = "exact"

[[spot]]
players = ["AA", "random", "random", "random"]
stderr = 0.0003

[[grid]]
hero = ["QQ+,AK"]
villain = ["22+"]
board = "each flop"
method = "exact"
"""

MARK = "HOLDEM_CHECK_KILLS"
SECONDS_TO_END = 5.0
POLL = 0.02  # seconds
STUDY_NAME, STORE_NAME, TEMPORARY_NAME = "study.toml", "study.store", "temporary"


@dataclass(frozen=True)
class Kill:
    """The effects of one kill."""

    share: float
    """The time of the kill, as a share of the processor time of the unbroken run."""
    others: int
    """The number of processes of the run besides the killed one."""
    gone: float
    """Seconds until all processes had ended."""
    deals: int
    """The number of deals in the store after the kill."""
    same: bool
    """Whether the resumed run ended with the results of the unbroken one."""
    left: set[str]
    """The files left at the end besides study and store."""

    @property
    def is_good(self) -> bool:
        """Whether all requirements are met."""
        return self.same and not self.left and self.gone < SECONDS_TO_END

    def __str__(self) -> str:
        verdict = "the same" if self.same else "NOT THE SAME"
        verdict += f", LEFT: {self.left}" if self.left else ""
        return (
            f"killed at {100 * self.share:3.0f} % with {self.others} others, gone after"
            f" {self.gone:4.2f} s; kept {self.deals:11,} deals; {verdict}"
        )


@contextmanager
def empty_directory() -> Iterator[Path]:
    """Yield a directory with the study and an empty directory for temporary files."""
    before = os.environ.get("TMPDIR")
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / STUDY_NAME).write_text(STUDY, encoding="utf-8")
        (directory / TEMPORARY_NAME).mkdir()
        os.environ["TMPDIR"] = str(directory / TEMPORARY_NAME)  # for the processes that are started
        try:
            yield directory
        finally:
            del os.environ["TMPDIR"]
            if before is not None:
                os.environ["TMPDIR"] = before


def command(*arguments: str | Path) -> list[str]:
    """Return a command line that runs `holdem`."""
    return [sys.executable, "-m", "holdem", *map(str, arguments)]


def begin(study: Path, store: Path, workers: int, mark: str) -> subprocess.Popen[str]:
    """Start a run in the background; its processes have `mark` in their environment."""
    return subprocess.Popen(
        command("run", study, "--store", store, "-j", str(workers)),
        env={**os.environ, MARK: mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(study: Path, store: Path, workers: int) -> dict[str, Any]:
    """Run to the end and return the results without durations."""
    done = subprocess.run(
        command("run", study, "--store", store, "-j", str(workers)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return results(store)


def results(store: Path) -> dict[str, Any]:
    """Return the results in a store without durations."""
    done = subprocess.run(
        command("results", store, "-f", "json"), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    for spot in found["spots"]:
        del spot["elapsed"]
    return found


def alive(mark: str) -> list[int]:
    """Return the ids of the processes with `mark` in their environment, without zombies."""
    wanted, found = f"{MARK}={mark}".encode(), []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:  # the process has ended, or is another user's
            continue
    return found


def wait_until(process: subprocess.Popen[str], mark: str, seconds: float) -> None:
    """Wait until a run has used some seconds of processor time, or has ended."""
    while process.poll() is None and processor_seconds(mark) < seconds:
        time.sleep(POLL)


def used(process: subprocess.Popen[str], mark: str) -> float:
    """Wait for the end of a run and return its last measured processor time in seconds."""
    seconds = 0.0
    while process.poll() is None:
        seconds = max(seconds, processor_seconds(mark))
        time.sleep(POLL)
    return seconds


def processor_seconds(mark: str) -> float:
    """Return the processor time of the processes that have `mark`, and of their children."""
    ticks = 0
    for process in alive(mark):
        with suppress(OSError):  # the process has ended
            stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
            ticks += sum(map(int, stat.rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def seconds_until_gone(mark: str, most: float = SECONDS_TO_END) -> float:
    """Wait until no process has `mark`, for at most `most` seconds."""
    begun = time.monotonic()
    while alive(mark) and time.monotonic() - begun < most:
        time.sleep(POLL)
    return time.monotonic() - begun


def kill_and_resume(
    directory: Path, workers: int, share: float, whole: float, expected: dict[str, Any], mark: str
) -> Kill:
    """Start a run in an empty directory, kill it, and resume it to its end.

    Args:
        directory: empty except for the study.
        workers: the number of workers.
        share: when to kill, as a share of `whole`.
        whole: the seconds of processor time that an unbroken run takes.
        expected: the results of the unbroken run.
        mark: text in the environment of the processes of the run.
    """
    study, store = directory / STUDY_NAME, directory / STORE_NAME
    process = begin(study, store, workers, mark)
    wait_until(process, mark, share * whole)
    others = max(len(alive(mark)) - 1, 0)
    process.kill()
    gone = seconds_until_gone(mark)
    process.communicate()  # waits for all processes that have its pipes
    kept = results(store)["spots"] if store.exists() and store.stat().st_size else []
    same = finish(study, store, workers) == expected
    left = {
        str(path.relative_to(directory))
        for path in directory.rglob("*")
        if path not in (study, store, directory / TEMPORARY_NAME)
    }
    return Kill(share, others, gone, sum(spot["deals"] for spot in kept), same, left)


def main() -> None:
    """Kill runs, compare the results, and print a line for each kill."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, kills = random.Random(options.seed), list[Kill]()
    begun = time.monotonic()
    with empty_directory() as directory:
        # This run compiles kernels if necessary, and prints a message about it.
        begin(directory / STUDY_NAME, directory / "first", options.workers, "").communicate()
        study, store, mark = directory / STUDY_NAME, directory / STORE_NAME, f"{os.getpid()}"
        whole = used(begin(study, store, options.workers, mark), mark)
        expected = results(directory / STORE_NAME)
    deals = sum(spot["deals"] for spot in expected["spots"])
    print(f"unbroken: {whole:.2f} s of processor time, {deals:,} deals", flush=True)
    for number in range(1, options.kills + 1):
        with empty_directory() as directory:
            share, mark = rng.random(), f"{os.getpid()}-{number}"
            kill = kill_and_resume(directory, options.workers, share, whole, expected, mark)
        kills.append(kill)
        print(f"{number:4}  {kill}", flush=True)
    good = sum(kill.is_good for kill in kills)
    kept, shared = sum(kill.deals > 0 for kill in kills), sum(kill.others > 0 for kill in kills)
    print(
        f"{good} of {len(kills)} as they should be: {kept} with deals kept, {shared} with other"
        f" processes, all gone within {max(kill.gone for kill in kills):.2f} s;"
        f" {time.monotonic() - begun:.0f} s in all"
    )
    sys.exit(good < len(kills))


if __name__ == "__main__":
    main()
