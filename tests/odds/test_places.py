"""Places in the deck: those of a whole group of deals, and those that are drawn again."""

from itertools import count

import numpy as np
import pytest

from holdem.dealing.random_words import GOLDEN, random_word
from holdem.jit.decorators import kernel
from holdem.odds.sampling.deck_draws.tables import DEALS_A_GROUP
from holdem.odds.sampling.deck_draws.without_replacement import draw_places

SIZES = np.arange(52, 36, -1, dtype=np.uint64)  # two words, sixteen draws
FAIR = [2**32 % int(product) for product in SIZES.reshape(-1, 4).prod(axis=1)]


@kernel
def _drawn(sizes, thresholds, counter, places):
    fractions = np.empty((3, DEALS_A_GROUP), dtype=np.uint64)
    return draw_places(sizes, thresholds, counter, fractions, places)


@kernel
def _word(counter):
    return random_word(counter)


def _by_hand(words, thresholds):
    """Return the places that two words give, and whether all of them are fair."""
    places, fair = [], True
    halves = [half for word in words for half in (word >> 32, word & 0xFFFFFFFF)]
    for number, (fraction, least) in enumerate(zip(halves, thresholds, strict=True)):
        for place in range(4 * number, 4 * number + 4):
            chosen, fraction = divmod(fraction * int(SIZES[place]), 2**32)
            places.append(place + chosen)
        fair &= fraction >= least
    return places, fair


@pytest.mark.parametrize("thresholds", [FAIR, [0] * 4, [2**31, 2**30, 2**31, 0]])
def test_as_by_hand(thresholds):
    """Every deal's places are those of its two words, or of the next two if they are unfair.

    With thresholds that make half of all draws unfair hundreds are drawn again; none in a
    thousand otherwise.
    """
    start, size = 12_345, 8
    places = np.empty((2 * size, DEALS_A_GROUP), dtype=np.uint8)
    end = _drawn(SIZES, np.array(thresholds, dtype=np.uint64), np.uint64(start), places)

    def word(number):
        return int(_word(np.uint64((start + number * int(GOLDEN)) % 2**64)))

    more, again = count(2 * DEALS_A_GROUP), 0
    for deal in range(DEALS_A_GROUP):
        expected, fair = _by_hand([word(deal), word(DEALS_A_GROUP + deal)], thresholds)
        while not fair:
            expected, fair = _by_hand([word(next(more)), word(next(more))], thresholds)
            again += 1
        assert expected == places[:, deal].tolist()
    assert (start + next(more) * int(GOLDEN)) % 2**64 == int(end)
    assert (again > 100) == (thresholds[0] == 2**31)
