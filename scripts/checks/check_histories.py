"""Check hand histories on all 10,000 hands of Pluribus, and print the luck of its players.

    python scripts/checks/check_histories.py FOLDER

FOLDER is ``data/pluribus`` of the repository uoftcprg/pokerkit at commit 14f7714. Each hand is
replayed without its final stacks, which must follow from the chips and cards. Adjusted results
must add up to actual ones, and the result of Pluribus must be the known one. Time and memory are
printed.
"""

from __future__ import annotations

import resource
import sys
import time
import tomllib
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import holdem_histories
from holdem_histories.luck import settle_hands
from holdem_histories.phh import replay_phh

_KNOWN = "-708.6 -172.1 -536.6 382.7"  # of Pluribus, in big blinds


def check_final_stacks(folder: Path) -> int:
    """Replay all hands without their final stacks, and count those that end with others."""
    wrong = 0
    for path in folder.rglob("*.phh"):
        fields = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        after = [Fraction(stack) for stack in fields.pop("finishing_stacks")]
        pairs = zip(after, fields["starting_stacks"], strict=True)
        wrong += [end - start for end, start in pairs] != list(replay_phh(fields).net)
    return wrong


def main() -> int:
    """Run the checks and return the exit code."""
    folder = Path(sys.argv[1])
    wrong = check_final_stacks(folder)
    print(f"final stacks differ in {wrong} hands")
    rest = max(
        abs(sum(found.adjusted) - sum(found.net))
        for found in settle_hands(holdem_histories.read_hands(folder))
    )
    print(f"adjusted and actual results of a hand differ by {rest:.1e} chips at most")
    start = time.process_time()
    report = holdem_histories.all_in_report(holdem_histories.read_hands(folder), unit="bb")
    seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{report!r}: {seconds:.1f} s of processor time, {memory:.0f} MB at most\n{report}")
    own = report.player("Pluribus")
    numbers = (own.net, own.adjusted, own.luck, own.deviation)
    found = " ".join(f"{value:.1f}" for value in numbers)
    is_right = found == _KNOWN and not wrong and rest < 1e-10
    print("as known" if is_right else f"expected {_KNOWN} for Pluribus, found {found}")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
