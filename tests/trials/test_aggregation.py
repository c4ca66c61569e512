"""`aggregate` counts exactly the hands that `simulate` deals."""

import json
import sys
from collections import Counter

import attrs
import numpy as np
import pytest

import holdem
from holdem import EvaluatorError, HoldemTypeError, HoldemValueError, SeedError, SpotError
from holdem.jobs import run
from holdem.jobs.run import BatchSize
from holdem.ranges.combos import Combo
from holdem.ranges.starting_hands import starting_hand_ranks
from holdem.rules import CATEGORIES
from holdem.trials import aggregation
from holdem.trials.aggregation import Aggregation
from holdem.trials.simulation import HandDealer


def recount(players, hands, seed):
    """Return the statistics of simulated hands, counted in plain Python."""
    ranks = starting_hand_ranks().tolist()
    shown, winning, starts, pots = Counter(), Counter(), Counter(), Counter()
    wins, ties = [0] * players, [0] * players
    for hand in holdem.simulate(players=players, hands=hands, seed=seed):
        categories = [seat.value.category for seat in hand.seats]
        shown.update(categories)
        winning.update(categories[seat] for seat in hand.winners)
        pots[len(hand.winners)] += 1
        for seat in hand.winners:
            (wins if len(hand.winners) == 1 else ties)[seat] += 1
        held = [ranks[Combo(seat.hole).number] for seat in hand.seats]
        holders = {seat for seat, rank in enumerate(held) if rank == min(held)}
        starts["several"] += len(holders) > 1
        if not holders & set(hand.winners):
            starts["losses"] += 1
        else:
            starts["wins" if len(hand.winners) == 1 else "ties"] += 1
    return {
        "categories": {name: shown[name] for name in CATEGORIES},
        "winning_categories": {name: winning[name] for name in CATEGORIES},
        "best_starting_hand": {key: starts[key] for key in ("wins", "ties", "losses", "several")},
        "pots": {str(winners): pots[winners] for winners in range(1, players + 1)},
        "wins": wins,
        "ties": ties,
    }


@pytest.mark.parametrize(("players", "hands"), [(2, 3000), (6, 2000), (10, 1000)])
def test_counts_are_those_of_simulated_hands(players, hands):
    """The counts equal those of the hands from `simulate` with the same seed."""
    found = holdem.aggregate(players=players, hands=hands, seed=11, workers=1).to_dict()
    expected = recount(players, hands, seed=11)
    for name in ("categories", "winning_categories", "best_starting_hand", "pots"):
        assert expected[name] == found[name], name
    assert expected["wins"] == [seat["wins"] for seat in found["seats"]]
    assert expected["ties"] == [seat["ties"] for seat in found["seats"]]
    assert expected["best_starting_hand"]["several"] > 0
    assert found["pots"]["2"] > 0


def test_equity_counts_shares():
    """A seat's equity is its exact mean share of the pot."""
    hands = list(holdem.simulate(players=6, hands=1000, seed=7))
    for number, seat in enumerate(holdem.aggregate(players=6, hands=1000, seed=7).seats):
        assert float(sum(hand.shares[number] for hand in hands) / 1000) == seat.equity


def test_workers_make_no_difference():
    """The statistics do not depend on the number of workers, also with a short last batch."""
    one = holdem.aggregate(players=9, hands=30_001, seed=7, workers=1)
    assert one == holdem.aggregate(players=9, hands=30_001, seed=7, workers=3)
    assert one == holdem.aggregate(players=9, hands=30_001, seed=7)
    assert one != holdem.aggregate(players=9, hands=30_001, seed=8)


def test_counts_add_up():
    """Each table of counts has the documented sum."""
    found = holdem.aggregate(players=9, hands=20_000, seed=7)
    best = found.best_starting_hand
    winners = sum(number * count for number, count in found.pots.items())
    assert sum(found.categories.values()) == 9 * 20_000
    assert winners == sum(found.winning_categories.values())
    assert 20_000 == sum(found.pots.values()) == best.hands
    assert found.pots[1] == sum(seat.wins for seat in found.seats)
    assert winners - found.pots[1] == sum(seat.ties for seat in found.seats)
    assert {20_000} == {seat.hands for seat in found.seats}
    assert pytest.approx(sum(seat.equity for seat in found.seats), abs=1e-12) == 1
    assert pytest.approx(best.win + best.tie + best.lose, abs=1e-12) == 1
    assert best.wins / 20_000 == best.win


def test_drawn_seed_is_reported():
    """A drawn seed is reported, and reproduces the statistics."""
    drawn = holdem.aggregate(players=3, hands=500, seed=None)
    assert drawn == holdem.aggregate(players=3, hands=500, seed=drawn.seed)
    assert drawn.seed != holdem.aggregate(players=3, hands=1, seed=None).seed


def test_any_evaluator():
    """Evaluators with other strengths give the same counts."""
    shifted = holdem.evaluator("shifted", batch=True)(
        lambda hands: holdem.get_evaluator().rank(hands).astype(np.int64) * 2**40 - 2**50
    )
    expected = holdem.aggregate(players=3, hands=100, seed=7).to_dict()
    for ranking in (shifted, "reference"):
        found = holdem.aggregate(
            players=3, hands=100, seed=7, evaluator=ranking, workers=2
        ).to_dict()
        assert holdem.get_evaluator(ranking).label.to_dict() == found["evaluator"]
        for name in ("categories", "winning_categories", "best_starting_hand", "pots", "seats"):
            assert expected[name] == found[name]


