"""Studies on a local Dask cluster, with killed, unsuitable and missing workers."""

import contextlib
import itertools
import os
import signal
import sys
import time
import warnings
from types import SimpleNamespace

import distributed
import pytest

import check_same_bits
import holdem
from holdem import HoldemWarning
from holdem.errors import Interrupted
from holdem.odds.sampling.sampler import BLOCK
from holdem.trials.studies import block_records, cluster, cluster_client, cluster_workers
from holdem.trials.studies.block_records import (
    answer_request,
    block_request,
)
from holdem.trials.studies.block_records import (
    version_difference as difference,
)
from holdem.trials.studies.study_file import read_study
from holdem.trials.studies.versions import versions_of

# Of asyncio and others, in code that is not ours, by version of Python.
pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning:(distributed|dask|tornado|asyncio|click).*"
)

NO_WORKER = (
    "ignore:the cluster has no worker:holdem.HoldemWarning"  # between a kill and its successor
)

STUDY = {
    "seed": 4,
    "method": "monte-carlo",
    "deals": 20 * BLOCK + 123,
    "spot": [
        {"players": ["AsKs", "QQ+", "random"], "board": "Td9d2c"},
        {"players": ["AcAs", "KdKh"], "method": "exact"},
        {"players": ["AA", "random", "random"], "stderr": 0.0005, "deals": 10**9},
        {"players": ["22", "AKs"], "evaluator": "bitwise", "deals": 3 * BLOCK},
        {"players": ["AsKs", "QQ"], "board": "Td9d2c7h3s", "evaluator": "reference", "deals": 999},
    ],
}


def told(results):
    """Return the JSON of results without seconds."""
    record = results.to_dict()
    for spot in record["spots"]:
        del spot["elapsed"]
    return record


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """Return the results of a run without a cluster."""
    return told(holdem.run_study(STUDY, tmp_path_factory.mktemp("runs") / "store", workers=1))


@pytest.fixture(scope="module")
def dask():
    """Return a cluster of two processes, and a client of it."""
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
        ) as made,
        distributed.Client(made) as client,
    ):
        yield made, client


def watched(watch):
    """Return a class that computes on a cluster and calls `watch` before it adds tallies."""
    numbers = itertools.count()

    class Watched(cluster.ClusterBlocks):
        def compute(self, ranges, add, seconds=None):
            def watched_add(running, tallies):
                watch(next(numbers))
                add(running, tallies)

            return super().compute(ranges, watched_add, seconds)

    return Watched


def test_the_same_bits(dask, expected, tmp_path):
    """A client, or the address of its scheduler, gives the results of one machine."""
    made, client = dask
    assert expected == told(holdem.run_study(STUDY, tmp_path / "client", dask=client))
    assert client.status == "running"  # what was handed in is left open
    by_address = holdem.run_study(STUDY, tmp_path / "address", dask=made.scheduler_address)
    assert expected == told(by_address)


def test_back_to_front(dask, expected):
    """Results do not depend on the order of blocks, nor those of single calls on the machine."""
    here = check_same_bits.answers("threads", 2, "as it comes", STUDY)
    found = check_same_bits.answers("Dask", 2, "back to front", STUDY, dask[1])
    assert expected == here["study"]
    assert check_same_bits.digest(here) == check_same_bits.digest(found)


def test_on_the_command_line(dask, tmp_path, monkeypatch, capsys):
    """`holdem run --dask ADDRESS` runs on the cluster."""
    from holdem.cli import run

    monkeypatch.chdir(tmp_path)
    study = 'deals = 100_000\nseed = 1\n[[spot]]\nplayers = ["AA", "random", "random"]'
    (tmp_path / "study.toml").write_text(study, encoding="utf-8")
    monkeypatch.setattr("holdem.trials.studies.run.LocalBlocks.compute", None)
    assert run(["run", "study.toml", "--store", "s", "--dask", dask[0].scheduler_address]) == 0
    assert capsys.readouterr().out.startswith("complete: 1 spots, 100,000 deals, ")


@pytest.mark.filterwarnings(NO_WORKER)
def test_workers_come_and_go(dask, tmp_path):
    """The blocks of a killed worker are computed by another, and counted once."""
    made, client = dask
    study = {
        "seed": 4,
        "method": "monte-carlo",
        "spot": [{"players": ["AsKs", "random", "random", "random"], "deals": 2000 * BLOCK}],
    }
    asked = read_study(study).spots[0]
    nannies, killed = list(made.workers.values()), []

    def kill(number):
        """Kill a worker when some blocks are done, and then the other one."""
        if number in (5, 9):
            nanny = nannies[len(killed)]
            killed.append(nanny.pid)
            os.kill(nanny.pid, signal.SIGKILL)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster, "ClusterBlocks", watched(kill))
        found = holdem.run_study(study, tmp_path / "store", dask=client)
    assert len(set(killed)) == 2
    alone = holdem.run_study(study, tmp_path / "alone")
    assert told(alone) == told(found)
    assert asked.deals == found.spots[0].result.deals


