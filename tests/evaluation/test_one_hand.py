"""One hand a call: the same strengths as in a batch, and the same refusals."""

import numpy as np
import pytest

import holdem
from holdem.cards import DECK
from holdem.errors import HoldemError


@pytest.mark.parametrize("name", ["lookup", "suit-mask", "cactus-kev"])
@pytest.mark.parametrize("size", [5, 6, 7])
def test_as_in_a_batch(name, size):
    """A single hand has the strength it has among many, whatever the type of its ids."""
    ranking = holdem.get_evaluator(name)
    hands = np.random.default_rng(size).permuted(np.tile(np.arange(52), (300, 1)), axis=1)[:, :size]
    expected = ranking.strengths(hands).tolist()
    assert expected == [ranking.strength(hand) for hand in hands.tolist()]
    assert expected[:20] == [ranking.strength(hand) for hand in hands[:20]]
    assert expected[0] == ranking.strength(tuple(DECK[card] for card in hands[0]))
    assert type(ranking.strength(hands[0].tolist())) is int


def test_all_kinds_of_hands():
    """An example of each of the 7,462 classes, every one of its suits renamed in turn."""
    ranking = holdem.get_evaluator()
    examples = np.asarray(ranking.rules.examples)
    for turn in range(4):
        hands = examples & 0xFC | (examples + turn) & 3
        assert ranking.strengths(hands).tolist() == [ranking.strength(h) for h in hands.tolist()]


@pytest.mark.parametrize(
    "hand",
    [
        (),
        (0, 1, 2, 3),
        (0, 1, 2, 3, 4, 5, 6, 7),
        (0, 1, 2, 3, 3),
        (0, 1, 2, 3, 52),
        (0, 1, 2, 3, -1),
        (0, 1, 2, 3, 4.5),
        (0.0, 1, 2, 3, 4, 5, 6),
        (0, 1, 2, 3, 10**30),
        ("As", "Ks", "Qs", "Js", "Ts"),
        (0, 1, 2, 3, None),
        (0, 1, 2, 3, 4, 5, None),
        (0, 1, 2, 3, 4, 5, 5),
        (0, 1, 2, 3, 4, 5, 52),
        "AsKsQsJ",
        7,
        None,
    ],
)
@pytest.mark.parametrize("name", ["lookup", "cactus-kev"])
def test_what_is_no_hand(name, hand):
    """A number of cards that is no hand, a card twice, or what is no id: an error, no strength."""
    with pytest.raises(HoldemError):
        holdem.get_evaluator(name).strength(hand)
