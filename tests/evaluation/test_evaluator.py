"""Ranking of hands by an evaluator, and validation of hands."""

import time
from itertools import combinations, product

import numpy as np
import pytest

import holdem
from hands import EVALUATORS, classes_by, lookup, make, random_hands
from holdem.errors import CardError, EvaluatorError, HoldemTypeError
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.evaluation.hand_validation import count_valid, find_invalid_row
from holdem.jit import kernels as jit_kernels
from holdem.jobs.workers import Workers, WorkersClosedError
from holdem.rules import SHORT_DECK, STANDARD

MANY = 5000  # hands, enough to be validated by a kernel


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int64, np.uint64, np.int32])
def test_types_of_hands(kind):
    """Ids may have any integer type and memory order, or be in nested lists."""
    hands = random_hands(20, 7, seed=1)
    expected = lookup().strengths(hands)
    np.testing.assert_array_equal(expected, lookup().strengths(hands.astype(kind)))
    np.testing.assert_array_equal(expected, lookup().strengths(np.asfortranarray(hands, kind)))
    np.testing.assert_array_equal(expected[::-2], lookup().strengths(hands.astype(kind)[::-2]))
    np.testing.assert_array_equal(expected, lookup().strengths(hands.tolist()))


def test_hands_of_cards():
    hand = holdem.parse_cards("As Ks Qs Js Ts")
    assert [7462] == lookup().strengths([hand]).tolist()


