"""What the strengths of hands have in common, for every evaluator."""

from itertools import combinations

import numpy as np
from hypothesis import strategies as st

import holdem
from hands import EVALUATORS
from properties import decks, holds_for

ALL = (*EVALUATORS, "deuces-wild")
ORDERS = st.permutations(range(7))


def every_evaluator():
    return [holdem.get_evaluator(name) for name in ALL]


def each(rows):
    return np.array(rows, dtype=np.uint8)


@holds_for(6, 1000, cards=decks(7))
def test_seven_cards_are_the_best_of_21(cards):
    for evaluator in every_evaluator():
        fives = evaluator.strengths(each(list(combinations(cards, 5))))
        assert evaluator.strengths(each([cards]))[0] == fives.max(), evaluator.name


@holds_for(6, 1000, cards=decks(6))
def test_six_cards_are_the_best_of_6(cards):
    for evaluator in every_evaluator():
        fives = evaluator.strengths(each(list(combinations(cards, 5))))
        assert evaluator.strengths(each([cards]))[0] == fives.max(), evaluator.name


@holds_for(6, 1000, cards=decks(5))
def test_another_card_never_weakens_a_hand(cards):
    """All cards that may be the sixth, and all pairs that may be the sixth and seventh."""
    rest = [card for card in range(52) if card not in cards]
    for evaluator in every_evaluator():
        before = evaluator.strengths(each([cards]))[0]
        sixes = evaluator.strengths(each([[*cards, card] for card in rest]))
        assert (sixes >= before).all(), evaluator.name
        if evaluator.name != "reference":
            pairs = list(combinations(range(47), 2))
            sevens = evaluator.strengths(each([[*cards, rest[i], rest[j]] for i, j in pairs]))
            first, second = np.array(pairs).T
            assert (sevens >= np.maximum(sixes[first], sixes[second])).all(), evaluator.name


@holds_for(10, 2000, cards=decks(7), suits=st.permutations(range(4)), order=ORDERS)
def test_suits_and_order_make_no_difference(cards, suits, order):
    """Wild twos are wild in every suit."""
    moved = [cards[place] // 4 * 4 + suits[cards[place] % 4] for place in order]
    for evaluator in every_evaluator():
        one, other = evaluator.strengths(each([cards, moved]))
        assert one == other, evaluator.name
        five = sorted(order[:5])
        one, other = evaluator.strengths(
            each([[cards[place] for place in five], [moved[order.index(p)] for p in five]])
        )
        assert one == other, evaluator.name


@holds_for(10, 2000, one=decks(7), other=decks(7))
def test_evaluators_agree(one, other):
    """Each evaluator of the standard rules ranks two hands as the rule book does."""
    expected = None
    for name in EVALUATORS:
        first, second = holdem.get_evaluator(name).strengths(each([one, other])).tolist()
        found = (first > second) - (first < second)
        assert expected in (None, found), name
        expected = found
