"""Send Ctrl-C (SIGINT) or SIGTERM to every command at random moments, and check what is left.

Each command first runs to its end, which gives its length in processor time and its files. Then it
is started again and again and gets a signal at a random share of that time, which does not depend
on how busy the machine is. Afterwards

- its exit code is 130 (143 after SIGTERM), or that of the finished command if it came too late;
  after Ctrl-C in code that is run from a string, Python ends itself by SIGINT, which shells show
  as 130,
- all its processes end within five seconds,
- standard error has no traceback, and standard output is empty, complete, or a partial result
  that says so,
- files it was to write are absent, complete, or hold the first hands of a file of hands, and
  no other file is left,
- a study goes on with the same command, and ends with the results of an unbroken run.

Signals that come while the interpreter starts, before a line of `holdem` runs, are counted apart:
they end Python in its own way. Ctrl-C ends the script with the figures so far.

    python scripts/checks/check_signals.py [--signals 1000] [--seed 1]

Requires /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import holdem
from check_kills import MARK, SECONDS_TO_END, alive, processor_seconds, seconds_until_gone

SPOTS = "p1,p2,board\n" + "QQ+,22+,Td9d2c\nAsKs,QdQh,\nAA,KK,\n" * 60
PAIRS = "8C TS KC 9H 4S 7D 2S 5D 3S AC\n" * 20_000
STUDY = """
seed = 4
method = "monte-carlo"
[[spot]]
players = ["AsKs", "random"]
deals = 20_000_000
[[spot]]
players = ["AsKs", "TT+"]
board = "Td9d2c7h"
evaluator = "reference"
deals = 50_000
[[grid]]
hero = ["QQ+,AK"]
villain = ["22+"]
board = ["Td9d2c", "Ks7d2c"]
method = "exact"
"""

# One line of every command; OUT is a file that it writes.
COMMANDS = (
    "equity AsKs QQ+ random --method monte-carlo -n 30m --seed 1 -f json",
    "equity 22+,A2+ 33+,K2+ -b Td9d2c --by category -f json",
    "equity AsKs QQ+ -n 20000 --seed 1 --plot OUT.svg",
    "equity AsKs 76s+ --method monte-carlo -n 5000 --seed 1 --evaluator reference -j 2 -f json",
    "equities spots.csv -o OUT.csv",
    "hits 22+,A2+ -b Td9d2c -f json",
    "explain AsKs QdQh -b Td9d2c -f json",
    "evaluate AsKsQsJsTs2c3d -f json",
    "head-to-head AsKs QQ+ -n 20m --seed 1 -f json",
    "deal -n 60000 --seed 1 -o OUT.csv",
    "deal -n 60000 --seed 1 -o OUT.parquet",
    "deal -n 20000 --seed 1 -f jsonl",
    "range 22+,A2s+:0.5 -f json",
    "compare pairs.txt -f json",
    "run study.toml --store OUT.store",
    "results kept.store -f json",
    "evaluators -f json",
    "evaluators check cactus-kev -f json",
    "evaluators bench lookup -f json",
    "evaluators diff lookup cactus-kev",
    "evaluators new mine",
    "warm-up",
)
#: What Python prints if a signal comes while it starts, before a line of `holdem` has run.
_STARTING = re.compile(r"Fatal Python error|<frozen (site|runpy|importlib)|KeyboardInterrupt\Z")
_SECONDS = re.compile(r'"elapsed": [0-9.e-]+|[0-9.]+ s\b')
_TOLERANT = ("bench", "check", "diff", "warm-up")  # whose output has other times


@dataclass
class Command:
    """A command, and what it leaves when it runs to its end."""

    line: str
    seconds: float = 0.0
    output: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    codes: Counter[int] = field(default_factory=Counter)
    starting: int = 0
    longest: float = 0.0

    @property
    def arguments(self) -> list[str]:
        """The command line."""
        return [sys.executable, "-m", "holdem", *self.line.replace("OUT", "out").split()]


def start(command: Command, directory: Path, mark: str) -> subprocess.Popen[str]:
    """Start a command whose processes have `mark` in their environment."""
    return subprocess.Popen(
        command.arguments,
        cwd=directory,
        env={**os.environ, MARK: mark, "TMPDIR": str(directory / "temporary")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def new_files(directory: Path) -> dict[str, bytes]:
    """Return the files below a directory that are not there before a command."""
    kept = ("spots.csv", "pairs.txt", "study.toml", "kept.store")
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and path.name not in kept
    }


def prepare(directory: Path) -> None:
    """Write the files that commands read."""
    (directory / "temporary").mkdir()
    (directory / "spots.csv").write_text(SPOTS, encoding="utf-8")
    (directory / "pairs.txt").write_text(PAIRS, encoding="utf-8")
    (directory / "study.toml").write_text(STUDY, encoding="utf-8")


def clean(directory: Path, files: dict[str, bytes]) -> None:
    """Remove files, and directories that are empty then."""
    for name in files:
        (directory / name).unlink()
    for path in sorted(directory.rglob("*"), reverse=True):
        if path.is_dir() and path.name != "temporary" and not list(path.iterdir()):
            path.rmdir()


def run_whole(command: Command, directory: Path) -> None:
    """Run a command to its end and record what it prints and leaves."""
    process = start(command, directory, "whole")
    while process.poll() is None and not is_blocked(process):
        command.seconds = max(command.seconds, processor_seconds("whole"))
        time.sleep(0.01)
    command.output, errors = process.communicate()
    command.seconds = max(command.seconds, 0.1)
    assert process.returncode == 0, f"{command.line}: {errors}"
    command.files = new_files(directory)


def is_blocked(process: subprocess.Popen[str]) -> bool:
    """Return whether a process waits because nobody reads its output."""
    try:
        return "pipe_w" in Path(f"/proc/{process.pid}/wchan").read_text(encoding="ascii")
    except OSError:
        return False


def faults_of(
    command: Command, directory: Path, number: signal.Signals, share: float, mark: str
) -> list[str]:
    """Send a signal to a command; return what is wrong with what it leaves."""
    process = start(command, directory, mark)
    while process.poll() is None and processor_seconds(mark) < share * command.seconds:
        if is_blocked(process):
            break
        time.sleep(0.002)
    sent_at = time.monotonic()
    process.send_signal(number)
    output, errors = process.communicate()
    command.longest = max(command.longest, time.monotonic() - sent_at)
    faults = [] if seconds_until_gone(mark) < SECONDS_TO_END else [f"processes {alive(mark)} left"]
    files, code = new_files(directory), process.returncode
    interrupted = 130 if number == signal.SIGINT else 143
    is_own = code in (-number, 1) and _STARTING.search(errors.strip())
    if is_own or (code == -number and not errors):
        command.starting += 1
    elif code == 0:
        if files != command.files and not command.line.startswith("run"):
            faults.append(f"exit code 0 and files {sorted(files)}")
        is_same = without_seconds(output) == without_seconds(command.output)
        if not is_same and not any(word in command.line for word in _TOLERANT):
            faults.append(f"exit code 0 and output {output[:200]!r}")
    elif code != interrupted and not number == signal.SIGINT == -code:
        faults.append(f"exit code {code}: {errors[-300:]!r}")
    elif "Traceback" in errors:
        faults.append(f"traceback: {errors[-600:]!r}")
    elif not is_partial(command, output, errors):
        faults.append(f"half an answer: {output[:300]!r}")
    faults += [text for name in files if (text := fault_of_file(command, directory, name))]
    if not faults and command.line.startswith("run ") and code != 0:
        again = subprocess.run(command.arguments, cwd=directory, capture_output=True, check=False)
        files = new_files(directory)
        if again.returncode:
            faults.append(f"the study does not go on: {again.stderr[-300:]!r}")
        else:
            faults += filter(None, [fault_of_file(command, directory, name) for name in files])
            if holdem.study_results(directory / "out.store") != UNBROKEN[0]:
                faults.append("another result of the study")
    command.codes[code] += 1
    clean(directory, files)
    return faults


UNBROKEN: list[holdem.StudyResults] = []  # of the study


def without_seconds(output: str) -> str:
    """Return the output of a command without its durations."""
    return _SECONDS.sub("", output)


def is_partial(command: Command, output: str, errors: str) -> bool:
    """Return whether the output is empty or complete, or the command reports that it is partial."""
    if not output or without_seconds(output) == without_seconds(command.output):
        return True
    if "jsonl" in command.line:
        return command.output.startswith(output)
    try:
        return json.loads(output)["stop"] == "interrupted" or "interrupted before" in errors
    except (ValueError, KeyError, TypeError):
        return "interrupted" in output


def fault_of_file(command: Command, directory: Path, name: str) -> str:
    """Return what is wrong with a file that an interrupted command has left; empty if nothing."""
    content, whole = (directory / name).read_bytes(), command.files.get(name)
    if content == whole or name.endswith(".store"):
        return ""
    if whole is None:
        return f"left {name}"
    if name.endswith(".csv") and command.line.startswith("deal"):
        return "" if whole.startswith(content) and content.endswith(b"\n") else f"half of {name}"
    if name.endswith(".parquet"):
        from pyarrow import parquet

        hands = parquet.read_table(directory / name)["hand"].to_pylist()
        return "" if hands == list(range(1, len(hands) + 1)) else f"other hands in {name}"
    if command.line.startswith("equities"):
        return "" if content.count(b"\n") == whole.count(b"\n") else f"half of {name}"
    return f"half of {name}"


def main() -> None:
    """Send the signals in turn to all commands, and print a line for each command and fault."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--signals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, begun, faults = random.Random(options.seed), time.monotonic(), 0
    # A job in the background of a shell ignores Ctrl-C, and so would the processes it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    commands = [Command(line) for line in COMMANDS]
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        prepare(directory)
        holdem.run_study({"seed": 1, "spot": [{"players": ["AA", "KK"]}]}, directory / "kept.store")
        for command in commands:
            run_whole(command, directory)  # compiles what is not yet compiled
            clean(directory, command.files)
            command.seconds = 0.0
            run_whole(command, directory)
            if command.line.startswith("run "):
                UNBROKEN.append(holdem.study_results(directory / "out.store"))
            clean(directory, command.files)
            print(f"{command.seconds:6.2f} s of processor time: {command.line}", flush=True)
        with suppress(KeyboardInterrupt):
            for count in range(options.signals):
                command = commands[count % len(commands)]
                number = signal.SIGTERM if rng.random() < 0.25 else signal.SIGINT
                share = rng.random()
                found = faults_of(command, directory, number, share, f"{os.getpid()}-{count}")
                faults += bool(found)
                for text in found:
                    print(f"{number.name} at {share:.0%} of {command.line}: {text}", flush=True)
    print(f"{'command':60} {'130':>4} {'143':>4} {'0':>4} {'other':>5} {'end':>7}")
    for command in commands:
        codes = command.codes
        other = codes.total() - codes[130] - codes[143] - codes[0]
        counts = f"{codes[130]:4} {codes[143]:4} {codes[0]:4} {other:5}"
        print(f"{command.line[:60]:60} {counts} {command.longest:5.2f} s")
    sent = sum(command.codes.total() for command in commands)
    starting = sum(command.starting for command in commands)
    print(
        f"{faults} faults in {sent:,} signals; {starting} came while Python started;"
        f" {time.monotonic() - begun:.0f} s in all"
    )
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
