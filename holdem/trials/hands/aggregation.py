"""Statistics over very many whole hands, the very hands that `simulate` deals."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from typing import Any, Literal

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import whole_number
from holdem.dealing.seeds import resolve_seed
from holdem.dealing.table import check_players
from holdem.errors import SpotError
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import get_evaluator
from holdem.jobs.batch_size import LEAST, Pace, timed
from holdem.jobs.ordered import Interrupted, count_workers, in_order
from holdem.ranges.ranking import starting_hand_ranks
from holdem.trials.hands.simulation import MAX_HANDS, HandDealer
from holdem.trials.outcomes import HandOutcomes

# Hands dealt and ranked together at most: with nine players some 700 KB, and 2 ms with the
# default evaluator.
_BLOCK = 1 << 13


@attrs.frozen
class SeatOutcomes(HandOutcomes):
    """How one seat came out."""

    equity: float
    """The mean share of the pot, 0..1: a tie among k counts 1/k."""


@attrs.frozen
class BestStartOutcomes(HandOutcomes):
    """How the best starting hand of each deal came out, by the rule set's ranking of classes.

    Where several seats hold the best class (two of them an offsuit ace-king, say), the hand
    is won if one of them is alone at the top, tied if the pot is split with one of them
    among the winners, lost if none is.
    """

    several: int
    """In how many hands several seats held the best class."""


@attrs.frozen
class Aggregate:
    """Statistics over whole hands in which every player stays in to the showdown.

    Two are equal if all but the time they took is equal.
    """

    players: int
    hands: int
    """How many hands were dealt: the first ones of the seed."""

    stop: Literal["hands", "interrupted"]
    """Why it ended: all hands that were asked for, or Ctrl-C."""

    seed: int
    """The seed, given or drawn: ``simulate(players, hands, seed)`` deals the same hands."""

    evaluator: dict[str, str]
    """Name and version of the evaluator that ranked them."""

    categories: dict[str, int]
    """How often each category came up at showdown, over all seats, weakest first: the counts
    add up to ``hands * players``."""

    winning_categories: dict[str, int]
    """How often each category won, over the winning seats: a pot split by three counts three
    times (winners of one hand have the same category), and the counts add up to the number
    of winners, the sum of ``winners * count`` over `pots`."""

    best_starting_hand: BestStartOutcomes
    """How often the best starting hand of a deal won, tied and lost."""

    pots: dict[int, int]
    """Number of winners to the hands that had so many: 1 for a pot that is not split."""

    seats: tuple[SeatOutcomes, ...]
    """How each seat came out, seat 0 first."""

    elapsed: float = attrs.field(eq=False)
    """Seconds that it took."""

    def to_dict(self) -> dict[str, Any]:
        """Return the record as one JSON object, ``holdem/aggregate/1``."""
        best = self.best_starting_hand
        return {
            "schema": "holdem/aggregate/1",
            "players": self.players,
            "hands": self.hands,
            "stop": self.stop,
            "seed": self.seed,
            "evaluator": dict(self.evaluator),
            "elapsed": self.elapsed,
            "categories": dict(self.categories),
            "winning_categories": dict(self.winning_categories),
            "best_starting_hand": attrs.asdict(best),
            "pots": {str(winners): count for winners, count in self.pots.items()},
            "seats": [attrs.asdict(seat) for seat in self.seats],
        }


@attrs.frozen(eq=False)
class _Tally:
    """Counts over some hands, as `tally_hands` keeps them."""

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

    def plus(self, other: _Tally) -> _Tally:
        return _Tally(
            self.categories + other.categories,
            self.starts + other.starts,
            self.pots + other.pots,
            self.seats + other.seats,
        )


def aggregate(
    players: int = 9,
    hands: int = 1_000_000,
    seed: int | None = None,
    workers: int | None = None,
    evaluator: str | Evaluator | EvaluatorSpec | None = None,
    progress: bool = False,
) -> Aggregate:
    """Deal many whole hands and say how often what happened.

    The hands are exactly those of ``simulate(players, hands, seed, evaluator)``, and the
    counts do not depend on `workers`.

    Args:
        players: 2 to 10.
        hands: how many hands, 1 to 10^15. A million nine-handed ones take about
            0.2 seconds on one core with the default evaluator.
        seed: 0..2^53-1; drawn from the operating system's entropy for None, and reported.
        workers: how many threads; None for all cores that this process may use.
        evaluator: who ranks the hands: a name, a spec, or None for the default.
        progress: show a bar on standard error, if that is a terminal.

    Raises:
        SpotError: not 2 to 10 players, not one hand, or a number of workers out of bounds.
        SeedError: a seed outside 0..2^53-1.
        EvaluatorError: no such evaluator, or one that cannot be used.
        HoldemTypeError: an argument of a type that cannot be used.
        Interrupted: Ctrl-C, a `KeyboardInterrupt` that carries the statistics over the first
            hands, those that were counted, as ``finished``; None where none was.
    """
    players = check_players(players)
    hands = whole_number(hands, "hands", 1, MAX_HANDS, SpotError, bounds="1..10^15")
    seed = resolve_seed(seed)
    threads = count_workers(workers)
    ranking = get_evaluator(evaluator)
    names = ranking.rules.categories
    tally = _Tally.empty(players, len(names))
    started = time.perf_counter()
    dealer = HandDealer(players, seed, ranking)
    pace = Pace(_BLOCK if ranking.is_fused else LEAST)
    try:
        with (
            closing(in_order(_tasks(dealer, hands, ranking, pace), threads)) as blocks,
            _bar(hands, progress) as bar,
        ):
            for block, seconds in blocks:
                tally = tally.plus(block)  # at once: Ctrl-C may come between any two steps
                pace.heed(block.hands, seconds)
                bar.update(block.hands)
    except KeyboardInterrupt:
        raise Interrupted(
            _told(tally, dealer, ranking, time.perf_counter() - started, "interrupted")
            if tally.hands
            else None
        ) from None
    return _told(tally, dealer, ranking, time.perf_counter() - started, "hands")


def _tasks(
    dealer: HandDealer, hands: int, evaluator: Evaluator, pace: Pace
) -> Iterator[Callable[[], tuple[_Tally, float]]]:
    # Loaded here, once, and not by several threads at a time.
    bounds = evaluator.scale.category_bounds
    start_ranks = np.ascontiguousarray(starting_hand_ranks(evaluator.rules), dtype=np.int64)
    first = 1
    while first <= hands:
        count = min(pace.size, _BLOCK, hands - first + 1)
        tally = partial(_tally_block, dealer, first, count, evaluator, bounds, start_ranks)
        yield partial(timed, tally)
        first += count


def _tally_block(
    dealer: HandDealer,
    first: int,
    count: int,
    evaluator: Evaluator,
    bounds: NDArray[np.int64],
    start_ranks: NDArray[np.int64],
) -> _Tally:
    from holdem.trials.hands.kernels import tally_hands

    tally = _Tally.empty(dealer.players, len(bounds) + 1)
    _, hands = dealer.deal(first, count)
    strengths = evaluator.rank(hands).astype(np.int64).reshape(count, dealer.players)
    tally_hands(
        hands,
        strengths,
        bounds,
        start_ranks,
        tally.categories,
        tally.starts,
        tally.pots,
        tally.seats,
    )
    return tally


def _told(
    tally: _Tally,
    dealer: HandDealer,
    evaluator: Evaluator,
    elapsed: float,
    stop: Literal["hands", "interrupted"],
) -> Aggregate:
    from holdem.trials.hands.kernels import SHARE_UNITS

    names = evaluator.rules.categories
    at_showdown, winning = (dict(zip(names, row.tolist(), strict=True)) for row in tally.categories)
    hands = tally.hands
    return Aggregate(
        players=dealer.players,
        hands=hands,
        stop=stop,
        seed=dealer.seed,
        evaluator=evaluator.label,
        categories=at_showdown,
        winning_categories=winning,
        best_starting_hand=BestStartOutcomes(*tally.starts.tolist()),
        pots=dict(enumerate(tally.pots.tolist(), 1)),
        seats=tuple(
            SeatOutcomes(wins, ties, hands - wins - ties, units / (SHARE_UNITS * hands))
            for wins, ties, units in tally.seats.tolist()
        ),
        elapsed=elapsed,
    )


def _bar(hands: int, shown: bool) -> Any:
    """Return tqdm's bar: on standard error, and on a terminal only."""
    from tqdm import tqdm

    return tqdm(total=hands, unit=" hands", unit_scale=True, disable=None if shown else True)
