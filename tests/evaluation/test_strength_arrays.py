"""Classes, categories and names of whole arrays of strengths."""

import numpy as np
import pytest

import holdem
from hands import random_hands


@pytest.mark.parametrize("name", ["lookup", "cactus-kev", "bitwise", "short-deck", "deuces-wild"])
@pytest.mark.parametrize("count", [300, 9_000])
def test_same_as_evaluate(name, count):
    """Arrays have the class, category and name that `evaluate` gives, for few hands and many."""
    evaluator = holdem.get_evaluator(name)
    deck = evaluator.rules.deck
    rng = np.random.default_rng(count)
    hands = np.array([rng.permutation(deck)[:7] for _ in range(count)], dtype=np.uint8)
    strengths = evaluator.strengths(hands)
    classes = evaluator.classes(strengths)
    categories, names = evaluator.categories(strengths), evaluator.names(strengths)
    for row in range(0, count, max(1, count // 100)):
        value = holdem.evaluate(hands[row], evaluator=name)
        assert (value.rank_class, value.category, value.name) == (
            classes[row],
            categories[row],
            names[row],
        )
    whole = strengths.astype(object)  # another way to the class: the place among all classes
    found = {strength: number for number, strength in enumerate(sorted(set(whole), reverse=True))}
    order = np.unique(classes, return_inverse=True)[1]
    assert [found[strength] for strength in whole] == order.tolist()


def test_shapes():
    """The result has the shape of the argument, which may be a list."""
    evaluator = holdem.get_evaluator()
    strengths = evaluator.strengths(random_hands(20_000, 7, seed=3))
    expected = evaluator.names(strengths)
    assert (
        evaluator.names(strengths.reshape(100, 200)).tolist() == expected.reshape(100, 200).tolist()
    )
    assert evaluator.names(strengths[:9].tolist()).tolist() == expected[:9].tolist()
    assert evaluator.categories([]).shape == (0,)


@pytest.mark.parametrize("name", ["lookup", "bitwise"])
@pytest.mark.parametrize("count", [1, 20_000])
@pytest.mark.parametrize("stray", [-1, 1 << 62, -(1 << 63)])
def test_unknown_strengths(name, count, stray):
    """A strength that no hand has is an error."""
    evaluator = holdem.get_evaluator(name)
    strengths = evaluator.strengths(random_hands(count, 5, seed=4)).astype(np.int64)
    strengths[-1] = stray
    for convert in (evaluator.classes, evaluator.categories, evaluator.names):
        with pytest.raises(holdem.EvaluatorError, match=f"strength {stray} is not"):
            convert(strengths)
