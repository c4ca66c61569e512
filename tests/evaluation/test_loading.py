"""Loading of evaluators, their scales, and consistency checks."""

import os
import signal
import sys
import threading

import numpy as np
import pytest

import holdem
from hands import EVALUATORS, classes_by, lookup, make, random_hands
from holdem.errors import EvaluatorError
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.scale import Scale
from holdem.rules import CATEGORIES, STANDARD


def test_scale():
    """It has classes and categories of the strengths of all examples."""
    for name in ("lookup", "reference"):
        evaluator = holdem.get_evaluator(name)
        strengths = evaluator.strengths(STANDARD.examples)
        np.testing.assert_array_equal(np.arange(1, 7463), evaluator.scale.classes(strengths))
        expected = [CATEGORIES.index(c.category) for c in STANDARD.classes]
        assert expected == evaluator.scale.categories(strengths).tolist()
        assert (7462,) == evaluator.scale.strengths.shape
        assert (8,) == evaluator.scale.category_bounds.shape


@pytest.mark.parametrize("strength", [0, 7463, -1, 2**62])
def test_strength_of_no_class(strength):
    """The scale of `lookup` is 1..7462."""
    with pytest.raises(EvaluatorError, match=f"strength {strength} is not that of any five-card"):
        lookup().scale.classes(np.array([1, strength, 7462]))


@pytest.mark.parametrize("first", [-(2**63), 2**63 - 7462])
@pytest.mark.parametrize("count", [8191, 8192])
def test_strengths_at_the_ends_of_int64(first, count):
    """Many strengths are converted by a table, which has room for one more at each end."""
    strengths = first + np.arange(7462)
    classes = Scale(strengths, strengths[:1]).classes(np.resize(strengths, count))
    np.testing.assert_array_equal(np.resize(np.arange(7462, 0, -1), count), classes)


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_large_strengths(kind):
    """Strengths up to 2^63 - 1 that differ by one keep their order, signed or not."""
    base = kind(2**63 - 1 - 7462)
    evaluator = make(lambda hands: base + rank_batch(hands).astype(kind))
    hands = random_hands(300, 5, seed=4)
    np.testing.assert_array_equal(classes_by(lookup(), hands), classes_by(evaluator, hands))
    np.testing.assert_array_equal(
        lookup().scale.categories(lookup().rank(STANDARD.examples)),
        evaluator.scale.categories(evaluator.rank(STANDARD.examples)),
    )
    found = holdem.evaluate("As Ks Qs Js Ts", evaluator=evaluator)
    assert (1, 2**63 - 1) == (found.rank_class, found.strength)


def test_strengths_above_63_bits():
    """Unsigned strengths from 2^63 on would become negative."""
    evaluator = make(lambda hands: rank_batch(hands).astype(np.uint64) + np.uint64(2**63))
    with pytest.raises(EvaluatorError, match="'mine'"):
        evaluator.strengths(random_hands(1, 5, seed=1))


def altered(changes):
    """Return a batch function like `lookup` with some strengths replaced."""

    def rank(hands):
        strengths = rank_batch(hands)
        for old, new in changes.items():
            strengths[rank_batch(hands) == old] = new
        return strengths

    return rank


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {7462: 7461},
            "ties Royal Flush Ac Kc Qc Jc Tc (strength 7461) and the weaker"
            " Straight Flush, King high Kc Qc Jc Tc 9c (strength 7461);"
            " 1 of 7,461 pairs of adjacent classes",
        ),
        (
            {1: 8000},
            "misorders High Card, Seven 7c 6c 4c 3c 2s (strength 2) and the weaker"
            " High Card, Seven 7c 5c 4c 3c 2s (strength 8000);"
            " 1 of 7,461 pairs of adjacent classes",
        ),
    ],
)
def test_one_wrong_class(changes, told):
    """It is an error of the first use."""
    with pytest.raises(EvaluatorError) as caught:
        holdem.evaluate("Kc Kd Ah Qs Js", evaluator=make(altered(changes)))
    fault, _, hint = str(caught.value).rpartition("; to see all: ")
    assert f"evaluator 'mine' {told} is wrong" == fault
    assert "holdem.testing.assert_conforms in this script" == hint


def test_all_hands_tie():
    with pytest.raises(EvaluatorError, match="; all hands tie; to see all: "):
        make(lambda hands: np.zeros(len(hands), dtype=int)).load()


def ace_to_five(hands):
    """The strength for lowball in which aces are low, and straights and flushes don't count."""
    ranks = ((hands >> 2).astype(np.int64) + 1) % 13
    counts = (ranks[:, :, None] == np.arange(13)).sum(axis=1)
    order = np.sort(counts << 4 | np.arange(13) * (counts > 0), axis=1)[:, ::-1]
    return -(order[:, :5] * 128 ** np.arange(4, -1, -1)).sum(axis=1)


@pytest.mark.parametrize("low", [lambda hands: -rank_batch(hands), ace_to_five])
def test_reversed_order(low):
    whole = "the order is reversed: bigger must be stronger, and the lowest hand can't win here"
    with pytest.raises(EvaluatorError, match=f"; {whole}, as there is no lowball; to see all: "):
        make(low).load()


@pytest.mark.parametrize(
    ("library", "told"),
    [("theirs 1.2", "theirs 1.2"), ("two\nlines \x1b", r"two lines \x1b"), (5, "")],
)
def test_library(library, told):
    """It is one line of text, whatever the attribute is."""
    rank = altered({})
    assert "" == make(rank).library
    rank.library = library
    assert told == make(rank).library


