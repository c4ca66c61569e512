"""Draws of a number from a random fraction: those accepted give every number equally often."""

import numpy as np
import pytest

from holdem.odds.sampling.deck_draws.prepare import draw_tables
from holdem.odds.sampling.row_tables.prepare import row_tables
from holdem.odds.sampling.row_tables.tables import ROW_BITS
from holdem.odds.spot import make_spot


def _is_fair(size, least, bits):
    """Count the fractions ``f`` of ``2^bits`` that give each number, without drawing any.

    ``f * size`` has the number in its high bits, and at least `least` in its `bits` low ones.
    """
    first = np.arange(size, dtype=np.uint64) << np.uint64(bits)
    size, one = np.uint64(size), np.uint64(1)
    below = (first + np.uint64(least) + size - one) // size
    counts = (first + np.uint64(1 << bits) + size - one) // size - below
    return bool((counts == counts[0]).all())


def test_unfair_draws_are_found():
    assert _is_fair(1326, 2**32 % 1326, 32)
    assert not _is_fair(1326, 0, 32)
    assert not _is_fair(1326, 2 * (2**32 % 1326), 32)


@pytest.mark.parametrize("players", [("random",) * 3, ("AsKs", *["QQ+,AK"] * 3, "top 20%")])
def test_cards_and_lists(players):
    tables = draw_tables(make_spot(players))
    for size, least in zip(np.diff(tables.list_starts), tables.list_thresholds, strict=True):
        assert _is_fair(size, least, 32)
    products = tables.ranges.reshape(-1, 4).prod(axis=1)
    for product, least in zip(products, tables.thresholds, strict=True):
        assert _is_fair(product, least, 32)


@pytest.mark.parametrize(
    ("players", "board"),
    [(("AsKs", "random"), ""), (("top 20%", "top 10%"), ""), (("random", "random"), "Ts7d2c")],
)
def test_rows(players, board):
    tables = row_tables(make_spot(players, board))
    for (size, _, least), bits in zip(tables.layout, ROW_BITS, strict=True):
        assert size == 0 or _is_fair(size, least, bits)
