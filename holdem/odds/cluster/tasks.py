"""Tasks computed by the workers of a Dask cluster, with results in the order of the tasks.

A task is a `Question`. Questions are sent in requests that take about half a second each, because
the scheduler and this process need a millisecond or two for every request. Workers may come and
go: the requests of a lost worker are answered by another one. A Dask scheduler runs any code that
its peers send; see docs/guide/cluster.md.
"""

from __future__ import annotations

import json
import time as clock
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import attrs

from holdem.errors import ClusterError, HoldemError, error_text
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.registry import SCRIPT, versions_of
from holdem.jobs.run import Deadline, Task, TimeOverError
from holdem.jobs.workers import Workers
from holdem.odds.cluster.connection import connected, dask_distributed
from holdem.odds.cluster.requests import Question, answer_request, make_request
from holdem.odds.cluster.usable_workers import ClusterWorkers

#: How long a request should take, in seconds: much longer than Dask's overhead, but short enough
#: that little is lost with a worker.
REQUEST_SECONDS = 0.5

_MOST_SECONDS = 1.0  # after which a worker returns the answers that it has
_MOST_QUESTIONS = 1000  # of a request
_PER_THREAD = 2  # requests under way for each thread of the workers
_WAITING_PER_THREAD = 64  # with those that are answered, but wait for an earlier one
_POLL_SECONDS = 0.01
_GATHERED = 32  # answers fetched at a time
_GATHER_SECONDS = 10.0  # then lost workers are looked for


@attrs.define(eq=False)
class _Request:
    """Some tasks whose questions are sent together."""

    tasks: Sequence[Task[Any]]
    allowed: list[str] | None = None
    """The addresses of the workers that may answer it; None for any worker."""
    answers: Sequence[Mapping[str, Any]] | None = None
    seconds: float = 0.0
    error: HoldemError | None = None

    @property
    def is_answered(self) -> bool:
        """Whether the results, or an error, can be passed on."""
        return self.answers is not None or self.error is not None

    @property
    def is_needed(self) -> bool:
        """Whether any of the results is needed."""
        return any(_question(task).is_needed() for task in self.tasks)


