"""The blocks of a long run computed by the workers of a Dask cluster.

Workers may come and go: what one had under way is computed by another, and one that comes is
looked at before it is given anything. One with another version of holdem or of the evaluator's
distribution is refused by name. Answers are the same bits as everywhere.

A Dask scheduler runs what its peers send: see docs/cluster.md.
"""

from __future__ import annotations

import time as clock
import warnings
from collections import deque
from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any, TypeVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import ClusterError, EvaluatorError, HoldemError, error_text
from holdem.evaluation.registry import DEFAULT_EVALUATOR
from holdem.odds.sampling.sampler import BLOCKS_PER_TASK
from holdem.odds.tally import tally_of_record
from holdem.trials.studies.block_records import answer_request, block_request, unlike, versions_here
from holdem.trials.studies.cluster_client import dask_distributed
from holdem.trials.studies.local_blocks import at_spot
from holdem.trials.studies.schedule import Part
from holdem.trials.studies.study import StudySpot
from holdem.trials.studies.versions import SCRIPT

_LOOK_SECONDS = 1.0  # how often it is looked who is there
_PAUSE = 0.05  # between looks while there is nobody
# A task should take a multiple of the millisecond or two that Dask spends on it, and end soon
# enough that few blocks are lost with a worker.
_SHORT, _LONG, _MOST_BLOCKS = 0.1, 0.5, 256

_Known = TypeVar("_Known")


@attrs.define(eq=False)
class _Task:
    part: Part
    request: dict[str, Any]
    future: Any = None
    workers: frozenset[str] = frozenset()
    """Those that may compute it."""


