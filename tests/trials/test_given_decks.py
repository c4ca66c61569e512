"""`deal(deck=...)`: hands dealt from decks that the user gives."""

import json
import pickle

import numpy as np
import pytest

import holdem

RNG = np.random.default_rng(5)
DECKS = RNG.permuted(np.tile(np.arange(52, dtype=np.int8), (300, 1)), axis=1)


def deal_by_hand(cards, players, order):
    """Deal one deck with `Deck`: a burnt card before flop, turn and river."""
    deck = holdem.Deck(cards=cards)
    if order == "seat":
        holes = [deck.deal(2) for _ in range(players)]
    else:
        rounds = [deck.deal(players) for _ in range(2)]
        holes = list(zip(*rounds, strict=True))
    board, burns = [], []
    for count in (3, 1, 1):
        burns.append(deck.burn())
        board += deck.deal(count)
    return holes, board, burns


@pytest.mark.parametrize("order", ["seat", "round"])
@pytest.mark.parametrize("players", [1, 3, 10])
def test_hands_are_those_of_a_dealer(order, players):
    """Hole cards, board and burns are those that `Deck` deals, and the winners follow from them."""
    table = holdem.deal(players=players, deck=DECKS, order=order)
    for row, deck in enumerate(DECKS.tolist()):
        holes, board, burns = deal_by_hand(deck, players, order)
        assert table.hole[row].tolist() == [list(hole) for hole in holes]
        assert table.board[row].tolist() == board
        assert table.burns[row].tolist() == burns
        values = [holdem.evaluate([*hole, *board]) for hole in holes]
        winners = [seat for seat, value in enumerate(values) if value == max(values)]
        assert np.flatnonzero(table.winners[row]).tolist() == winners


def test_cards_that_are_not_needed_change_nothing():
    """Rows may have as few cards as the hand needs, of any type of integers."""
    table = holdem.deal(players=2, deck=DECKS)
    for dtype in (np.uint8, np.int64):
        assert holdem.deal(players=2, deck=DECKS[:, :12].astype(dtype), hands=300) == table
    with pytest.raises(holdem.CardError, match="2 players need 12 cards with the board"):
        holdem.deal(players=2, deck=DECKS[:, :11])


def test_one_deck_of_cards():
    """Cards of a `Deck` are a row; the deal is that of `Game` with the same deck."""
    deck = holdem.Deck(seed=7)
    table = holdem.deal(players=3, deck=[deck.cards])
    game = holdem.Game([100] * 3, (1, 2), deck=deck.cards)
    assert table.hole[0].tolist() == [list(hole) for hole in game.holes]


def test_decks_have_no_seed(tmp_path):
    """Texts, copies, frames, JSON and files do without a seed."""
    table = holdem.deal(players=2, deck=DECKS)
    assert (table.seed, repr(table)) == (None, "<HandTable: 300 hands of 2 players, given decks>")
    assert "of given decks" in str(table)
    assert "Hand 1 of given decks" in str(table[0])
    assert repr(table[0]).startswith("<Hand 1 of given decks: 2 players")
    assert pickle.loads(pickle.dumps(table)) == table
    assert table.to_frame()["seed"].isna().all()
    assert table.to_frame("polars")["seed"].null_count() == 300
    assert table[0].to_dict()["seed"] is None
    for ending in ("csv", "jsonl", "parquet"):
        assert holdem.write_hands(tmp_path / f"h.{ending}", table) is None
    lines = (tmp_path / "h.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [hand.to_dict() for hand in table]
    assert (tmp_path / "h.csv").read_text().splitlines()[1].startswith("1,,")


def test_short_deck():
    """The deck is that of the rules."""
    deck = RNG.permuted(np.arange(16, 52))[None]
    assert holdem.deal(players=6, deck=deck, evaluator="short-deck").winners.any()
    with pytest.raises(holdem.CardError, match=r"row 0: card \d+ is the id \d+, outside 16..51"):
        holdem.deal(players=6, deck=DECKS, evaluator="short-deck")


def changed(row, place, card):
    decks = DECKS.astype(np.int16)
    decks[row, place] = card
    return decks


@pytest.mark.parametrize(
    ("deck", "more", "error", "told"),
    [
        (changed(7, 3, 60), {}, holdem.CardError, "row 7: card 3 is the id 60, outside 0..51"),
        (changed(299, 0, -1), {}, holdem.CardError, "row 299: card 0 is the id -1, outside"),
        (
            changed(7, 51, DECKS[7, 2]),
            {},
            holdem.CardError,
            f"row 7: {holdem.Card(DECKS[7, 2])} is card 2 and again card 51, from 0",
        ),
        (DECKS[0], {}, holdem.HoldemTypeError, "not int8 (52,); one deck is a row, as in deck="),
        (DECKS * 1.0, {}, holdem.HoldemTypeError, "not float64 (300, 52)"),
        (["As Ks"], {}, holdem.HoldemTypeError, "text becomes ids by [holdem.parse_cards(text)"),
        ([[1, 2], [3]], {}, holdem.HoldemTypeError, "rows have different lengths"),
        (holdem.Deck(), {}, holdem.HoldemTypeError, "not a Deck: deck=[deck.cards] deals one hand"),
        (DECKS, {"seed": 3}, holdem.HoldemTypeError, "so leave out seed"),
        (DECKS, {"board": "AsKsQs"}, holdem.HoldemTypeError, "so leave out board"),
        (DECKS, {"hands": 5}, holdem.SpotError, "the number of rows of deck, 300; leave it out"),
        (DECKS, {"order": "clockwise"}, holdem.HoldemValueError, "order must be seat or round"),
        (None, {"order": "round"}, holdem.HoldemTypeError, "order is how the cards of deck"),
    ],
)
def test_errors(deck, more, error, told):
    with pytest.raises(error) as caught:
        holdem.deal(players=4, deck=deck, **more)
    assert told in str(caught.value)


def test_players_are_not_named_with_a_deck():
    with pytest.raises(holdem.HoldemTypeError, match="so leave out hole cards of players"):
        holdem.deal("AA", deck=DECKS)


def test_too_many_decks():
    """Decks of more memory than a table may take are refused before they are copied."""
    many = np.broadcast_to(DECKS[0], (10**9, 52))
    with pytest.raises(holdem.BudgetError, match="deck: 1,000,000,000 hands of 6 players"):
        holdem.deal(players=6, deck=many)
