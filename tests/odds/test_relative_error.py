"""`relative`: sampled equities to a part of themselves."""

import numpy as np
import pytest

import holdem
from holdem.odds import bounds
from holdem.odds.sampling.run import MIN_BLOCKS
from holdem.odds.sampling.sampler import BLOCK

SPOT = ("2c2d", "AsAh", "KsKh")
SAMPLED = {"method": "monte-carlo", "seed": 1}


@pytest.mark.parametrize("relative", [0.05, 0.004])
def test_a_run_ends_at_the_first_block_that_is_enough(relative):
    """Every error is at most that part of its equity; a block fewer was not enough."""
    found = holdem.equity(*SPOT, relative=relative, **SAMPLED)
    assert found.stop == "relative"
    assert (found.stderrs <= relative * found.equities).all()
    if found.deals > MIN_BLOCKS * BLOCK:
        fewer = holdem.equity(*SPOT, deals=found.deals - BLOCK, **SAMPLED)
        assert (fewer.stderrs > 0.999 * relative * fewer.equities).any()
    assert "(stopped by relative error)" in str(found)
    assert found.equities == pytest.approx(holdem.equity(*SPOT).equities, rel=5 * relative)


def test_the_first_bound_ends_the_run():
    both = holdem.equity(*SPOT, relative=0.01, stderr=0.3, **SAMPLED)
    assert (both.stop, both.deals) == ("stderr", MIN_BLOCKS * BLOCK)
    few = holdem.equity(*SPOT, relative=1e-6, deals=1000, **SAMPLED)
    assert (few.stop, few.deals) == ("deals", 1000)


def test_an_equity_of_0(monkeypatch):
    """A player who is drawing dead never has a small relative error: 2^24 deals end the run."""
    assert bounds.PATIENCE == 2**24
    monkeypatch.setattr(bounds, "PATIENCE", 10 * BLOCK)
    dead = ("2c7d", "AsAh"), {"board": "AcAd3h", **SAMPLED}
    found = holdem.equity(*dead[0], relative=0.1, **dead[1])
    assert (found.stop, found.deals, found.players[0].equity) == ("deals", 10 * BLOCK, 0)
    bounded = holdem.equity(*dead[0], relative=0.1, deals=20 * BLOCK, **dead[1])
    assert bounded.deals == 20 * BLOCK
    assert np.isnan(bounded.by_next_card.equity).sum() == 0


def test_many_spots():
    table = holdem.equities(["2c2d", "7c2d"], "AsAh", "KsKh", relative=0.02, **SAMPLED)
    assert (table.stderr <= 0.02 * table.equity).all()
    with pytest.warns(holdem.HoldemWarning, match="relative has no effect on an exact answer"):
        holdem.equities(["2c2d"], "AsAh", relative=0.02)


def test_on_the_command_line(capsys):
    from holdem.cli import run

    words = "equity 2c2d AsAh KsKh --method monte-carlo --relative 0.05 --seed 1"
    assert run(words.split()) == 0
    assert "stopped by relative error" in capsys.readouterr().out
