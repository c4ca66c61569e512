"""Row tables: which spots have them, and room for what is packed into a word."""

import pytest

from holdem.evaluation.builtin.lookup_keys import RANK_KEYS
from holdem.odds.sampling.deck_draws.prepare import single_lists
from holdem.odds.sampling.joint_holes import acceptance
from holdem.odds.sampling.row_tables.prepare import row_tables
from holdem.odds.sampling.row_tables.tables import RANK_BITS, SUITS_FROM
from holdem.odds.spot import make_spot

_WIDE = "22+,A2s+,KTs+,QJs,ATo+,KQo"


def test_keys_of_two_players_have_room():
    """Seven rank keys, at most four of a rank, fit twice below the suit counts."""
    assert 4 * RANK_KEYS[12] + 3 * RANK_KEYS[11] < 1 << RANK_BITS
    assert 2 * RANK_BITS <= SUITS_FROM
    assert SUITS_FROM + 4 * 4 <= 64
    # Counts begin at 3 and have the board's five and both holes added.
    assert 3 + 5 + 2 + 2 < 16


@pytest.mark.parametrize(
    ("players", "lists", "redraws_second"),
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
def test_lists(players, lists, redraws_second):
    """A random hand is the second list, in whichever seat, and only its row is drawn again."""
    tables = row_tables(make_spot(players))
    assert lists == 1 + (tables.layout[3, 0] > 0)
    assert redraws_second == tables.redraws_second


@pytest.mark.parametrize("players", [("random",) * 3, (_WIDE, "random", "random"), (_WIDE,) * 5])
def test_more_than_two_lists(players):
    """Holes that do not fit into two lists have no row tables."""
    assert row_tables(make_spot(players)) is None


@pytest.mark.parametrize(
    ("players", "accepted", "draws"), [(("AA",), 1, 1), (("AA", "AA"), 1 / 6, 12)]
)
def test_acceptance(players, accepted, draws):
    """Of the six pairs of aces one has no ace of the other: twelve rows are drawn for a deal."""
    found = acceptance(single_lists(make_spot((*players, "random"))), 1 << 16)
    assert found == pytest.approx((accepted, draws), rel=0.03)


def test_every_row_has_an_alias():
    """Both lists and the row that stands for a rejected draw have an alias."""
    tables = row_tables(make_spot((_WIDE.replace("22+", "22+:0.5"), "top 60%:0.9,72o:0.1")))
    rows = tables.layout[2, 0] + tables.layout[3, 0] + 1
    assert len(tables.keep) == len(tables.alias) == len(tables.hole_masks) == rows
