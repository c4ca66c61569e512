"""The equities of a spot on each possible flop.

Equities are usually computed flop by flop. If the exact equities of two ranges are wanted on many
flops, the ranges are instead compared once on every complete board, and the outcome is added to
each of the ten flops that the board contains. Flop by flop, they would be compared on about nine
times as many boards.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, RANKS, CardArray, cards_text
from holdem.errors import SpotError
from holdem.jobs.run import End, Job, run
from holdem.jobs.workers import Workers
from holdem.odds.exact.candidates import choose_candidate
from holdem.odds.exact.two_ranges import estimate_board
from holdem.odds.next_cards import (
    AddedCardResults,
    AddedCardsRun,
    BoardSweep,
    NextCards,
    add_cards,
    make_exact_results,
)
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.odds.symmetry import (
    list_canonical_boards,
    list_canonical_flops,
    permuted_cards,
    weight_fixing_permutations,
)
from holdem.results.fields import shown, to_json
from holdem.rules import RuleSet

#: The most flops, if every suit matters.
MAX_FLOPS = 22_100

_SUITS = {1: "monotone", 2: "two-tone", 3: "rainbow"}
_PAIRED = {1: "trips", 2: "paired", 3: "unpaired"}

# The cost of a flop, in evaluations, in addition to the cost of the method that is used on it.
_FLOP = 100_000
# The cost of the method is estimated on one of this many flops.
_ASKED = 64


@attrs.frozen
class Texture:
    """The texture of a flop: its highest rank, suits, pairs, and whether it allows a straight."""

    high: str
    """The highest rank, such as ``"A"``."""
    suits: str
    """``"rainbow"``, ``"two-tone"`` or ``"monotone"``."""
    ranks: str
    """``"unpaired"``, ``"paired"`` or ``"trips"``."""
    connected: bool
    """Whether the three ranks differ, and two hole cards can make a straight with them."""


@attrs.frozen
class TextureMean:
    """The players' mean equities on all flops of one texture."""

    group: str
    """The field of `Texture` by which flops are grouped, or ``"all"`` for all flops."""
    texture: str
    """The value of the field in words, such as ``"two-tone"`` or ``"not connected"``; empty for all
    flops."""
    flops: int
    """The number of flops of the texture, of 22,100 in all with 52 cards."""
    share: float = attrs.field(metadata=shown(cell=".2%"))
    """The share of the deals that have such a flop, from 0 to 1."""
    equity: list[float]
    """The mean equity of each player on such flops."""


@attrs.frozen(eq=False)
class FlopEquities:
    """The players' equities on consecutive flops, in the order of `list_canonical_flops`.

    One flop represents all flops that differ from it by a suit permutation that leaves the spot
    unchanged. Flops without possible deals are left out.
    """

    total: int
    """The number of flops in the whole list."""
    flops: CardArray
    """The flops, the highest card first, ``uint8 (flop, 3)``."""
    weight: NDArray[np.uint8]
    """The number of flops that each one represents, ``uint8 (flop,)``."""
    results: AddedCardResults
    rules: RuleSet
    """The rules that say what a straight is."""

    def by_texture(self) -> list[TextureMean]:
        """Compute the players' mean equities over all flops, and over the flops of each texture.

        The first item is the mean over all flops. The means by suits, by paired ranks, by
        connection and by highest rank follow. Textures without deals are left out.
        """
        textures = [describe_texture(flop, self.rules) for flop in self.flops.tolist()]
        mass = self.weight * self.results.deals

        def mean(group: str, texture: str, chosen: NDArray[np.bool_]) -> list[TextureMean]:
            part = float(mass[chosen].sum())
            if not part:
                return []
            equity = mass[chosen] @ self.results.equity[chosen] / part
            flops = int(self.weight[chosen].sum())
            return [TextureMean(group, texture, flops, part / float(mass.sum()), equity.tolist())]

        means = mean("all", "", np.ones(len(textures), dtype=np.bool_))
        values: dict[str, list[Any]] = {
            "suits": ["rainbow", "two-tone", "monotone"],
            "ranks": ["unpaired", "paired", "trips"],
            "connected": [True, False],
            "high": list(RANKS[::-1]),
        }
        for group, names in values.items():
            for name in names:
                of_each = [getattr(each, group) == name for each in textures]
                label = {True: "connected", False: "not connected"}.get(name, name)
                means += mean(group, label, np.array(of_each, dtype=np.bool_))
        return means

    def to_dict(self) -> dict[str, Any]:
        names, columns = self.results._fields[1:], self.results[1:]
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return {
            "schema": "holdem/flops/1",
            "total": self.total,
            "flops": [
                {
                    "flop": cards_text(flop),
                    "weight": weight,
                    **dict(zip(names, row, strict=True)),
                    **to_json(describe_texture(flop, self.rules)),
                }
                for flop, weight, row in zip(
                    self.flops.tolist(), self.weight.tolist(), rows, strict=True
                )
            ],
        }


