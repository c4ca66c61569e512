"""Fuzz the parsers, guided by coverage, and keep the inputs that reach new code.

    pip install atheris
    python scripts/checks/fuzz.py --seconds 180              # all targets, three minutes each
    python scripts/checks/fuzz.py ranges --seconds 600
    python scripts/checks/fuzz.py ranges --save       # replace the corpus that tests replay

Each input may raise an error of the project's own, and must take at most a second of processor
time and 200 MB. The script ends with status 1 at the first input that does otherwise, and prints
it. The targets are in scripts/checks/fuzzing/targets.py; tests/test_fuzz.py replays the saved
corpus.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from hashlib import sha1
from pathlib import Path

NAMES = ("cards", "ranges", "boards", "studies", "stores", "rows", "spots", "hands", "requests")
#: The modules whose branches guide the fuzzer. Those with kernels cannot be instrumented.
_INSTRUMENTED = [
    *("holdem.arguments", "holdem.cards", "holdem.errors", "holdem.ranges", "tomllib"),
    *("holdem.cli.spot_files", "holdem.cli.equities", "holdem.cli.hands"),
    *("holdem.trials.comparison", "holdem.trials.studies"),
    *("holdem.odds.spot", "holdem.odds.many_spots.columns"),
    "holdem.odds.many_spots.column_readers",
    "holdem.odds.many_spots.spot_columns",
    *("holdem.odds.tally", "holdem_page.answers"),
    "json.decoder",
]
_MOST_BYTES = 6000  # of an input
_LONGEST_SAVED, _MOST_SAVED = 400, 120


def fuzz(name: str, arguments: list[str]) -> None:
    """Run libFuzzer on a target in this process, and exit."""
    import atheris

    with atheris.instrument_imports(include=_INSTRUMENTED, enable_loader_override=False):
        import holdem
        from fuzzing.corpus import read_corpus, try_input
        from fuzzing.targets import TARGETS
    target, corpus = TARGETS[name], Path(arguments[-1])
    for data in (*target.seeds, *read_corpus(name)):
        (corpus / sha1(data, usedforsecurity=False).hexdigest()).write_bytes(data)
    with tempfile.TemporaryDirectory() as folder:
        for data in target.seeds:  # what is compiled or loaded now is not an input's time
            with suppress(holdem.HoldemError):
                target.call(data, Path(folder))
        atheris.Setup([sys.argv[0], *arguments], lambda data: try_input(target, data, Path(folder)))
        atheris.Fuzz()


def run(name: str, seconds: int, corpus: Path) -> bool:
    """Fuzz a target in another process, print what it did, and return whether it passed."""
    options = [f"-max_total_time={seconds}", f"-max_len={_MOST_BYTES}", "-print_final_stats=1"]
    options += ["-timeout=300", "-rss_limit_mb=4096", f"-artifact_prefix={corpus.parent}/"]
    command = [sys.executable, __file__, "--child", name, *options, str(corpus)]
    done = subprocess.run(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, check=False)
    log = done.stderr.decode("utf-8", "replace")
    found = re.search(r"number_of_executed_units: (\d+)", log)
    covered = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", log)
    units = int(found[1]) if found else 0
    points, features, kept = covered[-1] if covered else (0, 0, 0)
    verdict = "FAILED" if done.returncode else "passed"
    print(
        f"{name:<9} {units:>10,} inputs  {seconds:>5} s  {points:>5} branches"
        f"  {features:>6} features  {kept:>5} kept  {verdict}",
        flush=True,
    )
    if done.returncode:
        print(log[-6000:])
        for artifact in sorted(corpus.parent.glob("*-*")):
            print(f"{artifact.name}: {artifact.read_bytes()!r}")
    return not done.returncode


def save(name: str, corpus: Path) -> None:
    """Save the shortest of the inputs that reached new code, for the tests."""
    from fuzzing.corpus import write_corpus

    inputs = [file.read_bytes() for file in corpus.iterdir()]
    short = sorted((data for data in inputs if len(data) <= _LONGEST_SAVED), key=len)
    write_corpus(name, short[:_MOST_SAVED])
    print(f"{name:<9} {len(short[:_MOST_SAVED])} of {len(inputs):,} inputs saved")


def main() -> int:
    """Fuzz the targets in turn, and return the exit status."""
    if sys.argv[1:2] == ["--child"]:
        fuzz(sys.argv[2], sys.argv[3:])
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(NAMES))
    parser.add_argument("--seconds", type=int, default=180, help="for each target")
    parser.add_argument("--save", action="store_true", help="save the inputs for the tests")
    arguments = parser.parse_args()
    os.environ.update(HOLDEM_QUIET="1", HOLDEM_TRACEBACK="1")
    passed = True
    for name in arguments.targets or NAMES:
        with tempfile.TemporaryDirectory() as folder:
            corpus = Path(folder) / "corpus"
            corpus.mkdir()
            passed &= run(name, arguments.seconds, corpus)
            if arguments.save:
                save(name, corpus)
    return int(not passed)


if __name__ == "__main__":
    sys.exit(main())
