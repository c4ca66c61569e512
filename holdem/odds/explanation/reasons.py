"""The part of the hands that decides between known hands, and a sentence about it."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from holdem import rules
from holdem.cards import Card
from holdem.evaluation.hand_value import HandValue
from holdem.rules import RANK_NAMES, RANK_PLURALS, HandClass

_KICKERS = ("first kicker", "second kicker", "third kicker", "fourth kicker")
# The parts of a hand of each category, in the order of `HandClass.ranks`.
_PARTS = {
    rules.HIGH_CARD: ("high card", *_KICKERS),
    rules.PAIR: ("pair", *_KICKERS),
    rules.TWO_PAIR: ("higher pair", "lower pair", "kicker"),
    rules.THREE_OF_A_KIND: ("three of a kind", *_KICKERS),
    rules.STRAIGHT: ("high card",),
    rules.FLUSH: ("high card", "second card", "third card", "fourth card", "fifth card"),
    rules.FULL_HOUSE: ("three of a kind", "pair"),
    rules.FOUR_OF_A_KIND: ("four of a kind", "kicker"),
    rules.STRAIGHT_FLUSH: ("high card",),
    rules.FIVE_OF_A_KIND: ("five of a kind",),
}

# The number of cards in each part; 1 in all others.
_SIZES = {
    "pair": 2,
    "higher pair": 2,
    "lower pair": 2,
    "three of a kind": 3,
    "four of a kind": 4,
    "five of a kind": 5,
}
_DEUCE = 0


@attrs.frozen
class Decision:
    """The winners among several hands, and the part of the hands that decides."""

    winners: tuple[int, ...]
    """The indices of the strongest hands."""
    decided_by: str
    """``"category"``, a part of the hand with its rank, such as ``"third kicker, Nine"``,
    ``"tie"`` or ``"tie, the board plays"``."""
    cards: tuple[Card, ...]
    """The first winner's cards that decide, with wild cards where they stand for the rank."""
    reason: str
    """The end of a sentence about the winners."""


def decide(hands: Sequence[HandValue], *, board_plays: bool) -> Decision:
    """Compare hands of one evaluator and find what decides between the strongest and the rest.

    Args:
        hands: the hands of two or more players.
        board_plays: whether no player has a better hand than the five cards of the board.
    """
    best = max(hands)
    winners = tuple(number for number, hand in enumerate(hands) if hand == best)
    others = [hand for hand in hands if hand != best]
    if not others:
        decided_by = "tie, the board plays" if board_plays else "tie"
        equal = "the board plays" if board_plays else "their best five cards have equal ranks"
        return Decision(winners, decided_by, (), f": {equal}")
    second = max(others)
    rivals = tuple(number for number, hand in enumerate(hands) if hand == second)
    against = f"{possessive(rivals)} {second.name}"
    if best.category != second.category:
        return Decision(winners, "category", best.best, f", which beats {against}")
    part, rank, other = _first_difference(best.hand_class, second.hand_class)
    names = RANK_NAMES if part.endswith(("card", "kicker")) else RANK_PLURALS
    return Decision(
        winners,
        f"{part}, {names[rank]}",
        _cards_of(best, part, rank),
        f" over {against}: the {part} decides, {names[rank]} against {names[other]}",
    )


def _first_difference(best: HandClass, second: HandClass) -> tuple[str, int, int]:
    """Return the most significant part in which two classes of a category differ, and its ranks."""
    pairs = zip(_PARTS[best.category], best.ranks, second.ranks, strict=False)
    return next((part, rank, other) for part, rank, other in pairs if rank != other)


def _cards_of(hand: HandValue, part: str, rank: int) -> tuple[Card, ...]:
    """Return the cards of one part of a hand, the wild ones last."""
    natural = tuple(card for card in hand.best if card.rank == rank)
    if rank == _DEUCE or not hand.evaluator.rules.deuces_wild:
        return natural
    wild = tuple(card for card in hand.best if card.rank == _DEUCE)
    return (natural + wild)[: _SIZES.get(part, 1)]


def listed(players: Sequence[int]) -> str:
    """Return the names of players given by index, such as ``"players 1, 2 and 3"``."""
    *most, last = [str(player + 1) for player in players]
    return f"players {', '.join(most)} and {last}" if most else f"player {last}"


def possessive(players: Sequence[int]) -> str:
    """Return the names of players in the genitive, such as ``"player 1's"``."""
    return f"{listed(players)}'s"
