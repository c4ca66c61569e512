"""The deck of the article *DeadHorseEval*, and functions for hands written with its labels.

They convert a hand to the 17-bit numbers of its cards, to its strength or to its category's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import holdem
from holdem_dead_horse.cards import HIGH_RANKS, card_label, card_number

#: The numbers of the 52 cards in the article's order: spades, hearts, clubs, diamonds from the 2
#: up (``fiftyTwo``).
FIFTY_TWO = tuple(card_number(4 * rank + suit) for suit in (3, 2, 0, 1) for rank in range(13))

#: The labels of these cards, ``"2s"`` to ``"14d"`` (``allHumanCards``).
ALL_HUMAN_CARDS = tuple(card_label(number) for number in FIFTY_TWO)

_CATEGORY_SHIFT = 27
_NAMES = (
    *("High Card", "Pair", "Two Pair", "3 of a Kind", "Straight"),
    *("Flush", "Full House", "4 of a Kind", "Straight Flush"),
)
_HIGH_LABEL = re.compile(r"1[1-4](?=[shcd])", re.IGNORECASE)


def hand(text: str) -> tuple[int, ...]:
    """Convert the text of a five-card hand to the 17-bit numbers of its cards.

    Args:
        text: labels of *DeadHorseEval*, such as ``"14s 14d 5h 14h 14c"``, or cards in any form that
            `holdem.parse_cards` accepts.

    Raises:
        CardError: not five different cards.
    """
    known = _HIGH_LABEL.sub(lambda label: HIGH_RANKS[label[0]], text)
    cards = holdem.parse_cards(known, what="hand")
    if len(cards) != 5:
        raise holdem.CardError(f"a hand has five cards, not {len(cards)}: {text!r}")
    return tuple(map(card_number, cards))


def hand_value(hand: str | Iterable[int]) -> int:
    """Return the strength of five cards; bigger is stronger.

    Args:
        hand: text as for the function `hand`, or five different card numbers as that function
            returns them, which are not checked.

    Raises:
        CardError: the text is not that of five different cards.
    """
    from holdem_dead_horse.kernel import strength

    return strength(_numbers(hand))


def hand_name(hand: str | Iterable[int]) -> str:
    """Return the category of five cards in the words of *DeadHorseEval*: ``"4 of a Kind"``.

    The arguments and errors are those of `hand_value`.
    """
    return _NAMES[hand_value(hand) >> _CATEGORY_SHIFT]


def _numbers(given: str | Iterable[int]) -> tuple[int, ...]:
    return hand(given) if isinstance(given, str) else tuple(given)
