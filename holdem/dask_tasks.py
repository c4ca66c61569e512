"""Tasks that are computed on a Dask cluster, with results in the order of the tasks.

The call of a task is a `Request`. It contains everything that the answer depends on, as text and
numbers. Requests are sent as JSON, in batches that take a worker about half a second, because the
scheduler and this process need a millisecond or two for every batch. Workers run the `holdem` that
is installed on their machine, so the run ends with an error if a worker has other versions. Workers
may join and leave: batches of a lost worker are answered by another one. A Dask scheduler runs any
code that its clients and workers send; see docs/guide/cluster.md.
"""

from __future__ import annotations

import asyncio
import json
import time as clock
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from importlib import metadata
from itertools import islice
from typing import Any, TypeVar

import attrs
import numpy as np

from holdem.errors import ClusterError, HoldemError, HoldemWarning, error_text, one_line, quoted
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.registry import SCRIPT, register_files, versions_of
from holdem.jobs.requests import Request
from holdem.jobs.run import Task, TimeOverError
from holdem.jobs.stopwatch import Deadline, Stopwatch
from holdem.jobs.workers import Workers
from holdem.optional_packages import import_package
from holdem.plugins.given_files import needed_records, plugin_from_record
from holdem.rules import RuleSet

_Part_co = TypeVar("_Part_co", covariant=True)

_CONNECT_SECONDS = 10


# --- requests, which workers answer ---------------------------------------------------------


def encode_batch(
    requests: Sequence[Request[Any]], versions: Mapping[str, Any], seconds: float
) -> str:
    """Encode requests of one kind as the JSON text that is sent to a worker as a batch.

    `versions` are those of the run, from `read_versions`. After `seconds`, the worker begins no
    further request of the batch.
    """
    records = [request.record() for request in requests]
    return json.dumps({"versions": versions, "seconds": seconds, "requests": records})


def answer_batch(answer: Callable[[Mapping[str, Any]], Any], encoded: str) -> str:
    """Answer a batch from `encode_batch` in order, until the batch's time limit is reached.

    `answer` computes an answer from a request's record. The result is JSON text:
    ``{"answers": [{"answer": …}, …], "seconds": …}``, where ``seconds`` is the time that the
    answers took, without compilation. A request that raised a `HoldemError` has
    ``{"failed": message}`` in place of ``{"answer": …}``. If this process has other versions than
    the run, the text is ``{"refused": differences}`` instead.
    """
    stopwatch, batch = Stopwatch(), json.loads(encoded)
    needed = batch["versions"]
    if difference := describe_difference(needed, read_versions(needed["evaluators"])):
        return json.dumps({"refused": difference})
    answers: list[dict[str, Any]] = []
    for request in batch["requests"]:
        try:
            answers.append({"answer": answer(request)})
        except HoldemError as error:
            answers.append({"failed": str(error)})
        if stopwatch.elapsed >= batch["seconds"]:
            break
    # Another client may have sent another file in the meantime.
    if difference := describe_difference(needed, read_versions(needed["evaluators"])):
        return json.dumps({"refused": difference})
    return json.dumps({"answers": answers, "seconds": stopwatch.elapsed})


_PACKAGES = ("holdem", "numpy", "numba")


