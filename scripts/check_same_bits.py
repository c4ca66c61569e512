"""Ask the same questions of other workers, in other places and orders, and compare the answers.

A study and single calls (`PLAIN`) are answered on 1, 2, 3 and 8 workers, in each of three places:

threads    all hands are ranked in threads of this process.
processes  the evaluator in plain Python ranks in a process for each worker, from its first hand
           on; *started* says how many processes that were, for all questions together. One
           worker has none, and the compiled evaluators rank in threads, as they always do on
           one machine.
Dask       a `LocalCluster` with a process for each worker computes the sampled blocks, and one of
           its processes answers the single calls.

and each in two orders: as the work comes, and with windows of it computed back to front. For each
of these the JSON of all answers, without `elapsed`, is hashed (SHA-256). The script fails
unless all hashes are equal.

    python scripts/check_same_bits.py [--workers 1 2 3 8] [--places threads processes Dask]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

import holdem
from holdem.evaluation import processes
from holdem.evaluation.processes import RankingProcess
from holdem.jobs.old_deadline import Deadline
from holdem.jobs.ordered import in_order
from holdem.odds.exact import run
from holdem.odds.sampling import counting
from holdem.odds.sampling.sampler import BLOCK
from holdem.trials.hands import aggregation
from holdem.trials.head_to_head import contest
from holdem.trials.studies import cluster
from holdem.trials.studies.cluster_client import dask_distributed
from holdem.trials.studies.schedule import Part

STUDY = {
    "seed": 4,
    "method": "monte-carlo",
    "deals": 20 * BLOCK + 123,
    "spot": [
        {"players": ["AsKs", "QdQh"]},
        {"players": ["22+,A2s+", "AKs,QQ:0.5"], "board": "Ks7d2c"},
        {"players": ["AA:0.5,KK", "QQ+", "A5s-A2s:0.25,KTs+"], "dead": "2h7c"},
        {"players": ["AA", *["random"] * 8]},
        {"players": ["AcAs", "KdKh"], "method": "exact"},
        {"players": ["QQ", "AK"], "board": "Td9d2c", "method": "auto"},
        {"players": ["AA", "random", "random"], "stderr": 0.0008, "deals": 10**9},
        {"players": ["22", "AKs"], "evaluator": "bitwise", "stderr": 0.0015, "deals": 10**9},
        {"players": ["top 20%"] * 6, "stderr": 0.0012, "deals": 10**9},
        {"players": ["top 15%"] * 8, "evaluator": "bitwise"},
        {"players": ["AsKs", "QQ+"], "board": "Td9d2c7h", "evaluator": "reference", "deals": 3000},
        {"players": ["JTs", "66+"], "board": "Td9d2c7h3s", "evaluator": "reference"},
    ],
    "grid": [{"hero": ["AA", "72o"], "opponents": [1, 2]}],
}
WORKERS, PLACES = (1, 2, 3, 8), ("threads", "processes", "Dask")
ORDERS = ("as it comes", "back to front")
_WINDOW = 16  # how much work is turned round at a time


def plain(workers: int) -> dict[str, Any]:
    """Return the JSON of single calls: equity, head-to-head and whole hands."""
    answers: dict[str, Any] = {
        "equity": holdem.equity(
            "AsKs", "QQ+:0.5,JTs", "random", deals=300_007, seed=7, workers=workers
        ),
        "slow": holdem.equity(
            "AsKs",
            "TT+",
            board="Td9d2c7h",
            method="monte-carlo",
            deals=600,
            seed=7,
            workers=workers,
            evaluator="reference",
        ),
        "exact": holdem.equity("AsKs", "QQ+:0.5", "77", board="Td9d2c", workers=workers),
        "head-to-head": holdem.head_to_head(
            "AsKs", "QdQh", "random", deals=100_001, seed=7, workers=workers
        ),
        "aggregate": holdem.aggregate(players=6, hands=50_001, seed=7, workers=workers),
    }
    return {name: without_seconds(answer.to_dict()) for name, answer in answers.items()}


def without_seconds(record: Any) -> Any:
    """Return a JSON record without `elapsed`, at whatever depth."""
    if isinstance(record, Mapping):
        return {k: without_seconds(held) for k, held in record.items() if k != "elapsed"}
    return [without_seconds(held) for held in record] if isinstance(record, list) else record


def digest(record: Any) -> str:
    """Return the SHA-256 of a record as JSON, keys in their order."""
    return hashlib.sha256(json.dumps(record).encode()).hexdigest()


def in_order_back_to_front(
    tasks: Iterable[Callable[[], Any]], workers: int, until: Deadline | None = None
) -> Generator[Any, None, None]:
    """Do what `holdem.jobs.ordered.in_order` does, the last task of each window first."""
    waiting = iter(tasks)
    while window := list(islice(waiting, _WINDOW)):
        yield from reversed(list(in_order(reversed(window), workers, until)))


class BackToFront(cluster.ClusterCrew):
    """Has the cluster compute the last part of each window first."""

    def count(
        self, parts: Iterator[Part], seconds: float | None = None
    ) -> Generator[tuple[Part, NDArray[np.int64]], None, None]:
        """Yield each part with the tallies of its blocks, in the order of the parts."""
        while window := list(islice(parts, _WINDOW)):
            yield from reversed(list(super().count(reversed(window), seconds)))


@contextmanager
def arranged(place: str, order: str) -> Iterator[None]:
    """Have work done in a place and an order."""
    with ExitStack() as patches:
        # Seconds until processes rank: never, or from the first hand on.
        patience = 0.0 if place == "processes" else float("inf")
        patches.enter_context(patch.object(processes, "PATIENCE", patience))
        if order == "back to front":
            for module in (counting, run, contest, aggregation):
                patches.enter_context(patch.object(module, "in_order", in_order_back_to_front))
            patches.enter_context(patch.object(cluster, "ClusterCrew", BackToFront))
        yield


def plain_arranged(workers: int, order: str) -> dict[str, Any]:
    """Return what `plain` does, in the process of a cluster."""
    with arranged("threads", order):
        return plain(workers)


def answers(
    place: str, workers: int, order: str, study: Mapping[str, Any] = STUDY, client: Any = None
) -> dict[str, Any]:
    """Return all answers without seconds, asked in one way.

    Args:
        place: one of `PLACES`.
        workers: how many.
        order: one of `ORDERS`.
        study: the questions of the study.
        client: of the cluster, for Dask.
    """
    with arranged(place, order), tempfile.TemporaryDirectory() as directory:
        store = Path(directory) / "store"
        if place != "Dask":
            found = holdem.run_study(study, store, workers=workers)
            calls = plain(workers)
        else:
            found = holdem.run_study(study, store, dask=client)
            calls = client.submit(plain_arranged, workers, order, pure=False).result()
    return {"study": without_seconds(found.to_dict()), **calls}


@contextmanager
def dask_client(workers: int) -> Iterator[Any]:
    """Yield a client of a cluster on this machine: processes with a thread each."""
    distributed = dask_distributed()
    with (
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.ERROR,
        ) as made,
        distributed.Client(made) as client,
    ):
        client.wait_for_workers(workers)
        yield client


def main() -> None:
    """Ask in every way, a line each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--workers", type=int, nargs="+", default=WORKERS)
    parser.add_argument("--places", choices=PLACES, nargs="+", default=PLACES)
    options = parser.parse_args()
    hashes = set()
    print("workers  place      order          started  seconds  sha256 of the answers")
    for place in options.places:
        for workers in options.workers:
            with ExitStack() as opened:
                client = opened.enter_context(dask_client(workers)) if place == "Dask" else None
                for order in ORDERS:
                    begun = time.monotonic()
                    with patch.object(processes, "RankingProcess", wraps=RankingProcess) as ranking:
                        hashed = digest(answers(place, workers, order, client=client))
                    hashes.add(hashed)
                    print(
                        f"{workers:7}  {place:9}  {order:13}  {ranking.call_count:7}"
                        f"  {time.monotonic() - begun:7.1f}  {hashed}",
                        flush=True,
                    )
    print(f"{len(hashes)} hash{'es' * (len(hashes) > 1)}")
    sys.exit(len(hashes) > 1)


if __name__ == "__main__":
    main()
