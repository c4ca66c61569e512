"""Slow evaluators: a stop by time or Ctrl-C returns the deals that are finished."""

import os
import signal
import threading
from itertools import cycle

import numpy as np
import pytest

import holdem
from holdem.jobs.run import run
from holdem.odds.bounds import Bounds
from holdem.odds.sampling.run import SampledRun
from holdem.odds.sampling.sampler import BLOCK
from holdem.odds.spot import make_spot

SAMPLED = {"method": "monte-carlo", "seed": 3}
PLAYERS = ("AsKs", "QQ+", "random")


class Stuck:
    """An evaluator that ranks a number of hands and then blocks.

    Attributes:
        end: set to unblock it.
        checked: whether it was loaded. Loading ranks hands that do not count.
    """

    def __init__(self, hands, when_stuck=lambda: None):
        self.end = threading.Event()
        self._left = hands
        self._lock = threading.Lock()
        self._when_stuck = when_stuck
        self.checked = False
        self._lookup = holdem.get_evaluator("lookup")

    def __call__(self, hands):
        if self.checked:
            with self._lock:
                self._left -= len(hands)
                stuck, first = self._left < 0, self._left + len(hands) >= 0
            if stuck:
                if first:
                    self._when_stuck()
                self.end.wait()
        return self._lookup.rank_here(hands)


@pytest.fixture
def stuck(monkeypatch, own_registrations):
    """Register an evaluator that blocks after some hands, and unblock it at the end."""
    made = []

    def go_on():
        for evaluator in made:
            evaluator.end.set()

    def make(hands, **options):
        made.append(Stuck(hands, **options))
        spec = holdem.EvaluatorSpec("stuck", "", "", {5, 6, 7}, lambda: made[-1])
        holdem.register(spec, replace=True)
        evaluator = holdem.get_evaluator("stuck")
        evaluator.load()
        evaluator.has_tables = False  # it ranks all hands
        made[-1].checked = True
        return "stuck"

    make.go_on = go_on
    yield make
    go_on()


@pytest.fixture
def short_grace(monkeypatch):
    """Wait a tenth of a second, not a whole one, for the first result of a run that is over."""
    monkeypatch.setattr("holdem.jobs.run._GRACE_SECONDS", 0.1)


def figures(result):
    return [player.to_dict() for player in result.players]


def counts(statistics):
    """Return the counts of statistics over whole hands."""
    record = statistics.to_dict()
    return {key: record[key] for key in record if key not in ("evaluator", "elapsed", "stop")}


@pytest.mark.parametrize(("hands", "workers"), [(20_000, 3), (300_000, 1)])
def test_time_ends_within_a_block(stuck, workers, hands):
    """A stop by time ends within a block, with the same bits as a run of that many deals."""
    found = holdem.equity(*PLAYERS, **SAMPLED, time=1.0, workers=workers, evaluator=stuck(hands))
    assert found.stop == "time"
    assert 0 < found.deals <= hands / 3
    same = holdem.equity(*PLAYERS, **SAMPLED, deals=found.deals)
    assert figures(same) == figures(found)
    stuck.go_on()
    assert same.players[1].by_combo == found.players[1].by_combo


@pytest.mark.usefixtures("short_grace")
def test_time_with_nothing_finished(stuck):
    """If no deal is finished in time, an error says so, also for one of many spots."""
    message = "evaluator 'stuck' finished no deal in 0.01 seconds: allow more time"
    with pytest.raises(holdem.SpotError, match=message):
        holdem.equity(*PLAYERS, **SAMPLED, time=0.01, evaluator=stuck(0))
    spots = [[player] for player in PLAYERS]
    table = holdem.equities(*spots, **SAMPLED, time=0.01, evaluator=stuck(0), errors="nan")
    assert message in table.errors[0]


@pytest.mark.usefixtures("own_registrations")
def test_loading_precedes_the_deals():
    """An evaluator is loaded when a run is prepared, not with its first deals."""
    loads = []

    def load():
        loads.append("mine")
        return holdem.get_evaluator("lookup").rank_here

    holdem.register(holdem.EvaluatorSpec("mine", "", "", {5, 6, 7}, load))
    job = SampledRun(make_spot(PLAYERS, evaluator="mine"), Bounds(deals=1), 1)
    assert not loads
    job.prepare()
    assert loads


