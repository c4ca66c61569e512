"""The equities on each flop, up to suit permutations that leave the ranges unchanged."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import RANKS, CardArray, cards_text
from holdem.errors import SpotError
from holdem.jobs.run import run
from holdem.jobs.workers import Workers
from holdem.odds.next_cards import AddedCardsRun, NextCards, Outcomes
from holdem.odds.symmetry import list_canonical_flops, weight_fixing_permutations

_SUITS = {1: "monotone", 2: "two-tone", 3: "rainbow"}
_PAIRED = {1: "trips", 2: "paired", 3: "unpaired"}


@attrs.frozen(eq=False)
class FlopEquities:
    """The players' equities on consecutive flops.

    Flops that no deal has are left out.
    """

    total: int
    """The number of all flops up to suit permutations."""
    flops: CardArray
    """The flops, the highest card first, ``uint8 (flop, 3)``."""
    weight: NDArray[np.uint8]
    """The number of flops that each one stands for, ``uint8 (flop,)``."""
    outcomes: Outcomes
    """The players' results on them."""

    def to_dict(self) -> dict[str, Any]:
        """Convert the flops to a JSON object, each with its texture."""
        names = ("deals", "equity", "win", "tie", "stderr", "exact")
        columns = {name: getattr(self.outcomes, name).tolist() for name in names}
        rows = zip(*columns.values(), strict=True)
        return {
            "schema": "holdem/flops/1",
            "total": self.total,
            "flops": [
                {
                    "flop": cards_text(flop),
                    "weight": weight,
                    **dict(zip(columns, row, strict=True)),
                    **describe_texture(flop),
                }
                for flop, weight, row in zip(
                    self.flops.tolist(), self.weight.tolist(), rows, strict=True
                )
            ],
        }


def describe_texture(flop: list[int]) -> dict[str, Any]:
    """Describe a flop's texture as JSON fields.

    Args:
        flop: three card ids, the highest first.
    """
    ranks = {card >> 2 for card in flop}
    low_ace = {-1 if rank == len(RANKS) - 1 else rank for rank in ranks}
    span = min(max(own) - min(own) for own in (ranks, low_ace))
    return {
        "high": RANKS[flop[0] >> 2],
        "suits": _SUITS[len({card & 3 for card in flop})],
        "ranks": _PAIRED[len(ranks)],
        "connected": len(ranks) == 3 and span <= 4,  # some two cards make a straight
    }


def compute_flops(
    wanted: NextCards, start: int, count: int, within: Workers | None = None
) -> FlopEquities:
    """Compute the equities on consecutive flops, in the order of `list_canonical_flops`.

    Args:
        wanted: the spot, without a board, and how it is answered on each flop.
        start: the number of the first flop, from 0.
        count: the number of flops, at most.
        within: as in `holdem.jobs.run.run`.

    Raises:
        SpotError: the spot has a board.
        Interrupted: Ctrl-C was pressed.
    """
    spot = wanted.spot
    if spot.board:
        raise SpotError(f"all flops are dealt without a board, not with {len(spot.board)} cards")
    permutations = weight_fixing_permutations(spot)
    flops, weight = _list_flops(spot.free.tobytes(), tuple(permutations.tolist()))
    some, weight, total = flops[start : start + count], weight[start : start + count], len(flops)
    job = AddedCardsRun(wanted, some, np.arange(len(some)))
    outcomes = run(job, wanted.workers, within=within)
    possible = outcomes.is_possible
    return FlopEquities(total, some[possible], weight[possible], outcomes)


@lru_cache(maxsize=16)  # called for each part of the flops; takes some 40 ms
def _list_flops(deck: bytes, permutations: tuple[int, ...]) -> tuple[CardArray, NDArray[np.uint8]]:
    return list_canonical_flops(np.frombuffer(deck, dtype=np.uint8), np.array(permutations))
