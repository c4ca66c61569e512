"""Test the random bits of deals, and the generator itself, with PractRand.

PractRand (https://pracrand.sourceforge.net) is not part of this project: build its program
`RNG_test` from source and pass its path. Each argument is one test: ``raw`` the words of the
generator, a number how many workers' streams of deals are interleaved, deal by deal. The cards of a
deal become bits by the rank of their order, see `shuffling.bits`.

    python scripts/checks/check_streams.py raw 1 4 8192 --rng-test PATH [--size 64GB]
        [--deals equity|hands|biased|overlapping]

``--deals biased`` and ``--deals overlapping`` have planted defects and must fail. The exit status
is 1 if any test fails.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from numpy.typing import NDArray

from shuffling.bits import interleaved, raw
from shuffling.deals import SOURCES


def passes(program: str, size: str, words: Iterator[NDArray[Any]]) -> bool:
    """Pipe words to RNG_test until it ends or a test fails; print its output."""
    first = next(words)
    command = [program, f"stdin{8 * first.itemsize}", "-tlmax", size]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    with ThreadPoolExecutor(1) as reader:
        failed = reader.submit(_print_output, process)
        try:
            process.stdin.write(first.data)
            for more in words:
                process.stdin.write(more.data)
        except BrokenPipeError:
            pass
        return not failed.result()


def _print_output(process: subprocess.Popen[bytes]) -> bool:
    """Print what RNG_test prints; end it at a failed test and return whether there was one."""
    assert process.stdout is not None
    failed = False
    for line in process.stdout:
        print(line.decode(), end="", flush=True)
        if b"FAIL" in line:
            failed = True
        elif failed and not line.strip():  # the end of a report
            process.terminate()
    process.wait()
    return failed


def main() -> None:
    """Run the tests that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("streams", nargs="+", help="raw, or a number of interleaved streams")
    parser.add_argument("--rng-test", required=True, help="PractRand's program RNG_test")
    parser.add_argument("--size", default="64GB", help="bytes of each test, in RNG_test's notation")
    parser.add_argument("--deals", choices=[*SOURCES], default="equity")
    arguments = parser.parse_args()
    failed = []
    for streams in arguments.streams:
        is_raw = streams == "raw"
        words = raw() if is_raw else interleaved(SOURCES[arguments.deals](), int(streams))
        name = "raw words" if is_raw else f"deals of {arguments.deals}, streams: {streams}"
        print(f"== {name}", flush=True)
        if not passes(arguments.rng_test, arguments.size, words):
            failed.append(name)
    sys.exit(f"failed: {'; '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
