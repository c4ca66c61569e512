"""A deal at the table: who gets which card of the deck.

The cards go round the seats one at a time, twice; then a card is burnt and three come to
the board, a card is burnt and one comes, and once more. Seat 0 is the first to be dealt to:
the one to the left of the button, which is the last seat.
"""

from __future__ import annotations

from typing import Any

import attrs

from holdem.arguments import checked_integer
from holdem.cards import Card
from holdem.dealing.deck import Deck
from holdem.errors import CardError, SpotError

MIN_PLAYERS, MAX_PLAYERS = 2, 10

#: How many cards come to the board on the flop, the turn and the river.
STREETS = (3, 1, 1)


@attrs.frozen
class TableDeal:
    """The cards of one hand of Hold'em, dealt to the river."""

    holes: tuple[tuple[Card, ...], ...]
    """Two cards for each seat, in the order they came."""

    burns: tuple[Card, ...]
    """Three cards: burnt before the flop, the turn and the river."""

    board: tuple[Card, ...]
    """Five cards: flop, turn, river."""


@attrs.frozen
class TablePlaces:
    """Where in the deck, counted from the top, the cards of a deal lie."""

    cards: int
    """How many cards the deal takes: ``2 * players + 8``."""

    holes: tuple[tuple[int, ...], ...]
    """Two places for each seat."""

    burns: tuple[int, ...]
    """Three places: before the flop, the turn and the river."""

    board: tuple[int, ...]
    """Five places: flop, turn, river."""


def check_players(players: Any) -> int:
    """Return a number of players at a table, checked.

    Raises:
        SpotError: not 2 to 10.
        HoldemTypeError: not an integer.
    """
    return checked_integer(players, "players", MIN_PLAYERS, MAX_PLAYERS, SpotError)


def deal_table(deck: Deck, players: int) -> TableDeal:
    """Deal one hand of Hold'em from the top of a deck, to the river.

    Args:
        deck: shuffled by the caller. The cards of the deal are taken from it.
        players: 2 to 10.

    Raises:
        SpotError: not 2 to 10 players.
        CardError: the deck holds too few cards; none is then taken.
    """
    players = check_players(players)
    needed = 2 * players + sum(STREETS) + len(STREETS)
    if len(deck) < needed:
        raise CardError(f"a deal to {players} players takes {needed} cards: {len(deck)} are left")
    rounds = [deck.deal(players) for _ in range(2)]
    burns: list[Card] = []
    board: list[Card] = []
    for count in STREETS:
        burns.append(deck.burn())
        board += deck.deal(count)
    return TableDeal(tuple(zip(*rounds, strict=True)), tuple(burns), tuple(board))


def table_places(players: int) -> TablePlaces:
    """Return where the cards of a deal lie in a shuffled deck: `deal_table` in numbers.

    Args:
        players: 2 to 10, checked already.
    """
    place = 2 * players
    burns: list[int] = []
    board: list[int] = []
    for count in STREETS:
        burns.append(place)
        board += range(place + 1, place + 1 + count)
        place += 1 + count
    return TablePlaces(
        cards=place,
        holes=tuple((seat, players + seat) for seat in range(players)),
        burns=tuple(burns),
        board=tuple(board),
    )
