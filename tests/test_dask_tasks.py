"""Tasks on a cluster whose futures are scripted: order, lost workers, partial answers, errors."""

import itertools
import json
import time
from collections import deque
from types import SimpleNamespace

import distributed
import pytest

import holdem
from holdem import dask_tasks
from holdem.dask_tasks import DaskTasks, answer_batch, read_versions
from holdem.jobs.requests import Request
from holdem.jobs.run import Task, TimeOverError
from holdem.jobs.stopwatch import Deadline
from holdem.jobs.workers import Workers

NO_WORKERS = Workers(1)


def double(record):
    """Answer a request."""
    if record["number"] == 13:
        raise holdem.EvaluatorError("unlucky")
    return 2 * record["number"]


class Future:
    """A future with a status and a value that do not change."""

    def __init__(self, status, value=None):
        self.status, self.value = status, value

    def done(self):
        return self.status != "pending"

    def exception(self):
        return self.value


class Client:
    """A client that answers each batch in its turn as a function of the script says."""

    status = "running"

    def __init__(self, *script, workers=2):
        self.script, self.workers = deque(script), {f"w{n}": 1 for n in range(workers)}
        self.sent, self.other = [], {}

    def ncores(self):
        return dict(self.workers)

    def run(self, function, *arguments, workers, on_error):
        versions = function(*arguments)
        return {worker: {**versions, **self.other.get(worker, {})} for worker in workers}

    def map(self, function, answers, texts, *, pure):
        assert not pure
        futures = []
        for answer, text in zip(answers, texts, strict=True):
            self.sent.append([record["number"] for record in json.loads(text)["requests"]])
            step = self.script.popleft() if self.script else finished
            futures.append(step(answer, text))
        return futures

    def sync(self, function, callback_timeout):
        return function()

    def gather(self, futures, errors, asynchronous):
        return {number: future.value for number, future in futures.items()}


def finished(answer, text):
    return Future("finished", answer_batch(answer, text))


def only_first(answer, text):
    return finished(answer, json.dumps({**json.loads(text), "seconds": 0}))


def pending(answer, text):
    return Future("pending")


def cancelled(answer, text):
    return Future("cancelled")


def refused(answer, text):
    return Future("finished", json.dumps({"refused": "holdem 0.0.9"}))


def killed(answer, text):
    return Future("error", distributed.scheduler.KilledWorker("task", None, 3))


def broken(answer, text):
    return Future("error", ZeroDivisionError("division by zero"))


def task(number, size=1.0, kind="numbers", needed=True):
    error = f"task {number}: {{}}".format
    request = Request(
        lambda _: 2 * number,
        lambda: {"number": number},
        double,
        int,
        lambda message: holdem.EvaluatorError(error(message)),
        kind,
        is_needed=lambda: needed,
    )
    return Task(request, size)


def cluster(client, pace=None):
    """Return tasks of a client; a pace is the seconds that a unit of size takes."""
    found = DaskTasks(client, read_versions(["lookup"]))
    found._pace.update({} if pace is None else {"numbers": pace})
    return found


def results(client, tasks, pace=None):
    return [part for _, part, _ in cluster(client, pace).results(iter(tasks), NO_WORKERS)]


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    """Wait without a pause, and fail instead of waiting for ever."""
    calls = itertools.count()

    def monotonic():
        assert next(calls) < 100_000
        return time.monotonic()

    monkeypatch.setattr(dask_tasks, "_MOST_SECONDS", 60.0)  # however busy the machine is
    monkeypatch.setattr(
        dask_tasks, "clock", SimpleNamespace(monotonic=monotonic, sleep=lambda _seconds: None)
    )


def test_order():
    """Results come in the order of the tasks, whatever is answered first."""
    late = Future("pending")

    def first_late(answer, text):
        late.value = answer_batch(answer, text)
        return late

    def finish_late(answer, text):
        late.status = "finished"
        return finished(answer, text)

    client = Client(first_late, finished, finished, finish_late)
    assert results(client, map(task, range(9))) == [2 * number for number in range(9)]


def test_batches_have_the_size_of_half_a_second():
    """Tasks of the same kind are sent together for half a second, by the pace of the last ones."""
    client = Client()
    assert len(results(client, [*map(task, range(7)), task(7, kind="others")], pace=0.2)) == 8
    assert client.sent[0] == [0, 1]
    assert client.sent[-1] == [7]
    client = Client()
    results(client, (task(number, size=3) for number in range(3)), pace=0.2)
    assert client.sent == [[0], [1], [2]]


