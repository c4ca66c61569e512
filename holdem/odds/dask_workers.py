"""Connections to Dask clusters, and checks of their workers' versions."""

from __future__ import annotations

import asyncio
import time as clock
import warnings
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from holdem.errors import ClusterError, HoldemWarning, error_text, one_line, quoted
from holdem.odds.dask_requests import describe_difference, read_own_versions

_CONNECT_SECONDS = 10


def import_distributed() -> Any:
    """Import and return `distributed`, Dask's optional package for clusters.

    Raises:
        ClusterError: the package is not installed.
    """
    try:
        return import_module("distributed")
    except ImportError as error:
        raise ClusterError("a cluster needs Dask distributed: pip install distributed") from error


_REFRESH_SECONDS = 1.0  # between two updates of the workers
_PAUSE = 0.05  # between two updates while there are no workers


@contextmanager
def open_client(cluster: Any) -> Iterator[Any]:
    """Context manager that connects to a Dask cluster and yields a client.

    Args:
        cluster: a `distributed.Client`, which stays open, or the address of a scheduler.

    Raises:
        ClusterError: Dask is not installed, no scheduler answers at the address, or `cluster` is
            neither a client nor an address.
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
    """Connect like a client, with the certificates of Dask's configuration."""
    distributed = import_distributed()
    arguments = distributed.Security().get_connection_args("client")
    comm = await distributed.comm.connect(address, timeout=_CONNECT_SECONDS, **arguments)
    await comm.close()


class DaskWorkers:
    """The usable workers of a Dask cluster, which may join and leave at any time.

    The versions of a new worker are checked before it is used. If they differ from those of the
    run, the worker is refused with a warning.

    Attributes:
        threads: the number of threads of each usable worker, by its address.
    """

    def __init__(self, client: Any, versions: Mapping[str, Any]) -> None:
        """Start with an empty list of workers.

        Args:
            client: a `distributed.Client`.
            versions: those of the run, from `versions_of`.
        """
        self.threads: dict[str, int] = {}
        self._client = client
        self._versions = versions
        self._problems: dict[str, str] = {}  # by address; empty for a usable worker
        self._refreshed_at = -float("inf")
        self._has_warned = False  # about a cluster without workers

    @property
    def allowed(self) -> list[str] | None:
        """The addresses of the usable workers; None if no worker is refused.

        A list costs the scheduler time for each worker and task.
        """
        return sorted(self.threads) if any(self._problems.values()) else None

    def refresh_if_old(self) -> bool:
        """Call `refresh` and return True unless it was called within the last second."""
        if clock.monotonic() - self._refreshed_at <= _REFRESH_SECONDS:
            return False
        self.refresh()
        return True

    def wait(self) -> None:
        """Wait until at least one worker is usable."""
        while not self.threads:
            self.refresh()
            if not self.threads:
                clock.sleep(_PAUSE)

    def recheck(self) -> None:
        """Check the versions of all workers again, and wait until one is usable."""
        self.threads.clear()
        self._problems.clear()
        self.wait()

    def refresh(self) -> None:
        """Update the list of workers, and check the versions of new ones.

        Raises:
            ClusterError: there are workers, but none is usable.
            OSError: the connection to the scheduler is lost.
        """
        if self._client.status != "running":
            raise OSError(f"the client is {self._client.status}")
        self._refreshed_at = clock.monotonic()
        threads: dict[str, int] = self._client.ncores()
        if not threads and not self._has_warned:
            _warn("the cluster has no workers; waiting for one")
        self._has_warned = not threads
        self._check(list(threads.keys() - self._problems.keys()))
        problems = {address: self._problems.get(address) for address in threads}
        self._problems = {own: text for own, text in problems.items() if text is not None}
        self.threads = {address: threads[address] for address in threads if problems[address] == ""}
        if threads and all(problems.values()):
            shown = "; ".join(f"{address}: {problem}" for address, problem in problems.items())
            raise ClusterError(f"no worker of the cluster can be used for this run: {shown}")

    def _check(self, addresses: list[str]) -> None:
        """Compare workers' versions with the run's, and refuse workers that differ."""
        if not addresses:
            return
        evaluators = tuple(self._versions["evaluators"])
        answers = self._client.run(
            read_own_versions, evaluators, workers=addresses, on_error="return"
        )
        for address, answer in answers.items():
            if isinstance(answer, OSError):
                continue  # the worker is lost, or is checked again later
            if isinstance(answer, Exception):  # without holdem, for example
                problem = error_text(answer)
            else:
                problem = describe_difference(self._versions, answer)
            self._problems[address] = problem
            if problem:
                _warn(f"worker {address} is refused: {problem}")


def _warn(message: str) -> None:
    warnings.warn(message, HoldemWarning, stacklevel=3)
