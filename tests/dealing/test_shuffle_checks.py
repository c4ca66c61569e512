"""The checks of `scripts/checks/check_shuffle.py` and `check_streams.py`, on few deals."""

import numpy as np
import pytest

from holdem.odds.sampling.sampler import BLOCK
from shuffling.bits import interleaved, pack, runs
from shuffling.deals import SOURCES, biased
from shuffling.uniformity import LEVEL, examine


def fails(source, blocks=8):
    """Return the kinds of tests that fail."""
    findings = examine(source, blocks * BLOCK, chunk=blocks)
    return {finding.name for finding in findings if finding.p < LEVEL / len(findings)}


@pytest.mark.parametrize("name", ["hands", "equity", "known-hand"])
def test_deals_are_uniform_and_independent(name):
    """The engine's deals pass all tests."""
    assert not fails(SOURCES[name]())


def test_planted_defects_are_found():
    """Biased draws change the frequencies of cards, and overlapping streams share words."""
    assert {"cards", "hole cards"} <= fails(biased(bits=8))
    assert "board" in fails(SOURCES["overlapping"](), 2)


def test_ranks_of_orders_are_uniform_words():
    """Each run of cards gives the low 32 bits of its rank, unless the rank is rejected."""
    sizes, limits = runs(28)
    assert sizes.tolist() == [6, 7, 7, 8]
    source, streams = SOURCES["hands"](), 3
    blocks = np.stack([source.draw(stream, 40) for stream in range(streams)])
    expected = []
    for deal in blocks.swapaxes(0, 1).reshape(-1, 28).tolist():
        deck = list(range(52))
        for size, limit in zip(sizes, limits.tolist(), strict=True):
            rank = 0
            for card in deal[:size]:
                rank = rank * len(deck) + deck.index(card)
                deck.remove(card)
            deal = deal[size:]
            expected += [rank % 2**32] * (rank < limit)
    words = np.empty(3 * 40 * 4, dtype=np.uint32)
    count = pack(blocks, sizes, limits, words)
    assert words[:count].tolist() == expected
    assert 400 < count < 480


def test_streams_take_turns():
    """The first words of two streams are those of block 0 and block 1 in turn."""
    source = SOURCES["hands"]()
    sizes, limits = runs(28)
    words = next(interleaved(source, 2))
    first = np.empty(8, dtype=np.uint32)
    count = pack(np.stack([source.draw(block, 1) for block in (0, 1)]), sizes, limits, first)
    assert words[:count].tolist() == first[:count].tolist()
