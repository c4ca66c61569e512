"""An evaluator in use: what it lets in, what it hands on, and what it refuses."""

import sys
import threading

import numpy as np
import pytest
from hands import EVALUATORS, classes_by, random_hands

import holdem
from holdem.errors import CardError, EvaluatorError, HoldemTypeError
from holdem.evaluation import checking, reference
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.lookup.kernels import rank_batch
from holdem.values import CATEGORIES, STANDARD


def make(rank, sizes=(5,), name="mine"):
    """Return an evaluator of a batch function."""
    return Evaluator(EvaluatorSpec(name, "", "", sizes, lambda: rank))


def lookup():
    """Return the default evaluator."""
    return holdem.get_evaluator("lookup")


# --- hands that come in ----------------------------------------------------------------


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


@pytest.mark.parametrize("count", [3, checking._MANY + 3])
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
        monkeypatch.setattr(checking, "_MANY", 1)
        assert expected == checking._first_invalid(hands, deck)
        monkeypatch.setattr(checking, "_MANY", 1000)
        assert expected == checking._first_invalid(hands, deck)
        firsts.add(expected)
    assert len(firsts) > 10


def test_the_compiled_check_lets_valid_hands_pass():
    """A large batch of hands is ranked, the empty one too."""
    hands = random_hands(checking._MANY + 1, 7, seed=3)
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


# --- loading and the scale -------------------------------------------------------------


def test_the_scale_knows_classes_and_categories():
    """The strengths of the examples give back class and category."""
    for name in ("lookup", "reference"):
        evaluator = holdem.get_evaluator(name)
        strengths = evaluator.strengths(STANDARD.examples)
        np.testing.assert_array_equal(np.arange(1, 7463), evaluator.scale.classes(strengths))
        expected = [CATEGORIES.index(c.category) for c in STANDARD.classes]
        assert expected == evaluator.scale.categories(strengths).tolist()
        assert (7462,) == evaluator.scale.strengths.shape
        assert (8,) == evaluator.scale.category_bounds.shape


@pytest.mark.parametrize("strength", [0, 7463, -1, 2**62])
def test_a_strength_of_no_class_is_an_error(strength):
    """The scale of `lookup` is 1..7462; anything else belongs to no hand."""
    with pytest.raises(EvaluatorError, match=f"strength {strength} is not that of any five-card"):
        lookup().scale.classes(np.array([1, strength, 7462]))


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_strengths_may_be_large_and_close(kind):
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


def test_strengths_beyond_63_bits_are_refused():
    """Unsigned strengths from 2^63 on would turn negative."""
    evaluator = make(lambda hands: rank_batch(hands).astype(np.uint64) + np.uint64(2**63))
    with pytest.raises(EvaluatorError, match=r"evaluator 'mine': strengths above 2\^63-1"):
        evaluator.strengths(random_hands(1, 5, seed=1))


def altered(changes):
    """Return a batch function like `lookup` but for the strengths named in `changes`."""

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
            " Straight Flush, King high Kc Qc Jc Tc 9c (strength 7461); 1 of 7,461 neighbours",
        ),
        (
            {5863: 5862, 5862: 5863},
            "misorders Straight, Ace high Ac Kc Qc Jc Ts (strength 5862) and the weaker"
            " Straight, King high Kc Qc Jc Tc 9s (strength 5863); 1 of 7,461 neighbours",
        ),
        (
            {5854: 0},
            "misorders Straight, Five high 5c 4c 3c 2c As (strength 0) and the weaker"
            " Three of a Kind, Aces Ac Ad Ah Kc Qs (strength 5853); 1 of 7,461 neighbours",
        ),
        (
            {1: 2},
            "ties High Card, Seven 7c 6c 4c 3c 2s (strength 2) and the weaker"
            " High Card, Seven 7c 5c 4c 3c 2s (strength 2); 1 of 7,461 neighbours",
        ),
        (
            {1: 8000},
            "misorders High Card, Seven 7c 6c 4c 3c 2s (strength 2) and the weaker"
            " High Card, Seven 7c 5c 4c 3c 2s (strength 8000); 1 of 7,461 neighbours",
        ),
    ],
)
def test_one_wrong_class_is_found_before_the_first_answer(changes, told):
    """An evaluator that ties or misorders a single class is refused when it is loaded."""
    with pytest.raises(EvaluatorError) as caught:
        holdem.evaluate("Kc Kd Ah Qs Js", evaluator=make(altered(changes)))
    fault, _, hint = str(caught.value).rpartition("; to see all: ")
    assert f"evaluator 'mine' {told} is wrong" == fault
    assert "holdem evaluators check mine, or holdem.testing.assert_conforms in a script" == hint


