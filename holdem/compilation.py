"""`warm_up`, which compiles all kernels, so that later processes load them from the disk cache.

Numba compiles a kernel for the types of its arguments when it is first called with them. `warm_up`
therefore makes small calls in which every kernel is called with all types that occur.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from holdem.betting.settlement import settle
from holdem.errors import EvaluatorError, HoldemWarning, one_line
from holdem.evaluation.builtin.lookup import compile_rank_one
from holdem.evaluation.builtin.lookup_tables import tables_of
from holdem.evaluation.conformance.hands import every_hand, oracle, random_hands
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import REGISTRY
from holdem.jit.kernels import always_use_kernels, import_numba
from holdem.jobs.run import progress_bar
from holdem.jobs.workers import in_worker_thread
from holdem.matches.decisions import Decisions
from holdem.matches.match import play
from holdem.odds.bounds import Bounds
from holdem.odds.equity import equity
from holdem.odds.equity_matrix import equity_matrix
from holdem.odds.flops import compute_flops
from holdem.odds.hits import hits
from holdem.odds.many_spots.equities import equities
from holdem.odds.next_cards import NextCards
from holdem.odds.spot import make_spot
from holdem.plugins.guard import GuardedCall
from holdem.plugins.manager import PLUGINS, Origin
from holdem.rules import STANDARD
from holdem.trials.aggregation import aggregate
from holdem.trials.contest import head_to_head
from holdem.trials.simulation import simulate

_FLOP, _TURN, _RIVER = "9h8d7c", "9h8d7cJc", "9h8d7cJcTc"
_HOLES = ("AsKs", "QdQh", "JdTh")
_RANGES = ("AK", "QQ", "JT")
_WIDE = ("22+", "A2+", "K2+")
# Weights with many digits are split into several integers each.
_WEIGHTED = ("22+:0.123456789123,AK", "A2+:0.987654321987,KK", "K2+:0.3,TT:0.7")
_MANY_HANDS = 5000  # enough to be validated by a kernel

_Step = Callable[[], object]


def warm_up(*, progress: bool = False) -> None:
    """Compile every kernel of the engine and of all installed evaluators, and cache the code.

    Later processes then load machine code from the disk cache, which takes milliseconds, instead
    of compiling for seconds. This is useful when an image is built, or before a timed run. A
    second call finds everything in the cache. ``holdem warm-up`` does the same.

    Args:
        progress: show a progress bar on standard error.

    Raises:
        HoldemRuntimeError: numba cannot be imported.

    Warns:
        HoldemWarning: an evaluator cannot be used, or compiled code cannot be cached.
    """
    import_numba()
    always_use_kernels()
    steps = list(_steps())
    with progress_bar(progress, "steps", len(steps)) as bar:
        for name, step in steps:
            bar.set_description_str(name)
            try:
                in_worker_thread(step)
            except EvaluatorError as error:
                warnings.warn(f"{name} is not compiled: {error}", HoldemWarning, stacklevel=2)
            bar.update(1)


def _steps() -> Iterator[tuple[str, _Step]]:
    """Yield the steps of `warm_up`: pairs of a name for the progress bar and a function to call."""
    for record in REGISTRY.records():
        if record.status != "disabled":
            yield record.name, partial(_rank_hands, record.name)
    yield "single hands", _rank_one_hand
    yield "conformance", _list_and_check_hands
    lookup, reference = REGISTRY.get("lookup"), REGISTRY.get("reference")
    for evaluator in (lookup, reference.direct):  # by tables, and called with arrays
        yield f"equity ({evaluator.name})", partial(_equity, evaluator)
        yield f"sampling ({evaluator.name})", partial(_sample, evaluator)
        yield f"trials ({evaluator.name})", partial(_trials, evaluator)
    yield "equity before the flop", _equity_preflop
    yield "many spots", _many_spots
    yield "pots", _settle_pots
    yield "matches", _play
    yield "hits", partial(hits, "AsKs")
    for offer in PLUGINS.call("holdem_warm_up", _read_steps):
        for name, step in offer.answer.items():
            yield name, partial(_run_guarded, offer.plugin, step)


def _run_guarded(plugin: str, step: _Step) -> None:
    with GuardedCall(f"plugin {plugin}: "):
        step()


def _read_steps(answer: object, _: Origin) -> Mapping[str, _Step]:
    if isinstance(answer, Mapping) and all(map(callable, answer.values())):
        return {str(name): step for name, step in answer.items()}
    raise EvaluatorError(
        f"holdem_warm_up returned {one_line(repr(answer), 100)}, not a mapping from names to"
        " functions"
    )


def _rank_hands(name: str) -> None:
    evaluator = REGISTRY.get(name)
    deck = np.array(evaluator.rules.deck, dtype=np.uint8)
    for size in (5, 6, 7):
        evaluator.strengths(deck[None, :size])


def _rank_one_hand() -> None:
    compile_rank_one(tables_of(STANDARD))
    REGISTRY.get("lookup").strengths(np.tile(np.arange(7, dtype=np.uint8), (_MANY_HANDS, 1)))


def _list_and_check_hands() -> None:
    oracle(STANDARD).levels(next(iter(every_hand(STANDARD, 5))))
    random_hands(STANDARD, 7, 1, seed=1)


def _equity(evaluator: Evaluator) -> None:
    for ranges in (_HOLES, _RANGES, _WIDE, _WEIGHTED):
        for players in (2, 3):
            result = equity(*ranges[:players], board=_RIVER, evaluator=evaluator)
            result.compute("category")
    equity(*_HOLES, board=_TURN, evaluator=evaluator)
    equity_matrix(*_RANGES[:2], board=_TURN, evaluator=evaluator)


def _equity_preflop() -> None:
    for players in (2, 3):
        equity(*_HOLES[:players], dead="2c").compute("category")
    equity("random", "random", "random", board=_TURN)  # over classes of boards
    # All flops need the kernel that lists boards, as do ranges before the flop, which take seconds.
    spot = make_spot(("AA", "KK"), None, None)
    compute_flops(NextCards(spot, "exact", Bounds(), 0, 1), 0, 2000)


def _sample(evaluator: Evaluator) -> None:
    for players in (_RANGES[:2], _RANGES, ("random",) * 6, ("JJ+,AK",) * 8):
        equity(*players, method="monte-carlo", deals=1000, seed=1, evaluator=evaluator)


def _trials(evaluator: Evaluator) -> None:
    head_to_head("AK", "QQ", deals=100, seed=1, evaluator=evaluator)
    aggregate(players=3, hands=100, seed=1, evaluator=evaluator)
    next(iter(simulate(players=3, hands=1, seed=1, evaluator=evaluator)))


def _many_spots() -> None:
    for board in (_FLOP, _TURN, _RIVER):
        for villain in ("QdQh", "random", "QQ,AK"):
            equities(["AsKs"], villain, board=board)


def _settle_pots() -> None:
    for board in (None, _RIVER):
        settle([(1.0, (0, 1))], _HOLES[:2], board=board)


def _play() -> None:
    play([_look_at_everything] * 3, hands=100, stacks=20, seed=1, record=10, runouts=16)


def _look_at_everything(decision: Decisions) -> object:
    """Raise, and use each array that a kernel computes."""
    for name in ("percentile", "category", "board", "winnable", "actions", "live"):
        getattr(decision, name)
    return np.where(decision.random < 0.5, decision.min_raise, 0)
