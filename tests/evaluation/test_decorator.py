"""The decorator that makes an evaluator of a function."""

import threading

import numpy as np
import pytest

import holdem
from hands import classes_by, random_hands
from holdem.cards import cards_text
from holdem.errors import EvaluatorError, HoldemTypeError
from holdem.evaluation.builtin import reference
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.rules import STANDARD
from plugin_distributions import use_new_registry

HAND = "As Ks Qs Js Ts"
#: The rule book's strength of each class, the weakest first.
LEVELS = np.sort([reference.strength(hand) for hand in STANDARD.examples.tolist()])


def strength_of(spec, hand=HAND):
    """Return the strength of one hand by a spec."""
    return holdem.evaluate(hand, evaluator=spec).strength


def test_function_of_one_hand():
    """It takes a tuple of five ids and returns an int; hands of six and seven cards work, too."""
    asked = []

    @holdem.evaluator("single")
    def single(cards):
        asked.append(cards)
        return reference.strength(cards)

    hands = random_hands(30, 7, seed=1)
    lookup = holdem.get_evaluator("lookup")
    evaluator = holdem.get_evaluator(single)
    np.testing.assert_array_equal(classes_by(lookup, hands), classes_by(evaluator, hands))
    assert {tuple} == {type(cards) for cards in asked}
    assert {5} == {len(cards) for cards in asked}
    assert {int} == {type(card) for cards in asked for card in cards}


def test_spec_is_called_like_the_function():
    """Arguments pass through; a spec made in another way says what ranks hands."""

    @holdem.evaluator("called")
    def called(cards, bonus=0):
        return max(cards) + bonus

    assert 40 == called((1, 2, 33), bonus=7)
    assert holdem.evaluator("batch", batch=True)(sum)([1, 2]) == 3
    spec = holdem.EvaluatorSpec("loaded", "", "", {5}, lambda: lambda hands: hands)
    with pytest.raises(HoldemTypeError, match=r"no function to call: holdem.get_evaluator\(spec\)"):
        spec((1, 2, 3, 4, 5))


def test_function_of_a_batch():
    """It takes a read-only, C-contiguous `uint8 (n, 5)` and returns integers `(n,)`."""
    asked = []

    @holdem.evaluator("batch", batch=True)
    def batch(hands):
        asked.append((hands.dtype, hands.shape[1], hands.flags.c_contiguous, hands.flags.writeable))
        return rank_batch(hands)

    evaluator = holdem.get_evaluator(batch)
    for size in (5, 6, 7):
        hands = random_hands(100, size, seed=size)
        for order in (hands, np.asfortranarray(hands), hands[::-1], hands.astype(np.int64)):
            expected = holdem.get_evaluator("lookup").strengths(order)
            np.testing.assert_array_equal(expected, evaluator.strengths(order))
    assert {(np.dtype(np.uint8), 5, True, False)} == set(asked)


@pytest.mark.parametrize("batch", [False, True])
def test_hand_sizes(batch):
    """Hands of other sizes reach the function as choices of five."""
    for sizes, expected in (({5}, {5}), ({5, 6, 7}, {5, 6, 7})):
        asked = set()

        def rank(cards, asked=asked):
            asked.add(cards.shape[1] if batch else len(cards))
            return rank_batch(cards) if batch else int(rank_batch(np.array([cards], np.uint8))[0])

        spec = holdem.evaluator("sizes", hand_sizes=sizes, batch=batch)(rank)
        evaluator = holdem.get_evaluator(spec)
        for size in (5, 6, 7):
            evaluator.strengths(random_hands(3, size, seed=1))
        assert expected == asked


def test_default_summary_and_source():
    """They are the function's docstring and name."""

    @holdem.evaluator("described")
    def described(cards):
        """Rank hands by the book.

        More about it.
        """
        return reference.strength(cards)

    assert isinstance(described, holdem.EvaluatorSpec)
    assert ("described", {5}, 1, "standard") == (
        described.name,
        described.hand_sizes,
        described.contract,
        described.rules,
    )
    assert "Rank hands by the book." == described.summary
    assert described.source.endswith("test_default_summary_and_source.<locals>.described")
    bare = holdem.evaluator("bare")(lambda cards: 0)
    assert "the function <lambda>" == bare.summary
    told = holdem.evaluator("told", summary="a summary", source="a source")(described.load)
    assert ("a summary", "a source") == (told.summary, told.source)


def test_registration(monkeypatch):
    """A registered one is found by its name, wherever an evaluator is named."""
    use_new_registry(monkeypatch)

    @holdem.evaluator("registered-here")
    def registered(cards):
        return reference.strength(cards)

    assert registered is holdem.register(registered)
    assert "registered-here" in [record.name for record in holdem.evaluators()]
    assert strength_of(registered) == strength_of("registered-here")
    assert holdem.get_evaluator("registered-here") is holdem.get_evaluator(registered)