class ClusterCrew:
    """Computes parts on the workers of a cluster."""

    def __init__(self, client: Any, versions: Mapping[str, Any]) -> None:
        """Use a cluster.

        Args:
            client: a `distributed.Client`.
            versions: those that the answers are to be made with, from `versions_of`.

        Raises:
            ClusterError: an evaluator that only the running script knows.
        """
        for name, (distribution, _) in versions["evaluators"].items():
            if distribution == SCRIPT:
                raise ClusterError(
                    f"evaluator {name!r} is registered by this script only, and no worker of a"
                    " cluster can find it: install it as a plugin, there and here"
                )
        self._client = client
        self._versions = versions
        self._together: dict[str, int] = {}
        self._fit: dict[str, int] = {}  # address -> threads
        self._refused: dict[str, str] = {}  # address -> why
        self._asked: dict[str, Any] = {}  # address -> the future of its versions
        self._looked = -float("inf")
        self._alone = False  # whether it was told that there is no worker
        self._under_way: deque[_Task] = deque()

    def together(self, asked: StudySpot) -> int:
        """Return how many blocks of a spot go together: what takes some tenths of a second."""
        least = BLOCKS_PER_TASK if asked.evaluator == DEFAULT_EVALUATOR else 1
        return self._together.get(asked.evaluator, least)

    def count(
        self, parts: Iterator[Part], seconds: float | None = None
    ) -> Generator[tuple[Part, NDArray[np.int64]], None, None]:
        """Yield each part with the tallies of its blocks, in the order of the parts.

        After so many `seconds` no part is waited for any more, but for the first one.

        Raises:
            ClusterError: no worker is fit, or the scheduler cannot be reached any more.
            EvaluatorError: the evaluator failed; the message names it and the spot.
        """
        # Parts are of one evaluator: who is fit for it is found out anew.
        self._fit, self._refused, self._asked = {}, {}, {}
        ends = float("inf") if seconds is None else clock.monotonic() + seconds
        until = float("inf")
        try:
            while True:
                for part in islice(parts, max(self._room(), 0)):
                    self._hand_out(part)
                if not self._under_way:
                    return
                task = self._under_way[0]
                tallies = self._answer(task, until)
                if tallies is None:
                    return
                until = ends
                self._under_way.popleft()
                yield task.part, tallies
        except HoldemError:
            raise
        except Exception as error:
            # What a client raises that was closed is not among what Dask exports.
            if isinstance(error, OSError) or self._client.status != "running":
                raise self._lost(error) from error
            raise
        finally:
            self._under_way.clear()  # Dask drops what nobody waits for

    def _room(self) -> int:
        """Return how many more parts can be under way: two for each thread of the cluster."""
        return 2 * max(sum(self._fit.values()), 1) - len(self._under_way)

    def _hand_out(self, part: Part) -> None:
        asked = part.spot.asked
        task = _Task(part, block_request(asked, part.first, part.sizes, self._versions))
        if clock.monotonic() - self._looked > _LOOK_SECONDS:
            self._look(asked.evaluator)
        self._await_fit(asked.evaluator)
        self._submit(task)
        self._under_way.append(task)

    def _await_fit(self, evaluator: str) -> None:
        """Wait until there is a worker to hand something out to."""
        while not self._fit:
            self._look(evaluator)
            if not self._fit:
                clock.sleep(_PAUSE)

    def _submit(self, task: _Task) -> None:
        task.workers = frozenset(self._fit)
        task.future = self._client.submit(
            answer_request,
            task.request,
            workers=sorted(task.workers),
            allow_other_workers=False,
            pure=False,
        )

    def _answer(self, task: _Task, until: float) -> NDArray[np.int64] | None:
        """Wait for a task, handing it out again as often as its worker is lost.

        Returns:
            ``int64 (block, size)``; None if it is `until`.
        """
        asked = task.part.spot.asked
        while True:
            answer = dict[str, Any]()
            try:
                with suppress(dask_distributed().CancelledError):  # by the scheduler: it is lost
                    left = max(until - clock.monotonic(), 0.0)
                    answer = task.future.result(timeout=min(_LOOK_SECONDS, left))
            except TimeoutError:
                if clock.monotonic() >= until:
                    return None
                # Not done yet, or its worker was lost before the answer was fetched.
                self._look(asked.evaluator)
                self._resubmit_lost()
                continue
            except Exception as error:
                if task.future.status == "error":
                    raise self._broken(task, error) from error
                raise
            if "tallies" in answer:
                self._pace(asked.evaluator, answer["seconds"], len(answer["tallies"]))
                players = len(asked.players)
                return np.stack([tally_of_record(record, players) for record in answer["tallies"]])
            if "failed" in answer:
                raise at_spot(task.part, EvaluatorError(answer["failed"]))
            # Lost, or refused by a worker that has changed since it was looked at.
            self._fit.clear()
            self._await_fit(asked.evaluator)
            self._submit(task)

    def _look(self, evaluator: str) -> None:
        """Look which workers are there, and at the versions of those that are new.

        Raises:
            ClusterError: there are workers, and none of them is fit.
        """
        if self._client.status != "running":
            raise self._lost(OSError(f"the client is {self._client.status}"))
        self._looked = clock.monotonic()
        threads = self._client.ncores()
        self._fit = _among(threads, self._fit)
        self._refused = _among(threads, self._refused)
        self._asked = _among(threads, self._asked)
        if not threads and not self._alone:
            warnings.warn(
                "the cluster has no worker at the moment: the run waits for one",
                RuntimeWarning,
                stacklevel=2,
            )
        self._alone = not threads
        for address in threads.keys() - self._fit.keys() - self._refused.keys():
            if address not in self._asked:
                self._asked[address] = self._client.submit(
                    versions_here,
                    evaluator,
                    workers=[address],
                    allow_other_workers=False,
                    pure=False,
                    priority=1,
                )
            self._settle(address, threads[address], evaluator)
        if threads and threads.keys() == self._refused.keys():
            shown = "; ".join(f"{address}: {why}" for address, why in self._refused.items())
            raise ClusterError(f"no worker of the cluster is fit for this run: {shown}")

    def _settle(self, address: str, threads: int, evaluator: str) -> None:
        """Take in, or refuse, a worker that has told its versions."""
        future = self._asked[address]
        if future.status == "pending":
            return
        del self._asked[address]
        if future.status == "finished":
            wanted = {
                "holdem": self._versions["holdem"],
                "evaluator": evaluator,
                "distribution": self._versions["evaluators"][evaluator],
            }
            refusal = unlike(wanted, future.result())
        elif future.status == "error":
            refusal = error_text(future.exception())  # it has no holdem, or one of long ago
        else:
            return  # lost: asked again if it comes back
        if refusal:
            self._refused[address] = refusal
            warnings.warn(f"worker {address} is refused: {refusal}", RuntimeWarning, stacklevel=2)
        else:
            self._fit[address] = threads

    def _resubmit_lost(self) -> None:
        """Hand out again what only workers may compute that are not there any more."""
        if self._fit:
            for task in self._under_way:
                if not task.workers & self._fit.keys():
                    task.future.cancel()
                    self._submit(task)

    def _pace(self, evaluator: str, seconds: float, blocks: int) -> None:
        """Change how many blocks go together, by how long the last ones took."""
        if seconds < _SHORT:
            self._together[evaluator] = min(2 * blocks, _MOST_BLOCKS)
        elif seconds > _LONG:
            self._together[evaluator] = max(blocks // 2, 1)

    def _broken(self, task: _Task, error: BaseException) -> Exception:
        if isinstance(error, dask_distributed().KilledWorker):
            name = task.part.spot.asked.evaluator
            return at_spot(
                task.part,
                EvaluatorError(f"evaluator {name!r}: several workers died one after another of it"),
            )
        return ClusterError(f"a worker of the cluster failed: {error_text(error)}")

    def _lost(self, error: Exception) -> ClusterError:
        return ClusterError(
            f"the Dask scheduler cannot be reached any more ({error_text(error)}): what was computed is"
            " kept, and the same command goes on"
        )


def _among(threads: Mapping[str, int], known: Mapping[str, _Known]) -> dict[str, _Known]:
    """Return what is known of the workers that are still there."""
    return {address: held for address, held in known.items() if address in threads}
