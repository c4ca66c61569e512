"""The random words of a deal: each is used once, and kernels draw the same deals as Python."""

import numpy as np
import pytest

from holdem.odds.sampling.deck_draws import kernels as deck_kernels
from holdem.odds.sampling.deck_draws import without_replacement
from holdem.odds.sampling.row_tables import kernels as row_kernels
from holdem.odds.sampling.sampler import Sampler
from holdem.odds.spot import make_spot

_WIDE = "22+:0.5,A2s+,KTs+:0.25,QJs,ATo+,KQo"


def run_in_python(monkeypatch):
    """Replace kernels and helpers by Python; return the list of counters whose words they use."""
    used, modules = [], (row_kernels, deck_kernels, without_replacement)
    for module in modules:
        for name, function in list(vars(module).items()):
            if hasattr(function, "py_func"):
                monkeypatch.setattr(module, name, function.py_func)
    mix = row_kernels.random_word

    def random_word(counter):
        used.append(int(counter))
        return mix(counter)

    for module in modules:
        monkeypatch.setattr(module, "random_word", random_word)
    return used


@pytest.mark.parametrize(
    ("players", "kind", "deals"),
    [
        (["AsKs", _WIDE], "one list", 500),
        ([_WIDE, "random"], "second list drawn again", 1100),
        ([_WIDE, "top 30%:0.9,top 60%:0.1"], "two weighted lists", 900),
        ([_WIDE, _WIDE, _WIDE, "random"], "lists and a deck", 300),
        (["random"] * 4, "a deck", 300),
    ],
)
def test_each_word_is_used_once(monkeypatch, players, kind, deals):
    """The words that decide on a row, on its alias and on all cards differ, in all groups."""
    sampler = Sampler(make_spot(players), 7, independent=True)
    expected = sampler.deals(0, deals)
    is_rows = hasattr(sampler.tables, "layout")
    assert is_rows == ("list" in kind and "deck" not in kind)
    used = run_in_python(monkeypatch)
    draw = row_kernels.draw_rows if is_rows else deck_kernels.draw_deals
    drawn = np.empty_like(expected)
    with np.errstate(over="ignore"):  # the counter wraps around
        draw(sampler.tables, np.uint64(sampler.start), drawn)
    assert (drawn == expected).all()
    assert len(used) == len(set(used)) > deals


def test_each_word_for_scarce_cards_is_used_once(monkeypatch):
    """A row that is rejected is drawn again from other words."""
    tables = Sampler(make_spot(["JJ:0.5,QQ+"] * 8), 7).tables
    assert len(tables.scarce) > 0
    deals, sets = np.zeros((1, 21), dtype=np.uint64), np.zeros(1, dtype=np.uint64)
    used = run_in_python(monkeypatch)
    with np.errstate(over="ignore"):
        deck_kernels._draw_scarce_holes(tables, np.uint64(1), deals, sets)
    assert int(sets[0]).bit_count() == 16
    assert len(used) == len(set(used)) > 30
