"""`run_study`: results depend only on the study, not on workers and interruptions."""

import random
import re

import attrs
import numpy as np
import pytest

import check_same_bits
import holdem
from holdem.errors import Interrupted
from holdem.evaluation.registry import versions_of
from holdem.odds.sampling.cluster_sampling import effective_fraction
from holdem.odds.sampling.intervals import standard_errors
from holdem.odds.sampling.run import MIN_BLOCKS
from holdem.odds.sampling.sampler import BLOCK
from holdem.odds.tally import shares, tally_size, winners_in
from holdem.trials.studies import study_run
from holdem.trials.studies.store import Store
from holdem.trials.studies.study_file import read_study

# Sampled by number of deals and by error, many spots at once, one exact, one that auto answers
# exactly, and two evaluators: one fused, one asked in batches.
STUDY = {
    "seed": 4,
    "method": "monte-carlo",
    "deals": 5 * BLOCK + 123,
    "spot": [
        {"players": ["AsKs", "QQ+", "random"], "board": "Td9d2c", "name": "ace-king"},
        {"players": ["AcAs", "KdKh"], "method": "exact"},
        {"players": ["AA", "random", "random"], "stderr": 0.0008, "deals": 10**9},
        {"players": ["QQ", "AK"], "method": "auto", "board": "Td9d2c"},
        {"players": ["22", "AKs"], "evaluator": "bitwise", "stderr": 0.0015, "deals": 10**9},
        {"players": ["JTs", "random"], "evaluator": "bitwise", "deals": 3 * BLOCK},
        {"players": ["top 20%"] * 6, "stderr": 0.0016, "deals": 10**9},
        {"players": ["AsKs", "QdQh", "7c7d", "5s4s"], "method": "exact"},
    ],
    "grid": [{"hero": ["AA", "72o"], "opponents": [1, 3]}],
}
# River, so that plain Python has few different hands of five to rank.
SLOW = {
    "seed": 4,
    "method": "monte-carlo",
    "evaluator": "reference",
    "deals": 3 * BLOCK,
    "spot": [{"players": ["AsKs", "QQ+"], "board": "Td9d2c7h3s"}, {"players": ["AsKs", "22"]}],
}
SLOW["spot"][1]["board"] = "Td9d2c7h3s"


def told(results):
    """Return the JSON of results without seconds."""
    record = results.to_dict()
    for spot in record["spots"]:
        del spot["elapsed"]
    return record


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """Return the results of an uninterrupted run with one worker."""
    return told(holdem.run_study(STUDY, tmp_path_factory.mktemp("runs") / "store", workers=1))


def test_the_answers(expected):
    """The JSON has the documented fields: an equity object with a name for each spot."""
    assert (expected["schema"], expected["complete"]) == ("holdem/results/1", True)
    assert [spot["name"] for spot in expected["spots"]] == [
        "ace-king",
        "AcAs v KdKh",
        "AA v random v random",
        "QQ v AK on Td9d2c",
        "22 v AKs",
        "JTs v random",
        " v ".join(["top 20%"] * 6),
        "AsKs v QdQh v 7c7d v 5s4s",
        *(f"{hero} v {count} random" for count in (1, 2, 3) for hero in ("AA", "72o")),
    ]
    assert [spot["stop"] for spot in expected["spots"][:8]] == [
        "deals",
        "exhausted",
        "stderr",
        "exhausted",
        "stderr",
        "deals",
        "stderr",
        "exhausted",
    ]
    for spot in expected["spots"]:
        assert spot["schema"] == "holdem/equity/1"
        sampled = spot["method"] == "monte-carlo"
        assert (spot["seed"], spot["exact"]) == ((4, False) if sampled else (None, True))
        if spot["stop"] == "deals":
            assert spot["deals"] in (5 * BLOCK + 123, 3 * BLOCK)
        for player in spot["players"]:
            total = player["wins"] + player["ties"] + player["losses"]
            assert total == spot["deals"]
    exact = holdem.equity("AcAs", "KdKh").to_dict()
    assert {**expected["spots"][1], "elapsed": exact["elapsed"]} == {
        "name": "AcAs v KdKh",
        "weight": 1,
        **exact,
    }


