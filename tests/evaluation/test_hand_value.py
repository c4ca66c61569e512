"""The values of hands that `evaluate` returns."""

import json
import pickle
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import holdem
from hands import EVALUATORS, random_hands
from holdem.cards import card_set, card_sets, cards_text
from holdem.errors import CardError, EvaluatorError, HoldemError, HoldemTypeError
from holdem.evaluation.builtin import reference
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.evaluation.hand_value import best_fives, hand_values
from naive import class_by_rule_book


@pytest.mark.parametrize(
    "parts",
    [
        ("AsKs", "QsJsTs"),
        ("QsJsTs2c3d", ["As", "Ks"]),
        ("As", "Ks", "Qs", "Js", holdem.Card("Ts")),
        (holdem.Combo("AsKs"), np.array([43, 39, 35], dtype=np.uint8)),
        (iter(["As"]), iter(["Ks", "Qs"]), "", "JsTs"),
    ],
)
def test_hole_cards_and_board_make_one_hand(parts):
    """As users of treys, phevaluator and PokerKit write it."""
    assert 1 == holdem.evaluate(*parts).rank_class
    assert 1 == holdem.evaluate(cards="AsKs", board="QsJsTs", evaluator="reference").rank_class


def test_messages_about_hands_in_parts():
    for parts, told in [
        (("AsKs", "QsJsAs"), "hand: As appears twice, as item 1 and item 5"),
        (("AsKs", "lookup"), "hand: 'loo' at position 1 of 'lookup' is not a card"),
        (("AsKs", "QsJs"), "a hand has 5 to 7 cards, not 4: As Ks Qs Js"),
    ]:
        with pytest.raises(CardError) as caught:
            holdem.evaluate(*parts)
        assert str(caught.value).startswith(told)


# hand, category, name, class (by treys, which has Cactus Kev's tables), best five
HANDS = [
    ("As Ks Qs Js Ts 2c 3d", "straight flush", "Royal Flush", 1, "As Ks Qs Js Ts"),
    ("As Ks Qs Js Ts 9s 8s", "straight flush", "Royal Flush", 1, "As Ks Qs Js Ts"),
    ("5d 4d 3d 2d Ad Kd Ks", "straight flush", "Straight Flush, Five high", 10, "5d 4d 3d 2d Ad"),
    ("Ah 6d 5d 4d 3d 2d Ad", "straight flush", "Straight Flush, Six high", 9, "6d 5d 4d 3d 2d"),
    ("As 9s 8s 7s 6s 5s Ts", "straight flush", "Straight Flush, Ten high", 5, "Ts 9s 8s 7s 6s"),
    ("7c 7d 7h 7s 2c 2d As", "four of a kind", "Four of a Kind, Sevens", 95, "7s 7h 7d 7c As"),
    ("2c 2d 2h 2s 3c 3d 3h", "four of a kind", "Four of a Kind, Twos", 166, "2s 2h 2d 2c 3c"),
    ("7c 7d 7h Ac Ad", "full house", "Full House, Sevens full of Aces", 251, "7h 7d 7c Ad Ac"),
    (
        "7c 7d 7h Ac Ad Kc Kd",
        "full house",
        "Full House, Sevens full of Aces",
        251,
        "7h 7d 7c Ad Ac",
    ),
    (
        "7c 7d 7h Ac Ad Ah 2c",
        "full house",
        "Full House, Aces full of Sevens",
        173,
        "Ah Ad Ac 7d 7c",
    ),
    ("As Ks 9s 5s 3s 2s 2c", "flush", "Flush, Ace high", 447, "As Ks 9s 5s 3s"),
    ("7c 5c 4c 3c 2c As Ks", "flush", "Flush, Seven high", 1599, "7c 5c 4c 3c 2c"),
    ("Ac Kd Qh Js Tc 9d 8h", "straight", "Straight, Ace high", 1600, "Ac Kd Qh Js Tc"),
    ("2c Ad 3h 5s 4c Kd Kh", "straight", "Straight, Five high", 1609, "5s 4c 3h 2c Ad"),
    ("2c Ad 3h 5s 4c", "straight", "Straight, Five high", 1609, "5s 4c 3h 2c Ad"),
    ("2c Ad 3h 5s 4c 6d", "straight", "Straight, Six high", 1608, "6d 5s 4c 3h 2c"),
    ("9c 9d 9h 2c 4d 7s Ks", "three of a kind", "Three of a Kind, Nines", 1955, "9h 9d 9c Ks 7s"),
    ("Kc Kd 6h 6s 2c 2d 3s", "two pair", "Two Pair, Kings and Sixes", 2675, "Kd Kc 6s 6h 3s"),
    ("Kc Kd 6h 6s 2c 2d As", "two pair", "Two Pair, Kings and Sixes", 2666, "Kd Kc 6s 6h As"),
    ("6c 6d 2h 3s 9c Qd As", "pair", "Pair, Sixes", 5098, "6d 6c As Qd 9c"),
    ("2c 3d 4h 5s 7c 8d Ts", "high card", "High Card, Ten", 7380, "Ts 8d 7c 5s 4h"),
    ("7c 5d 4h 3s 2c", "high card", "High Card, Seven", 7462, "7c 5d 4h 3s 2c"),
]


