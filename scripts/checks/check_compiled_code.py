"""Flip bits of cached machine code, and require right answers and a file that is replaced.

A first process computes exact equities with two kernels and caches their machine code. Then, for
each round, three random bits of one file are flipped: of the machine code (``.nbc``), or of the
index of a kernel's files (``.nbi``). A new process must compute the same equities, to the last
bit, and leave another file in place of the damaged one. A wrong equity, a crash or a file that
stays ends the script with exit code 1.

    python scripts/checks/check_compiled_code.py [--rounds 100] [--bits 3] [--seed 1]
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

SCRIPT = """
import holdem
from holdem.jit.kernels import always_use_kernels

always_use_kernels()
for ranges in (("AsKs,AhQh", "QhQd,JJ"), ("22+,ATs+,KQ", "QQ+,AK,T9s:0.3")):
    result = holdem.equity(*ranges, board="Td9d2c")
    print(*result.equities, *result.players[0].by_combo.equity)
"""


def compute(cache: Path) -> subprocess.CompletedProcess[str]:
    """Compute the equities in a new process with a directory of compiled code."""
    command = [sys.executable, "-c", SCRIPT]
    environment = os.environ | {"HOLDEM_CACHE_DIR": str(cache)}
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=600
    )


def flip(content: bytes, bits: int, rng: random.Random) -> bytes:
    """Flip different random bits."""
    damaged = bytearray(content)
    for place in rng.sample(range(8 * len(content)), bits):
        damaged[place // 8] ^= 1 << place % 8
    return bytes(damaged)


def outcome(cache: Path, file: Path, damaged: bytes, expected: str) -> str:
    """Compute with a damaged file; return what happened, in capitals if it is a fault."""
    file.write_bytes(damaged)
    done = compute(cache)
    if done.returncode:
        return "CRASHED" if done.returncode < 0 else "ENDED WITH AN ERROR"
    if done.stdout != expected:
        return "WRONG EQUITIES"
    return "right, replaced" if file.read_bytes() != damaged else "right, NOT REPLACED"


def main() -> None:
    """Damage both kinds of files, and print how often what happened."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=100, help="for each kind of file")
    parser.add_argument("--bits", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, begun, faults = random.Random(options.seed), time.monotonic(), 0
    with tempfile.TemporaryDirectory() as name:
        cache = Path(name)
        first = compute(cache)
        assert first.returncode == 0, first.stderr
        whole = {path: path.read_bytes() for path in sorted(cache.rglob("*.nb[ci]"))}
        for suffix in (".nbc", ".nbi"):
            files = [path for path in whole if path.suffix == suffix]
            outcomes = Counter[str]()
            for number in range(options.rounds):
                for path, content in whole.items():
                    path.write_bytes(content)
                file = files[number % len(files)]
                damaged = flip(whole[file], options.bits, rng)
                outcomes[outcome(cache, file, damaged, first.stdout)] += 1
            faults += sum(n for words, n in outcomes.items() if words.lower() != words)
            counts = "; ".join(f"{n} {words}" for words, n in outcomes.most_common())
            print(f"{suffix}, {len(files)} files: {counts}", flush=True)
    print(f"{faults} faults; {time.monotonic() - begun:.0f} s in all")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
