"""Requests to Dask workers, and the workers' answers, encoded as JSON.

A request has everything that its answer depends on, as text and numbers. Requests are sent in
batches, with the versions that the answers must be computed with. Only this is sent; both sides run
their own code.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import HoldemError
from holdem.evaluation.registry import versions_of
from holdem.jobs.run import Stopwatch
from holdem.jobs.workers import Workers

_Part_co = TypeVar("_Part_co", covariant=True)


@attrs.frozen(eq=False)
class Request(Generic[_Part_co]):
    """A task's call, which can be made in this process or on a Dask worker."""

    here: Callable[[Workers], _Part_co]
    """Makes the call in this process."""
    record: Callable[[], Mapping[str, Any]]
    """Makes the plain record that is sent to a worker."""
    answer: Callable[[Mapping[str, Any]], Any]
    """Computes the answer to the record, also a plain record. A function of a module, called by
    the worker."""
    read: Callable[[Any], _Part_co]
    """Converts the answer to the result of the task."""
    error: Callable[[str], HoldemError]
    """Makes the exception for the message of an error."""
    kind: str
    """Requests of the same kind take about the same time for each unit of their tasks' sizes."""
    most: float = float("inf")
    """The largest total size of the tasks in a batch."""
    is_needed: Callable[[], bool] = lambda: True
    """Tells whether the answer is still needed; one that is not is not waited for."""

    def __call__(self, workers: Workers) -> _Part_co:
        """Make the call in this process."""
        return self.here(workers)


def encode_batch(
    requests: Sequence[Request[Any]], versions: Mapping[str, Any], seconds: float
) -> str:
    """Encode requests of one type as JSON, so that they are sent together.

    Args:
        requests: the requests.
        versions: those of the run, from `versions_of`.
        seconds: the time after which the worker answers no further request.
    """
    records = [request.record() for request in requests]
    return json.dumps({"versions": versions, "seconds": seconds, "requests": records})


def answer_batch(answer: Callable[[Mapping[str, Any]], Any], encoded: str) -> str:
    """Answer a batch of requests in order, until the batch's time limit is reached.

    Args:
        answer: computes the answer to a request.
        encoded: the JSON of the batch.

    Returns:
        The JSON of ``{"answers": [{"answer": …}, …], "seconds": …}``, with ``{"failed": message}``
        for a request whose answer raises an error, and the seconds that the answers took, without
        compilation; ``{"refused": reason}`` if the versions differ. Errors are returned, because
        exceptions are not plain records.
    """
    stopwatch, batch = Stopwatch(), json.loads(encoded)
    needed = batch["versions"]
    difference = describe_difference(needed, read_own_versions(tuple(needed["evaluators"])))
    if difference:
        return json.dumps({"refused": difference})
    answers: list[dict[str, Any]] = []
    for request in batch["requests"]:
        try:
            answers.append({"answer": answer(request)})
        except HoldemError as error:
            answers.append({"failed": str(error)})
        if stopwatch.elapsed >= batch["seconds"]:
            break
    return json.dumps({"answers": answers, "seconds": stopwatch.elapsed})


@lru_cache(maxsize=64)
def read_own_versions(evaluators: tuple[str, ...]) -> dict[str, Any]:
    """Read this process's versions of holdem and of the given evaluators."""
    return versions_of(evaluators)


def describe_difference(needed: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """Describe how a worker's versions differ from the required ones; empty if they do not.

    Args:
        needed: the versions of the run, from `versions_of`.
        here: those of the worker.
    """
    if here["holdem"] != needed["holdem"]:
        return f"it has holdem {here['holdem']}, and this is holdem {needed['holdem']}"
    for name, wanted in needed["evaluators"].items():
        distribution, version = here["evaluators"][name]
        if not distribution:
            return str(version)  # the reason why the evaluator cannot be used
        if [distribution, version] != list(wanted):
            return (
                f"it has evaluator {name!r} of {distribution} {version}, and this is"
                f" {' '.join(wanted)}"
            )
    return ""


def encode_array(array: NDArray[Any]) -> dict[str, Any]:
    """Encode an array as a JSON-compatible record; integers in it must not be negative."""
    if array.dtype.kind != "f":
        array = array.astype(np.min_scalar_type(int(array.max(initial=0))))
    array = array.astype(array.dtype.newbyteorder("<"))
    return {
        "type": array.dtype.str,
        "shape": list(array.shape),
        "base64": b64encode(array.tobytes()).decode("ascii"),
    }


def decode_array(record: Mapping[str, Any]) -> NDArray[Any]:
    """Decode a record made by `encode_array` into a read-only array; integers become unsigned."""
    array = np.frombuffer(b64decode(record["base64"]), dtype=record["type"])
    return array.astype(array.dtype.newbyteorder("=")).reshape(record["shape"])
