"""Make ``docs/guide/starting-hands.md`` and ``.csv``: starting hands against random hands.

The script times ``holdem run docs/examples/starting-hands.toml --store FILE``, runs the same study
with another seed for comparison, and writes the page from the two stores. Run it on an idle
machine, from the checkout:

    python scripts/make/make_starting_hand_table.py [--write]
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
import tomllib
from math import isnan
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

from holdem import run_study, study_results
from holdem.ranges.starting_hands import starting_hands
from holdem.trials.studies.results import StudyResults
from holdem.version import VERSION

ROOT = Path(__file__).parents[2]
STUDY = Path("docs/examples/starting-hands.toml")
PAGE = ROOT / "docs" / "guide" / "starting-hands.md"
#: Added to the study's seed for the second run.
SEED_STEP = 1


@attrs.frozen
class Cell:
    """The first player's equity in one spot."""

    equity: float
    stderr: float
    """0.0 where it is exact."""


def cells(results: StudyResults) -> dict[tuple[str, int], Cell]:
    """Return the hero's equity by hand and number of opponents.

    Raises:
        ValueError: the study is not complete, or has a spot outside a grid.
    """
    if not results.complete:
        raise ValueError(f"{results.finished} of {results.total} spots are finished")
    found = {}
    for spot in results.spots:
        hero = spot.result.players[0]
        if spot.cell is None or isnan(hero.equity):
            raise ValueError(f"{spot.name}: not in a grid, or without an equity")
        found[spot.cell.hero, int(spot.cell.others)] = Cell(hero.equity, hero.stderr)
    return found


def table(found: dict[tuple[str, int], Cell]) -> str:
    """Return CSV of equities in %, with a row per hand and a column per number of opponents."""
    counts = sorted({count for _, count in found})
    rows = []
    for number, hand in enumerate(dict.fromkeys(hand for hand, _ in found), 1):
        row = [found[hand, count] for count in counts]
        digits = (2 if cell.stderr == 0.0 else 1 for cell in row)
        shown = (f"{100 * cell.equity:.{d}f}" for cell, d in zip(row, digits, strict=True))
        rows.append([hand, str(number), *shown])
    return "".join(",".join(row) + "\n" for row in [["hand", "place", *map(str, counts)], *rows])


def distances(
    found: dict[tuple[str, int], Cell], other: dict[tuple[str, int], Cell]
) -> list[float]:
    """Return the distances of sampled cells of two runs, in standard errors of the difference."""
    return [
        abs(cell.equity - other[key].equity) / (cell.stderr**2 + other[key].stderr ** 2) ** 0.5
        for key, cell in found.items()
        if cell.stderr > 0.0
    ]


def has_exact_column(found: dict[tuple[str, int], Cell]) -> bool:
    """Return whether the equities against one opponent are those of the list of starting hands."""
    return all(
        found[hand.name, 1] == Cell((hand.wins + hand.ties / 2) / hand.deals, 0.0)
        for hand in starting_hands()
    )


_PAGE = """# Starting hands against random hands

The equity of all 169 starting hands, in percent, against one to nine random hands, where all
players stay in until the showdown; strongest against one opponent first. The equities against one
to five opponents are exact. The others are sampled until the standard error of every player's
equity is at most 0.1 percentage points, which took {deals:,} deals in total. The table is also a
file, [starting-hands.csv](starting-hands.csv).

```{{csv-table}}
:file: starting-hands.csv
:header-rows: 1
```

## How it was made

```text
$ holdem run {study} --store starting-hands.store
{printed}
```

From start to finish, the command took {seconds:.1f} s on {machine}, with
the study [starting-hands.toml](../examples/starting-hands.toml). `holdem results
starting-hands.store -f json` prints all digits, wins, ties and standard errors. To regenerate page
and file, run `python scripts/make/make_starting_hand_table.py --write`.

The equities against one opponent are those of `scripts/make/make_preflop_table.py`, and those
against two to five of `scripts/make/make_random_opponents.py`, from all possible deals. A second
run, with seed {other_seed}, drew different deals: of {sampled:,} sampled
equities, {far} ({share:.1f} %) differ between the two runs by more than 1.96 standard errors of the
difference, where chance gives about 5 %. The largest difference is {farthest:.1f} standard errors.
"""


def page(results: StudyResults, second: StudyResults, printed: str, seconds: float) -> str:
    """Return the page.

    Args:
        results: those of the study.
        second: those of the same study with the second seed.
        printed: the output of ``holdem run``.
        seconds: its duration.
    """
    found = cells(results)
    if not has_exact_column(found):
        raise SystemExit("against one opponent the equities are not those of the exact table")
    apart = distances(found, cells(second))
    far = sum(distance > 1.96 for distance in apart)
    machine = f"{platform.system()} {platform.machine()}, holdem {VERSION}"
    return _PAGE.format(
        deals=sum(spot.result.deals for spot in results.spots if not spot.result.exact),
        study=STUDY.as_posix(),
        printed=printed,
        seconds=seconds,
        machine=f"{os.cpu_count()} cores ({machine})",
        other_seed=second.spots[-1].result.seed,
        sampled=len(apart),
        far=far,
        share=100 * far / len(apart),
        farthest=max(apart),
    )


def main() -> None:
    """Run the study twice and make the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the files instead of printing")
    arguments = parser.parse_args()
    text = (ROOT / STUDY).read_text(encoding="utf-8")
    with TemporaryDirectory() as directory:
        content = tomllib.loads(text)
        other = {**content, "seed": content["seed"] + SEED_STEP}
        second = run_study(other, Path(directory, "second.store"))  # also compiles all kernels
        store = Path(directory, "starting-hands.store")
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "holdem", "run", STUDY, "--store", store],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        seconds = time.perf_counter() - start
        printed = (done.stdout + done.stderr).strip().replace(str(store), store.name)
        results = study_results(store)
        made = page(results, second, printed, seconds)
    if arguments.write:
        PAGE.write_text(made, encoding="utf-8")
        PAGE.with_suffix(".csv").write_text(table(cells(results)), encoding="utf-8")
    else:
        print(made, table(cells(results)), sep="\n")


if __name__ == "__main__":
    main()
