"""Ranges of a short deck: combos, errors and percentages."""

from fractions import Fraction

import numpy as np
import pytest

import holdem
from holdem import Range
from holdem.ranges.combos import combos_in_deck
from holdem.ranges.parser import read
from holdem.ranges.starting_hands import classes_in, starting_hand_ranks, starting_hands
from holdem.rules import RULE_SETS, SHORT_DECK, STANDARD


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_every_rule_set_has_a_list_of_its_starting_hands(rules):
    """Starting hands are the classes of the deck's combos, and ranks follow their order."""
    combos = [combo for combo in Range("random") if set(combo) <= set(rules.deck)]
    assert {combo.number for combo in combos} == set(np.flatnonzero(combos_in_deck(rules)).tolist())
    assert {combo.class_name for combo in combos} == {hand.name for hand in starting_hands(rules)}
    ranks = starting_hand_ranks(rules)
    assert all(
        starting_hands(rules)[ranks[combo.number]].name == combo.class_name for combo in combos
    )
    assert len(starting_hands(rules)) <= ranks[~combos_in_deck(rules)].min(initial=255)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("random", "66+,A6+,K6+,Q6+,J6+,T6+,96+,86+,76"),
        ("*", "random"),
        ("XX", "random"),
        ("100%", "random"),
        ("66+", "99-66,AA-TT"),
        ("88-", "66,77,88"),
        ("A9s-", "A9s-A6s"),
        ("A6s+", "AKs-A6s"),
        ("AX", "A6+"),
        ("A*", "A6+,AA"),
        ("T9s-76s", "T9s,98s,87s,76s"),
        ("random ! AA", "KK-66,A6+,K6+,Q6+,J6+,T6+,96+,86+,76"),
        ("0.25(random)", "(66+,A6+,K6+,Q6+,J6+,T6+,96+,86+,76):0.25"),
        ("AKs:0.5, QQ:0.25", "QQ:.25,KsAs:0.5,KhAh:0.5,KdAd:0.5,KcAc:0.5"),
        ("10s9s", "9sTs"),
    ],
)
def test_open_tokens_end_with_the_deck(text, same):
    """Open tokens and wildcards are limited to the deck."""
    assert Range(same, rules="short-deck") == Range(text, rules="short-deck")
    held = Range(text, rules="short-deck")
    assert all(min(combo) >= SHORT_DECK.deck[0] for combo in held)
    assert held == Range(str(held))
    assert held == Range(str(held), rules="short-deck")


@pytest.mark.parametrize(
    ("text", "part", "hint"),
    [
        ("22", "22", None),
        ("AA,55", "55", None),
        ("22+", "22", "66+"),
        ("A2s+, KK", "A2s", "A6s+"),
        ("5A+", "5A", None),
        ("62s+", "62s", None),
        ("AA, 5h5d:0.5", "5h5d", None),
        ("A5s-A2s", "A5s", None),
        ("A9s-A2s", "A2s", None),
        ("55-", "55", None),
        ("5X", "5X", None),
        ("5hX", "5hX", None),
        ("random!33", "33", None),
    ],
)
def test_hands_that_are_not_in_the_deck(text, part, hint):
    """A hand with a rank below six is an error, but valid with 52 cards."""
    with pytest.raises(holdem.RangeError) as caught:
        Range(text, rules="short-deck")
    error = caught.value
    assert part == text[error.position : error.position + error.length]
    assert "is not in the deck of short-deck rules (36 cards, 6 to A)" in str(error)
    assert hint == error.hint
    if hint:
        Range(hint, rules="short-deck")
    assert read(text).weights.any()


def test_percentages_refer_to_the_deck():
    """Percentages refer to 630 combos, in the order of equity with these rules."""
    names = [hand.name for hand in starting_hands(SHORT_DECK)]
    totals = np.cumsum([len(Range(name)) for name in names])
    for step in range(1, 401):
        percent = Fraction(step, 4)
        held = Range.top(percent / 100, rules="short-deck")
        target = percent * 630 / 100
        assert abs(len(held) - target) == min(abs(int(total) - target) for total in totals)
        assert held == Range(",".join(names[: classes_in(percent, SHORT_DECK)]))
        assert held == Range(f"top {float(percent)}%", rules="short-deck")
    assert Range("20%", rules="short-deck") == (
        Range("5%", rules="short-deck") | Range("5%-20%", rules="short-deck")
    )
    assert Range.from_percent(5, 20, rules="short-deck") == Range("5%-20%", rules="short-deck")


def test_the_order_differs_from_52_cards():
    """The order differs from the standard order without low cards: AKs is above 99."""
    standard = [hand.name for hand in starting_hands() if not set(hand.name) & set("2345")]
    short = [hand.name for hand in starting_hands(SHORT_DECK)]
    assert sorted(standard) == sorted(short)
    assert standard != short
    assert standard.index("99") < standard.index("AKs")
    assert short.index("AKs") < short.index("99")


def test_readings_are_cached_for_each_rule_set():
    """Cached readings of a text are separate for each rule set."""
    for _ in range(2):
        assert 1326 == len(Range("random"))
        assert 630 == len(Range("random", rules="short-deck"))
        assert 1326 == len(Range("random", rules=STANDARD))
        assert 630 == len(Range("random", rules=SHORT_DECK))


@pytest.mark.parametrize("rules", ["short", ""])
def test_unknown_rules(rules):
    """The error lists the available rule sets."""
    with pytest.raises(holdem.HoldemError, match="there are: standard, short-deck, deuces-wild"):
        Range("AA", rules=rules)