def test_a_run_waits_for_its_first_worker(expected, tmp_path, monkeypatch):
    """A run without workers warns once, and continues when a worker comes."""
    with (
        distributed.LocalCluster(
            n_workers=0, processes=False, dashboard_address="127.0.0.1:0"
        ) as made,
        distributed.Client(made) as client,
    ):
        pauses = []

        def pause(seconds):
            if not pauses:
                made.scale(1)
                client.wait_for_workers(1)
            pauses.append(seconds)

        times = SimpleNamespace(monotonic=time.monotonic, sleep=pause)
        monkeypatch.setattr(cluster_workers, "clock", times)
        with pytest.warns(HoldemWarning) as noted:
            assert expected == told(holdem.run_study(STUDY, tmp_path / "store", dask=client))
        assert [str(note.message) for note in noted] == [
            "the cluster has no workers; waiting for one"
        ]


def test_cut_and_resumed(dask, expected, tmp_path, monkeypatch):
    """A run interrupted on a cluster is resumed without one, with the same results."""

    def cut(number):
        if number >= 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(cluster, "ClusterBlocks", watched(cut))
    with pytest.raises(Interrupted):
        holdem.run_study(STUDY, tmp_path / "store", dask=dask[1])
    assert expected == told(holdem.run_study(STUDY, tmp_path / "store"))


def _pretend(version):
    """Make this worker report another version of holdem."""
    block_records.versions_here.cache_clear()
    block_records.versions_of = lambda names: {**versions_of(names), "holdem": version}


def _stop_pretending():
    block_records.versions_here.cache_clear()
    block_records.versions_of = versions_of


@contextlib.contextmanager
def pretending(client, workers, version):
    """Make some workers report another version of holdem."""
    client.run(_pretend, version, workers=workers)
    try:
        yield
    finally:
        client.run(_stop_pretending, workers=workers)


def test_other_versions_are_refused_by_name(dask, expected, tmp_path):
    """Workers with other versions are refused; a run without other workers fails."""
    client = dask[1]
    client.wait_for_workers(2)
    first, second = sorted(client.ncores())
    with pretending(client, [first], "0.0.9"):
        with pytest.warns(HoldemWarning) as noted:
            found = holdem.run_study(STUDY, tmp_path / "one", dask=client)
        assert expected == told(found)
        assert {str(note.message) for note in noted} == {
            f"worker {first} is refused: it has holdem 0.0.9,"
            f" and this is holdem {holdem.__version__}"
        }
        assert answer_request.__module__ == "holdem.trials.studies.block_records"
        with (
            pretending(client, [second], "0.0.8"),
            warnings.catch_warnings(action="ignore"),
            pytest.raises(
                holdem.ClusterError, match="no worker of the cluster can be used"
            ) as raised,
        ):
            holdem.run_study(STUDY, tmp_path / "both", dask=client)
        assert f"{first}: it has holdem 0.0.9" in str(raised.value)
        assert f"{second}: it has holdem 0.0.8" in str(raised.value)
    # What was finished before is kept, and the run goes on once there are workers.
    assert expected == told(holdem.run_study(STUDY, tmp_path / "both", dask=client))


def test_a_worker_that_changes_after_it_was_looked_at(dask, expected, tmp_path, monkeypatch):
    """A worker whose version has changed refuses a request, which goes to another worker."""
    client = dask[1]
    client.wait_for_workers(2)
    first = sorted(client.ncores())[0]

    def change(number):
        if number == 0:
            client.run(_pretend, "0.0.9", workers=[first])

    monkeypatch.setattr(cluster, "ClusterBlocks", watched(change))
    try:
        with warnings.catch_warnings(action="ignore"):
            assert expected == told(holdem.run_study(STUDY, tmp_path / "store", dask=client))
    finally:
        client.run(_stop_pretending)


@pytest.mark.parametrize(("waits", "answered", "ends"), [(0, 3, 5.0), (7, 1, 7.0)])
def test_a_limit_of_time(waits, answered, ends, dask, tmp_path, monkeypatch):
    """After the time limit only the first range is waited for; the counted blocks are the first."""
    client = dask[1]
    client.wait_for_workers(2)
    now, ranges = [0.0], []

    class Late:
        """A future that times out some times, each time advancing the clock."""

        status = "pending"

        def __init__(self, waits, future=None):
            self.waits, self.future = waits, future

        def result(self, timeout):
            if self.waits:
                self.waits -= 1
                now[0] += timeout
                assert now[0] < 60, "it goes on waiting"
                raise TimeoutError
            return self.future.result(timeout=timeout)

    class Waiting(cluster.ClusterBlocks):
        """Returns the first range after some waits, some more at once, and no others."""

        def _submit(self, submitted, workers):
            super()._submit(submitted, workers)
            if not ranges:
                submitted.future = Late(waits, submitted.future)
            elif len(ranges) >= answered:
                submitted.future = Late(float("inf"))
            ranges.append(submitted.blocks)

    clock = SimpleNamespace(monotonic=lambda: now[0], sleep=time.sleep)
    monkeypatch.setattr(cluster, "clock", clock)
    monkeypatch.setattr(cluster, "ClusterBlocks", Waiting)
    spot = {"players": ["AsKs", "QQ+", "random"], "method": "monte-carlo", "seed": 4}
    timed = holdem.run_study({"spot": [{**spot, "time": 5}]}, tmp_path / "timed", dask=client)
    assert ends == now[0]
    assert answered < len(ranges)
    result = timed.spots[0].result
    assert ("time", sum(sum(blocks.sizes) for blocks in ranges[:answered])) == (
        result.stop,
        result.deals,
    )
    by_deals = holdem.run_study({"spot": [{**spot, "deals": result.deals}]}, tmp_path / "deals")
    assert told(by_deals)["spots"][0]["players"] == told(timed)["spots"][0]["players"]


