"""`aggregate`, which deals many hands, as `simulate` does, and computes statistics over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, CardsLike, read_only
from holdem.dealing.seeds import Seed
from holdem.errors import HoldemValueError, quoted
from holdem.evaluation.registry import EvaluatorLike
from holdem.jit.kernels import kernel
from holdem.jobs.run import FIRST_BATCH, BatchSize, End, Job, Task, run
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.sampling.sampler import BLOCK
from holdem.odds.tally import SHARE_UNIT, HandOutcomes
from holdem.ranges.range import Range
from holdem.ranges.starting_hands import starting_hand_ranks
from holdem.results.base_result import Result
from holdem.results.fields import EvaluatorLabel, shown, to_json
from holdem.trials.hand_table import HandTable, ask_table, name_answers
from holdem.trials.simulation import HandDealer, checked_hand_count

#: The number of players if none is given.
DEFAULT_PLAYERS = 9

Sums = NDArray[Any] | dict[str, NDArray[Any]]
"""The sum of the arrays that the user's function ``of`` returned, or such sums by name."""

_SUM_TYPES = {"i": np.int64, "u": np.uint64, "f": np.float64}


def _equal_sums(first: Sums | None, second: Sums | None) -> bool:
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(
            np.array_equal(sums, second[name]) for name, sums in first.items()
        )
    if first is None or second is None:
        return first is second
    return type(first) is type(second) and np.array_equal(first, second)  # type: ignore[arg-type]


@attrs.frozen
class SeatOutcomes(HandOutcomes):
    """The wins, ties and losses of one seat, and the equity of the seat."""

    equity: float = attrs.field(metadata=shown(cell=".3%"))
    """The mean share of the pot, 0..1; one of k winners gets 1/k."""


@attrs.frozen
class BestStartOutcomes(HandOutcomes):
    """Counts of the deals in which the best starting hand wins, ties and loses.

    Starting hands are compared by the rank of their class, such as AKs, in the rule set. If several
    seats hold the best class, the deal counts as won if one of these seats is the only winner, as
    tied if the pot is split and one of these seats is among the winners, and as lost otherwise.
    """

    several: int
    """The number of hands in which several seats held the best class."""


@attrs.frozen(repr=False)
class Aggregate(Result):
    """The result of `aggregate`: statistics over hands in which nobody folds before the showdown.

    A comparison of two results ignores `elapsed`.
    """

    _report: ClassVar[str] = "holdem.report.hand_reports:aggregate_report"

    players: int = attrs.field(metadata=shown(in_columns=False))
    hands: int
    """The number of hands dealt, from hand 1 on."""

    stop: Literal["hands", "interrupted"]
    """Why the run ended: all hands were dealt, or Ctrl-C."""

    seed: int
    """The seed, given or drawn; `simulate` deals the same hands with this seed."""

    evaluator: EvaluatorLabel
    """The name and version of the evaluator."""

    categories: dict[str, int] = attrs.field(hash=False)
    """The number of hands of each category at showdown, counted over all seats, weakest category
    first. These numbers add up to ``hands * players``."""

    winning_categories: dict[str, int] = attrs.field(hash=False)
    """The number of winning hands of each category, weakest category first. A pot that is split
    three ways counts three times."""

    best_starting_hand: BestStartOutcomes
    """Wins, ties and losses of the best starting hand of each deal."""

    pots: dict[int, int] = attrs.field(hash=False)
    """The number of hands by their number of winners: 1 for a pot that is not split."""

    seats: tuple[SeatOutcomes, ...]
    """Wins, ties and losses of each seat, seat 0 first."""

    elapsed: float = attrs.field(eq=False)
    """The duration in seconds."""

    sums: Sums | None = attrs.field(
        default=None,
        eq=attrs.cmp_using(eq=_equal_sums),
        hash=False,
        metadata=shown(is_optional=True, in_columns=False),
    )
    """The sum of the arrays that the function ``of`` returned, or a dictionary of such sums; None
    if `aggregate` was called without ``of``."""

    def __repr__(self) -> str:
        equities = ", ".join(f"{seat.equity:.4f}" for seat in self.seats)
        return f"<Aggregate, {self.hands:,} hands: {equities}>"

    def to_dict(self) -> dict[str, Any]:
        """Convert the statistics to a JSON object of the schema ``holdem/aggregate/1``."""
        return {
            "schema": "holdem/aggregate/1",
            **to_json(self),
        }


