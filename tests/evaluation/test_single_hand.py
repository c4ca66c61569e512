"""Single hands: strengths and errors are those of a batch."""

from collections import deque
from functools import partial

import numpy as np
import pytest

import holdem
from hands import random_hands
from holdem.cards import DECK
from holdem.errors import HoldemError, HoldemTypeError
from holdem.evaluation.builtin.lookup import compile_rank_one, rank_one
from holdem.evaluation.builtin.lookup_tables import tables_of

ROYAL_FLUSH = [51, 47, 43, 39, 35, 0, 1]


@pytest.fixture(autouse=True, scope="module")
def compiled():
    """Rank enough single hands for the compiled function to be used."""
    for _ in range(10_001):
        holdem.get_evaluator().strength(ROYAL_FLUSH)


class Listed:
    """A sequence with a given length, whose items may be calls."""

    def __init__(self, *items, size=7):
        self.items, self.size = items, size

    def __len__(self):
        return self.size

    def __getitem__(self, place):
        item = self.items[place]
        return item() if callable(item) else item


class Number:
    """An object with `__index__`, which may be a call."""

    def __init__(self, answer):
        self.answer = answer

    def __index__(self):
        return self.answer() if callable(self.answer) else self.answer


def fail(error):
    """Return a function that raises."""

    def raising():
        raise error

    return raising


@pytest.mark.parametrize("name", ["lookup", "suit-mask", "cactus-kev"])
@pytest.mark.parametrize("size", [5, 6, 7])
def test_strength_is_that_of_a_batch(name, size):
    """For all types of ids."""
    ranking = holdem.get_evaluator(name)
    hands = np.random.default_rng(size).permuted(np.tile(np.arange(52), (300, 1)), axis=1)[:, :size]
    expected = ranking.strengths(hands).tolist()
    assert expected == [ranking.strength(hand) for hand in hands.tolist()]
    assert expected[:20] == [ranking.strength(hand) for hand in hands[:20]]
    assert expected[0] == ranking.strength(tuple(DECK[card] for card in hands[0]))
    assert type(ranking.strength(hands[0].tolist())) is int


@pytest.mark.parametrize("size", [5, 6, 7])
def test_plain_python_and_compiled_code(size):
    """Both have the strengths of a batch, and rank what is not a hand as 0."""
    lookup = holdem.get_evaluator()
    hands = np.concatenate([lookup.rules.examples, random_hands(2000, 5, seed=1)])
    if size > 5:
        hands = random_hands(9000, size, seed=size)
    expected = lookup.strengths(hands).tolist()
    ids = [bytes(hand) for hand in hands.tolist()]
    invalid = [b"", ids[0][:4], ids[0] + bytes(8 - size), ids[0][:-1] + ids[0][:1], b"0123456"]
    tables = tables_of(lookup.rules)
    for rank in (partial(rank_one, tables), compile_rank_one(tables)):
        assert expected == [*map(rank, ids)]
        assert {0} == {*map(rank, invalid)}


def test_all_classes():
    """An example of each of the 7,462 classes, in four suit permutations."""
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
        ("As", "Ks", "Qs", "Js", "Tx"),
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
def test_invalid_hands(name, hand):
    """The error is that of `evaluate`."""
    with pytest.raises(HoldemError) as caught:
        holdem.get_evaluator(name).strength(hand)
    with pytest.raises(type(caught.value)) as expected:
        holdem.evaluate(hand, evaluator=name)
    assert str(expected.value) == str(caught.value)


@pytest.mark.parametrize(
    "hand",
    [
        "As Ks Qs Js Ts 2c 2d",
        "asksqsjs10s2c2d",
        ["As", "Ks", "Qs", "Js", "Ts", "2c", "2d"],
        (51, "Ks", DECK[43], np.uint8(39), "T♠", 0, 1),
        tuple(ROYAL_FLUSH),
        bytes(ROYAL_FLUSH),
        bytearray(ROYAL_FLUSH),
        set(ROYAL_FLUSH),
        deque(ROYAL_FLUSH),
        np.array(ROYAL_FLUSH, dtype=np.int16)[::-1],
        Listed(*ROYAL_FLUSH),
        [Number(card) for card in ROYAL_FLUSH],
    ],
    ids=lambda hand: type(hand).__name__,
)
def test_types_of_sequences(hand):
    assert holdem.get_evaluator().strength(hand) == 7462


