"""`holdem.equity`: from a question in text to its answer."""

from __future__ import annotations

import time as clock
from math import ulp

import attrs

from holdem.arguments import checked_integer, checked_number
from holdem.cards import CardsLike
from holdem.dealing.seeds import resolve_seed
from holdem.errors import Interrupted, SpotError, quoted
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.jobs.old_progress import Progress
from holdem.jobs.ordered import count_workers
from holdem.odds.exact.run import ExactSums, cut_players, exact_players, run_exactly
from holdem.odds.plan import METHODS, SHORT, Method, Plan, make_plan
from holdem.odds.result import EquityResult, evaluator_label
from holdem.odds.sampling.old_sample import Sample, sample
from holdem.odds.sampling.players import sampled_players
from holdem.odds.sampling.run_state import Bounds
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import Spot, make_spot
from holdem.ranges.range import Range

#: The error that a sampled run stops at when no bound is given.
DEFAULT_STDERR = 0.0005

MAX_DEALS = BLOCK << 32  # so many have random streams of their own
LEAST_STDERR = 1e-6  # 2.5e11 deals of a coin flip
MAX_SECONDS = 1e7


def equity(
    *players: str | Range,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    method: Method = "auto",
    deals: int | None = None,
    stderr: float | None = None,
    time: float | None = None,
    seed: int | None = None,
    workers: int | None = None,
    evaluator: str | Evaluator | EvaluatorSpec | None = None,
    progress: bool = False,
) -> EquityResult:
    """Compute what each player can expect to win of the pot.

    Args:
        *players: 2 to 10, each a `Range` or text: ``"AsKs"``, ``"QQ+, AKs"``, ``"random"``.
        board: 0, 3, 4 or 5 cards.
        dead: cards out of play.
        method: ``"exact"``, ``"monte-carlo"``, or ``"auto"``: exact where its cost, counted in
            evaluations, is within `holdem.odds.plan`'s budget.
        deals: stop after so many sampled deals.
        stderr: stop once the largest standard error of the players' equities is this small.
        time: stop after so many seconds. Whichever comes first; without any of the three a
            sampled run ends at ``stderr=0.0005``.
        seed: 0..2^53-1; one is drawn, and reported, if None.
        workers: threads; all cores if None. The answer does not depend on it.
        evaluator: a name, a spec, or None for the default.
        progress: show a progress bar on standard error.

    Returns:
        The result; ``method="exact"`` with `time` may end before it is complete, and then has
        no equity.

    Raises:
        HoldemError: one of its kinds; the message says what is wrong and what would work.
        Interrupted: Ctrl-C, a `KeyboardInterrupt` that carries the result so far as
            ``finished``.
    """
    asked = prepare(
        *players,
        board=board,
        dead=dead,
        method=method,
        deals=deals,
        stderr=stderr,
        time=time,
        seed=seed,
        workers=workers,
        evaluator=evaluator,
    )
    return asked.answer(progress=progress)


@attrs.frozen(eq=False)
class Question:
    """What was asked, checked and planned, and not yet answered."""

    spot: Spot
    plan: Plan
    bounds: Bounds
    seed: int
    workers: int
    limited: bool
    """Whether an exact run may be cut by the bound of time."""
    without_effect: tuple[str, ...]
    """The bounds that were given and that the plan has no use for: an exact answer has none."""

    def answer(self, *, progress: bool) -> EquityResult:
        """Carry out the plan; see `equity`."""
        return answer(
            self.spot,
            self.plan,
            self.bounds,
            self.seed,
            self.workers,
            limited=self.limited,
            progress=progress,
        )


def prepare(
    *players: str | Range,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    method: Method = "auto",
    deals: int | None = None,
    stderr: float | None = None,
    time: float | None = None,
    seed: int | None = None,
    workers: int | None = None,
    evaluator: str | Evaluator | EvaluatorSpec | None = None,
) -> Question:
    """Check a question and plan its answer; arguments and errors are those of `equity`."""
    _check_method(method)
    bounds = check_bounds(deals, stderr, time)
    if method == "exact" and (deals is not None or stderr is not None):
        raise SpotError("method exact takes no deals and no stderr: it runs over all deals")
    chosen_seed = resolve_seed(seed)
    threads = count_workers(workers)
    spot = make_spot(players, board, dead, evaluator)
    plan = make_plan(spot, method)
    given = (("deals", deals), ("stderr", stderr), ("time", time))
    unused = method == "auto" and plan.method == "exact"
    without_effect = tuple(name for name, value in given if unused and value is not None)
    limited = method == "exact"
    return Question(spot, plan, bounds, chosen_seed, threads, limited, without_effect)


