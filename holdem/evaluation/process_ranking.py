"""Ranking of hands by slow evaluators in worker processes.

Threads take turns running Python code, so more of them do not make an evaluator in plain Python
faster. With several workers its hands are ranked in processes instead, with the same result.
"""

from __future__ import annotations

import hashlib
import pickle
import time
from functools import cache
from typing import Any, Protocol
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.errors import EvaluatorError, error_text
from holdem.evaluation.scale import Scale
from holdem.jobs.processes import WorkerDiedError
from holdem.jobs.workers import Workers

#: Seconds of a run after which processes are started. Starting one takes half a second of CPU
#: time, and most runs are too short to save as much.
PATIENCE = 0.5

# Hands ranked in a thread are cut into batches, so that the thread notices the end of the run.
# Small batches cost more, since equal hands in a batch are ranked once.
_BATCH_SECONDS = 0.5


class Ranker(Protocol):
    """The part of `holdem.evaluation.evaluator.Evaluator` used here; pickled by name or spec."""

    @property
    def name(self) -> str:
        """The name of the evaluator."""

    @property
    def distribution(self) -> str:
        """The distribution that offers the evaluator; empty if it is not installed."""

    @property
    def scale(self) -> Scale:
        """The strengths of all classes."""

    def rank_here(self, hands: CardArray) -> NDArray[Any]:
        """Rank hands in the current thread."""


# Evaluators that worker processes cannot find, or for whose name they find another one.
_local_only: WeakSet[Ranker] = WeakSet()


def rank_with_workers(evaluator: Ranker, hands: CardArray, workers: Workers) -> NDArray[Any]:
    """Rank hands with a slow evaluator, in a worker process if possible.

    Args:
        evaluator: a loaded evaluator.
        hands: C-contiguous ``uint8 (hand, card)``, trusted.
        workers: the workers of the run.

    Returns:
        Strengths, integers ``(hand,)``.

    Raises:
        EvaluatorError: the evaluator failed, or ended its process.
        WorkersClosedError: the run has ended.
    """
    ranked: list[NDArray[np.int64]] = []
    done, size = 0, 16
    while done < len(hands):
        workers.require_open()
        if _in_process(evaluator, workers):
            try:
                ranked.append(_rank_in_process(evaluator, hands[done:], workers))
                break
            except (_UnknownEvaluatorError, OSError, TypeError):  # or no process can be started
                _local_only.add(evaluator)
        started = time.monotonic()
        ranked.append(evaluator.rank_here(hands[done : done + size]).astype(np.int64))
        done += size
        if time.monotonic() - started < _BATCH_SECONDS:
            size *= 2
    return np.concatenate(ranked) if ranked else evaluator.rank_here(hands)


def scale_digest(evaluator: Ranker) -> str:
    """Return a digest that identifies an evaluator by the strengths of its classes."""
    return hashlib.sha256(evaluator.scale.strengths.tobytes()).hexdigest()


class _UnknownEvaluatorError(Exception):
    """Raised if a worker process lacks the evaluator or has a different one with the same name."""


def _in_process(evaluator: Ranker, workers: Workers) -> bool:
    """Return whether the next hands should be ranked in a worker process."""
    return (
        workers.count > 1
        and workers.age >= PATIENCE
        and bool(evaluator.distribution)
        and evaluator not in _local_only
    )


def _rank_in_process(evaluator: Ranker, hands: CardArray, workers: Workers) -> NDArray[np.int64]:
    arguments = pickle.dumps(evaluator), scale_digest(evaluator), hands.tobytes(), hands.shape[1]
    try:
        strengths = workers.in_process(rank_bytes, *arguments)
    except WorkerDiedError as error:
        raise EvaluatorError(f"evaluator {evaluator.name!r} ended its process ({error})") from None
    return np.frombuffer(strengths, dtype=np.int64)


def rank_bytes(pickled: bytes, digest: str, cards: bytes, size: int) -> bytes:
    """Rank hands, given as bytes, in a worker process and return the strengths as bytes.

    Raises:
        EvaluatorError: the evaluator failed.
        _UnknownEvaluatorError: it cannot be loaded there, or has another scale.
    """
    evaluator = _find_evaluator(pickled, digest)
    hands = np.frombuffer(cards, dtype=np.uint8).reshape(-1, size)
    try:
        return evaluator.rank_here(hands).astype(np.int64).tobytes()
    except EvaluatorError:
        raise
    except BaseException as error:  # may not be picklable
        raise EvaluatorError(f"evaluator {evaluator.name!r} failed: {error_text(error)}") from None


@cache
def _find_evaluator(pickled: bytes, digest: str) -> Ranker:
    try:
        evaluator: Ranker = pickle.loads(pickled)  # noqa: S301 - from the parent process
        if scale_digest(evaluator) == digest:
            return evaluator
    except Exception:  # it cannot be found or loaded here
        raise _UnknownEvaluatorError from None
    raise _UnknownEvaluatorError
