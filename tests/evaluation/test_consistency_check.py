"""The check that an evaluator's strengths do not change: which hand the error names."""

import numpy as np
import pytest

from holdem.cards import cards_text
from holdem.errors import EvaluatorError
from holdem.evaluation.load_checks import ConsistencyCheck, LoadCheck
from holdem.evaluation.scale import Scale
from holdem.rules import STANDARD


@pytest.mark.parametrize("wrong", [0, 21])
def test_the_changed_hand_is_named(wrong):
    """The error has the hand whose strength has changed, what it was and what it is now."""
    known = STANDARD.examples[:40]
    scale = Scale(np.arange(10, 50), np.array([20]))
    loaded = LoadCheck(scale, False, {5: (known, np.arange(40, 0, -1))}, 0, 0.0, 0.0)
    check = ConsistencyCheck("unsteady", loaded)

    def rank(hands):
        places = [known.tolist().index(hand) for hand in hands.tolist()]
        return np.array([place + 10 + 5 * (place == wrong) for place in places])

    def rank_many():
        for _ in range(9):
            check.after(np.repeat(known, 500, axis=0), rank)

    with pytest.raises(EvaluatorError) as caught:
        rank_many()
    hand = cards_text(known[wrong], " ")
    expected = f"{hand} had strength {wrong + 10} and now has {wrong + 15}"
    assert str(caught.value).endswith(expected)
