"""Studies on a local Dask cluster, with killed, other and missing workers."""

import contextlib
import itertools
import os
import signal
import sys
import time
from types import SimpleNamespace

import distributed
import pytest

import check_same_bits
import holdem
from holdem import HoldemWarning, dask_tasks
from holdem.dask_tasks import DaskTasks, open_tasks
from holdem.errors import Interrupted
from holdem.evaluation.registry import versions_of
from holdem.odds.sampling.sampler import BLOCK
from holdem.trials.studies.study_file import read_study

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
        {"players": ["QQ", "AK"], "board": "Td9d2c", "method": "auto"},
        {"players": ["AA", "random", "random"], "method": "auto", "deals": 3 * BLOCK},
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
    """Return a class that computes on a cluster and calls `watch` before it yields results."""
    numbers = itertools.count()

    class Watched(DaskTasks):
        def results(self, tasks, workers, deadline=None):
            for found in super().results(tasks, workers, deadline):
                watch(next(numbers))
                yield found

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
    study = 'deals = 100_000\nseed = 1\nmethod = "monte-carlo"\n[[spot]]\n'
    study += 'players = ["AA", "random", "random"]'
    (tmp_path / "study.toml").write_text(study, encoding="utf-8")
    monkeypatch.setattr("holdem.trials.studies.study_run.make_block_tasks", None)
    assert run(["run", "study.toml", "--store", "s", "--dask", dask[0].scheduler_address]) == 0
    assert capsys.readouterr().out.startswith("complete: 1 spot, 100,000 deals, ")


@pytest.mark.filterwarnings(NO_WORKER)
def test_workers_come_and_go(dask, tmp_path):
    """The blocks of a killed worker are computed by another, and counted once."""
    made, client = dask
    study = {
        "seed": 4,
        "method": "monte-carlo",
        "spot": [{"players": ["AsKs", "random", "random", "random"], "deals": 300 * BLOCK}],
    }
    asked = read_study(study).spots[0]
    nannies, killed = list(made.workers.values()), []

    def kill(number):
        """Kill a worker when some blocks are done, and then the other one."""
        if number in (3, 20):
            nanny = nannies[len(killed)]
            killed.append(nanny.pid)
            os.kill(nanny.pid, signal.SIGKILL)

    alone = holdem.run_study(study, tmp_path / "alone")  # first, so that kernels are compiled
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dask_tasks, "BATCH_SECONDS", 0)  # 38 batches, however fast the workers are
        patch.setattr(dask_tasks, "DaskTasks", watched(kill))
        found = holdem.run_study(study, tmp_path / "store", dask=client)
    assert len(set(killed)) == 2
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
            if len(pauses) == 3:
                made.scale(1)
                client.wait_for_workers(1)
            pauses.append(seconds)
            time.sleep(min(seconds, 0.01))

        times = SimpleNamespace(monotonic=time.monotonic, sleep=pause)
        monkeypatch.setattr(dask_tasks, "clock", times)
        monkeypatch.setattr(dask_tasks, "_REFRESH_SECONDS", 0.0)  # before each pause
        with pytest.warns(HoldemWarning) as noted:
            assert expected == told(holdem.run_study(STUDY, tmp_path / "store", dask=client))
        # Dask's threads may warn meanwhile.
        assert [str(note.message) for note in noted if note.category is HoldemWarning] == [
            "the cluster has no workers; waiting for one"
        ]


def test_cut_and_resumed(dask, expected, tmp_path, monkeypatch):
    """A run interrupted on a cluster is resumed without one, with the same results."""

    def cut(number):
        if number >= 3:
            raise KeyboardInterrupt

    dask[1].wait_for_workers(2)
    monkeypatch.setattr(dask_tasks, "DaskTasks", watched(cut))
    with pytest.raises(Interrupted):
        holdem.run_study(STUDY, tmp_path / "store", dask=dask[1])
    assert expected == told(holdem.run_study(STUDY, tmp_path / "store"))


def _pretend(version):
    """Make this worker report another version of holdem."""
    dask_tasks.versions_of = lambda names: {**versions_of(names), "holdem": version}


def _stop_pretending():
    dask_tasks.versions_of = versions_of


@contextlib.contextmanager
def pretending(client, workers, version):
    """Make some workers report another version of holdem."""
    client.run(_pretend, version, workers=workers)
    try:
        yield
    finally:
        client.run(_stop_pretending, workers=workers)


def test_other_versions(dask, expected, tmp_path, monkeypatch):
    """A worker with another version ends the run, at the start or later; the store is kept."""
    client = dask[1]
    client.wait_for_workers(2)
    first = sorted(client.ncores())[0]
    message = f"all machines: {first}: holdem 0.0.9, not {holdem.__version__}$"
    with (
        pretending(client, [first], "0.0.9"),
        pytest.raises(holdem.ClusterError, match=message),
    ):
        holdem.run_study(STUDY, tmp_path / "store", dask=client)

    def change(number):
        if number == 0:
            client.run(_pretend, "0.0.9", workers=[first])

    with monkeypatch.context() as patch:
        patch.setattr(dask_tasks, "DaskTasks", watched(change))
        try:
            with pytest.raises(holdem.ClusterError, match=message):
                holdem.run_study(STUDY, tmp_path / "store", dask=client)
        finally:
            client.run(_stop_pretending)
    # Which ones depends on which batch the worker refuses first.
    assert holdem.study_results(tmp_path / "store").spots
    assert expected == told(holdem.run_study(STUDY, tmp_path / "store", dask=client))


def test_a_limit_of_time(dask, tmp_path):
    """The counted blocks of a spot stopped by its time are the first of its stream."""
    dask[1].wait_for_workers(2)
    spot = {"players": ["AsKs", "QQ+", "random"], "method": "monte-carlo", "seed": 4}
    # The deals end a run that does not end in time, after some ten seconds.
    study = {"spot": [{**spot, "time": 0.3, "deals": 10**9}]}
    timed = holdem.run_study(study, tmp_path / "timed", dask=dask[1])
    result = timed.spots[0].result
    assert (result.stop, result.deals % BLOCK) == ("time", 0)
    assert result.elapsed >= 0.3
    by_deals = holdem.run_study({"spot": [{**spot, "deals": result.deals}]}, tmp_path / "deals")
    assert told(by_deals)["spots"][0]["players"] == told(timed)["spots"][0]["players"]


def test_what_cannot_be_a_cluster(tmp_path, monkeypatch):
    """Unusable clusters and evaluators raise an error, and no store is created."""
    monkeypatch.setattr(dask_tasks, "_CONNECT_SECONDS", 0.2)
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
        DaskTasks(None, {"evaluators": {"script-only": ["the running script", ""]}})
    with (
        pytest.raises(holdem.ClusterError, match="'script-only' is registered by this script"),
        open_tasks("tcp://127.0.0.1:1", [script_only]),
    ):
        pass
    assert not list(tmp_path.iterdir())


def test_without_dask(tmp_path, monkeypatch):
    """Without Dask the error says what to install, and no store is created."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(holdem.ClusterError, match="pip install distributed"):
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

        study = {"seed": 1, "spot": [{"players": ["AA", *["random"] * 6], "deals": 10**10}]}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(dask_tasks, "DaskTasks", watched(go))
            with pytest.raises(holdem.ClusterError, match="cannot be reached any more"):
                holdem.run_study(study, tmp_path / "store", dask=client)
        assert holdem.study_results(tmp_path / "store").spots[0].result.deals >= 3 * BLOCK
