"""Measure what installed plugins cost a command that does not need them.

Twenty small packages, each with an evaluator, a named range and a command, are written to a folder.
`holdem equity AA KK` runs in turn with this folder on the path and with an empty one; so does a
command with an evaluator of a plugin of the engine, for which all plugins must be asked. The script
prints the median CPU seconds of both, and of the differences of the pairs, and fails if the first
command imports a plugin, or takes over 10 ms more.

    python scripts/benchmarks/measure_plugins.py [--pairs 40] [--packages 20]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

MOST_MS = 10
COMMANDS = {
    "before the flop": ["equity", "AA", "KK"],
    "with a plugin's evaluator": ["equity", "AA", "KK", "--evaluator", "bitwise"],
}

_MODULE = """
from pathlib import Path

import holdem

Path({seen!r}).touch()


@holdem.evaluator("{name}")
def rank(cards):
    return sum(cards)


@holdem.hookimpl
def holdem_evaluators():
    return [rank]


@holdem.hookimpl
def holdem_ranges():
    return {{"{name}": "QQ+, AKs"}}


@holdem.hookimpl
def holdem_commands():
    return {{"{name}": "{module}_commands:command"}}
"""


def write_packages(folder: Path, packages: int, seen: Path) -> None:
    """Write packages as pip installs them: a module, and metadata with an entry point.

    Args:
        folder: where to write them.
        packages: how many.
        seen: a file that a module creates when it is imported.
    """
    for number in range(packages):
        module, name = f"small_plugin_{number}", f"small-plugin-{number}"
        content = _MODULE.format(module=module, name=name, seen=str(seen))
        (folder / f"{module}.py").write_text(content)
        metadata = folder / f"{module}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(f"[holdem]\n{name} = {module}\n")


def measure(arguments: list[str], folder: Path) -> float:
    """Run a command with a folder on the path; return its CPU seconds, user and system."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    process = subprocess.Popen(
        [sys.executable, "-m", "holdem", *arguments],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"holdem {' '.join(arguments)} failed with {process.returncode}")
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print the figures of each command; exit with 1 if the first is slower or imports a plugin."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--packages", type=int, default=20)
    options = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        empty, full, seen = (Path(directory, name) for name in ("empty", "full", "seen"))
        empty.mkdir()
        full.mkdir()
        write_packages(full, options.packages, seen)
        print("CPU ms, medians              without     with  difference (quartiles)")
        for title, arguments in COMMANDS.items():
            without: list[float] = []
            with_plugins: list[float] = []
            for pair in range(options.pairs + 1):
                order = ((empty, without), (full, with_plugins))
                for folder, times in order if pair % 2 else order[::-1]:
                    times.append(1000 * measure(arguments, folder))
            # The first pair compiles bytecode.
            differences = [b - a for a, b in zip(without[1:], with_plugins[1:], strict=True)]
            low, middle, high = statistics.quantiles(differences, n=4)
            medians = [statistics.median(times[1:]) for times in (without, with_plugins)]
            print(
                f"{title:<28}{medians[0]:8.1f} {medians[1]:8.1f}  {middle:+.1f}"
                f" ({low:+.1f} to {high:+.1f})"
            )
            if title == "before the flop":
                if seen.exists():
                    failures.append("a plugin was imported before the flop")
                if middle > MOST_MS:
                    failures.append(f"{middle:.1f} ms more before the flop, over {MOST_MS}")
        if not seen.exists():
            failures.append("no plugin was imported for an evaluator of a plugin")
    sys.exit("\n".join(failures) or 0)


if __name__ == "__main__":
    main()
