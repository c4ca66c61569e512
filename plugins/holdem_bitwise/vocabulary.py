"""Hands in the form of subskybox's article, and their strengths and names.

The article, which ``README.md`` names, represents a hand by its ranks ``cs`` and its suit
flags ``ss``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import holdem
from holdem_bitwise.spec import SPEC

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


#: A hand as text, cards, ids, or ranks and suit flags.
HandLike: TypeAlias = str | Iterable[Any] | Hand


def hand(cards: HandLike) -> Hand:
    """Return the ranks and the suit flags of cards.

    Args:
        cards: in any form that `holdem.parse_cards` accepts, such as ``"2s 3d 4c 5h As"``; or
            ranks and suit flags.

    Raises:
        CardError: a card does not exist or appears twice.
        HoldemTypeError: `cards` has another type.
    """
    pairs = [card(each) for each in holdem.parse_cards(_to_engine(cards), what="hand")]
    return Hand(tuple([rank for rank, _ in pairs]), tuple([flag for _, flag in pairs]))


def rank_poker_hand(cs: tuple[int, ...], ss: tuple[int, ...]) -> str:
    """Return the name that ``rankPokerHand(cs, ss)`` of subskybox's article gives five cards.

    Args:
        cs: five ranks, 2..14 for 2..A. Only their number is checked.
        ss: five suit flags. Only their number is checked.

    Raises:
        CardError: not five ranks and five flags.
    """
    if not len(cs) == len(ss) == 5:
        raise holdem.CardError(
            f"rank_poker_hand names five cards, not {len(cs)}: hand_name names the best five of six"
            " or seven"
        )
    from holdem_bitwise.kernel import analyse

    return analyse(cs, ss)


def hand_value(hand: HandLike) -> int:
    """Return the strength of five to seven cards; bigger is stronger.

    The first call loads the evaluator.

    Args:
        hand: text, cards or ids in any form that `holdem.evaluate` accepts; or ranks and suit flags
            as the function `hand` returns them.

    Raises:
        CardError: not five to seven different cards.
        HoldemTypeError: `hand` has another type.
    """
    return holdem.evaluate(_to_engine(hand), evaluator=SPEC).strength


def hand_name(hand: HandLike) -> str:
    """Return the name of the best five cards as in subskybox's article, e.g. ``"2 Pair"``.

    The arguments and errors are those of `hand_value`. For five cards the name is the same as that
    of `rank_poker_hand`, which computes no strength.
    """
    from holdem_bitwise.kernel import name_of_strength

    return name_of_strength(hand_value(hand))


def _to_engine(hand: Any) -> Any:
    """Convert ranks and suit flags to cards; another form of a hand is returned as it is.

    Two sequences of five or more are ranks and flags: ten cards are no hand.
    """
    if not isinstance(hand, Hand):
        given = hand if isinstance(hand, tuple) else ()
        is_row = [isinstance(part, tuple | list) and len(part) >= 5 for part in given]
        if is_row != [True, True]:
            return hand
    ranks, flags = hand
    if len(ranks) != len(flags):
        raise holdem.CardError(f"{len(ranks)} ranks, but {len(flags)} suit flags")
    return [_find_card(pair) for pair in zip(ranks, flags, strict=True)]


def _find_card(pair: tuple[int, int]) -> holdem.Card:
    found = _cards().get(pair)
    if found is None:
        raise holdem.CardError(
            f"{pair!r} is not a card: card makes one from text, such as {card('As')} from 'As'"
        )
    return found


@cache
def _cards() -> dict[tuple[int, int], holdem.Card]:
    return {card(each): holdem.Card(each) for each in range(52)}
