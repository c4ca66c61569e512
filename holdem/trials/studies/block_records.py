"""Plain records exchanged with cluster workers: requests for blocks of deals, and answers.

A request has everything that the deals of a block depend on, as text and numbers, and the versions
that the answer must be computed with. Only such records are sent; both sides run their own code.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from holdem.errors import HoldemError
from holdem.odds.sampling.sampler import Sampler
from holdem.odds.tally import tally_record
from holdem.trials.studies.study import StudySpot
from holdem.trials.studies.versions import versions_of


def block_request(
    spot: StudySpot, first: int, sizes: Sequence[int], versions: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a request that asks a worker to count consecutive blocks of a spot.

    Args:
        spot: the spot, with its seed.
        first: the number of the first block.
        sizes: the number of deals of each block.
        versions: those of the run, from `versions_of`.
    """
    needed = needed_versions(spot.evaluator, versions)
    return {**needed, "spot": spot.to_dict(), "first": first, "sizes": list(sizes)}


def needed_versions(evaluator: str, versions: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a request that specifies the versions that a worker must have.

    Args:
        evaluator: the name of the evaluator.
        versions: those of the run, from `versions_of`.
    """
    return {
        "holdem": versions["holdem"],
        "evaluator": evaluator,
        "distribution": list(versions["evaluators"][evaluator]),
    }


def answer_request(request: Mapping[str, Any]) -> dict[str, Any]:
    """Count the blocks of deals that a request asks for.

    Returns:
        ``{"tallies": [record, …], "seconds": …}`` with the tally of each block;
        ``{"refused": reason}`` if the versions differ, ``{"failed": message}`` if the evaluator
        fails. Errors are returned, because exceptions are not plain records.
    """
    started = time.perf_counter()
    difference = version_difference(request, versions_here(request["evaluator"]))
    if difference:
        return {"refused": difference}
    try:
        sampler = _sampler(StudySpot.from_dict(request["spot"]))
        tallies = sampler.count(request["first"], request["sizes"])
    except HoldemError as error:
        return {"failed": str(error)}
    return {
        "tallies": [tally_record(counts) for counts in tallies],
        "seconds": time.perf_counter() - started,
    }


@lru_cache(maxsize=64)
def versions_here(evaluator: str) -> dict[str, Any]:
    """Return the versions of holdem and of an evaluator in this process."""
    return versions_of([evaluator])


def version_difference(needed: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """Describe how a worker's versions differ from the required ones; empty if they match.

    Args:
        needed: from `needed_versions`, or a request.
        here: the versions of the worker, from `versions_of`.
    """
    if here["holdem"] != needed["holdem"]:
        return f"it has holdem {here['holdem']}, and this is holdem {needed['holdem']}"
    name = needed["evaluator"]
    distribution, version = here["evaluators"][name]
    if not distribution:
        return str(version)  # the reason why the evaluator cannot be used
    if [distribution, version] != list(needed["distribution"]):
        wanted = " ".join(needed["distribution"])
        return f"it has evaluator {name!r} of {distribution} {version}, and this is {wanted}"
    return ""


@lru_cache(maxsize=8)
def _sampler(spot: StudySpot) -> Sampler:
    return spot.sampler()
