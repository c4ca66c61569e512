"""`holdem.equities`: the equities of many spots at once."""

from __future__ import annotations

import warnings
from contextlib import ExitStack
from typing import Any, Literal

from holdem.dealing.seeds import resolve_seed
from holdem.errors import HoldemValueError, HoldemWarning, SpotError, quoted
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import REGISTRY, get_evaluator
from holdem.jobs.run import run
from holdem.jobs.workers import count_workers
from holdem.odds.api import check_method, unused_note
from holdem.odds.bounds import check_bounds
from holdem.odds.dask_tasks import open_tasks
from holdem.odds.many_spots.columns import Column, read_columns
from holdem.odds.many_spots.equity_table import EquityTable
from holdem.odds.many_spots.job import SpotsJob
from holdem.odds.many_spots.validity import find_error, find_invalid_spots, find_spots_without_deal
from holdem.odds.plan import Method


def equities(
    *players: Column,
    board: Column = None,
    dead: Column = None,
    method: Method = "auto",
    deals: int | None = None,
    stderr: float | None = None,
    time: float | None = None,
    seed: int | None = None,
    workers: int | None = None,
    evaluator: str | Evaluator | EvaluatorSpec | None = None,
    progress: bool = False,
    errors: Literal["raise", "nan"] = "raise",
    dask: Any = None,
) -> EquityTable:
    """Compute the equities of many spots.

    An exact answer is that of `holdem.equity` for the spot, to the last bit. A sampled one is drawn
    from a stream of its own, which depends only on the seed and on the spot.

    Args:
        *players: 2 to 10. Each is text, a `Range` or two card ids, for all spots, or a column
            with one of these for each spot: a list, a numpy array, a pandas or polars column, or
            hole cards as ``uint8 (spot, 2)``. All pandas Series need equal indexes, and
            `to_frame` of the result has this index.
        board: None, text or card ids for all spots, or a column of these, such as ``uint8 (spot,
            card)``. None, NaN and empty text are a board without cards.
        dead: cards out of play, in the same forms.
        method: as in `holdem.equity`, for each spot.
        deals: stop each sampled spot after this many deals.
        stderr: stop each sampled spot at this standard error.
        time: stop each sampled spot after this many seconds, and with ``method="exact"`` each
            long exact one, which is then an error. Answers then depend on the machine.
        seed: 0..2^53-1; drawn and reported if None.
        workers: the number of threads; all cores if None. Answers do not depend on it.
        evaluator: a name, a spec, or None for the default.
        progress: show a progress bar on standard error.
        errors: ``"raise"`` to raise the error of the first invalid spot, or ``"nan"`` to answer
            the others; invalid spots then have NaN, and their messages are in `errors` of the
            result.
        dask: a `distributed.Client`, or the address of a Dask scheduler, to answer the spots on
            the workers of that cluster; `workers` then has no effect. Answers do not depend on it.

    Warns:
        HoldemWarning: `deals`, `stderr` or `time` has no effect, because all answers are exact.

    Raises:
        HoldemError: a column is invalid, or a spot with ``errors="raise"``.
        ClusterError: the cluster cannot be reached, or has no suitable worker.
        Interrupted: Ctrl-C; its ``finished`` is the table with NaN for unfinished spots.
    """
    if not isinstance(errors, str) or errors not in ("raise", "nan"):
        raise HoldemValueError(f"errors is 'raise' or 'nan', not {quoted(errors)}")
    check_method(method, deals, stderr)
    bounds = check_bounds(deals, stderr, time)
    ranking = get_evaluator(evaluator)
    seed, threads = resolve_seed(seed), count_workers(workers)
    spots = read_columns(players, board, dead, ranking.rules)
    wrong = find_invalid_spots(spots, ranking).tolist()
    if wrong and errors == "raise":  # without the messages of the others: they take time
        wrong = sorted([*wrong, *find_spots_without_deal(spots, ranking, wrong)])
        raise _make_error(wrong[0], find_error(spots, wrong[0], ranking), len(wrong), len(spots))
    messages = {spot: find_error(spots, spot, ranking) or "" for spot in wrong}
    with ExitStack() as stack:
        results = None
        if dask is not None:
            results = stack.enter_context(open_tasks(dask, [REGISTRY.key_of(ranking)])).results
        job = SpotsJob(spots, messages, ranking, method, bounds, seed)
        table = run(job, threads, progress=progress, results=results)
    if table.errors and errors == "raise":
        first = min(table.errors)
        raise _make_error(first, table.errors[first], len(table.errors), len(spots))
    given = (("deals", deals), ("stderr", stderr), ("time", time))
    unused = [name for name, value in given if value is not None]
    if unused and method == "auto" and table.exact.any() and table.seed is None:
        warnings.warn(unused_note(unused), HoldemWarning, stacklevel=2)
    return table


def _make_error(spot: int, message: str | None, count: int, total: int) -> SpotError:
    others = f"\n{count:,} of {total:,} spots are invalid" if count > 1 else ""
    return SpotError(f"spot {spot}: {message}{others}", spot=spot)
