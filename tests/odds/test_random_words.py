"""The random words of a deal: each is used once, and kernels draw the same deals as Python."""

import numpy as np
import pytest

from holdem.odds.sampling import deal_kernels, sampler
from holdem.odds.spot import make_spot

_WIDE = "22+:0.5,A2s+,KTs+:0.25,QJs,ATo+,KQo"


@pytest.fixture
def used(monkeypatch):
    """Replace kernels and helpers by Python; return the list of counters whose words they use."""
    counters = []
    for module in (deal_kernels, sampler):
        for name, function in list(vars(module).items()):
            if hasattr(function, "py_func"):
                monkeypatch.setattr(module, name, function.py_func)
    mix = deal_kernels.random_word

    def random_word(counter):
        counters.append(int(counter))
        return mix(counter)

    monkeypatch.setattr(deal_kernels, "random_word", random_word)
    # Of scarce cards tried together, those after the one that fits are drawn again.
    monkeypatch.setattr(deal_kernels, "_TRIES", np.uint64(1))
    return counters


@pytest.mark.parametrize(
    ("players", "board"),
    [
        (["AsKs", "random"], ""),
        (["random"] * 4, "Td9d2c"),
        (["AsKs", _WIDE], ""),
        (["top 70%:0.6,top 20%:0.4", "top 60%"], ""),
        ([_WIDE, _WIDE, _WIDE, "random"], ""),
        (["JJ:0.5,QQ+"] * 8, ""),
    ],
)
def test_each_word_is_used_once(players, board, request):
    """The words that decide on rows, aliases and cards differ, in all groups of a block."""
    spot, deals = make_spot(players, board), deal_kernels.GROUP + 1
    sample = sampler.Sampler(spot, 7, independent=True)
    expected = sample.deals(2, deals)
    used = request.getfixturevalue("used")
    with np.errstate(over="ignore"):  # the counter wraps around
        drawn = sample.deals(2, deals)
    assert (drawn == expected).all()
    assert len(used) == len(set(used)) > 2 * deal_kernels.GROUP