@pytest.mark.parametrize(("text", "category", "name", "number", "best"), HANDS)
def test_fields(text, category, name, number, best):
    """Category, name, class and the best five in order."""
    value = holdem.evaluate(text)
    assert (category, name, number) == (value.category, value.name, value.rank_class)
    assert best == cards_text(value.best, " ")
    assert text == cards_text(value.cards, " ")
    assert f"{name} ({best})" == str(value)
    assert (int, int) == (type(value.strength), type(value.rank_class))
    assert all(type(card) is holdem.Card for card in value.best + value.cards)
    assert "lookup" == value.evaluator.name


@pytest.mark.parametrize("name", EVALUATORS)
def test_values_of_all_evaluators(name):
    """Class, name and category do not depend on the evaluator; strengths do."""
    for text, category, title, number, _ in HANDS:
        value = holdem.evaluate(text, evaluator=name)
        assert (category, title, number) == (value.category, value.name, value.rank_class)
        assert holdem.evaluate(value.best, evaluator=name) == value
        assert name == value.evaluator.name


@given(st.lists(st.integers(0, 51), min_size=5, max_size=7, unique=True), st.randoms())
@settings(deadline=None)
def test_best_five(cards, random):
    """They are of the hand, of its class, and in the order in which they decide."""
    value = holdem.evaluate(cards)
    assert tuple(cards) == value.cards
    assert set(value.best) <= set(cards)
    assert 5 == len(set(value.best))
    assert class_by_rule_book(cards) == value.rank_class
    category, ranks = reference.classify(value.best)
    assert category == value.category
    places = [ranks.index(card.rank) for card in value.best]
    assert sorted(places) == places
    shuffled = random.sample(cards, len(cards))
    again = holdem.evaluate(shuffled)
    assert value == again
    assert (value.name, value.rank_class) == (again.name, again.rank_class)


@pytest.mark.parametrize(
    "cards",
    [
        "As Ks Qs Js Ts",
        "as,ks,qs,js,10s",
        "A♠K♠Q♠J♠T♠",
        ["As", "Ks", "Qs", "Js", "Ts"],
        [51, 47, 43, 39, 35],
        (51, "Ks", holdem.Card("Qs"), np.uint8(39), "10♠"),
        np.array([51, 47, 43, 39, 35], dtype=np.uint8),
    ],
)
def test_types_of_cards(cards):
    """A hand is text, or a sequence of texts, ids and cards."""
    value = holdem.evaluate(cards)
    assert "Royal Flush" == value.name
    assert (51, 47, 43, 39, 35) == value.cards


def test_comparison():
    """Bigger is stronger, and equal values have equal hashes."""
    straight = holdem.evaluate("9c 8d 7h 6s 5c")
    same = holdem.evaluate("9s 8s 7s 6s 5d 2c 2d")
    pair = holdem.evaluate("As Ad Kc Qd Js")
    assert straight == same
    assert hash(straight) == hash(same)
    assert straight > pair
    assert straight >= same >= pair
    assert pair < same
    assert pair <= straight
    assert pair != straight
    assert [pair, straight] == sorted([straight, pair])
    assert straight == max(pair, straight)
    assert {straight} == {straight, same}
    assert straight.strength == same.strength > pair.strength


