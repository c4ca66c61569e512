"""Boards of one and two cards: a flop that is turned over card by card."""

from itertools import combinations

import numpy as np
import pytest

import holdem
from holdem.cards import DECK
from holdem.jobs.run import run
from holdem.odds.exact.candidates import list_candidates
from holdem.odds.exact.method import sum_over_combos
from holdem.odds.spot import make_spot
from naive import rank_batch

#: A few hands and ranges, so that every method applies to some.
SPOTS = [
    (("AsKs", "QhQd"), "Td9d"),
    (("AsKs:0.5,77", "QQ:0.25,JTs"), "Td9d"),
    (("AsKs", "QhQd", "88,JJ"), "Td9d"),
    (("AsKs", "QhQd"), "Td"),
]


def test_board_of_two_cards_in_the_test_of_another_library():
    """The integers are those in the test of the library OMPEval."""
    result = holdem.equity("AK", "random", board="2c3c")
    assert [player.wins for player in result.players] == [159_167_583, 108_567_320]
    assert result.players[0].ties == 6_233_737


@pytest.mark.parametrize(("players", "board"), SPOTS)
def test_every_method_and_the_sum_over_next_cards(players, board):
    """All methods agree, and each runout is counted once for each of its cards that comes next."""
    spot = make_spot(players, board)
    sums = {}
    for candidate in list_candidates(spot):
        totals = run(candidate.method(spot), 1)
        sums[candidate.name] = np.array(
            [sum_over_combos(spot, player, own) for player, own in enumerate(totals)]
        )
    first, *others = sums.values()
    assert others
    for own in others:
        np.testing.assert_allclose(own, first, rtol=1e-12)
    result = holdem.equity(*players, board=board)
    taken = holdem.parse_cards(board)
    wins = ties = 0
    for card in DECK:
        try:
            own = holdem.equity(*players, board=(*taken, card))
        except holdem.HoldemError:  # on the board, or in a known hand
            continue
        wins, ties = wins + own.players[0].wins, ties + own.players[0].ties
    to_come = 5 - len(taken)
    assert to_come * result.players[0].wins == pytest.approx(wins)
    assert to_come * result.players[0].ties == pytest.approx(ties)


def test_every_runout():
    """Plain enumeration of the boards."""
    hands = [holdem.parse_cards(text) for text in ("AsKs", "QhQd")]
    taken = holdem.parse_cards("Td9d")
    left = [card for card in DECK if card not in (*hands[0], *hands[1], *taken)]
    rows = [(*taken, *rest) for rest in combinations(left, 3)]
    mine, theirs = (
        rank_batch(np.array([(*row, *hand) for row in rows], np.uint8)) for hand in hands
    )
    player = holdem.equity("AsKs", "QhQd", board=taken).players[0]
    counted = [int(own.sum()) for own in (mine > theirs, mine == theirs, mine < theirs)]
    assert [player.wins, player.ties, player.losses] == counted


@pytest.mark.parametrize(("players", "board"), SPOTS)
def test_sampled(players, board):
    exact = holdem.equity(*players, board=board).players[0]
    sampled = holdem.equity(*players, board=board, method="monte-carlo", seed=3).players[0]
    assert abs(sampled.equity - exact.equity) < 4 * sampled.stderr


def test_many_spots():
    boards = ["Td", "Td9d", "Td9d2c", ""]
    table = holdem.equities(["AsKs"] * 4, "QhQd", board=boards)
    single = [holdem.equity("AsKs", "QhQd", board=board).players[0].equity for board in boards]
    assert table.equity[:, 0].tolist() == single


def test_explanation():
    """Nobody has a hand yet; the equity is that of the cards shown."""
    result = holdem.explain("AsKs", "QhQd", board="Td9d")
    assert result.winners == ()
    assert [street.street for street in result.streets] == ["before the flop", "second card"]
    equity = holdem.equity("AsKs", "QhQd", board="Td9d").equities
    assert result.streets[1].equities == tuple(equity.tolist())
    assert f"{100 * equity[1]:.2f} %" in result.sentence
    assert result.street == "second card"


def test_hits_are_of_all_flops_that_begin_so():
    """The made hands on a board of two cards are the mean over the next cards."""
    hits = holdem.hits("AKs,QQ", board="Td9d")
    flops = [
        holdem.hits("AKs,QQ", board=("Td", "9d", card))
        for card in DECK
        if str(card) not in ("Td", "9d")
    ]
    for name, group in hits.made.items():
        combos = sum(flop.made[name].combos for flop in flops)
        assert 48 * group.combos == pytest.approx(combos)
    assert hits.by_flop["flush"] == pytest.approx(hits.made["flush"].share)
    assert hits.by_next_card == {}


def test_dealt_hands_begin_with_the_board():
    hands = holdem.simulate(players=2, board="Td9d", hands=3, seed=1)
    assert all([str(card) for card in hand.board[:2]] == ["Td", "9d"] for hand in hands)