def test_the_deals_are_those_of_the_stream(expected):
    """A sampled spot has the first blocks of its stream, until its error is reached."""
    for number in (2, 4, 6):
        asked = read_study(STUDY).spots[number]
        sampler = asked.sampler()
        players = len(asked.players)
        counts, blocks, error = np.zeros((1, tally_size(players)), dtype=np.int64), 0, 1.0
        while blocks < MIN_BLOCKS or error > asked.stderr:
            counts += sampler.count(blocks, [BLOCK])
            blocks += 1
            fraction = effective_fraction(counts)[:, 0]
            error = standard_errors(winners_in(counts), shares(players), fraction).max()
        found = expected["spots"][number]
        assert blocks * BLOCK == found["deals"]
        alone = [int(counts[0, 1 << player]) for player in range(players)]
        assert alone == [player["wins"] for player in found["players"]]


@pytest.mark.parametrize("workers", [2, 3, 8])
def test_any_number_of_workers(expected, workers, tmp_path):
    """Results do not depend on the number of workers."""
    assert expected == told(holdem.run_study(STUDY, tmp_path / "store", workers=workers))


def test_any_order_of_blocks(expected, tmp_path):
    """Results do not depend on the order in which blocks are computed."""
    with check_same_bits.arranged("back to front"):
        assert expected == told(holdem.run_study(STUDY, tmp_path / "store"))


def test_slow_evaluator(tmp_path):
    """Results of a slow evaluator on two workers are those of a fast one."""
    slow = told(holdem.run_study(SLOW, tmp_path / "slow", workers=2))
    fused = told(holdem.run_study({**SLOW, "evaluator": "lookup"}, tmp_path / "fused", workers=1))
    assert [spot["players"] for spot in fused["spots"]] == [
        spot["players"] for spot in slow["spots"]
    ]


@pytest.fixture
def cut_after(monkeypatch):
    """Return a function that interrupts later runs, as by Ctrl-C, after some more deals."""
    put = Store.put

    def after(additions):
        left = iter(range(additions))

        def cut(store, number, spot):
            if spot.answer is None and next(left, None) is None:
                raise KeyboardInterrupt
            put(store, number, spot)

        monkeypatch.setattr(Store, "put", cut)

    return after


def test_cut_anywhere(expected, tmp_path, monkeypatch, cut_after):
    """A run that is interrupted several times has the results of an uninterrupted one."""
    rng = random.Random(7)
    monkeypatch.setattr(study_run, "COMMIT_SECONDS", 0.0)
    for number in range(2):
        store, cuts, before = tmp_path / f"store-{number}", 0, []
        while True:
            cut_after(rng.randrange(6) if cuts < 8 else 10**9)
            try:
                results = holdem.run_study(STUDY, store, workers=rng.choice([1, 2, 3]))
            except Interrupted as interruption:
                cuts += 1
                partial = told(interruption.finished)
                assert partial == told(holdem.study_results(store))
                assert not partial["complete"]
                deals = [spot["deals"] for spot in partial["spots"]]
                assert sum(deals) >= sum(before)  # nothing that was kept is lost
                before = deals
                for spot in partial["spots"]:
                    assert spot["stop"] in ("deals", "stderr", "exhausted", "interrupted")
            else:
                break
        assert cuts >= 3
        assert expected == told(results)
        assert expected == told(holdem.study_results(store))


def test_what_is_finished_is_not_done_again(expected, tmp_path, monkeypatch, cut_after):
    """Nothing is computed for a complete store."""
    holdem.run_study(STUDY, tmp_path / "store")
    monkeypatch.setattr("holdem.trials.studies.study.StudySpot.query", None)
    cut_after(0)
    assert expected == told(holdem.run_study(STUDY, tmp_path / "store"))


def test_adding_a_spot_changes_no_other(expected, tmp_path):
    """Additional spots do not change the results of others."""
    spots = list(STUDY["spot"])
    spots.insert(0, {"players": ["T9s", "random"]})
    spots.insert(3, {"players": ["AKs", "KK"], "deals": 100})
    found = told(holdem.run_study({**STUDY, "spot": spots}, tmp_path / "store"))
    kept = [spot for place, spot in enumerate(found["spots"]) if place not in (0, 3)]
    assert expected["spots"] == kept


def test_time(tmp_path):
    """The number of deals of a spot stopped by its own time reproduces its results."""
    spot = {"players": ["AsKs", "QQ", "random"], "method": "monte-carlo", "seed": 9}
    spots = [{**spot, "deals": 5}, {**spot, "time": 0.05, "deals": 10**8}]
    _, timed = holdem.run_study({"spot": spots}, tmp_path / "timed").spots
    assert timed.result.stop == "time"
    assert timed.result.elapsed >= 0.05
    asked = {"spot": [{**spot, "deals": timed.result.deals}]}
    by_deals = holdem.run_study(asked, tmp_path / "deals", workers=1).spots[0]
    assert timed.to_dict()["players"] == by_deals.to_dict()["players"]


