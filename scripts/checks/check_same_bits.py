"""Check that answers do not depend on workers, clusters or the order of the work.

A study and single calls are answered on 1, 2, 3 and 8 workers, in each of two places:

threads    all hands are ranked in threads of this process.
Dask       a `LocalCluster` with a process for each worker computes the study, and one of
           its processes answers the single calls.

and in two orders: as the tasks come, and with windows of tasks computed back to front. For each
combination the JSON of all answers, without `elapsed`, is hashed (SHA-256). The script fails unless
all hashes are equal.

    python scripts/checks/check_same_bits.py [--workers 1 2 3 8] [--places threads Dask]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import sys
import tempfile
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

import holdem
from holdem import dask_tasks
from holdem.dask_tasks import import_distributed
from holdem.jobs import run
from holdem.jobs.run import Task, ordered_results
from holdem.jobs.stopwatch import Deadline
from holdem.jobs.workers import Workers
from holdem.odds.sampling.sampler import BLOCK

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
WORKERS, PLACES = (1, 2, 3, 8), ("threads", "Dask")
ORDERS = ("as it comes", "back to front")
_WINDOW = 16  # tasks that are computed in reverse order


def plain(count: int) -> dict[str, Any]:
    """Return the JSON of single calls: equity, head-to-head and whole hands."""
    answers: dict[str, Any] = {
        "equity": holdem.equity(
            "AsKs",
            "QQ+:0.5,JTs",
            "random",
            method="monte-carlo",
            deals=300_007,
            seed=7,
            workers=count,
        ),
        "slow": holdem.equity(
            "AsKs",
            "TT+",
            board="Td9d2c7h",
            method="monte-carlo",
            deals=600,
            seed=7,
            workers=count,
            evaluator="reference",
        ),
        "exact": holdem.equity("AsKs", "QQ+:0.5", "77", board="Td9d2c", workers=count),
        "head-to-head": holdem.head_to_head(
            "AsKs", "QdQh", "random", deals=100_001, seed=7, workers=count
        ),
        "aggregate": holdem.aggregate(players=6, hands=50_001, seed=7, workers=count),
    }
    return {name: without_seconds(answer.to_dict()) for name, answer in answers.items()}


def without_seconds(record: Any) -> Any:
    """Remove `elapsed` from a JSON record, at any depth."""
    if isinstance(record, Mapping):
        return {k: without_seconds(held) for k, held in record.items() if k != "elapsed"}
    return [without_seconds(held) for held in record] if isinstance(record, list) else record


def digest(record: Any) -> str:
    """Return the SHA-256 of a record as JSON, without sorting its keys."""
    return hashlib.sha256(json.dumps(record).encode()).hexdigest()


def results_back_to_front(
    tasks: Iterable[Task[Any]], pool: Workers, deadline: Deadline | None = None
) -> Generator[tuple[Task[Any], Any, float], None, None]:
    """Yield the results of `ordered_results`, with each window of tasks begun back to front."""
    waiting = iter(tasks)
    while window := list(islice(waiting, _WINDOW)):
        yield from reversed(list(ordered_results(reversed(window), pool, deadline)))


class BackToFront(dask_tasks.DaskTasks):
    """Computes tasks on a cluster, with each window of tasks begun back to front."""

    def results(
        self, tasks: Iterable[Task[Any]], workers: Workers, deadline: Deadline | None = None
    ) -> Generator[tuple[Task[Any], Any, float], None, None]:
        """Yield the results in the order of the tasks."""
        waiting = iter(tasks)
        while window := list(islice(waiting, _WINDOW)):
            yield from reversed(list(super().results(reversed(window), workers, deadline)))


@contextmanager
def arranged(order: str) -> Iterator[None]:
    """Run the body of the ``with`` statement in one of `ORDERS`."""
    with ExitStack() as patches:
        if order == "back to front":
            patches.enter_context(patch.object(run, "ordered_results", results_back_to_front))
            patches.enter_context(patch.object(dask_tasks, "DaskTasks", BackToFront))
        yield


def plain_arranged(count: int, order: str) -> dict[str, Any]:
    """Return the result of `plain`, called in a process of a cluster."""
    with arranged(order):
        return plain(count)


def answers(
    place: str, count: int, order: str, study: Mapping[str, Any] = STUDY, client: Any = None
) -> dict[str, Any]:
    """Return all answers without seconds.

    Args:
        place: one of `PLACES`.
        count: the number of workers.
        order: one of `ORDERS`.
        study: the study.
        client: the client of the cluster, for Dask.
    """
    with arranged(order), tempfile.TemporaryDirectory() as directory:
        store = Path(directory) / "store"
        if place != "Dask":
            found = holdem.run_study(study, store, workers=count)
            calls = plain(count)
        else:
            found = holdem.run_study(study, store, dask=client)
            calls = client.submit(plain_arranged, count, order, pure=False).result()
    return {"study": without_seconds(found.to_dict()), **calls}


@contextmanager
def dask_client(count: int) -> Iterator[Any]:
    """Yield a client of a cluster on this machine: processes with a thread each."""
    distributed = import_distributed()
    with (
        distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.ERROR,
        ) as made,
        distributed.Client(made) as client,
    ):
        client.wait_for_workers(count)
        yield client


def main() -> None:
    """Compute the answers in every place and order, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--workers", type=int, nargs="+", default=WORKERS)
    parser.add_argument("--places", choices=PLACES, nargs="+", default=PLACES)
    options = parser.parse_args()
    hashes = set()
    print("workers  place      order          seconds  sha256 of the answers")
    for place in options.places:
        for count in options.workers:
            with ExitStack() as stack:
                client = stack.enter_context(dask_client(count)) if place == "Dask" else None
                for order in ORDERS:
                    begun = time.monotonic()
                    hashed = digest(answers(place, count, order, client=client))
                    hashes.add(hashed)
                    print(
                        f"{count:7}  {place:9}  {order:13}"
                        f"  {time.monotonic() - begun:7.1f}  {hashed}",
                        flush=True,
                    )
    print(f"{len(hashes)} hash{'es' * (len(hashes) > 1)}")
    sys.exit(len(hashes) > 1)


if __name__ == "__main__":
    main()
