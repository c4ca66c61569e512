"""Equity with each of the evaluators: the same integers, each really asked."""

import pytest

import holdem
from holdem.evaluation.contract import EvaluatorSpec

NAMES = ["lookup", "reference", "bitwise", "suit-mask", "cactus-kev", "dead-horse"]


@pytest.mark.parametrize("name", NAMES)
def test_aces_against_kings(name):
    """AcAs v KdKh before the flop, exact, and sampled within four standard errors."""
    result = holdem.equity("AcAs", "KdKh", evaluator=name)
    aces, kings = result.players
    assert (aces.wins, aces.ties, aces.losses) == (1388072, 6538, 317694)
    assert (kings.wins, kings.ties, kings.losses) == (317694, 6538, 1388072)
    assert result.exact
    assert result.evaluator.name == name
    deals = 20_000 if name == "reference" else 200_000
    drawn = holdem.equity("AcAs", "KdKh", evaluator=name, method="monte-carlo", seed=7, deals=deals)
    assert abs(drawn.players[0].equity - aces.equity) < 4 * drawn.players[0].stderr


@pytest.mark.parametrize("name", NAMES)
def test_the_evaluator_is_asked(name):
    """A run ranks hands with the evaluator that was named, not with the default one."""
    inner = holdem.get_evaluator(name)
    asked = []

    def load():
        rank = inner.spec.load()

        def counting(hands):
            asked.append(len(hands))
            return rank(hands)

        return counting

    spec = EvaluatorSpec("counting", "", "", inner.spec.hand_sizes, load)
    result = holdem.equity("AsKs", "QQ+", board="Td9d2c", evaluator=spec)
    assert result.players[0].wins == 1811
    # Each of 13 combos on some 1,000 boards, after the 7,462 classes at load.
    assert sum(asked) > 7462 + 10_000
