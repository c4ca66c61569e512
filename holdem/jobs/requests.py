"""Requests: calls of tasks that can be made in this process or, as JSON, in another."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import HoldemError
from holdem.jobs.workers import Workers

_Part_co = TypeVar("_Part_co", covariant=True)


@attrs.frozen(eq=False)
class Request(Generic[_Part_co]):
    """The call of a task, which can be made in this process or on a Dask worker."""

    here: Callable[[Workers], _Part_co]
    """Makes the call in this process."""
    record: Callable[[], Mapping[str, Any]]
    """Builds the JSON-compatible record that is sent to a worker."""
    answer: Callable[[Mapping[str, Any]], Any]
    """Computes the answer, also JSON-compatible, from the record. It must be a module-level
    function, so that the worker can import it."""
    read: Callable[[Any], _Part_co]
    """Converts the answer to the result of the task."""
    error: Callable[[str], HoldemError]
    """Builds the exception to raise in this process from the message of an error on the worker."""
    kind: str
    """Identifies requests whose tasks take about the same time for each unit of `Task.size`."""
    most: float = float("inf")
    """The largest sum of `Task.size` in a batch that contains the request."""
    is_needed: Callable[[], bool] = lambda: True
    """Tells whether the answer is still needed; if it is not, the run does not wait for it."""

    def __call__(self, workers: Workers) -> _Part_co:
        return self.here(workers)


def encode_array(array: NDArray[Any]) -> dict[str, Any]:
    """Encode an array of floats or of non-negative integers as a JSON-compatible record.

    It has the dtype in ``"type"``, the ``"shape"``, and the bytes in ``"base64"``.
    """
    if array.dtype.kind != "f":
        array = array.astype(np.min_scalar_type(int(array.max(initial=0))))
    array = array.astype(array.dtype.newbyteorder("<"))
    return {
        "type": array.dtype.str,
        "shape": list(array.shape),
        "base64": b64encode(array.tobytes()).decode("ascii"),
    }


def decode_array(record: Mapping[str, Any]) -> NDArray[Any]:
    """Decode a record made by `encode_array` into a new array; integers are then unsigned."""
    array = np.frombuffer(b64decode(record["base64"]), dtype=record["type"])
    return array.astype(array.dtype.newbyteorder("=")).reshape(record["shape"])