def test_a_bounded_number_is_under_way():
    """An infinite number of tasks is taken one after the other."""
    taken = []

    def endless():
        while True:
            taken.append(len(taken))
            yield task(taken[-1] % 13)

    client = Client(workers=3)
    found = cluster(client).results(endless(), NO_WORKERS)
    assert [next(found)[1] for _ in range(3)] == [0, 2, 4]
    assert len(taken) < 20_000
    found.close()


def test_partial_answers():
    """What a worker leaves of a batch is sent again, and keeps its position."""
    client = Client(only_first)
    assert results(client, map(task, range(5)), pace=0.1) == [0, 2, 4, 6, 8]
    assert client.sent[0] == [0, 1, 2, 3, 4]
    assert [number for some in client.sent[1:] for number in some] == [1, 2, 3, 4]


@pytest.mark.parametrize("step", [cancelled, refused])
def test_asked_again(step):
    """A batch that is lost with its worker, or refused, is sent again."""
    client = Client(step, finished, step)
    assert results(client, map(task, range(3))) == [0, 2, 4]
    assert len(client.sent) == 5


def test_other_versions():
    """A run ends at once, with an error that lists the workers with other versions."""
    client = Client(workers=3)
    client.other = {"w0": {"holdem": "0.0.9"}, "w2": {"numpy": "1.0", "numba": "0.1"}}
    here = read_versions([])
    with pytest.raises(holdem.ClusterError) as raised:
        results(client, [task(1)])
    assert str(raised.value).endswith(
        f"on all machines: w0: holdem 0.0.9, not {here['holdem']};"
        f" w2: numpy 1.0, not {here['numpy']}, numba 0.1, not {here['numba']}"
    )
    assert client.sent == []


@pytest.mark.parametrize("step", [pending, refused, broken])
def test_another_version_joins(step, monkeypatch):
    """A later worker with other versions ends the run, whether or not it has a batch already."""
    if step is pending:
        monkeypatch.setattr("holdem.dask_tasks._REFRESH_SECONDS", 0.0)
    client = Client(finished)

    def join(answer, text):
        client.workers["w2"], client.other = 1, {"w2": {"holdem": "0.0.9"}}
        return step(answer, text)

    client.script.append(join)
    found = cluster(client).results(map(task, range(3)), NO_WORKERS)
    with pytest.raises(holdem.ClusterError, match=r"machines: w2: holdem 0\.0\.9, not"):
        list(found)


def test_an_error_is_raised_in_its_turn():
    """The results before an error are kept; the message is that of the task."""
    found = cluster(Client()).results(map(task, range(10, 16)), NO_WORKERS)
    assert [next(found)[1] for _ in range(3)] == [20, 22, 24]
    with pytest.raises(holdem.EvaluatorError, match=r"^task 13: unlucky$"):
        next(found)


def test_a_task_that_kills_workers_is_found():
    """The requests of a batch that kills workers are sent one by one."""
    client = Client(killed, finished, killed, finished)
    found = cluster(client, pace=0.15).results(map(task, range(3)), NO_WORKERS)
    assert next(found)[1] == 0
    with pytest.raises(holdem.EvaluatorError, match="task 1: it killed several workers in a row"):
        next(found)
    assert client.sent == [[0, 1, 2], [0], [1], [2]]


def test_a_worker_that_fails():
    """Another error of a worker ends the run."""
    with pytest.raises(holdem.ClusterError, match="a worker of the cluster failed: ZeroDivision"):
        results(Client(broken), [task(1)])


def test_what_is_not_needed_is_not_waited_for():
    """A task whose result is not needed any more is dropped when it comes first."""
    client = Client(finished, pending)
    assert results(client, [task(0), task(1, needed=False), task(2)]) == [0, 4]


def test_a_deadline():
    """The first batch is waited for beyond the deadline, later ones are not."""
    client = Client(finished, finished, pending)
    found = cluster(client).results(map(task, range(3)), NO_WORKERS, Deadline(0.05))
    assert [next(found)[1], next(found)[1]] == [0, 2]
    with pytest.raises(TimeOverError):
        next(found)
    found = cluster(Client()).results(iter([task(1)]), NO_WORKERS, Deadline(0))
    assert [part for _, part, _ in found] == [2]


def test_a_scheduler_that_is_gone():
    """A client that is closed is an error that says how to go on."""
    client = Client(pending)
    found = cluster(client).results(iter([task(1)]), NO_WORKERS)

    def close(*arguments, **options):
        client.status = "closed"
        raise RuntimeError("closed")

    client.map = close
    with pytest.raises(holdem.ClusterError, match="resumed by the same command"):
        next(found)
