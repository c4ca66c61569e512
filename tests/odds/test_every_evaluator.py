"""Every evaluator gives the same equities and is used for them."""

import pytest

import holdem
from holdem.evaluation.contract import EvaluatorSpec

NAMES = ["lookup", "reference", "bitwise", "suit-mask", "cactus-kev", "dead-horse"]


ACES_KINGS = (1388072, 6538, 317694)  # wins, ties and losses of AcAs against KdKh


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name == "reference" else ()) for name in NAMES],
)
def test_exact_before_the_flop(name):
    """The counts of AcAs v KdKh are the published ones."""
    result = holdem.equity("AcAs", "KdKh", evaluator=name)
    aces, kings = result.players
    assert (aces.wins, aces.ties, aces.losses) == ACES_KINGS
    assert (kings.losses, kings.ties, kings.wins) == ACES_KINGS
    assert result.exact
    assert result.evaluator.name == name


@pytest.mark.parametrize("name", NAMES)
def test_sampled_before_the_flop(name):
    """The equity of AcAs v KdKh is within four standard errors of the exact one."""
    deals = 4_000 if name == "reference" else 200_000
    drawn = holdem.equity("AcAs", "KdKh", evaluator=name, method="monte-carlo", seed=7, deals=deals)
    wins, ties, _ = ACES_KINGS
    equity = (wins + ties / 2) / sum(ACES_KINGS)
    assert abs(drawn.players[0].equity - equity) < 4 * drawn.players[0].stderr


@pytest.mark.parametrize("name", NAMES)
def test_the_evaluator_is_used(name):
    """A run ranks hands with the named evaluator, not with the default one."""
    inner = holdem.get_evaluator(name)
    ranked = []

    def load():
        rank = inner.spec.load()

        def counting(hands):
            ranked.append(len(hands))
            return rank(hands)

        return counting

    spec = EvaluatorSpec("counting", "", "", inner.spec.hand_sizes, load)
    result = holdem.equity("AsKs", "QQ+", board="Td9d2c", evaluator=spec)
    assert result.players[0].wins == 1811
    # Each of 13 combos on some 1,000 boards, after the 7,462 classes at load.
    assert sum(ranked) > 7462 + 10_000


@pytest.mark.equity
def test_the_evaluator_of_the_session(request):
    """``pytest --evaluator NAME`` has NAME rank every hand that no test names another one for."""
    name = request.config.getoption("--evaluator")
    result = holdem.equity("AsKs", "QdQh", board="Td9d2c7h")
    assert result.evaluator.name == (name or "lookup")
    assert holdem.get_evaluator().has_tables == (name is None)
