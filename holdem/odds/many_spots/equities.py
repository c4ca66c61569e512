"""`holdem.equities`: the equities of many spots at once."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import attrs

from holdem.arguments import require_text
from holdem.dealing.seeds import Seed, resolve_seed
from holdem.errors import HoldemValueError, HoldemWarning, SpotError, counted, quoted
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import REGISTRY, EvaluatorLike, get_evaluator
from holdem.jobs.run import Results, run, run_inline
from holdem.jobs.workers import count_workers
from holdem.odds.bounds import Bounds, check_bounds
from holdem.odds.equity import check_method, unused_note
from holdem.odds.many_spots.columns import Column
from holdem.odds.many_spots.equal_spots import EqualSpots
from holdem.odds.many_spots.equity_table import EquityTable
from holdem.odds.many_spots.job import SpotsJob
from holdem.odds.many_spots.spot_columns import read_columns
from holdem.odds.many_spots.validity import find_error, find_invalid_spots, find_spots_without_deal
from holdem.odds.plan import Method
from holdem.odds.spot import check_names


def equities(
    *players: Column,
    board: Column = None,
    dead: Column = None,
    method: Method = "auto",
    deals: int | None = None,
    stderr: float | None = None,
    time: float | None = None,
    relative: float | None = None,
    seed: Seed | None = None,
    workers: int | None = None,
    evaluator: EvaluatorLike | None = None,
    progress: bool = False,
    errors: Literal["raise", "nan"] = "raise",
    dask: Any = None,
    names: Sequence[str] | None = None,
) -> EquityTable:
    """Compute the equities of many spots.

    An exact answer equals the answer of `holdem.equity` to the last bit. Each sampled answer has a
    separate random stream. The stream depends only on the seed, on the spot, and on how many equal
    spots precede it in the call, so that the answers to equal spots are independent.

    Args:
        *players: 2 to 10 players. Each is text, a `Range` or two `Card` objects for all spots, or a
            column with one of these for each spot: a list, a numpy array, or a column of pandas,
            polars or pyarrow. An array of integers ``(spot, 2)`` contains the ids of hole cards.
            Ids are always in rows of two: ``[[51, 47]]`` is one spot, and ``[51, 47]`` is an error.
            After the second player, None, NaN and empty text stand for no player. All pandas Series
            must have the same index, and `to_frame` of the result uses this index.
        board: None, text or cards for all spots, or a column with one of these for each spot, such
            as ``uint8 (spot, card)``. Empty text is a board without cards. A missing board also has
            no cards, but causes a warning if other boards are given. None and NaN are missing
            boards; in rows of ids, -1, 255 and masked elements stand for missing cards.
        dead: cards that are out of play, in the same forms as `board`.
        method: as in `holdem.equity`, for each spot.
        deals: stop sampling a spot after this many deals.
        stderr: stop sampling a spot at this standard error.
        time: stop sampling a spot after this many seconds. With ``method="exact"``, a spot that
            takes longer has an error instead of an answer. Answers then depend on the speed of the
            machine.
        relative: stop sampling a spot once each standard error is at most this part of its equity,
            as in `holdem.equity`.
        seed: 0..2^64-1 or a SeedSequence; if None, a seed is drawn, and the result reports it.
        workers: the number of threads; None means one per core. Answers do not depend on it.
        evaluator: a name, an `EvaluatorSpec` or a `RuleSet`; None for the default evaluator.
        progress: show a progress bar on standard error.
        errors: ``"raise"`` to raise the error of the first invalid spot, or ``"nan"`` to answer
            the others; invalid spots then have NaN, and `errors` of the result is a dictionary
            with their messages by spot number.
        dask: a `distributed.Client`, or the address of a Dask scheduler, to answer the spots on
            the workers of that cluster; `workers` then has no effect. Answers do not depend on it.
        names: a name for each player, such as ``["BTN", "BB"]``, for tables, charts and JSON. The
            names of the columns of data frames do not change.

    Warns:
        HoldemWarning: `deals`, `stderr`, `time` or `relative` has no effect, because all answers
            are exact; or some boards are missing, and others are not.

    Raises:
        HoldemError: a column is invalid, or, with ``errors="raise"``, a spot is invalid.
        ClusterError: the cluster cannot be reached, or a worker has other versions.
        Interrupted: Ctrl-C was pressed. The attribute ``finished`` of the exception is the table,
            with NaN for unfinished spots.

    Example:
        >>> import holdem
        >>> table = holdem.equities(["AsKs", "7h7d"], "QQ+", board=["Td9d2c", "Ks7c2d"])
        >>> table.equity[:, 0].round(4)
        array([0.1524, 0.7376])
    """
    threads = count_workers(workers)
    known_as = None if names is None else check_names(names, len(players))
    settings = resolve_settings(method, deals, stderr, time, relative, seed, evaluator, errors)
    job = settings.make_job(players, board, dead)
    if note := note_on_boards(*job.spots.count_boards()):
        warnings.warn(note, HoldemWarning, stacklevel=2)
    with settings.open_dask(dask) as results:
        if results is None and job.is_quick:
            table = run_inline(job)
        else:
            table = run(job, threads, progress=progress, results=results)
    table = attrs.evolve(table, names=known_as)
    settings.require_answers(table)
    if table.exact.any() and table.seed is None and (note := settings.unused_note()):
        warnings.warn(note, HoldemWarning, stacklevel=2)
    return table


def note_on_boards(missing: int, given: int) -> str:
    """Write a note that some boards are missing; return "" if none or all of them are missing."""
    if not (missing and given):
        return ""
    verb = "is" if missing == 1 else "are"
    spots = f"{counted(missing, 'spot')} without a board, beside {given:,} with one,"
    return f"{spots} {verb} answered before the flop"


@attrs.frozen(eq=False)
class Settings:
    """The validated keyword arguments of `equities`, which apply to all spots."""

    evaluator: Evaluator
    method: Method
    bounds: Bounds
    seed: int
    raises: bool
    """Whether an invalid spot raises an error."""
    given: tuple[str, ...]
    """Which of the limits, such as ``"deals"``, were given."""

    def make_job(
        self,
        players: Sequence[Column],
        board: Column,
        dead: Column,
        errors: Mapping[int, str] | None = None,
        equal: EqualSpots | None = None,
    ) -> SpotsJob:
        """Create the job that computes the equities of the valid spots among the given ones.

        `errors` are the messages of spots that are known to be invalid, by spot number. `equal` are
        the counts of equal spots in the earlier chunks of a file, which are continued; None for a
        new count.
        """
        evaluator = self.evaluator
        spots = read_columns(players, board, dead, evaluator.rules)
        spots.errors.update(errors or {})
        wrong = find_invalid_spots(spots, evaluator).tolist()
        if wrong and self.raises:  # without the messages of the others: they take time
            wrong = sorted([*wrong, *find_spots_without_deal(spots, evaluator, wrong)])
            raise _make_error(
                wrong[0], find_error(spots, wrong[0], evaluator), len(wrong), len(spots)
            )
        messages = {spot: find_error(spots, spot, evaluator) or "" for spot in wrong}
        return SpotsJob(spots, messages, evaluator, self.method, self.bounds, self.seed, equal)

    @contextmanager
    def open_dask(self, dask: Any) -> Iterator[Results | None]:
        """Connect to a Dask cluster in a ``with`` statement, and yield `DaskTasks.results`.

        `dask` is a `distributed.Client`, the address of a scheduler, or None, for which None is
        yielded.
        """
        if dask is None:
            yield None
        else:
            from holdem.dask_tasks import open_tasks

            with open_tasks(dask, [REGISTRY.key_of(self.evaluator)]) as tasks:
                yield tasks.results

    def require_answers(self, table: EquityTable) -> None:
        """Raise `SpotError` for the first spot without an answer, if `raises` is True."""
        if table.errors and self.raises:
            first = min(table.errors)
            raise _make_error(first, table.errors[first], len(table.errors), len(table))

    def unused_note(self) -> str:
        """Write a note that `given` arguments do not affect exact answers; "" if none is given.

        With a `method` other than ``"auto"``, it is "", too.
        """
        return unused_note(self.given if self.method == "auto" else ())


def resolve_settings(
    method: Method,
    deals: int | None,
    stderr: float | None,
    time: float | None,
    relative: float | None,
    seed: Seed | None,
    evaluator: EvaluatorLike | None,
    errors: str,
) -> Settings:
    """Validate the arguments of `equities` for all spots; draw a seed if none is given."""
    require_text(errors, "errors")
    if errors not in ("raise", "nan"):
        raise HoldemValueError(f"errors is 'raise' or 'nan', not {quoted(errors)}")
    check_method(method, deals, stderr, relative)
    bounds = check_bounds(deals, stderr, time, relative)
    given = {"deals": deals, "stderr": stderr, "time": time, "relative": relative}
    names = tuple(name for name, value in given.items() if value is not None)
    ranking = get_evaluator(evaluator)
    return Settings(ranking, method, bounds, resolve_seed(seed), errors == "raise", names)


def _make_error(spot: int, message: str | None, count: int, total: int) -> SpotError:
    others = f"\n{count:,} of {total:,} spots are invalid" if count > 1 else ""
    return SpotError(f"spot {spot}: {message}{others}", spot=spot)
