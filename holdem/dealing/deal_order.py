"""The order of dealing: deck positions of the hole cards, burn cards and board.

Each seat gets one card, then each seat a second card. A card is burnt before the flop of three
cards, before the turn and before the river. Seat 0, on the left of the button, gets the first
card; the button is the last seat.
"""

from __future__ import annotations

from typing import Any

import attrs

from holdem.arguments import checked_integer
from holdem.errors import SpotError

MIN_PLAYERS, MAX_PLAYERS = 2, 10

_STREETS = (3, 1, 1)  # cards that go to the board on the flop, the turn and the river


@attrs.frozen
class DealOrder:
    """The deck position, counted from the top, of every card in a deal."""

    cards: int
    """Number of cards that the deal uses: ``2 * players + 8``."""

    holes: tuple[tuple[int, ...], ...]
    """Two positions for each seat."""

    burns: tuple[int, ...]
    """Three positions: before the flop, the turn and the river."""

    board: tuple[int, ...]
    """Five positions: flop, turn, river."""


def checked_players(players: Any) -> int:
    """Validate a number of players and return it as an int.

    Raises:
        SpotError: the number is not 2 to 10.
        HoldemTypeError: `players` is not an integer.
    """
    return checked_integer(players, "players", MIN_PLAYERS, MAX_PLAYERS, SpotError)


def deal_order(players: int) -> DealOrder:
    """Return the deal order for 2 to 10 players."""
    position = 2 * players
    burns: list[int] = []
    board: list[int] = []
    for count in _STREETS:
        burns.append(position)
        board += range(position + 1, position + 1 + count)
        position += 1 + count
    return DealOrder(
        cards=position,
        holes=tuple((seat, players + seat) for seat in range(players)),
        burns=tuple(burns),
        board=tuple(board),
    )
