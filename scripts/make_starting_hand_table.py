"""Make ``docs/starting-hands.md``: every starting hand against one to nine random hands.

It times ``holdem run docs/examples/starting-hands.toml --store FILE``, runs the same study with
another seed, to hold the one against the other, and writes the page of what the two stores hold.
On an idle machine, from the checkout:

    python scripts/make_starting_hand_table.py [--write docs/starting-hands.md]
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
import tomllib
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

from holdem import run_study, study_results
from holdem.ranges.starting_hands import starting_hands
from holdem.report.table import markdown_table
from holdem.trials.studies.results import StudyResults

ROOT = Path(__file__).parents[1]
STUDY = Path("docs/examples/starting-hands.toml")
#: Added to the seed of the study for the second run.
APART = 1


@attrs.frozen
class Cell:
    """The first player's equity in one spot."""

    equity: float
    stderr: float
    """0.0 where it is exact."""


def cells(results: StudyResults) -> dict[tuple[str, int], Cell]:
    """Return the hero's equity by his hand and the number of opponents.

    Raises:
        ValueError: the study is not complete, or has a spot that is in no grid.
    """
    if not results.complete:
        raise ValueError(f"{results.finished} of {results.asked} spots are finished")
    found = {}
    for spot in results.spots:
        hero = spot.result.players[0]
        if spot.cell is None or hero.equity is None or hero.stderr is None:
            raise ValueError(f"{spot.name}: in no grid, or without an equity")
        found[spot.cell[1:]] = Cell(hero.equity, hero.stderr)
    return found


def table(found: dict[tuple[str, int], Cell]) -> str:
    """Return equities in %, a row for each hand and a column for each number of opponents."""
    counts = sorted({count for _, count in found})
    rows = []
    for number, hand in enumerate(dict.fromkeys(hand for hand, _ in found), 1):
        row = [found[hand, count] for count in counts]
        digits = (2 if cell.stderr == 0.0 else 1 for cell in row)
        shown = (f"{100 * cell.equity:.{d}f}" for cell, d in zip(row, digits, strict=True))
        rows.append([hand, str(number), *shown])
    return markdown_table(["hand", "place", *map(str, counts)], rows)


def apart(found: dict[tuple[str, int], Cell], other: dict[tuple[str, int], Cell]) -> list[float]:
    """Return how far apart sampled cells of two runs are, in standard errors of the difference."""
    return [
        abs(cell.equity - other[key].equity) / (cell.stderr**2 + other[key].stderr ** 2) ** 0.5
        for key, cell in found.items()
        if cell.stderr > 0.0
    ]


def is_exact_column_that_of_the_table(found: dict[tuple[str, int], Cell]) -> bool:
    """Whether the equities against one opponent are those of the table of starting hands."""
    return all(
        found[hand.name, 1] == Cell((hand.wins + hand.ties / 2) / hand.deals, 0.0)
        for hand in starting_hands()
    )


_PAGE = """# Starting hands against random ones

The equity in % of all 169 starting hands against one to nine random hands that stay to the end,
strongest first. One opponent is answered exactly, over 2,097,572,400 deals for each combo; more by
Monte Carlo, until the standard error of every player's equity is 0.1 points at most: {deals:,}
deals in all. The largest standard error in the table is {stderr:.4f} points.

{table}

## How it was made

```text
$ cat {study}
{content}
$ holdem run {study} --store starting-hands.store
{said}
```

The command took {seconds:.1f} s on {machine};
the deals that it counts are the exact ones, too. `holdem results starting-hands.store` prints the
same figures, with two digits for all of them, and `-f json` all that is known of them; they are the
same for any number of workers. `python scripts/make_starting_hand_table.py --write
docs/starting-hands.md` runs it and makes this page.

## How it was checked

The column of one opponent is that of the list of starting hands, whose counts
`scripts/make_preflop_table.py` made by enumeration. A second run, of seed {other_seed}, drew other
deals: of {sampled:,} sampled equities {far} ({share:.1f} %) are more than 1.96 standard errors of
the difference apart, where 5 % were to be expected, and the farthest are {farthest:.1f} apart.
"""


def page(results: StudyResults, second: StudyResults, study: str, said: str, seconds: float) -> str:
    """Return the page.

    Args:
        results: of the study.
        second: of the same study with the second seed.
        study: the text of the study file.
        said: what ``holdem run`` printed.
        seconds: how long it took.
    """
    found = cells(results)
    if not is_exact_column_that_of_the_table(found):
        raise SystemExit("against one opponent the equities are not those of the exact table")
    distances = apart(found, cells(second))
    far = sum(distance > 1.96 for distance in distances)
    machine = f"{platform.system()} {platform.machine()}, holdem {version('holdem')}"
    return _PAGE.format(
        deals=sum(spot.result.deals for spot in results.spots if not spot.result.exact),
        stderr=100 * max(cell.stderr for cell in found.values()),
        table=table(found),
        study=STUDY.as_posix(),
        content=study,
        said=said,
        seconds=seconds,
        machine=f"{os.cpu_count()} cores ({machine})",
        other_seed=second.spots[-1].result.seed,
        sampled=len(distances),
        far=far,
        share=100 * far / len(distances),
        farthest=max(distances),
    )


def main() -> None:
    """Run the study twice and make the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", type=Path, help="write the page there instead of printing it")
    arguments = parser.parse_args()
    text = (ROOT / STUDY).read_text(encoding="utf-8")
    with TemporaryDirectory() as directory:
        content = tomllib.loads(text)
        other = {**content, "seed": content["seed"] + APART}
        second = run_study(other, Path(directory, "second.store"))  # also compiles all there is
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
        said = (done.stdout + done.stderr).strip().replace(str(store), store.name)
        made = page(study_results(store), second, text, said, seconds)
    if arguments.write:
        arguments.write.write_text(made, encoding="utf-8")
    else:
        print(made)


if __name__ == "__main__":
    main()
