"""Base class of the exact methods, and the totals that they compute.

`ExhaustiveJob` is the base class of all jobs that enumerate boards or match-ups.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from math import fsum
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.jobs.run import End, Job, Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.integer_weights import IntegerWeights, Sums
from holdem.odds.matchups import count_matchups
from holdem.odds.spot import Spot

if TYPE_CHECKING:  # it reads the tables, which an answer from the table before the flop needs not
    from holdem.evaluation.builtin.lookup_tables import StrengthTable


@attrs.frozen(eq=False)
class ComboTotals:
    """Wins, ties, losses and pot shares of each combo of one player.

    Each deal is weighted by the product of the other players' weights, but not by the weight of the
    player's own combo. If all weights are 0 or 1, wins, ties and losses are integers, exact below
    2^53, and pot shares of two players are multiples of 1/2.
    """

    combos: NDArray[np.intp]
    """The player's live combos, lowest first, ``intp (combo,)``."""

    wins: NDArray[np.float64]
    """The weight of the deals that the combo wins alone, ``float64 (combo,)``."""

    ties: NDArray[np.float64]
    """The weight of the deals in which it ties for the best hand, ``float64 (combo,)``."""

    losses: NDArray[np.float64]
    """The weight of all other deals, ``float64 (combo,)``."""

    shares: NDArray[np.float64]
    """The combo's share of the pot, summed over all deals: a win counts 1, a tie of k players
    1/k, ``float64 (combo,)``."""

    @property
    def deals(self) -> NDArray[np.float64]:
        """The weight of all deals in which the player has the combo, ``float64 (combo,)``."""
        return self.wins + self.ties + self.losses


class PlayerSums(NamedTuple):
    """Wins, ties, losses and pot shares of one player, summed over all deals.

    Each deal counts as the product of the players' weights. If all weights are 1, the first three
    are integers; of random hands for which a table has the equity only, they are NaN.
    """

    wins: int | float
    ties: int | float
    losses: int | float
    share: float

    @property
    def deals(self) -> int | float:
        """The total weight of all deals."""
        return self.wins + self.ties + self.losses


def sum_over_combos(spot: Spot, player: int, totals: ComboTotals) -> PlayerSums:
    """Sum a player's totals over all combos, each with its weight in the player's range."""
    own = spot.weights(player)
    counts = (totals.wins, totals.ties, totals.losses)
    if not spot.is_unweighted:
        return PlayerSums(*[fsum((own * sums).tolist()) for sums in (*counts, totals.shares)])
    # The sum of all combos may not fit a double; that of one does.
    is_large = own.dot(totals.deals) > 1 << 53
    wins, ties, losses = (
        sum(map(int, sums.tolist())) if is_large else int(own.dot(sums)) for sums in counts
    )
    # Shares of two players are multiples of 1/2, whose sums are exact.
    share = own.dot(totals.shares) if spot.players == 2 else fsum((own * totals.shares).tolist())
    return PlayerSums(wins, ties, losses, float(share))


def convert_two_players(won: int, tied: int, deals: int) -> tuple[PlayerSums, PlayerSums]:
    """Convert deals that the first player wins, tied deals and all deals to both players' sums."""
    lost, half = deals - won - tied, tied / 2
    return PlayerSums(won, tied, lost, won + half), PlayerSums(lost, tied, won, lost + half)


def combine_outcomes(
    combos: NDArray[np.intp], against: IntegerWeights, outcome_sums: Sums
) -> ComboTotals:
    """Convert sums of integer weights to the totals of a player's combos against one opponent.

    `combos` are the player's live ones, ``intp (combo,)``. `outcome_sums` are the deals that each
    combo wins, ties and loses, ``(3, layer, combo)``, each counted as the integer of the opponent's
    combo in a layer of `against`.
    """
    won, tied, lost = against.combine(outcome_sums.swapaxes(0, 1))
    wins, ties, _ = outcome_sums
    return ComboTotals(combos, won, tied, lost, shares=against.combine(wins + ties / 2))


# Costs are in evaluations: the time of ranking a hand in a kernel by the tables, about 1 ns (some
# 900 million a second). Costs in numpy, which choose between numpy and a kernel that is not loaded,
# are in evaluations of numpy, some 25 ns (`holdem.jit.kernels`).

