"""Blocks as plain records: what a machine of a cluster is asked, and what it answers.

A request names all that a block's deals depend on, in text and numbers, and the versions that
the answer must be made with. Nothing but such records travels; both sides run their own code.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from holdem.errors import HoldemError
from holdem.odds.sampling.sampler import Sampler
from holdem.odds.spot import make_spot
from holdem.odds.tally import tally_record
from holdem.trials.studies.study import StudySpot
from holdem.trials.studies.versions import versions_of


def block_request(
    asked: StudySpot, first: int, sizes: Sequence[int], versions: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the record that asks for consecutive blocks of a spot.

    Args:
        asked: the spot, its seed filled in.
        first: the number of the first block.
        sizes: how many deals each block has.
        versions: from `versions_of`, for this side.
    """
    return {
        "holdem": versions["holdem"],
        "evaluator": asked.evaluator,
        "distribution": list(versions["evaluators"][asked.evaluator]),
        "players": list(asked.players),
        "board": list(asked.board),
        "dead": list(asked.dead),
        "seed": asked.seed,
        "question": asked.question,
        "first": first,
        "sizes": list(sizes),
    }


def answer_request(request: Mapping[str, Any]) -> dict[str, Any]:
    """Count the blocks that a request asks for.

    Returns:
        ``{"tallies": [record, …], "seconds": …}``, that of a tally for each block; or
        ``{"refused": why}`` from a machine with other versions, ``{"failed": why}`` where the
        evaluator failed. Nothing is raised on purpose: exceptions are no plain records.
    """
    begun = time.perf_counter()
    refusal = unlike(request, versions_here(request["evaluator"]))
    if refusal:
        return {"refused": refusal}
    try:
        sampler = _sampler(
            *(tuple(request[key]) for key in ("players", "board", "dead")),
            *(request[key] for key in ("evaluator", "seed", "question")),
        )
        tallies = sampler.count(request["first"], list(request["sizes"]))
    except HoldemError as error:
        return {"failed": str(error)}
    return {
        "tallies": [tally_record(counts) for counts in tallies],
        "seconds": time.perf_counter() - begun,
    }


@lru_cache(maxsize=64)
def versions_here(evaluator: str) -> dict[str, Any]:
    """Return the versions that this process answers with, as a plain record."""
    return versions_of([evaluator])


def unlike(request: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """Return how the versions here differ from those asked for; empty if they do not."""
    if here["holdem"] != request["holdem"]:
        return f"it has holdem {here['holdem']}, and this is holdem {request['holdem']}"
    name = request["evaluator"]
    distribution, version = here["evaluators"][name]
    if not distribution:
        return str(version)  # the reason why there is no such evaluator
    if [distribution, version] != list(request["distribution"]):
        wanted = " ".join(request["distribution"])
        return f"it has evaluator {name!r} of {distribution} {version}, and this is {wanted}"
    return ""


@lru_cache(maxsize=8)
def _sampler(
    players: tuple[str, ...],
    board: tuple[str, ...],
    dead: tuple[str, ...],
    evaluator: str,
    seed: int,
    question: str,
) -> Sampler:
    return Sampler(make_spot(players, board, dead, evaluator), seed, question)
