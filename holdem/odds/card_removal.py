"""Card removal: the total weight of the opposing combos that share no card with a given combo."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT

_HIGH, _LOW = COMBO_CARDS.T.astype(np.intp)


def count_unblocked(own: NDArray[np.intp], others: NDArray[np.intp]) -> NDArray[np.intp]:
    """Count, for each combo of `own`, the opponent's combos that share no card with it.

    `own` and the counts are ``intp (combo,)``; `others` are distinct combos, ``intp (other
    combo,)``.
    """
    with_card = np.bincount(COMBO_CARDS.take(others, axis=0).ravel(), minlength=DECK_SIZE)
    is_other = np.zeros(COMBO_COUNT, dtype=np.intp)
    is_other[others] = 1
    blocked = with_card.take(_HIGH.take(own)) + with_card.take(_LOW.take(own)) - is_other.take(own)
    unblocked: NDArray[np.intp] = len(others) - blocked
    return unblocked


def sum_unblocked(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum, for each combo, the weights of the opposing combos that share no card with it.

    Weights and sums are ``float64 (layer, 1326)``; the layers are independent.
    """
    unblocked = np.empty_like(weights)
    for layer, own in enumerate(weights):
        by_card = _sum_by_card(own)
        # The combo itself holds both cards and has been subtracted twice.
        unblocked[layer] = own.sum() - by_card[_HIGH] - by_card[_LOW] + own
    return unblocked


def sum_unblocked_pairs(
    first: NDArray[np.float64], second: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Sum, for each combo, the products of two opponents' weights over all combos they may hold.

    The sum is over all pairs of a combo of each opponent in which no two of the three combos share
    a card. Weights and sums are ``float64 (1326,)``.
    """
    unblocked, with_card = [], []
    for weights in (first, second):
        by_card = _sum_by_card(weights)
        by_two_cards = np.diag(by_card)
        by_two_cards[_HIGH, _LOW] = by_two_cards[_LOW, _HIGH] = weights
        unblocked.append(weights.sum() - by_card[_HIGH] - by_card[_LOW] + weights)
        with_card.append(by_card - by_two_cards[_HIGH] - by_two_cards[_LOW])
    # All pairs, minus those that share a card, summed over the cards. Two equal combos share
    # both cards and have been subtracted twice, so they are added back once. At the combo's own
    # two cards `with_card` is minus the combo's own weight, so `sharing` contains `same` two
    # more times: together with the term for unblocked combos, it is added back three times.
    same = first * second
    same_by_card = _sum_by_card(same)
    sharing = (with_card[0] * with_card[1]).sum(axis=1)
    twice = same.sum() - same_by_card[_HIGH] - same_by_card[_LOW] + 3 * same
    pairs: NDArray[np.float64] = unblocked[0] * unblocked[1] - sharing + twice
    return pairs


def _sum_by_card(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum, for each card, the weights of the combos that contain it, ``float64 (card,)``."""
    by_card = np.bincount(_HIGH, weights, DECK_SIZE) + np.bincount(_LOW, weights, DECK_SIZE)
    return by_card.astype(np.float64)