#: The cost of ranking a hand through arrays, relative to ranking it in a kernel.
THROUGH_ARRAYS = 16
#: How many comparisons of two ranked hands cost as much as one evaluation.
COMPARISONS = 4
#: In numpy, the cost of a combo that is compared with all others.
COMBO_IN_NUMPY = 500
#: In numpy, the comparisons or sums that are made together, whose arrays take some 10 MB.
TOGETHER_IN_NUMPY = 1 << 18

_Answer = TypeVar("_Answer")


class ExhaustiveJob(Job[Any, _Answer]):
    """Base class of jobs that enumerate every board, or every match-up, of a spot in batches.

    The size of a task is its part of the work in percent, as the progress bar shows it.
    """

    unit = "%"
    total = 100.0

    _sums: NDArray[Any]
    """The sum of the arrays that the tasks returned; created by `prepare`."""

    def batches(
        self, call: Callable[[slice, Workers], Any], count: int, together: int
    ) -> Iterator[Task[Any]]:
        """Divide `count` boards or match-ups into batches, and yield a task for each batch.

        `call` computes a batch, a slice of the boards or match-ups. A batch has `together` of them;
        values below 1 act as 1.
        """
        together = max(1, together)
        for start in range(0, count, together):
            rows = slice(start, min(start + together, count))
            yield Task(partial(call, rows), self.total * (rows.stop - start) / count)

    def add(self, part: Any) -> bool:
        self._sums += part
        return False


class ExactMethod(ExhaustiveJob[tuple[Any, ...]]):
    """Base class of methods that compute exact wins, ties and losses over all deals of a spot.

    The results are by combo or, if the method was created with `by_category`, by category of the
    player's hand. Costs are estimated and compared before a method is created. Kernels are imported
    when they are needed, so that a run loads only the kernels of its own method.

    Some kernels have a twin in numpy, which computes small spots while the kernel is not loaded.
    The twin takes the same arguments and updates the same array. It sums integers, or sums doubles
    in the order of the kernel, so its results are the same to the last bit.
    """

    name: ClassVar[str]
    """The name that ``--explain-plan`` prints."""

    def __init__(self, spot: Spot, *, by_category: bool = False) -> None:
        self.spot = spot
        self.by_category = by_category

    @classmethod
    @abstractmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:
        """Estimate the cost in evaluations; return None if the method does not apply.

        An evaluation is the work of ranking one hand: by tables in a kernel or, without tables, by
        the evaluator in a batch. The estimate never depends on timing. `by_category` is whether
        `category_sums` are wanted.
        """

    @abstractmethod
    def totals(self) -> tuple[ComboTotals, ...]:
        """Compute the totals of each player's combos, after the results of all tasks were added."""

    def player_sums(self) -> tuple[PlayerSums, ...] | None:
        """Compute each player's sums over all deals; None if the caller must sum `totals`."""
        return None

    def count_deals(self) -> int:
        """Count all deals, whatever their weights, after `totals`."""
        matchups = count_matchups(self.spot)
        assert matchups is not None, "methods of many match-ups count them themselves"
        return matchups * self.spot.runouts

    def category_sums(self) -> tuple[tuple[PlayerSums, ...], ...]:
        """Compute each player's sums by the category of the hand, the weakest first.

        Methods whose `cost` by category is always None do not implement this.
        """
        raise NotImplementedError

    def answer(self, end: End) -> tuple[Any, ...]:  # noqa: ARG002
        return self.category_sums() if self.by_category else self.totals()


def estimate_ranking(spot: Spot) -> int:
    """Estimate the cost, in evaluations, of ranking all live combos on a board by `rank_combos`."""
    evaluator = spot.evaluator
    return len(spot.live_combos) * (
        THROUGH_ARRAYS if evaluator.has_tables else evaluator.evaluations(7)
    )


def require_table(spot: Spot) -> StrengthTable:
    """Load the evaluator of a spot, which must have tables; return its seven-card table."""
    tables = spot.evaluator.ranker.tables
    assert tables is not None, "checked by `cost`"
    return tables.seven
