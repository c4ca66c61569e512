"""Ranking hands in batches and one per call, in order and at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import comb
from typing import Any

import numpy as np

import holdem
from benchmarking import peers
from benchmarking.every_hand import count_categories, sum_of_strengths
from benchmarking.measure import Job, Program, Work
from holdem.cards import CardArray
from holdem.evaluation.conformance.hands import count_hands, hands_from, random_hands
from holdem.rules import CATEGORIES

SECTION = "Ranking seven-card hands"
HANDS_OF_SEVEN = comb(52, 7)
_SEED = 20
_CHECKED = 2000  # hands whose order is compared
_SLOW = {"pokerkit": 100, "treys": 5, "reference": 1000}  # divisors of the number of hands


def jobs(quick: bool) -> Iterator[Job]:
    """Yield the jobs."""
    count = 1_000_000 if quick else 10_000_000
    millions = f"{count // 1_000_000} M"
    title = f"{millions} random seven-card hands, one array, unchecked"
    yield _batch("batch", title, _at_random, count)
    title = f"{millions} hands in order, one array, unchecked"
    yield _batch("batch, in order", title, _in_order, count)
    yield _validated_batch(count)
    yield from _evaluators(count // 10)
    yield from _every_hand()
    few = 2_000 if quick else 20_000
    yield _one_by_one("one hand a call", "random hands, one per Python call", _at_random, few)
    yield _one_by_one(
        "one hand a call, in order", "hands in order, one per Python call", _in_order, few
    )


def _at_random(count: int, number: int) -> CardArray:
    return random_hands(holdem.get_evaluator().rules, 7, count, _SEED + number)


def _in_order(count: int, number: int) -> CardArray:
    rules = holdem.get_evaluator().rules
    first = (count_hands(rules, 7) // 2 + number * count) % (count_hands(rules, 7) - count)
    return hands_from(rules, 7, first, count)


def _validated_batch(count: int) -> Work:
    """Time a batch of hands that are validated."""
    lookup, make = holdem.get_evaluator("lookup"), partial(_at_random, count)
    program = Program("lookup, each hand checked", lookup.strengths, make, count, ours=True)
    title = f"{count // 1_000_000} M random seven-card hands, each checked"
    return Work("batch, checked", SECTION, title, "hands/s", [program])


def _batch(key: str, title: str, hands: Callable[[int, int], CardArray], count: int) -> Work:
    lookup = holdem.get_evaluator("lookup")

    def figures(strengths: Any) -> Any:
        return peers.places(strengths[:_CHECKED], "lookup")

    make = partial(hands, count)
    programs = [
        Program("lookup, trusted", lookup.rank, make, count, ours=True, figures=figures),
    ]
    if "poker_equity" in peers.installed():
        score = peers.installed()["poker_equity"].score_batch
        part = count // 10

        def texts(number: int) -> list[str]:
            names = [str(holdem.Card(card)) for card in range(52)]
            chosen = hands(count, number)[:part].tolist()
            return ["".join(names[card] for card in hand) for hand in chosen]

        programs.append(
            Program(
                "poker_equity, from text",
                lambda batch: score("high", batch),
                texts,
                part,
                figures=lambda scores: peers.places(scores[:_CHECKED], "poker_equity"),
            )
        )
    return Work(key, SECTION, title, "hands/s", programs)


def _evaluators(count: int) -> Iterator[Work]:
    """Yield a benchmark of each included evaluator but `lookup`, which `_batch` has."""
    programs = []
    for record in holdem.evaluators():
        if record.rules != "standard" or record.status != "active":
            continue
        if record.name in {"lookup", *peers.NAMES}:
            continue
        ranker = holdem.get_evaluator(record.name)
        mine = count // _SLOW.get(record.name, 1)
        programs.append(
            Program(record.name, ranker.rank, partial(_at_random, mine), mine, ours=True)
        )
    title = f"{count:,} random hands, one array, by other evaluators"
    yield Work("evaluators", SECTION, title, "hands/s", programs)


def _every_hand() -> Iterator[Work]:
    """Yield benchmarks that enumerate all seven-card hands in order."""
    counts = np.zeros(len(CATEGORIES), dtype=np.int64)
    for key, title, run in (
        ("every hand, sum", "sum of strengths", sum_of_strengths),
        ("every hand, categories", "hands per category", partial(count_categories, counts)),
    ):
        title = f"all {HANDS_OF_SEVEN:,} seven-card hands in order: {title}"
        program = Program("lookup", partial(_run, run), units=HANDS_OF_SEVEN, ours=True)
        yield Work(key, SECTION, title, "hands/s", [program])


def _run(function: Callable[[], Any], _number: int) -> Any:
    return function()


@holdem.kernel
def _nothing(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> int:
    """Do almost nothing; its time is the overhead of a numba call with seven integers."""
    return a & b & c & d & e & f & g


def _one_by_one(key: str, title: str, hands: Callable[[int, int], CardArray], few: int) -> Work:
    strength = holdem.get_evaluator("lookup").strength

    def ids(number: int) -> list[list[int]]:
        found: list[list[int]] = hands(few, number).tolist()
        return found

    def figures(name: str, answers: Any) -> Any:
        return peers.places(answers[: few // 100], name)

    programs = [
        Program(
            "lookup, one call per hand",
            lambda listed: [strength(hand) for hand in listed],
            ids,
            few,
            ours=True,
            figures=partial(figures, "lookup"),
        ),
        Program(
            "a trivial numba function of seven integers",
            lambda listed: [_nothing(*hand) for hand in listed],
            ids,
            few,
            ours=True,
        ),
        Program(
            "holdem.evaluate",
            lambda listed: [holdem.evaluate(hand) for hand in listed],
            lambda number: hands(few, number)[: few // 20].tolist(),
            few // 20,
            ours=True,
        ),
    ]
    for name, (made, rank) in peers.hand_rankers().items():
        mine = few // _SLOW.get(name, 1)

        def own_cards(
            number: int, made: Callable[[list[int]], Any] = made, mine: int = mine
        ) -> list[Any]:
            return [made(hand) for hand in hands(few, number)[:mine].tolist()]

        def run(listed: list[Any], rank: Callable[[Any], Any] = rank) -> list[Any]:
            return [rank(hand) for hand in listed]

        programs.append(Program(name, run, own_cards, mine, figures=partial(figures, name)))
    note = "one hand per call: cards are prepared beforehand; holdem validates seven ids"
    return Work(key, SECTION, title, "hands/s", programs, note=note)
