"""Games by rule sets of one's own, against a brute force that shares no code with the engine."""

from __future__ import annotations

import pickle
import time
from collections import Counter
from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest

import holdem
from games import GAMES, ROYAL, STANDARD_ORDER, THIRTY_TWO, THREES_FIRST
from holdem.evaluation.builtin.lookup_tables import tables_of
from holdem.ranges.starting_hands import starting_hands
from spots import draw_spots

EVERY = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)

pytestmark = pytest.mark.usefixtures("own_registrations")


def text(cards):
    return "".join(cards)


def plain_evaluator(rules, *, rank=None):
    """Return an evaluator of five cards that the plain game ranks."""
    rank = rank or GAMES[rules].rank

    @holdem.evaluator(f"plain-{rules.name}", rules=rules)
    def plain(cards):
        category, deciding = rank([str(holdem.Card(card)) for card in cards])
        return sum((place + 1) << 4 * (4 - at) for at, place in enumerate(deciding)) + (
            category << 20
        )

    return plain


# --- equal to the brute force ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "count"),
    [(ROYAL, 40), (THIRTY_TWO, 20), (THREES_FIRST, 20)],
    ids=["royal", "thirty-two", "threes-first"],
)
def test_random_spots(rules, count):
    """Wins, ties and losses of random spots are those of the brute force, exactly."""
    game = GAMES[rules]
    for number, (players, board, dead) in enumerate(draw_spots(game, count, seed=42)):
        found = holdem.equity(
            *(",".join(map(text, hands)) for hands in players),
            board=text(board),
            dead=text(dead),
            method="exact",
            evaluator=rules,
        )
        counts = [[own.wins, own.ties, own.losses] for own in found.players]
        assert game.count(players, board, dead) == counts, (number, players, board, dead)


@EVERY
def test_hands(rules):
    """Order, category and best five of 3,000 hands are those of the brute force."""
    game = GAMES[rules]
    ranker = holdem.get_evaluator(rules)
    ranks, strengths = [], []
    for size in (5, 6, 7):
        hands = [game.shuffled(number)[:size] for number in range(size, 3000, 3)]
        ids = np.array([holdem.parse_cards(text(hand)) for hand in hands], dtype=np.uint8)
        own = [game.best(hand) for hand in hands]
        found = ranker.strengths(ids)
        categories = [rules.categories[category] for category, _ in own]
        assert categories == ranker.categories(found).tolist()
        for hand, rank, strength in zip(hands[:40], own, found.tolist(), strict=False):
            value = holdem.evaluate(text(hand), evaluator=rules)
            assert rank == game.rank([str(card) for card in value.best])
            assert strength == ranker.strength(list(holdem.parse_cards(text(hand))))
        ranks += own
        strengths += found.tolist()
    assert np.array_equal(_places(ranks), _places(strengths))  # on one scale


def _places(values):
    order = {str(value): place for place, value in enumerate(sorted(values))}
    return [order[str(value)] for value in values]


@pytest.mark.parametrize(
    "rules",
    [ROYAL, pytest.param(THIRTY_TWO, marks=pytest.mark.slow)],
    ids=lambda rules: rules.name,
)
def test_categories_over_all_hands_of_five(rules):
    """The numbers of hands of each category are those of the brute force."""
    game = GAMES[rules]
    hands = np.array(list(combinations(rules.deck, 5)), dtype=np.uint8)
    ranker = holdem.get_evaluator(rules)
    found = Counter(ranker.categories(ranker.strengths(hands)).tolist())
    assert found == Counter(game.classify(hand)[0] for hand in combinations(game.deck, 5))
    assert sum(found.values()) == comb(len(rules.deck), 5)


# --- evaluators of one's own -------------------------------------------------------------------


@EVERY
def test_an_evaluator_is_proved_against_the_rules(rules):
    """A plain function that ranks right is asked for the proof only: then the tables answer."""
    asked = []

    def rank(five):
        asked.append(five)
        return GAMES[rules].rank(five)

    plain = plain_evaluator(rules, rank=rank)
    one, other = (
        holdem.equity("AsKs", "QQ,JdTd", board="AdKdTc", evaluator=ranker)
        for ranker in (plain, rules)
    )
    assert [(p.win, p.tie) for p in one.players] == [(p.win, p.tie) for p in other.players]
    assert holdem.get_evaluator(plain).rules == rules
    in_the_proof = len(asked)
    assert len(rules.classes) < in_the_proof < 20_000
    whole = holdem.equity("AA", "KK", evaluator=plain)
    assert in_the_proof == len(asked)
    assert whole.deals == 36 * comb(len(rules.deck) - 4, 5)