@pytest.mark.parametrize(
    "hand",
    [
        Listed(*ROYAL_FLUSH[:3]),
        np.array([0x0102, 0x0304, 0x0506], dtype=np.int16),  # six bytes
        [[[card]] for card in ROYAL_FLUSH],
        [*ROYAL_FLUSH[:6], 2**63],
        [*ROYAL_FLUSH[:6], 2**64],
        [*ROYAL_FLUSH[:6], -(2**64)],
        [*ROYAL_FLUSH[:6], "As"],
        [*ROYAL_FLUSH[:6], Number("2c")],
        np.array([ROYAL_FLUSH]),
        np.array(51),
    ],
)
def test_invalid_sequences(hand):
    with pytest.raises(HoldemError):
        holdem.get_evaluator().strength(hand)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError])
def test_exceptions_of_items(error):
    """Ctrl-C is raised, not an error about the hand."""
    for hand in (
        [*ROYAL_FLUSH[:4], Number(fail(error)), 0, 1],
        Listed(*ROYAL_FLUSH[:4], fail(error), 0, 1),
    ):
        with pytest.raises(error):
            holdem.get_evaluator().strength(hand)


def test_items_that_modify_the_hand():
    """What is left of the hand is ranked, or is an error; nothing crashes."""
    hand = [*ROYAL_FLUSH]
    hand[2] = Number(lambda: hand.clear() or 43)
    with pytest.raises(HoldemError):
        holdem.get_evaluator().strength(hand)
    hand = [*ROYAL_FLUSH]
    hand[2] = Number(lambda: hand.pop() * 0 + 43)
    assert holdem.get_evaluator().strength(hand) == 7462
    assert len(hand) == 6


def test_bools_are_no_ids():
    """False and True are not the ids 0 and 1, as in `evaluate`."""
    for call in (holdem.get_evaluator().strength, holdem.evaluate):
        for hand in ([True, False, 2, 3, 4], (8, 9, 10, 11, False)):
            with pytest.raises(HoldemTypeError):
                call(hand)


def test_errors_of_the_compiler_are_raised(monkeypatch):
    """They are not taken for those of a hand."""
    ranking = holdem.get_evaluator()
    errors = [TypeError("no compiler")]
    monkeypatch.setattr(ranking, "_rank_one", lambda ids: fail(errors.pop())())
    with pytest.raises(TypeError, match="no compiler"):
        ranking.strength(ROYAL_FLUSH)


@pytest.mark.parametrize("evaluator", ["lookup", "reference", "short-deck", "deuces-wild"])
@pytest.mark.parametrize("size", [5, 6, 7])
def test_best_five_of_arrays(size, evaluator):
    """They are those of `evaluate`, for any integers, and their strengths those of the hands."""
    deck = holdem.get_evaluator(evaluator).rules.deck
    rng = np.random.default_rng(5)
    hands = np.array([rng.permutation(deck)[:size] for _ in range(200)], np.uint8)
    best, strengths = holdem.best_five(hands.astype(np.int64), evaluator)
    values = [holdem.evaluate(hand, evaluator=evaluator) for hand in hands]
    assert best.dtype == np.int8
    assert best.tolist() == [list(value.best) for value in values]
    assert strengths.tolist() == [value.strength for value in values]
    assert holdem.best_five(hands[:0], evaluator)[0].shape == (0, 5)


def test_best_five_of_many():
    """Blocks of hands are joined, and invalid hands are named."""
    h = holdem.deal(players=2, hands=20_000, seed=1)
    best, strengths = holdem.best_five(np.concatenate([h.hole[:, 0], h.board], axis=1))
    assert (best == h.best[:, 0]).all()
    assert (strengths == h.strength()[:, 0]).all()
    with pytest.raises(HoldemError, match=r"hand 1: .* has 2c twice"):
        holdem.best_five([[0, 1, 2, 3, 4], [0, 0, 1, 2, 3]])
