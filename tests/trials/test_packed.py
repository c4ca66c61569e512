"""Compressed sequences, and the memory of studies: it does not grow by objects for each spot."""

import contextlib
import gc
import os
import pickle
import tracemalloc

import attrs
import pytest

import holdem
from holdem.cli import run as command
from holdem.evaluation.registry import versions_of
from holdem.trials.studies.packed import PackedSequence
from holdem.trials.studies.store import Store
from holdem.trials.studies.study_file import read_study

# More than the rows and spots that are decoded at a time.
FEW, MANY = 169 * 2, 169 * 4
TURNS = ["3c5d7h9s", "3c5d7h9c", "3c5d7hTs", "3c5d7hTc"]


def test_a_packed_sequence_is_like_a_tuple():
    """Items, slices, equality, hashes and pickles are those of a tuple."""
    items = tuple((number, str(number)) for number in range(200))
    packed = PackedSequence(iter(items))
    assert len(packed) == 200
    assert tuple(packed) == items
    assert (packed[0], packed[130], packed[-1]) == (items[0], items[130], items[-1])
    for part in (slice(60, 70), slice(None, None, 30), slice(-3, None), slice(5, 5)):
        assert tuple(packed[part]) == items[part]
    assert packed[60:130][-1] == items[129]
    assert packed == items
    assert packed == pickle.loads(pickle.dumps(packed))
    assert packed != PackedSequence(items[:-1])
    assert packed != [*items]
    assert hash(packed) == hash(items)
    assert repr(packed[:2]) == repr(items[:2])
    assert tuple(packed.select([7, 3])) == (items[7], items[3])
    assert items[1] in packed
    assert not PackedSequence(())
    with pytest.raises(IndexError):
        packed[200]
    assert list(PackedSequence(range(5), str)) == ["0", "1", "2", "3", "4"]


def study_of(spots):
    """Return a study with a grid of all heroes."""
    board = TURNS[: spots // 169]
    return {"seed": 1, "grid": [{"hero": "each class", "villain": ["KK"], "board": board}]}


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """Return a directory with the stores of a small and a large finished study."""
    found = tmp_path_factory.mktemp("stores")
    answer = holdem.equity("AA", "KK", board=TURNS[0]).to_dict()
    for spots in (FEW, MANY):
        study = read_study(study_of(spots))
        with Store(found / f"{spots}", study, versions_of(study.evaluators)) as store:
            for number in range(spots):
                spot = store.spot(number)
                store.put(number, attrs.evolve(spot, stop="exhausted", answer=answer))
    return found


def resume(directory, spots):
    return holdem.run_study(study_of(spots), directory / f"{spots}")


def print_results(*options):
    def run(directory, spots):
        assert command(["results", str(directory / f"{spots}"), *options]) == 0

    return run


ACTIONS = {
    "resume": resume,
    "json": print_results("-f", "json"),
    "csv": print_results("-f", "csv", "--by", "player"),
}


@pytest.mark.parametrize(
    "action",
    [
        pytest.param(action, id=name, marks=pytest.mark.slow if name == "json" else ())
        for name, action in ACTIONS.items()
    ],
)
def test_memory_does_not_grow_by_objects(directory, action):
    """More spots take less than a third of the memory of their results.

    The least of three measurements counts: other threads of the process may add to one.
    """
    peaks = {FEW: [], MANY: []}
    with open(os.devnull, "w", encoding="utf-8") as sink, contextlib.redirect_stdout(sink):
        action(directory, FEW)  # what is imported and cached does not count
        for spots in (FEW, MANY) * 3:
            gc.collect()
            tracemalloc.start()
            try:
                action(directory, spots)
                peaks[spots].append(tracemalloc.get_traced_memory()[1])
            finally:
                tracemalloc.stop()
    # Results take 4500 each, as JSON 9000.
    assert min(peaks[MANY]) - min(peaks[FEW]) < 1500 * (MANY - FEW)
