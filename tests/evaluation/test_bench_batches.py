"""The benchmark of evaluators: what it ranks in the time that it measures."""

import numpy as np

from holdem.evaluation.conformance.bench import _measure_hands_per_second


class Recorder:
    """An evaluator that notes what it ranks."""

    def __init__(self):
        self.calls = []

    def rank(self, hands):
        assert len(self.calls) < 100_000  # or the measurement does not end
        self.calls.append(hands.ravel().tolist())


def test_batches_are_whole_and_take_turns():
    """Every call ranks a whole batch, one after another, and begins again at the end."""
    recorder, hands = Recorder(), np.arange(8, dtype=np.uint8).reshape(8, 1)
    assert _measure_hands_per_second(recorder, hands, 3, 0.0) > 0
    first, *timed = recorder.calls
    assert first == [0, 1, 2]
    assert timed[:3] == [[0, 1, 2], [3, 4, 5], [0, 1, 2]]
    assert {len(call) for call in timed} == {3}


def test_a_measurement_ends():
    """It ends when its calls have taken the time together."""
    recorder = Recorder()
    _measure_hands_per_second(recorder, np.zeros((8, 1), dtype=np.uint8), 1, 0.001)
    assert len(recorder.calls) > 1
