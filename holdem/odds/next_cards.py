"""The players' equities after each card that can come next, and after each runout of a flop."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, CardArray, card_set
from holdem.errors import BudgetError, SpotError
from holdem.jobs.run import End, Job, Task, run, run_inline
from holdem.jobs.workers import Workers
from holdem.odds.bounds import DEFAULT_STDERR, Bounds
from holdem.odds.breakdown import By, NextCardTable, RunoutTable, check_breakdowns
from holdem.odds.exact.candidates import choose_candidate
from holdem.odds.exact.exact_run import ExactRun
from holdem.odds.exact.integer_weights import MAX_BITS, express_as_integers
from holdem.odds.exact.method import ExhaustiveJob
from holdem.odds.exact.sweep import lay_out_combos, sort_by_ranks
from holdem.odds.exact.two_ranges import choose_boards_per_task
from holdem.odds.plan import UNSAMPLED_FACTOR, Method, budget_of, make_plan, require_affordable
from holdem.odds.result import EquityResult
from holdem.odds.sampling.run import SampledRun
from holdem.odds.spot import Spot
from holdem.odds.symmetry import (
    permuted_cards,
    permuted_combos,
    weight_fixing_permutations,
)
from holdem.odds.tally import proportion
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS, COMBO_TEXT
from holdem.results.record_tables import name_rows

# So few live combos are compared on each runout by itself, for which numpy need not load kernels.
_FEW_COMBOS = 50


@attrs.frozen(eq=False)
class NextCards:
    """Function object that computes a spot's equities by next card or by runout.

    By next card, the equities are computed by `method` after each card that can come has been added
    to the board. By runout, turn and river are added to a flop, and the equities are exact.
    """

    spot: Spot
    method: Method
    """The method for each card."""
    bounds: Bounds
    """The bounds of the whole spot. The sampled run of a card ends at a quarter of the deals or at
    twice the standard error, which is about the same; the time is divided among the cards. By
    runout, an answer that takes longer than the time is refused."""
    seed: int
    workers: int
    stream: tuple[str, ...] = ()
    """The name of the random stream of the whole spot, in several parts. Streams of one seed with
    different names are independent."""

    def __call__(self, by: By, progress: bool, within: Workers | None) -> Any:
        """Compute the `NextCardTable` or the `RunoutTable`."""
        spot, wanted = self.spot, self
        check_breakdowns([by], spot.board)
        numbers: NDArray[Any]
        images: NDArray[Any]
        if by == "runout":
            require_affordable_runouts(spot)
            can_come = np.uint64(card_set(spot.board_cards.tolist()))
            numbers = np.flatnonzero(COMBO_SETS & ~can_come == 0)
            images, added = permuted_combos(), COMBO_CARDS[numbers]
            wanted = attrs.evolve(self, method="exact")
        else:
            numbers = spot.board_cards
            images, added = permuted_cards(), numbers[:, None]
        least = images[weight_fixing_permutations(spot)][:, numbers].min(axis=0)
        representatives = np.searchsorted(numbers, least)
        job: Job[Any, AddedCardResults] = AddedCardsRun(wanted, added, representatives)
        # With weights, sums over all combos of a board would be rounded differently.
        is_sum_exact = spot.players == 2 and spot.is_unweighted
        is_sweep = (
            is_sum_exact and spot.evaluator.has_tables and len(spot.live_combos) > _FEW_COMBOS
        )
        if by == "runout" and is_sweep:
            job = _RunoutSweep(spot, added, representatives)
        seconds = self.bounds.time if by == "runout" else None
        found = run(job, self.workers, seconds=seconds, progress=progress, within=within)
        numbers = numbers[found.is_possible]
        outcomes = {
            "deals": found.deals,
            "equity": found.equity,
            "win": found.win,
            "tie": found.tie,
        }
        if by == "runout":
            runout = name_rows(COMBO_TEXT, numbers)
            return RunoutTable(**outcomes, runout=runout, numbers=numbers.astype(np.intp))
        card = name_rows(list(map(str, DECK)), numbers)
        return NextCardTable(
            **outcomes,
            card=card,
            cards=numbers.astype(np.uint8),
            stderr=found.stderr,
            exact=found.exact,
        )


def require_affordable_runouts(spot: Spot) -> None:
    """Raise an error if equities by runout, which are exact, would take too long."""
    # An exact answer of the flop costs as much as those of all its runouts.
    chosen = choose_candidate(spot)
    require_affordable(
        "equities by runout, which are exact,",
        chosen.evaluations if chosen else None,
        UNSAMPLED_FACTOR * budget_of(spot.evaluator),
        "narrow the ranges",
    )


class AddedCardResults(NamedTuple):
    """The players' results after each choice of cards that is added to the board."""

    is_possible: NDArray[np.bool_]
    """Whether any deal is possible after the choice, ``bool (choice,)``. All other arrays have
    elements for the possible choices only."""
    deals: NDArray[np.float64]
    """The numbers of deals; in exact results the sums of their weights, ``float64 (choice,)``."""
    equity: NDArray[np.float64]
    """The equities, ``float64 (choice, player)``."""
    win: NDArray[np.float64]
    """The probabilities of winning alone, ``float64 (choice, player)``."""
    tie: NDArray[np.float64]
    """The probabilities of a tie for the best hand, ``float64 (choice, player)``."""
    stderr: NDArray[np.float64]
    """The standard errors of the equities, ``float64 (choice, player)``."""
    exact: NDArray[np.bool_]
    """Whether the results are exact, ``bool (choice,)``."""


