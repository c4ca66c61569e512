"""Results of a study, complete or partial, as read from its store."""

from __future__ import annotations

import os
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias

import attrs

from holdem.base_result import EvaluatorLabel, Pictured, Result
from holdem.cards import parse_cards
from holdem.errors import counted, one_line
from holdem.jobs.workers import Workers, count_workers
from holdem.odds import api
from holdem.odds.breakdown.on_demand import Breakdown, By, NoBreakdown
from holdem.odds.breakdown.result_tables import NextCardTable
from holdem.odds.next_cards import NextCards
from holdem.odds.result import EquityResult, Estimate, PlayerResult, compute_reports
from holdem.odds.sampling.convergence import convergence
from holdem.odds.sampling.players import sampled_players
from holdem.trials.studies.pairs import PairResult, pairs_of
from holdem.trials.studies.spot_result import SpotResult
from holdem.trials.studies.store import read_store
from holdem.trials.studies.store_rows import StoredSpot, StoredStudy, damage_errors
from holdem.trials.studies.study import StudySpot

#: The rows of the CSV and of the data frame.
RowsOf: TypeAlias = Literal["spot", "player", "pair"]


@attrs.frozen(repr=False)
class StudyResults(Result, Pictured):
    """The results of a study so far."""

    _report: ClassVar[str] = "holdem.report.study_report:study_report"
    _picture: ClassVar[str] = "holdem.report.plots.curves:study_picture"

    complete: bool
    """Whether every spot is finished."""
    total: int
    """The number of spots of the study."""
    finished: int
    """The number of finished spots."""
    spots: tuple[SpotResult, ...]
    """In the order of the study, without spots that have no result yet."""
    pairs: tuple[PairResult, ...] = ()
    """Each hero and villain of a grid with several boards, with sums over the boards."""

    def __repr__(self) -> str:
        return f"<StudyResults, {self.finished:,} of {counted(self.total, 'spot')} finished>"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object that ``holdem results -f json`` prints."""
        return {
            "schema": "holdem/results/1",
            "complete": self.complete,
            "asked": self.total,
            "finished": self.finished,
            "spots": [spot.to_dict() for spot in self.spots],
            "pairs": [pair.to_dict() for pair in self.pairs],
        }

    def to_frame(self, library: str = "pandas", by: RowsOf = "spot") -> Any:
        """Return the results as a data frame, with the columns of the CSV.

        Args:
            library: ``"pandas"`` or ``"polars"``, which must be installed.
            by: ``"spot"`` for a row for each spot, with its board and weight and columns such as
                ``equity_1``; ``"player"`` for a row for each player of each spot; ``"pair"`` for
                a row for each of `pairs`.

        Raises:
            HoldemValueError: another library, or other rows.
            HoldemRuntimeError: the library is not installed.
        """
        return self._make_frame(library, by=by)


def study_results(store: str | os.PathLike[str]) -> StudyResults:
    """Return the results currently in a store, even while a run is in progress.

    Raises:
        StoreError: no such file, not a store, or a damaged one.
    """
    stored = read_store(store)
    with damage_errors(one_line(os.fspath(store))):
        return results_of(stored)


def results_of(stored: StoredStudy) -> StudyResults:
    """Convert a store's content to results."""
    labels = {
        name: EvaluatorLabel(name, version)
        for name, (_, version) in stored.run["evaluators"].items()
    }
    spots = tuple(
        SpotResult(
            each.spot.name,
            _result(each, labels[each.spot.evaluator]),
            each.spot.cell,
            each.spot.weight,
            each.spot.matchups,
        )
        for each in stored.spots
        if each.answer is not None or each.blocks
    )
    finished = sum(each.stop is not None for each in stored.spots)
    pairs = pairs_of((each.spot for each in stored.spots), spots)
    return StudyResults(finished == len(stored.spots), len(stored.spots), finished, spots, pairs)


def _result(stored: StoredSpot, label: EvaluatorLabel) -> EquityResult:
    spot = stored.spot
    if stored.answer is not None:
        return _exact_result(spot, stored.answer, label, stored.elapsed)
    return EquityResult(
        method="monte-carlo",
        exact=False,
        deals=stored.deals,
        stop=stored.stop or "interrupted",
        board=parse_cards(spot.board),
        dead=parse_cards(spot.dead),
        seed=spot.seed,
        evaluator=label,
        elapsed=stored.elapsed,
        players=sampled_players(
            spot.players,
            spot.combos,
            stored.counts,
            spot.sampler,
            count_workers(None),
            partial(_next_cards, spot),
        ),
        convergence=partial(convergence, spot.sampler, stored.deals),
    )


def _exact_result(
    spot: StudySpot, record: dict[str, Any], label: EvaluatorLabel, elapsed: float
) -> EquityResult:
    """Rebuild an exact result from the record that `EquityResult.to_dict` returned."""
    parts = _Recomputed(spot) if record["exact"] else NoBreakdown(len(spot.players))
    players = []
    for number, player in enumerate(record["players"]):
        equity, win, tie = (
            None
            if player[name] is None
            else Estimate(player[name], player[f"{prefix}stderr"], tuple(player[f"{prefix}ci95"]))
            for name, prefix in (("equity", ""), ("win", "win_"), ("tie", "tie_"))
        )
        players.append(
            PlayerResult(
                range=player["range"],
                combos=player["combos"],
                wins=player["wins"],
                ties=player["ties"],
                losses=player["losses"],
                lose=player["lose"],
                equity=equity,
                win=win,
                tie=tie,
                breakdown=parts,
                seat=number,
            )
        )
    return EquityResult(
        method=record["method"],
        exact=record["exact"],
        deals=record["deals"],
        stop=record["stop"],
        board=parse_cards(record["board"]),
        dead=parse_cards(record["dead"]),
        seed=record["seed"],
        evaluator=label,
        elapsed=elapsed,
        players=tuple(players),
        progress=record.get("progress", 1.0),
    )


class _Recomputed(Breakdown):
    """Computes the reports of an exact result again, because a store does not keep them."""

    def __init__(self, spot: StudySpot) -> None:
        super().__init__()
        self._spot = spot

    def _player_tables(self, by: By, progress: bool, within: Workers | None) -> tuple[Any, ...]:
        result = self._compute(by, progress, within)
        return tuple(getattr(player, f"by_{by}") for player in result.players)

    def _next_card_table(self, progress: bool, within: Workers | None) -> NextCardTable:
        return self._compute("next-card", progress, within).by_next_card

    def _compute(self, by: By, progress: bool, within: Workers | None) -> EquityResult:
        spot = self._spot
        result = api.equity(
            *spot.players,
            board=spot.board,
            dead=spot.dead,
            method=spot.method,
            evaluator=spot.evaluator,
            progress=progress,
        )
        compute_reports(result, (by,), progress=progress, within=within)
        return result


def _next_cards(spot: StudySpot, progress: bool, within: Workers | None) -> NextCardTable:
    """Compute the report by next card of a sampled spot."""
    assert spot.seed is not None, "set when the run begins"
    compute = NextCards(
        spot.spot(), spot.method, spot.bounds, spot.seed, count_workers(None), (spot.question,)
    )
    return compute(progress, within)
