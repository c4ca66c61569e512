"""`aggregate`, which computes statistics over the whole hands that `simulate` deals."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_integer
from holdem.base_result import EvaluatorLabel, Result
from holdem.cards import CardArray
from holdem.errors import SpotError
from holdem.evaluation.registry import EvaluatorLike
from holdem.jit.decorators import kernel
from holdem.jobs.run import FIRST_BATCH, BatchSize, End, Job, Stopwatch, Task, run
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.tally import SHARE_UNIT, HandOutcomes
from holdem.ranges.starting_hands import starting_hand_ranks
from holdem.trials.simulation import MAX_HANDS, HandDealer

#: The largest batch of hands: some 700 KB with nine players, and 2 ms with the default evaluator.
LARGEST_BATCH = 1 << 13


@attrs.frozen
class SeatOutcomes(HandOutcomes):
    """One seat's wins, ties and losses, with its equity."""

    equity: float
    """The mean share of the pot, 0..1; one of k winners gets 1/k."""


@attrs.frozen
class BestStartOutcomes(HandOutcomes):
    """Counts of the deals that the best starting hand wins, ties and loses.

    Starting hands are compared by the rule set's ranking of their classes. If several seats
    hold the best class, the hand counts as won if one of them is the only winner, as tied if
    the pot is split and one of them is among the winners, and as lost otherwise.
    """

    several: int
    """The number of hands in which several seats held the best class."""


@attrs.frozen(repr=False)
class Aggregate(Result):
    """Statistics over whole hands in which every player stays in to the showdown.

    Equality ignores `elapsed`.
    """

    _report: ClassVar[str] = "holdem.report.hand_reports:aggregate_report"

    players: int
    hands: int
    """The number of hands dealt: the first ones of the seed."""

    stop: Literal["hands", "interrupted"]
    """Why the run ended: all hands were dealt, or Ctrl-C."""

    seed: int
    """The seed, given or drawn: ``simulate(players, hands, seed)`` deals the same hands."""

    evaluator: EvaluatorLabel
    """Name and version of the evaluator."""

    categories: dict[str, int] = attrs.field(hash=False)
    """The number of hands of each category at showdown over all seats, weakest category first;
    the sum is ``hands * players``."""

    winning_categories: dict[str, int] = attrs.field(hash=False)
    """The number of winning hands of each category. A pot split three ways counts three times, so
    the sum is that of ``winners * count`` over `pots`."""

    best_starting_hand: BestStartOutcomes
    """Wins, ties and losses of the best starting hand of each deal."""

    pots: dict[int, int] = attrs.field(hash=False)
    """The number of hands by their number of winners: 1 for a pot that is not split."""

    seats: tuple[SeatOutcomes, ...]
    """Wins, ties and losses of each seat, seat 0 first."""

    elapsed: float = attrs.field(eq=False)
    """The duration in seconds."""

    def __repr__(self) -> str:
        equities = ", ".join(f"{seat.equity:.4f}" for seat in self.seats)
        return f"<Aggregate, {self.hands:,} hands: {equities}>"

    def to_dict(self) -> dict[str, Any]:
        """Convert the statistics to a JSON object of the schema ``holdem/aggregate/1``."""
        return {
            "schema": "holdem/aggregate/1",
            **attrs.asdict(self),
            "pots": {str(winners): count for winners, count in self.pots.items()},
            "seats": [attrs.asdict(seat) for seat in self.seats],
        }


def aggregate(
    players: int = 9,
    hands: int = 1_000_000,
    seed: int | None = None,
    workers: int | None = None,
    evaluator: EvaluatorLike | None = None,
    progress: bool = False,
) -> Aggregate:
    """Deal many whole hands and count their outcomes.

    The hands are those of ``simulate(players, hands, seed, evaluator)``; the counts do not
    depend on `workers`.

    Args:
        players: 2 to 10.
        hands: the number of hands, 1 to 10^15. A million hands of nine players take about
            0.2 seconds on one core with the default evaluator.
        seed: 0..2^53-1; drawn from the operating system's entropy if None, and reported.
        workers: the number of threads; all cores available to this process if None.
        evaluator: ranks the hands: a name, a spec, or None for the default.
        progress: show a progress bar on standard error if that is a terminal.

    Raises:
        SpotError: not 2 to 10 players, no hands, or a number of workers out of bounds.
        SeedError: a seed outside 0..2^53-1.
        EvaluatorError: no such evaluator, or one that cannot be used.
        HoldemTypeError: an argument of a type that cannot be used.
        Interrupted: Ctrl-C; a `KeyboardInterrupt`. Its ``finished`` is the statistics over the
            hands counted until then, the first ones of the seed, or None if there are none.
    """
    dealer = HandDealer(players, seed, evaluator)
    hands = checked_integer(hands, "hands", 1, MAX_HANDS, SpotError, bounds="from 1 to 10^15")
    shown = progress and sys.stderr.isatty()
    return run(Aggregation(dealer, hands), count_workers(workers), progress=shown)


class _Tally(NamedTuple):
    """The arrays to which `tally_hands` adds outcomes."""

    categories: NDArray[np.int64]
    starts: NDArray[np.int64]
    pots: NDArray[np.int64]
    seats: NDArray[np.int64]

    @classmethod
    def empty(cls, players: int, categories: int) -> _Tally:
        shapes = ((2, categories), (4,), (players,), (players, 3))
        return cls(*(np.zeros(shape, dtype=np.int64) for shape in shapes))

    @property
    def hands(self) -> int:
        return int(self.pots.sum())


