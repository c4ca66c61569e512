"""Computation of a study's sampled blocks of deals on the workers of a Dask cluster.

Workers may come and go: the blocks of a lost worker are computed by another one. The results are
bit for bit those of a single machine. A Dask scheduler runs any code that its peers send; see
docs/guide/cluster.md.
"""

from __future__ import annotations

import time as clock
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain, islice
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import ClusterError, HoldemError, error_text
from holdem.evaluation.registry import DEFAULT_EVALUATOR
from holdem.odds.sampling.sampler import BLOCKS_PER_TASK
from holdem.odds.tally import tally_of_record
from holdem.trials.studies.block_records import answer_request, block_request
from holdem.trials.studies.cluster_client import dask_distributed
from holdem.trials.studies.cluster_workers import ClusterWorkers
from holdem.trials.studies.local_blocks import AddTallies
from holdem.trials.studies.schedule import BlockRange
from holdem.trials.studies.study import StudySpot
from holdem.trials.studies.versions import SCRIPT

_POLL_SECONDS = 1.0  # between two checks for lost workers
# A task should take much longer than Dask's overhead of one or two milliseconds, but end soon
# enough that few blocks are lost with a worker.
_SHORT, _LONG, _MOST_BLOCKS = 0.1, 0.5, 256  # seconds, seconds, blocks


@attrs.define(eq=False)
class _Submitted:
    """Consecutive blocks of deals submitted to the cluster."""

    blocks: BlockRange
    request: dict[str, Any]
    future: Any = None
    workers: frozenset[str] = frozenset()
    """The addresses of the workers that may compute it."""


class ClusterBlocks:
    """Block source that tallies blocks of deals on the workers of a Dask cluster."""

    def __init__(self, client: Any, versions: Mapping[str, Any]) -> None:
        """Prepare to tally blocks of deals on the cluster of a Dask client.

        Args:
            client: a `distributed.Client`.
            versions: those of the run, from `versions_of`.

        Raises:
            ClusterError: an evaluator is registered by the running script only.
        """
        for name, (distribution, _) in versions["evaluators"].items():
            if distribution == SCRIPT:
                raise ClusterError(
                    f"evaluator {name!r} is registered by this script only, and no worker of a"
                    " cluster can find it: install it as a plugin, there and here"
                )
        self._client = client
        self._versions = versions
        self._blocks_per_range: dict[str, int] = {}  # by the name of the evaluator
        self._pending: deque[_Submitted] = deque()

    def blocks_per_range(self, spot: StudySpot) -> int:
        """Return the number of blocks of deals that a worker should tally at a time."""
        default = BLOCKS_PER_TASK if spot.evaluator == DEFAULT_EVALUATOR else 1
        return self._blocks_per_range.get(spot.evaluator, default)

    def compute(
        self, ranges: Iterator[BlockRange], add: AddTallies, seconds: float | None = None
    ) -> NDArray[np.int64] | None:
        """Tally blocks of deals on the cluster; see
        `holdem.trials.studies.local_blocks.BlockSource`.

        The first range is waited for even if it takes longer than `seconds`. Ranges are finished
        as a whole or not at all.

        Raises:
            ClusterError: no worker can be used, or the scheduler cannot be reached any more.
            EvaluatorError: the evaluator failed; the message has the spot.
        """
        ends_at = float("inf") if seconds is None else clock.monotonic() + seconds
        until = float("inf")
        first = next(ranges, None)
        if first is None:
            return None
        workers = ClusterWorkers(self._client, first.running.spot.evaluator, self._versions)
        ranges = chain([first], ranges)
        try:
            while True:
                most = 2 * max(sum(workers.threads.values()), 1)  # two for each thread
                for blocks in islice(ranges, max(most - len(self._pending), 0)):
                    self._submit_range(blocks, workers)
                if not self._pending:
                    return None
                tallies = self._result(self._pending[0], workers, until)
                if tallies is None:
                    return None
                until = ends_at
                add(self._pending.popleft().blocks.running, tallies)
        except HoldemError:
            raise
        except Exception as error:
            # Dask does not export the exception that a closed client raises.
            if isinstance(error, OSError) or self._client.status != "running":
                raise ClusterError(
                    f"the Dask scheduler cannot be reached any more ({error_text(error)}):"
                    " finished work is kept, and the same command resumes the run"
                ) from error
            raise
        finally:
            self._pending.clear()  # Dask cancels tasks whose futures are released

    def _submit_range(self, blocks: BlockRange, workers: ClusterWorkers) -> None:
        request = block_request(blocks.running.spot, blocks.first, blocks.sizes, self._versions)
        workers.refresh_if_old()
        submitted = _Submitted(blocks, request)
        self._submit(submitted, workers)
        self._pending.append(submitted)

    def _submit(self, submitted: _Submitted, workers: ClusterWorkers) -> None:
        """Submit consecutive blocks of deals to any of the usable workers."""
        workers.wait()
        submitted.workers = frozenset(workers.threads)
        submitted.future = self._client.submit(
            answer_request,
            submitted.request,
            workers=sorted(submitted.workers),
            allow_other_workers=False,
            pure=False,
        )

    def _result(
        self, submitted: _Submitted, workers: ClusterWorkers, until: float
    ) -> NDArray[np.int64] | None:
        """Wait for the tallies of a range of blocks, resubmitting it whenever its worker is lost.

        Returns:
            ``int64 (block, size)``; None once the monotonic clock is at `until`.
        """
        running = submitted.blocks.running
        while True:
            answer = dict[str, Any]()
            try:
                with suppress(dask_distributed().CancelledError):  # the worker is lost
                    left = max(until - clock.monotonic(), 0.0)
                    answer = submitted.future.result(timeout=min(_POLL_SECONDS, left))
            except TimeoutError:
                if clock.monotonic() >= until:
                    return None
                # Not finished, or its worker was lost before the result was fetched.
                workers.refresh()
                self._submit_lost(workers)
                continue
            except Exception as error:
                if submitted.future.status == "error":
                    raise self._worker_error(submitted, error) from error
                raise
            if "tallies" in answer:
                tallies = answer["tallies"]
                self._adapt(running.spot.evaluator, answer["seconds"], len(tallies))
                players = len(running.spot.players)
                return np.stack([tally_of_record(record, players) for record in tallies])
            if "failed" in answer:
                raise running.spot.error(running.number, answer["failed"])
            # Lost, or refused by a worker whose versions have changed.
            workers.recheck()
            self._submit(submitted, workers)

    def _submit_lost(self, workers: ClusterWorkers) -> None:
        """Resubmit the ranges of blocks that are assigned only to lost workers."""
        for submitted in self._pending:
            if workers.threads and not submitted.workers & workers.threads.keys():
                submitted.future.cancel()
                self._submit(submitted, workers)

    def _adapt(self, evaluator: str, seconds: float, blocks: int) -> None:
        """Adjust the number of blocks per task to the time that the last task took."""
        if seconds < _SHORT:
            self._blocks_per_range[evaluator] = min(2 * blocks, _MOST_BLOCKS)
        elif seconds > _LONG:
            self._blocks_per_range[evaluator] = max(blocks // 2, 1)

    @staticmethod
    def _worker_error(submitted: _Submitted, error: BaseException) -> HoldemError:
        running = submitted.blocks.running
        if isinstance(error, dask_distributed().KilledWorker):
            message = f"evaluator {running.spot.evaluator!r}: it killed several workers in a row"
            return running.spot.error(running.number, message)
        return ClusterError(f"a worker of the cluster failed: {error_text(error)}")
