"""The equities after each card that can come next on a flop or turn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import attrs
import numpy as np

from holdem.cards import DECK
from holdem.errors import SpotError
from holdem.jobs.run import End, Job, Task, run
from holdem.jobs.workers import Workers
from holdem.odds.bounds import Bounds
from holdem.odds.breakdown.on_demand import check_reports
from holdem.odds.breakdown.result_tables import NextCardTable
from holdem.odds.exact.exact_run import ExactRun
from holdem.odds.plan import Method, make_plan
from holdem.odds.result import EquityResult
from holdem.odds.sampling.run import SampledRun
from holdem.odds.spot import Spot
from holdem.odds.symmetry import permuted_cards, weight_fixing_permutations


@attrs.frozen(eq=False)
class NextCards:
    """The equities by next card, to be computed.

    Every card that can come is the spot with that card on the board.
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

    def __call__(self, progress: bool, within: Workers | None) -> NextCardTable:
        """Compute the equities; the arguments are those of `holdem.jobs.run.run`.

        Raises:
            SpotError: the board does not have 3 or 4 cards.
            Interrupted: Ctrl-C was pressed.
        """
        check_reports(["next-card"], self.spot.board)
        return run(_NextCardRun(self), self.workers, progress=progress, within=within)


class _NextCardRun(Job[tuple[int, EquityResult | None], NextCardTable]):
    """Job that answers the spot of each next card.

    Cards that are equal up to a suit permutation that leaves the spot unchanged are answered once.
    """

    unit = "cards"

    def __init__(self, wanted: NextCards) -> None:
        """Create the job; the boards of the spot have 3 or 4 cards."""
        spot = wanted.spot
        self._wanted = wanted
        self._cards = spot.board_cards
        images = permuted_cards()[weight_fixing_permutations(spot)][:, self._cards]
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
        for card in sorted(set(self._representatives)):
            yield Task(partial(self._answer, card), 1)

    def _answer(self, card: int, workers: Workers) -> tuple[int, EquityResult | None]:
        """Answer the spot with a card on the board; return None if no deal has the card."""
        workers.require_open()
        wanted = self._wanted
        spot = attrs.evolve(wanted.spot, board=(*wanted.spot.board, DECK[card]))
        try:
            spot.require_a_deal()
        except SpotError:
            return card, None
        plan = make_plan(spot, wanted.method)
        if plan.chosen is not None:
            exact = ExactRun(plan.chosen.method(spot), plan.deals)
            return card, run(exact, 1, within=workers)
        stream = (*wanted.stream, "next card", str(DECK[card]))
        sampled = SampledRun(spot, self._bounds, wanted.seed, *stream)
        return card, run(sampled, 1, seconds=self._bounds.time, within=workers)

    def add(self, part: tuple[int, EquityResult | None]) -> bool:
        card, result = part
        self._results[card] = result
        return False

    def answer(self, end: End) -> NextCardTable:  # noqa: ARG002
        found = [self._results[card] for card in self._representatives]
        results = [result for result in found if result is not None]
        outcomes = np.array(
            [
                [(own.equity, own.win, own.tie, own.stderr) for own in result.players]
                for result in results
            ]
        )
        equity, win, tie, stderr = np.moveaxis(outcomes, 2, 0).copy()
        return NextCardTable(
            cards=self._cards[[result is not None for result in found]],
            deals=np.array([_count_deals(result) for result in results]),
            equity=equity,
            win=win,
            tie=tie,
            stderr=stderr,
            exact=np.array([result.exact for result in results]),
        )


def _count_deals(result: EquityResult) -> float:
    """Count the deals of a result; of an exact one, sum their weights."""
    player = result.players[0]
    counts = (player.wins, player.ties, player.losses)
    return float(sum(count for count in counts if count is not None))
