"""Answers do not depend on workers and the order of the work.

``scripts/checks/check_same_bits.py`` checks more answers, on up to eight workers and on a cluster.
"""

from functools import partial

import pytest

import check_same_bits
from check_same_bits import BLOCK, answers, digest
from holdem.jobs.run import Task
from holdem.jobs.workers import Workers

STUDY = {
    "seed": 4,
    "method": "monte-carlo",
    "deals": 3 * BLOCK + 123,
    "spot": [
        {"players": ["AsKs", "QdQh"], "deals": 20 * BLOCK},
        {"players": ["AA:0.5,KK", "QQ+", "A5s-A2s:0.25,KTs+"], "dead": "2h7c"},
        {"players": ["AcAs", "KdKh"], "method": "exact"},
        {"players": ["AA", "random"], "stderr": 0.0012, "deals": 10**9},
        {"players": ["22", "AKs"], "evaluator": "bitwise"},
        {"players": ["top 20%"] * 6, "stderr": 0.0016, "deals": 10**9},
        {"players": ["top 15%"] * 8, "evaluator": "bitwise", "deals": 5001},
        {"players": ["AsKs", "QQ"], "board": "Td9d2c7h", "evaluator": "reference", "deals": 300},
    ],
}


@pytest.fixture(scope="module")
def expected():
    """Return the answers of one worker."""
    return answers("threads", 1, "as it comes", STUDY)


@pytest.mark.parametrize("order", ["as it comes", "back to front"])
def test_one_hash(expected, order):
    """Three workers, in either order, give the same answers as one."""
    found = answers("threads", 3, order, STUDY)
    assert expected == found
    assert digest(expected) == digest(found)


def test_the_hash_tells_answers_apart(expected):
    """One more deal in one of the answers changes the hash."""
    spots = [{**STUDY["spot"][0], "deals": 20 * BLOCK + 1}, *STUDY["spot"][1:]]
    found = answers("threads", 1, "as it comes", {**STUDY, "spot": spots})
    assert expected["study"]["spots"][1:] == found["study"]["spots"][1:]
    assert digest(expected) != digest(found)


def test_windows_are_turned_round():
    """In the second order the last task of each window begins first."""
    begun = []

    def task(number, workers):
        begun.append(number)
        return number

    tasks = [Task(partial(task, number), 1) for number in range(20)]
    with Workers(1) as workers:
        results = check_same_bits.results_back_to_front(tasks, workers)
        assert list(range(20)) == [number for _, number, _ in results]
    assert [*range(15, -1, -1), *range(19, 15, -1)] == begun


def test_seconds_are_left_out():
    """`elapsed` is removed at any depth."""
    record = {"elapsed": 1, "spots": [{"elapsed": 2, "deals": 3}]}
    assert {"spots": [{"deals": 3}]} == check_same_bits.without_seconds(record)