def test_time_counts_over_sessions(tmp_path, cut_after):
    """The time of a spot counts over sessions; a spot that has used it up is finished."""
    study = {
        "method": "monte-carlo",
        "spot": [
            {"players": ["AsKs", "QQ"], "time": 1000, "seed": 1},
            {"players": ["AsKs", "JJ"], "deals": 5},
        ],
    }
    study["spot"][1]["seed"] = 1
    cut_after(2)
    with pytest.raises(Interrupted) as raised:
        holdem.run_study(study, tmp_path / "store")
    (before,) = raised.value.finished.spots  # the second waits: time is measured for one alone
    cut_after(10**9)
    with Store(tmp_path / "store", read_study(study), versions_of(["lookup"])) as store:
        store.put(0, attrs.evolve(store.spot(0), elapsed=1000.0))
    first, second = holdem.run_study(study, tmp_path / "store").spots
    assert (first.result.stop, first.result.deals) == ("time", before.result.deals)
    assert second.result.deals == 5


def test_an_exact_run_cut_by_its_time(tmp_path):
    """An exact spot stopped by time has no equity, but its progress."""
    # Two tasks are under way from the start, and both may be ready in time: there are more of them.
    spot = {"players": ["22+,A2+", "K2+", "Q2+"], "board": "Td9d2c", "method": "exact"}
    found = holdem.run_study({"spot": [{**spot, "time": 1e-6}]}, tmp_path / "store", workers=1)
    record = found.spots[0].to_dict()
    assert (record["exact"], record["stop"], record["deals"]) == (False, "time", 0)
    assert all(player["equity"] is None for player in record["players"])
    assert 0 <= record["progress"] < 1
    assert found.complete


def test_by_combo(tmp_path):
    """Stored spots, sampled or exact, have results by combo."""
    study = {
        "seed": 1,
        "spot": [
            {"players": ["QQ+", "AKs"], "method": "monte-carlo", "deals": 20_000},
            {"players": ["QQ+", "AKs"], "board": "Td9d2c"},
        ],
    }
    sampled, exact = holdem.run_study(study, tmp_path / "store").spots
    combos = sampled.result.players[0].by_combo
    assert len(combos) == sampled.result.players[0].combos == 18
    assert {combo.combo for combo in combos} == {
        combo.combo for combo in exact.result.players[0].by_combo
    }
    direct = holdem.equity("QQ+", "AKs", board="Td9d2c").players[0].by_combo
    assert direct == exact.result.players[0].by_combo


def test_a_failing_evaluator(tmp_path):
    """An evaluator's error has the spot; finished spots are kept."""
    lookup, ranked = holdem.get_evaluator("lookup"), 0

    @holdem.evaluator("fails-late", batch=True, hand_sizes={5, 6, 7})
    def fails_late(hands):
        nonlocal ranked
        ranked += len(hands)
        if ranked > 300_000:
            raise RuntimeError("out of luck")
        return lookup.rank_here(hands)

    holdem.register(fails_late, replace=True)
    holdem.get_evaluator("fails-late").has_tables = False  # it ranks every hand
    spot = {"players": ["AsKs", "QQ+"], "deals": BLOCK}
    study = {
        "seed": 1,
        "method": "monte-carlo",
        "spot": [spot, {**spot, "evaluator": "fails-late", "deals": 10**9, "name": "second"}],
    }
    with pytest.raises(
        holdem.EvaluatorError,
        match=re.escape(
            "spot 2 (second): evaluator 'fails-late' failed: RuntimeError: out of luck"
        ),
    ):
        holdem.run_study(study, tmp_path / "store", workers=2)
    kept = holdem.study_results(tmp_path / "store")
    assert (kept.finished, kept.spots[0].result.deals) == (1, BLOCK)


def test_bad_arguments(tmp_path):
    """Invalid arguments raise errors before a store is created."""
    for workers in (0, "two"):
        with pytest.raises(holdem.HoldemError, match="workers must be an integer"):
            holdem.run_study(STUDY, tmp_path / "store", workers=workers)
    with pytest.raises(holdem.StudyError):
        holdem.run_study({"spot": []}, tmp_path / "store")
    assert not list(tmp_path.iterdir())
