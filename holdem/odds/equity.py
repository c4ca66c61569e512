"""The public function `equity`, and `Query`, a validated call of it that is ready to run."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from inspect import signature
from typing import Any, Never

import attrs

from holdem.advice import advise
from holdem.arguments import require_text
from holdem.cards import CardsLike
from holdem.dealing.seeds import Seed, resolve_seed
from holdem.errors import (
    HoldemTypeError,
    HoldemWarning,
    Interrupted,
    SpotError,
    did_you_mean,
    quoted,
)
from holdem.evaluation.registry import EvaluatorLike
from holdem.jobs.run import OnPartial, run, run_inline
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.bounds import Bounds, check_bounds
from holdem.odds.breakdown import By
from holdem.odds.exact.exact_run import ExactRun
from holdem.odds.exact.random_opponents import RandomOpponents
from holdem.odds.late_breakdowns import LateBreakdowns
from holdem.odds.plan import METHODS, Method, Plan, make_plan
from holdem.odds.result import EquityResult, set_board_breakdown
from holdem.odds.spot import PlayerLike, Spot, make_spot


def equity(
    *players: PlayerLike,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    method: Method = "auto",
    deals: int | None = None,
    stderr: float | None = None,
    time: float | None = None,
    relative: float | None = None,
    seed: Seed | None = None,
    workers: int | None = None,
    evaluator: EvaluatorLike | None = None,
    progress: bool = False,
    names: Sequence[str] | None = None,
    **_unknown: Never,
) -> EquityResult:
    """Compute each player's equity.

    Args:
        *players: 2 to 10, each a `Range`, text (``"AsKs"``, ``"QQ+, AKs"``, ``"random"``) or two
            cards, such as a `Combo` or what `Deck.deal` returns.
        board: up to five cards, as text or a sequence; as for `parse_cards`.
        dead: cards out of play.
        method: ``"exact"``, ``"monte-carlo"``, or ``"auto"``: exact if its cost in evaluations
            is within the budget of `holdem.odds.plan`, whatever the bounds below. They end sampling
            only.
        deals: stop after this many sampled deals.
        stderr: stop once the largest standard error of the players' equities is this small.
        time: stop after this many seconds.
        relative: stop once each standard error is at most this part of its equity, such as 0.05.
            Without another bound, a run with an equity that is still 0, or may be, ends after
            16,777,216 deals (its relative error is above 0.5). The first bound that is met ends the
            run. If none of the four is given, the bound is ``stderr=0.0005``.
        seed: 0..2^64-1 or a SeedSequence; if None, a seed is drawn and reported.
        workers: the number of threads; all cores if None. The answer does not depend on it.
        evaluator: a name, an `EvaluatorSpec` or a `RuleSet`; None for the default evaluator.
        progress: show a progress bar on standard error.
        names: a name for each player, such as ``["BTN", "BB"]``, for tables, charts and JSON.

    Returns:
        The result. With ``method="exact"`` and `time`, the run may end before it is complete;
        the result then has no equities.

    Raises:
        HoldemError: an argument is invalid, or the answer would take too long to compute.
        Interrupted: Ctrl-C was pressed. This is a `KeyboardInterrupt` that carries the result
            so far as ``finished``.

    Example:
        >>> import holdem
        >>> result = holdem.equity("AsKs", "QQ+", board="Td9d2c")
        >>> result.players[0].wins, result.deals
        (1811, 11880)
        >>> round(result.players[0].equity, 4)
        0.1524
    """
    if _unknown:
        raise HoldemTypeError(_describe_unknown(next(iter(_unknown))))
    query = make_query(
        *players,
        board=board,
        dead=dead,
        method=method,
        deals=deals,
        stderr=stderr,
        time=time,
        relative=relative,
        seed=seed,
        workers=workers,
        evaluator=evaluator,
        names=names,
    )
    if query.unused_bounds:
        warnings.warn(query.unused_note(), HoldemWarning, stacklevel=2)
    return query.answer(progress=progress)


def _describe_unknown(name: str) -> str:
    """Say that `equity` has no argument of a name, and which was meant."""
    known = list(signature(equity).parameters)[1:-1]
    advice = advise(f"equity(): {name}=")
    hint = f"; {advice}" if advice else did_you_mean(name, known)
    return f"equity has no argument {quoted(name)}" + (hint or f"; it has {', '.join(known)}")


@attrs.frozen(eq=False)
class Query:
    """A validated call of `equity` and its plan, ready to run."""

    spot: Spot
    plan: Plan
    bounds: Bounds
    seed: int | None
    """The seed; None if none was given and the answer is exact."""
    workers: int
    limits_exact: bool
    """Whether the time bound also applies to an exact run."""
    unused_bounds: tuple[str, ...] = ()
    """The bounds that were given but have no effect because the answer is exact."""
    stream: tuple[str, ...] = ()
    """The name, in several parts, of the stream of random numbers of a sampled answer. The streams
    of one seed with different names are independent of each other."""

    def unused_note(self, prefix: str = "") -> str:
        """Explain in a sentence that `unused_bounds` have no effect; empty if there are none."""
        return unused_note(self.unused_bounds, prefix)

    def answer(
        self,
        *,
        progress: bool = False,
        within: Workers | None = None,
        on_partial: OnPartial | None = None,
    ) -> EquityResult:
        """Compute the result by the planned method.

        `on_partial` is called up to ten times a second with the result of the deals sampled so far,
        or with None if there are none; of an exact run, with its `progress` and no equities.
        """
        compute = self._compute_board_breakdown
        try:
            chosen = self.plan.chosen
            if chosen is None:
                result = self._sample(progress, within, on_partial)
            elif self.plan.is_quick:
                quick = chosen.method(self.spot)
                late = None
                if isinstance(quick, RandomOpponents):
                    is_bounded = self.limits_exact and self.bounds.time is not None
                    budget = 0 if is_bounded else self.plan.budget
                    late = LateBreakdowns(quick, budget, self.workers)
                result = run_inline(ExactRun(quick, self.workers, late))
            else:
                exact = ExactRun(chosen.method(self.spot), self.workers)
                seconds = self.bounds.time if self.limits_exact else None
                result = run(
                    exact,
                    self.workers,
                    seconds=seconds,
                    progress=progress,
                    within=within,
                    on_partial=on_partial,
                )
        except Interrupted as interruption:
            finished: Any = interruption.finished
            set_board_breakdown(finished, compute)
            raise
        set_board_breakdown(result, compute)
        return result

    def _sample(
        self, progress: bool, within: Workers | None, on_partial: OnPartial | None
    ) -> EquityResult:
        from holdem.odds.sampling.run import SampledRun

        def pass_on(result: EquityResult | None) -> None:
            assert on_partial is not None
            set_board_breakdown(result, self._compute_board_breakdown)
            on_partial(result)

        assert self.seed is not None, "drawn with the plan"
        return run(
            SampledRun(self.spot, self.bounds, self.seed, *self.stream, workers=self.workers),
            self.workers,
            seconds=self.bounds.time,
            progress=progress,
            within=within,
            on_partial=pass_on if on_partial else None,
        )

    def _compute_board_breakdown(self, by: By, progress: bool, within: Workers | None) -> Any:
        """Compute the table by next card or by runout.

        Equities by runout are always exact, and those by next card if the result is exact or,
        unless sampling was requested, if the cost is within the budget.
        """
        # Imported here, as samplers are in `answer`: few results need them.
        from holdem.odds.next_cards import NextCards

        plan = self.plan
        method: Method = "exact" if plan.chosen else "monte-carlo" if plan.is_requested else "auto"
        seed = resolve_seed(self.seed)
        bounds = self.bounds
        if plan.chosen and not self.limits_exact:
            bounds = attrs.evolve(bounds, time=None)
        wanted = NextCards(self.spot, method, bounds, seed, self.workers, self.stream)
        return wanted(by, progress, within)


def make_query(
    *players: PlayerLike,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    method: Method = "auto",
    deals: int | None = None,
    stderr: float | None = None,
    time: float | None = None,
    relative: float | None = None,
    seed: Seed | None = None,
    workers: int | None = None,
    evaluator: EvaluatorLike | None = None,
    names: Sequence[str] | None = None,
) -> Query:
    """Validate the arguments of `equity`, and plan the run.

    The arguments are those of `equity`, without `progress`.
    """
    check_method(method, deals, stderr, relative)
    bounds = check_bounds(deals, stderr, time, relative)
    workers = count_workers(workers)
    spot = make_spot(players, board, dead, evaluator, names=names)
    plan = make_plan(spot, method)
    is_seeded = seed is not None or plan.chosen is None
    unused: tuple[str, ...] = ()
    if method == "auto" and plan.method == "exact":
        given = {"deals": deals, "stderr": stderr, "time": time, "relative": relative}
        unused = tuple([name for name, value in given.items() if value is not None])
    return Query(
        spot,
        plan,
        bounds,
        resolve_seed(seed) if is_seeded else None,
        workers,
        method == "exact",
        unused,
    )


def unused_note(bounds: Sequence[str], prefix: str = "") -> str:
    """Explain in a sentence that bounds have no effect on an exact result; empty without bounds.

    `prefix` precedes the names of arguments: ``--`` on the command line.
    """
    if not bounds:
        return ""
    names = " and ".join(prefix + name for name in bounds)
    verb = "has" if len(bounds) == 1 else "have"
    return f"{names} {verb} no effect on an exact answer; {prefix}method monte-carlo samples"


def check_method(
    method: str, deals: int | None, stderr: float | None, relative: float | None = None
) -> None:
    """Raise an error if a method does not exist, or does not accept the given bounds."""
    require_text(method, "method")
    if method not in METHODS:
        raise SpotError(f"no method {quoted(method)}; there are: {', '.join(METHODS)}")
    if method == "exact" and not deals is stderr is relative is None:
        raise SpotError(
            "method exact takes no deals, no stderr and no relative: it runs over all deals"
        )
