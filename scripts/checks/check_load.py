"""Run large jobs on the command line, measure time and memory, and check every answer.

deals  an equity of 10^10 sampled deals: counts that add up, and an equity within 4.5 standard
       errors of the exact one.
exact  a study of 100,000 exact spots, each compared with `holdem.equities` to the last bit.
sampled  the same spots, sampled with 2,000 deals each: every deal is there, and the squared
       deviations from the exact equities, in standard errors, are 1 on average.
hands  a file of 10 million hands: every hand is there, and its winners are those of the
       evaluator `cactus-kev`, which shares no table with the default evaluator.
pairs  10 million lines of `holdem compare`, against the same evaluator.

Each is run with a tenth of the size, too, which shows how processor time and peak memory (of the
process, interpreter and compiled code included) grow.

    python scripts/checks/check_load.py [deals exact sampled hands pairs] [--share 1.0]

Requires /proc. All files of one part take up to 1.5 GB on the disk.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import holdem

DEALS, SPOTS, HANDS = 10**10, 100_000, 10**7
SPOT_DEALS = 2_000
ROWS = 100_000  # hands that are checked together
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]  # in the order of the ids


# Runs a command line in a new process, and writes its processor time and its peak resident memory
# in kB to a file.
PROCESS = """
import sys, time
from pathlib import Path
from holdem.cli import run
code = run(sys.argv[1:])
status = Path("/proc/self/status").read_text()
Path("cost").write_text(f"{time.process_time()} {status.partition('VmHWM:')[2].split()[0]}")
sys.exit(code)
"""


def measured(*arguments: object) -> tuple[str, str]:
    """Run `holdem`; return its output and a text with its processor time and its peak memory."""
    command = [sys.executable, "-c", PROCESS, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    seconds, peak = map(float, Path("cost").read_text(encoding="ascii").split())
    return done.stdout, f"{seconds:8.1f} s {peak / 1024:8.0f} MB"


def check_deals(deals: int) -> Iterator[str]:
    """Sample an equity and compare it with the exact one."""
    players, options = ("AsKs", "QdQh"), ("--method", "monte-carlo")
    text, cost = measured("equity", *players, *options, "-n", deals, "--seed", 1, "-f", "json")
    yield f"equity             {cost}"
    result = json.loads(text)
    exact = holdem.equity(*players)
    assert result["deals"] == deals
    for player, expected in zip(result["players"], exact.players, strict=True):
        assert player["wins"] + player["ties"] + player["losses"] == deals
        assert abs(player["equity"] - expected.equity) < 4.5 * player["stderr"]


def spots(count: int) -> Iterator[tuple[str, str, str]]:
    """Yield two hands and a board of three to five cards."""
    rng = random.Random(1)
    for _ in range(count):
        cards = rng.sample(DECK, 9)
        board = "".join(cards[4 : 4 + rng.choice((3, 4, 5))])
        yield "".join(cards[:2]), "".join(cards[2:4]), board


def run_study(count: int, head: str) -> Iterator[Any]:
    """Run a study of so many spots, and yield lines on the costs and at last its results."""
    tables = "".join(
        f'[[spot]]\nplayers = ["{hero}", "{villain}"]\nboard = "{board}"\n'
        for hero, villain, board in spots(count)
    )
    Path("study.toml").write_text(f"seed = 1\n{head}\n{tables}", encoding="utf-8")
    Path("store").unlink(missing_ok=True)
    for title, *arguments in (
        ("run", "run", "study.toml", "--store", "store"),
        ("run, all finished", "run", "study.toml", "--store", "store"),
        ("results -f csv", "results", "store", "-f", "csv"),
        ("results -f json", "results", "store", "-f", "json"),
    ):
        text, cost = measured(*arguments)
        yield f"{title:18} {cost}"
    yield f"{'store':18} {Path('store').stat().st_size / 1e6:10.1f} MB on the disk"
    yield json.loads(text)


def exact_equities(count: int) -> Any:
    """Return the table of `holdem.equities` for the same spots."""
    heroes, villains, boards = zip(*spots(count), strict=True)
    return holdem.equities(heroes, villains, board=boards, method="exact")


def check_exact(count: int) -> Iterator[str]:
    """Run a study of exact spots, and compare every figure."""
    *lines, results = run_study(count, 'method = "exact"')
    yield from lines
    table = exact_equities(count)
    assert results["complete"]
    assert [len(results["spots"]), results["finished"]] == [count, count]
    for name in ("equity", "win", "tie"):
        found = [[player[name] for player in spot["players"]] for spot in results["spots"]]
        assert np.array_equal(found, getattr(table, name)), name
    assert [spot["deals"] for spot in results["spots"]] == table.deals.tolist()


def check_sampled(count: int) -> Iterator[str]:
    """Run a study of sampled spots, and compare them with the exact ones by their errors."""
    *lines, results = run_study(count, f'method = "monte-carlo"\ndeals = {SPOT_DEALS}')
    yield from lines
    assert results["complete"]
    assert [len(results["spots"]), results["finished"]] == [count, count]
    first = [spot["players"][0] for spot in results["spots"]]
    totals = [player["wins"] + player["ties"] + player["losses"] for player in first]
    assert set(totals) == {SPOT_DEALS}
    found, errors = (np.array([player[key] for player in first]) for key in ("equity", "stderr"))
    deviations = found - exact_equities(count).equity[:, 0]
    certain = errors == 0  # the board is complete, or one player always wins
    assert not deviations[certain].any()
    # Where one player nearly always wins, the distribution of the mean is not yet normal. Where all
    # deals seen were ties, the error is that of the interval.
    varied = np.array([player["ties"] < SPOT_DEALS for player in first])
    usual = varied & ~certain & (np.minimum(found, 1 - found) > 0.05)
    squares = (deviations[usual] / errors[usual]) ** 2
    mean, error = squares.mean(), squares.std() / len(squares) ** 0.5
    yield f"{'squared deviation':18} {mean:10.4f} ± {error:.4f} over {len(squares):,} spots"
    assert abs(mean - 1) < 4.5 * error + 0.005


def check_hands(count: int) -> Iterator[str]:
    """Deal hands into a file, and rank all of them with another evaluator."""
    from pyarrow import csv

    file = Path("hands.csv")
    _, cost = measured("deal", "-p", 2, "-n", count, "--seed", 1, "-o", file, "--force")
    yield f"deal -o hands.csv  {cost}"
    evaluator, numbers, seen = holdem.get_evaluator("cactus-kev"), 1, 0
    ids = {card: number for number, card in enumerate(DECK)}
    for batch in csv.open_csv(file):
        columns = batch.to_pydict()
        texts = zip(columns["board"], columns["seat0_hole"], columns["seat1_hole"], strict=True)
        cards = np.array(
            [[ids[row[at : at + 2]] for at in range(0, 18, 2)] for row in map("".join, texts)],
            dtype=np.uint8,
        )
        first, second = (
            evaluator.strengths(np.ascontiguousarray(cards[:, [0, 1, 2, 3, 4, *hole]]))
            for hole in ((5, 6), (7, 8))
        )
        winners = np.where(first > second, "0", np.where(first < second, "1", "0 1"))
        assert columns["hand"] == list(range(numbers, numbers + len(cards)))
        assert [str(text) for text in columns["winners"]] == winners.tolist()
        numbers, seen = numbers + len(cards), seen + len(cards)
    assert seen == count
    file.unlink()


def check_pairs(count: int) -> Iterator[str]:
    """Compare pairs of hands in a file, and all of them with another evaluator."""
    rng, totals = np.random.default_rng(1), np.zeros(3, dtype=np.int64)
    evaluator, file = holdem.get_evaluator("cactus-kev"), Path("pairs.txt")
    texts: NDArray[Any] = np.array(DECK)
    with file.open("w", encoding="ascii") as stream:
        for done in range(0, count, ROWS):
            cards = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (ROWS, 1)), axis=1)
            cards = np.ascontiguousarray(cards[: count - done, :10])
            stream.writelines(" ".join(row) + "\n" for row in texts[cards])
            first, second = (
                evaluator.strengths(np.ascontiguousarray(cards[:, side : side + 5]))
                for side in (0, 5)
            )
            totals += [(first > second).sum(), (first < second).sum(), (first == second).sum()]
    text, cost = measured("compare", file, "-f", "json")
    yield f"compare            {cost}"
    result = json.loads(text)
    assert [result["first"], result["second"], result["tie"]] == totals.tolist()
    file.unlink()


PARTS: dict[str, tuple[Callable[[int], Iterator[str]], int, str]] = {
    "deals": (check_deals, DEALS, "deals"),
    "exact": (check_exact, SPOTS, "exact spots"),
    "sampled": (check_sampled, SPOTS, "sampled spots"),
    "hands": (check_hands, HANDS, "hands"),
    "pairs": (check_pairs, HANDS, "pairs"),
}


def main() -> None:
    """Run the parts and print a line for each measurement; fail at the first wrong answer."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    parser.add_argument("--share", type=float, default=1.0, help="share of the sizes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        for part in options.parts or PARTS:
            check, size, unit = PARTS[part]
            for count in (int(size * options.share) // 10, int(size * options.share)):
                print(f"{count:,} {unit}", flush=True)
                for line in check(count):
                    print(f"    {line}", flush=True)
                print("    every answer is right", flush=True)
        os.chdir(os.path.sep)


if __name__ == "__main__":
    main()
