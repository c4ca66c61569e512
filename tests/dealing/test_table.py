"""Cards go round the table one at a time, twice, then to the board, a burn before each street."""

import attrs
import pytest

from holdem import CardError, Deck, HoldemTypeError, SpotError, parse_cards
from holdem.dealing.table import check_players, deal_table, table_places


def test_order_of_a_deal():
    """Three players: each gets every third card, then burn, flop, burn, turn, burn, river."""
    deck = Deck(cards="As Ks Qs Ad Kd Qd 2c 3c 4c 5c 2d 6c 2h 7c Jc")
    deal = deal_table(deck, 3)
    assert tuple(map(parse_cards, ("As Ad", "Ks Kd", "Qs Qd"))) == deal.holes
    assert parse_cards("2c 2d 2h") == deal.burns
    assert parse_cards("3c 4c 5c 6c 7c") == deal.board
    assert parse_cards("Jc") == deck.cards


@pytest.mark.parametrize("players", range(2, 11))
def test_places_are_those_of_a_deal(players):
    """From a deck in order, where card n lies at place n, the deal is the table of places."""
    deal = attrs.asdict(deal_table(Deck(), players))
    places = attrs.asdict(table_places(players))
    assert 2 * players + 8 == places.pop("cards")
    assert deal == places


def test_too_few_cards():
    """A deck that cannot fill the table says so, and no card is taken."""
    deck = Deck()
    deck.deal(25)
    with pytest.raises(CardError, match="a deal to 10 players takes 28 cards: 27 are left"):
        deal_table(deck, 10)
    assert len(deck) == 27


@pytest.mark.parametrize(
    ("players", "error"),
    [
        (1, SpotError),
        (11, SpotError),
        (-2, SpotError),
        (2.0, HoldemTypeError),
        (True, HoldemTypeError),
    ],
)
def test_two_to_ten_players(players, error):
    """A table has 2 to 10 players."""
    with pytest.raises(error, match=r"players must be an integer from 2 to 10, not"):
        check_players(players)
    with pytest.raises(error):
        deal_table(Deck(), players)
