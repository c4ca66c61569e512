"""Parsing of the board and the dead cards."""

from __future__ import annotations

from holdem.cards import Card, CardsLike, cards_text, parse_cards, require_distinct
from holdem.errors import ErrorsAbout, SpotError
from holdem.rules import RuleSet


def parse_known_cards(
    board: CardsLike | None, dead: CardsLike | None, rules: RuleSet
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Parse the board and the dead cards.

    Args:
        board: 0, 3, 4 or 5 cards.
        dead: cards out of play.
        rules: the rule set, which defines the deck.

    Raises:
        CardError: a card does not exist, appears twice, or is not in the deck; has its `field`.
        SpotError: the number of board cards is wrong; has its `field`.
    """
    with ErrorsAbout(field="board"):
        board_cards = parse_board(board)
        rules.require_in_deck(board_cards, "board")
    with ErrorsAbout(field="dead"):
        dead_cards = parse_cards(dead if dead is not None else (), what="dead cards")
        require_distinct([("board", board_cards), ("dead cards", dead_cards)])
        rules.require_in_deck(dead_cards, "dead cards")
    return board_cards, dead_cards


def parse_board(board: CardsLike | None, what: str = "board") -> tuple[Card, ...]:
    """Parse the cards of a board.

    Args:
        board: 0, 3, 4 or 5 cards.
        what: the name of the board in messages about its cards.

    Raises:
        CardError: a card does not exist or appears twice.
        SpotError: the number of cards is wrong.
    """
    cards = parse_cards(board if board is not None else (), what=what)
    if len(cards) not in (0, 3, 4, 5):
        raise SpotError(
            f"a board has 0, 3, 4 or 5 cards, not {len(cards)}: {cards_text(cards, ' ')}"
        )
    return cards
