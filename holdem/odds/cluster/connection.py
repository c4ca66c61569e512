"""Connections to Dask clusters."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from holdem.errors import ClusterError, error_text, one_line, quoted

_CONNECT_SECONDS = 10


def dask_distributed() -> Any:
    """Import and return `distributed`, Dask's optional package for clusters.

    Raises:
        ClusterError: the package is not installed.
    """
    try:
        return import_module("distributed")
    except ImportError as error:
        raise ClusterError("a cluster needs Dask distributed: pip install distributed") from error


@contextmanager
def connected(cluster: Any) -> Iterator[Any]:
    """Context manager that yields a client of a Dask cluster.

    Args:
        cluster: a `distributed.Client`, which stays open, or the address of a scheduler.

    Raises:
        ClusterError: Dask is not installed, no scheduler answers at the address, or `cluster` is
            neither a client nor an address.
    """
    distributed = dask_distributed()
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
    distributed = dask_distributed()
    arguments = distributed.Security().get_connection_args("client")
    comm = await distributed.comm.connect(address, timeout=_CONNECT_SECONDS, **arguments)
    await comm.close()
