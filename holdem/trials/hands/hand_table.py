"""Tables of the whole hands that `simulate` deals, stored as arrays."""

from __future__ import annotations

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.hand_value import best_fives
from holdem.jobs.workers import Workers
from holdem.trials.hands.simulation import HandDealer


@attrs.frozen(eq=False)
class HandTable:
    """A table of consecutive hands, stored as arrays with one row per hand."""

    dealer: HandDealer
    first: int
    """The number of the first hand."""
    holes: CardArray
    """``uint8 (hand, seat, 2)``, in the order dealt."""
    burns: CardArray
    """``uint8 (hand, 3)``"""
    boards: CardArray
    """``uint8 (hand, 5)``"""
    classes: NDArray[np.int64]
    """``int64 (hand, seat)``, 1 for the best."""
    categories: NDArray[np.intp]
    """``intp (hand, seat)``: indices of the rule set's categories, 0 for the weakest."""
    best: CardArray
    """``uint8 (hand, seat, 5)``: the best five cards, strongest first."""
    wins: NDArray[np.bool_]
    """``bool (hand, seat)``: whether the seat wins or shares the pot."""

    def __len__(self) -> int:
        return len(self.boards)


def make_hand_table(
    dealer: HandDealer, first: int, count: int, workers: Workers | None = None
) -> HandTable:
    """Deal and rank consecutive hands, and return them as a table.

    Args:
        dealer: deals the hands.
        first: the number of the first hand, 1 for the first of the seed.
        count: the number of hands.
        workers: the workers of the run; see `Evaluator.rank`.
    """
    evaluator, places = dealer.evaluator, dealer.places
    dealt, hands = dealer.deal(first, count)
    strengths = evaluator.rank(hands, workers).astype(np.int64)
    classes = evaluator.scale.classes(strengths)
    by_seat = (count, dealer.players)
    ranked = strengths.reshape(by_seat)
    return HandTable(
        dealer=dealer,
        first=first,
        holes=dealt[:, places.holes],
        burns=dealt[:, places.burns],
        boards=dealt[:, places.board],
        classes=classes.reshape(by_seat),
        categories=evaluator.scale.categories(ranked),
        best=best_fives(hands, strengths, classes, evaluator, workers).reshape(*by_seat, 5),
        wins=ranked == ranked.max(axis=1, keepdims=True),
    )
