"""What the exact methods find: for each combo of a player, how its deals end."""

from __future__ import annotations

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE
from holdem.odds.exact.integer_weights import Sums, WholeWeights
from holdem.ranges.combos import COMBO_CARDS


@attrs.frozen(eq=False)
class ComboSums:
    """How the deals of one player's combos end, the player's own weights left out.

    A deal counts the product of the other players' weights. With weights of 0 and 1 wins,
    ties and losses are whole numbers, exact below 2^53, and so are the shares of two
    players in halves. Times the player's own weights and summed up, they are the player's.
    """

    combos: NDArray[np.intp]
    """The player's live combos, lowest first, ``intp (combo,)``."""

    wins: NDArray[np.float64]
    """Deals that the combo wins alone, ``float64 (combo,)``."""

    ties: NDArray[np.float64]
    """Deals in which it shares the top, ``float64 (combo,)``."""

    losses: NDArray[np.float64]
    """All other deals, ``float64 (combo,)``."""

    shares: NDArray[np.float64]
    """The sum of its shares of the pot: wins, and 1/k of every tie of k players,
    ``float64 (combo,)``."""

    @property
    def deals(self) -> NDArray[np.float64]:
        """All deals in which the combo is held, ``float64 (combo,)``."""
        return self.wins + self.ties + self.losses


def sums_of_two(
    own: NDArray[np.float64],
    against: WholeWeights,
    wins: Sums,
    ties: Sums,
    deals: Sums,
) -> ComboSums:
    """Put together the sums of one of two players.

    Args:
        own: the player's weights, ``float64 (1326,)``.
        against: the opponent's weights.
        wins: ``(layer, 1326)``, exact, summed over the numbers of the opponent's weights.
        ties: likewise.
        deals: likewise; wins, ties and losses together.
    """
    combos = np.flatnonzero((own > 0) & (deals > 0).any(axis=0))
    wins, ties, deals = wins[:, combos], ties[:, combos], deals[:, combos]
    return combine_outcomes(combos, against, np.array([wins, ties, deals - wins - ties]))


def combine_outcomes(combos: NDArray[np.intp], against: WholeWeights, outcomes: Sums) -> ComboSums:
    """Put together the sums of one of two players, as `sums_of_two` does, of live combos only.

    Args:
        combos: the player's live combos.
        against: the opponent's weights.
        outcomes: the deals won, tied and lost, ``(3, layer, combo)``.
    """
    won, tied, lost = against.combine(outcomes.swapaxes(0, 1))
    wins, ties, _ = outcomes
    return ComboSums(combos, won, tied, lost, shares=against.combine(wins + ties / 2))


def weight_left(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what an opponent's range weighs once each combo has taken its cards.

    Args:
        numbers: the opponent's weights, ``float64 (layer, 1326)``.

    Returns:
        The weight of the combos that share no card with each combo, of the same shape.
    """
    high, low = COMBO_CARDS.T.astype(np.intp)
    left = np.empty_like(numbers)
    for layer, weights in enumerate(numbers):
        by_card = np.bincount(high, weights, DECK_SIZE) + np.bincount(low, weights, DECK_SIZE)
        # The combo itself holds both cards and has been taken off twice.
        left[layer] = weights.sum() - by_card[high] - by_card[low] + weights
    return left


def pairs_left(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what two opponents' ranges weigh together once each combo has taken its cards.

    Args:
        first: an opponent's weights, ``float64 (1326,)``.
        second: those of the other.

    Returns:
        For each combo the sum of the products of weights of an opponent's combo and one of
        the other that share no card with it nor with each other, ``float64 (1326,)``.
    """
    high, low = COMBO_CARDS.T.astype(np.intp)

    def by_card(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        cards = np.bincount(high, weights, DECK_SIZE) + np.bincount(low, weights, DECK_SIZE)
        return cards.astype(np.float64)

    left, with_card = [], []
    for weights in (first, second):
        cards = by_card(weights)
        both = np.diag(cards)
        both[high, low] = both[low, high] = weights
        left.append(weights.sum() - cards[high] - cards[low] + weights)
        with_card.append(cards - both[high] - both[low])
    # All pairs, less those that share a card, for each card; those that share both, being
    # the same combo, have been taken off twice. (Those that hold the combo's own cards are
    # in none of these sums but the last, where the combo itself comes back three times.)
    same = first * second
    sharing = (with_card[0] * with_card[1]).sum(axis=1)
    twice = same.sum() - by_card(same)[high] - by_card(same)[low] + 3 * same
    pairs: NDArray[np.float64] = left[0] * left[1] - sharing + twice
    return pairs
