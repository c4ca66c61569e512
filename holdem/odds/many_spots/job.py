"""The job that computes many spots: common types in batches, and all other spots one by one.

Threads or the workers of a Dask cluster run the tasks of the job. Most invalid spots are found
beforehand (`validity`) and are not computed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import read_only
from holdem.errors import BudgetError, EvaluatorError, SpotError
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import REGISTRY, get_evaluator
from holdem.jobs.requests import Request, decode_array, encode_array
from holdem.jobs.run import End, Job, Task, run_inline
from holdem.jobs.stopwatch import Stopwatch
from holdem.jobs.workers import Workers
from holdem.odds.bounds import Bounds
from holdem.odds.equity import Query
from holdem.odds.many_spots import batches
from holdem.odds.many_spots.batches import Rows
from holdem.odds.many_spots.column_readers import NO_PLAYER, make_card_sets
from holdem.odds.many_spots.columns import NO_CARD
from holdem.odds.many_spots.equal_spots import EqualSpots, group_equal_spots
from holdem.odds.many_spots.equity_table import VALUES, EquityTable
from holdem.odds.many_spots.spot_columns import SpotColumns, as_index
from holdem.odds.many_spots.validity import find_error
from holdem.odds.plan import Method, make_plan
from holdem.odds.spot import canonical_text, make_spot
from holdem.ranges.combos import COMBO_COUNT
from holdem.ranges.range import Range
from holdem.results.fields import LARGEST
from holdem.rules import RuleSet

# Groups of equal spots that are not answered in batches: the most groups in a task; and the number
# of groups in all for which each task has one more group.
_MOST_GROUPS, _MANY_GROUPS = 8, 1000
_QUICK = 4  # batches of up to a quarter of a task, 5 ms, are computed without a thread
_MOST_SPOTS = 1 << 16  # sent together to a Dask worker: some megabytes


@attrs.frozen(eq=False)
class Answers:
    """Answers to some spots: equities and other numbers by player, or an error message."""

    rows: Rows
    """The numbers of the spots, ``intp (spot,)``."""
    values: tuple[NDArray[np.float64], ...] | None
    """The equity, win, tie, lose and standard error of the players, as arrays that broadcast to
    ``(spot, player)``; None without an answer."""
    exact: NDArray[np.bool_] | bool = True
    deals: NDArray[np.int64] | int = 0
    error: str = ""
    """Why there is no answer, if `find_error` finds no reason."""


class SpotsJob(Job[list[Answers], EquityTable]):
    """Job that computes the equities of the valid spots of a `SpotColumns`."""

    unit = "spots"
    total: int

    def __init__(
        self,
        spots: SpotColumns,
        wrong: dict[int, str],
        evaluator: Evaluator,
        method: Method,
        bounds: Bounds,
        seed: int,
        draws: EqualSpots | NDArray[np.int64] | None = None,
    ) -> None:
        """Create the job; `wrong` are the messages of invalid spots, by spot number.

        `draws` makes the random streams of equal spots different: the counts of equal spots in the
        earlier chunks of a file, which are continued; None for a new count. On a Dask worker, it is
        the number of equal spots before each spot, ``int64 (spot,)``.
        """
        count, players = spots.codes.shape
        self.total = count - len(wrong)
        self.spots = spots
        self._evaluator = evaluator
        self._method: Method = method
        self._bounds = bounds
        self._seed = seed
        self._equal = None
        if isinstance(draws, np.ndarray):
            self._draws = draws
        else:
            self._draws = np.zeros(count, dtype=np.int64)
            self._equal = draws or EqualSpots()
        self._table = EquityTable(
            spots=spots,
            **{name: np.full((count, players), np.nan) for name in VALUES},
            names=None,
            exact=np.zeros(count, dtype=np.bool_),
            deals=np.zeros(count, dtype=np.int64),
            errors=dict(wrong),
            seed=None,
            evaluator=evaluator.label,
            elapsed=0.0,
        )
        self._is_left = np.ones(count, dtype=np.bool_)
        self._is_left[list(wrong)] = False

    def tasks(self) -> Iterator[Task[list[Answers]]]:
        """Yield the tasks; those of spots with the fewest players come first."""
        for spots, left in self._split_by_players():
            yield from self._tasks_of(spots, left)

    @property
    def is_quick(self) -> bool:
        """Whether every spot can be answered in batches that take only a few milliseconds."""
        done = 0
        for spots, left in self._split_by_players():
            for kind in self._find_kinds(spots, left):
                if len(kind.rows) > kind.rows_per_task // _QUICK:
                    return False
                done += len(kind.rows)
        return done == self.total

    def _split_by_players(self) -> Iterator[tuple[SpotColumns, NDArray[np.bool_]]]:
        """Yield, for each number of players, all spots cut down to it, and those to answer.

        A mask, ``bool (spot,)``, selects the spots that have this number of players and no answer
        yet.
        """
        counts = np.count_nonzero(self.spots.codes != NO_PLAYER, axis=1)
        for count in np.flatnonzero(np.bincount(counts)).tolist():
            spots = attrs.evolve(self.spots, codes=self.spots.codes[:, :count])
            yield spots, self._is_left & (counts == count)

    def _find_kinds(self, spots: SpotColumns, left: NDArray[np.bool_]) -> Iterator[batches.Kind]:
        """Yield the types of spots that are answered in batches, with the spots of each type.

        The arguments are an item of `_split_by_players`.
        """
        tables = self._evaluator.ranker.tables
        if tables is not None and self._method != "monte-carlo":
            yield from batches.kinds(spots, left, tables)

    def _tasks_of(
        self, spots: SpotColumns, left: NDArray[np.bool_]
    ) -> Iterator[Task[list[Answers]]]:
        """Yield the tasks for an item of `_split_by_players`.

        Spots that are answered in batches are removed from the mask `left`.
        """
        for kind in self._find_kinds(spots, left):
            left[kind.rows] = False
            for start in range(0, len(kind.rows), kind.rows_per_task):
                rows = kind.rows[start : start + kind.rows_per_task]
                here = partial(self._answer_batch, kind, spots, rows)
                yield self._make_task(spots, rows, here, kind.rows_per_task)
        rows = np.flatnonzero(left)
        if self._equal is not None and len(rows):
            self._draws[rows] = self._equal.count(spots, rows)
        groups = [*rows[:, None]]
        if self._method != "monte-carlo":
            groups = group_equal_spots(spots, rows)
        step = min(_MOST_GROUPS, 1 + len(groups) // _MANY_GROUPS)
        for start in range(0, len(groups), step):
            some = groups[start : start + step]
            rows = np.sort(np.concatenate(some))
            yield self._make_task(spots, rows, partial(self._answer_groups, some), 1)

    def _make_task(
        self,
        spots: SpotColumns,
        rows: Rows,
        here: Callable[[Workers], list[Answers]],
        together: int,
    ) -> Task[list[Answers]]:
        """Create the task that computes the equities of the spots `rows`, in ascending order.

        `spots` are cut down to their number of players. `here` answers them if the task runs in
        this process. `together` is the number of spots of this type that take about 20 ms; 1 if
        unknown. Only tasks with the same number are sent to a Dask worker together.
        """
        request = Request(
            here,
            partial(self._encode, spots, rows),
            answer_spots,
            partial(_decode_answers, rows),
            EvaluatorError,
            f"spots, {together:,} together",
            _MOST_SPOTS,
        )
        return Task(request, len(rows))

    def _encode(self, spots: SpotColumns, rows: Rows) -> dict[str, Any]:
        """Encode the spots `rows` and the settings as a JSON object, which `answer_spots` reads."""
        spots = spots.select(rows)
        codes, is_range = spots.codes.copy(), spots.codes >= COMBO_COUNT
        used, position = np.unique(codes[is_range], return_inverse=True)
        codes[is_range] = COMBO_COUNT + position
        return {
            "ranges": [str(spots.ranges[code - COMBO_COUNT]) for code in used.tolist()],
            "codes": encode_array(codes),
            "boards": encode_array(spots.boards),
            "dead": encode_array(spots.dead),
            "evaluator": _write_evaluator(self._evaluator),
            "direct": self._evaluator.ranked_by is not None,
            "method": self._method,
            "bounds": attrs.asdict(self._bounds),
            "seed": self._seed,
            "draws": encode_array(self._draws[rows]),
        }

    def _answer_batch(
        self, kind: batches.Kind, spots: SpotColumns, rows: Rows, workers: Workers
    ) -> list[Answers]:
        workers.require_open()
        some = spots.select(rows)
        outside = np.uint64(self._evaluator.rules.outside)
        counts = kind.count(attrs.evolve(some, dead=some.dead | outside) if outside else some)
        deals = counts[1:, :, 0].sum(axis=0)
        found = []
        is_possible = deals > 0
        if not is_possible.all():
            found = [Answers(rows[~is_possible], None)]
            rows, deals, counts = rows[is_possible], deals[is_possible], counts[:, is_possible]
        values = (*(counts / deals[:, None]), np.zeros((1, 1)))
        return [*found, Answers(rows, values, True, deals.astype(np.int64))]

    def _answer_groups(self, groups: list[Rows], workers: Workers) -> list[Answers]:
        return [found for group in groups for found in self._answer_group(group, workers)]

    def _answer_group(self, group: Rows, workers: Workers) -> Iterator[Answers]:
        """Yield the answers to a group of spots that differ only by a permutation of suits.

        If the answer is exact, it is yielded once for the whole group. Otherwise, each spot is
        sampled on its own. The name of its random stream is the spot's canonical text. From the
        second of several equal spots on, the name also contains the number of the spot among them,
        so that the answers are independent of each other. No further spot is computed once the run
        of `workers` has ended.
        """
        workers.require_open()
        try:
            query = self._make_query(int(group[0]))
        except (BudgetError, SpotError) as error:
            yield Answers(group, None, error=str(error))
            return
        if query.plan.method == "exact":
            yield self._answer(group, query, workers)
            return
        for row in group.tolist():
            workers.require_open()
            yield self._answer(np.array([row]), self._make_query(row), workers)

    def _make_query(self, row: int) -> Query:
        spots = self.spots
        spot = make_spot(
            spots.list_players(row), spots.board(row), spots.dead_cards(row), self._evaluator
        )
        plan = make_plan(spot, self._method)
        number = int(self._draws[row])
        return Query(
            spot,
            plan,
            self._bounds,
            self._seed,
            workers=1,
            limits_exact=self._method == "exact",
            stream=(canonical_text(spot), *([str(number + 1)] if number else [])),
        )

    def _answer(self, rows: Rows, query: Query, workers: Workers) -> Answers:
        try:
            result = query.answer(within=workers)
        except (BudgetError, SpotError) as error:
            return Answers(rows, None, error=str(error))
        if result.method == "exact" and not result.exact:
            return Answers(rows, None, error="stopped by time")
        values = tuple(
            np.array([[getattr(player, name) for player in result.players]]) for name in VALUES
        )
        return Answers(rows, values, result.exact, min(result.deals, LARGEST))

    def add(self, part: list[Answers]) -> bool:
        table = self._table
        for found in part:
            if found.values is None:
                for row in found.rows.tolist():
                    error = find_error(self.spots, row, self._evaluator)
                    table.errors[row] = error or found.error
            else:
                index = as_index(found.rows)
                players = found.values[0].shape[1]
                for name, values in zip(VALUES, found.values, strict=True):
                    getattr(table, name)[index, :players] = values
                table.exact[index] = found.exact
                table.deals[index] = found.deals
            self._is_left[found.rows] = False  # last, in case Ctrl-C interrupts this
        return False

    def answer(self, end: End) -> EquityTable:  # noqa: ARG002
        """Build the table of all spots with read-only arrays."""
        table = self._table
        is_sampled = ~table.exact
        is_sampled[list(table.errors)] = False
        arrays = (*VALUES, "exact", "deals")
        return attrs.evolve(
            table,
            **{name: read_only(getattr(table, name)) for name in arrays},
            errors=dict(sorted(table.errors.items())),
            seed=self._seed if is_sampled.any() else None,
            elapsed=self.stopwatch.elapsed,
        )

    def partial_answer(self) -> EquityTable:
        """Build the table; spots without an answer have NaN and the error ``interrupted``."""
        table, left = self._table, self._is_left
        table.errors.update(dict.fromkeys(np.flatnonzero(left).tolist(), "interrupted"))
        for name in VALUES:
            getattr(table, name)[left] = np.nan
        table.exact[left], table.deals[left] = False, 0
        return self.answer("complete")


class ChunksJob(Job[list[Answers], None]):
    """Job that computes the spots of a file chunk by chunk, and passes each table to a callback."""

    unit = "spots"

    def __init__(
        self, chunks: Iterator[tuple[SpotsJob, float]], take: Callable[[EquityTable], None]
    ) -> None:
        """Take each chunk's job, and the part of the file read at its end, 0 to 1; 0 if unknown.

        The iterator is advanced when the tasks of a chunk are needed. `take` is called with the
        table of each chunk in the main thread.
        """
        self._chunks = chunks
        # False while the callback runs: Ctrl-C may then leave a table processed in part.
        self.is_between_chunks = True
        self._take = take
        self._open: deque[list[Any]] = deque()  # chunks, each with the number of its tasks left
        self._spots = 0

    def tasks(self) -> Iterator[Task[list[Answers]]]:
        for job, share in self._chunks:
            self._spots += job.total
            self.total = self._spots / share if share else None
            job.stopwatch = Stopwatch()
            tasks = list(job.tasks())
            self._open.append([job, len(tasks)])
            yield from tasks

    def add(self, part: list[Answers]) -> bool:
        self.take_finished()
        job, left = self._open[0]
        job.add(part)
        self._open[0][1] = left - 1
        self.take_finished()
        return False

    def take_finished(self) -> None:
        """Pass the tables of the finished chunks to the callback, in the order of the file.

        Call this once more after the run, because the last chunks may have no tasks.
        """
        while self._open and not self._open[0][1]:
            self.is_between_chunks = False
            self._take(self._open[0][0].answer("complete"))
            self._open.popleft()
            self.is_between_chunks = True

    def answer(self, end: End) -> None:
        """Return None, because each table has already been passed to the callback."""

    def partial_answer(self) -> EquityTable | None:
        """Build the table of the first unfinished chunk; return None if there is none."""
        return self._open[0][0].partial_answer() if self._open else None


_read_range = lru_cache(maxsize=256)(Range)


def _write_evaluator(evaluator: Evaluator) -> str | list[Any]:
    """Encode an evaluator for JSON: its name or, if it was made from a rule set, a list.

    The list has the rule set's name, ranks and categories.
    """
    key = REGISTRY.key_of(evaluator)
    if isinstance(key, RuleSet):
        return [key.name, key.ranks, [*key.categories]]
    return evaluator.name


def _read_evaluator(record: str | list[Any], *, direct: bool) -> Evaluator:
    key = record if isinstance(record, str) else RuleSet(*record)
    return get_evaluator(key, direct=direct)


def answer_spots(record: Mapping[str, Any]) -> dict[str, Any]:
    """Compute, on a Dask worker, the equities of valid spots encoded by `SpotsJob`."""
    boards = decode_array(record["boards"]).astype(np.uint8)
    spots = SpotColumns(
        ranges=[_read_range(text) for text in record["ranges"]],
        codes=decode_array(record["codes"]).astype(np.int32),
        boards=boards,
        board_sizes=np.count_nonzero(boards != NO_CARD, axis=1).astype(np.int8),
        board_sets=make_card_sets(boards),
        dead=decode_array(record["dead"]).astype(np.uint64),
        errors={},
        columns={},
    )
    evaluator = _read_evaluator(record["evaluator"], direct=record["direct"])
    bounds = Bounds(**record["bounds"])
    draws = decode_array(record["draws"]).astype(np.int64)
    job = SpotsJob(spots, {}, evaluator, record["method"], bounds, record["seed"], draws)
    table = run_inline(job)
    values = np.stack([getattr(table, name) for name in VALUES])
    return {
        "values": encode_array(values),
        "exact": encode_array(table.exact),
        "deals": encode_array(table.deals),
        "errors": {str(spot): message for spot, message in table.errors.items()},
    }


def _decode_answers(rows: Rows, record: Mapping[str, Any]) -> list[Answers]:
    """Decode what `answer_spots` returned for the spots `rows`."""
    exact = decode_array(record["exact"]).astype(np.bool_)
    deals = decode_array(record["deals"]).astype(np.int64)
    is_answered = np.ones(len(rows), dtype=np.bool_)
    found = []
    for spot, message in record["errors"].items():
        is_answered[int(spot)] = False
        found.append(Answers(rows[[int(spot)]], None, error=message))
    values = tuple(decode_array(record["values"])[:, is_answered])
    return [*found, Answers(rows[is_answered], values, exact[is_answered], deals[is_answered])]
