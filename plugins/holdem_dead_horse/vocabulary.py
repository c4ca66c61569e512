"""The deck of the article *DeadHorseEval*, and functions for hands written with its labels.

They convert a hand to the 17-bit numbers of its cards, to its strength or to its category's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

import holdem
from holdem_dead_horse.cards import HIGH_RANKS, card_label, card_number
from holdem_dead_horse.spec import SPEC

#: The numbers of the 52 cards in the article's order: spades, hearts, clubs, diamonds from the 2
#: up (``fiftyTwo``).
FIFTY_TWO = tuple(card_number(4 * rank + suit) for suit in (3, 2, 0, 1) for rank in range(13))

#: The labels of these cards, ``"2s"`` to ``"14d"`` (``allHumanCards``).
ALL_HUMAN_CARDS = tuple(card_label(number) for number in FIFTY_TWO)

_CARDS = {card_number(card): holdem.Card(card) for card in range(52)}
_CATEGORY_SHIFT = 27
_NAMES = (
    *("High Card", "Pair", "Two Pair", "3 of a Kind", "Straight"),
    *("Flush", "Full House", "4 of a Kind", "Straight Flush"),
)
_HIGH_LABEL = re.compile(r"1[1-4](?=[shcd])", re.IGNORECASE)


def hand(cards: str | Iterable[Any]) -> tuple[int, ...]:
    """Convert cards to their 17-bit numbers.

    Args:
        cards: labels of *DeadHorseEval*, such as ``"14s 14d 5h 14h 14c"``, cards in any form that
            `holdem.parse_cards` accepts, or such numbers.

    Raises:
        CardError: a card does not exist or appears twice.
        HoldemTypeError: `cards` has another type.
    """
    return tuple(map(card_number, holdem.parse_cards(_to_engine(cards), what="hand")))


def hand_value(hand: str | Iterable[Any]) -> int:
    """Return the strength of the best five of five to seven cards; bigger is stronger.

    The first call loads the evaluator.

    Args:
        hand: in any form that the function `hand` accepts.

    Raises:
        CardError: not five to seven different cards.
        HoldemTypeError: `hand` has another type.
    """
    return holdem.evaluate(_to_engine(hand), evaluator=SPEC).strength


def hand_name(hand: str | Iterable[Any]) -> str:
    """Return the category of the best five cards in the words of *DeadHorseEval*.

    The arguments and errors are those of `hand_value`; an example is ``"4 of a Kind"``.
    """
    return _NAMES[hand_value(hand) >> _CATEGORY_SHIFT]


def _to_engine(hand: Any) -> Any:
    """Convert labels and numbers of cards to the engine's; all else is left to the engine."""
    if isinstance(hand, str):
        return _HIGH_LABEL.sub(lambda label: HIGH_RANKS[label[0]], hand)
    if isinstance(hand, int | np.integer):
        return _CARDS.get(int(hand), hand)
    if isinstance(hand, Iterable):
        return [_to_engine(item) for item in hand]
    return hand
