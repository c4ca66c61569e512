"""Whole hands, statistics and comparisons with the short deck of 36 cards."""

from __future__ import annotations

import json
from collections import Counter

import pytest

import holdem
from holdem.cli import run
from holdem.evaluation.builtin import reference
from holdem.ranges.combos import Combo
from holdem.ranges.starting_hands import starting_hands
from holdem.rules import SHORT_DECK
from holdem.trials.comparison import compare_hands
from naive import best_fives


def test_hands_are_dealt_from_36_cards():
    """Hands have all cards of the deck, and none below six."""
    seen = Counter()
    for hand in holdem.simulate(players=10, hands=200, seed=7, evaluator="short-deck"):
        cards = [*hand.burns, *hand.board, *(card for seat in hand.seats for card in seat.hole)]
        assert 28 == len(set(cards))
        seen.update(cards)
    assert set(SHORT_DECK.deck) == set(seen)


def test_hands_are_ranked_by_the_rules():
    """Values, best five cards and winners are those of the reference."""
    for hand in holdem.simulate(players=4, hands=60, seed=7, evaluator="short-deck"):
        strengths = []
        for seat in hand.seats:
            best = best_fives((*seat.hole, *hand.board), SHORT_DECK)[0]
            assert reference.classify(best, SHORT_DECK) == (
                seat.value.category,
                seat.value.hand_class.ranks,
            )
            strengths.append(reference.strength(best, SHORT_DECK))
        top = max(strengths)
        assert tuple(at for at, value in enumerate(strengths) if value == top) == hand.winners


def test_statistics_are_those_of_the_hands():
    """`aggregate` counts the simulated hands, with the deck's ranking of starting hands."""
    players, hands = 3, 500
    found = holdem.aggregate(
        players=players, hands=hands, seed=7, evaluator="short-deck", workers=2
    )
    places = {hand.name: place for place, hand in enumerate(starting_hands(SHORT_DECK))}
    categories, winning, best = Counter(), Counter(), Counter()
    for hand in holdem.simulate(players=players, hands=hands, seed=7, evaluator="short-deck"):
        categories.update(seat.value.category for seat in hand.seats)
        winning.update(hand.seats[seat].value.category for seat in hand.winners)
        starts = [places[Combo(seat.hole).class_name] for seat in hand.seats]
        holders = {at for at, place in enumerate(starts) if place == min(starts)}
        won = holders & set(hand.winners)
        best["losses" if not won else "wins" if len(hand.winners) == 1 else "ties"] += 1
    assert list(SHORT_DECK.categories) == list(found.categories)
    assert categories == +Counter(found.categories)
    assert winning == +Counter(found.winning_categories)
    assert best == {name: getattr(found.best_starting_hand, name) for name in best}
    assert found.evaluator.name == "short-deck"


def test_the_command_deals_from_the_evaluators_deck(capsys):
    """`holdem deal --evaluator short-deck` prints the hands that `simulate` deals."""
    assert run(["deal", "-n", "5", "--seed", "7", "--evaluator", "short-deck", "-f", "jsonl"]) == 0
    lines = capsys.readouterr().out.splitlines()
    expected = holdem.simulate(players=6, hands=5, seed=7, evaluator="short-deck")
    assert [hand.to_dict() for hand in expected] == [json.loads(line) for line in lines]


def test_pairs_of_hands():
    """Comparisons follow the rule set; cards that are not in the deck raise errors."""
    lines = ["As Ks 9s 7s 6s | Ac Ad Ah Kc Kd", "As 6c 7d 8h 9s | Td 9c 8c 7c 6d"]
    found = compare_hands(lines, evaluator="short-deck")
    assert (1, 1, 0) == (found.first, found.second, found.tie)
    with pytest.raises(holdem.CardError) as caught:
        compare_hands([*lines, "As Ks 9s 7s 6s | Ac Ad Ah Kc 5d"], evaluator="short-deck")
    assert str(caught.value) == (
        "line 3: second hand: 5d is not in the deck of short-deck rules (36 cards, 6 to A)"
    )


def test_one_hand_with_a_card_that_the_deck_does_not_have():
    """Errors about cards that are not in the deck name the card, or the row of an array."""
    with pytest.raises(holdem.CardError) as caught:
        holdem.evaluate("As Ks 9s 7s 2s", evaluator="short-deck")
    assert str(caught.value) == (
        "hand: 2s is not in the deck of short-deck rules (36 cards, 6 to A)"
    )
