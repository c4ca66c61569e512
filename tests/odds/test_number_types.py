"""The numbers of a player: floats, NaN where an exact run was cut short."""

import copy
import json
import math
import pickle

import holdem

CUT = holdem.equity("AsKs", "random", dead="2c", method="exact", time=1e-9, workers=1)
NAMES = ("equity", "win", "tie", "lose", "stderr", "win_stderr", "tie_stderr", "wins", "losses")


def test_numbers_are_floats():
    """Sums and comparisons of them need no check for None."""
    player = CUT.players[0]
    assert all(math.isnan(getattr(player, name)) for name in NAMES)
    assert all(math.isnan(end) for end in (*player.ci95, *player.win_ci95))
    assert not player.equity + 1 > 0.5
    whole = holdem.equity("AsKs", "QQ").players[0]
    assert all(isinstance(getattr(whole, name), float) for name in NAMES[:7])
    assert whole.wins + whole.ties + whole.losses == 6 * 1_712_304


def test_missing_numbers_are_equal():
    """Copies of a result that was cut short equal it, and JSON and frames have no NaN."""
    for copied in (pickle.loads(pickle.dumps(CUT)), copy.deepcopy(CUT)):
        assert copied == CUT
        assert hash(copied.players[0]) == hash(CUT.players[0])
    assert CUT.players[0] != holdem.equity("AsKs", "random", dead="2c").players[0]
    text = json.dumps(CUT.to_dict(), allow_nan=False)
    assert {json.loads(text)["players"][0][name] for name in (*NAMES, "ci95")} == {None}
    assert CUT.to_frame()["equity"].isna().all()
    assert "nan" not in str(CUT)
    assert "nan" not in repr(CUT)


def test_a_decorated_evaluator_gives_an_int():
    """Called with one hand; with a batch, it gives the array that its function returns."""
    import numpy as np
    import pytest

    @holdem.evaluator("highest-card")
    def highest(cards):
        return np.max(cards)

    assert type(highest((1, 2, 3, 4, 50))) is int
    assert highest(holdem.parse_cards("2c 3c 4c 5c 7c")) == 20

    @holdem.evaluator("all-equal", batch=True)
    def equal(cards):
        return np.zeros(len(cards), dtype=np.int64)

    assert equal(np.zeros((3, 5), dtype=np.uint8)).tolist() == [0, 0, 0]

    @holdem.evaluator("halves")
    def half(cards):
        return cards[0] / 2

    with pytest.raises(holdem.HoldemTypeError, match=r"halves returned 0\.5 for a hand, not an"):
        half((1, 2, 3, 4, 5))
