"""Measure `equities`, and write the table of its guide page.

    python scripts/benchmarks/measure_many_spots.py    # half a minute

A time is the fastest of 5 calls on one core, after a call that compiles. Memory is that of arrays
and Python objects, as traced by `tracemalloc`, without the arguments.
"""

from __future__ import annotations

import re
import time
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
    ):
        cards = shuffled(count)
        hero, board = cards[:, :2], cards[:, 4 : 4 + street]
        other = cards[:, 2:4] if villain is None else villain
        cells = [fastest(lambda: holdem.equities(hero, other, board=board, workers=1))]  # noqa: B023
        columns = texts(hero), texts(cards[:, 2:4]) if villain is None else villain
        boards = texts(board) if street else None
        cells.append(fastest(lambda: holdem.equities(*columns, board=boards, workers=1)))  # noqa: B023
        yield [label, *(shown(seconds / count) for seconds in cells)]


def shown(seconds: float) -> str:
    """Format seconds with two digits, in a suitable unit."""
    unit, size = next((u, s) for u, s in (("ms", 1e-3), ("µs", 1e-6), ("ns", 0)) if seconds >= s)
    value = seconds / (size or 1e-9)
    return f"{value:.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"


def main() -> None:
    """Replace the table in the page."""
    begin, end = "<!-- python scripts/benchmarks/measure_many_spots.py -->\n", "<!-- end -->\n"
    page = PAGE.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    assert pattern.search(page), f"{PAGE} has no mark {begin}"
    table = markdown_table(["time per spot", "from arrays", "from text"], [*spot_times()])
    found = f"{begin}\n{table}\n\n{end}"
    PAGE.write_text(pattern.sub(lambda _: found, page), encoding="utf-8")


if __name__ == "__main__":
    main()
