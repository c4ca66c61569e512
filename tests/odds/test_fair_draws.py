"""Draws of a number from a random fraction: those accepted give every number equally often."""

import numpy as np
import pytest

from holdem.odds.sampling.sampler import Sampler
from holdem.odds.spot import make_spot


def _is_fair(size, least, bits=32):
    """Count the fractions ``f`` of ``2^bits`` that give each number, without drawing any.

    ``f * size`` has the number in its high bits, and at least `least` in its `bits` low ones.
    """
    first = np.arange(size, dtype=np.uint64) << np.uint64(bits)
    size, one = np.uint64(size), np.uint64(1)
    below = (first + np.uint64(least) + size - one) // size
    counts = (first + np.uint64(1 << bits) + size - one) // size - below
    return bool((counts == counts[0]).all())


def test_unfair_draws_are_found():
    assert _is_fair(1326, 2**32 % 1326)
    assert not _is_fair(1326, 0)
    assert not _is_fair(1326, 2 * (2**32 % 1326))


@pytest.mark.parametrize(
    ("players", "board"),
    [
        (("AsKs", "random"), ""),
        (("random",) * 10, ""),
        (("random",) * 2, "Ts7d2c"),
        (("AsKs", *["QQ+,AK"] * 3, "top 20%", "random"), ""),
        (("top 50%",) * 4, "Ts7d2c4h"),
        (("JJ+",) * 8, ""),
    ],
)
def test_cards_and_rows(players, board):
    """Three cards together, and rows of a list, are equally likely."""
    sampler = Sampler(make_spot(players, board), 1)
    products = sampler._tables.sizes.reshape(-1, 3).prod(axis=1)
    for size, least in zip(products, sampler._tables.least, strict=True):
        assert _is_fair(size, least)
    for size, least in zip(sampler._lists.sizes, sampler._lists.least, strict=True):
        assert _is_fair(size, least)
