"""The order of a deal: one card at a time to each seat, twice, then burns and the board."""

import pytest

from holdem import Deck, HoldemTypeError, SpotError, parse_cards
from holdem.trials.simulation import HandDealer, deal_order


def test_order_of_a_deal():
    """Three players: each gets every third card, then burn, flop, burn, turn, burn, river."""
    deck = parse_cards("As Ks Qs Ad Kd Qd 2c 3c 4c 5c 2d 6c 2h 7c Jc")
    order = deal_order(3)
    assert ["AsAd", "KsKd", "QsQd"] == [f"{deck[a]}{deck[b]}" for a, b in order.holes]
    assert parse_cards("2c 2d 2h") == tuple(deck[i] for i in order.burns)
    assert parse_cards("3c 4c 5c 6c 7c") == tuple(deck[i] for i in order.board)


@pytest.mark.parametrize("players", range(2, 11))
def test_order_is_that_of_a_deck_dealt_at_a_table(players):
    """In a deck in order, in which each card is at its id, positions are the cards dealt."""
    deck = Deck()
    first, second = deck.deal(players), deck.deal(players)
    burns, board = [], []
    for count in (3, 1, 1):
        burns.append(deck.burn())
        board += deck.deal(count)
    order = deal_order(players)
    assert tuple(zip(first, second, strict=True)) == order.holes
    assert (tuple(burns), tuple(board)) == (order.burns, order.board)
    assert 52 - len(deck) == order.cards


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
    with pytest.raises(error, match="players must be an integer from 2 to 10, not"):
        HandDealer(players, 7, None)