class AddedCardsRun(Job[tuple[int, EquityResult | None], AddedCardResults]):
    """Job that computes a spot's equities after each choice of cards added to the board."""

    unit = "boards"

    def __init__(
        self, wanted: NextCards, added: CardArray, representatives: NDArray[np.intp]
    ) -> None:
        """Create the job for cards ``uint8 (choice, card)`` added to the board of ``wanted.spot``.

        `representatives`, ``intp (choice,)``, are the choices that represent each choice: both have
        the same equities, because a suit permutation that leaves the spot unchanged maps one to the
        other. Only representatives are computed.
        """
        self._wanted = wanted
        self._added = added.tolist()
        self._representatives = representatives.tolist()
        self._results: dict[int, EquityResult | None] = {}
        self.total = float(len(set(self._representatives)))
        deals, stderr, time, relative = attrs.astuple(wanted.bounds)
        if relative:  # after some cards, an equity may be 0
            stderr = stderr or DEFAULT_STDERR
        self._bounds = Bounds(
            deals and max(1, deals // 4),
            stderr and 2 * stderr,
            time and time * wanted.workers / self.total,
        )

    def tasks(self) -> Iterator[Task[tuple[int, EquityResult | None]]]:
        for choice in sorted(set(self._representatives)):
            yield Task(partial(self._answer, choice), 1)

    def _answer(self, choice: int, workers: Workers) -> tuple[int, EquityResult | None]:
        """Return the choice and its result, or None if no deal is possible."""
        workers.require_open()
        wanted = self._wanted
        spot = add_cards(wanted.spot, self._added[choice])
        if spot is None:
            return choice, None
        plan = make_plan(spot, wanted.method)
        if plan.chosen is not None:
            exact = ExactRun(plan.chosen.method(spot))
            if plan.is_quick:
                return choice, run_inline(exact)
            return choice, run(exact, 1, within=workers)
        stream = (*wanted.stream, "next card", str(spot.board[len(wanted.spot.board)]))
        sampled = SampledRun(spot, self._bounds, wanted.seed, *stream)
        return choice, run(sampled, 1, seconds=self._bounds.time, within=workers)

    def add(self, part: tuple[int, EquityResult | None]) -> bool:
        choice, result = part
        self._results[choice] = result
        return False

    def answer(self, end: End) -> AddedCardResults:
        _require_complete(end)
        found = [self._results[choice] for choice in self._representatives]
        results = [result for result in found if result is not None]
        outcomes = np.array(
            [
                [(own.equity, own.win, own.tie, own.stderr) for own in result.players]
                for result in results
            ]
        ).reshape(len(results), self._wanted.spot.players, 4)
        equity, win, tie, stderr = np.moveaxis(outcomes, 2, 0).copy()
        return AddedCardResults(
            is_possible=np.array([result is not None for result in found], dtype=np.bool_),
            deals=np.array([_count_deals(result) for result in results]),
            equity=equity,
            win=win,
            tie=tie,
            stderr=stderr,
            exact=np.array([result.exact for result in results], dtype=np.bool_),
        )


def _require_complete(end: End) -> None:
    if end == "time":
        raise BudgetError(
            "equities by runout, which are exact, take longer than the time: give more time, or"
            " narrow the ranges"
        )


def add_cards(spot: Spot, cards: list[int]) -> Spot | None:
    """Copy a spot and add card ids to its board; return None if no deal is possible then."""
    spot = attrs.evolve(spot, board=(*spot.board, *(DECK[card] for card in cards)))
    try:
        _ = spot.live
    except SpotError:
        return None
    return spot


def _count_deals(result: EquityResult) -> float:
    """Count a result's deals or, if the result is exact, sum the weights of the deals."""
    player = result.players[0]
    counts = (player.wins, player.ties, player.losses)
    return float(sum(count for count in counts if count is not None))


class BoardSweep(ExhaustiveJob[AddedCardResults]):
    """Base class of jobs that compare two ranges on each of many complete boards."""

    def __init__(self, spot: Spot) -> None:
        self._spot = spot

    @abstractmethod
    def list_boards(self) -> CardArray:
        """List the boards, ``uint8 (board, 5)``."""

    def prepare(self) -> None:
        from holdem.odds.exact.two_ranges import sum_each_board

        self._sum_each_board = sum_each_board
        self._boards = self.list_boards()
        self._outcomes: list[NDArray[np.float64]] = []
        combos = sort_by_ranks(self._spot.live_combos)
        own, opposing = self._spot.all_weights
        weights = express_as_integers(opposing, 1 << MAX_BITS)
        self._combos = lay_out_combos(combos, self._spot.evaluator.ranker.tables)
        self._weights = np.ascontiguousarray(weights.numbers[:, combos].astype(np.int64))
        self._own_weights = own[combos] * weights.units[:, None] / weights.divisor

    def tasks(self) -> Iterator[Task[NDArray[np.float64]]]:
        rows, combos = self._weights.shape
        together = choose_boards_per_task(combos, rows)
        return self.batches(self._compare, len(self._boards), together)

    def _compare(self, rows: slice, _: Workers) -> NDArray[np.float64]:
        boards = self._boards[rows]
        outcomes = np.zeros((len(boards), 3))
        self._sum_each_board(boards, self._combos, self._weights, self._own_weights, outcomes)
        return outcomes

    def add(self, part: NDArray[np.float64]) -> bool:
        self._outcomes.append(part)
        return False

    def weight_of_outcomes(self) -> NDArray[np.float64]:
        """Return the weights of deals that the first player wins, ties, loses, ``(3, board)``."""
        return np.concatenate(self._outcomes).T


class _RunoutSweep(BoardSweep):
    """Job that compares two ranges after each runout of a flop."""

    def __init__(self, spot: Spot, added: CardArray, representatives: NDArray[np.intp]) -> None:
        """Create the job for two players on a flop; the arrays are those of `AddedCardsRun`."""
        super().__init__(spot)
        rows, self._choices = np.unique(representatives, return_inverse=True)
        self._added = added[rows]

    def list_boards(self) -> CardArray:
        """List the complete board of each representative choice of cards, ``uint8 (board, 5)``."""
        known = np.array([self._spot.board] * len(self._added), dtype=np.uint8)
        return np.hstack([known, self._added])

    def answer(self, end: End) -> AddedCardResults:
        _require_complete(end)
        return make_exact_results(*self.weight_of_outcomes()[:, self._choices])


def make_exact_results(
    won: NDArray[np.float64], tied: NDArray[np.float64], lost: NDArray[np.float64]
) -> AddedCardResults:
    """Convert weights of the deals that the first of two players wins, ties and loses to results.

    They are ``float64 (choice,)``, for each choice of cards that are added to the board.
    """
    deals = won + tied + lost
    is_possible = deals > 0
    wins, ties = np.stack([won, lost], axis=1), np.stack([tied, tied], axis=1)
    equity, win, tie = (
        proportion(own[is_possible], deals[is_possible, None])
        for own in (wins + ties / 2, wins, ties)
    )
    exact = np.ones(len(win), dtype=np.bool_)
    return AddedCardResults(
        is_possible, deals[is_possible], equity, win, tie, np.zeros_like(win), exact
    )