@pytest.mark.parametrize(
    ("rules", "forgotten", "told"),
    [
        (THIRTY_TWO, "wheel", "Straight, Ten high"),
        (ROYAL, "order", "Straight, Ace high"),
        (THREES_FIRST, "order", "misorders"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_wrong_evaluator_is_refused(rules, forgotten, told):
    """One that forgets the wheel, or has threes and straights in another order, shows a hand."""
    game = GAMES[rules]

    def rank(five):
        category, deciding = game.classify(five)
        if forgotten == "wheel" and category == "straight" and len({*five[0]}) and deciding == [3]:
            category, deciding = "high card", [7, 3, 2, 1, 0]
        order = list(rules.categories)
        if forgotten == "order":
            one, two = order.index("straight"), order.index("three of a kind")
            order[one], order[two] = order[two], order[one]
        return order.index(category), deciding

    with pytest.raises(holdem.EvaluatorError, match=told):
        holdem.equity("AA", "KK", evaluator=plain_evaluator(rules, rank=rank))


# --- what the engine answers ---------------------------------------------------------------------


def test_ranges_of_other_decks():
    """Open tokens end with the deck, and percentages are those of its combos."""
    assert 48 == len(holdem.Range("77+", rules=THIRTY_TWO))
    assert 30 == len(holdem.Range("TT+", rules=ROYAL))
    assert comb(20, 2) == len(holdem.Range("random", rules=ROYAL))
    with pytest.raises(holdem.RangeError, match="'66' is not in the deck of thirty-two rules"):
        holdem.Range("66+", rules=THIRTY_TWO)
    top = holdem.Range("top 10%", rules=THIRTY_TWO)
    assert abs(len(top) - 0.1 * comb(32, 2)) <= 6
    assert holdem.Range("AA") < top
    assert holdem.Range.top(0.1, rules=THIRTY_TWO) == top


@EVERY
def test_starting_hands_are_ranked_by_equity(rules):
    """Their counts against a random hand are those of `equity`, over all classes."""
    hands = starting_hands(rules)
    ranks = len(rules.ranks)
    assert ranks**2 == len(hands)
    assert [hand.equity for hand in hands] == sorted([h.equity for h in hands], reverse=True)
    for hand in (hands[0], hands[ranks], hands[-1]):
        combo = str(next(iter(holdem.Range(hand.name))))
        own = holdem.equity(combo, "random", evaluator=rules).players[0]
        assert (hand.wins, hand.ties) == (own.wins, own.ties)
    sizes = {True: 6, False: 12}
    wins = sum(
        (4 if hand.name.endswith("s") else sizes[len(hand.name) == 2]) * (2 * hand.wins + hand.ties)
        for hand in hands
    )
    assert wins == comb(4 * ranks, 2) * hands[0].deals  # even against itself


@EVERY
def test_dealt_hands(rules):
    """Hands, trials and aggregates use the deck, and agree with exact equity."""
    deck = {*rules.deck}
    game = GAMES[rules]
    for hand in holdem.simulate(players=3, hands=50, seed=7, evaluator=rules):
        cards = [card for seat in hand.seats for card in seat.hole] + [*hand.board, *hand.burns]
        assert {*cards} <= deck
        assert len({*cards}) == 14
        ranks = [game.best([str(c) for c in (*seat.hole, *hand.board)]) for seat in hand.seats]
        assert [n for n, rank in enumerate(ranks) if rank == max(ranks)] == list(hand.winners)
    exact = holdem.equity("AsKs", "QdQh", evaluator=rules).players[0].equity
    trials = holdem.head_to_head("AsKs", "QdQh", deals=20_000, seed=7, evaluator=rules)
    assert abs(trials.players[0].equity - exact) < 4 * 0.5 / sqrt(20_000)
    sampled = holdem.equity(
        "AsKs", "QdQh", evaluator=rules, method="monte-carlo", deals=20_000, seed=7
    )
    assert abs(sampled.players[0].equity - exact) < 4 * sampled.players[0].stderr
    total = holdem.aggregate(players=2, hands=5000, seed=7, evaluator=rules)
    assert set(rules.categories) == set(total.categories)
    assert 20 == len(holdem.Deck(seed=7, cards=ROYAL.deck))


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (
            lambda: holdem.equity(*["random"] * 8, evaluator=ROYAL),
            "8 players and the board need 21 more cards, and only 20 are left",
        ),
        (
            lambda: next(holdem.simulate(players=7, hands=1, evaluator=ROYAL)),
            "7 players need 22 cards with the board and three burns, and royal rules have 20 cards,"
            " T to A; deal to at most 6 players",
        ),
        (lambda: holdem.aggregate(players=7, hands=10, evaluator=ROYAL), "at most 6 players"),
        (
            lambda: holdem.equities(*["random"] * 8, board=["AsKsTs"], evaluator=ROYAL),
            "8 players and the board need 18 more cards, and only 17 are left",
        ),
        (lambda: holdem.evaluate("As Ks Qs Js 9s", evaluator=ROYAL), "9s is not in the deck of"),
        (
            lambda: holdem.get_evaluator(ROYAL).strength([51, 47, 43, 39, 35, 0, 1]),
            "2c is not in the deck of royal rules",
        ),
        (lambda: holdem.equity("AsKs", "QQ", board="9s8s7s", evaluator=ROYAL), "board: 9s is not"),
    ],
)
def test_what_the_deck_cannot_do(ask, told):
    """Too many players, and cards of other decks, are a sentence."""
    with pytest.raises(holdem.HoldemError, match=told):
        ask()


def test_six_players_of_20_cards():
    """The most players that the deck allows are dealt, and equity has seven."""
    hand = next(holdem.simulate(players=6, hands=1, seed=7, evaluator=ROYAL))
    assert 20 == len({*hand.board, *hand.burns, *(c for seat in hand.seats for c in seat.hole)})
    found = holdem.equity(*["random"] * 7, evaluator=ROYAL, deals=1000, seed=7)
    assert sum(found.equities) == pytest.approx(1)


def test_registered_rules_are_known_by_name():
    """`register` makes an evaluator of the rules' name, and ranges find the rules by it."""
    assert "royal" == holdem.register(ROYAL).name
    assert ROYAL == holdem.get_evaluator("royal").rules
    assert holdem.get_evaluator("royal") is holdem.get_evaluator(ROYAL)
    assert holdem.Range("TT+", rules="royal") == holdem.Range("TT+", rules=ROYAL)
    record = next(record for record in holdem.evaluators() if record.name == "royal")
    assert ("royal", "active") == (record.rules, record.status)
    own = holdem.EvaluatorSpec("own", "for a test", "a test", {5}, lambda: None, rules="royal")
    assert ROYAL == own.rules
    with pytest.raises(holdem.EvaluatorError, match="the name 'royal' is taken by this script"):
        holdem.register(ROYAL)
    holdem.register(ROYAL, replace=True)
    for name in ("lookup", "reference"):
        rules = holdem.RuleSet(name, "789TJQKA", STANDARD_ORDER)
        with pytest.raises(holdem.EvaluatorError, match=f"the name '{name}' is taken by holdem"):
            holdem.register(rules)


def test_two_rule_sets_of_one_name():
    """A name that two evaluators' rule sets share is refused; each rule set stands for itself."""
    other = holdem.RuleSet("royal", "9TJQKA", STANDARD_ORDER)
    holdem.register(ROYAL)
    holdem.register(plain_evaluator(ROYAL))
    assert ROYAL == holdem.get_evaluator("plain-royal").rules
    holdem.register(
        holdem.EvaluatorSpec("other", "for a test", "a test", {5}, lambda: None, rules=other)
    )
    with pytest.raises(holdem.HoldemValueError, match="2 evaluators have different rule sets"):
        holdem.Range("TT+", rules="royal")
    assert 36 == len(holdem.Range("99+", rules=other))


def test_rules_travel():
    """An evaluator of rules pickles by its rules, registered or not."""
    for _ in range(2):
        ranker = holdem.get_evaluator(THIRTY_TWO)
        assert pickle.loads(pickle.dumps(ranker)) is ranker
        assert len(pickle.dumps(ranker)) < 500
        holdem.register(THIRTY_TWO, replace=True)


def test_tables_are_made_at_once():
    """The tables of an order of categories with 52 cards take less than half a second.

    It is some 25 ms of CPU time. Slower machines take several times as long.
    """
    times = []
    for number in range(3):
        rules = holdem.RuleSet(f"timed-{number}", "23456789TJQKA", THREES_FIRST.categories)
        started = time.process_time()
        tables_of(rules)
        times.append(time.process_time() - started)
    assert min(times) < 0.5