def read_versions(
    evaluators: Iterable[str], plugins: Iterable[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """Read this process's versions of evaluators and of the packages that answers depend on.

    They are what `versions_of` returns, with the versions of ``"numpy"`` and ``"numba"``. `plugins`
    are records from `needed_records`, which are registered first.
    """
    register_files(map(plugin_from_record, plugins))
    return {"numpy": np.__version__, "numba": _read_numba_version(), **versions_of(evaluators)}


@cache
def _read_numba_version() -> str:
    return metadata.version("numba")  # without importing it, which takes long


def describe_difference(needed: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """Describe how versions from `read_versions` differ from those of the run; "" if none does."""
    found = [
        f"{name} {here[name]}, not {needed[name]}"
        for name in _PACKAGES
        if here[name] != needed[name]
    ]
    for name, wanted in needed["evaluators"].items():
        distribution, version = here["evaluators"][name]
        if not distribution:
            found.append(version)  # the reason why the evaluator cannot be used
        elif [distribution, version] != list(wanted):
            found.append(f"evaluator {name!r} of {distribution} {version}, not {' '.join(wanted)}")
    return ", ".join(found)


# --- workers ------------------------------------------------------------------------------


def import_distributed() -> Any:
    """Import `distributed`, Dask's package for clusters; raise `ClusterError` if that fails."""
    return import_package("distributed", "a cluster needs Dask distributed", error=ClusterError)


_REFRESH_SECONDS = 1.0  # between two updates of the workers


@contextmanager
def open_client(cluster: Any) -> Iterator[Any]:
    """Context manager that connects to a Dask cluster and yields a client.

    `cluster` is a `distributed.Client`, which stays open, or the address of a scheduler.
    """
    distributed = import_distributed()
    if isinstance(cluster, distributed.Client):
        if cluster.asynchronous:
            raise ClusterError("an asynchronous client cannot be used: give a synchronous one")
        yield cluster
        return
    if not isinstance(cluster, str):
        raise ClusterError(
            f"a cluster is a distributed.Client or an address, not {quoted(cluster)}"
        )
    try:
        # A client that cannot connect keeps trying and logs errors, so test the connection first.
        # In another thread, because this one may run an event loop, as in notebooks.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _test_connection(cluster)).result()
        client = distributed.Client(cluster, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {one_line(cluster)} ({error_text(error)}): expected an"
            " address as in tcp://192.168.0.7:8786"
        ) from error
    try:
        yield client
    finally:
        with suppress(Exception):  # the scheduler may be gone; finished work is safe
            client.close(timeout=1)


async def _test_connection(address: str) -> None:
    """Connect to the scheduler at `address` and disconnect again; raise Dask's error on failure.

    Certificates are taken from Dask's configuration.
    """
    distributed = import_distributed()
    arguments = distributed.Security().get_connection_args("client")
    comm = await distributed.comm.connect(address, timeout=_CONNECT_SECONDS, **arguments)
    await comm.close()


class DaskWorkers:
    """The workers of a Dask cluster, which may join and leave at any time.

    Every worker must have the same versions as this process. They are compared when `refresh` first
    finds the worker. If a worker gets a batch before that, it compares them itself, and refuses the
    batch if they differ.
    """

    def __init__(self, client: Any, versions: Mapping[str, Any]) -> None:
        """Take a `distributed.Client` and the run's versions, from `read_versions`.

        No workers are known until `refresh` is called.
        """
        self.threads = 0  # of all workers
        self._client = client
        self._versions = versions
        self._checked: set[str] = set()  # addresses
        self._refreshed_at = -float("inf")
        self._has_warned = False  # about a cluster without workers

    def refresh_if_old(self) -> None:
        """Call `refresh` unless it ran within the last second."""
        if clock.monotonic() - self._refreshed_at > _REFRESH_SECONDS:
            self.refresh()

    def recheck(self) -> None:
        """Refresh, and check the versions of all workers again, not only of new ones."""
        self._checked.clear()
        self.refresh()

    def refresh(self) -> None:
        """Ask the cluster which workers it has, and check the versions of the new ones."""
        if self._client.status != "running":
            raise OSError(f"the client is {self._client.status}")
        self._refreshed_at = clock.monotonic()
        threads: dict[str, int] = self._client.ncores()
        if not threads and not self._has_warned:
            message = "the cluster has no workers; waiting for one"
            warnings.warn(message, HoldemWarning, stacklevel=2)
        self._has_warned = not threads
        self.threads = sum(threads.values())
        self._checked &= threads.keys()
        if new := threads.keys() - self._checked:
            self._check(sorted(new))

    def _check(self, addresses: Sequence[str]) -> None:
        """Send the run's plugins to workers, and compare their versions with those of the run."""
        evaluators, plugins = list(self._versions["evaluators"]), needed_records(self._versions)
        answers = self._client.run(
            read_versions, evaluators, plugins, workers=addresses, on_error="return"
        )
        problems = []
        for address, answer in answers.items():
            if isinstance(answer, OSError):
                continue  # the worker is lost, or is checked again later
            if isinstance(answer, Exception):  # without holdem, for example
                problems.append(f"{address}: {error_text(answer)}")
            elif difference := describe_difference(self._versions, answer):
                problems.append(f"{address}: {difference}")
            self._checked.add(address)
        if problems:
            raise ClusterError(
                "workers of the cluster have other versions than this process, so install the"
                f" same on all machines: {'; '.join(problems)}"
            )


#: How long a batch of requests should take, in seconds: much longer than Dask's overhead, but short
#: enough that little is lost with a worker.
BATCH_SECONDS = 0.5

_MOST_SECONDS = 1.0  # after which a worker returns the answers that it has
_MOST_REQUESTS = 1000  # of a batch
_PER_THREAD = 2  # batches under way for each thread of the workers
_WAITING_PER_THREAD = 64  # with those that are answered, but wait for an earlier one
_POLL_SECONDS = 0.01
_GATHERED = 32  # answers fetched at a time
_GATHER_SECONDS = 10.0  # then lost workers are looked for


@attrs.define(eq=False)
class _Batch:
    """A batch of tasks whose requests are sent to a worker together.

    Until it is answered, `answers` and `error` are None. `seconds` is the time that the answers
    took.
    """

    tasks: Sequence[Task[Any]]
    answers: Sequence[Mapping[str, Any]] | None = None
    seconds: float = 0.0
    error: HoldemError | None = None

    @property
    def is_answered(self) -> bool:
        """Whether the batch has results, or an error, to pass on."""
        return self.answers is not None or self.error is not None

    @property
    def is_needed(self) -> bool:
        """Whether any result of the batch is still needed."""
        return any(_get_request(task).is_needed() for task in self.tasks)


class DaskTasks:
    """Sends tasks to the workers of a Dask cluster, and yields their results in order."""

    def __init__(self, client: Any, versions: Mapping[str, Any]) -> None:
        """Take a `distributed.Client` and the versions of the run, from `read_versions`."""
        for name, (distribution, _) in versions["evaluators"].items():
            if distribution == SCRIPT:
                raise _make_script_error(name)
        self._client = client
        self._versions = versions
        self._workers = DaskWorkers(client, versions)
        self._pace: dict[str, float] = {}  # seconds per unit of size, by kind of request
        self._pending: deque[_Batch] = deque()  # in the order of their tasks
        self._futures: dict[_Batch, Any] = {}  # of those that are not answered

    def estimate_batch_size(self, kind: str) -> float:
        """Estimate the sum of `Task.size` in a batch of a kind that takes about `BATCH_SECONDS`.

        It is 0 if no request of this kind has been answered.
        """
        return BATCH_SECONDS / self._pace[kind] if kind in self._pace else 0.0

    def results(
        self,
        tasks: Iterable[Task[Any]],
        workers: Workers,  # noqa: ARG002
        deadline: Deadline | None = None,
    ) -> Generator[tuple[Task[Any], Any, float], None, None]:
        """Run tasks on the cluster and yield their results, like `holdem.jobs.run.ordered_results`.

        Their calls are `Request` objects. A bounded number is under way, so `tasks` may be
        infinite. The first batch is waited for even if it takes longer than the deadline. Tasks
        whose results are no longer needed may be left out.
        """
        batches = self._divide(tasks)
        is_first = True
        try:
            while True:
                is_over = deadline is not None and deadline.seconds_left() <= 0
                if self._pending and self._pending[0].is_answered:
                    yield from _read_results(self._pending.popleft())
                    is_first = False
                elif is_over and not is_first:
                    if self._pending or next(batches, None) is not None:
                        raise TimeOverError
                    return
                if not (is_over and self._pending):
                    self._submit_next(batches)
                if not self._pending:
                    return
                if not self._pending[0].is_needed:
                    self._futures.pop(self._pending.popleft(), None)  # Dask then cancels the task
                elif not self._pending[0].is_answered:
                    self._receive()
        except (HoldemError, TimeOverError):
            raise
        except Exception as error:
            # Dask does not export the exception that a closed client raises.
            if isinstance(error, OSError) or self._client.status != "running":
                raise ClusterError(
                    f"the Dask scheduler cannot be reached any more ({error_text(error)}); a run"
                    " with a store is resumed by the same command"
                ) from error
            raise
        finally:
            self._pending.clear()  # Dask cancels tasks whose futures are released
            self._futures.clear()

    def _divide(self, tasks: Iterable[Task[Any]]) -> Iterator[_Batch]:
        """Group tasks into batches of one kind, each of which takes about `BATCH_SECONDS`."""
        some: list[Task[Any]] = []
        size = 0.0
        for task in tasks:
            request = _get_request(task)
            most = min(self.estimate_batch_size(request.kind), request.most)
            is_other = some and request.kind != _get_request(some[0]).kind
            if some and (is_other or size + task.size > most or len(some) == _MOST_REQUESTS):
                yield _Batch(some)
                some, size = [], 0.0
            some.append(task)
            size += task.size
        if some:
            yield _Batch(some)

    def _submit_next(self, batches: Iterator[_Batch]) -> None:
        """Submit as many of the next batches as it takes to keep all workers busy."""
        self._workers.refresh_if_old()
        threads = max(self._workers.threads, 1)
        free = min(
            _PER_THREAD * threads - len(self._futures),
            _WAITING_PER_THREAD * threads - len(self._pending),
        )
        some = list(islice(batches, max(free, 0)))
        self._pending.extend(some)
        self._submit(some)

    def _submit(self, batches: Sequence[_Batch]) -> None:
        """Submit batches to the cluster in one call, which is cheaper than a call for each."""
        if not batches:
            return
        futures = self._client.map(
            answer_batch,
            [_get_request(batch.tasks[0]).answer for batch in batches],
            [
                encode_batch(list(map(_get_request, batch.tasks)), self._versions, _MOST_SECONDS)
                for batch in batches
            ],
            pure=False,
        )
        self._futures.update(zip(batches, futures, strict=True))

    def _receive(self) -> None:
        """Fetch and process the answers that are ready; wait a moment if none is."""
        ready = [(batch, future) for batch, future in self._futures.items() if future.done()]
        if not ready:
            clock.sleep(_POLL_SECONDS)
        finished = [each for each in ready if each[1].status == "finished"][:_GATHERED]
        answers = self._gather([future for _, future in finished]) if finished else {}
        for number, answer in answers.items():
            self._take(finished[number][0], json.loads(answer))
        for batch, future in ready:
            if future.status == "error":
                self._take_error(batch, future.exception())
            elif future.status != "finished":  # cancelled or lost with its worker
                self._ask_again(batch)

    def _gather(self, futures: Sequence[Any]) -> dict[int, Any]:
        """Fetch the answers of futures, by the index of each.

        Futures whose worker was just lost are left out; all are if fetching takes too long.
        """
        try:
            answers = self._client.sync(
                lambda: self._client.gather(
                    dict(enumerate(futures)), errors="skip", asynchronous=True
                ),
                callback_timeout=_GATHER_SECONDS,
            )
        except (TimeoutError, import_distributed().CancelledError):
            return {}
        return {number: answer for number, answer in answers.items() if answer is not None}

    def _take(self, batch: _Batch, answer: Mapping[str, Any]) -> None:
        """Store what `answer_batch` returned, and resubmit the tasks that were not answered.

        If the worker refused the batch, these are all of its tasks.
        """
        if "refused" in answer:  # by a worker that was not checked, or another client changed it
            self._ask_again(batch)
            return
        batch.answers, batch.seconds = answer["answers"], answer["seconds"]
        count = len(answer["answers"])
        batch.tasks, rest = batch.tasks[:count], batch.tasks[count:]
        size = sum(task.size for task in batch.tasks)
        self._pace[_get_request(batch.tasks[0]).kind] = max(batch.seconds, 1e-6) / size
        self._replace(batch, [batch, *self._divide(rest)])

    def _take_error(self, batch: _Batch, error: BaseException) -> None:
        """Handle a batch whose computation failed on the cluster.

        If a batch of several tasks killed workers, resubmit each task alone. Otherwise, store the
        error in the batch, to be raised when its results are due.
        """
        if isinstance(error, import_distributed().KilledWorker):
            if len(batch.tasks) > 1:  # find the request that kills workers
                self._replace(batch, [_Batch([task]) for task in batch.tasks])
                return
            request = _get_request(batch.tasks[0])
            batch.error = request.error("it killed several workers in a row")
        else:
            self._workers.recheck()  # other versions explain it
            batch.error = ClusterError(f"a worker of the cluster failed: {error_text(error)}")
        del self._futures[batch]

    def _ask_again(self, batch: _Batch) -> None:
        self._workers.recheck()
        self._submit([batch])

    def _replace(self, batch: _Batch, batches: Sequence[_Batch]) -> None:
        """Replace a batch in the queue by several parts of it, and submit those without answers."""
        del self._futures[batch]
        position = self._pending.index(batch)
        del self._pending[position]
        for number, each in enumerate(batches, position):
            self._pending.insert(number, each)
        self._submit([each for each in batches if not each.is_answered])


def _get_request(task: Task[Any]) -> Request[Any]:
    assert isinstance(task.call, Request)
    return task.call


def _read_results(batch: _Batch) -> Iterator[tuple[Task[Any], Any, float]]:
    """Yield the tasks of an answered batch, each with its result and the seconds that it took."""
    if batch.answers is None:
        assert batch.error is not None
        raise batch.error
    for task, answer in zip(batch.tasks, batch.answers, strict=True):
        request = _get_request(task)
        if "failed" in answer:
            raise request.error(answer["failed"])
        yield task, request.read(answer["answer"]), batch.seconds / len(batch.answers)


@contextmanager
def open_tasks(
    cluster: Any, evaluators: Iterable[str | EvaluatorSpec | RuleSet]
) -> Generator[DaskTasks, None, None]:
    """Context manager that connects to a cluster, as `open_client`, and yields its `DaskTasks`.

    `evaluators` are those that the tasks use.
    """
    names: list[str] = []
    for evaluator in evaluators:
        if isinstance(evaluator, EvaluatorSpec):
            raise _make_script_error(evaluator.name)
        if isinstance(evaluator, str):
            names.append(evaluator)
    with open_client(cluster) as client:
        yield DaskTasks(client, read_versions(names))


def _make_script_error(name: str) -> ClusterError:
    return ClusterError(
        f"evaluator {name!r} is registered by this script only, and no worker of a cluster can"
        " find it: install it as a plugin, there and here"
    )
