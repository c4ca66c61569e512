"""`Deck`: dealing, shuffling and seeds."""

import random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import holdem
from holdem import CardError, Deck, HoldemTypeError, SeedError, parse_cards
from holdem.cards import DECK


def test_fresh_deck_is_in_order():
    """A deck holds all 52 cards in the order of their ids until it is shuffled."""
    assert Deck().cards == DECK
    assert len(Deck()) == 52


def test_deal_takes_cards_from_the_top():
    """`deal` returns a tuple of cards from the top and removes them."""
    deck = Deck()
    assert parse_cards("2c 2d 2h") == deck.deal(3)
    assert parse_cards("2s") == deck.deal(1)
    assert deck.deal(0) == ()
    assert len(deck) == 48
    assert DECK[4:] == tuple(deck)
    assert all(isinstance(card, holdem.Card) for card in deck.deal(48))
    assert len(deck) == 0


@pytest.mark.parametrize(
    ("dealt", "count", "told"),
    [(48, 5, "4 are left"), (51, 2, "1 is left"), (52, 1, "none is left")],
)
def test_deal_says_how_many_are_left(dealt, count, told):
    """Dealing more cards than are left takes no card and raises."""
    deck = Deck()
    deck.deal(dealt)
    with pytest.raises(CardError) as caught:
        deck.deal(count)
    assert f"cannot deal {count} cards: {told} in the deck" == str(caught.value)
    assert 52 - dealt == len(deck)


@pytest.mark.parametrize(
    ("count", "error"), [(-1, CardError), (2.0, HoldemTypeError), (True, HoldemTypeError)]
)
def test_deal_wants_a_count(count, error):
    """A negative count or a count that is not an integer raises, and no card is taken."""
    deck = Deck()
    with pytest.raises(error, match="the number of cards must be an integer of at least 0, not"):
        deck.deal(count)
    assert len(deck) == 52


def test_burn_takes_the_top_card():
    """`burn` removes and returns one card; an empty deck raises."""
    deck = Deck(cards="As Kd")
    assert holdem.Card("As") == deck.burn()
    deck.burn()
    with pytest.raises(CardError, match="cannot burn a card: none is left"):
        deck.burn()


def test_remove_takes_dead_cards_for_good():
    """Removed cards are not dealt, and `collect` does not return them."""
    deck = Deck(seed=7)
    deck.remove("As Ks")
    deck.remove([0])
    assert len(deck) == 49
    deck.shuffle()
    assert set(DECK) - {51, 47, 0} == set(deck.deal(49))
    deck.collect()
    assert len(deck) == 49


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("2c Ah", "cannot remove 2c: not in the deck"),
        ("Ah Ah", "cards to remove: Ah appears twice in 'Ah Ah', at positions 1 and 4"),
        ("Ah Xx", "cards to remove: 'Xx' at position 4 of 'Ah Xx' is not a card"),
    ],
)
def test_remove_refuses_as_a_whole(cards, told):
    """A card that is missing, unknown or repeated raises, and no card is removed."""
    deck = Deck()
    deck.deal(1)
    with pytest.raises(CardError) as caught:
        deck.remove(cards)
    assert str(caught.value).startswith(told)
    assert DECK[1:] == deck.cards


def test_shuffle_leaves_dealt_cards_out():
    """Shuffling reorders the cards that are left, without dealt ones."""
    deck = Deck(seed=7)
    deck.shuffle()
    dealt = deck.deal(20)
    left = deck.cards
    deck.shuffle()
    assert len(deck) == 32
    assert left != deck.cards
    assert set(left) == set(deck.cards)
    assert not set(dealt) & set(deck)


def test_collect_puts_dealt_and_burnt_cards_below():
    """`collect` returns cards to the bottom of the deck in the order of dealing."""
    deck = Deck(cards="As Kd 7h 2c")
    deck.deal(2)
    deck.burn()
    deck.collect()
    assert parse_cards("2c As Kd 7h") == deck.cards
    deck.collect()
    assert len(deck) == 4


def test_cards_are_looked_up_by_card_text_or_id():
    """`in` accepts cards, text and ids; text that is not a card raises."""
    deck = Deck(cards="As Kd")
    assert holdem.Card("As") in deck
    assert "A♠" in deck
    assert 51 in deck
    deck.deal(1)
    assert 51 not in deck
    assert "As" not in deck
    with pytest.raises(CardError, match="'Xx' is not a card"):
        assert "Xx" not in deck


