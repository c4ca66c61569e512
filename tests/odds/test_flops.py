"""The equities on all flops, whichever way computes them."""

import pytest

import holdem
from holdem.odds.bounds import Bounds
from holdem.odds.flops import compute_flops
from holdem.odds.next_cards import NextCards
from holdem.odds.spot import make_spot


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
    assert found.outcomes.equity.shape[1] == len(players)
    assert (found.outcomes.exact == (method == "exact")).all()
    if method == "exact":
        for row in range(0, len(found.flops), len(found.flops) // 3):
            board = [holdem.Card(card) for card in found.flops[row].tolist()]
            expected = holdem.equity(*players, board=board, evaluator=evaluator)
            assert found.outcomes.equity[row].tolist() == expected.equities.tolist()
