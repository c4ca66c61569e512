"""Measure `equities`, and write the tables of its guide page.

    python scripts/benchmarks/measure_many_spots.py    # half a minute

A time is the fastest of 5 calls on one core, after a call that compiles. Memory is that of arrays
and Python objects, as traced by `tracemalloc`, without the arguments.
"""

from __future__ import annotations

import re
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import holdem
from holdem.cards import DECK
from holdem.report.cells import Row
from holdem.report.markup import markdown_table

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "many-spots.md"
CALLS = 5
RANGE = "22+,A2s+,KTs+,QJs,ATo+,KQo"
SPOTS = 300_000  # of the measurement of memory


def fastest(call: Callable[[], Any]) -> float:
    """Return the seconds of the fastest of some calls."""
    call()
    seconds = []
    for _ in range(CALLS):
        begun = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begun)
    return min(seconds)


def shuffled(count: int) -> NDArray[np.uint8]:
    """Return the first nine cards of shuffled decks, ``uint8 (deck, 9)``."""
    decks = np.tile(np.arange(52, dtype=np.uint8), (count, 1))
    return np.ascontiguousarray(np.random.default_rng(1).permuted(decks, axis=1)[:, :9])


def texts(cards: NDArray[np.uint8]) -> list[str]:
    """Return the text of each row of cards."""
    names = np.array([str(card) for card in DECK])
    return ["".join(row) for row in names[cards].tolist()]


def spot_times() -> Iterator[Row]:
    """Yield the rows of the table of spots."""
    for label, count, street, villain in (
        ("hole cards against hole cards, before the flop", 200_000, 0, None),
        ("hole cards against hole cards, on a flop", 10_000, 3, None),
        ("hole cards against hole cards, on a turn", 100_000, 4, None),
        ("hole cards against hole cards, on a river", 200_000, 5, None),
        ("hole cards against `random`, on a flop", 500, 3, "random"),
        ("hole cards against `random`, on a turn", 5_000, 4, "random"),
        ("hole cards against `random`, on a river", 100_000, 5, "random"),
        ("hole cards against 202 combos, on a flop", 500, 3, RANGE),
        ("hole cards against 202 combos, on a turn", 5_000, 4, RANGE),
        ("hole cards against 202 combos, on a river", 50_000, 5, RANGE),
    ):
        cards = shuffled(count)
        hero, board = cards[:, :2], cards[:, 4 : 4 + street]
        other = cards[:, 2:4] if villain is None else villain
        cells = [fastest(lambda: holdem.equities(hero, other, board=board, workers=1))]  # noqa: B023
        columns = texts(hero), texts(cards[:, 2:4]) if villain is None else villain
        boards = texts(board) if street else None
        cells.append(fastest(lambda: holdem.equities(*columns, board=boards, workers=1)))  # noqa: B023
        yield [label, *(shown(seconds / count) for seconds in cells)]


def memory() -> Iterator[Row]:
    """Yield the rows of the table of memory."""
    cards = shuffled(SPOTS)
    ids = cards[:, :2], cards[:, 2:4], cards[:, 4:]
    columns = [texts(part) for part in ids]
    spots: list[tuple[str, Any, Any, Any]] = [
        ("arrays of ids, hole cards against hole cards", *ids),
        ("arrays of ids, hole cards against `random`", ids[0], "random", ids[2]),
        ("columns of text, hole cards against hole cards", columns[0], columns[1], columns[2]),
    ]
    for label, hero, villain, board in spots:
        tracemalloc.start()
        table = holdem.equities(hero, villain, board=board, workers=1)
        kept, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(table) == SPOTS
        yield [label, f"{kept / SPOTS:.0f} bytes", f"{most / SPOTS:.0f} bytes"]


def shown(seconds: float) -> str:
    """Format seconds with two digits, in a suitable unit."""
    unit, size = next((u, s) for u, s in (("ms", 1e-3), ("µs", 1e-6), ("ns", 0)) if seconds >= s)
    value = seconds / (size or 1e-9)
    return f"{value:.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"


def tables() -> str:
    """Return the measured figures as Markdown."""
    return "\n\n".join(
        [
            markdown_table(["time per spot", "from arrays", "from text"], [*spot_times()]),
            markdown_table(["memory per spot, on a river", "result", "peak"], [*memory()]),
        ]
    )


def main() -> None:
    """Replace the tables in the page."""
    begin, end = "<!-- python scripts/benchmarks/measure_many_spots.py -->\n", "<!-- end -->\n"
    page = PAGE.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    assert pattern.search(page), f"{PAGE} has no mark {begin}"
    found = f"{begin}\n{tables()}\n\n{end}"
    PAGE.write_text(pattern.sub(lambda _: found, page), encoding="utf-8")


if __name__ == "__main__":
    main()
