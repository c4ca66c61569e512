"""Spots whose deals are put together from pieces: which, and that what is packed has room."""

import pytest

from holdem.evaluation.builtin.lookup.keys import RANK_KEYS
from holdem.odds.sampling.row_tables.prepare import piece_tables
from holdem.odds.sampling.row_tables.tables import RANK_BITS, SUITS_FROM
from holdem.odds.spot import make_spot

_WIDE = "22+,A2s+,KTs+,QJs,ATo+,KQo"


def test_keys_of_two_players_have_room():
    """Seven rank keys, at most four of a rank, fit twice below the counts of suits."""
    assert 4 * RANK_KEYS[12] + 3 * RANK_KEYS[11] < 1 << RANK_BITS
    assert 2 * RANK_BITS <= SUITS_FROM
    assert SUITS_FROM + 4 * 4 <= 64
    # Counts begin at 3; the board's five and both holes, where a hole counts for itself.
    assert 3 + 5 + 2 + 2 < 16


@pytest.mark.parametrize(
    ("players", "lists", "waits"),
    [
        (("AsKs", "random"), 1, False),
        (("AsKs", "QdQh"), 1, False),
        ((_WIDE, "random"), 2, True),
        (("random", _WIDE), 2, True),
        (("random", "22+:0.5,A2s+"), 2, True),
        (("random", "AsKs", "random"), 2, True),
        ((_WIDE, "random", _WIDE), 2, True),
        (("top 50%", "top 60%"), 2, False),
    ],
)
def test_who_waits(players, lists, waits):
    """A random hand is a list of its own and the last, wherever it sits, and waited for."""
    tables = piece_tables(make_spot(players))
    assert lists == 1 + (tables.scheme[3, 0] > 0)
    assert waits == tables.waits


@pytest.mark.parametrize("players", [("random",) * 3, (_WIDE, "random", "random"), (_WIDE,) * 5])
def test_more_than_two_lists(players):
    """What two lists of holes do not hold is not dealt in pieces."""
    assert piece_tables(make_spot(players)) is None
