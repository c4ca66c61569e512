"""The equities on all flops, whichever way computes them."""

from itertools import combinations, combinations_with_replacement

import pytest

import holdem
from holdem.odds.bounds import Bounds
from holdem.odds.flops import compute_flops, describe_texture
from holdem.odds.next_cards import NextCards
from holdem.odds.spot import make_spot
from holdem.rules import RULE_SETS, STRAIGHT
from naive import classify


@pytest.mark.parametrize(
    ("players", "evaluator", "method", "deals"),
    [
        (("AA", "KK"), "short-deck", "exact", None),
        (("AA", "KK", "QQ"), None, "exact", None),
        (("AA", "KK"), None, "monte-carlo", 16),
    ],
)
def test_what_cannot_be_swept_is_answered_flop_by_flop(players, evaluator, method, deals):
    """The sweep is for exact answers of two players with the default evaluator."""
    spot = make_spot(players, evaluator=evaluator)
    found = compute_flops(NextCards(spot, method, Bounds(deals), 0, 2), 0, 800)
    assert len(found.flops) > 100
    assert found.results.equity.shape[1] == len(players)
    assert (found.results.exact == (method == "exact")).all()
    if method == "exact":
        for row in range(0, len(found.flops), len(found.flops) // 3):
            board = [holdem.Card(card) for card in found.flops[row].tolist()]
            expected = holdem.equity(*players, board=board, evaluator=evaluator)
            assert found.results.equity[row].tolist() == expected.equities.tolist()


@pytest.mark.parametrize("name", ["standard", "short-deck", "deuces-wild"])
def test_connected_flops(name):
    """Flops of three ranks are connected if some hole cards make a straight by the rule book."""
    rules, connected = RULE_SETS[name], 0
    ranks = range(rules.lowest_rank, 13)
    for high, middle, low in combinations(reversed(ranks), 3):
        flop = [4 * high, 4 * middle + 1, 4 * low + 2]  # of three suits: no flush is possible
        expected = any(
            classify([*flop, 4 * one + 3, 4 * two + (3 if one != two else 0)], rules)[0] == STRAIGHT
            for one, two in combinations_with_replacement(ranks, 2)
        )
        assert describe_texture(flop, rules).connected == expected
        connected += expected
    assert connected


def test_the_low_ace_of_short_deck():
    """The flops of a spot follow its rule set, by which A-6-7-8-9 is a straight."""
    spot = make_spot(("AK", "QQ"), evaluator="short-deck")
    found = compute_flops(NextCards(spot, "monte-carlo", Bounds(16), 0, 1), 0, 573)
    (own,) = [own for own in found.to_dict()["flops"] if own["flop"] == "As7h6d"]
    assert own["connected"]