def aggregate(
    *seats: str | Range,
    players: int | None = None,
    hands: int = 1_000_000,
    seed: Seed | None = None,
    workers: int | None = None,
    evaluator: EvaluatorLike | None = None,
    progress: bool = False,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    of: Callable[[HandTable], Any] | None = None,
) -> Aggregate:
    """Deal many hands to the showdown, without folds, and count their outcomes.

    With the same players, known cards, seed and evaluator, the hands are the same as those of
    `simulate`. The counts do not depend on `workers`.

    Args:
        *seats: hole cards or a range for each of the first players. Further players hold any hand.
        players: the number of players, 1 to 10. By default, as many as in `seats`, or 9 if `seats`
            is empty.
        hands: the number of hands. A million hands of nine players take about
            0.2 seconds on one core with the default evaluator.
        seed: 0..2^64-1 or a SeedSequence; if None, a seed is drawn, and the result reports
            it.
        workers: the number of threads; None means one per core that this process may use.
        evaluator: ranks the hands: a name, a spec, or None for the default.
        progress: show a progress bar on standard error.
        board: up to five cards, the same in every hand.
        dead: cards out of play.
        of: a function that counts something else: it takes a `HandTable` and returns an array of
            numbers, of the same shape for every table, or a dictionary of such arrays. It is called
            with consecutive tables of all hands, in any thread, and the arrays are added up.

    Raises:
        SpotError: the number of players, hands or workers is invalid, or no deal is possible.
        SeedError: the seed is outside 0..2^64-1.
        EvaluatorError: there is no such evaluator, or it cannot be used.
        HoldemValueError: `of` raises an exception, or returns an unsupported value.
        HoldemError: another argument is invalid.
        Interrupted: Ctrl-C was pressed. The attribute ``finished`` of the exception has the
            statistics over the hands counted so far, from hand 1 on; it is
            None if there are none.
    """
    if players is None and not seats:
        players = DEFAULT_PLAYERS
    dealer = HandDealer(seats, players, board, dead, seed, evaluator)
    hands = checked_hand_count(hands, fewest=1)
    return run(Aggregation(dealer, hands, of), count_workers(workers), progress=progress)


class _Tally(NamedTuple):
    """The arrays to which `tally_hands` adds counts; that function explains their shapes."""

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


def _add_sums(sums: Sums | None, more: Sums | None) -> Sums | None:
    """Add what the user's ``of`` returned for a table to the sums so far; None for none."""
    if sums is None or more is None:
        return more
    if isinstance(sums, dict) and isinstance(more, dict) and sums.keys() == more.keys():
        pairs = {name: (own, more[name]) for name, own in sums.items()}
        if all(own.shape == other.shape for own, other in pairs.values()):
            return {name: _add_arrays(own, other) for name, (own, other) in pairs.items()}
    elif not isinstance(sums, dict) and not isinstance(more, dict) and sums.shape == more.shape:
        return _add_arrays(sums, more)
    raise HoldemValueError(
        f"of must return the same shapes for every table; it returned {_shapes(sums)}, and then"
        f" {_shapes(more)}"
    )


def _add_arrays(sums: NDArray[Any], more: NDArray[Any]) -> NDArray[Any]:
    with np.errstate(invalid="ignore"):
        added = sums + more
    if added.dtype.kind == "f" and np.isnan(added).any():
        raise HoldemValueError("of: the sums of two tables are inf and -inf, which have no sum")
    if added.dtype.kind in "iu" and (abs(added - (sums + more.astype(np.float64))) > 2.0**62).any():
        raise HoldemValueError(
            f"of: the sums of the arrays exceed {added.dtype}; return arrays of floats"
        )
    return _fixed(added)


def _shapes(sums: Sums) -> str:
    return quoted(
        {name: own.shape for name, own in sums.items()} if isinstance(sums, dict) else sums.shape
    )