@pytest.mark.usefixtures("short_grace")
def test_exact_by_time(stuck):
    """An exact run that is cut by time has no equity."""
    found = holdem.equity(
        "AsKs", "QQ", method="exact", board="Td9d2c", time=0.01, evaluator=stuck(0)
    )
    assert (found.exact, found.stop, found.progress) == (False, "time", 0.0)
    assert np.isnan(found.equities).all()


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("workers", [1, 3])
def test_ctrl_c(stuck, workers):
    """Ctrl-C returns the finished deals, also within a block: the first ones of the run."""
    evaluator = stuck(30_000, when_stuck=lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(holdem.Interrupted) as raised:
        holdem.equity(*PLAYERS, **SAMPLED, deals=10 * BLOCK, workers=workers, evaluator=evaluator)
    found = raised.value.finished
    assert (found.stop, found.exact) == ("interrupted", False)
    assert 0 < found.deals <= 10_000
    assert figures(holdem.equity(*PLAYERS, **SAMPLED, deals=found.deals)) == figures(found)


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("workers", [1, 3])
def test_ctrl_c_in_trials(stuck, workers):
    """Ctrl-C in a head-to-head returns the trials that are finished."""
    evaluator = stuck(30_000, when_stuck=lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(holdem.Interrupted) as raised:
        holdem.head_to_head(
            *PLAYERS, deals=10 * BLOCK, seed=3, workers=workers, evaluator=evaluator
        )
    found = raised.value.finished
    assert found.stop == "interrupted"
    assert 0 < found.deals <= 10_000
    assert holdem.head_to_head(*PLAYERS, deals=found.deals, seed=3).players == found.players


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("workers", [1, 3])
def test_ctrl_c_in_whole_hands(stuck, workers):
    """Ctrl-C in statistics over whole hands returns those of the finished hands."""
    evaluator = stuck(9_000, when_stuck=lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(holdem.Interrupted) as raised:
        holdem.aggregate(players=3, hands=10**6, seed=3, workers=workers, evaluator=evaluator)
    found = raised.value.finished
    assert found.stop == "interrupted"
    assert 0 < found.hands <= 3_000
    assert counts(holdem.aggregate(players=3, hands=found.hands, seed=3)) == counts(found)


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_ctrl_c_before_anything(stuck):
    """Ctrl-C before the first batch is finished returns no result."""
    evaluator = stuck(0, when_stuck=lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(holdem.Interrupted) as raised:
        holdem.equity(*PLAYERS, **SAMPLED, deals=10, evaluator=evaluator)
    assert raised.value.finished is None


class Sizes:
    """Batch sizes that follow a given cycle."""

    def __init__(self, sizes):
        self._sizes = cycle(sizes)
        self.size = next(self._sizes)

    def update(self, items, seconds):
        self.size = next(self._sizes)


@pytest.mark.parametrize("sizes", [[50], [16, 1000, 3], [16_000], [1, BLOCK]])
@pytest.mark.parametrize("workers", [1, 2])
def test_batch_sizes_change_nothing(sizes, workers):
    """Batches of any size, growing or shrinking, give the same result as whole blocks."""
    deals = 2 * BLOCK + 77
    expected = holdem.equity(*PLAYERS, **SAMPLED, deals=deals)
    spot = make_spot(PLAYERS, evaluator=holdem.get_evaluator("suit-mask", direct=True))
    job = SampledRun(spot, Bounds(deals=deals), SAMPLED["seed"])
    job.batch_size = Sizes(sizes)
    assert figures(expected) == figures(run(job, workers))


def test_a_study(stuck, tmp_path):
    """A stop by time ends within a block in a study, and the store keeps the finished deals."""
    spot = {"players": list(PLAYERS), "board": "Td9d2c", **SAMPLED}
    slow = {**spot, "evaluator": stuck(20_000), "time": 1.0}
    found = holdem.run_study({"spot": [slow, spot | {"deals": 5}]}, tmp_path / "store").spots
    assert [spot.result.stop for spot in found] == ["time", "deals"]
    assert 0 < found[0].result.deals <= 20_000 / 3
    study = {"spot": [{**spot, "deals": found[0].result.deals}]}
    same = holdem.run_study(study, tmp_path / "other").spots[0]
    assert figures(same.result) == figures(found[0].result)
    kept = holdem.study_results(tmp_path / "store").spots[0].result
    assert figures(kept) == figures(found[0].result)
    again = holdem.run_study({"spot": [slow, spot | {"deals": 5}]}, tmp_path / "store").spots
    assert figures(again[0].result) == figures(found[0].result)


@pytest.mark.usefixtures("short_grace")
def test_a_study_with_nothing_finished(stuck, tmp_path):
    """If no deal of a spot is finished in time, the error names it; other spots are kept."""
    study = {
        **SAMPLED,
        "spot": [
            {"players": ["AsKs", "QQ"], "deals": 100},
            {"players": ["AsKs", "QQ"], "evaluator": stuck(0), "time": 0.01, "name": "late"},
        ],
    }
    message = r"spot 2 \(late\): evaluator 'stuck' finished no deal in 0.01 seconds"
    with pytest.raises(holdem.EvaluatorError, match=message):
        holdem.run_study(study, tmp_path / "store")
    (kept,) = holdem.study_results(tmp_path / "store").spots
    assert kept.result.deals == 100


def test_strengths_of_the_stuck_one(stuck):
    """The evaluator of these tests gives the strengths of the default one."""
    hands = np.array([[0, 4, 9, 13, 18, 22, 26], [51, 47, 43, 39, 35, 3, 6]], dtype=np.uint8)
    ranked = holdem.get_evaluator(stuck(3)).strengths(hands)  # two, and one that is known
    assert holdem.get_evaluator("lookup").strengths(hands).tolist() == ranked.tolist()
