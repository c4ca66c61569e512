"""An evaluator in use: what it lets in, what it hands on, and what it refuses."""

import numpy as np
import pytest
from hands import EVALUATORS, classes_by, lookup, make, random_hands

import holdem
from holdem.errors import CardError, EvaluatorError, HoldemTypeError
from holdem.evaluation import validation
from holdem.evaluation.builtin.lookup.kernels import rank_batch
from holdem.values import STANDARD


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int64, np.uint64, np.int32])
def test_any_integers_are_hands(kind):
    """Ids may be of any integer type, in any memory order, or nested lists."""
    hands = random_hands(20, 7, seed=1)
    expected = lookup().strengths(hands)
    np.testing.assert_array_equal(expected, lookup().strengths(hands.astype(kind)))
    np.testing.assert_array_equal(expected, lookup().strengths(np.asfortranarray(hands, kind)))
    np.testing.assert_array_equal(expected[::-2], lookup().strengths(hands.astype(kind)[::-2]))
    np.testing.assert_array_equal(expected, lookup().strengths(hands.tolist()))


def test_hands_may_be_lists_of_cards():
    """Parsed cards are ids."""
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
def test_what_is_no_array_of_hands_is_a_type_error(hands, told):
    """Other shapes and types are refused, with the shape or the type."""
    with pytest.raises(HoldemTypeError) as caught:
        lookup().strengths(hands)
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize("count", [3, validation._MANY + 3])
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
def test_a_hand_that_cannot_be_is_refused_with_its_row(count, size, change, told):
    """An id outside the deck or a card twice is found in any row, and the row is named."""
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


def test_the_message_shows_the_hand():
    """A card that stands twice is named, and the hand shown as text; bad ids as numbers."""
    with pytest.raises(CardError) as caught:
        lookup().strengths([[0, 1, 2, 3, 4], [51, 47, 51, 39, 35]])
    assert "hand 1: As Ks As Js Ts has As twice" == str(caught.value)
    with pytest.raises(CardError) as caught:
        lookup().strengths([[0, 1, 2, 3, 99]])
    assert "hand 0: [0, 1, 2, 3, 99] has the id 99, outside 0..51" == str(caught.value)


def test_the_compiled_check_finds_what_the_plain_one_finds(monkeypatch):
    """On random ids, wrong and right, both checks name the same first row."""
    rng = np.random.default_rng(5)
    deck = np.uint64(2**52 - 1)
    firsts = set()
    for _ in range(200):
        hands = rng.integers(0, rng.choice([30, 52, 54, 70, 256]), (40, 5)).astype(np.uint8)
        naive = [len(set(hand) & set(range(52))) == 5 for hand in hands.tolist()]
        expected = naive.index(False) if False in naive else -1
        monkeypatch.setattr(validation, "_MANY", 1)
        assert expected == validation._first_invalid(hands, deck)
        monkeypatch.setattr(validation, "_MANY", 1000)
        assert expected == validation._first_invalid(hands, deck)
        firsts.add(expected)
    assert len(firsts) > 10


def test_the_compiled_check_lets_valid_hands_pass():
    """A large batch of hands is ranked, the empty one too."""
    hands = random_hands(validation._MANY + 1, 7, seed=3)
    assert (len(hands),) == lookup().strengths(hands).shape
    assert (0,) == lookup().strengths(hands[:0]).shape


# --- hands that are handed on ----------------------------------------------------------


def test_an_evaluator_cannot_change_the_hands():
    """It gets a read-only view: the caller's array stays as it is."""

    def spoils(hands):
        hands[0, 0] = 0
        return rank_batch(hands)

    with pytest.raises(EvaluatorError, match="evaluator 'mine' failed: ValueError: assignment de"):
        make(spoils).strengths(random_hands(2, 5, seed=1))
    hands = random_hands(2, 5, seed=1)
    lookup().strengths(hands)
    assert hands.flags.writeable


def test_rank_is_strengths_without_the_check():
    """`rank` gives what `strengths` gives, for every size."""
    for size in (5, 6, 7):
        hands = random_hands(30, size, seed=size)
        np.testing.assert_array_equal(lookup().strengths(hands), lookup().rank(hands))


@pytest.mark.parametrize(
    ("sizes", "expected"), [({5}, (1, 6, 21)), ({5, 6, 7}, (1, 1, 1)), ({5, 7}, (1, 6, 1))]
)
def test_evaluations_of_a_hand(sizes, expected):
    """A size that it does not rank itself costs 6 or 21 evaluations."""
    evaluator = make(rank_batch, sizes)
    assert expected == tuple(evaluator.evaluations(size) for size in (5, 6, 7))


@pytest.mark.parametrize("size", [6, 7])
def test_slow_and_fast_evaluators_choose_alike(size):
    """The way of asking, chosen by a clock, changes no answer."""
    hands = random_hands(500, size, seed=size)
    evaluator = make(rank_batch)
    evaluator.scale  # noqa: B018 - loads it, and times it
    answers = []
    for slow in (False, True):
        evaluator._slow = slow
        answers.append(evaluator.rank(hands))
    np.testing.assert_array_equal(lookup().rank(hands), answers[0])
    np.testing.assert_array_equal(answers[0], answers[1])


@pytest.mark.parametrize("name", EVALUATORS)
def test_order_of_cards_and_names_of_suits_do_not_matter(name):
    """A hand is worth the same in any order, and after any renaming of suits."""
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
def test_every_evaluator_gives_the_classes_of_the_rule_book(name):
    """All evaluators sort hands of five, six and seven cards into the same classes."""
    evaluator = holdem.get_evaluator(name)
    np.testing.assert_array_equal(np.arange(1, 7463), classes_by(evaluator, STANDARD.examples))
    for size in (5, 6, 7):
        hands = random_hands(300, size, seed=10 + size)
        np.testing.assert_array_equal(classes_by(lookup(), hands), classes_by(evaluator, hands))
