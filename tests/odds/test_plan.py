"""The plan chooses a method by its cost in evaluations and explains the choice."""

from functools import partial

import pytest

import holdem
from holdem.odds.exact.candidates import EXACT_METHODS
from holdem.odds.exact.paired_combos import PairedCombos
from holdem.odds.plan import BATCH_BUDGET, KERNEL_BUDGET, make_plan
from holdem.odds.spot import make_spot


@pytest.mark.parametrize(
    ("players", "board", "method"),
    [
        (("AcAs", "KdKh"), "", "exact"),
        (("AsKs", "QdQh", "7c7d"), "", "exact"),
        (("QQ+", "TT+"), "", "exact"),
        (("AsKs", "QQ+"), "Td9d2c", "exact"),
        (("random", "random"), "Ks7d2c5h9s", "exact"),
        (("random", "random"), "", "exact"),
        (("random", "random", "random"), "Ks7d2c", "exact"),
        (("AsKs", "random", "random"), "", "exact"),
        (("AsKs", *("random",) * 5), "", "exact"),
        (("AsKs", *("random",) * 6), "", "monte-carlo"),
        (("random",) * 9, "", "monte-carlo"),
    ],
)
def test_auto(players, board, method):
    """Spots are exact within the budget and sampled beyond it."""
    assert make_plan(make_spot(players, board)).method == method


def test_many_known_hands():
    """Against a random hand, hands are counted one by one while that is within the budget."""
    plan = make_plan(make_spot(("22+,A2s+", "random"), dead="2c"))
    assert (plan.method, plan.chosen.name) == ("exact", "known hands")


def test_deals_and_stderr_have_no_effect_on_an_exact_answer():
    """With `auto`, bounds of a sampled run do not change an exact answer."""
    with pytest.warns(holdem.HoldemWarning, match="deals and stderr have no effect") as caught:
        result = holdem.equity("AcAs", "KdKh", deals=10, stderr=0.5)
    assert __file__ == caught[0].filename
    assert (result.exact, result.stop, result.deals, result.seed) == (
        True,
        "exhausted",
        1712304,
        None,
    )


def test_the_choice_is_explained():
    """The lines show all estimates and the choice, which is the cheapest method."""
    plan = make_plan(make_spot(("AsKs", "QQ+"), dead="2c"))
    assert len(plan.considered) == 3
    assert plan.chosen == min(plan.considered, key=lambda found: found.evaluations)
    text = "\n".join(plan.lines())
    assert "spot: 18,407,268 deals" in text
    assert f"budget of an exact answer: {KERNEL_BUDGET:,} evaluations" in text
    assert "chosen: exact, known hands" in text


def test_a_method_that_costs_little_is_taken_for_that():
    """All methods are listed, though the others were not asked before the choice."""
    plan = make_plan(make_spot(("AcKc", "QQ+"), "Td9d2c"))
    assert [found.name for found in plan.considered].index(plan.chosen.name) > 0
    assert plan.reason == "costs little"


def test_five_card_evaluators_count_for_every_choice():
    """An evaluator of five cards costs 21 evaluations a hand; its budget is that of batches."""
    spot = make_spot(("AcAs", "KdKh"), evaluator=holdem.get_evaluator("reference", direct=True))
    plan = make_plan(spot)
    assert plan.budget == BATCH_BUDGET
    # The orbits of the 1,712,304 boards have up to four boards: four suit permutations fix
    # AcAs and KdKh.
    assert plan.chosen.evaluations == 1712304 // 4 * (2 * 21 + 2 // 4)


def test_no_method_is_asked_for_its_cost_twice(monkeypatch):
    """Also one that is asked first, and does not apply or costs too much to be chosen at once."""
    asked = []

    def ask(spot, *, cost, by_category=False):
        asked.append(cost)
        return cost(spot, by_category=by_category)

    for listed in EXACT_METHODS:
        monkeypatch.setattr(listed.method, "cost", partial(ask, cost=listed.method.cost))
    for players, board in ((("22+", "A2+", "random"), None), (("random", "random"), "Td9d2c")):
        make_plan(make_spot(players, board))
        assert len(asked) == len(set(asked)) == len(EXACT_METHODS)
        asked.clear()


def test_a_small_spot_asks_its_method_only(monkeypatch):
    """What is cheap needs neither the costs of other methods nor their modules."""
    asked = []
    for listed in EXACT_METHODS:
        cost = listed.method.cost

        def record(spot, *, by_category=False, name=listed.method.name, cost=cost):
            asked.append(name)
            return cost(spot, by_category=by_category)

        monkeypatch.setattr(listed.method, "cost", record)
    make_plan(make_spot(("AsKs", "QQ+"), "Td9d2c"))
    make_plan(make_spot(("AsKs", "QhJh", "8c8d"), "Td9d2c"))
    make_plan(make_spot(("AsKs", "QQ+")))
    assert asked == ["combos compared in pairs", "known hands", "from the table before the flop"]


@pytest.mark.parametrize(
    "board",
    ["Td9d2d", "Td9d2c", "Td9h2c", "Td9d2d5c", "Td9d2d5c5h", "Td9d2d5d5c", "TcTdTh", "TcTdThTs"],
)
@pytest.mark.parametrize(
    "players",
    [
        *(("AsKs", "QQ+"), ("AA", "KK"), ("AA", "AA"), ("AKs", "AKs"), ("8h8s", "A5s")),
        *(("QQ+", "AK"), ("AhAs", "random"), ("AsKs", "QhJh", "88"), ("AA", "KK", "QQ")),
        *(("AA,KK", "AA,KK"), ("AKo", "AKo"), ("QQ+", "QQ+"), ("22+", "AA"), ("TT+", "TT+,AK")),
        ("AcKc", "AhKh", "AsKs", "QQ"),
    ],
)
def test_the_method_of_small_spots(players, board):
    """Of two players, all combos are compared in pairs; with more, the method is the cheapest."""
    spot = make_spot(players, board)
    chosen = make_plan(spot).chosen
    costs = [listed.method.cost(spot) for listed in EXACT_METHODS]
    cheapest = min(cost for cost in costs if cost is not None)
    assert chosen.evaluations == cheapest or chosen.method is PairedCombos
    assert chosen.evaluations <= max(cheapest, 1 << 16)