def test_requests_are_plain_records():
    """Requests and answers are plain JSON; the tallies are those of a local sampler."""
    import json

    from holdem.odds.tally import tally_of_record

    asked = read_study(STUDY).spots[0]
    request = block_request(asked, 3, [BLOCK, 100], versions_of(["lookup"]))
    answer = answer_request(json.loads(json.dumps(request)))
    assert json.loads(json.dumps(answer)) == answer
    counts = asked.sampler().count(3, [BLOCK, 100])
    assert [tally_of_record(record, 3).tolist() for record in answer["tallies"]] == counts.tolist()


def test_refusals():
    """Messages tell versions of holdem and of distributions, and missing evaluators apart."""
    request = block_request(
        read_study(STUDY).spots[3], 0, [1], {"holdem": "2", "evaluators": {"bitwise": ["p", "1"]}}
    )
    here = {"holdem": "2", "evaluators": {"bitwise": ["p", "1"]}}
    assert difference(request, here) == ""
    assert difference(request, {**here, "holdem": "3"}) == "it has holdem 3, and this is holdem 2"
    assert (
        difference(request, {**here, "evaluators": {"bitwise": ["p", "2"]}})
        == "it has evaluator 'bitwise' of p 2, and this is p 1"
    )
    missing = versions_of(["no-such"])
    assert missing["evaluators"]["no-such"][0] == ""
    assert (
        difference({**request, "evaluator": "no-such", "holdem": missing["holdem"]}, missing)
        == (missing["evaluators"]["no-such"][1])
    )
    assert answer_request(request)["refused"].startswith("it has holdem ")


def test_a_failing_evaluator_is_a_record(monkeypatch):
    """An evaluator's error on a worker is returned as text with its name."""
    request = block_request(read_study(STUDY).spots[3], 0, [10], versions_of(["bitwise"]))

    def rank(*arguments):
        raise holdem.EvaluatorError("evaluator 'bitwise' failed")

    monkeypatch.setattr(holdem.Evaluator, "rank", rank)
    assert answer_request(request) == {"failed": "evaluator 'bitwise' failed"}


def test_what_cannot_be_a_cluster(tmp_path, monkeypatch):
    """Unusable clusters and evaluators raise an error, and no store is created."""
    monkeypatch.setattr(cluster_client, "_CONNECT_SECONDS", 0.2)
    for given, message in (
        ("tcp://127.0.0.1:1", "no Dask scheduler answers at tcp://127.0.0.1:1"),
        ("nonsense://x", "no Dask scheduler answers at nonsense://x"),
        (5, "a cluster is a distributed.Client or an address, not 5"),
    ):
        with pytest.raises(holdem.ClusterError, match=message):
            holdem.run_study(STUDY, tmp_path / "store", dask=given)

    @holdem.evaluator("script-only")
    def script_only(cards):
        return 0

    with pytest.raises(holdem.ClusterError, match="'script-only' is registered by this script"):
        cluster.ClusterBlocks(None, {"evaluators": {"script-only": ["the running script", ""]}})
    assert not list(tmp_path.iterdir())


def test_without_dask(tmp_path, monkeypatch):
    """Without Dask the error says what to install, and no store is created."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(holdem.ClusterError, match=r"pip install 'holdem\[dask\]'"):
        holdem.run_study(STUDY, tmp_path / "store", dask="tcp://127.0.0.1:1")
    assert not list(tmp_path.iterdir())


def test_a_scheduler_that_goes(tmp_path):
    """A run that loses the scheduler raises an error and keeps finished blocks."""
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0"
    ) as made:
        client = distributed.Client(made.scheduler_address, set_as_default=False)

        def go(number):
            if number == 2:
                client.close()

        study = {"seed": 1, "spot": [{"players": ["AA", "random", "random"], "deals": 10**10}]}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cluster, "ClusterBlocks", watched(go))
            with pytest.raises(holdem.ClusterError, match="cannot be reached any more"):
                holdem.run_study(study, tmp_path / "store", dask=client)
        assert holdem.study_results(tmp_path / "store").spots[0].result.deals >= 3 * BLOCK