def test_an_evaluator_that_ties_everything_is_refused():
    """The message says that it is all of them."""
    with pytest.raises(EvaluatorError, match="; here all hands tie; to see all: "):
        make(lambda hands: np.zeros(len(hands), dtype=int)).scale  # noqa: B018


def test_an_evaluator_of_the_other_direction_is_told_so():
    """Where smaller is stronger the message says that, in the words of the check."""
    whole = "bigger is stronger, and here all is the other way round"
    with pytest.raises(EvaluatorError, match=f"; {whole}; to see all: "):
        make(lambda hands: -rank_batch(hands)).scale  # noqa: B018


def test_the_wrong_neighbours_are_counted():
    """Two that are wrong are told as two."""
    with pytest.raises(EvaluatorError, match="; 2 of 7,461 neighbours are wrong; to see"):
        make(altered({1: 2, 7462: 7461})).scale  # noqa: B018


@pytest.mark.parametrize(
    ("library", "told"),
    [("theirs 1.2", "theirs 1.2"), ("two\nlines \x1b", r"two lines \x1b"), (5, "")],
)
def test_the_library_that_answers_is_what_load_says(library, told):
    """One line of text, whatever the attribute holds; nothing where there is none."""
    rank = altered({})
    assert "" == make(rank).library
    rank.library = library
    assert told == make(rank).library


def test_known_hands_are_asked_again():
    """One with the first hands, then one for each 1,024, sixteen at most; in time, all of them."""
    asked = []

    def rank(hands):
        asked.append(hands.copy())
        return rank_batch(hands)

    evaluator = make(rank, sizes={5, 6, 7})
    evaluator.scale  # noqa: B018 - loads it
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


def test_load_is_called_once_on_first_use():
    """Nothing is loaded until it is asked; then once, also from many threads at a time."""
    loads = []

    def load():
        loads.append(threading.get_ident())
        return rank_batch

    evaluator = Evaluator(EvaluatorSpec("mine", "", "", {5, 6, 7}, load))
    assert ("mine", "standard") == (evaluator.name, evaluator.rules.name)
    assert not loads
    hands = random_hands(10, 7, seed=1)
    start = threading.Barrier(8)
    answers = []

    def ask():
        start.wait()
        answers.append(evaluator.strengths(hands))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 == len(loads)
    assert 8 == len(answers)
    for answer in answers:
        np.testing.assert_array_equal(lookup().strengths(hands), answer)


@pytest.mark.parametrize(
    ("load", "told"),
    [
        (lambda: 1 / 0, "cannot be loaded: ZeroDivisionError: division by zero"),
        (lambda: sys.exit("no licence"), "cannot be loaded: SystemExit: no licence"),
        (lambda: sys.exit(), "cannot be loaded: SystemExit"),
        (lambda: None, ": load returned None, not a function"),
        (lambda: 5, ": load returned 5, not a function"),
    ],
)
def test_a_load_that_fails_is_told_and_remembered(load, told):
    """`load` is called once even where it fails: every later use says the same."""
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


def test_a_load_that_needs_itself_fails():
    """It ends in an error, neither in a deadlock nor in a crash."""
    evaluator = Evaluator(EvaluatorSpec("mine", "", "", {5}, lambda: evaluator.scale))
    with pytest.raises(EvaluatorError, match="evaluator 'mine' cannot be loaded: "):
        evaluator.scale  # noqa: B018


def test_only_lookup_is_built_into_kernels():
    """Kernels have `lookup` built in, and no other."""
    found = {name for name in EVALUATORS if holdem.get_evaluator(name).is_fused}
    assert {"lookup"} == found
    assert not make(rank_batch, name="lookup").is_fused


def test_the_reference_has_the_published_strengths_of_its_scale():
    """The scale is in the evaluator's own numbers."""
    evaluator = holdem.get_evaluator("reference")
    expected = [reference.strength(hand) for hand in STANDARD.examples.tolist()][::-1]
    assert expected == evaluator.scale.strengths.tolist()
