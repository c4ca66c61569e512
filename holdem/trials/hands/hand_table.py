"""Whole hands as arrays, some thousands at a time: for those who write millions of them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import partial

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.hand_value import best_fives
from holdem.jobs.ordered import in_order
from holdem.trials.hands.simulation import HandDealer

# Hands described together: with nine players some 20 MB while their best five are looked for.
_BLOCK = 1 << 12


@attrs.frozen(eq=False)
class HandTable:
    """Some consecutive hands, the very hands that `holdem.simulate` deals."""

    dealer: HandDealer
    first: int
    """The number of the first hand."""
    holes: CardArray
    """``uint8 (hand, seat, 2)``, in the order they came."""
    burns: CardArray
    """``uint8 (hand, 3)``"""
    boards: CardArray
    """``uint8 (hand, 5)``"""
    classes: NDArray[np.int64]
    """``int64 (hand, seat)``, 1 for the best."""
    categories: NDArray[np.intp]
    """``intp (hand, seat)``: places in the rules' categories, 0 for the weakest."""
    best: CardArray
    """``uint8 (hand, seat, 5)``: the cards that count, strongest first."""
    wins: NDArray[np.bool_]
    """``bool (hand, seat)``: who has the best hand, alone or with others."""

    def __len__(self) -> int:
        return len(self.boards)


def hand_tables(dealer: HandDealer, hands: int, workers: int) -> Generator[HandTable, None, None]:
    """Yield the first hands of a dealer, table after table, the same for any `workers`."""
    return in_order(_tasks(dealer, hands), workers)


def _tasks(dealer: HandDealer, hands: int) -> Iterator[Callable[[], HandTable]]:
    for first in range(1, hands + 1, _BLOCK):
        yield partial(_table, dealer, first, min(_BLOCK, hands - first + 1))


def _table(dealer: HandDealer, first: int, count: int) -> HandTable:
    evaluator, places = dealer.evaluator, dealer.places
    dealt, hands = dealer.deal(first, count)
    strengths = evaluator.rank(hands).astype(np.int64)
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
        best=best_fives(hands, strengths, classes, evaluator).reshape(*by_seat, 5),
        wins=ranked == ranked.max(axis=1, keepdims=True),
    )
