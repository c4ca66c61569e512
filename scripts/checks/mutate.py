"""Mutation tests: how many of randomly drawn changes of the code make a test fail.

    pip install cosmic-ray coverage
    git clone . /tmp/mutated && cd /tmp/mutated
    python scripts/checks/mutate.py record RECORDS tests/ranges tests/dealing ...
    python scripts/checks/mutate.py draw RECORDS cards ranges odds/spot 40 [--seed 1] [--seconds 60]
    python scripts/checks/mutate.py retest RECORDS MODULE tests/ranges/test_errors.py ...
    python scripts/checks/mutate.py report RECORDS

``record`` runs tests under coverage.py, which notes the tests that run each line. ``draw`` changes
a random place of some packages, runs the tests that run the changed line, fastest first, until one
fails, and repeats this with another change. It changes files: run it in a clone. ``retest`` tests
the survivors of modules whose path has MODULE in it with the named tests. ``report`` prints the
scores and the survivors; tests that do not end in time have not found a mutant.
``scripts/checks/mutation/equivalents.toml`` lists mutants that no test can find.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TextIO

import attrs
import pytest

from mutation.mutants import Mutant, draw
from mutation.selection import Selection

ROOT = Path(__file__).parents[2]
EQUIVALENTS = Path(__file__).parent / "mutation" / "equivalents.toml"
_PYTEST = ["-m", "pytest", "-n0", "-q", "-p", "no:cacheprovider"]
# Imported once, before any mutant: an import of numba takes a second.
_LIBRARIES = ("numba", "numpy", "hypothesis", "scipy.stats", "pandas", "eval7", "treys")
_IMPORTED_BEFORE = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
# How a line begins that says what a mutant breaks: a test, its module, or what pytest loads first.
_FAULTS = (
    "FAILED",
    "ERROR",
    "ImportError while loading conftest",
    "Error while loading plugin",
)
# Tests for mutants that the selected ones do not find, by package: they run nearly all of it.
_NUMBERS = [["tests/regression", "tests/odds/test_sampled_tallies.py"]]
_ALSO = {"dealing": _NUMBERS, "odds": _NUMBERS}
_COVERAGE = """[run]
branch = True
source = holdem
dynamic_context = test_function
parallel = True
relative_files = True
data_file = {}/data
[report]
exclude_also =
    @(kernel|inlined|reordered)
    if TYPE_CHECKING:
"""


def record(records: Path, tests: list[str]) -> None:
    """Run tests under coverage.py and keep its data, and pytest's durations."""
    records.mkdir(parents=True, exist_ok=True)
    settings = records / "coverage.ini"
    settings.write_text(_COVERAGE.format(records))
    command = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", *_PYTEST]
    command += ["--durations=0", "-m", "not slow and not exhaustive", *tests]
    log = records / f"{len(list(records.glob('*.log')))}.log"
    with log.open("w") as output:
        subprocess.run(command, cwd=ROOT, stdout=output, check=False)


def run(mutant: Mutant, groups: list[list[str]], seconds: float) -> tuple[str, str]:
    """Return whether tests find a mutant, ``killed``, ``timeout`` or ``survived``, and how."""
    path = ROOT / mutant.path
    original, stamp = path.read_bytes(), path.stat()
    try:
        path.write_text(mutant.source)
        for tests in groups:
            outcome, how = _run_tests(tests, seconds)
            if outcome != "survived":
                break
    finally:
        path.write_bytes(original)
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # as compiled code expects
    return outcome, how


def _run_tests(tests: list[str], seconds: float) -> tuple[str, str]:
    with tempfile.NamedTemporaryFile() as output:
        arguments = [*_PYTEST[2:], "-p", "mutation.compiled_code", *_IMPORTED_BEFORE, "-x", *tests]
        process = get_context("fork").Process(target=_pytest, args=(arguments, output.name))
        process.start()
        process.join(seconds)
        if process.is_alive():
            process.kill()
            process.join()
            return "timeout", ""
        lines = Path(output.name).read_text(errors="replace").splitlines()
    if process.exitcode is not None and process.exitcode < 0:
        return "killed", f"signal {-process.exitcode}"  # a kernel that wrote where it must not
    found = [line for line in lines if line.startswith(_FAULTS)]
    if process.exitcode and not found:
        raise RuntimeError("\n".join(["pytest did not run the tests:", *lines]))
    return "killed" if found else "survived", (found or [""])[0]


def _pytest(arguments: list[str], output: str) -> None:
    """Run pytest in a forked process, which has imported the libraries but not the engine."""
    with open(output, "w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os._exit(int(pytest.main(arguments)))


def modules(package: str) -> list[Path]:
    """Return the modules of a package of the engine, of a plugin, or of a single module."""
    place = ROOT / ("plugins" if package.startswith("holdem_") else "holdem") / package
    return sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]


