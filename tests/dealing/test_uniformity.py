"""Uniformity of shuffles: chi-square tests with fixed seeds.

The p-value of a correct shuffle is outside [1e-6, 1 - 1e-6] with a probability of 2e-6 in each
test; the upper bound detects numbers that are too even. The power of the tests is itself tested
with the best-known biased shuffle.
"""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chi2

from holdem import Deck
from holdem.trials.simulation import HandDealer


def chi_square(counts):
    expected = counts.mean()
    return float(((counts - expected) ** 2 / expected).sum())


def plausible(statistic, degrees):
    return 1e-6 < chi2.sf(statistic, degrees) < 1 - 1e-6


def positions(orders, size):
    """Return how often each card is at each position of the deck: ``(position, card)``."""
    return np.stack([np.bincount(cards, minlength=size) for cards in orders.T])


def plausible_positions(orders, size):
    """Return whether the positions of the cards in whole decks are uniform.

    All rows and columns of their counts add up to n, so that the table has (N-1)^2 degrees of
    freedom. The entries of a random permutation matrix vary in each of those directions by
    1/(N-1), not by 1/N as independent draws would: the usual statistic, times (N-1)/N, is
    chi-square.
    """
    return plausible(chi_square(positions(orders, size)) * (size - 1) / size, (size - 1) ** 2)


def deck_orders(count, **arguments):
    deck = Deck(**arguments)
    orders = np.empty((count, len(deck)), dtype=np.uint8)
    for row in range(count):
        deck.shuffle()
        orders[row] = deck.cards
    return orders


def test_deck_puts_every_card_at_every_place():
    """In 20,000 shuffles each card is at each position 385 times, as expected."""
    assert plausible_positions(deck_orders(20_000, seed=7), 52)


def test_small_deck_takes_every_order():
    """The 24 orders of four cards are equally frequent."""
    orders = [tuple(order) for order in deck_orders(24_000, seed=7, cards="2c 2d 2h 2s").tolist()]
    counts = np.array([orders.count(order) for order in permutations(range(4))])
    assert counts.sum() == 24_000
    assert plausible(chi_square(counts), 23)


def test_the_naive_shuffle_would_be_found():
    """The biased shuffle that swaps every position with any position fails both tests.

    It makes 4^4 equally likely runs over 24 orders, and 256 is no multiple of 24.
    """
    rng = np.random.default_rng(7)
    orders = []
    for _ in range(24_000):
        order = list(range(4))
        for place in range(4):
            other = int(rng.integers(4))
            order[place], order[other] = order[other], order[place]
        orders.append(tuple(order))
    counts = np.array([orders.count(order) for order in permutations(range(4))])
    assert chi2.sf(chi_square(counts), 23) < 1e-6
    assert not plausible_positions(np.array(orders), 4)


def dealt_cards(players, hands, seed=7):
    return HandDealer(players=players, seed=seed).deal(1, hands)


def test_dealt_hands_have_every_card_at_every_place():
    """In 200,000 deals all cards are equally frequent at each of the 28 positions."""
    counts = positions(dealt_cards(10, 200_000), 52)
    assert all(plausible(chi_square(row), 51) for row in counts)


def test_dealt_hands_have_every_pair_of_cards():
    """All ordered pairs of hole cards of seat 0 are equally frequent."""
    dealt = dealt_cards(2, 400_000).astype(np.int64)
    pairs = np.bincount(dealt[:, 5] * 52 + dealt[:, 6], minlength=52 * 52).reshape(52, 52)
    assert np.trace(pairs) == 0
    assert plausible(chi_square(pairs[~np.eye(52, dtype=bool)]), 52 * 51 - 1)


@pytest.mark.parametrize("first", [0, 3, 4, 24])
def test_dealt_hands_have_every_order(first):
    """All orders, by id, of four neighbouring cards of a deal are equally frequent."""
    ranks = np.argsort(np.argsort(dealt_cards(10, 200_000)[:, first : first + 4], axis=1), axis=1)
    counts = np.bincount(ranks @ [64, 16, 4, 1], minlength=256)
    counts = counts[counts > 0]
    assert len(counts) == 24
    assert plausible(chi_square(counts), 23)


def test_neighbouring_hands_are_independent():
    """The first cards of consecutive hands are independent.

    Rows and columns both come from the same draws, so their margins are estimated.
    """
    first = dealt_cards(2, 400_001)[:, 0].astype(np.int64)
    table = np.bincount(first[:-1] * 52 + first[1:], minlength=52 * 52).reshape(52, 52)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    assert plausible(float(((table - expected) ** 2 / expected).sum()), 51**2)


def test_a_deck_is_dealt_to_the_end():
    """A deck of 28 cards, all dealt to ten players, has each card at each position."""
    dealt = HandDealer(players=10, dead=range(24), seed=7).deal(1, 100_000)
    assert (np.sort(dealt, axis=1) == np.arange(24, 52)).all()
    assert plausible_positions(dealt - 24, 28)
