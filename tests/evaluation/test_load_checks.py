"""The checks of evaluators at load."""

import ctypes
import re

import numpy as np
import pytest

import holdem
from holdem.cards import card_set, card_sets
from holdem.errors import EvaluatorError
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.evaluation.load_checks import class_variants
from holdem.rules import FLUSH, RULE_SETS, STANDARD, STRAIGHT_FLUSH

RULES = pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.name)


def make(change, sizes=(5, 6, 7)):
    """Return `lookup` with strengths modified by ``change(hands, strengths)``."""
    spec = holdem.EvaluatorSpec(
        "mine", "", "", sizes, lambda: lambda hands: change(hands, rank_batch(hands))
    )
    return holdem.get_evaluator(spec)


def refusal(evaluator):
    """Return the error of using an evaluator, which is also its recorded failure."""
    with pytest.raises(EvaluatorError) as caught:
        holdem.evaluate("2c 3d 4h 5s 7c", evaluator=evaluator)
    assert str(caught.value) == evaluator.failure
    assert str(caught.value).isprintable()
    told, _, hint = str(caught.value).rpartition("; to see all: ")
    assert told == "" or hint == "holdem.testing.assert_conforms in this script"
    return told or hint


@RULES
def test_class_variants_have_the_class(rules):
    """They are five different cards of the deck."""
    rows, again = class_variants(rules)
    assert {5} == set(np.bitwise_count(card_sets(again)).tolist())
    assert rules.deck[0] <= again.min()
    name = "lookup" if rules is STANDARD else rules.name
    evaluator = holdem.get_evaluator(name)
    np.testing.assert_array_equal(
        evaluator.rank(rules.examples[rows]), evaluator.rank(np.ascontiguousarray(again))
    )


@RULES
def test_class_variants_of_flushes(rules):
    """Each class has a variant, and each flush one in every suit."""
    rows, again = class_variants(rules)
    assert set(range(len(rules.classes))) == set(rows.tolist())
    suited = [kind.category in (FLUSH, STRAIGHT_FLUSH) for kind in rules.classes]
    pairs = zip(rows.tolist(), (again[:, 0] % 4).tolist(), strict=True)
    found = {(row, suit) for row, suit in pairs if suited[row]}
    assert 4 * sum(suited) == len(found)
    assert len(suited) + 3 * sum(suited) == len(rows)


def test_card_order_of_class_variants():
    """Each of the five cards of an example is first in about a fifth of the variants."""
    rows, again = class_variants(STANDARD)
    ranks = STANDARD.examples[rows] // 4
    lone = np.flatnonzero([len(set(hand)) == 5 for hand in ranks.tolist()])
    first = (ranks[lone] == again[lone, :1] // 4).argmax(axis=1)
    counts = np.bincount(first, minlength=5) / len(lone)
    # A share of 0.2 among some 6,400 hands has a standard deviation of 0.005; 6 of them.
    assert np.abs(counts - 0.2).max() < 0.03


@pytest.mark.parametrize("royal", [False, True])
def test_categories_only(royal):
    """The sentence says what is missing, also if royal flushes count as a category."""

    def tell(hands, strengths):
        numbers = [STANDARD.categories.index(found.category) for found in STANDARD.classes]
        return np.array(numbers)[7462 - strengths] + (royal & (strengths == 7462))

    told = refusal(make(tell))
    assert told.startswith("evaluator 'mine' ties ")
    end = "; it tells categories only: ranks and kickers decide between hands of a category"
    assert told.endswith(end)


def test_several_classes_are_wrong():
    """The two hands of the message are of the class that it names."""
    wrong = [card_set(holdem.parse_cards(hand)) for hand in ("Ah Kh Qh Jh 9h", "9h 7h 5h 4h 2h")]
    told = refusal(make(lambda hands, s: np.where(np.isin(card_sets(hands), wrong), s + 1, s)))
    named, hands = re.search(r"(\w+ high): (.*);", told).groups()
    assert named == "Nine high"  # of the smallest card set
    assert [sorted(hand) for hand in re.findall(r"\b(\w)[cdhs] " * 5, hands)] == [list("24579")] * 2
    assert told.endswith("; 2 of 11,323 hands are wrong")


@pytest.mark.parametrize("size", [6, 7])
def test_cards_are_ignored(size):
    """Hands of six or seven must have the strength of their best five."""

    def five(hands, strengths):
        if hands.shape[1] != size:
            return strengths
        return rank_batch(np.ascontiguousarray(np.sort(hands)[:, :5]))  # in any order of the cards

    told = refusal(make(five))
    assert told.startswith("evaluator 'mine' gives ")
    assert " but its best five, " in told
    total = {6: "30,407", 7: "68,081"}[size]
    assert told.endswith(f" of {total} hands of {size} are wrong")
    assert "" == make(five, sizes={5}).failure  # it is never asked for more


def test_modified_hands():
    """Every batch of the load is compared with a copy."""

    def spoils(hands, strengths):
        if len(hands) > 4000:
            ctypes.memset(hands.ctypes.data, 1, 2)
        return strengths

    told = "evaluator 'mine' modifies the hands that it is given: change a copy, hands.copy()"
    assert told == refusal(make(spoils, {5}))