def test_comparison_with_other_types():
    """Values are unequal to numbers, and their order is a TypeError."""
    value = holdem.evaluate("9c 8d 7h 6s 5c")
    assert value != value.strength
    with pytest.raises(TypeError):
        _ = value > value.strength


def test_comparison_between_evaluators():
    """Values are unequal, and their order is an error."""
    ours = holdem.evaluate("9c 8d 7h 6s 5c")
    theirs = holdem.evaluate("9c 8d 7h 6s 5c", evaluator="reference")
    assert ours != theirs
    assert ours.rank_class == theirs.rank_class
    with pytest.raises(
        EvaluatorError, match="strengths of 'lookup' and 'reference' cannot be compared"
    ):
        _ = ours > theirs


def test_unregistered_spec():
    """It is one evaluator, loaded once."""
    loads = []

    def load():
        loads.append(1)
        return reference.rank_batch

    spec = holdem.EvaluatorSpec("by-spec", "", "", {5}, load)
    strong = holdem.evaluate("9c 8d 7h 6s 5c", evaluator=spec)
    weak = holdem.evaluate("As Ad Kc Qd Js", evaluator=spec)
    assert strong > weak
    assert [1] == loads
    assert strong == holdem.evaluate("9s 8d 7h 6s 5c", evaluator=holdem.get_evaluator(spec))


@pytest.mark.parametrize(
    ("cards", "error", "told"),
    [
        ("As Ks Qs Js", CardError, "a hand has 5 to 7 cards, not 4: As Ks Qs Js"),
        ("2c3c4c5c6c7c8c9c", CardError, "a hand has 5 to 7 cards, not 8: 2c 3c 4c 5c 6c 7c 8c 9c"),
        ("", CardError, "a hand has 5 to 7 cards, not 0: none given"),
        ([], CardError, "a hand has 5 to 7 cards, not 0: none given"),
        (
            "As Ks Qs Js As",
            CardError,
            "hand: As appears twice in 'As Ks Qs Js As', at positions 1 and 13",
        ),
        (
            "As Ks Qs Js Xs",
            CardError,
            "hand: 'Xs' at position 13 of 'As Ks Qs Js Xs' is not a card",
        ),
        ([51, 47, 43, 39, 52], CardError, "hand: item 5: no card has the id 52"),
        (
            [51, 47, 43, 39, 35.0],
            HoldemTypeError,
            "hand: item 5: a card must be text or an id 0..51",
        ),
        (5, HoldemTypeError, "hand: expected text or a sequence of cards, not 5"),
    ],
)
def test_invalid_hands(cards, error, told):
    """The error is one line."""
    with pytest.raises(error) as caught:
        holdem.evaluate(cards)
    assert str(caught.value).startswith(told)
    assert isinstance(caught.value, HoldemError)
    assert str(caught.value).isprintable()


def test_unknown_evaluator():
    """The message lists the evaluators."""
    with pytest.raises(EvaluatorError, match="'kev'"):
        holdem.evaluate("As Ks Qs Js Ts", evaluator="kev")


def test_to_dict():
    """`to_dict` has the fields of `holdem evaluate -f json`, ready for JSON."""
    value = holdem.evaluate("As Ks Qs Js Ts 2c 3d")
    expected = {
        "schema": "holdem/evaluation/1",
        "cards": ["As", "Ks", "Qs", "Js", "Ts", "2c", "3d"],
        "best": ["As", "Ks", "Qs", "Js", "Ts"],
        "category": "straight flush",
        "name": "Royal Flush",
        "rank_class": 1,
        "strength": 7462,
        "evaluator": {"name": "lookup", "version": holdem.__version__},
    }
    assert expected == value.to_dict()
    assert expected == json.loads(json.dumps(value.to_dict()))


def test_pickling():
    """A pickled value is equal."""
    for name in ("lookup", "reference"):
        value = holdem.evaluate("7c 7d 7h Ac Ad Kc Kd", evaluator=name)
        again = pickle.loads(pickle.dumps(value))
        assert value == again
        assert value.evaluator is again.evaluator
        assert value.to_dict() == again.to_dict()


