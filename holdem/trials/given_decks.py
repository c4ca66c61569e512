"""Hands that are dealt from decks that the user gives, instead of from random numbers."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdem.arguments import require_text
from holdem.cards import Card, CardArray, card_set, card_sets
from holdem.dealing.deck import Deck
from holdem.errors import CardError, HoldemTypeError, HoldemValueError, counted, quoted
from holdem.evaluation.hand_validation import convert_to_array
from holdem.odds.spot import BOARD_SIZE
from holdem.rules import RuleSet

#: How hole cards are dealt: both cards of a seat at once, or one card to each seat, twice.
Order = Literal["seat", "round"]

# Positions after the hole cards: a card is burnt before the flop, the turn and the river.
_BOARD, _BURNS = (1, 2, 3, 5, 7), (0, 4, 6)
_AFTER_HOLES = len(_BOARD) + len(_BURNS)
_PART = 1 << 14  # decks that are checked at a time


def checked_decks(deck: ArrayLike, players: int) -> NDArray[np.integer]:
    """Check that decks are integers ``(hand, card)``, with enough cards for the players."""
    expected = "deck must be an array of card ids (hand, card), a deck in each row from the top,"
    if isinstance(deck, Deck):
        raise HoldemTypeError(f"{expected} not a Deck: deck=[deck.cards] deals one hand")
    given = convert_to_array(deck, "decks")
    if given.dtype.kind not in "iu" or given.ndim != 2:
        hint = ""
        if given.dtype.kind in "TUO":
            hint = "; text becomes ids by [holdem.parse_cards(text) for text in decks]"
        elif given.ndim == 1:
            hint = "; one deck is a row, as in deck=[cards]"
        raise HoldemTypeError(f"{expected} not {given.dtype} {given.shape}{hint}")
    needed = 2 * players + _AFTER_HOLES
    if given.shape[1] < needed:
        raise CardError(
            f"{counted(players, 'player')} need {needed} cards with the board and three burns, and"
            f" the rows of deck have {given.shape[1]}"
        )
    return given


def deal_decks(decks: NDArray[np.integer], players: int, order: Order, rules: RuleSet) -> CardArray:
    """Deal from the top of each deck, ``(hand, card)``.

    The cards are ``uint8 (hand, 5 + 2 * players + 3)``: the board, then each player's hole cards,
    then the three burnt cards.
    """
    require_text(order, "order")
    if order not in get_args(Order):
        raise HoldemValueError(f"order must be seat or round, not {quoted(order)}")
    places = np.arange(2 * players)
    if order == "round":
        places = places.reshape(2, players).T.ravel()
    after = 2 * players + np.array(_BOARD), 2 * players + np.array(_BURNS)
    places = np.concatenate([after[0], places, after[1]])
    dealt = np.empty((len(decks), BOARD_SIZE + 2 * players + len(_BURNS)), dtype=np.uint8)
    for start in range(0, len(decks), _PART):
        part = decks[start : start + _PART]
        _require_valid(part, start, rules)
        dealt[start : start + _PART] = part[:, places]
    return dealt


def _require_valid(decks: NDArray[np.integer], first: int, rules: RuleSet) -> None:
    """Raise an error if a card is twice in a row or outside the rules' deck.

    `first` is the number of the first row.
    """
    lowest, highest = int(rules.deck[0]), int(rules.deck[-1])
    outside = (decks < lowest) | (decks > highest)
    if outside.any():
        row, place = np.argwhere(outside)[0].tolist()
        raise CardError(
            f"deck, row {first + row}: card {place} is the id {decks[row, place]}, outside"
            f" {lowest}..{highest}, the deck of {rules.name} rules"
        )
    sets = card_sets(decks.astype(np.uint8)) & np.uint64(card_set(rules.deck))
    twice = np.bitwise_count(sets) < decks.shape[1]
    if twice.any():
        row = int(np.argmax(twice))
        cards = decks[row].tolist()
        place = next(place for place, card in enumerate(cards) if card in cards[:place])
        raise CardError(
            f"deck, row {first + row}: {Card(cards[place])} is card {cards.index(cards[place])}"
            f" and again card {place}, from 0"
        )