class Unprintable:
    """An object whose repr has several lines and clears the screen."""

    def __repr__(self):
        return "two\nlines\x1b[2J"


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (True, "True"),
        (1.0, "1.0"),
        (None, "None"),
        ("7", "'7'"),
        (np.True_, "np.True_"),
        (np.float64(1), "np.float64(1.0)"),
        ([1], "[1]"),
        (np.array([1, 2]), "array([1, 2])"),
        (2**63, "9223372036854775808"),
        (-(2**63) - 1, "-9223372036854775809"),
        (Unprintable(), r"two lines\x1b[2J"),
    ],
)
def test_invalid_result_for_one_hand(answer, shown):
    """Booleans, floats, None and integers of more than 64 bits are not strengths."""
    spec = holdem.evaluator("wrong")(lambda cards: answer)
    with pytest.raises(EvaluatorError) as caught:
        strength_of(spec)
    best = STANDARD.class_at(1).example
    told = (
        f"evaluator 'wrong' failed: it returned {shown} for {' '.join(map(str, best))},"
        " not a 64-bit int"
    )
    assert str(caught.value).startswith(told)
    assert str(caught.value).isprintable()


def level(cards):
    """Return the position of the class of a hand, 0 for the weakest."""
    return int(np.searchsorted(LEVELS, reference.strength(cards)))


@pytest.mark.parametrize("kind", [int, np.int16, np.uint32, np.int64, np.uint64])
def test_integer_types(kind):
    """Integers of Python and of numpy are strengths."""
    spec = holdem.evaluator("ints")(lambda cards: kind(1 + level(cards)))
    evaluator = holdem.get_evaluator(spec)
    assert list(range(7462, 0, -1)) == evaluator.strengths(STANDARD.examples).tolist()


@pytest.mark.parametrize("lowest", [-(2**63), -7461, 2**63 - 7462])
def test_range_of_strengths(lowest):
    """All integers of 64 bits are strengths."""
    spec = holdem.evaluator("far")(lambda cards: lowest + level(cards))
    evaluator = holdem.get_evaluator(spec)
    assert [lowest + 7461, lowest] == evaluator.strengths(STANDARD.examples[[0, -1]]).tolist()
    assert [1, 7462] == classes_by(evaluator, STANDARD.examples[[0, -1]]).tolist()


ONE_FOR_EACH = (
    "a batch function returns one for each hand; a function of one hand needs no batch=True"
)


class OfNoKind:
    """What says that it is an array, and fails."""

    @property
    def dtype(self):
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda hands: None, "returned NoneType, not an array of integers"),
        (lambda hands: [1] * len(hands), "returned list, not an array of integers"),
        (lambda hands: 7, f"returned int, not an array of integers; {ONE_FOR_EACH}"),
        (lambda hands: hands.max(), f"returned uint8, not an array of integers; {ONE_FOR_EACH}"),
        (lambda hands: 0.5, f"returned float, not an array of integers; {ONE_FOR_EACH}"),
        (lambda hands: np.ones(len(hands)), "returned float64, not an array of integers"),
        (lambda hands: np.ones(len(hands), dtype=bool), "returned bool, not an array of integers"),
        (
            lambda hands: np.ones(len(hands), dtype=object),
            "returned object, not an array of integers",
        ),
        (lambda hands: np.full(len(hands), "7"), "returned <U1, not an array of integers"),
        (lambda hands: np.ones(len(hands)) * 1j, "returned complex128, not an array of integers"),
        (lambda hands: (7 for _ in hands), "returned generator, not an array of integers"),
        (lambda hands: OfNoKind(), "returned OfNoKind, not an array of integers"),
        (
            lambda hands: np.ones(len(hands), "m8[s]"),
            "returned timedelta64[s], not an array of integers",
        ),
        (lambda hands: np.ones((len(hands), 1), dtype=int), "returned shape (1, 1) for 1 hand"),
        (lambda hands: np.ones(len(hands) + 1, dtype=int), "returned shape (2,) for 1 hand"),
        (lambda hands: np.array(7), "returned shape () for 1 hand"),
    ],
)
def test_invalid_result_for_a_batch(answer, told):
    """A batch has an array of integers, one for each hand."""
    spec = holdem.evaluator("wrong", batch=True)(answer)
    with pytest.raises(EvaluatorError) as caught:
        strength_of(spec)
    assert f"evaluator 'wrong' {told}" == str(caught.value)


def test_one_number_for_many_hands():
    spec = holdem.evaluator("one", batch=True)(lambda hands: np.array([7]))
    with pytest.raises(
        EvaluatorError, match=r"returned shape \(1,\) for 4,096 hands; a batch func"
    ):
        strength_of(spec)


