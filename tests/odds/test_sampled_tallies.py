"""Deals that are ranked while they are drawn: their tally is that of the deals, ranked later."""

import numpy as np
import pytest

from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import make_spot

_WIDE = "22+:0.5,A2s+,KTs+:0.25,QJs,ATo+,KQo"
_MANY = ["AsKs", *["random"] * 3]


@pytest.mark.parametrize(
    ("players", "board"),
    [
        (["AsKs", "random"], ""),
        (["AsKs", _WIDE], ""),
        ([_WIDE, "random"], "Th9h2h"),
        ([_WIDE, "top 30%:0.9,top 60%:0.1"], "Th9h2h3c"),
        (["AsKs", "QhJh", "9c8c"], ""),
        (["AsKs", "QhJh", "random"], ""),
        ([_WIDE, "random", "AsKs"], "Th9h2h"),
        (["random"] * 3, ""),
        (_MANY, ""),
        (_MANY, "Qs7s2d"),
        (_MANY, "Qs7s2d3d"),
        ([_WIDE, _WIDE, "random", "9c8c"], ""),
        ([_WIDE] * 7, ""),
        (["JJ:0.5,QQ+"] * 8, ""),
    ],
)
def test_a_tally_is_that_of_its_deals(players, board):
    """Every outcome, and flushes above all, is the same as with hands of seven cards."""
    sampler = Sampler(make_spot(players, board), 3)
    sizes = [BLOCK, 700, 1]
    batches = [sampler.count_batch(9 + block, 0, size) for block, size in enumerate(sizes)]
    tallies = sampler.count(9, sizes)
    assert tallies.tolist() == np.stack(batches).tolist()
    many = [1] * 9  # more blocks than are drawn at a time
    each = [sampler.count_batch(100 + block, 0, 1).tolist() for block in range(9)]
    assert sampler.count(100, many).tolist() == each
