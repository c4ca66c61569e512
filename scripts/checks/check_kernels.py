"""Run the kernels as Python code, and compiled with bounds checks, and compare all answers.

    python scripts/checks/check_kernels.py              # python and bounds: minutes
    python scripts/checks/check_kernels.py python       # without compiling anything

With ``python`` no kernel is compiled: numba's decorators return the functions as they are, and the
instructions that numba lacks are replaced by Python's. An index out of bounds is an `IndexError`
there, and a name that does not exist a `NameError`. With ``bounds`` the kernels are compiled with
``NUMBA_BOUNDSCHECK=1`` into an empty cache. The exit status is 1 if an answer differs from that of
the kernels as they are used.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

MODES = ("python", "bounds")


def use_python() -> None:
    """Replace the decorators and numba's intrinsics by ones that compile nothing.

    It must be called before a module with kernels is imported.
    """
    from numba import extending

    from holdem.jit import kernels

    for name in ("kernel", "inlined", "reordered"):
        setattr(kernels, name, lambda function: function)
    extending.intrinsic = _as_python  # type: ignore[assignment]
    warnings.simplefilter("ignore")  # integers wrap around, as they do in machine code


def _as_python(definition: Callable[..., Any]) -> Callable[..., Any]:
    """Return the Python function for the definition of an intrinsic, by its name."""
    if "popcount" in definition.__name__:
        return lambda word: type(word)(int(word).bit_count())
    return lambda: None


def answers() -> dict[str, Any]:
    """Return answers that call the kernels of every part."""
    import holdem
    from holdem.evaluation.conformance.hands import random_hands
    from holdem.jit.kernels import always_use_kernels
    from holdem.rules import SHORT_DECK, STANDARD
    from holdem_abstraction import HandIndexer

    always_use_kernels()
    found: dict[str, Any] = {}
    for name in ("lookup", "cactus-kev", "dead-horse", "suit-mask", "short-deck"):
        rules = SHORT_DECK if name == "short-deck" else STANDARD
        evaluator = holdem.get_evaluator(name)
        for size in (5, 6, 7):
            hands = random_hands(rules, size, 40, seed=size)
            found[f"{name}, {size} cards"] = evaluator.strengths(hands).tolist()
    spots: dict[str, tuple[tuple[str, ...], str]] = {
        "known hands": (("AsKs", "QdQh"), "Td9d2c5h"),
        "three known hands": (("AsKs", "QdQh", "7c7s"), "Td9d2c"),
        "two ranges": (("QQ+,AK:0.5", "JTs,22"), "Td9d2c5h"),
        "three ranges": (("QQ+,AKs", "JTs,22", "AhXh"), "Td9d2c5h"),
        "four ranges": (("QQ", "JTs", "AhKh", "22"), "Td9d2c5h3s"),
    }
    for name, (players, board) in spots.items():
        result = holdem.equity(*players, board=board, method="exact")
        found[name] = [
            [player.wins, player.ties, player.losses, player.equity] for player in result.players
        ]
        found[f"{name}, categories"] = [
            [[record.category, record.share, record.win, record.tie] for record in own.by_category]
            for own in result.players
        ]
    sampled: dict[str, Any] = {"deals": 300, "seed": 7, "workers": 1}
    drawn: dict[str, tuple[tuple[str, ...], str]] = {
        "deck": (("AsKs", "random", "random"), ""),
        "lists": (("QQ+,AK:0.5", "JTs,22"), "Td9d2c"),
        "many lists": (("22+", "JTs,AK", "AhXh", "random"), "Td9d2c"),
    }
    for name, (players, board) in drawn.items():
        found[f"sampled, {name}"] = holdem.equity(
            *players, board=board, method="monte-carlo", **sampled
        ).equities.tolist()
    contest = holdem.head_to_head("AsKs", "QQ", "random", **sampled)
    found["head to head"] = contest.to_dict()
    found["hands"] = [hand.to_dict() for hand in holdem.simulate(players=6, hands=5, seed=7)]
    found["aggregate"] = holdem.aggregate(players=4, hands=60, seed=7, workers=1).to_dict()
    matrix = holdem.equity_matrix("QQ,AKs", "JTs", board="Td9d2c5h")
    found["matrix"] = np.nan_to_num(matrix.equity, nan=-1).tolist()
    hits = holdem.hits("QQ,AKs", board="Td9d2c")
    found["hits"] = hits.to_dict()
    table = holdem.equities(["AsKs", "AdKd"], "QQ", board=["Td9d2c5h", "Td9h2c5h3s"])
    found["spots"] = table.equity.tolist()
    steps: dict[Any, int] = {"preflop": 20, "flop": 50_000, "turn": 500_000, "river": 5_000_000}
    for street, step in steps.items():
        indexer = HandIndexer(street)
        numbered = indexer.hands(range(0, indexer.size, step))
        found[f"hands, {street}"] = [own.tolist() for own in numbered]
        found[f"indices, {street}"] = indexer.index(*numbered).tolist()
    return {name: _without_time(own) for name, own in found.items()}


def _without_time(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_time(own) for name, own in value.items() if name != "elapsed"}
    return [_without_time(own) for own in value] if isinstance(value, list | tuple) else value


def run(mode: str) -> dict[str, Any]:
    """Return the answers of a new process."""
    with tempfile.TemporaryDirectory() as folder:
        extra = {"NUMBA_BOUNDSCHECK": "1", "HOLDEM_CACHE_DIR": folder} if mode == "bounds" else {}
        done = subprocess.run(
            [sys.executable, __file__, "--child", mode],
            env={**os.environ, "HOLDEM_QUIET": "1", **extra},
            stdout=subprocess.PIPE,
            check=True,
        )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def differences(mode: str) -> tuple[int, list[str]]:
    """Return the number of answers in a mode, and the names of those that differ."""
    expected, found = run("compiled"), run(mode)
    assert expected.keys() == found.keys()
    return len(found), [name for name in expected if expected[name] != found[name]]


def main() -> int:
    """Compare the modes and return the exit status."""
    if sys.argv[1:2] == ["--child"]:
        if sys.argv[2] == "python":
            use_python()
        print(json.dumps(answers(), default=int))  # kernels run as Python count in numpy integers
        return 0
    failed = False
    for mode in sys.argv[1:] or MODES:
        count, different = differences(mode)
        print(f"{mode}: {count} answers, {len(different)} differ: {', '.join(different) or '-'}")
        failed |= bool(different)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
