"""Equities of many spots by `holdem.equities`, and by loops over other calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

import holdem
from benchmarking import peers
from benchmarking.equities import RANGE
from benchmarking.goals import SPOTS
from benchmarking.measure import Job, Program, Work
from holdem.cards import DECK

SECTION = "Many spots"
_SEED = 20
_COMPARED = 2  # spots of which all programs compute the equities
_LOOP_SECONDS = 0.3  # the approximate duration of a loop, which takes some of the spots only


@attrs.frozen(eq=False)
class Spots:
    """Spots with the first player's hole cards known, and one of the second's forms."""

    heroes: NDArray[np.uint8]
    """``uint8 (spot, 2)``"""
    villains: NDArray[np.uint8] | str
    """``uint8 (spot, 2)``, or a range for all spots."""
    boards: NDArray[np.uint8]
    """``uint8 (spot, card)``"""


@lru_cache(maxsize=1)  # programs that do the same work run in turn
def _spots(count: int, street: int, villain: str | None, number: int) -> Spots:
    """Return random spots; each number has different ones."""
    cards = np.tile(np.arange(52, dtype=np.uint8), (count, 1))
    generator, rows = np.random.default_rng((_SEED, number)), np.arange(count)
    for place in range(4 + street):
        other = generator.integers(place, 52, count)
        cards[rows, place], cards[rows, other] = cards[rows, other], cards[rows, place]
    return Spots(
        cards[:, :2].copy(),
        cards[:, 2:4].copy() if villain is None else villain,
        cards[:, 4 : 4 + street].copy(),
    )


def _texts(cards: NDArray[np.uint8]) -> list[str]:
    names = np.array([str(card) for card in DECK])
    return ["".join(row) for row in names[cards].tolist()]


def jobs(quick: bool) -> Iterator[Job]:
    """Yield the jobs."""
    part = 100 if quick else 1
    for key, title, count, street, villain, seconds in (
        ("river, hole v random", "rivers, hole v random", 1_000_000, 5, "random", 6e-4),
        ("turn, hole v random", "turns, hole v random", 100_000, 4, "random", 1e-3),
        ("flop, hole v random", "flops, hole v random", 10_000, 3, "random", 4e-3),
        ("flop, hole v hole", "flops, hole v hole", 100_000, 3, None, 4e-4),
        ("river, hole v range", "rivers, hole v R", 100_000, 5, RANGE, 6e-4),
    ):
        yield _work(f"spots, {key}", title, count // part, street, villain, seconds)
    key, title = "spots, before the flop", "spots before the flop, hole v hole"
    yield _work(f"{key}, arrays", f"{title}, from arrays", 1_000_000 // part, 0, None, 1e-4)
    yield _work(f"{key}, text", f"{title}, from text", 1_000_000 // part, 0, None, None)


def _work(
    key: str, title: str, count: int, street: int, villain: str | None, seconds: float | None
) -> Work:
    """Return work for `holdem.equities` and loops.

    Args:
        key: the key of the row.
        title: the title without the number of spots.
        count: the number of spots.
        street: the number of board cards.
        villain: the second player's range; None for known hole cards.
        seconds: the approximate seconds a spot takes in a loop; None for spots as text, without
            loops.
    """
    make = partial(_spots, count, street, villain)
    few = max(2, min(count, int(_LOOP_SECONDS / (seconds or 1))))
    if seconds is None:
        programs = [Program(SPOTS, _equities, lambda number: _columns(make(number)), ours=True)]
    else:
        programs = [
            Program(
                SPOTS,
                _equities,
                lambda number: _arrays(make(number)),
                ours=True,
                figures=lambda table: table.equity[:_COMPARED, 0],
            ),
            _loop("a loop of holdem.equity", _ask, _itself, make, few, count, ours=True),
        ]
        programs += _loops_of_peers(make, few, count, street, villain)
    note = (
        f"loops run over the first spots, for about {_LOOP_SECONDS} s, and their time is scaled to"
        f" all spots; {_COMPARED} answers of each are compared"
    )
    return Work(key, SECTION, f"{count:,} {title}", "s", programs, note=note if seconds else "")


def _arrays(spots: Spots) -> tuple[Any, Any, Any]:
    return spots.heroes, spots.villains, spots.boards


def _columns(spots: Spots) -> tuple[Any, Any, Any]:
    assert not isinstance(spots.villains, str)
    return _texts(spots.heroes), _texts(spots.villains), _texts(spots.boards)


def _equities(columns: tuple[Any, Any, Any]) -> holdem.EquityTable:
    hero, villain, board = columns
    return holdem.equities(hero, villain, board=board, method="exact", workers=1)


def _loop(
    name: str,
    ask: Callable[[Any], float],
    convert: Callable[[tuple[str, str, str]], Any],
    make: Callable[[int], Spots],
    few: int,
    count: int,
    *,
    ours: bool = False,
) -> Program:
    """Return a loop over the first spots, with its time scaled to all of them.

    Args:
        name: the name of the program.
        ask: returns the first player's equity.
        convert: converts hero, villain and board to the argument of `ask`; not timed.
        make: returns the spots of a number.
        few: the number of spots of the loop.
        count: the number of all spots.
        ours: whether the program is that of the engine.
    """

    def prepare(number: int) -> list[Any]:
        spots = make(number)
        villains = spots.villains
        others = [villains] * few if isinstance(villains, str) else _texts(villains[:few])
        rows = zip(_texts(spots.heroes[:few]), others, _texts(spots.boards[:few]), strict=True)
        return [convert(row) for row in rows]

    def run(rows: list[Any]) -> list[float]:
        return [ask(row) for row in rows]

    return Program(
        name, run, prepare, few / count, ours=ours, figures=lambda found: found[:_COMPARED]
    )


def _itself(row: tuple[str, str, str]) -> tuple[str, str, str]:
    return row


def _ask(row: tuple[str, str, str]) -> float:
    hero, villain, board = row
    found = holdem.equity(hero, villain, board=board, method="exact", workers=1)
    return float(found.equities[0])


def _loops_of_peers(
    make: Callable[[int], Spots], few: int, count: int, street: int, villain: str | None
) -> Iterator[Program]:
    """Yield loops of the other libraries that give exact answers to these spots."""
    installed = peers.installed()
    if "eval7" in installed and street == 5 and villain is not None:
        yield _eval7(make, few, count, villain)
    if "poker_equity" in installed and villain in (None, "random"):
        exact_from_text = installed["poker_equity"].exact_from_text

        def separated(row: tuple[str, str, str]) -> tuple[list[str], str]:
            hero, other, board = row
            cards = " ".join(map(str, holdem.parse_cards(board)))
            return [hero, other.replace("random", "**")], cards

        def ask(question: tuple[list[str], str]) -> float:
            return float(exact_from_text("holdem", *question)["players"][0]["equity"])

        # It enumerates a preflop match-up, or a random hand on a flop, in some 0.1 s.
        few = min(few, 3) if street == 0 or (villain and street == 3) else min(few, 30)
        yield _loop("a loop of poker_equity", ask, separated, make, few, count)


def _eval7(make: Callable[[int], Spots], few: int, count: int, villain: str) -> Program:
    eval7 = peers.installed()["eval7"]

    @cache
    def opponents() -> Any:
        return peers.every_hand_of_eval7() if villain == "random" else eval7.HandRange(villain)

    def cards(row: tuple[str, str, str]) -> list[list[Any]]:
        return [
            [eval7.Card(str(card)) for card in holdem.parse_cards(text)]
            for text in (row[0], row[2])
        ]

    def ask(dealt: list[list[Any]]) -> float:
        return float(eval7.py_hand_vs_range_exact(dealt[0], opponents(), dealt[1]))

    return _loop("a loop of eval7", ask, cards, make, few, count)