class ClusterTasks:
    """Computes tasks on the workers of a Dask cluster."""

    def __init__(self, client: Any, versions: Mapping[str, Any]) -> None:
        """Prepare to use the cluster of a Dask client.

        Args:
            client: a `distributed.Client`.
            versions: those of the run, from `versions_of`.

        Raises:
            ClusterError: an evaluator is registered by the running script only.
        """
        for name, (distribution, _) in versions["evaluators"].items():
            if distribution == SCRIPT:
                raise _script_only(name)
        self._client = client
        self._versions = versions
        self._workers = ClusterWorkers(client, versions)
        self._pace: dict[str, float] = {}  # seconds per unit of size, by kind of question
        self._pending: deque[_Request] = deque()  # in the order of their tasks
        self._futures: dict[_Request, Any] = {}  # of those that are not answered

    def size_of_request(self, kind: str) -> float:
        """Return the total size of tasks that takes about `REQUEST_SECONDS`; 0 if unknown.

        Args:
            kind: the kind of the tasks' questions.
        """
        return REQUEST_SECONDS / self._pace[kind] if kind in self._pace else 0.0

    def results(
        self,
        tasks: Iterable[Task[Any]],
        workers: Workers,  # noqa: ARG002
        deadline: Deadline | None = None,
    ) -> Generator[tuple[Task[Any], Any, float], None, None]:
        """Compute tasks on the cluster, like `holdem.jobs.run.ordered_results` on a machine.

        A bounded number of tasks is under way, so `tasks` may be infinite.

        Args:
            tasks: what to compute; the calls are of `Question`.
            workers: not used.
            deadline: when to end. The first request is waited for even if it takes longer.

        Yields:
            The task, its result and the seconds that it took; not for all tasks whose results are
            not needed any more.

        Raises:
            ClusterError: no worker can be used, or the scheduler cannot be reached any more.
            HoldemError: that of a question without an answer.
            TimeOverError: the deadline has passed and tasks are left.
        """
        requests = self._requests(tasks)
        is_first = True
        try:
            while True:
                is_over = deadline is not None and deadline.seconds_left() <= 0
                if self._pending and self._pending[0].is_answered:
                    yield from _results(self._pending.popleft())
                    is_first = False
                elif is_over and not is_first:
                    if self._pending or next(requests, None) is not None:
                        raise TimeOverError
                    return
                if not (is_over and self._pending):
                    self._submit_next(requests)
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

    def _requests(self, tasks: Iterable[Task[Any]]) -> Iterator[_Request]:
        """Divide tasks into requests of about `REQUEST_SECONDS`."""
        some: list[Task[Any]] = []
        size = 0.0
        for task in tasks:
            question = _question(task)
            most = min(self.size_of_request(question.kind), question.most)
            is_other = some and question.kind != _question(some[0]).kind
            if some and (is_other or size + task.size > most or len(some) == _MOST_QUESTIONS):
                yield _Request(some)
                some, size = [], 0.0
            some.append(task)
            size += task.size
        if some:
            yield _Request(some)

    def _submit_next(self, requests: Iterator[_Request]) -> None:
        """Submit as many requests as keep all workers busy."""
        if self._workers.refresh_if_old():
            self._resubmit_lost()
        threads = max(sum(self._workers.threads.values()), 1)
        free = min(
            _PER_THREAD * threads - len(self._futures),
            _WAITING_PER_THREAD * threads - len(self._pending),
        )
        some = list(islice(requests, max(free, 0)))
        self._pending.extend(some)
        self._submit(some)

    def _submit(self, requests: Sequence[_Request]) -> None:
        """Submit requests to any of the usable workers; together, which costs less."""
        if not requests:
            return
        self._workers.wait()
        allowed = self._workers.allowed
        futures = self._client.map(
            answer_request,
            [_question(request.tasks[0]).answer for request in requests],
            [self._text(request) for request in requests],
            workers=allowed,
            allow_other_workers=False,
            pure=False,
        )
        for request, future in zip(requests, futures, strict=True):
            request.allowed, self._futures[request] = allowed, future

    def _text(self, request: _Request) -> str:
        questions = [_question(task) for task in request.tasks]
        return make_request(questions, self._versions, _MOST_SECONDS)

    def _resubmit_lost(self) -> None:
        """Resubmit requests that only lost workers may answer."""
        usable = self._workers.threads.keys()
        self._submit([each for each in self._futures if each.allowed and not usable & each.allowed])

    def _receive(self) -> None:
        """Fetch answers that are ready, or wait a moment."""
        ready = [(request, future) for request, future in self._futures.items() if future.done()]
        if not ready:
            clock.sleep(_POLL_SECONDS)
        finished = [each for each in ready if each[1].status == "finished"][:_GATHERED]
        answers = self._gather([future for _, future in finished]) if finished else {}
        for number, answer in answers.items():
            self._take(finished[number][0], json.loads(answer))
        for request, future in ready:
            if future.status == "error":
                self._take_error(request, future.exception())
            elif future.status != "finished":  # cancelled or lost with its worker
                self._ask_again(request)

    def _gather(self, futures: Sequence[Any]) -> dict[int, Any]:
        """Return the answers of futures, by index, without those whose workers were just lost."""
        try:
            answers = self._client.sync(
                lambda: self._client.gather(
                    dict(enumerate(futures)), errors="skip", asynchronous=True
                ),
                callback_timeout=_GATHER_SECONDS,
            )
        except (TimeoutError, dask_distributed().CancelledError):
            return {}
        return {number: answer for number, answer in answers.items() if answer is not None}

    def _take(self, request: _Request, answer: Mapping[str, Any]) -> None:
        """Keep the answers of a request until its turn, and submit the rest of it again."""
        if "refused" in answer:  # by a worker whose versions are others, or have changed
            self._ask_again(request)
            return
        request.answers, request.seconds = answer["answers"], answer["seconds"]
        count = len(answer["answers"])
        request.tasks, rest = request.tasks[:count], request.tasks[count:]
        size = sum(task.size for task in request.tasks)
        self._pace[_question(request.tasks[0]).kind] = max(request.seconds, 1e-6) / size
        self._replace(request, [request, *self._requests(rest)])

    def _take_error(self, request: _Request, error: BaseException) -> None:
        """Handle the failure of a worker: ask others, or keep the error until its turn."""
        if isinstance(error, dask_distributed().KilledWorker):
            if len(request.tasks) > 1:  # find the question that kills workers
                self._replace(request, [_Request([task]) for task in request.tasks])
                return
            question = _question(request.tasks[0])
            request.error = question.error("it killed several workers in a row")
        else:
            before = self._workers.allowed
            self._workers.recheck()
            if self._workers.allowed != before:  # a worker with other versions had it
                self._submit([request])
                return
            request.error = ClusterError(f"a worker of the cluster failed: {error_text(error)}")
        del self._futures[request]

    def _ask_again(self, request: _Request) -> None:
        self._workers.recheck()
        self._submit([request])

    def _replace(self, request: _Request, requests: Sequence[_Request]) -> None:
        """Put other requests in the place of one, and submit those that are not answered."""
        del self._futures[request]
        place = self._pending.index(request)
        del self._pending[place]
        for number, each in enumerate(requests, place):
            self._pending.insert(number, each)
        self._submit([each for each in requests if not each.is_answered])


def _question(task: Task[Any]) -> Question[Any]:
    assert isinstance(task.call, Question)
    return task.call


def _results(request: _Request) -> Iterator[tuple[Task[Any], Any, float]]:
    """Yield the results of an answered request.

    Raises:
        HoldemError: that of the first question without an answer.
    """
    if request.answers is None:
        assert request.error is not None
        raise request.error
    for task, answer in zip(request.tasks, request.answers, strict=True):
        question = _question(task)
        if "failed" in answer:
            raise question.error(answer["failed"])
        yield task, question.read(answer["answer"]), request.seconds / len(request.answers)


@contextmanager
def cluster_tasks(
    cluster: Any, evaluators: Iterable[str | EvaluatorSpec]
) -> Generator[ClusterTasks, None, None]:
    """Context manager that yields the tasks of a cluster.

    Args:
        cluster: a `distributed.Client`, which stays open, or the address of a scheduler.
        evaluators: those that the tasks use, by name or by spec.

    Raises:
        ClusterError: the cluster cannot be used, or the workers cannot find an evaluator.
    """
    names: list[str] = []
    for evaluator in evaluators:
        if isinstance(evaluator, EvaluatorSpec):
            raise _script_only(evaluator.name)
        names.append(evaluator)
    with connected(cluster) as client:
        yield ClusterTasks(client, versions_of(names))


def _script_only(name: str) -> ClusterError:
    return ClusterError(
        f"evaluator {name!r} is registered by this script only, and no worker of a cluster can"
        " find it: install it as a plugin, there and here"
    )
