"""Every order of the cards is as likely as any other: chi-square tests with fixed seeds.

The chance that a chi-square variable is at least as large as the one found is computed
exactly, from the incomplete gamma function. A right shuffle leaves [1e-6, 1 - 1e-6] with a
chance of 2e-6 a test; the lower bound finds numbers that are more even than chance makes
them. What the tests would find is itself tested, on the best-known wrong shuffle.
"""

import math
from itertools import permutations

import numpy as np
import pytest

from holdem import Deck
from holdem.dealing.seeds import counter_start
from holdem.evaluation.registry import get_evaluator
from holdem.trials.hands.simulation import HandDealer


def upper_tail(statistic, degrees):
    """Return the chance of a chi-square variable of so many degrees being larger.

    One less the regularised lower incomplete gamma function P(a, x), a = degrees / 2 and
    x = statistic / 2, by its series x^a e^-x / G(a + 1) * (1 + x / (a + 1) + ...).
    """
    a, x = degrees / 2, statistic / 2
    term = total = 1.0
    n = 0
    while term > 1e-17 * total:
        n += 1
        term *= x / (a + n)
        total += term
    return 1 - total * math.exp(a * math.log(x) - x - math.lgamma(a + 1))


def chi_square(counts):
    expected = counts.mean()
    return float(((counts - expected) ** 2 / expected).sum())


def plausible(statistic, degrees):
    return 1e-6 < upper_tail(statistic, degrees) < 1 - 1e-6


def positions(orders, size):
    """Count which card lies at which place: ``(place, card)``."""
    return np.stack([np.bincount(cards, minlength=size) for cards in orders.T])


def plausible_positions(orders, size):
    """Test the counts of whole decks, in which all rows and all columns add up to n.

    Such a table has (N-1)^2 degrees of freedom, and the entries of a random permutation
    matrix vary in each of those directions by 1/(N-1), not by 1/N as independent draws
    would: the usual statistic, times (N-1)/N, is chi-square.
    """
    return plausible(chi_square(positions(orders, size)) * (size - 1) / size, (size - 1) ** 2)


@pytest.mark.parametrize(("statistic", "degrees", "tail"), [(23.685, 14, 0.05), (2.706, 1, 0.1)])
def test_upper_tail_agrees_with_printed_tables(statistic, degrees, tail):
    """Two entries of the usual table of quantiles, which has three decimals."""
    assert tail == pytest.approx(upper_tail(statistic, degrees), abs=5e-5)


def deck_orders(count, **arguments):
    deck = Deck(**arguments)
    orders = np.empty((count, len(deck)), dtype=np.uint8)
    for row in range(count):
        deck.shuffle()
        orders[row] = deck.cards
    return orders


def test_deck_puts_every_card_at_every_place():
    """20,000 shuffles of a deck: each of the 52 x 52 places and cards, 385 times expected."""
    assert plausible_positions(deck_orders(20_000, seed=7), 52)


def test_small_deck_takes_every_order():
    """Four cards have 24 orders, each expected 1,000 times: 23 degrees of freedom."""
    orders = [tuple(order) for order in deck_orders(24_000, seed=7, cards="2c 2d 2h 2s").tolist()]
    counts = np.array([orders.count(order) for order in permutations(range(4))])
    assert counts.sum() == 24_000
    assert plausible(chi_square(counts), 23)


def test_the_naive_shuffle_would_be_found():
    """Swapping every place with any place, the classic mistake, fails both tests.

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
    assert upper_tail(chi_square(counts), 23) < 1e-6
    assert not plausible_positions(np.array(orders), 4)


def dealt_cards(players, hands, seed=7):
    return HandDealer(players, seed, get_evaluator()).deal(1, hands)[0]


def test_dealt_hands_have_every_card_at_every_place():
    """200,000 hands of ten: at each of the 28 places all cards are as likely, 51 degrees."""
    counts = positions(dealt_cards(10, 200_000), 52)
    assert all(plausible(chi_square(row), 51) for row in counts)


def test_dealt_hands_have_every_pair_of_cards():
    """The two cards of seat 0, in order: 52 x 51 pairs, 151 times expected each."""
    dealt = dealt_cards(2, 400_000).astype(np.int64)
    pairs = np.bincount(dealt[:, 0] * 52 + dealt[:, 2], minlength=52 * 52).reshape(52, 52)
    assert np.trace(pairs) == 0
    assert plausible(chi_square(pairs[~np.eye(52, dtype=bool)]), 52 * 51 - 1)


@pytest.mark.parametrize("first", [0, 3, 4, 24])
def test_dealt_hands_have_every_order(first):
    """The order, by id, of four neighbouring places of the deck: 24 orders."""
    ranks = np.argsort(np.argsort(dealt_cards(10, 200_000)[:, first : first + 4], axis=1), axis=1)
    counts = np.bincount(ranks @ [64, 16, 4, 1], minlength=256)
    counts = counts[counts > 0]
    assert len(counts) == 24
    assert plausible(chi_square(counts), 23)


def test_neighbouring_hands_are_independent():
    """First card of a hand against first card of the next: 52 x 52 cells, 51^2 degrees.

    Rows and columns both come from the same draws, so their margins are estimated.
    """
    first = dealt_cards(2, 400_001)[:, 0].astype(np.int64)
    table = np.bincount(first[:-1] * 52 + first[1:], minlength=52 * 52).reshape(52, 52)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    assert plausible(float(((table - expected) ** 2 / expected).sum()), 51**2)


def test_a_short_deck_is_shuffled_to_the_end():
    """28 cards dealt to ten players: all of the deck, each card at each place."""
    from holdem.trials.hands.kernels import deal_hands

    deck = np.arange(24, 52, dtype=np.uint8)
    dealt, hands = np.empty((100_000, 28), np.uint8), np.empty((1_000_000, 7), np.uint8)
    seven = np.zeros((10, 7), dtype=np.int64)
    deal_hands(np.uint64(counter_start(7, "hands")), deck, seven, dealt, hands)
    assert (np.sort(dealt, axis=1) == deck).all()
    assert plausible_positions(dealt - 24, 28)
