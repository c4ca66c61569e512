"""Measure this engine beside others, in one run, on one core.

Every row is timed several times in turn with its rivals and the median is shown, with the
ratio to the best rival. Rivals that are not installed are left out and named. To have them:

    pip install -e ".[bench]"
    python scripts/benchmark.py [--json FILE] [--quick]

Nothing is cached between repetitions: each asks a different question of the same shape, or
ranks different hands.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

import holdem
from holdem.cards import RANKS

SEED = 20
EVERY_HAND = "22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32"  # in eval7's range language
RIVALS = ("eval7", "phevaluator", "treys", "pokerkit")


@attrs.frozen
class Row:
    """One figure: a piece of work, done by one program."""

    work: str
    program: str
    unit: str
    value: float
    """The median, in `unit`."""
    better: str
    """``"more"`` or ``"less"``."""


class Bench:
    """Collects rows; times the programs of one piece of work in turn."""

    def __init__(self, repeats: int) -> None:
        self.repeats = repeats
        self.rows: list[Row] = []

    def rate(
        self, work: str, unit: str, programs: dict[str, tuple[int, Callable[[int], object]]]
    ) -> None:
        """Time programs by units of work a second: ``{program: (units, function(repetition))}``."""
        seconds: dict[str, list[float]] = {name: [] for name in programs}
        for name, (_, function) in programs.items():
            function(-1)  # compiles, loads tables
            assert name in seconds
        for repetition in range(self.repeats):
            for name, (_, function) in programs.items():
                begun = time.perf_counter()
                function(repetition)
                seconds[name].append(time.perf_counter() - begun)
        for name, (units, _) in programs.items():
            self._add(work, name, unit, units / statistics.median(seconds[name]), "more")

    def duration(self, work: str, unit: str, programs: dict[str, Callable[[int], object]]) -> None:
        """Time programs by how long they take, in ``ms`` or ``s``."""
        seconds: dict[str, list[float]] = {name: [] for name in programs}
        for function in programs.values():
            function(-1)
        for repetition in range(self.repeats):
            for name, function in programs.items():
                begun = time.perf_counter()
                function(repetition)
                seconds[name].append(time.perf_counter() - begun)
        for name, taken in seconds.items():
            scale = {"ms": 1e3, "s": 1.0}[unit]
            self._add(work, name, unit, statistics.median(taken) * scale, "less")

    def _add(self, work: str, program: str, unit: str, value: float, better: str) -> None:
        self.rows.append(Row(work, program, unit, value, better))
        print(f"  {work}: {program} {value:,.4g} {unit}", file=sys.stderr, flush=True)


def installed() -> dict[str, Any]:
    """Return the rivals that can be imported, by name."""
    found = {}
    for name in RIVALS:
        try:
            found[name] = import_module(name)
        except ImportError:
            print(f"  {name} is not installed and left out", file=sys.stderr)
    return found


def random_hands(count: int, size: int, seed: int) -> NDArray[np.uint8]:
    """Return random hands, ``uint8 (hand, card)``."""
    rng = np.random.default_rng(seed)
    deck = np.tile(np.arange(52, dtype=np.uint8), (min(count, 1 << 18), 1))
    blocks = [rng.permuted(deck, axis=1)[:, :size] for _ in range(-(-count // len(deck)))]
    return np.ascontiguousarray(np.concatenate(blocks)[:count])


def evaluation(bench: Bench, rivals: dict[str, Any], quick: bool) -> None:
    """Rank random seven-card hands: in batches, and one a call."""
    batch = random_hands(1_000_000 if quick else 10_000_000, 7, SEED)
    programs: dict[str, tuple[int, Callable[[int], object]]] = {}
    for record in holdem.evaluators():
        ranker = holdem.get_evaluator(record.name)
        slow = record.name == "reference"
        part = (
            batch[:2000] if slow else batch if 7 in record.hand_sizes else batch[: len(batch) // 10]
        )
        programs[f"holdem, {record.name}"] = (len(part), _ranking(ranker, part))
    checked = holdem.get_evaluator("lookup")
    programs["holdem, lookup, hands checked"] = (len(batch), lambda _: checked.strengths(batch))
    bench.rate("random seven-card hands in a batch", "hands/s", programs)

    few = batch[:20_000]
    one_by_one: dict[str, tuple[int, Callable[[int], object]]] = {}
    texts = [[str(holdem.Card(card)) for card in hand] for hand in few.tolist()]
    if "eval7" in rivals:
        eval7 = rivals["eval7"]
        cards7 = [[eval7.Card(text) for text in hand] for hand in texts]
        one_by_one["eval7"] = (len(few), lambda _: [eval7.evaluate(hand) for hand in cards7])
    if "phevaluator" in rivals:
        rank = rivals["phevaluator"].evaluate_cards
        ids = few.tolist()
        one_by_one["phevaluator"] = (len(few), lambda _: [rank(*hand) for hand in ids])
    if "treys" in rivals:
        treys = rivals["treys"]
        judge = treys.Evaluator()
        ints = [[treys.Card.new(text) for text in hand] for hand in texts]
        one_by_one["treys"] = (
            len(few),
            lambda _: [judge.evaluate(hand[:5], hand[5:]) for hand in ints],
        )
    if "pokerkit" in rivals:
        hand_type = rivals["pokerkit"].StandardHighHand
        joined = ["".join(hand) for hand in texts[:200]]
        one_by_one["pokerkit"] = (
            len(joined),
            lambda _: [hand_type.from_game(hand[:4], hand[4:]) for hand in joined],
        )
    hands = few[:2000].tolist()
    one_by_one["holdem.evaluate"] = (
        len(hands),
        lambda _: [holdem.evaluate(hand) for hand in hands],
    )
    bench.rate("one seven-card hand a Python call", "hands/s", one_by_one)


def _ranking(ranker: holdem.Evaluator, hands: NDArray[np.uint8]) -> Callable[[int], object]:
    return lambda _: ranker.rank(hands)


def _asking(questions: list[tuple[tuple[str, ...], str]]) -> Callable[[int], object]:
    def ask(repetition: int) -> object:
        players, board = questions[repetition]
        return holdem.equity(*players, board=board, method="exact", workers=1)

    return ask


def _asking_eval7(eval7: Any, everything: Any, dealt: list[list[Any]], repetition: int) -> object:
    hole, board = dealt[repetition]
    return eval7.py_hand_vs_range_exact(hole, everything, board)


def exact_equity(bench: Bench, rivals: dict[str, Any]) -> None:
    """Ask for exact equities, each repetition for other cards of the same shape."""
    rng = random.Random(SEED)
    wide = "22+,A2s+,KTs+,QJs,ATo+,KQo"
    asked: dict[str, list[tuple[tuple[str, ...], str]]] = {}

    def ask(work: str, players: tuple[str, ...], board: str = "") -> None:
        asked.setdefault(work, []).append((players, board))

    for _ in range(bench.repeats + 1):
        a, b, c, d = rng.sample("cdhs", 4)
        low, high = sorted(rng.sample(range(13), 2))
        top, under = RANKS[high], RANKS[low]
        cards = [str(holdem.Card(card)) for card in rng.sample(range(52), 9)]
        flop = "".join(cards[6:])
        ask("pair v lower pair before the flop", (f"{top}{a}{top}{b}", f"{under}{c}{under}{d}"))
        ask(
            "three known hands before the flop",
            (cards[0] + cards[1], cards[2] + cards[3], cards[4] + cards[5]),
        )
        ask("hole v QQ+ on a flop", (cards[0] + cards[1], "QQ+"), flop)
        ask("22+,A2s+,KTs+,QJs,ATo+,KQo v itself on a flop", (wide, wide), flop)
        ask("suited hole v random before the flop", (f"{top}{a}{under}{a}", "random"))
        ask("hole v random on a river", (cards[0] + cards[1], "random"), "".join(cards[2:7]))
    for work, questions in asked.items():
        programs: dict[str, Callable[[int], object]] = {
            "holdem.equity, one core": _asking(questions)
        }
        if "eval7" in rivals and work == "hole v random on a river":
            # Its exact equity is right with five board cards only: no other row has it.
            eval7 = rivals["eval7"]
            everything = eval7.HandRange(EVERY_HAND)
            dealt = [
                [
                    [eval7.Card(str(card)) for card in holdem.parse_cards(text)]
                    for text in (players[0], board)
                ]
                for players, board in questions
            ]
            programs["eval7"] = partial(_asking_eval7, eval7, everything, dealt)
        bench.duration(work, "ms", programs)


def monte_carlo(bench: Bench, rivals: dict[str, Any], quick: bool) -> None:
    """Draw deals: one hole against one, and against five, random hands."""
    deals = 1_000_000 if quick else 10_000_000
    for opponents in (1, 5):
        mine = deals // opponents
        programs: dict[str, tuple[int, Callable[[int], object]]] = {
            "holdem.equity, one core": (mine, partial(_sampling, opponents, mine))
        }
        if opponents == 1 and "eval7" in rivals:
            programs["eval7"] = (
                deals // 10,
                partial(_sampling_eval7, rivals["eval7"], deals // 10),
            )
        bench.rate(f"Monte Carlo, AsKs v {opponents} random", "deals/s", programs)


def _sampling(opponents: int, deals: int, repetition: int) -> object:
    players = ("AsKs", *["random"] * opponents)
    seed = SEED + repetition + 1
    return holdem.equity(*players, method="monte-carlo", deals=deals, seed=seed, workers=1)


def _sampling_eval7(eval7: Any, deals: int, _: int) -> object:
    hole, everything = [eval7.Card("As"), eval7.Card("Ks")], eval7.HandRange(EVERY_HAND)
    return eval7.py_hand_vs_range_monte_carlo(hole, everything, [], deals)


def waiting(bench: Bench) -> None:
    """Measure what a user waits for: import, and answers on the command line, warm cache."""
    commands = {
        "bare Python": ["-c", "pass"],
        "import numpy": ["-c", "import numpy"],
        "import holdem": ["-c", "import holdem; holdem.Range"],
        "holdem evaluate AsKsQsJsTs2c3d": ["-m", "holdem", "evaluate", "AsKsQsJsTs2c3d"],
        "holdem equity AsKs QQ": ["-m", "holdem", "equity", "AsKs", "QQ"],
        "holdem equity AsKs QQ+ --board Td9d2c": [
            "-m",
            "holdem",
            "equity",
            "AsKs",
            "QQ+",
            "--board",
            "Td9d2c",
        ],
    }
    for name, arguments in commands.items():
        bench.duration("start to answer", "s", {name: partial(_start, arguments)})


def _start(arguments: list[str], _: int) -> None:
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def main() -> None:
    """Run everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", type=Path, help="write the rows to this file as well")
    parser.add_argument(
        "--quick", action="store_true", help="a tenth of the work, three repetitions"
    )
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one core for everybody
    rivals = installed()
    bench = Bench(3 if arguments.quick else 9)
    evaluation(bench, rivals, arguments.quick)
    exact_equity(bench, rivals)
    monte_carlo(bench, rivals, arguments.quick)
    waiting(bench)

    from holdem.report.table import markdown_table

    rows = [[row.work, row.program, f"{row.value:,.4g}", row.unit] for row in bench.rows]
    print(markdown_table(["work", "program", "median", "unit"], rows, left=2))
    versions = {name: metadata.version(name) for name in ("holdem", "numpy", "numba", *rivals)}
    python = f"{platform.python_implementation()} {platform.python_version()}"
    print(f"\n{python}, {platform.machine()}, {versions}")
    if arguments.json:
        found = {"versions": versions, "rows": [attrs.asdict(row) for row in bench.rows]}
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
