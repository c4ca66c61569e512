"""Requests to the workers of a cluster and their answers, as JSON."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

import holdem
from holdem.dask_tasks import answer_batch, encode_batch, read_versions
from holdem.dask_tasks import describe_difference as difference
from holdem.jobs.requests import decode_array, encode_array
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.trials.studies.study_file import read_study
from holdem.trials.studies.study_run import request_blocks, request_exact

STUDY = {
    "seed": 4,
    "method": "monte-carlo",
    "deals": 20 * BLOCK + 123,
    "spot": [
        {"players": ["AsKs", "QQ+", "random"], "board": "Td9d2c"},
        {"players": ["22", "AKs"], "evaluator": "bitwise", "deals": 3 * BLOCK},
        {"players": ["QQ", "AK"], "board": "Td9d2c", "method": "auto"},
        {"players": ["AA", *["random"] * 6], "method": "auto", "deals": 3 * BLOCK},
    ],
}


def _blocks(number, first, sizes):
    """Return the request for blocks of a spot of the study."""
    spot = read_study(STUDY).spots[number]
    running = SimpleNamespace(number=number, spot=spot, state=SimpleNamespace(stop=None))
    return request_blocks(running, first, sizes)


def _answers(requests, seconds=60, versions=None):
    """Return the answer of a worker to some requests."""
    versions = versions or read_versions(["lookup", "bitwise"])
    batch = encode_batch(requests, versions, seconds)
    return json.loads(answer_batch(requests[0].answer, batch))


def test_requests():
    """Requests and answers are JSON; the answers are those of this process."""
    sampled = _blocks(0, 3, (BLOCK, 100))
    first, second = _answers([sampled, sampled])["answers"]
    assert first == second
    counts = read_study(STUDY).spots[0].sampler().count(3, [BLOCK, 100]).tolist()
    for _, part in (sampled.read(first["answer"]), sampled(None)):
        assert part.tallies.tolist() == counts
    exact = request_exact(2, read_study(STUDY).spots[2])
    (found,) = _answers([exact])["answers"]
    expected = holdem.equity("QQ", "AK", board="Td9d2c").to_dict()
    for number, record in (exact.read(found["answer"]), exact(None)):
        assert (number, {**record, "elapsed": 0}) == (2, {**expected, "elapsed": 0})
    unplanned = request_exact(3, read_study(STUDY).spots[3])
    assert _answers([unplanned])["answers"] == [{"answer": None}]
    assert unplanned(None) == (3, None)


def test_requests_end_in_time():
    """A worker answers the first request, and no further one after its time."""
    assert len(_answers([_blocks(0, 3, (100,))] * 3, seconds=0)["answers"]) == 1


@pytest.mark.parametrize(
    "array",
    [[[1.5, float("nan")], [-0.0, 1e-300]], [[0, 255]], [[256]], [2**40], [True, False], []],
)
def test_arrays_as_records(array):
    """Arrays keep their shape and their values, to the last bit."""
    array = np.array(array)
    found = decode_array(json.loads(json.dumps(encode_array(array))))
    assert found.shape == array.shape
    assert found.astype(array.dtype).tobytes() == array.tobytes()


def test_refusals():
    """Messages tell versions of packages and of distributions, and missing evaluators apart."""
    packages = {"holdem": "2", "numpy": "2", "numba": "2"}
    here = {**packages, "evaluators": {"lookup": ["h", "2"], "bitwise": ["p", "1"]}}
    assert difference(here, here) == ""
    for name in packages:
        assert difference(here, {**here, name: "3"}) == f"{name} 3, not 2"
    other = {**here, "holdem": "3", "evaluators": {**here["evaluators"], "bitwise": ["p", "2"]}}
    assert difference(here, other) == "holdem 3, not 2, evaluator 'bitwise' of p 2, not p 1"
    missing = read_versions(["no-such"])
    assert missing["evaluators"]["no-such"][0] == ""
    needed = {**missing, "evaluators": {"no-such": ["p", "1"]}}
    assert difference(needed, missing) == missing["evaluators"]["no-such"][1]
    assert _answers([_blocks(1, 0, (1,))], versions=here)["refused"].startswith("holdem ")


def test_a_failing_evaluator_is_a_record(monkeypatch):
    """An evaluator's error on a worker is returned as text with its name."""
    request = _blocks(1, 0, (10,))

    def rank(*arguments):
        raise holdem.EvaluatorError("evaluator 'bitwise' failed")

    monkeypatch.setattr(Sampler, "count", rank)
    assert _answers([request])["answers"] == [{"failed": "evaluator 'bitwise' failed"}]
    error = request.error("evaluator 'bitwise' failed")
    assert isinstance(error, holdem.EvaluatorError)
    assert str(error) == "spot 2 (22 v AKs): evaluator 'bitwise' failed"
