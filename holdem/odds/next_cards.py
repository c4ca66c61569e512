"""The equities after each card that can come next on a flop or turn, and after each runout."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, card_set
from holdem.errors import SpotError
from holdem.jobs.run import End, Job, Task, run, run_inline
from holdem.jobs.workers import Workers
from holdem.odds.bounds import Bounds
from holdem.odds.breakdown.on_demand import By, check_reports
from holdem.odds.breakdown.result_tables import NextCardTable, RunoutTable
from holdem.odds.exact.candidates import find_cheapest
from holdem.odds.exact.exact_run import ExactRun
from holdem.odds.matchups import count_matchups
from holdem.odds.plan import UNSAMPLED_FACTOR, Method, budget_of, make_plan, require_affordable
from holdem.odds.result import EquityResult
from holdem.odds.sampling.run import SampledRun
from holdem.odds.spot import Spot
from holdem.odds.symmetry import permuted_cards, permuted_combos, weight_fixing_permutations
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS


@attrs.frozen(eq=False)
class NextCards:
    """The equities by next card and by runout, to be computed.

    Every card that can come is the spot with that card on the board, and every runout the spot
    with both cards, which is answered exactly.
    """

    spot: Spot
    method: Method
    """The method for each card."""
    bounds: Bounds
    """The bounds of the whole spot. The sampled run of a card ends at a quarter of the deals or at
    twice the standard error, which is about the same; the time is divided among the cards."""
    seed: int
    workers: int
    stream: tuple[str, ...] = ()
    """The name of the random stream of the whole spot."""

    def __call__(self, by: By, progress: bool, within: Workers | None) -> Any:
        """Compute the table; the arguments are those of `ComputeNextCards`.

        Raises:
            SpotError: the board does not have 3 or 4 cards, or 3 for runouts.
            BudgetError: all runouts would take too long.
            Interrupted: Ctrl-C was pressed.
        """
        check_reports([by], self.spot.board)
        return run(_AddedCardsRun(self, by), self.workers, progress=progress, within=within)


class _AddedCardsRun(Job[tuple[int, EquityResult | None], NextCardTable | RunoutTable]):
    """Job that answers the spot with each next card, or with each turn and river.

    Cards that are equal up to a suit permutation that leaves the spot unchanged are answered once.
    """

    unit = "cards"

    def __init__(self, wanted: NextCards, by: By) -> None:
        """Create the job.

        Args:
            wanted: what is computed; the boards of its spot have 3 or 4 cards.
            by: ``"next-card"`` or ``"runout"``.

        Raises:
            BudgetError: all runouts would take too long.
        """
        spot = wanted.spot
        self._wanted = wanted
        self._by = by
        self._method: Method = "exact" if by == "runout" else wanted.method
        # Cards have their ids as numbers, and two cards the number of a combo.
        self._numbers: NDArray[np.integer[Any]] = spot.board_cards
        images: NDArray[np.integer[Any]] = permuted_cards()
        if by == "runout":
            _require_affordable(spot)
            can_come = np.uint64(card_set(spot.board_cards.tolist()))
            self._numbers = np.flatnonzero(COMBO_SETS & ~can_come == 0)
            images = permuted_combos()
        images = images[weight_fixing_permutations(spot)][:, self._numbers]
        self._representatives = images.min(axis=0).tolist()
        self._results: dict[int, EquityResult | None] = {}
        self.total = float(len(set(self._representatives)))
        deals, stderr, time = attrs.astuple(wanted.bounds)
        self._bounds = Bounds(
            deals and max(1, deals // 4),
            stderr and 2 * stderr,
            time and time * wanted.workers / self.total,
        )

    def tasks(self) -> Iterator[Task[tuple[int, EquityResult | None]]]:
        for number in sorted(set(self._representatives)):
            yield Task(partial(self._answer, number), 1)

    def _answer(self, number: int, workers: Workers) -> tuple[int, EquityResult | None]:
        """Answer the spot with a card or a runout on the board; return None if no deal has it."""
        workers.require_open()
        wanted = self._wanted
        added = COMBO_CARDS[number].tolist() if self._by == "runout" else [number]
        cards = [DECK[card] for card in added]
        spot = attrs.evolve(wanted.spot, board=(*wanted.spot.board, *cards))
        try:
            spot.require_a_deal()
        except SpotError:
            return number, None
        plan = make_plan(spot, self._method)
        if plan.chosen is not None:
            exact = ExactRun(plan.chosen.method(spot), plan.deals)
            if self._by == "runout" and spot.evaluator.is_fused:  # a fraction of a millisecond
                return number, run_inline(exact)
            return number, run(exact, 1, within=workers)
        stream = (*wanted.stream, "next card", str(cards[0]))
        sampled = SampledRun(spot, self._bounds, wanted.seed, *stream)
        return number, run(sampled, 1, seconds=self._bounds.time, within=workers)

    def add(self, part: tuple[int, EquityResult | None]) -> bool:
        number, result = part
        self._results[number] = result
        return False

    def answer(self, end: End) -> NextCardTable | RunoutTable:  # noqa: ARG002
        found = [self._results[number] for number in self._representatives]
        results = [result for result in found if result is not None]
        outcomes = np.array(
            [
                [(own.equity, own.win, own.tie, own.stderr) for own in result.players]
                for result in results
            ]
        )
        equity, win, tie, stderr = np.moveaxis(outcomes, 2, 0).copy()
        numbers = self._numbers[[result is not None for result in found]]
        deals = np.array([_count_deals(result) for result in results])
        if self._by == "runout":
            return RunoutTable(numbers.astype(np.intp), deals, equity, win, tie)
        return NextCardTable(
            cards=numbers.astype(np.uint8),
            deals=deals,
            equity=equity,
            win=win,
            tie=tie,
            stderr=stderr,
            exact=np.array([result.exact for result in results]),
        )


def _require_affordable(spot: Spot) -> None:
    """Refuse to answer all runouts of a flop if an exact answer on it would take too long."""
    cheapest = find_cheapest(spot, count_matchups(spot))
    require_affordable(
        "equities by runout, which are exact,",
        cheapest.evaluations if cheapest else None,
        UNSAMPLED_FACTOR * budget_of(spot.evaluator),
        "narrow the ranges",
    )


def _count_deals(result: EquityResult) -> float:
    """Count the deals of a result; of an exact one, sum their weights."""
    player = result.players[0]
    counts = (player.wins, player.ties, player.losses)
    return float(sum(count for count in counts if count is not None))