@pytest.mark.parametrize("name", ["lookup", "reference"])
@pytest.mark.parametrize("size", [5, 6, 7])
def test_hand_values(name, size):
    """Each value is that of `evaluate`."""
    evaluator = holdem.get_evaluator(name)
    hands = random_hands(40, size, seed=size)
    found = hand_values(hands, evaluator.strengths(hands), evaluator)
    expected = [holdem.evaluate(hand, evaluator=name) for hand in hands]
    assert [value.to_dict() for value in expected] == [value.to_dict() for value in found]


def lookup_but_for(name, strength):
    """Return `lookup` with another strength for ``2c 3d 4h 5s 7c 8d Ts``."""
    wrong = card_set(holdem.parse_cards("2c 3d 4h 5s 7c 8d Ts"))

    @holdem.evaluator(name, hand_sizes={5, 6, 7}, batch=True)
    def rank(hands):
        return np.where(card_sets(hands) == wrong, strength, rank_batch(hands))

    return rank


def test_hand_stronger_than_its_best_five():
    contradicts_itself = lookup_but_for("contradicts-itself", 7462)

    value = holdem.evaluate("2c 3d 4h 5s 7c 8d Ts", evaluator=contradicts_itself)
    with pytest.raises(EvaluatorError) as caught:
        _ = value.best
    expected = "evaluator 'contradicts-itself' gives 2c 3d 4h 5s 7c 8d Ts a strength that no five"
    assert str(caught.value).startswith(expected)


SEVENS_UP = holdem.RuleSet(
    "sevens-up",
    "789TJQKA",
    (
        *("high card", "pair", "two pair", "three of a kind", "straight", "full house", "flush"),
        *("four of a kind", "straight flush"),
    ),
)


@pytest.mark.parametrize("cards", [6, 7])
@pytest.mark.parametrize("rules", ["standard", "short-deck", "deuces-wild", SEVENS_UP], ids=str)
def test_best_fives_by_ranking_all_choices(rules, cards):
    """The cards are the first choice of five that is as strong as the whole hand."""
    name = {"standard": "lookup"}.get(rules, rules)
    evaluator = holdem.get_evaluator(name)
    deck = np.array(evaluator.rules.deck, dtype=np.uint8)
    rng = np.random.default_rng(4)
    hands = deck[rng.permuted(np.tile(np.arange(len(deck)), (5_000, 1)), axis=1)[:, :cards]]
    strengths = evaluator.rank(hands)
    choices = list(combinations(range(cards), 5))
    ranked = np.stack([evaluator.rank(hands[:, choice]) for choice in choices], axis=1)
    first = np.argmax(ranked == strengths[:, None], axis=1)
    expected = np.take_along_axis(hands, np.array(choices)[first], axis=1)
    found = best_fives(hands, strengths, evaluator.scale.classes(strengths), evaluator)
    assert np.array_equal(np.sort(found, axis=1), np.sort(expected, axis=1))


def test_strength_of_no_class():
    between = lookup_but_for("between", -1)
    value = holdem.evaluate("2c 3d 4h 5s 7c 8d Ts", evaluator=between)
    with pytest.raises(EvaluatorError, match="strength -1 is not that of any five-card hand"):
        _ = value.name


def test_repr_raises_no_errors():
    """A hand whose strength no five of its cards have shows its cards and strength."""
    value = holdem.evaluate("As Ks Qs Js Ts 2c 3d")
    broken = type(value)(value.cards, 1, value.evaluator)
    assert repr(value) == "<HandValue Royal Flush (As Ks Qs Js Ts)>"
    assert repr(broken) == "<HandValue As Ks Qs Js Ts 2c 3d: strength 1>"


def test_a_royal_flush_that_counts_as_a_straight():
    """Its only five cards of that class would be the royal flush, so none are shown."""
    straight = holdem.evaluate("Ac Kd Qs Js Ts")
    royal = holdem.evaluate("As Ks Qs Js Ts 2c 3d")
    broken = type(royal)(royal.cards, straight.strength, royal.evaluator)
    with pytest.raises(EvaluatorError, match="a strength that no five of its cards have"):
        _ = broken.best
