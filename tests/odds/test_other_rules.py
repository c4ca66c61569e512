"""Equity in short deck, compared with an enumeration by the rule book."""

from __future__ import annotations

from functools import cache, partial
from math import comb

import numpy as np
import pytest

import holdem
from holdem.odds.spot import make_spot
from holdem.ranges.starting_hands import starting_hands
from holdem.rules import SHORT_DECK
from naive import NaiveGame, count_deals, range_of, rank_by_rule_book
from spots import draw_spots

# A flush beats a full house, and a straight beats three of a kind.
CATEGORIES = (
    *("high card", "pair", "two pair", "three of a kind", "straight"),
    *("full house", "flush", "four of a kind", "straight flush"),
)


@pytest.mark.parametrize(
    ("players", "board", "dead"),
    [
        (("JsTs", "AA:0.25,KQs:0.5,9d9h"), "Td9d6c7h", ""),
        (("AK", "TT-88", "JTs,QJs:0.5"), "9d8d6c7hAs", "Kh"),
    ],
)
def test_exact_equity_is_that_of_every_deal(players, board, dead):
    """Wins, ties, losses, shares and deals are those of the enumeration."""
    expected, deals = count_deals(
        [range_of(text, "short-deck") for text in players],
        holdem.parse_cards(board),
        holdem.parse_cards(dead),
        cache(partial(rank_by_rule_book, rules=SHORT_DECK)),
        SHORT_DECK.deck,
    )
    result = holdem.equity(*players, board=board, dead=dead, evaluator="short-deck")
    assert result.exact
    assert result.evaluator.name == "short-deck"
    assert deals == result.deals
    for found, (wins, ties, losses, share) in zip(result.players, expected, strict=True):
        assert [float(wins), float(ties), float(losses)] == pytest.approx(
            [found.wins, found.ties, found.losses], rel=1e-12
        )
        assert float(share / (wins + ties + losses)) == pytest.approx(found.equity, rel=1e-12)


@pytest.mark.parametrize("count", [20, pytest.param(2000, marks=pytest.mark.slow)])
def test_random_spots(count):
    """Wins, ties and losses are those of a brute force without the engine's code."""
    game = NaiveGame("6789TJQKA", CATEGORIES)
    for players, board, dead in draw_spots(game, count, seed=36):
        found = holdem.equity(
            *(",".join(map("".join, hands)) for hands in players),
            board="".join(board),
            dead="".join(dead),
            method="exact",
            evaluator="short-deck",
        )
        counts = [[own.wins, own.ties, own.losses] for own in found.players]
        assert game.count(players, board, dead) == counts, (players, board, dead)


def test_before_the_flop():
    """Two known hands have C(32,5) boards; the favourite is another than with 52 cards."""
    result = holdem.equity("AsKs", "QdQh", evaluator="short-deck")
    one, other = result.players
    assert comb(32, 5) == result.deals == one.wins + one.ties + one.losses
    assert (one.wins, one.ties, one.losses) == (other.losses, other.ties, other.wins)
    # With 52 cards the queens are ahead of ace and king, with 36 behind.
    assert one.equity > 0.5 > holdem.equity("AsKs", "QdQh").players[0].equity


def test_random_is_every_hand_of_the_deck():
    """`random` is 630 combos; those that known cards block are not live."""
    spot = make_spot(("random", "random"), evaluator="short-deck")
    assert [comb(36, 2)] * 2 == [len(own) for own in spot.live]
    spot = make_spot(("random", "AsKs"), board="Td9d6c", evaluator="short-deck")
    assert [comb(31, 2), 1] == [len(own) for own in spot.live]
    assert set(map(int, SHORT_DECK.deck)) - set(holdem.parse_cards("Td9d6c")) == set(
        spot.free.tolist()
    )
    combos = holdem.equity("AsKs", "random", board="Td9d6c7h", evaluator="short-deck").players[1]
    assert comb(30, 2) == combos.combos == len(combos.by_combo)


