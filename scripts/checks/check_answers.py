"""Compare the results of the regression corpus with those recorded.

The calls are listed in ``tests/regression/cases.toml``. A case is named ``function/group/name``,
and PATTERN selects cases by name (``equity/sweep/*``). The `holdem` under test is the one that the
interpreter imports.

    python scripts/checks/check_answers.py [PATTERN] [--workers N]
        [--answers FILE] [--compare FILE] [--digests [FILE]] [--show]

Without options, digests of the results are compared with ``tests/regression/digests.json``.
``--digests`` writes that file, or another one. To see what differs, write the full results of the
old code to a file with ``--answers``, and compare those of the new code with ``--compare``.
``--show`` prints the results. Versions and durations are not compared, nor are fields that were
added later.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import tomllib
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import holdem
from regression.calls import TESTS, call
from regression.records import applicable_digests, differences, digests_of

CASES = TESTS / "regression" / "cases.toml"
DIGESTS = TESTS / "regression" / "digests.json"
_MOST_LINES = 10


def read_cases(path: Path = CASES) -> dict[str, dict[str, Any]]:
    """Return the arguments of each case by its name."""
    with path.open("rb") as file:
        functions = tomllib.load(file)
    return {
        f"{function}/{group}/{name}": arguments
        for function, groups in functions.items()
        for group, cases in groups.items()
        for name, arguments in cases.items()
    }


def main() -> int:
    """Make the calls; return 1 if a result differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pattern", nargs="?", default="*")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--compare", type=Path)
    parser.add_argument("--digests", type=Path, nargs="?", const=DIGESTS)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    os.environ["HOLDEM_QUIET"] = "1"

    records, seconds = {}, {}
    for name, arguments in read_cases().items():
        if fnmatch(name, options.pattern):
            start = time.perf_counter()
            records[name] = call(name, arguments, options.workers)
            seconds[name] = time.perf_counter() - start
    total = sum(seconds.values())
    print(f"{len(records)} cases with {holdem.__file__} in {total:.1f} s; the slowest:")
    for name in sorted(seconds, key=seconds.__getitem__, reverse=True)[:5]:
        print(f"{seconds[name]:8.2f} s  {name}")

    if options.show:
        for name, record in records.items():
            print(name, json.dumps(record, indent=1, ensure_ascii=False))
    if options.answers:
        options.answers.write_text(json.dumps(records), encoding="utf-8")
    if options.digests:
        text = json.dumps(digests_of(records), indent=1)
        options.digests.write_text(f"{text}\n", encoding="utf-8")
    if options.compare:
        return _compare(json.loads(options.compare.read_text(encoding="utf-8")), records)
    if options.show or options.answers or options.digests:
        return 0
    return _compare_digests(json.loads(DIGESTS.read_text(encoding="utf-8")), records)


def _compare(old: Mapping[str, Any], records: Mapping[str, Any]) -> int:
    """Print where records differ from old ones; return 1 if any does."""
    changed = 0
    for name, record in records.items():
        # The old record was read from JSON, which has no tuples.
        lines = list(differences(old.get(name), json.loads(json.dumps(record))))
        changed += bool(lines)
        if len(lines) > _MOST_LINES:
            lines[_MOST_LINES:] = [f"… and {len(lines) - _MOST_LINES} more"]
        for line in lines:
            print(f"{name}: {line}")
    print(f"{changed} of {len(records)} results differ")
    return int(changed > 0)


def _compare_digests(recorded: Mapping[str, Any], records: Mapping[str, Any]) -> int:
    """Print the names of records whose digests differ from those recorded; return 1 if any does."""
    kind = applicable_digests(recorded)
    digests = digests_of(records)[kind]
    changed = [name for name in records if recorded[kind].get(name) != digests[name]]
    for name in changed:
        print(f"{name}: differs")
    print(f"{len(changed)} of {len(records)} {kind} digests differ")
    return int(bool(changed))


if __name__ == "__main__":
    sys.exit(main())
