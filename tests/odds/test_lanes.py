"""Steps in lanes: draws from words, biased draws, and numbers of unused cards."""

import numpy as np
import pytest

from holdem.dealing.random_words import BLOCK_STEP, GOLDEN, random_word
from holdem.jit.decorators import kernel
from holdem.odds.sampling.deal_kernels import write_deals
from holdem.odds.sampling.deal_tables import Blocks
from holdem.odds.sampling.lanes import GROUP
from holdem.odds.sampling.sampler import Sampler
from holdem.odds.spot import make_spot


@kernel
def _word(counter):
    return random_word(counter)


def _words_of_group(first):
    """Return the words of a group, by their number in the half of a block for the deck."""
    base = (int(BLOCK_STEP) * 7 + (int(GOLDEN) << 31)) % 2**64  # of block 7, with start 0
    counters = [(base + (first + i) * int(GOLDEN)) % 2**64 for i in range(GROUP)]
    return [int(_word(np.uint64(counter))) for counter in counters]


def _draw_by_hand(words, sizes, least):
    """Return the numbers that a deal's words give, and whether any of the draws is biased."""
    numbers, biased = [], False
    halves = [half for word in words for half in (word & 0xFFFFFFFF, word >> 32)]
    for three, fraction in enumerate(halves):
        for size in sizes[3 * three : 3 * three + 3]:
            number, fraction = divmod(fraction * int(size), 2**32)
            numbers.append(number)
        biased |= fraction < least[three]
    return numbers, biased


def _deal_by_hand(numbers, cards):
    """Return the cards of a deal: each number counts the cards that are left, in their order."""
    left = cards.tolist()
    return [left.pop(number) for number in numbers]


@pytest.mark.parametrize("limit", [0, 1 << 21])
def test_as_by_hand(limit):
    """A group's cards are those of its words, or of the next words if any draw is biased.

    With a higher limit for biased draws most groups are drawn again, otherwise hardly any.
    """
    sampler = Sampler(make_spot(("random",) * 3), 1)
    least = np.maximum(sampler._tables.least, np.uint64(limit))
    tables = sampler._tables._replace(least=least)
    deals = np.empty((2 * GROUP, 11), dtype=np.uint8)
    holes = np.empty((1, 0, len(deals)), dtype=np.uint16)
    write_deals(tables, Blocks(np.uint64(0), np.uint64(7), np.array([len(deals)]), holes), deals)
    done = again = 0
    for group in range(2):
        biased = True
        while biased:
            words = [_words_of_group(done), _words_of_group(done + GROUP)]
            done, biased, expected = done + 2 * GROUP, False, []
            for of_deal in zip(*words, strict=True):
                numbers, is_biased = _draw_by_hand(of_deal, tables.sizes, least)
                biased |= is_biased
                expected.append(_deal_by_hand(numbers[:11], tables.cards[:52]))
            again += biased
        assert deals[group * GROUP : (group + 1) * GROUP].tolist() == expected
    assert (again > 0) == (limit > 0)
