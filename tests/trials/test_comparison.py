"""Comparisons of pairs of hands from lines of text."""

from pathlib import Path

import pytest

import holdem
from holdem.evaluation.builtin.reference import strength
from holdem.trials.comparison import compare_hands

FILE = Path(__file__).parents[1] / "data" / "comparison_hands.txt"


def _by_the_rule_book():
    counts = [0, 0, 0]
    for line in FILE.read_text(encoding="utf-8").splitlines()[1:]:
        cards = holdem.parse_cards(line)
        one, other = strength(cards[:5]), strength(cards[5:])
        counts[0 if one > other else 1 if one < other else 2] += 1
    return counts


@pytest.mark.parametrize(
    "name", ["lookup", "reference", "bitwise", "suit-mask", "cactus-kev", "dead-horse"]
)
def test_a_thousand_pairs(name):
    """A thousand pairs compare as by the reference, with every evaluator."""
    expected = _by_the_rule_book()
    assert sum(expected) == 1000
    with FILE.open(encoding="utf-8") as lines:
        found = compare_hands(lines, evaluator=name)
    assert expected == [found.first, found.second, found.tie]


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
    assert label == found.evaluator


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