def test_stacked_deck_keeps_its_order():
    """A deck of given cards keeps their order, and rejects repeated cards."""
    assert parse_cards("As 2c Kd") == Deck(cards=["As", 0, "Kd"]).cards
    with pytest.raises(CardError, match="deck: As appears twice"):
        Deck(cards="As Kd As")


def shuffled(**arguments):
    deck = Deck(**arguments)
    deck.shuffle()
    return deck.cards


@given(st.integers(0, 2**53 - 1))
def test_same_seed_same_order(seed):
    """A seed always gives the same order, and a shuffle keeps all cards."""
    assert shuffled(seed=seed) == shuffled(seed=seed)
    assert set(DECK) == set(shuffled(seed=seed))


def test_seeds_give_different_orders():
    """A hundred seeds give a hundred orders; a second shuffle gives another one."""
    assert len({shuffled(seed=seed) for seed in range(100)}) == 100
    deck = Deck(seed=7)
    deck.shuffle()
    once = deck.cards
    deck.shuffle()
    assert once != deck.cards


def test_drawn_seed_is_reported():
    """A deck without a seed draws one, and that seed gives the same order again."""
    deck = Deck()
    deck.shuffle()
    assert Deck(seed=deck.seed).cards == deck.cards
    assert Deck().seed != Deck().seed


def test_generator_of_the_caller():
    """A generator can replace the seed: shuffles advance it, and the deck has no seed."""
    expected = tuple(DECK[place] for place in np.random.default_rng(7).permutation(52))
    rng = np.random.default_rng(7)
    deck = Deck(rng=rng)
    assert expected == deck.cards
    assert deck.seed is None
    assert expected != Deck(rng=rng).cards


def test_a_seed_means_shuffled():
    """A deck with a seed is shuffled, `shuffle` returns the deck, and takes a seed of its own."""
    assert Deck(seed=7).cards == Deck().shuffle(seed=7).cards != DECK
    deck = Deck(seed=7)
    assert deck.shuffle() is deck
    assert deck.shuffle(9).seed == 9
    assert Deck(7).shuffle(9).cards != Deck(9).cards  # the deck that is shuffled is another
    with pytest.raises(SeedError):
        deck.shuffle(-1)


@pytest.mark.parametrize("rng", [np.random, random, 7])
def test_only_a_numpy_generator_will_do(rng):
    """Global generators and other types are rejected."""
    with pytest.raises(HoldemTypeError, match="rng must be a numpy Generator"):
        Deck(rng=rng)


def test_seed_and_generator_exclude_each_other():
    """A seed together with a generator is an error."""
    with pytest.raises(SeedError, match="a seed or a generator"):
        Deck(7, rng=np.random.default_rng(7))


@pytest.mark.parametrize("seed", [-1, 2**64, True, 1.5, "7"])
def test_bad_seeds_are_refused(seed):
    """Invalid seeds raise in the constructor."""
    with pytest.raises(holdem.HoldemError, match="seed must be an integer"):
        Deck(seed)


def global_states():
    name, words, *rest = np.random.get_state()  # noqa: NPY002
    return random.getstate(), name, words.tolist(), rest


def test_global_generators_are_left_alone():
    """The global generators of numpy and Python are neither changed nor used."""
    before = global_states()
    unseeded, seeded = Deck(), shuffled(seed=7)
    unseeded.shuffle()
    assert before == global_states()
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002
    assert seeded == shuffled(seed=7)


def test_text_of_a_deck():
    """The repr counts the cards that are left and has the seed, if there is one."""
    deck = Deck(seed=7)
    deck.deal(2)
    assert repr(deck) == "<Deck: 50 cards left, seed=7>"
    assert repr(Deck(rng=np.random.default_rng(7))) == "<Deck: 52 cards left>"


@pytest.mark.parametrize("many", [np.array([1, 2]), np.array([[51]] * 2), pd.Series([51, 50])])
def test_many_cards_in_a_deck(many):
    with pytest.raises(HoldemTypeError, match=r"one card can be in a deck.*numpy\.isin"):
        _ = many in Deck()
    assert np.isin(many, Deck().cards).all()
    assert [51] not in Deck()


def test_a_generator_of_the_standard_library():
    """`random.Random` shuffles as numpy's generator does: by its seed, advancing it."""
    rng = random.Random(1)
    first, second = Deck(rng=rng), Deck(rng=rng)
    assert sorted(first) == sorted(second) == sorted(Deck())
    assert first.cards != second.cards
    assert first.cards == Deck(rng=random.Random(1)).cards
    assert first.seed is None
    places = [Deck(rng=rng, cards="2c3c4c").cards.index(0) for _ in range(3000)]
    assert all(abs(places.count(place) - 1000) < 120 for place in range(3))