class Aggregation(Job[tuple[_Tally, Sums | None], Aggregate]):
    """Job that deals hands and counts their outcomes for `aggregate`."""

    unit = "hands"
    total: int
    batch_size: BatchSize

    def __init__(
        self, dealer: HandDealer, hands: int, of: Callable[[HandTable], Any] | None = None
    ) -> None:
        self.total = hands
        self.batch_size = BatchSize(BLOCK if dealer.evaluator.has_tables else FIRST_BATCH)
        self._dealer = dealer
        self._of = of
        self._categories = dealer.evaluator.rules.categories
        # One pair, so that Ctrl-C never leaves one without the other.
        tally = _Tally.empty(dealer.players, len(self._categories))
        self._counted: tuple[_Tally, Sums | None] = (tally, None)

    def prepare(self) -> None:
        rules = self._dealer.evaluator.rules
        evaluator = self._dealer.evaluator
        evaluator.announce(self.total * self._dealer.players * evaluator.evaluations(7))
        self._category_bounds = evaluator.ranker.scale.category_bounds
        self._start_ranks = np.ascontiguousarray(starting_hand_ranks(rules), dtype=np.int64)

    def tasks(self) -> Iterator[Task[tuple[_Tally, Sums | None]]]:
        first = 1
        while first <= self.total:
            left = BLOCK - (first - 1) % BLOCK
            count = min(self.batch_size.size, left, self.total - first + 1)
            yield Task(partial(self._count, first, count), count)
            first += count

    def _count(self, first: int, count: int, workers: Workers) -> tuple[_Tally, Sums | None]:
        dealer = self._dealer
        table = dealer.table(first, count, workers)
        tally = _Tally.empty(dealer.players, len(self._categories))
        holes = table.hole.reshape(count, -1).view(np.uint8)
        tally_hands(holes, table.ranked(), self._category_bounds, self._start_ranks, *tally)
        return tally, None if self._of is None else _ask_for_sums(self._of, table)

    def add(self, part: tuple[_Tally, Sums | None]) -> bool:
        tally, sums = self._counted
        both = zip(tally, part[0], strict=True)
        added = _Tally(*(counts + more for counts, more in both))
        self._counted = added, _add_sums(sums, part[1])
        return False

    def answer(self, end: End) -> Aggregate:  # noqa: ARG002
        return self._aggregate("hands")

    def partial_answer(self) -> Aggregate | None:
        return self._aggregate("interrupted") if self._counted[0].hands else None

    def _aggregate(self, stop: Literal["hands", "interrupted"]) -> Aggregate:
        dealer, (tally, sums) = self._dealer, self._counted
        hands = tally.hands
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
            elapsed=self.stopwatch.elapsed,
            sums=sums,
        )


def _ask_for_sums(of: Callable[[HandTable], Any], table: HandTable) -> Sums:
    """Call a user's function with a table of hands, and check that it returns arrays of numbers."""
    found = ask_table(of, table, "of")
    if not isinstance(found, Mapping):
        return _checked_sums(found)
    return {name: _checked_sums(own) for name, own in name_answers(found, "of").items()}


def _checked_sums(found: object) -> NDArray[Any]:
    sums = np.asarray(found)
    is_masked = isinstance(found, np.ndarray) and type(found) is not np.ndarray
    if (
        sums.dtype.kind not in "iuf"
        or is_masked
        or (sums.dtype.kind == "f" and np.isnan(sums).any())
    ):
        raise HoldemValueError(
            "of must return an array of numbers to add up, or a dictionary of them, not"
            f" {quoted(found)}; for a mask, return mask.sum()"
        )
    return _fixed(sums.astype(_SUM_TYPES[sums.dtype.kind]))  # a sum of many int8 would overflow


def _fixed(sums: NDArray[Any]) -> NDArray[Any]:
    """Make an array of sums read-only; convert an array without dimensions to a number."""
    return read_only(sums) if sums.ndim else sums[()]


@kernel
def tally_hands(
    holes: CardArray,
    strengths: NDArray[np.int64],
    category_bounds: NDArray[np.int64],
    start_ranks: NDArray[np.int64],
    categories: NDArray[np.int64],
    starts: NDArray[np.int64],
    pots: NDArray[np.int64],
    seats: NDArray[np.int64],
) -> None:
    """Add the outcomes of hands to arrays of counts, in place.

    `holes` are ``uint8 (hand, 2 * seats)``, `strengths` those of each seat's seven cards, ``int64
    (hand, seat)``. `category_bounds` is the lowest strength of each category except the weakest,
    weakest first, ``int64 (category - 1,)``; `start_ranks` the rank of each combo's class of
    starting hands, 0 for the best, ``int64 (combo,)``.

    `categories`, ``int64 (2, category)``, weakest first, counts hands of all seats in row 0 and of
    winning seats in row 1. `starts`, ``int64 (4,)``, counts hands in which the best starting hand
    won, tied and lost, and in which several seats held it. `pots`, ``int64 (seat,)``, counts hands
    by number of winners, from 1. `seats`, ``int64 (seat, 3)``, has hands won, hands tied, and the
    sum of pot shares in units of 1/`SHARE_UNIT`.
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
            a = np.int64(holes[hand, 2 * seat])
            b = np.int64(holes[hand, 2 * seat + 1])
            high, low = max(a, b), min(a, b)
            start = start_ranks[high * (high - 1) // 2 + low]
            if start < best_start:
                best_start, holders, winning_holders = start, 0, 0
            if start == best_start:
                holders += 1
                winning_holders += won
        starts[2 if winning_holders == 0 else 0 if winners == 1 else 1] += 1
        starts[3] += holders > 1
