"""Hands in the form of subskybox's article, and their strengths and names.

The article, which ``README.md`` names, represents a hand by its ranks ``cs`` and its suit
flags ``ss``.
"""

from __future__ import annotations

from typing import NamedTuple

import holdem

# The flags of the article, by suit as the engine numbers them: clubs, diamonds, hearts, spades.
_FLAGS = (2, 8, 4, 1)


class Hand(NamedTuple):
    """A hand as in subskybox's article: the two arguments of its function ``rankPokerHand``."""

    cs: tuple[int, ...]
    """The rank of each card, 2..14 for 2..A."""

    ss: tuple[int, ...]
    """The suit of each card as a flag: ♠ 1, ♣ 2, ♥ 4, ♦ 8."""


def card(text: str | int) -> tuple[int, int]:
    """Return ``(rank, flag)``: the rank of a card, 2..14, and its suit flag, as in `Hand`.

    Args:
        text: a card such as ``"As"``, or an id of the engine.

    Raises:
        CardError: the card does not exist.
    """
    rank, suit = divmod(holdem.Card(text), 4)
    return rank + 2, _FLAGS[suit]


def hand(text: str) -> Hand:
    """Return the ranks and the suit flags of five to seven cards.

    Args:
        text: cards in any form that `holdem.parse_cards` accepts, such as ``"2s 3d 4c 5h As"``.

    Raises:
        CardError: not five to seven different cards.
    """
    cards = holdem.parse_cards(text, what="hand")
    if not 5 <= len(cards) <= 7:
        raise holdem.CardError(f"a hand has five to seven cards, not {len(cards)}: {text!r}")
    ranks, flags = zip(*map(card, cards), strict=True)
    return Hand(ranks, flags)


def rank_poker_hand(cs: tuple[int, ...], ss: tuple[int, ...]) -> str:
    """Return the name that ``rankPokerHand(cs, ss)`` of subskybox's article gives five cards.

    Args:
        cs: five ranks, 2..14 for 2..A. They are not checked.
        ss: five suit flags. They are not checked.
    """
    from holdem_bitwise.kernel import analyse

    return analyse(cs, ss)


def hand_value(hand: str | Hand) -> int:
    """Return the strength of five to seven cards; bigger is stronger.

    Args:
        hand: text, or ranks and suit flags as the function `hand` returns them, which are not
            checked.

    Raises:
        CardError: the text is not that of five to seven different cards.
    """
    from holdem_bitwise.best_five import strength

    return strength(*_hand(hand))


def hand_name(hand: str | Hand) -> str:
    """Return the name of the best five cards as in subskybox's article, e.g. ``"2 Pair"``.

    The arguments and errors are those of `hand_value`. For five cards the name is the same as that
    of `rank_poker_hand`, which computes no strength.
    """
    from holdem_bitwise.kernel import name_of_strength

    return name_of_strength(hand_value(hand))


def _hand(given: str | Hand) -> Hand:
    return hand(given) if isinstance(given, str) else given
