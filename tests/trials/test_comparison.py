"""Comparisons of pairs of hands from lines of text."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import holdem
from holdem import compare_hands
from holdem.evaluation.builtin.reference import strength

ROOT = Path(__file__).parents[2]
FILE = ROOT / "tests" / "data" / "comparison_hands.txt"

# The examples of Project Euler's problem 54, with the winner that it states.
EULER_54 = [
    ("5H 5C 6S 7S KD", "2C 3S 8S 8D TD", -1),
    ("5D 8C 9S JS AC", "2C 5C 7D 8S QH", 1),
    ("2D 9C AS AH AC", "3D 6D 7D TD QD", -1),
    ("4D 6S 9H QH QC", "3D 6D 7H QD QS", 1),
    ("2H 2D 4C 4D 4S", "3C 3D 3S 9S 9D", 1),
]


def _pairs_of_the_file():
    """Return the hands of the file, ``uint8 (pair, 2, 5)``."""
    lines = FILE.read_text(encoding="utf-8").splitlines()[1:]
    return np.array([holdem.parse_cards(line) for line in lines], np.uint8).reshape(-1, 2, 5)


def _winners_by_reference(pairs):
    strengths = [[strength(hand) for hand in pair] for pair in pairs.tolist()]
    return [(first > second) - (first < second) for first, second in strengths]


@pytest.mark.parametrize(
    "name", ["lookup", "reference", "bitwise", "suit-mask", "cactus-kev", "dead-horse"]
)
def test_a_thousand_pairs(name):
    """A thousand pairs compare as by the reference, with every evaluator, as text and arrays."""
    pairs = _pairs_of_the_file()
    expected = _winners_by_reference(pairs)
    assert len(expected) == 1000
    with FILE.open(encoding="utf-8") as lines:
        found = compare_hands(lines, evaluator=name)
    assert expected == found.winners.tolist()
    counts = [expected.count(winner) for winner in (1, -1, 0)]
    assert counts == [found.first, found.second, found.tie]
    assert found == compare_hands(pairs[:, 0], pairs[:, 1], evaluator=name)


# --- two hands, arrays -------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second", "winner"), EULER_54)
def test_examples_of_project_euler(first, second, winner):
    """The stated winner wins, with each form of a hand, and in either order."""
    ids = [np.array(holdem.parse_cards(hand), np.uint8) for hand in (first, second)]
    for one, other in [
        (first, second),
        (first.split(), holdem.parse_cards(second)),
        ids,
        (ids[0][None], ids[1][None]),
    ]:
        assert [winner] == compare_hands(one, other).winners.tolist()
        assert [-winner] == compare_hands(other, one).winners.tolist()
    assert [winner] == compare_hands(f"{first} {second}").winners.tolist()
    assert [winner] == compare_hands(first, second, evaluator="cactus-kev").winners.tolist()


def test_the_file_of_examples():
    """The file in the docs has the five examples, and the first hand wins three of them."""
    text = (ROOT / "docs" / "examples" / "pairs.txt").read_text(encoding="utf-8")
    assert [f"{first} {second}" for first, second, _ in EULER_54] == text.splitlines()[:5]
    found = compare_hands(text)
    assert (3, 2, 0) == (found.first, found.second, found.tie)
    assert [winner for *_, winner in EULER_54] == found.winners.tolist()


def test_the_articles_hands():
    """`KD QS JC TH 9S` beats `7C 5D 4H 3S 2C`; suits alone make no difference."""
    assert compare_hands("7C 5D 4H 3S 2C", "KD QS JC TH 9S").second == 1
    assert compare_hands("AsKsQsJsTs", "AhKhQhJhTh").tie == 1


def test_winners_are_int8_and_other_integers_are_converted():
    """Ids of any integer type are accepted; `winners` is ``int8 (pair,)``."""
    pairs = _pairs_of_the_file()
    found = compare_hands(pairs[:, 0].astype(np.int64), pairs[:, 1].astype(np.uint16))
    assert (found.winners.dtype, found.winners.shape) == (np.int8, (1000,))
    assert found == compare_hands(pairs[:, 0], pairs[:, 1])


@pytest.mark.parametrize("pairs", [(np.empty((0, 5), np.uint8),) * 2, ("",), ([],)])
def test_no_pairs(pairs):
    """Without pairs all counts are 0."""
    found = compare_hands(*pairs)
    assert (0, 0, 0, (0,)) == (found.first, found.second, found.tie, found.winners.shape)


def test_comparisons_are_values():
    """Comparisons are equal if their winners and evaluators are, and can be copied."""
    better, worse = "2C 3S 8S 8D TD", "5H 5C 6S 7S KD"
    found = compare_hands([f"{better} | {worse}", f"{worse} | {better}"])
    assert found == copy.deepcopy(found) == pickle.loads(pickle.dumps(found))
    assert found != compare_hands([f"{worse} | {better}", f"{better} | {worse}"])
    lines = [f"{better} | {worse}", f"{worse} | {better}"]
    assert found == compare_hands(lines, evaluator="lookup")
    assert found != compare_hands(lines, evaluator="cactus-kev")


WRONG_CARDS = [
    ("As Ks", "AsKsQsJsTs", "the first hand has 2 cards, not 5: As Ks"),
    ("AsKsQsJsTs", "", "the second hand has 0 cards, not 5: none given"),
    ("AsKsQsJsTs", "2c2c3c4c5c", "second hand: 2c appears twice"),
    ([0, 1, 2, 3, 52], "AsKsQsJsTs", "first hand: item 5: no card has the id 52"),
    (
        np.array([[0, 1, 2, 3, 4], [0, 1, 2, 3, 3]]),
        np.array([[5, 6, 7, 8, 9]] * 2),
        "first hands: hand 1: 2c 2d 2h 2s 2s has 2s twice",
    ),
    (np.array([[0, 1, 2, 3, 4]]), np.array([[5, 6, 7, 8, 52]]), "second hands: hand 0: "),
]


@pytest.mark.parametrize(("first", "second", "told"), WRONG_CARDS)
def test_wrong_cards(first, second, told):
    """The error for a hand that is none names the side, and the row or item."""
    with pytest.raises(holdem.CardError) as caught:
        compare_hands(first, second)
    assert told in str(caught.value)


HANDS = np.arange(10, dtype=np.uint8).reshape(2, 5)


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (HANDS, np.arange(6)[None], "second hands: expected hands of five cards, shape (n, 5)"),
        (HANDS[None], HANDS, "first hands: expected hands of five cards, shape (n, 5), not (1, 2"),
        (HANDS, HANDS[:1], "2 first and 1 second hands make no pairs"),
        (HANDS, HANDS / 2, "second hands: expected card ids (uint8), not float64"),
        (5, "AsKsQsJsTs", "first hand: expected text or a sequence of cards, not 5"),
        (7, None, "expected lines of text or two hands, not 7"),
        (HANDS, None, "line 1: expected text, not "),
    ],
)
def test_wrong_types(first, second, told):
    """Errors for other types and shapes say which are accepted."""
    with pytest.raises(holdem.HoldemTypeError) as caught:
        compare_hands(first, second)
    assert told in str(caught.value)
    assert str(caught.value).isprintable()


# --- lines -------------------------------------------------------------------------------


def test_forms_of_a_line():
    """Lines have ten cards, or two hands with a bar; empty lines and comments are skipped."""
    lines = [
        "8C TS KC 9H 4S 7D 2S 5D 3S AC",
        "",
        "# a comment",
        "7c5d4h3s2c | KdQsJcTh9s  # the second wins",
        "AsKsQsJsTs|AhKhQhJhTh",
    ]
    expected = {"schema": "holdem/comparison/1", "first": 0, "second": 2, "tie": 1}
    assert expected == compare_hands(lines).to_dict()
    found = compare_hands(lines, evaluator="cactus-kev")
    label = {"name": "cactus-kev", "version": holdem.__version__}
    assert {**expected, "evaluator": label} == found.to_dict()
    assert label == found.evaluator.to_dict()


def test_a_card_may_stand_on_both_sides():
    """A card may appear on both sides."""
    assert compare_hands(["As2c3d4h6s As2d3h4s7c"]).second == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("As Ks Qs Js", "line 2: 'As Ks Qs Js' has 4 cards, not 10"),
        ("AsAs3d4h6s 2s2d3h4s7c", "line 2: first hand: As appears twice"),
        ("As2c3d4h6s | 2s2d3h4s2s", "line 2: second hand: 2s appears twice"),
        ("As2c3d4h6s | 2s2d3h4s", "line 2: the second hand has 4 cards, not 5"),
        ("a|b|c", "line 2: 'a|b|c' has 3 sides"),
        ("As2c3d4h6x 2s2d3h4s7c", "line 2: '6x' at position 9"),
        ("As2c3d4h6s \x1b[31m", "line 2: "),
    ],
)
def test_faults_name_the_line(line, told):
    """The error for an invalid line has its number and the reason."""
    with pytest.raises(holdem.CardError) as caught:
        compare_hands(["AsKsQsJsTs|AhKhQhJhTh", line])
    assert told in str(caught.value)
    assert str(caught.value).isprintable()
