"""Requests to cluster workers, and their answers, as JSON.

A request has everything that its answers depend on, as text and numbers, and the versions that
they must be computed with. Only this is sent; both sides run their own code.
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


def _always() -> bool:
    return True


@attrs.frozen(eq=False)
class Question(Generic[_Part_co]):
    """The call of a task that any worker of a cluster can make, because it is a plain record."""

    record: Mapping[str, Any]
    answer: Callable[[Mapping[str, Any]], Any]
    """Computes the answer, a plain record. A function of a module, called by the worker."""
    read: Callable[[Any], _Part_co]
    """Converts the answer to the result of the task."""
    error: Callable[[str], HoldemError]
    """Returns the exception for the message of an error."""
    kind: str
    """Questions of the same kind take about the same time for each unit of their tasks' sizes."""
    most: float = float("inf")
    """The largest total size of the tasks in a request."""
    is_needed: Callable[[], bool] = _always
    """Returns whether the answer is still needed; one that is not is not waited for."""

    def __call__(self, workers: Workers) -> _Part_co:  # noqa: ARG002
        """Compute the answer in this process."""
        return self.read(self.answer(self.record))


def make_request(
    questions: Sequence[Question[Any]], versions: Mapping[str, Any], seconds: float
) -> str:
    """Return the JSON of the request for the answers to some questions of the same kind.

    Args:
        questions: the questions.
        versions: those of the run, from `versions_of`.
        seconds: the time after which the worker answers no further question.
    """
    records = [question.record for question in questions]
    return json.dumps({"versions": versions, "seconds": seconds, "questions": records})


def answer_request(answer: Callable[[Mapping[str, Any]], Any], text: str) -> str:
    """Answer the first questions of a request, until its time is over.

    Args:
        answer: computes the answer to a question.
        text: the JSON of the request.

    Returns:
        The JSON of ``{"answers": [{"answer": …}, …], "seconds": …}``, with ``{"failed": message}``
        for a question whose answer raises an error, and the seconds that the answers took, without
        compilation; ``{"refused": reason}`` if the versions differ. Errors are returned, because
        exceptions are not plain records.
    """
    stopwatch, request = Stopwatch(), json.loads(text)
    needed = request["versions"]
    difference = version_difference(needed, versions_here(tuple(needed["evaluators"])))
    if difference:
        return json.dumps({"refused": difference})
    answers: list[dict[str, Any]] = []
    for question in request["questions"]:
        try:
            answers.append({"answer": answer(question)})
        except HoldemError as error:
            answers.append({"failed": str(error)})
        if stopwatch.elapsed >= request["seconds"]:
            break
    return json.dumps({"answers": answers, "seconds": stopwatch.elapsed})


@lru_cache(maxsize=64)
def versions_here(evaluators: tuple[str, ...]) -> dict[str, Any]:
    """Return the versions of holdem and of some evaluators in this process."""
    return versions_of(evaluators)


def version_difference(needed: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """Describe how a worker's versions differ from the required ones; empty if they match.

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


def array_record(array: NDArray[Any]) -> dict[str, Any]:
    """Return an array as a plain record; integers in it must not be negative."""
    if array.dtype.kind != "f":
        array = array.astype(np.min_scalar_type(int(array.max(initial=0))))
    array = array.astype(array.dtype.newbyteorder("<"))
    return {
        "type": array.dtype.str,
        "shape": list(array.shape),
        "base64": b64encode(array.tobytes()).decode("ascii"),
    }


def array_of_record(record: Mapping[str, Any]) -> NDArray[Any]:
    """Return the array of a record made by `array_record`: read-only, integers unsigned."""
    array = np.frombuffer(b64decode(record["base64"]), dtype=record["type"])
    return array.astype(array.dtype.newbyteorder("=")).reshape(record["shape"])
