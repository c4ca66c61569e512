"""Exact runs: the job that runs an exact method and computes equities from its wins and ties."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from holdem.jobs.run import End, Job, Stopwatch, Task
from holdem.jobs.workers import Workers
from holdem.odds.breakdown.on_demand import ComputeNextCards, NoBreakdown
from holdem.odds.exact.exact_breakdown import ExactBreakdown
from holdem.odds.exact.method import ExactMethod
from holdem.odds.exact.totals import ComboTotals, player_sums
from holdem.odds.result import (
    EquityResult,
    PlayerResult,
    Stop,
    exactly,
)
from holdem.odds.spot import Spot


class ExactRun(Job[tuple[Any, float], EquityResult]):
    """The job that runs an exact method."""

    unit = "%"
    total = 100.0

    def __init__(
        self,
        method: ExactMethod,
        deals: int | None,
        workers: int = 1,
        next_cards: ComputeNextCards | None = None,
    ) -> None:
        """Create the job and start measuring its elapsed time.

        Args:
            method: the method, not yet prepared.
            deals: the number of distinct deals; None if unknown.
            workers: the number of threads of reports that are computed on demand.
            next_cards: computes the report by next card.
        """
        self._method = method
        self._deals = deals
        self._workers = workers
        self._next_cards = next_cards
        self._share_done = 0.0
        self._stopwatch = Stopwatch()

    def prepare(self) -> None:
        """Prepare the exact method."""
        self._method.prepare()

    def tasks(self) -> Iterator[Task[tuple[Any, float]]]:
        """Yield the method's tasks; each returns its result and its share of the total work."""
        for task in self._method.tasks():
            yield Task(partial(_with_share, task), self.total * task.size)

    def add(self, part: tuple[Any, float]) -> bool:
        """Add the result of a task; return False, because every task is needed."""
        result, share = part
        self._method.add(result)
        self._share_done += share
        return False

    def answer(self, end: End) -> EquityResult:
        """Return the result, without equities if time ran out."""
        if end == "time":
            return self._cut_short("time")
        spot, totals = self._method.spot, self._method.totals()
        parts = ExactBreakdown(spot, totals, self._workers, self._next_cards)
        players = tuple(
            _player_result(spot, player, own, parts) for player, own in enumerate(totals)
        )
        return self._result(players, 1.0, "exhausted")

    def partial_answer(self) -> EquityResult:
        """Return the result of an interrupted run, without equities."""
        return self._cut_short("interrupted")

    def _cut_short(self, stop: Stop) -> EquityResult:
        spot = self._method.spot
        parts = NoBreakdown(spot.players)
        players = tuple(
            PlayerResult(text, len(live), breakdown=parts, seat=seat)
            for seat, (text, live) in enumerate(zip(spot.texts, spot.live, strict=True))
        )
        return self._result(players, min(self._share_done, 0.999), stop)

    def _result(
        self, players: tuple[PlayerResult, ...], progress: float, stop: Stop
    ) -> EquityResult:
        spot, is_complete = self._method.spot, progress == 1
        return EquityResult(
            method="exact",
            exact=is_complete,
            deals=(self._deals or 0) if is_complete else 0,
            stop=stop,
            board=spot.board,
            dead=spot.dead,
            seed=None,
            evaluator=spot.evaluator.label,
            players=players,
            elapsed=self._stopwatch.elapsed,
            progress=progress,
        )


def _with_share(task: Task[Any], workers: Workers) -> tuple[Any, float]:
    return task.call(workers), task.size


def _player_result(
    spot: Spot, player: int, totals: ComboTotals, parts: ExactBreakdown
) -> PlayerResult:
    wins, ties, losses, share = player_sums(spot, player, totals)
    deals = wins + ties + losses
    return PlayerResult(
        range=spot.texts[player],
        combos=len(totals.combos),
        wins=wins,
        ties=ties,
        losses=losses,
        lose=losses / deals,
        equity=exactly(share / deals),
        win=exactly(wins / deals),
        tie=exactly(ties / deals),
        breakdown=parts,
        seat=player,
    )