class Aggregation(Job[_Tally, Aggregate]):
    """Job that deals hands and counts their outcomes for `aggregate`."""

    unit = "hands"
    total: int
    batch_size: BatchSize

    def __init__(self, dealer: HandDealer, hands: int) -> None:
        self.total = hands
        self.batch_size = BatchSize(LARGEST_BATCH if dealer.evaluator.has_tables else FIRST_BATCH)
        self._dealer = dealer
        self._categories = dealer.evaluator.rules.categories
        self._tally = _Tally.empty(dealer.players, len(self._categories))
        self._stopwatch = Stopwatch()

    def prepare(self) -> None:
        """Load the evaluator and the ranking of starting hands."""
        rules = self._dealer.evaluator.rules
        self._ranker = self._dealer.evaluator.ranker
        evaluator = self._dealer.evaluator
        evaluator.announce(self.total * self._dealer.players * evaluator.evaluations(7))
        self._category_bounds = self._ranker.scale.category_bounds
        self._start_ranks = np.ascontiguousarray(starting_hand_ranks(rules), dtype=np.int64)

    def tasks(self) -> Iterator[Task[_Tally]]:
        """Yield tasks that each deal consecutive hands and count the outcomes."""
        first = 1
        while first <= self.total:
            count = min(self.batch_size.size, LARGEST_BATCH, self.total - first + 1)
            yield Task(partial(self._count, first, count), count)
            first += count

    def _count(self, first: int, count: int, workers: Workers) -> _Tally:
        dealer = self._dealer
        _, hands = dealer.deal(first, count)
        strengths = self._ranker.rank(hands, workers).astype(np.int64)
        by_seat = strengths.reshape(count, dealer.players)
        tally = _Tally.empty(dealer.players, len(self._categories))
        tally_hands(hands, by_seat, self._category_bounds, self._start_ranks, *tally)
        return tally

    def add(self, part: _Tally) -> bool:
        """Add the counts from the next batch of hands."""
        both = zip(self._tally, part, strict=True)
        self._tally = _Tally(*(counts + more for counts, more in both))
        return False

    def answer(self, end: End) -> Aggregate:  # noqa: ARG002
        """Compute the statistics over all hands."""
        return self._aggregate("hands")

    def partial_answer(self) -> Aggregate | None:
        """Compute the statistics over the hands counted so far; None if there are none."""
        return self._aggregate("interrupted") if self._tally.hands else None

    def _aggregate(self, stop: Literal["hands", "interrupted"]) -> Aggregate:
        dealer, tally, hands = self._dealer, self._tally, self._tally.hands
        shown, winning = (
            dict(zip(self._categories, row.tolist(), strict=True)) for row in tally.categories
        )
        return Aggregate(
            players=dealer.players,
            hands=hands,
            stop=stop,
            seed=dealer.seed,
            evaluator=dealer.evaluator.label,
            categories=shown,
            winning_categories=winning,
            best_starting_hand=BestStartOutcomes(*tally.starts.tolist()),
            pots=dict(enumerate(tally.pots.tolist(), 1)),
            seats=tuple(
                SeatOutcomes(wins, ties, hands - wins - ties, units / (SHARE_UNIT * hands))
                for wins, ties, units in tally.seats.tolist()
            ),
            elapsed=self._stopwatch.elapsed,
        )


@kernel
def tally_hands(
    hands: CardArray,
    strengths: NDArray[np.int64],
    category_bounds: NDArray[np.int64],
    start_ranks: NDArray[np.int64],
    categories: NDArray[np.int64],
    starts: NDArray[np.int64],
    pots: NDArray[np.int64],
    seats: NDArray[np.int64],
) -> None:
    """Add the outcomes of hands to arrays of counts, in place.

    Args:
        hands: ``uint8 (hand * seat, 7)``: each seat's hole cards first.
        strengths: ``int64 (hand, seat)``.
        category_bounds: ``int64 (category - 1,)``: the lowest strength of each category except
            the weakest.
        start_ranks: ``int64 (1326,)``: the rank of each combo as a starting hand, 0 for the best.
        categories: ``int64 (2, category)``, added to: over all seats, over winning seats.
        starts: ``int64 (4,)``, added to: hands in which the best starting hand won, tied and
            lost, and in which several seats held it.
        pots: ``int64 (seat,)``, added to: hands by their number of winners minus one.
        seats: ``int64 (seat, 3)``, added to: hands won, hands tied, pot shares in `SHARE_UNIT`.
    """
    players = strengths.shape[1]
    for hand in range(strengths.shape[0]):
        best, winners = strengths[hand, 0], 1
        for seat in range(1, players):
            strength = strengths[hand, seat]
            winners = 1 if strength > best else winners + (strength == best)
            best = max(best, strength)
        pots[winners - 1] += 1
        best_start, holders, winning_holders = np.int64(1 << 62), 0, 0
        for seat in range(players):
            strength = strengths[hand, seat]
            category = 0
            for bound in category_bounds:
                category += strength >= bound
            won = strength == best
            categories[0, category] += 1
            categories[1, category] += won
            if won:
                seats[seat, 0 if winners == 1 else 1] += 1
                seats[seat, 2] += SHARE_UNIT // winners
            a = np.int64(hands[hand * players + seat, 0])
            b = np.int64(hands[hand * players + seat, 1])
            high, low = max(a, b), min(a, b)
            start = start_ranks[high * (high - 1) // 2 + low]
            if start < best_start:
                best_start, holders, winning_holders = start, 0, 0
            if start == best_start:
                holders += 1
                winning_holders += won
        starts[2 if winning_holders == 0 else 0 if winners == 1 else 1] += 1
        starts[3] += holders > 1
