"""Exact equities, by `holdem.equity` on text and by the compiled methods."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import permutations
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

import holdem
from benchmarking import peers
from benchmarking.goals import COMPILED, TEXT
from benchmarking.measure import Job, Program, Work
from holdem.cards import RANKS
from holdem.evaluation.builtin.lookup_tables import tables_of
from holdem.jobs.workers import Workers
from holdem.odds.exact.known_hands import KnownHands, count_known_hands, order_by_ranks
from holdem.odds.exact.method import ExactMethod
from holdem.odds.exact.preflop_table import list_shapes
from holdem.odds.exact.two_ranges import TwoRanges
from holdem.odds.plan import make_plan
from holdem.odds.spot import make_spot
from holdem.odds.symmetry import permuted_combos
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, COMBO_SETS
from holdem.rules import STANDARD

SECTION = "Exact equity"
_SEED = 20
_RIVERS = 24  # per call of the kernel
RANGE = "22+,A2s+,KTs+,QJs,ATo+,KQo"
FLOP, TURN, RIVER = "K{0}7{1}2{2}", "K{0}7{1}2{2}5{3}", "K{0}7{1}2{2}5{3}9{0}"


@attrs.frozen
class Question:
    """One question, as text."""

    players: tuple[str, ...]
    board: str = ""
    dead: str = ""


@attrs.frozen
class Shape:
    """Questions of the same shape; numbers in braces stand for suits."""

    players: tuple[str, ...]
    board: str = ""
    dead: str = ""

    def __call__(self, number: int) -> Question:
        """Return question `number`; 24 consecutive ones have different suit permutations."""
        suits = _suits()[number % 24]
        # The rank distinguishes questions that do not depend on suits.
        rank = RANKS[number // 24 % 13]
        texts = [text.format(*suits, rank=rank) for text in (*self.players, self.board, self.dead)]
        return Question(tuple(texts[:-2]), *texts[-2:])


@cache
def _suits() -> list[tuple[str, ...]]:
    orders = list(permutations("cdhs"))
    random.Random(_SEED).shuffle(orders)
    return orders


def jobs(quick: bool) -> Iterator[Job]:
    """Yield the jobs."""
    pair = Shape(("A{0}A{1}", "K{2}K{3}"))
    known = Shape(("A{0}K{0}", "Q{1}Q{2}", "7{3}7{1}"))
    without = "random!{rank}{0}{rank}{1}"  # all hands but one combo, a different one each time
    yield _work(
        "pair v pair, table",
        "A♣A♠ v K♦K♥ before the flop, from the table",
        pair,
        beside=poker_equity_on(pair),
    )
    yield _work(
        "pair v pair, enumerated",
        "A♣A♠ v K♦K♥ before the flop, enumerated",
        pair,
        text=False,
        prepare=_enumerated,
    )
    title = "R v random before the flop, from the table"
    yield _work("range v random", title, Shape((RANGE, without)))
    title = "random v random before the flop, from the table"
    yield _work("random v random", title, Shape(("random", without)))
    if not quick:
        yield _all_matchups()
        yield _work(
            "random v random, dead card",
            "random v random before the flop, one dead card",
            Shape(("random", "random"), dead="{rank}{0}"),
            compiled=False,
        )
    yield _work("range v range, flop", "R v R on K♠7♦2♣", Shape((RANGE, RANGE), FLOP))
    yield _work(
        "random v random, flop", "random v random on K♠7♦2♣", Shape(("random", "random"), FLOP)
    )
    yield _work("range v range, turn", "R v R on K♠7♦2♣5♥", Shape((RANGE, RANGE), TURN))
    yield _rivers("range v range, river", "R v R on a river", RANGE)
    yield _rivers("random v random, river", "random v random on a river", "random")
    yield _work(
        "three known hands",
        "A♠K♠, Q♦Q♥, 7♣7♦ before the flop",
        known,
        beside=poker_equity_on(known),
    )
    yield _work("AK, QQ, random", "AK, QQ, random on K♠7♦2♣", Shape(("AK", "QQ", "random"), FLOP))
    yield _work("three random, flop", "three random hands on K♠7♦2♣", Shape(("random",) * 3, FLOP))
    yield _work(
        "four random, flop",
        "four random hands on K♠7♦2♣",
        Shape(("random",) * 4, FLOP),
        compiled=False,
    )
    yield _work(
        "four ranges, flop", "R v R v R v R on K♠7♦2♣", Shape((RANGE,) * 4, FLOP), compiled=False
    )


def ask(question: Question) -> holdem.EquityResult:
    """Compute the exact equity on one core."""
    return holdem.equity(
        *question.players,
        board=question.board,
        dead=question.dead,
        method="exact",
        workers=1,
    )


def _figures(result: holdem.EquityResult) -> list[float | None]:
    return [player.equity for player in result.players]


def equity_of(shape: Shape) -> Program:
    """Return the program that asks `holdem.equity` questions of a shape."""
    return Program(TEXT, ask, shape, ours=True, figures=_figures)


def _work(
    key: str,
    title: str,
    shape: Shape,
    *,
    text: bool = True,
    compiled: bool = True,
    prepare: Callable[[Question], list[Callable[[], Any]]] | None = None,
    beside: Sequence[Program] = (),
) -> Work:
    """Return work for `holdem.equity`, the compiled method and other programs."""
    programs = []
    if text:
        programs.append(equity_of(shape))
    if compiled:
        ready = prepare or _prepared
        programs.append(Program(COMPILED, _run_all, lambda number: ready(shape(number)), ours=True))
    return Work(key, SECTION, title, "s", [*programs, *beside])


def _run_all(tasks: list[Callable[[], Any]]) -> None:
    for task in tasks:
        task()


def _prepared(question: Question) -> list[Callable[[], Any]]:
    """Prepare a question; the rest is the compiled method or the sums of the table."""
    spot = make_spot(question.players, question.board, question.dead)
    plan = make_plan(spot, "exact")
    assert plan.chosen is not None
    return _calls(plan.chosen.method(spot))


def _enumerated(question: Question) -> list[Callable[[], Any]]:
    spot = make_spot(question.players, question.board, question.dead)
    return _calls(KnownHands(spot))


def _calls(method: ExactMethod) -> list[Callable[[], Any]]:
    """Return the tasks of a method as calls; if it has none, a call that computes its sums."""
    method.prepare()
    tasks = list(method.tasks())
    if tasks:
        return [partial(task.call, Workers(1)) for task in tasks]
    return [lambda: method.player_sums() or method.totals()]  # as `holdem.equity` does


def _rivers(key: str, title: str, held: str) -> Work:
    """Time the kernel on several rivers per call, because a call's overhead equals a river."""
    from holdem.odds.exact.sweep import lay_out_combos
    from holdem.odds.exact.two_ranges import sweep_boards

    shape = Shape((held, held), RIVER)
    spot = make_spot((held, held))
    sweep = TwoRanges(spot)
    sweep.prepare()
    combos = lay_out_combos(sweep.combos, tables_of(STANDARD))
    weights = np.ascontiguousarray(spot.all_weights[:1, sweep.combos]).astype(np.int64)
    orbit_sizes = np.ones(_RIVERS, dtype=np.uint8)

    def boards(number: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        # The same 24 in a different order each time, because the time depends on the suits.
        texts = [shape(number + step).board for step in range(_RIVERS)]
        cards = np.array([holdem.parse_cards(text) for text in texts], dtype=np.uint8)
        return cards, np.zeros((*weights.shape, 2), dtype=np.int64)

    def sweep_all(rivers: tuple[NDArray[np.uint8], NDArray[np.int64]]) -> None:
        cards, sums = rivers
        sweep_boards(cards, orbit_sizes, combos, weights, sums)

    programs = [
        Program(COMPILED, sweep_all, boards, _RIVERS, ours=True),
        Program(
            "one river per Python call",
            _run_all,
            lambda number: _prepared(shape(number)),
            ours=True,
        ),
    ]
    note = f"rivers: the compiled method is called for {_RIVERS} rivers at a time"
    return Work(key, SECTION, title, "s", programs, note=note)


def _all_matchups() -> Work:
    """Find and count all match-ups of two hands up to suit isomorphism and order."""

    def count(_number: int) -> Any:
        heroes = np.concatenate([np.repeat(s.heroes, len(s.opponents)) for s in list_shapes()])
        others = np.concatenate([np.tile(s.opponents, len(s.heroes)) for s in list_shapes()])
        apart = (COMBO_SETS[heroes] & COMBO_SETS[others]) == 0
        images = permuted_combos()
        first, second = images[:, heroes[apart]], images[:, others[apart]]
        codes = np.minimum(first * COMBO_COUNT + second, second * COMBO_COUNT + first).min(axis=0)
        found = np.unique(codes)
        holes = COMBO_CARDS[np.stack([found // COMBO_COUNT, found % COMBO_COUNT], axis=1)]
        assert len(holes) == 47_008
        return count_known_hands(tables_of(STANDARD).seven, holes[order_by_ranks(holes)])

    program = Program("known hands", count, ours=True)
    title = "all 47,008 match-ups of two hands, from scratch"
    return Work("all match-ups", SECTION, title, "s", [program])


def poker_equity_on(shape: Shape) -> list[Program]:
    """Return poker_equity's program for questions of a shape, in a list; none if it is missing."""
    if "poker_equity" not in peers.installed():
        return []
    exact_from_text = peers.installed()["poker_equity"].exact_from_text

    def texts(number: int) -> tuple[list[str], str]:
        asked = shape(number)
        hands = [player.replace("random", "**") for player in asked.players]
        return hands, " ".join(str(card) for card in holdem.parse_cards(asked.board))

    return [
        Program(
            "poker_equity",
            lambda asked: exact_from_text("holdem", *asked),
            texts,
            figures=lambda found: [player["equity"] for player in found["players"]],
        )
    ]