def test_known_hands_are_ranked_again():
    """One at first, then one for each 1,024, at most sixteen at a time; after some time, all."""
    asked = []

    def rank(hands):
        asked.append(hands.copy())
        return rank_batch(hands)

    evaluator = make(rank, sizes={5, 6, 7})
    evaluator.load()
    begun = len(asked)
    for count, known in [(1, 1), (1023, 0), (1, 1), (5000, 4), (4096, 4), (100_000, 16)]:
        hands = random_hands(count, 7, seed=1)
        np.testing.assert_array_equal(rank_batch(hands), evaluator.rank(hands))
        assert [count, known][: 1 + bool(known)] == [len(hands) for hands in asked[begun:]]
        begun = len(asked)
    hands = random_hands(1 << 14, 5, seed=1)
    for _ in range(500):
        evaluator.rank(hands)
    again = {hand for hands in asked[begun:] if len(hands) == 16 for hand in map(bytes, hands)}
    assert len(again) > 7000


@pytest.mark.parametrize(
    ("load", "told"),
    [
        (lambda: 1 / 0, "cannot be loaded: ZeroDivisionError: division by zero"),
        (lambda: sys.exit("no licence"), "cannot be loaded: SystemExit: no licence"),
        (lambda: None, ": load returned None, not a function"),
    ],
)
def test_load_fails(load, told):
    """`load` is called once, and every use has the same error."""
    loads = []

    def counted():
        loads.append(1)
        return load()

    evaluator = Evaluator(EvaluatorSpec("mine", "", "", {5}, counted))
    assert "" == evaluator.failure
    for _ in range(3):
        with pytest.raises(EvaluatorError) as caught:
            evaluator.strengths(random_hands(1, 5, seed=1))
        separator = "" if told.startswith(":") else " "
        assert f"evaluator 'mine'{separator}{told}" == str(caught.value)
    assert [1] == loads
    assert str(caught.value) == evaluator.failure


def test_load_uses_its_own_evaluator():
    """It is an error, not a deadlock, and `load` is called once."""
    loads = []

    def load():
        loads.append(1)
        return evaluator.scale

    evaluator = Evaluator(EvaluatorSpec("mine", "", "", {5}, load))
    with pytest.raises(EvaluatorError, match="cannot be loaded: evaluator 'mine' is used while"):
        evaluator.load()
    assert loads == [1]


WINS = holdem.equity("AcAs", "KdKh", board="2c3c4d").players[0].wins


def in_time(call):
    """Return what a call returns within a minute in a thread that may be left hanging."""
    answers = []
    thread = threading.Thread(target=lambda: answers.append(call()), daemon=True)
    thread.start()
    thread.join(60)
    return answers[0] if answers else "hung"


def test_load_or_function_asks_the_engine():
    """It is answered, in `load`, in the proof and in other threads of the engine."""
    asked = []

    def equity(evaluator=None):
        return holdem.equity("AcAs", "KdKh", board="2c3c4d", evaluator=evaluator).players[0].wins

    def load():
        asked.append(equity())
        asked.append(equity("bitwise"))

        def rank(hands):
            if len(asked) < 3:
                asked.append(equity("reference"))
            return rank_batch(hands)

        return rank

    evaluator = Evaluator(EvaluatorSpec("mine", "", "", {5, 6, 7}, load))

    assert in_time(lambda: equity(evaluator)) == WINS
    assert asked == [WINS] * 3


@pytest.fixture
def being_proved():
    """An evaluator whose proof, in another thread, waits for the end of the test."""
    proving, end = threading.Event(), threading.Event()

    def rank(hands):
        proving.set()
        end.wait()
        return rank_batch(hands)

    evaluator = Evaluator(EvaluatorSpec("mine", "", "", {5, 6, 7}, lambda: rank))
    thread = threading.Thread(target=lambda: evaluator.ranker)
    thread.start()
    proving.wait()
    yield evaluator
    end.set()
    thread.join()


def answer_of_a_new_evaluator():
    fresh = Evaluator(EvaluatorSpec("fresh", "", "", {5, 6, 7}, lambda: rank_batch))
    return holdem.equity("AcAs", "KdKh", board="2c3c4d", evaluator=fresh).players[0].wins


def test_others_answer_beside_a_slow_proof(being_proved):
    assert in_time(answer_of_a_new_evaluator) == WINS
    assert being_proved.check is None


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_forked_child_answers_beside_a_slow_proof(being_proved):
    """The child has no copy of the thread that proves; it must not wait for its locks."""
    child = os.fork()
    if not child:
        signal.alarm(60)
        os._exit(0 if answer_of_a_new_evaluator() == WINS else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert being_proved.check is None


def test_all_have_tables_but_those_of_wild_cards():
    """With `direct` none has."""
    found = {name for name in EVALUATORS if holdem.get_evaluator(name).has_tables}
    assert {*EVALUATORS} - {"deuces-wild"} == found
    assert not any(holdem.get_evaluator(name, direct=True).has_tables for name in EVALUATORS)


def test_only_lookup_is_not_checked():
    """The tables are its own; another evaluator is checked, whatever its name and function."""
    lookup().load()
    assert lookup().check is None
    mine = make(rank_batch, sizes={5, 6, 7}, name="lookup")
    mine.load()
    assert 82_784 == mine.check.kinds
