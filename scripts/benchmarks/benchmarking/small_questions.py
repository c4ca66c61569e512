"""Exact equities of small questions, asked one by one as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import holdem
from benchmarking import peers
from benchmarking.equities import (
    FLOP,
    RANGE,
    RIVER,
    TURN,
    Shape,
    equity_of,
    poker_equity_on,
)
from benchmarking.measure import Job, Program, Work

SECTION = "Small questions, one per call"
_ACE_QUEEN, _JACKS = "A{3}Q{3}", "J{3}J{2}"


def jobs() -> Iterator[Job]:
    """Yield the jobs."""
    holes = _ACE_QUEEN, _JACKS
    for street, board, shown in (
        ("flop", FLOP, "K♠7♦2♣"),
        ("turn", TURN, "K♠7♦2♣5♥"),
        ("river", RIVER, "a river"),
    ):
        shape = Shape(holes, board)
        key, title = f"hole v hole, {street}", f"A♥Q♥ v J♥J♣ on {shown}"
        yield _work(key, title, shape, poker_equity_on(shape))
    shape = Shape((_ACE_QUEEN, "random"), RIVER)
    beside = [*_eval7(shape), *poker_equity_on(shape)]
    yield _work("hole v random, river", "A♥Q♥ v random on a river", shape, beside)
    yield _work("range v range, river, text", "R v R on a river", Shape((RANGE, RANGE), RIVER))
    shape = Shape(("random", "random"), RIVER)
    title = "random v random on a river"
    yield _work("random v random, river, text", title, shape, poker_equity_on(shape))


def _work(key: str, title: str, shape: Shape, beside: Sequence[Program] = ()) -> Work:
    """Return work for `holdem.equity` and other programs."""
    return Work(key, SECTION, title, "s", [equity_of(shape), *beside])


def _eval7(shape: Shape) -> list[Program]:
    """Return eval7's program for a river; on other boards its exact equity is wrong."""
    if "eval7" not in peers.installed():
        return []
    eval7 = peers.installed()["eval7"]
    everything = peers.every_hand_of_eval7()

    def cards(number: int) -> list[list[Any]]:
        asked = shape(number)
        return [
            [eval7.Card(str(card)) for card in holdem.parse_cards(text)]
            for text in (asked.players[0], asked.board)
        ]

    def exact(dealt: list[list[Any]]) -> float:
        return float(eval7.py_hand_vs_range_exact(dealt[0], everything, dealt[1]))

    return [Program("eval7", exact, cards, figures=lambda found: [found, 1 - found])]
