"""The job that answers many spots on the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from typing import Any

import attrs
import numpy as np

from holdem.errors import EvaluatorError
from holdem.evaluation.registry import get_evaluator
from holdem.jobs.run import Task, run_inline
from holdem.jobs.workers import Workers
from holdem.odds.bounds import Bounds
from holdem.odds.cluster.requests import Question, array_of_record, array_record
from holdem.odds.many_spots.batches import Rows
from holdem.odds.many_spots.card_columns import NO_CARD, sets_of
from holdem.odds.many_spots.columns import SpotColumns
from holdem.odds.many_spots.job import Answers, SpotsJob
from holdem.ranges.combos import COMBO_COUNT
from holdem.ranges.range import Range

_MOST_SPOTS = 1 << 16  # of a request: some megabytes


class ClusterSpotsJob(SpotsJob):
    """Job whose tasks are computed on a cluster."""

    def _task(
        self,
        rows: Rows,
        answer: Callable[[Workers], list[Answers]],  # noqa: ARG002
        together: int,
    ) -> Task[list[Answers]]:
        question = Question(
            {
                "spots": self._spots_record(rows),
                "evaluator": self._evaluator.name,
                "method": self._method,
                "bounds": attrs.asdict(self._bounds),
                "seed": self._seed,
            },
            answer_spots,
            partial(_answers, rows),
            EvaluatorError,
            f"spots, {together:,} together",
            _MOST_SPOTS,
        )
        return Task(question, len(rows))

    def _spots_record(self, rows: Rows) -> dict[str, Any]:
        """Return some spots as a plain record."""
        spots = self._spots.part(rows)
        codes, is_range = spots.codes.copy(), spots.codes >= COMBO_COUNT
        used, place = np.unique(codes[is_range], return_inverse=True)
        codes[is_range] = COMBO_COUNT + place
        return {
            "ranges": [_text(spots.ranges[code - COMBO_COUNT]) for code in used.tolist()],
            "codes": array_record(codes),
            "boards": array_record(spots.boards),
            "dead": array_record(spots.dead),
        }


_text = cache(str)  # of ranges with many weights, this takes milliseconds
_range = lru_cache(maxsize=256)(Range)


def _spots_of_record(record: Mapping[str, Any]) -> SpotColumns:
    boards = array_of_record(record["boards"]).astype(np.uint8)
    return SpotColumns(
        ranges=[_range(text) for text in record["ranges"]],
        codes=array_of_record(record["codes"]).astype(np.int32),
        boards=boards,
        board_sizes=np.count_nonzero(boards != NO_CARD, axis=1).astype(np.int8),
        board_sets=sets_of(boards),
        dead=array_of_record(record["dead"]).astype(np.uint64),
        errors={},
        columns={},
    )


def answer_spots(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers of some spots, which are valid, as a plain record."""
    table = run_inline(
        SpotsJob(
            _spots_of_record(question["spots"]),
            {},
            get_evaluator(question["evaluator"]),
            question["method"],
            Bounds(**question["bounds"]),
            question["seed"],
        )
    )
    figures = np.stack([table.equity, table.win, table.tie, table.lose, table.stderr])
    return {
        "figures": array_record(figures),
        "exact": array_record(table.exact),
        "deals": array_record(table.deals),
        "errors": {str(spot): message for spot, message in table.errors.items()},
    }


def _answers(rows: Rows, record: Mapping[str, Any]) -> list[Answers]:
    """Return the answers of spots, given by their numbers, from the record of a worker."""
    exact = array_of_record(record["exact"]).astype(np.bool_)
    deals = array_of_record(record["deals"]).astype(np.int64)
    is_answered = np.ones(len(rows), dtype=np.bool_)
    found = []
    for spot, message in record["errors"].items():
        is_answered[int(spot)] = False
        found.append(Answers(rows[[int(spot)]], None, error=message))
    figures = tuple(array_of_record(record["figures"])[:, is_answered])
    return [*found, Answers(rows[is_answered], figures, exact[is_answered], deals[is_answered])]
