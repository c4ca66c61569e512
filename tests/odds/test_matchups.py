"""Match-ups are listed up to a limit."""

from itertools import product
from math import comb

import pytest

from holdem.odds.matchups import count_matchups, list_matchups
from holdem.odds.spot import make_spot
from holdem.ranges.combos import COMBO_SETS


@pytest.mark.parametrize(
    "players",
    [
        ("AKs", "QQ"),
        ("AA", "AA"),
        ("AA,KK", "AK", "AQs"),
        ("AK", "AK", "AK"),
        ("AcAd", "random"),
        ("QQ+", "JJ+", "TT+", "AK"),
    ],
)
def test_limit_of_the_list(players):
    """All match-ups are listed at the limit, and none if there is one more."""
    spot = make_spot(players)
    sets = [[int(COMBO_SETS[combo]) for combo in live] for live in spot.live]
    expected = sum(not any_twice(held) for held in product(*sets))
    assert expected == count_matchups(spot)
    listed = list_matchups(spot, expected)
    assert listed is not None
    assert expected == len(listed.combos)
    assert list_matchups(spot, expected - 1) is None


def test_most_candidates():
    """Match-ups are listed where nearly all candidates share cards: five players, eleven cards.

    Four players hold any pair of eleven high cards, and the fifth a pair without a queen.
    """
    spot = make_spot([*["QQ+,AQ+,KQ"] * 4, "KK+,AK"], dead="As")
    deals = comb(11, 2) * comb(9, 2) * comb(7, 2) * comb(5, 2) * comb(3, 2)
    assert count_matchups(spot) == deals * comb(7, 2) // comb(11, 2)


def any_twice(held):
    """Return whether two card sets share a card."""
    union = 0
    for cards in held:
        if union & cards:
            return True
        union |= cards
    return False


def test_too_many_to_list():
    """Five random hands are neither listed nor counted."""
    spot = make_spot(["AcAd", *["random"] * 5])
    assert list_matchups(spot) is None
    assert count_matchups(spot) is None