@pytest.mark.parametrize(
    ("hands", "told"),
    [
        ([51, 47, 43, 39, 35], "expected hands of 5 to 7 cards, shape (n, 5..7), not (5,)"),
        (51, "expected hands of 5 to 7 cards, shape (n, 5..7), not ()"),
        ([], "expected hands of 5 to 7 cards, shape (n, 5..7), not (0,)"),
        ([[1, 2, 3, 4]], "expected hands of 5 to 7 cards, shape (n, 5..7), not (1, 4)"),
        ([list(range(8))], "expected hands of 5 to 7 cards, shape (n, 5..7), not (1, 8)"),
        ([[[1, 2, 3, 4, 5]]], "expected hands of 5 to 7 cards, shape (n, 5..7), not (1, 1, 5)"),
        ("As Ks Qs Js Ts", "expected hands of 5 to 7 cards, shape (n, 5..7), not ()"),
        ([["As", "Ks", "Qs", "Js", "Ts"]], "expected card ids (uint8), not <U2"),
        ([[1.0, 2, 3, 4, 5]], "expected card ids (uint8), not float64"),
        ([[True, False, True, False, True]], "expected card ids (uint8), not bool"),
        ([[1, 2, 3, 4, None]], "expected card ids (uint8), not object"),
        ([[1, 2, 3, 4, 2**70]], "expected card ids (uint8), not object"),
        ([[1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6]], "expected an array of hands: "),
        (None, "expected hands of 5 to 7 cards, shape (n, 5..7), not ()"),
    ],
)
def test_invalid_arrays(hands, told):
    """The message has the shape or the type."""
    with pytest.raises(HoldemTypeError) as caught:
        lookup().strengths(hands)
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize("count", [3, MANY])
@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ((0, 52), "has the id 52, outside 0..51"),
        ((0, 63), "has the id 63, outside 0..51"),
        ((0, 64), "has the id 64, outside 0..51"),
        ((4, 255), "has the id 255, outside 0..51"),
        ((4, 256), "has the id 256, outside 0..51"),
        ((1, -1), "has the id -1, outside 0..51"),
        ((1, -256), "has the id -256, outside 0..51"),
        ((3, "first"), "twice"),
    ],
)
def test_invalid_hands(count, size, change, told):
    """The message has the row of an id outside the deck or a card twice."""
    place, card = change
    for row in (0, count // 2, count - 1):
        hands = random_hands(count, size, seed=2).astype(np.int64)
        hands[row, place] = hands[row, 0] if card == "first" else card
        if hands[row, place] in range(256):
            hands = hands.astype(np.uint8)
        with pytest.raises(CardError) as caught:
            lookup().strengths(hands)
        assert str(caught.value).startswith(f"hand {row}: ")
        assert str(caught.value).endswith(told)


def test_message_about_an_invalid_hand():
    """It shows the hand as text, and invalid ids as numbers."""
    with pytest.raises(CardError) as caught:
        lookup().strengths([[0, 1, 2, 3, 4], [51, 47, 51, 39, 35]])
    assert "hand 1: As Ks As Js Ts has As twice" == str(caught.value)
    with pytest.raises(CardError) as caught:
        lookup().strengths([[0, 1, 2, 3, 99]])
    assert "hand 0: [0, 1, 2, 3, 99] has the id 99, outside 0..51" == str(caught.value)


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("rules", [STANDARD, SHORT_DECK], ids=lambda rules: rules.name)
@pytest.mark.parametrize("in_numpy", [False, True])
def test_the_first_invalid_row_of_many_hands(size, rules, in_numpy, monkeypatch):
    """Every two places with the same card, and ids outside the deck, in any row and length."""
    monkeypatch.setattr(jit_kernels, "_kernels_only", not in_numpy)
    if in_numpy:
        monkeypatch.setattr(count_valid, "is_loaded", False)
        monkeypatch.setattr(jit_kernels, "_NUMPY_SECONDS", np.inf)
    rng = np.random.default_rng(5)
    lowest, highest = int(rules.deck[0]), int(rules.deck[-1])
    shuffled = rng.random((MANY, len(rules.deck))).argsort(axis=1)
    hands = np.ascontiguousarray(lowest + shuffled[:, :size], dtype=np.uint8)
    outside = [highest + 1, 63, 64, 255] + [0, lowest - 1] * bool(lowest)
    twice = [(a, b, True) for a, b in combinations(range(size), 2)]
    stray = [(a, card, False) for a, card in product(range(size), outside)]
    for a, b, is_twice in twice + stray:
        length = int(rng.integers(MANY - 70, MANY + 1))
        row = int(rng.choice([rng.integers(length), length - 1 - rng.integers(30)]))
        assert -1 == find_invalid_row(hands[:length], rules)
        kept = hands[row].copy()
        hands[row, a] = hands[row, b] if is_twice else b
        assert row == find_invalid_row(hands[:length], rules)
        hands[row] = kept


def test_valid_hands_pass():
    """A large batch, and an empty one."""
    hands = random_hands(MANY, 7, seed=3)
    assert (len(hands),) == lookup().strengths(hands).shape
    assert (0,) == lookup().strengths(hands[:0]).shape


# --- hands that are handed on ----------------------------------------------------------


def test_evaluator_cannot_modify_the_hands():
    """It gets a read-only view."""

    def spoils(hands):
        hands[0, 0] = 0
        return rank_batch(hands)

    with pytest.raises(EvaluatorError, match="evaluator 'mine' failed: ValueError: assignment de"):
        make(spoils).strengths(random_hands(2, 5, seed=1))
    hands = random_hands(2, 5, seed=1)
    lookup().strengths(hands)
    assert hands.flags.writeable


def test_rank_is_strengths_without_validation():
    for size in (5, 6, 7):
        hands = random_hands(30, size, seed=size)
        np.testing.assert_array_equal(lookup().strengths(hands), lookup().rank(hands))


@pytest.mark.parametrize(("sizes", "expected"), [({5}, (1, 6, 21)), ({5, 6, 7}, (1, 1, 1))])
def test_evaluations(sizes, expected):
    """A hand of a size that it does not rank itself takes 6 or 21."""
    evaluator = make(rank_batch, sizes)
    assert expected == tuple(evaluator.direct.evaluations(size) for size in (5, 6, 7))
    assert (1, 1, 1) == tuple(evaluator.evaluations(size) for size in (5, 6, 7))  # by tables


@pytest.mark.parametrize("size", [6, 7])
def test_slow_and_fast_evaluators_give_the_same_best_five(size):
    """A slow evaluator is called once for equal choices of five."""
    hands = random_hands(500, size, seed=size)
    hands[250:] = hands[:250]
    ranked = []

    def slow(fives):
        ranked.append(len(fives))
        time.sleep(1e-6 * len(fives))
        return rank_batch(fives)

    for rank in (rank_batch, slow):
        evaluator = make(rank)
        evaluator.load()
        ranked.clear()
        np.testing.assert_array_equal(lookup().rank(hands), evaluator.rank(hands))
    assert ranked[0] <= 250 * {6: 6, 7: 21}[size]


def test_a_slow_evaluator_notices_the_end_of_its_run():
    """It ranks in parts, with the same strengths, and stops when the workers are closed."""
    calls = []

    def slow(fives):
        calls.append(len(fives))
        time.sleep(1e-6 * len(fives))
        if closes:
            workers.close()
        return rank_batch(fives)

    closes, workers = False, Workers(1)
    evaluator, hands = make(slow), random_hands(500, 7, seed=1)
    expected = evaluator.rank(hands)
    np.testing.assert_array_equal(expected, evaluator.rank(hands, workers))
    assert evaluator.rank(hands[:0], workers).shape == (0,)
    calls.clear()
    closes = True
    with pytest.raises(WorkersClosedError):
        evaluator.rank(hands, workers)
    assert sum(calls) <= 21 * 16 + 16  # the first part and the known hands ranked after it


@pytest.mark.parametrize("name", EVALUATORS)
def test_card_order_and_suit_permutations(name):
    evaluator = holdem.get_evaluator(name)
    rng = np.random.default_rng(8)
    for size in (5, 6, 7):
        hands = random_hands(60, size, seed=size)
        expected = evaluator.strengths(hands)
        np.testing.assert_array_equal(expected, evaluator.strengths(np.sort(hands, axis=1)))
        np.testing.assert_array_equal(expected, evaluator.strengths(rng.permuted(hands, axis=1)))
        suits = rng.permutation(4).astype(np.uint8)
        np.testing.assert_array_equal(
            expected, evaluator.strengths((hands & 252) + suits[hands & 3])
        )


@pytest.mark.parametrize("name", EVALUATORS)
def test_classes_of_all_evaluators(name):
    """They are the same for hands of five, six and seven cards."""
    evaluator = holdem.get_evaluator(name)
    np.testing.assert_array_equal(np.arange(1, 7463), classes_by(evaluator, STANDARD.examples))
    for size in (5, 6, 7):
        hands = random_hands(300, size, seed=10 + size)
        np.testing.assert_array_equal(classes_by(lookup(), hands), classes_by(evaluator, hands))


@pytest.mark.parametrize("name", EVALUATORS)
def test_without_validation(name):
    """Valid hands of any integer type have the same strengths without the check of each row."""
    evaluator = holdem.get_evaluator(name)
    hands = random_hands(20, 6, seed=1)
    expected = evaluator.strengths(hands)
    for given in (hands, hands.astype(np.int64), np.asfortranarray(hands), hands.tolist()):
        np.testing.assert_array_equal(expected, evaluator.strengths(given, validate=False))


def test_unvalidated_rows():
    """Neither a card twice nor an id outside the deck is an error without validation."""
    twice = [[51, 51, 47, 43, 39]]
    with pytest.raises(CardError, match="twice"):
        lookup().strengths(twice)
    assert (1,) == lookup().strengths(twice, validate=False).shape
    wraps = make(lambda hands: rank_batch(hands % 52))
    outside, inside = [[51, 47, 43, 39, 60]], [[51, 47, 43, 39, 8]]
    with pytest.raises(CardError, match="60"):
        wraps.strengths(outside)
    assert wraps.strengths(inside) == wraps.strengths(outside, validate=False)


@pytest.mark.parametrize("bad", [[51, 47, 43, 39, 35], [[1.0] * 5], [[1, 2, 3, 4]], [[1], [1, 2]]])
def test_shape_and_type_without_validation(bad):
    with pytest.raises(HoldemTypeError, match="expected"):
        lookup().strengths(bad, validate=False)