def _prepare() -> None:
    for library in _LIBRARIES:
        import_module(library)
    os.chdir(ROOT)
    sys.path[:0] = folders = [str(ROOT), str(ROOT / "plugins")]
    os.environ["PYTHONPATH"] = os.pathsep.join(folders)


def test_mutants(arguments: argparse.Namespace) -> None:
    """Test random mutants of packages and append a line of JSON for each to a file."""
    (*packages, count), records = arguments.what, arguments.records.resolve()
    paths = [path for package in packages for path in modules(package)]
    _prepare()
    selection, file = Selection(ROOT, records), records / "mutants.jsonl"
    done = {_key(row) for row in _rows(file) if row["outcome"] == "killed"}
    with file.open("a") as results:
        for mutant in draw(ROOT, paths, int(count), arguments.seed):
            if _key(attrs.asdict(mutant)) in done:
                continue
            start = time.perf_counter()
            tests = selection.tests(mutant.path, mutant.line, arguments.seconds)
            package = Path(mutant.path).with_suffix("").parts[1]
            also = _ALSO.get(package, [])
            outcome, how = run(mutant, [*tests, *also], arguments.timeout)
            row = {
                "package": package,
                "path": mutant.path,
                "line": mutant.line,
                "before": mutant.before,
                "after": mutant.after,
                "outcome": outcome,
                "found by": how[:200],
                "seconds": round(time.perf_counter() - start, 1),
            }
            _write(row, results)


def retest(arguments: argparse.Namespace) -> None:
    """Test survivors of some modules with named tests."""
    _prepare()
    (module, *tests), file = arguments.what, arguments.records.resolve() / "mutants.jsonl"
    latest = {_key(row): row for row in _rows(file)}
    with file.open("a") as results:
        for row in latest.values():
            if row["outcome"] == "killed" or module not in row["path"]:
                continue
            lines = (ROOT / row["path"]).read_text().splitlines()
            places = [place for place, text in enumerate(lines) if text.strip() == row["before"]]
            place = min(places, key=lambda place: abs(place - row["line"]))
            lines[place] = lines[place].replace(row["before"], row["after"])
            source = "\n".join(lines) + "\n"
            mutant = Mutant(*_key(row), line=row["line"], source=source)
            row["outcome"], how = run(mutant, [tests], arguments.timeout)
            _write({**row, "found by": how[:200]}, results)


def _write(row: dict[str, Any], results: TextIO) -> None:
    print(json.dumps(row), file=results, flush=True)
    print(f"{row['outcome']:9}{row['path']}:{row['line']}: {row['after']}", flush=True)


def _key(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["path"], row["before"], row["after"]


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def report(records: Path) -> None:
    """Print a table of scores, and the survivors with their reasons."""
    from holdem.report.markup import markdown_table

    latest = {_key(row): row for row in _rows(records / "mutants.jsonl")}
    entries = tomllib.loads(EQUIVALENTS.read_text()).get("mutant", [])
    equivalents = {_key(entry): entry["reason"] for entry in entries}
    packages: dict[str, list[Any]] = defaultdict(list)
    for key, row in latest.items():
        alive = row["outcome"] != "killed"
        packages[row["package"]].append((alive, alive and key in equivalents))
    table = []
    everything = [one for found in packages.values() for one in found]
    for package, found in [*packages.items(), ("all", everything)]:
        alive, equivalent = (sum(column) for column in zip(*found, strict=True))
        killed, real = len(found) - alive, len(found) - equivalent
        scores = [f"{killed / count:.1%}" if count else "-" for count in (len(found), real)]
        table.append([package, *map(str, (len(found), killed, alive, equivalent)), *scores])
    head = ["package", "mutants", "killed", "survived", "equivalent", "score", "without equivalent"]
    print(markdown_table(head, table))
    for key, row in latest.items():
        if row["outcome"] != "killed":
            reason = equivalents.get(key, "not found")
            print(f"\n{row['path']}:{row['line']}\n- {key[1]}\n+ {key[2]}\n{reason}")


def main() -> None:
    """Run the command that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=["record", "draw", "retest", "report"])
    parser.add_argument("records", type=Path)
    parser.add_argument("what", nargs="*", help="tests; packages and how many; a module and tests")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60, help="duration of a mutant's tests")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for a group of tests")
    arguments = parser.parse_args()
    if arguments.command == "record":
        record(arguments.records.resolve(), arguments.what)
    elif arguments.command == "draw":
        test_mutants(arguments)
    elif arguments.command == "retest":
        retest(arguments)
    else:
        report(arguments.records)


if __name__ == "__main__":
    main()
