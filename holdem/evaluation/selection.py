"""The best five of six or seven cards, for evaluators that rank five."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, card_sets, cards_in_sets, cards_text
from holdem.dealing.seeds import stream
from holdem.errors import EvaluatorError
from holdem.evaluation.contract import BatchFunction
from holdem.evaluation.scale import see_all, wrong_of
from holdem.values import RuleSet

_BLOCK = 1 << 13  # hands at a time: 21 choices of each are under a megabyte
_BLOCK_OF_DISTINCT = 1 << 16  # the more hands, the more of their choices are the same
_HANDS = 150  # of each size: what is wrong for one hand in 50 is found nineteen times in twenty


@cache
def choices_of_five(size: int) -> NDArray[np.intp]:
    """Return the places of every choice of five of `size` cards, ``intp (choice, 5)``."""
    return np.array(list(combinations(range(size), 5)), dtype=np.intp)


def best_of_five(
    rank_five: BatchFunction, hands: CardArray, *, distinct: bool = False
) -> NDArray[Any]:
    """Rank hands of six or seven cards with an evaluator of five.

    Args:
        rank_five: ranks ``uint8 (n, 5)``.
        hands: ``uint8 (n, 6)`` or ``uint8 (n, 7)``.
        distinct: ask for each choice of cards only once in a block of hands. Finding the
            distinct ones takes some 70 ns a choice, so it pays for slow evaluators only.

    Returns:
        The strength of the best of the 6 or 21 choices of each hand, ``(n,)``.
    """
    choices = choices_of_five(hands.shape[1])
    size = _BLOCK_OF_DISTINCT if distinct else _BLOCK
    blocks = []
    for start in range(0, len(hands), size):
        block = hands[start : start + size]
        if distinct:
            sets = card_sets(block[:, choices].reshape(-1, 5))
            asked, places = np.unique(sets, return_inverse=True)
            ranked = rank_five(cards_in_sets(asked, 5))[places]
        else:
            # `take` along the cards costs 90 ns a hand, indexing with the choices 135.
            ranked = rank_five(np.take(block, choices.ravel(), axis=1).reshape(-1, 5))
        blocks.append(ranked.reshape(len(block), len(choices)).max(axis=1))
    return np.concatenate(blocks) if blocks else rank_five(hands[:, :5])


def require_best_five(
    name: str, rules: RuleSet, size: int, rank: BatchFunction
) -> tuple[CardArray, NDArray[np.int64]]:
    """Refuse an evaluator whose hands of six or seven are not worth their best five.

    Some random hands and all their choices of five are ranked, 3,450 hands for seven cards:
    enough to find one that looks at five cards only, or has two scales.

    Args:
        name: the evaluator's, for messages.
        rules: the rule set whose order it follows.
        size: 6 or 7.
        rank: ranks hands of five and of `size` cards.

    Returns:
        The random hands, ``uint8 (hand, card)``, and their strengths, ``int64 (hand,)``.

    Raises:
        EvaluatorError: shows the first such hand, and its five.
    """
    deck = np.array(rules.deck, dtype=np.uint8)
    drawn = stream(1, "best five", size).permuted(np.tile(deck, (_HANDS, 1)), axis=1)
    hands = np.ascontiguousarray(drawn[:, :size])
    fives = hands[:, choices_of_five(size)]
    strengths = rank(hands)
    choices = rank(fives.reshape(-1, 5)).reshape(len(hands), -1)
    wrong = np.flatnonzero(strengths != choices.max(axis=1))
    if len(wrong):
        row = wrong[0]
        best = choices[row].argmax()
        raise EvaluatorError(
            f"evaluator {name!r} gives {cards_text(hands[row], ' ')} strength {strengths[row]},"
            f" and its best five, {cards_text(fives[row, best], ' ')}, {choices[row, best]};"
            f" {wrong_of(len(wrong), len(hands), f'hands of {size}')}; {see_all(name)}"
        )
    return hands, strengths.astype(np.int64)