def answer(
    spot: Spot,
    plan: Plan,
    bounds: Bounds,
    seed: int,
    workers: int,
    *,
    limited: bool,
    progress: bool,
) -> EquityResult:
    """Carry out a plan.

    Args:
        spot: the question.
        plan: made for it.
        bounds: of a sampled run; its time also limits an exact one if `limited`.
        seed: of a sampled run.
        workers: threads.
        limited: whether an exact run may be cut by the bound of time.
        progress: show a progress bar on standard error.
    """
    begun = clock.perf_counter()
    if plan.way is not None:
        return _exactly(spot, plan, bounds.time if limited else None, workers, begun, progress)
    sampler = Sampler(spot, seed)

    def report(drawn: Sample) -> EquityResult:
        return EquityResult(
            method="monte-carlo",
            exact=False,
            deals=drawn.deals,
            stop=drawn.stop,
            board=spot.board,
            dead=spot.dead,
            seed=seed,
            evaluator=evaluator_label(spot),
            elapsed=clock.perf_counter() - begun,
            players=sampled_players(sampler, drawn.counts),
        )

    with Progress(progress, "deals", bounds.deals) as bar:
        try:
            return report(sample(sampler, bounds, workers, bar.sampled if progress else None))
        except Interrupted as interruption:
            drawn = interruption.finished
            if isinstance(drawn, Sample) and drawn.deals > 0:
                raise Interrupted(report(drawn)) from None
            raise Interrupted(None) from None


def _exactly(
    spot: Spot, plan: Plan, time: float | None, workers: int, begun: float, progress: bool
) -> EquityResult:
    assert plan.way is not None
    way = plan.way
    short = spot.evaluator.is_fused and way.evaluations <= SHORT

    def report(found: ExactSums) -> EquityResult:
        complete = bool(found.sums)
        return EquityResult(
            method="exact",
            exact=complete,
            deals=(plan.deals or 0) if complete else 0,
            stop="exhausted" if complete else "interrupted",
            board=spot.board,
            dead=spot.dead,
            seed=None,
            evaluator=evaluator_label(spot),
            players=exact_players(spot, found) if complete else cut_players(spot),
            elapsed=clock.perf_counter() - begun,
            progress=found.done,
        )

    with Progress(progress, "%", 100) as bar:
        try:
            return report(run_exactly(way, workers, time, bar.part_done, short=short))
        except Interrupted as interruption:
            found = interruption.finished
            assert isinstance(found, ExactSums)
            raise Interrupted(report(found)) from None


def check_bounds(deals: int | None, stderr: float | None, time: float | None) -> Bounds:
    """Check the bounds of a sampled run and fill in the default.

    Raises:
        SpotError: a number out of bounds, with the bounds.
        HoldemTypeError: not a number.
    """
    if deals is not None:
        deals = check_deals(deals)
    if stderr is not None:
        bounds = f"from {LEAST_STDERR:g} up to 1"
        stderr = checked_number(stderr, "stderr", LEAST_STDERR, 1.0, SpotError, bounds)
    if time is not None:
        bounds = f"above 0 and up to {MAX_SECONDS:g}"
        time = checked_number(time, "time", ulp(0.0), MAX_SECONDS, SpotError, bounds)
    if deals is None and stderr is None and time is None:
        stderr = DEFAULT_STDERR
    return Bounds(deals, stderr, time)


def check_deals(deals: int) -> int:
    """Return a number of deals, checked.

    Raises:
        SpotError: not 1 to `MAX_DEALS`.
        HoldemTypeError: not an integer.
    """
    bounds = f"from 1 to {MAX_DEALS:,}"
    return checked_integer(deals, "deals", 1, MAX_DEALS, SpotError, bounds)


def _check_method(method: object) -> None:
    if method not in METHODS:
        raise SpotError(f"no method {quoted(method)}; there are: {', '.join(METHODS)}")
