"""Exact runs: the job that runs an exact method, and the result that it returns."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from math import isnan
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.jobs.run import End, Job, Task, run
from holdem.jobs.workers import Workers
from holdem.odds.breakdown import (
    Breakdowns,
    By,
    NoBreakdowns,
    PlayerTable,
    make_player_table,
)
from holdem.odds.exact.candidates import list_candidates
from holdem.odds.exact.method import ComboTotals, ExactMethod, PlayerSums, sum_over_combos
from holdem.odds.result import EquityResult, PlayerResult, Stop
from holdem.odds.spot import Spot
from holdem.odds.tally import require_precise
from holdem.ranges.combos import CLASS_COUNT, CLASS_OF_COMBO

#: Computes the totals of each player's combos.
ComputeTotals: TypeAlias = Callable[[], tuple[ComboTotals, ...]]


class ExactRun(Job[Any, EquityResult]):
    """Job that runs an exact method and builds the `EquityResult`."""

    unit = ExactMethod.unit
    total = ExactMethod.total

    def __init__(
        self, method: ExactMethod, workers: int = 1, breakdowns: Breakdowns | None = None
    ) -> None:
        """Take a method not yet prepared, and the number of threads for breakdowns on demand.

        Without `breakdowns`, these are of the method's totals.
        """
        self._method = method
        self._breakdowns = breakdowns
        self._workers = workers
        self._done = 0.0
        self._sizes: deque[float] = deque()  # of the tasks whose results have not been added

    def prepare(self) -> None:
        """Prepare the method; if the evaluator is slow, tell the user how long the run takes."""
        method = self._method
        method.prepare()
        if not method.spot.evaluator.has_tables:
            method.spot.evaluator.announce(method.cost(method.spot) or 0)

    def tasks(self) -> Iterator[Task[Any]]:
        for task in self._method.tasks():
            self._sizes.append(task.size)
            yield task

    def add(self, part: Any) -> bool:
        self._method.add(part)
        self._done += self._sizes.popleft()
        return False

    def answer(self, end: End) -> EquityResult:
        """Build the result; it has no equities if the time was up (`end` is ``"time"``)."""
        if end == "time":
            return self._cut_short("time")
        method, spot = self._method, self._method.spot
        totals: ComputeTotals | tuple[ComboTotals, ...] = method.totals
        sums = method.player_sums()
        if sums is None:
            totals = method.totals()
            sums = tuple(sum_over_combos(spot, *found) for found in enumerate(totals))
        # The same deals are counted for all players, but those of some may not be known apart.
        weight = next(own.deals for own in sums if not isnan(own.deals))
        require_precise(weight)
        parts = self._breakdowns or ExactBreakdowns(spot, totals, self._workers)
        players = tuple(
            [
                _make_player_result(spot, player, own, weight, parts)
                for player, own in enumerate(sums)
            ]
        )
        deals = int(weight) if spot.is_unweighted else method.count_deals()
        return self._make_result(players, deals, 1.0, "exhausted")

    def partial_answer(self) -> EquityResult:
        """Build the result of an interrupted run, without equities."""
        return self._cut_short("interrupted")

    def _cut_short(self, stop: Stop) -> EquityResult:
        spot = self._method.spot
        parts = NoBreakdowns(spot.players, spot.evaluator.rules.categories)
        players = tuple(
            PlayerResult(text, len(live), name=spot.name(seat), breakdowns=parts, seat=seat)
            for seat, (text, live) in enumerate(zip(spot.texts, spot.live, strict=True))
        )
        return self._make_result(players, 0, min(self._done / self.total, 0.999), stop)

    def _make_result(
        self, players: tuple[PlayerResult, ...], deals: int, progress: float, stop: Stop
    ) -> EquityResult:
        spot = self._method.spot
        return EquityResult(
            method="exact",
            exact=progress == 1,
            deals=deals,
            stop=stop,
            board=spot.board,
            dead=spot.dead,
            seed=None,
            evaluator=spot.evaluator.label,
            players=players,
            elapsed=self.stopwatch.elapsed,
            progress=progress,
        )


def _make_player_result(
    spot: Spot, player: int, sums: PlayerSums, weight: float, parts: Breakdowns
) -> PlayerResult:
    wins, ties, losses, share = sums
    deals = weight if isnan(sums.deals) else sums.deals
    equity, win, tie = min(share / deals, 1.0), wins / deals, ties / deals
    return PlayerResult(
        range=spot.texts[player],
        combos=len(spot.live[player]),
        wins=wins,
        ties=ties,
        losses=losses,
        lose=losses / deals,
        name=spot.name(player),
        equity=equity,
        stderr=0.0,
        ci95=(equity, equity),
        win=win,
        win_stderr=0 * win,
        win_ci95=(win, win),
        tie=tie,
        tie_stderr=0 * tie,
        tie_ci95=(tie, tie),
        breakdowns=parts,
        seat=player,
    )


class ExactBreakdowns(Breakdowns):
    """The breakdowns of an exact result.

    Tables by combo and by class are derived from totals by combo. Tables by category take another
    run over all deals.
    """

    def __init__(
        self, spot: Spot, totals: ComputeTotals | tuple[ComboTotals, ...], workers: int
    ) -> None:
        """Take the totals of each player's combos, or a function that computes them."""
        super().__init__()
        self._spot = spot
        self._totals = totals
        self._workers = workers

    def _find_totals(self) -> tuple[ComboTotals, ...]:
        totals = self._totals
        if callable(totals):
            totals = self._totals = totals()  # drops the method
        return totals

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_totals": self._find_totals()}

    def _player_tables(self, by: By, progress: bool, within: Workers | None) -> tuple[Any, ...]:
        spot = self._spot
        sums = (
            self._sum_by_category(progress, within)
            if by == "category"
            else [sum_by_group(spot, *own, by) for own in enumerate(self._find_totals())]
        )
        return tuple(exact_table(by, spot, *own) for own in enumerate(sums))

    def _sum_by_category(self, progress: bool, within: Workers | None) -> list[NDArray[np.float64]]:
        """Sum each player's outcomes by the category of the hand, with the cheapest exact method.

        For each player, the weighted sums of deals, pot shares, wins and ties are ``float64 (4,
        category)``, the weakest category first.
        """
        spot = self._spot
        method = list_candidates(spot, by_category=True)[0].method(spot, by_category=True)
        found = run(method, self._workers, progress=progress, within=within)
        sums = []
        for player in found:
            wins, ties, losses, shares = np.array(player, dtype=np.float64).T
            sums.append(np.array([wins + ties + losses, shares, wins, ties]))
        return sums


def exact_table(by: By, spot: Spot, player: int, sums: NDArray[np.float64]) -> PlayerTable[Any]:
    """Build a table without errors; `sums` as for `make_player_table`."""
    none = np.where(sums[0] > 0, 0.0, np.nan)
    return make_player_table(by, spot, player, sums, none, np.zeros(sums.shape[1]))


def sum_by_group(spot: Spot, player: int, totals: ComboTotals, by: By) -> NDArray[np.float64]:
    """Sum a player's outcomes by combo, for live combos, or by class, for all 169.

    The sums of deals, pot shares, wins and ties are ``float64 (4, group)``. By class, each combo
    counts with its weight in the player's range.
    """
    sums = np.array([totals.deals, totals.shares, totals.wins, totals.ties])
    if by == "combo":
        return sums
    classes = CLASS_OF_COMBO[totals.combos]
    sums *= spot.weights(player)
    return np.array([np.bincount(classes, own, CLASS_COUNT) for own in sums])