def test_an_evaluator_that_fails_midway():
    """The error of an evaluator that fails during a run has its name."""

    def fragile(hands):
        if hands.shape[1] == 5 and len(hands) == 7462:  # the check when it is loaded
            return holdem.get_evaluator().rank(hands)
        raise RuntimeError("out of luck")

    spec = holdem.evaluator("fragile", batch=True)(fragile)
    for workers in (1, 2):
        with pytest.raises(EvaluatorError, match="'fragile' failed: RuntimeError: out of luck"):
            holdem.aggregate(players=2, hands=50_000, seed=7, evaluator=spec, workers=workers)


def test_interrupted_anywhere(monkeypatch, interrupted_at_every_line):
    """Ctrl-C at any line leaves the consistent counts of complete batches."""
    monkeypatch.setattr(aggregation, "BLOCK", 8)
    expected = {hands: holdem.aggregate(players=3, hands=hands, seed=7) for hands in (8, 16, 24)}
    reached = set()
    for found in interrupted_at_every_line(
        lambda: holdem.aggregate(players=3, hands=24, seed=7, workers=1), aggregation, run
    ):
        reached.add(found and found.hands)
        if found is not None:
            assert found.stop == "interrupted"
            assert expected[found.hands] == attrs.evolve(found, stop="hands")
    assert reached == {None, 8, 16, 24}


@pytest.mark.parametrize("size", [1, 7, 5000])
def test_batches_make_no_difference(size):
    """The counts do not depend on the batch size."""

    class Fixed(BatchSize):
        def update(self, items, seconds):
            pass

    job = Aggregation(HandDealer(players=3, seed=7), 501)
    job.batch_size = Fixed(size)
    assert holdem.aggregate(players=3, hands=501, seed=7) == run.run(job, 2)


def test_record():
    """`to_dict` returns JSON of the documented schema."""
    found = holdem.aggregate(players=3, hands=1000, seed=7)
    record = found.to_dict()
    assert record == json.loads(json.dumps(record))
    assert record["schema"] == "holdem/aggregate/1"
    assert (record["players"], record["hands"], record["seed"]) == (3, 1000, 7)
    assert found.evaluator.to_dict() == {"name": "lookup", "version": holdem.__version__}
    assert list(record["pots"]) == ["1", "2", "3"]
    assert list(CATEGORIES) == list(record["categories"]) == list(record["winning_categories"])
    assert [list(seat) for seat in record["seats"]] == [["wins", "ties", "losses", "equity"]] * 3


def infinite(h):
    return np.inf if h.number[0] == 1 else -np.inf


@pytest.mark.parametrize(
    ("arguments", "error", "told"),
    [
        ({"players": 0}, SpotError, "players must be an integer from 1 to 10, not 0"),
        ({"players": 11}, SpotError, "players must be an integer from 1 to 10, not 11"),
        ({"hands": 0}, SpotError, "hands must be an integer from 1 to 70,368,744,177,664, not 0"),
        ({"hands": 10**16}, SpotError, "hands must be an integer from 1 to .*, not 10{16}"),
        ({"hands": 1.5}, HoldemTypeError, r"hands must be an integer from 1 to .*, not 1\.5"),
        (
            {"of": 7},
            HoldemTypeError,
            r"of must be a function of a table of hands, as in lambda .*sum\(\), not 7",
        ),
        ({"of": lambda h: h.winners}, HoldemValueError, "of must return an array of numbers"),
        ({"of": lambda h: {1: h.number, "1": 0}}, HoldemValueError, "names that are equal as text"),
        ({"of": infinite, "hands": 40_000}, HoldemValueError, "of: the sums of two tables are inf"),
        ({"of": lambda h: 1 / 0}, HoldemValueError, "of raised ZeroDivisionError: division by"),
        ({"seed": 2**64}, SeedError, "seed must be an integer"),
        ({"seed": True}, HoldemTypeError, "seed must be an integer"),
        ({"workers": 0}, SpotError, "workers"),
        ({"evaluator": "kev"}, EvaluatorError, "no evaluator 'kev'"),
    ],
)
def test_arguments_are_checked(arguments, error, told):
    """Invalid arguments raise errors before a hand is dealt."""
    with pytest.raises(error, match=told):
        holdem.aggregate(**{"players": 2, "hands": 10, **arguments})


@pytest.mark.usefixtures("immediate_bars")
def test_progress(capsys, monkeypatch):
    """The progress bar is shown on request, and needs no standard error."""
    holdem.aggregate(players=2, hands=100, progress=False)
    assert capsys.readouterr() == ("", "")
    holdem.aggregate(players=2, hands=100, progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "100/100" in err
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", None)
        assert holdem.aggregate(players=2, hands=100, progress=True).hands == 100


@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.float64])
@pytest.mark.parametrize("make", [np.asarray, lambda values: {"x": values}])
def test_large_sums(kind, make):
    """Sums of integers that exceed their type are an error, and those of floats are not."""
    asked = {"players": 2, "hands": 200_000, "seed": 1}
    if kind is np.float64:
        assert np.ravel(holdem.aggregate(**asked, of=lambda _: kind(2**63)).sums) > 2**64
    else:
        with pytest.raises(holdem.HoldemValueError, match=f"exceed {np.dtype(kind)}; return"):
            holdem.aggregate(**asked, of=lambda _: make(np.array([kind(2**62)])))
