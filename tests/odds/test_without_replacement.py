"""Sampling without replacement: the draws of a group, and draws that are rejected."""

from itertools import count

import numpy as np
import pytest

from holdem.dealing.random_words import GOLDEN, random_word
from holdem.jit.decorators import kernel
from holdem.odds.sampling.deck_draws.tables import GROUP
from holdem.odds.sampling.deck_draws.without_replacement import draw_positions

SIZES = np.arange(52, 36, -1, dtype=np.uint64)  # two words, sixteen draws
FAIR = [2**32 % int(product) for product in SIZES.reshape(-1, 4).prod(axis=1)]


@kernel
def _drawn(sizes, thresholds, counter, positions):
    fractions = np.empty((3, GROUP), dtype=np.uint64)
    return draw_positions(sizes, thresholds, counter, fractions, positions)


@kernel
def _word(counter):
    return random_word(counter)


def _by_hand(words, thresholds):
    """Return the positions that two words give, and whether all draws are unbiased."""
    positions, fair = [], True
    halves = [half for word in words for half in (word >> 32, word & 0xFFFFFFFF)]
    for number, (fraction, least) in enumerate(zip(halves, thresholds, strict=True)):
        for draw in range(4 * number, 4 * number + 4):
            chosen, fraction = divmod(fraction * int(SIZES[draw]), 2**32)
            positions.append(draw + chosen)
        fair &= fraction >= least
    return positions, fair


@pytest.mark.parametrize("thresholds", [FAIR, [0] * 4, [2**31, 2**30, 2**31, 0]])
def test_as_by_hand(thresholds):
    """The positions of a deal are those of its two words, or of the next two if rejected.

    With thresholds that reject half of all draws hundreds are drawn again, otherwise not one in a
    thousand.
    """
    start, size = 12_345, 8
    positions = np.empty((2 * size, GROUP), dtype=np.uint8)
    end = _drawn(SIZES, np.array(thresholds, dtype=np.uint64), np.uint64(start), positions)

    def word(number):
        return int(_word(np.uint64((start + number * int(GOLDEN)) % 2**64)))

    more, again = count(2 * GROUP), 0
    for deal in range(GROUP):
        expected, fair = _by_hand([word(deal), word(GROUP + deal)], thresholds)
        while not fair:
            expected, fair = _by_hand([word(next(more)), word(next(more))], thresholds)
            again += 1
        assert expected == positions[:, deal].tolist()
    assert (start + next(more) * int(GOLDEN)) % 2**64 == int(end)
    assert (again > 100) == (thresholds[0] == 2**31)
