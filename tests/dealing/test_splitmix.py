"""The random words of kernels: published ones, and the distance of blocks."""

import numpy as np

from holdem.dealing.seeds import BLOCK_STEP, GOLDEN, random_word


def test_words_are_those_of_splitmix64():
    """With the seed 1234567 its first words are those that other implementations test for."""
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    counters = [np.uint64((1234567 + n * int(GOLDEN)) % 2**64) for n in (1, 2, 3)]
    with np.errstate(over="ignore"):  # the products wrap around
        assert expected == [int(random_word.py_func(counter)) for counter in counters]


def test_blocks_are_two_to_the_32_words_apart():
    assert 2**32 * int(GOLDEN) % 2**64 == int(BLOCK_STEP)
