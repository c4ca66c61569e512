"""The way to a Dask cluster: an address, or a client that someone made."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from holdem.errors import ClusterError, error_text, one_line

_CONNECT_SECONDS = 10


def dask_distributed() -> Any:
    """Return Dask's package, which is loaded for those only who use a cluster.

    Raises:
        ClusterError: it is not installed.
    """
    try:
        return import_module("distributed")
    except ImportError as error:
        raise ClusterError(
            "a cluster needs Dask distributed: pip install 'holdem[dask]'"
        ) from error


@contextmanager
def connected(cluster: Any) -> Iterator[Any]:
    """Yield a client: the one given, or one for the address given, which is closed at the end.

    Raises:
        ClusterError: Dask is not installed, no scheduler answers there, or what was given is
            neither.
    """
    distributed = dask_distributed()
    if isinstance(cluster, distributed.Client):
        if cluster.asynchronous:
            raise ClusterError("a client that is asynchronous cannot be used: give one that is not")
        yield cluster
        return
    if not isinstance(cluster, str):
        raise ClusterError(
            f"a cluster is a distributed.Client or an address, not {one_line(repr(cluster))}"
        )
    try:
        # A client that cannot connect lingers and complains: ask first whether someone is there.
        with ThreadPoolExecutor(1) as apart:  # there may be a loop in this thread, as in notebooks
            apart.submit(asyncio.run, _knock(cluster)).result()
        client = distributed.Client(cluster, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {one_line(cluster)} ({error_text(error)}): expected the"
            " address of one, as in tcp://192.168.0.7:8786"
        ) from error
    try:
        yield client
    finally:
        with suppress(Exception):  # it may be gone, and what was computed is safe
            client.close(timeout=1)


async def _knock(address: str) -> None:
    """Connect as a client would, with the certificates that Dask's configuration names."""
    distributed = dask_distributed()
    arguments = distributed.Security().get_connection_args("client")
    comm = await distributed.comm.connect(address, timeout=_CONNECT_SECONDS, **arguments)
    await comm.close()
