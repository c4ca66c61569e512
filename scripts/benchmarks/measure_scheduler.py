"""Simulate large Dask clusters: how many cores can one scheduler feed?

    python scripts/benchmarks/measure_scheduler.py [--cores 50 100 200 400]    # two minutes

The scheduler runs in one process, the simulated workers in two more, with a thread each. Workers
only wait for as long as a core would compute, and return answers of the usual size; everything else
is what `holdem run --dask` and `holdem equities --dask` do. All processes share the cores of this
machine. *busy* is the share of the time that the workers spend waiting, and the CPU times are those
of the scheduler and of the process that asks, per batch of requests.

The study is a single spot, with a standard error that is never reached. The many spots are single
ones of 20 ms each.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack, contextmanager
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any
from unittest.mock import patch

import dask
import numpy as np
import psutil
from numpy.typing import NDArray

import holdem
from holdem.dask_tasks import BATCH_SECONDS, import_distributed
from holdem.jobs.requests import encode_array
from holdem.odds.many_spots import job as spots_job
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import make_spot
from holdem.report.cells import Row
from holdem.report.markup import markdown_table
from holdem.trials.studies import study_run

PLAYERS = ("AA", "random", "random")
BLOCK_SECONDS, SPOT_SECONDS = 0.0005, 0.02
ROUNDS = 16  # batches for each core
PROCESSES = 2  # that host the workers
QUIET = {
    "logging.distributed": "error",
    "distributed.admin.system-monitor.interval": "60s",
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
}


@cache
def tallies() -> NDArray[np.int64]:
    """Return the tallies of some blocks of deals, ``int64 (block, size)``."""
    return Sampler(make_spot(PLAYERS), 1).count(0, [BLOCK] * 8)


def waiting_blocks(record: Mapping[str, Any]) -> dict[str, Any]:
    """Wait as long as a worker would tally blocks of deals, and return such tallies."""
    blocks = -(-record["deals"] // BLOCK)
    time.sleep(blocks * BLOCK_SECONDS)
    sample = tallies()
    return encode_array(np.resize(sample, (blocks, sample.shape[1])))


def waiting_spots(record: Mapping[str, Any]) -> dict[str, Any]:
    """Wait as long as a worker would compute spots, and return values."""
    shape: list[int] = record["codes"]["shape"]
    time.sleep(shape[0] * SPOT_SECONDS)
    return {
        "values": encode_array(np.full((5, *shape), 0.5)),
        "exact": encode_array(np.ones(shape[0], dtype=np.bool_)),
        "deals": encode_array(np.full(shape[0], 10_000)),
        "errors": {},
    }


def host_scheduler(address: Any) -> None:
    """Run a scheduler, and send its address through a pipe."""

    async def host() -> None:
        scheduler = import_distributed().Scheduler(host="127.0.0.1", dashboard_address=":0")
        async with scheduler:
            address.send(scheduler.address)
            await scheduler.finished()

    with dask.config.set(QUIET):
        asyncio.run(host())


def host_workers(address: str, count: int) -> None:
    """Run workers with a thread each."""
    tallies()  # compiled before the measurement

    async def host() -> None:
        async with AsyncExitStack() as stack:
            make = import_distributed().Worker
            workers = [make(address, nthreads=1, memory_limit=0) for _ in range(count)]
            for worker in workers:
                await stack.enter_async_context(worker)
            await asyncio.gather(*(worker.finished() for worker in workers))

    with dask.config.set(QUIET):
        asyncio.run(host())


@contextmanager
def simulated(cores: int) -> Iterator[tuple[Any, psutil.Process]]:
    """Yield a client of a cluster with some simulated cores, and the process of its scheduler."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    processes = [spawn.Process(target=host_scheduler, args=(there,))]
    processes[0].start()
    try:
        address = here.recv()
        for number in range(PROCESSES):
            count = (cores + number) // PROCESSES
            processes.append(spawn.Process(target=host_workers, args=(address, count)))
            processes[-1].start()
        with import_distributed().Client(address, set_as_default=False) as client:
            client.wait_for_workers(cores)
            yield client, psutil.Process(processes[0].pid)
    finally:
        for process in reversed(processes):
            process.kill()
            process.join()


def run_study(client: Any, cores: int) -> float:
    """Run a study, and return the seconds that its blocks take on one core."""
    blocks = int(ROUNDS * cores * BATCH_SECONDS / BLOCK_SECONDS)
    spot = {"players": PLAYERS, "method": "monte-carlo", "deals": blocks * BLOCK, "stderr": 1e-6}
    study = {"seed": 1, "spot": [{**spot, "players": list(PLAYERS)}]}
    with tempfile.TemporaryDirectory() as directory:
        results = holdem.run_study(study, Path(directory) / "store", dask=client)
    assert results.spots[0].result.deals == blocks * BLOCK
    return blocks * BLOCK_SECONDS


def run_equities(client: Any, cores: int) -> float:
    """Ask for the equities of many spots, and return the seconds that they take on one core."""
    count = int(ROUNDS * cores * BATCH_SECONDS / SPOT_SECONDS)
    rng = np.random.default_rng(1)
    boards = np.array([rng.permutation(52)[:4] for _ in range(count)], dtype=np.uint8)
    table = holdem.equities("22+,A2s+,KTs+", "QQ+,AK:0.5", board=boards, dask=client)
    return table.deals.size * SPOT_SECONDS


def measured(cores: int) -> Iterator[Row]:
    """Yield a row for each kind of run on a cluster with some simulated cores."""
    batches = 0
    submit = import_distributed().Client.map

    def counted(*arguments: Any, **options: Any) -> Any:
        nonlocal batches
        futures = submit(*arguments, **options)
        batches += len(futures)
        return futures

    for label, call in (("a study", run_study), ("many spots", run_equities)):
        with simulated(cores) as (client, scheduler), ExitStack() as patches:
            import measure_scheduler as importable  # by the workers, too

            answers = importable.waiting_blocks, importable.waiting_spots
            patches.enter_context(patch.object(study_run, "answer_blocks", answers[0]))
            patches.enter_context(patch.object(spots_job, "answer_spots", answers[1]))
            patches.enter_context(patch.object(import_distributed().Client, "map", counted))
            batches = 0
            processes = scheduler, psutil.Process()
            before = [sum(process.cpu_times()[:2]) for process in processes]
            begun = time.monotonic()
            work = call(client, cores)
            elapsed = time.monotonic() - begun
            cpu = [sum(process.cpu_times()[:2]) for process in processes]
        costs = [(now - then) / batches * 1e3 for now, then in zip(cpu, before, strict=True)]
        yield [
            label,
            str(cores),
            f"{batches / elapsed:.0f}",
            f"{work / (cores * elapsed):.0%}",
            *(f"{cost:.1f} ms" for cost in costs),
        ]
        print(f"{label}, {cores} cores: {elapsed:.1f} s, {batches} batches", file=sys.stderr)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cores", type=int, nargs="+", default=[50, 100, 200, 400])
    options = parser.parse_args()
    rows = sorted((row for cores in options.cores for row in measured(cores)), key=itemgetter(0))
    names = ["run", "cores", "batches a second", "busy", "CPU of the scheduler", "of the asker"]
    print(markdown_table(names, rows))


if __name__ == "__main__":
    main()
