"""Spots: validation of the arguments, and live combos."""

from math import inf, nextafter
from time import process_time

import pytest

import holdem
from holdem.odds.bounds import check_bounds
from holdem.odds.spot import make_spot


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (("AsKs",), {}, "expected 2 to 10 players, not 1"),
        (("22",) * 11, {}, "expected 2 to 10 players, not 11"),
        (
            ("AsKs", "QQ"),
            {"board": "Td9d2c2h3s4s"},
            "a board has up to 5 cards, not 6: Td 9d 2c 2h 3s 4s",
        ),
        (
            ("AsKs", "QQ"),
            {"board": "TdTd2c"},
            "board: Td appears twice in 'TdTd2c', at positions 1 and 3",
        ),
        (
            ("AsKs", "QQ"),
            {"board": "Td9d2c", "dead": "9d"},
            "9d appears twice: in the board and in the dead",
        ),
        (("AsKs", "QQ"), {"board": "Td9x2c"}, "'9x2' at position 3 of 'Td9x2c' is not a card"),
        (
            ("AsKs", "QQ"),
            {"board": "AsTd2c"},
            "player 1: 'AsKs' has no possible hand: blocked by As on the board",
        ),
        (
            ("AA", "QQ"),
            {"dead": "AsAhAd"},
            "player 1: 'AA' has no possible hand: blocked by As Ah Ad among the dead cards",
        ),
        (
            ("AA", "AA", "AA"),
            {},
            "no deal is possible: 'AA', 'AA', 'AA' cannot all be held at once",
        ),
        (("AsKs", "AsQs"), {}, "no deal is possible: As is in the hands of players 1 and 2"),
        (
            ("AsKs", "AsQs", "2c2d"),
            {},
            "no deal is possible: As is in the hands of players 1 and 2",
        ),
        (("AsKs", "QQ"), {"evaluator": "kev"}, "no evaluator 'kev'"),
        (
            ("AsKs", "QQ"),
            {"method": "guess"},
            "no method 'guess'; there are: auto, exact, monte-carlo",
        ),
        (
            ("AsKs", "QQ"),
            {"deals": 0},
            "deals must be an integer from 1 to 70,368,744,177,664, not 0",
        ),
        (("AsKs", "QQ"), {"deals": 10**15}, "deals must be an integer from 1 to"),
        (("AsKs", "QQ"), {"stderr": 0.0}, "stderr must be a number from 1e-06 up to 1, not 0"),
        (
            ("AsKs", "QQ"),
            {"stderr": float("nan")},
            "stderr must be a number from 1e-06 up to 1, not nan",
        ),
        (("AsKs", "QQ"), {"time": -1}, "time must be a number above 0"),
        (("AsKs", "QQ"), {"time": float("inf")}, "time must be a number above 0"),
        (("AsKs", "QQ"), {"seed": -1}, "seed"),
        (("AsKs", "QQ"), {"seed": 2**64}, "seed"),
        (("AsKs", "QQ"), {"workers": 0}, "workers must be an integer from 1 to 1024, not 0"),
        (
            ("AsKs", "QQ"),
            {"method": "exact", "deals": 5},
            "method exact takes no deals, no stderr and no relative",
        ),
        (("random",) * 9, {"method": "exact"}, "an exact answer over up to"),
        (
            ("random",) * 7,
            {"method": "exact"},
            "evaluations (the limit is 5e+11): narrow",
        ),
    ],
)
def test_refused(players, options, message):
    """Each impossible or unaffordable spot raises an error with a clear message."""
    with pytest.raises(holdem.HoldemError) as caught:
        holdem.equity(*players, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("players", "options"),
    [
        ((1, "QQ"), {}),
        (("AsKs", "QQ"), {"deals": 1.5}),
        (("AsKs", "QQ"), {"deals": True}),
        (("AsKs", "QQ"), {"stderr": "small"}),
        (("AsKs", "QQ"), {"workers": 2.0}),
        (("AsKs", "QQ"), {"seed": 1.0}),
        (("AsKs", "QQ"), {"board": 7}),
    ],
)
def test_wrong_types(players, options):
    """An argument of a wrong type raises a HoldemError that is a TypeError."""
    with pytest.raises(holdem.HoldemTypeError) as caught:
        holdem.equity(*players, **options)
    assert isinstance(caught.value, TypeError)


def test_range_errors_name_the_player():
    """An error in a range is a RangeError that names the player."""
    with pytest.raises(holdem.RangeError, match="player 2"):
        holdem.equity("AsKs", "QQQ")


def test_live_combos():
    """Combos that the board, dead cards or other players block are not live."""
    assert [len(own) for own in make_spot(("AA", "AsAh")).live] == [1, 1]
    assert [len(own) for own in make_spot(("AA", "AA")).live] == [6, 6]
    assert [len(own) for own in make_spot(("AA", "AsAh,AsAd")).live] == [2, 2]
    assert [len(own) for own in make_spot(("AA,KK", "AA", "AA")).live] == [6, 6, 6]
    assert [len(own) for own in make_spot(("random", "AsKs"), board="Td9d2c").live] == [1081, 1]
    assert [len(own) for own in make_spot(("AK", "QQ"), dead="As").live] == [12, 6]


def test_enough_cards_must_be_left():
    """Dead cards must leave enough cards for all holes and the board."""
    dead = [card for card in range(52) if card >= 8]
    with pytest.raises(holdem.SpotError, match="need 9 more cards, and only 8 are left"):
        holdem.equity("random", "random", dead=dead)
    result = holdem.equity("random", "random", dead=dead[1:])
    assert result.exact
    assert result.deals > 0


@pytest.mark.parametrize("players", [("AA,KK,QQ,JJ",) * 9, ("JJ+,AK",) * 9, ("AK,QJ",) * 9])
def test_search_is_bounded(players):
    """Many narrow ranges that overlap raise an error within seconds."""
    begun = process_time()
    with pytest.raises(holdem.HoldemError, match=r"held at once|share so many cards"):
        holdem.equity(*players, method="monte-carlo", deals=100, seed=1)
    assert process_time() - begun < 60


def test_light_weights_of_three_ranges_stay_exact():
    """Weights that are far apart do not lose digits."""
    result = holdem.equity(
        "TT+,AK,KQ,T9",
        "2c2d,AA:.00000001,KK:.00000001",
        "2c3d,QQ:.00000001,JJ:.00000001",
        board="Kd9h5c",
    )
    assert sum(player.equity for player in result.players) == pytest.approx(1, abs=1e-13)


def test_search_for_ten_ranges():
    """The search finds the live combos of ten different ranges."""
    texts = ("AQs,AT+", "88,AQ", "AKo,TT", "KQ,QJ,AQs,KK", "A5s-A2s", "AA", "77,TT,88")
    spot = make_spot((*texts, "KQs,JT,22-66,AK", "AT+,AKs,QJ,QQ", "TT"))
    assert [len(own) for own in spot.live][5] == 6


def test_largest_bounds():
    """The limits that the messages name are allowed, and nothing beyond."""
    check_bounds(2**46, 1e-6, 1e7)
    beyond = (
        (2**46 + 1, None, None),
        (None, nextafter(1e-6, 0), None),
        (None, None, nextafter(1e7, inf)),
    )
    for bounds in beyond:
        with pytest.raises(holdem.SpotError):
            check_bounds(*bounds)