@pytest.mark.parametrize(
    "rank",
    [
        lambda cards: "23456789TJQKA".index(cards[0][0]),
        lambda cards: "23456789TJQKA".index(cards[0]),
        lambda cards: sum("A" in card for card in cards),
        lambda cards: sum(card in "AsAh" for card in cards),
        lambda cards: len(" ".join(cards)),
        lambda cards: len(cards.split()),
        lambda cards: sum(card.rank for card in cards),
        lambda cards: len("As" + cards[0]),
    ],
)
def test_function_of_text(rank):
    """It is told that cards are ids, of one hand and of a batch."""
    for batch, function in ((False, rank), (True, lambda hands: [rank(hand) for hand in hands])):
        with pytest.raises(EvaluatorError) as caught:
            strength_of(holdem.evaluator("of-text", batch=batch)(function))
        told = str(caught.value)
        assert told.endswith("; cards are ids 0..51: str(holdem.Card(card)) is the text"), told
        assert isinstance(caught.value.__cause__.__cause__ or caught.value.__cause__, Exception)


def raising(error):
    """Return a function that raises."""

    def rank(cards):
        raise error

    return rank


@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyError("boom"), "KeyError: 'boom'"),
        (ZeroDivisionError(), "ZeroDivisionError"),
        (SystemExit(3), "SystemExit: 3"),
        (ValueError("two\nlines \x1b[2J"), r"ValueError: two lines \x1b[2J"),
        (ValueError("x" * 10_000), "ValueError: xxx"),
    ],
)
def test_exception(batch, error, told):
    """It becomes one line with the name of the evaluator; the cause is kept."""
    spec = holdem.evaluator("failing", batch=batch)(raising(error))
    with pytest.raises(EvaluatorError) as caught:
        strength_of(spec)
    assert str(caught.value).startswith(f"evaluator 'failing' failed: {told}")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400
    causes = caught.value.__cause__, caught.value.__cause__.__cause__
    assert error in causes


def test_exception_for_one_hand():
    """The message names the hand, however long the exception is."""
    wrong = STANDARD.examples[4000].tolist()

    @holdem.evaluator("failing")
    def failing(cards):
        if list(cards) == wrong:
            raise ValueError("oops " * 100)
        return reference.strength(cards)

    with pytest.raises(EvaluatorError) as caught:
        strength_of(failing)
    assert str(caught.value).startswith("evaluator 'failing' failed: ValueError: oops oops")
    assert str(caught.value).endswith(f"…, for {cards_text(wrong, ' ')}")
    assert len(str(caught.value).split(" failed: ")[1].rpartition(", for ")[0]) == 200


def test_ctrl_c():
    """It is raised, and the evaluator can be used again."""
    interrupts = [KeyboardInterrupt()]

    @holdem.evaluator("interrupted")
    def interrupted(cards):
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and interrupts:
            raise interrupts.pop()
        return reference.strength(cards)

    with pytest.raises(KeyboardInterrupt):
        strength_of(interrupted)
    assert strength_of("reference") == strength_of(interrupted)


def test_keyboard_interrupt_in_another_thread_is_a_fault():
    """Python raises Ctrl-C in the main thread only, and the engine ranks in others."""
    calls = []

    @holdem.evaluator("odd")
    def odd(cards):
        if "raise" in calls:
            raise KeyboardInterrupt("mine")
        return reference.strength(cards)

    assert strength_of("reference") == strength_of(odd)  # loads it
    calls.append("raise")
    evaluator = holdem.get_evaluator(odd, direct=True)
    with pytest.raises(
        EvaluatorError, match=r"^evaluator 'odd' failed: KeyboardInterrupt: mine, for "
    ):
        holdem.aggregate(players=2, hands=10, evaluator=evaluator)


@pytest.mark.parametrize(
    ("decorate", "error", "told"),
    [
        (lambda: holdem.evaluator(lambda cards: 0), HoldemTypeError, "takes a name first"),
        (lambda: holdem.evaluator("mine")(5), HoldemTypeError, "decorates a function, not 5"),
        (
            lambda: holdem.evaluator("Mine")(len),
            EvaluatorError,
            "'Mine' is not a valid evaluator name",
        ),
        (
            lambda: holdem.evaluator("mine", hand_sizes={7})(len),
            EvaluatorError,
            "hand_sizes must be",
        ),
        (
            lambda: holdem.evaluator("mine", hand_sizes=5)(len),
            HoldemTypeError,
            "hand_sizes must be",
        ),
        (lambda: holdem.evaluator("mine", rules="omaha")(len), EvaluatorError, "unknown rule set"),
        (
            lambda: holdem.register(len),
            HoldemTypeError,
            "register takes an EvaluatorSpec or a RuleSet, not",
        ),
    ],
)
def test_misuse(decorate, error, told):
    """A missing name, no function or an invalid name is an error of the decorator."""
    with pytest.raises(error, match=told):
        decorate()