def describe_texture(flop: list[int], rules: RuleSet) -> Texture:
    """Describe the texture of three card ids, the highest first."""
    ranks = frozenset(card >> 2 for card in flop)
    return Texture(
        high=RANKS[flop[0] >> 2],
        suits=_SUITS[len({card & 3 for card in flop})],
        ranks=_PAIRED[len(ranks)],
        connected=len(ranks) == 3 and _fit_a_straight(ranks, rules),
    )


@cache
def _fit_a_straight(ranks: frozenset[int], rules: RuleSet) -> bool:
    """Check whether some straight contains all the ranks 0..12; wild twos fit any straight."""
    natural = {rank for rank in ranks if rank >= rules.lowest_natural_rank}
    return any(natural.issubset(straight) for straight in rules.straights)


def compute_flops(
    wanted: NextCards,
    start: int,
    count: int,
    within: Workers | None = None,
    *,
    progress: bool = False,
) -> FlopEquities:
    """Compute the equities on `count` flops from index `start` of `list_canonical_flops`.

    `wanted` is a spot without a board, and how its equities are computed on each flop. There are
    fewer results at the end of the list.
    """
    spot = wanted.spot
    if spot.board:
        raise SpotError(f"all flops are dealt without a board, not with {len(spot.board)} cards")
    permutations = weight_fixing_permutations(spot)
    flops, weights = _list_flops(spot.free.tobytes(), tuple(permutations.tolist()))
    some, weight, total = flops[start : start + count], weights[start : start + count], len(flops)
    job: Job[Any, AddedCardResults] = AddedCardsRun(wanted, some, np.arange(len(some)))
    is_exact = wanted.method == "exact" and spot.evaluator.has_tables
    if is_exact and spot.players == 2 and _is_sweep_cheaper(spot, permutations, some):
        job = _FlopSweep(spot, permutations, flops, weights, slice(start, start + count))
    results = run(job, wanted.workers, progress=progress, within=within)
    possible = results.is_possible
    return FlopEquities(total, some[possible], weight[possible], results, spot.evaluator.rules)


def _is_sweep_cheaper(spot: Spot, permutations: NDArray[np.intp], flops: CardArray) -> bool:
    """Check whether comparing two ranges once on all boards costs less than going flop by flop.

    The spot has no board; `permutations`, ``intp (permutation,)``, leave it unchanged; `flops` are
    ``uint8 (flop, 3)``.
    """
    asked = [add_cards(spot, flop) for flop in flops[_ASKED // 2 :: _ASKED].tolist()]
    chosen = [choose_candidate(on_flop) for on_flop in asked if on_flop is not None]
    one_by_one = _ASKED * sum(_FLOP + own.evaluations for own in chosen if own is not None)
    boards = spot.boards // len(permutations)
    return boards * estimate_board(len(spot.live_combos), rows=1) < one_by_one


@lru_cache(maxsize=16)  # called for each part of the flops; takes some 40 ms
def _list_flops(deck: bytes, permutations: tuple[int, ...]) -> tuple[CardArray, NDArray[np.uint8]]:
    return list_canonical_flops(np.frombuffer(deck, dtype=np.uint8), np.array(permutations))


class _FlopSweep(BoardSweep):
    """Job that compares two ranges on every board, and sums the outcomes by flop."""

    def __init__(
        self,
        spot: Spot,
        permutations: NDArray[np.intp],
        flops: CardArray,
        weight: NDArray[np.uint8],
        part: slice,
    ) -> None:
        """Create the job for a spot of two players without a board.

        `permutations` are the suit permutations that leave the spot unchanged, ``intp
        (permutation,)``; `flops` one flop from each set of flops that they map to each other,
        ``uint8 (flop, 3)``; `weight` the number of flops in each set, ``uint8 (flop,)``. There are
        results for the slice `part` of them.
        """
        super().__init__(spot)
        self._permutations = permutations
        self._flops, self._weight, self._part = flops, weight, part

    def list_boards(self) -> CardArray:
        """List one board from each set of boards that the suit permutations map to each other."""
        canonical = list_canonical_boards((), self._spot.free, self._permutations)
        self._orbit_sizes = canonical.orbit_sizes
        return canonical.cards

    def answer(self, end: End) -> AddedCardResults:  # noqa: ARG002
        """Add the outcome on each board to its ten flops, and compute the results."""
        # The index of the flop from each orbit, by the cards of a flop in ascending order.
        index = np.zeros((DECK_SIZE,) * 3, dtype=np.intp)
        for image in permuted_cards()[self._permutations]:
            index[tuple(np.sort(image[self._flops]).T)] = np.arange(len(self._flops))
        boards, outcomes = np.sort(self._boards), self.weight_of_outcomes()
        sums = np.zeros((3, len(self._flops)))
        for columns in combinations(range(BOARD_SIZE), 3):
            flops = index[tuple(boards[:, columns].T)]
            for own, found in zip(sums, outcomes, strict=True):
                own += np.bincount(flops, self._orbit_sizes * found, len(self._flops))
        return make_exact_results(*(sums / self._weight)[:, self._part])