def test_a_range_of_52_cards_holds_what_the_deck_has():
    """Of a Range made for 52 cards, combos that the deck lacks cannot be held."""
    expected = holdem.equity("AsKs", "66+", board="Td9d8c7h", evaluator="short-deck")
    found = holdem.equity("AsKs", holdem.Range("22+"), board="Td9d8c7h", evaluator="short-deck")
    assert expected.deals == found.deals
    assert expected.players[0].equity == found.players[0].equity
    with pytest.raises(holdem.SpotError) as caught:
        holdem.equity("AsKs", holdem.Range("55-22"), evaluator="short-deck")
    assert str(caught.value) == (
        "player 2: '55-22' has no possible hand: none is in the deck of short-deck rules"
        " (36 cards, 6 to A)"
    )


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (("AsKs", "5h5d"), {}, "player 2: '5h5d' is not in the deck of short-deck rules (36 cards"),
        (("A2s", "QQ"), {}, "player 1: 'A2s' is not in the deck of short-deck rules (36 cards"),
        (("22+", "QQ"), {}, "hint: 66+"),
        (("AsKs", "QQ"), {"board": "Td9d2c"}, "board: 2c is not in the deck of short-deck rules"),
        (("AsKs", "QQ"), {"dead": "5c"}, "dead cards: 5c is not in the deck of short-deck rules"),
        (("AsKs", "QQ"), {"board": "AsTd9c"}, "'AsKs' has no possible hand: blocked by As"),
    ],
)
def test_cards_that_the_deck_does_not_have_are_refused(players, options, message):
    """A card below six, in a hole or on the board, is an error that names card and deck."""
    with pytest.raises(holdem.HoldemError) as caught:
        holdem.equity(*players, evaluator="short-deck", **options)
    assert message in str(caught.value)


def test_enough_cards_must_be_left():
    """Ten players and the board need 25 of the 36 cards, which limits the dead cards."""
    dead = [holdem.Card(card) for card in SHORT_DECK.deck[:12]]
    players = ("random",) * 10
    with pytest.raises(holdem.SpotError, match="need 25 more cards, and only 24 are left"):
        holdem.equity(*players, dead=dead, evaluator="short-deck")
    result = holdem.equity(*players, dead=dead[:11], evaluator="short-deck", deals=1000, seed=7)
    assert 1000 == result.deals


def test_head_to_head():
    """Categories are in the order of short deck, and wins are those of the same sample."""
    found = holdem.head_to_head("AsKs", "QdQh", deals=20_000, seed=7, evaluator="short-deck")
    drawn = holdem.equity(
        "AsKs", "QdQh", method="monte-carlo", deals=20_000, seed=7, evaluator="short-deck"
    )
    assert SHORT_DECK.categories[::-1] == found.categories
    for player, sampled in zip(found.players, drawn.players, strict=True):
        assert (sampled.wins, sampled.ties) == (player.outcomes.wins, player.outcomes.ties)
        order = [found.categories.index(name) for name in player.by_category]
        assert sorted(order) == order
    full_house_met_flush = found.players[0].against["full house"]["flush"]
    assert full_house_met_flush.wins == full_house_met_flush.ties == 0
    assert full_house_met_flush.losses > 0


# --- the list of starting hands ----------------------------------------------------------------


def test_the_list_has_the_classes_of_the_deck():
    """81 classes are ordered by equity, each over C(34,2) hands and C(32,5) boards."""
    hands = starting_hands(SHORT_DECK)
    assert 81 == len(hands)
    assert {comb(34, 2) * comb(32, 5)} == {hand.deals for hand in hands}
    twice = [2 * hand.wins + hand.ties for hand in hands]
    assert sorted(set(twice), reverse=True) == twice
    assert not any(set(hand.name) & set("2345") for hand in hands)


def test_the_list_sums_to_half():
    """Over all 630 combos wins and losses are equal."""
    hands = starting_hands(SHORT_DECK)
    sizes = [len(holdem.Range(hand.name)) for hand in hands]
    assert comb(36, 2) == sum(sizes)
    total = sum(size * (2 * hand.wins + hand.ties) for size, hand in zip(sizes, hands, strict=True))
    assert comb(36, 2) * hands[0].deals == total


@pytest.mark.parametrize("hole", ["JsTs", pytest.param("7c6d", marks=pytest.mark.slow)])
def test_the_list_has_exact_counts(hole):
    """A combo against every hand on every board has the counts of its class."""
    name = holdem.ranges.combos.Combo(hole).class_name
    line = next(hand for hand in starting_hands(SHORT_DECK) if hand.name == name)
    found = holdem.equity(hole, "random", evaluator="short-deck", method="exact")
    assert (line.deals, line.wins, line.ties) == (
        found.deals,
        found.players[0].wins,
        found.players[0].ties,
    )
    np.testing.assert_equal(line.equity, found.players[0].equity)
