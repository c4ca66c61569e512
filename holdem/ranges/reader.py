"""Conversion of range text to the weights of all combos.

Most ranges are lists of classes and combos. These are parsed here, token by token, without
the full parser (`holdem.ranges.parser`), which takes 60 ms to load and build. All other text,
and invalid text, goes to the full parser. Both give the same weights and warnings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, RANKS
from holdem.errors import RangeError
from holdem.ranges.combos import COMBO_COUNT, Mask, combo_number, combos_in_deck
from holdem.ranges.dialects import Ambiguity, connector_ambiguity, warning_texts
from holdem.ranges.hand_tokens import (
    BLANKS,
    combos_between,
    combos_from,
    combos_of,
    parse_hand,
)
from holdem.ranges.range_errors import located
from holdem.ranges.weights import Weights, held_combos
from holdem.rules import STANDARD, RuleSet

MAX_LENGTH = 65_536

_RANK = "(?:10|[2-9TJQKAtjqka])"
_HAND = f"(?:{_RANK}{{2}}[soSO]?|(?:{_RANK}[cdhsCDHS]){{2}})"
_TOKEN = re.compile(rf"({_HAND})(?:(\+)|-({_HAND}))?(?:[:=]([0-9]+(?:\.[0-9]*)?|\.[0-9]+))?")
_CARD = {str(card): int(card) for card in DECK}
_SEPARATOR = re.compile(r"[ \t\r\n]*[,;][ \t\r\n]*|[ \t\r\n]+")


class Reading(NamedTuple):
    """The weights, combos and warnings that result from reading a range text."""

    weights: Weights
    """``float64 (combo,)``, 0..1, read-only."""

    held: NDArray[np.intp]
    """The combo numbers with positive weights, as in `Range.held`."""

    warnings: tuple[str, ...]
    """Texts of the dialect warnings to issue."""


@lru_cache(maxsize=256)
def read(text: str, rules: RuleSet = STANDARD) -> Reading:
    """Convert a range text to weights and warnings.

    Args:
        text: the text.
        rules: the rule set, which defines the deck and the order of starting hands. Ranks that
            are not in its deck cannot be named; open tokens such as ``random`` and ``88-`` are
            limited to the deck.

    Raises:
        RangeError: the text is invalid.
    """
    if len(text) > MAX_LENGTH:
        problem = f"a range of {len(text):,} characters is too long"
        error = RangeError(problem, expected=f"at most {MAX_LENGTH:,} characters")
        raise located(error, text, MAX_LENGTH, MAX_LENGTH + 1)
    missing = RANKS[: rules.lowest_rank]
    # Plain lists are parsed with all ranks, so text that may name a missing rank is excluded.
    parsed = None if any(rank in text for rank in missing) else parse_plain_list(text)
    if parsed is None:
        from holdem.ranges.parser import parse

        parsed = parse(text, rules)
    weights, ambiguities = parsed
    if missing:
        weights = np.where(combos_in_deck(rules), weights, 0.0)
    weights.setflags(write=False)
    return Reading(weights, held_combos(weights), warning_texts(ambiguities))


def parse_plain_list(text: str) -> tuple[Weights, Iterable[Ambiguity]] | None:
    """Parse a plain list of classes and combos, each with an optional ``+``, dash or weight.

    Returns:
        The weights, ``float64 (combo,)``, and the ambiguities. None if a token is invalid or
        needs the full parser.
    """
    words = _SEPARATOR.split(text.strip(BLANKS))
    if len(words) > 1 and not words[-1]:
        words.pop()  # a separator at the end
    weights = np.zeros(COMBO_COUNT)
    ambiguities = []
    for word in words:
        token = _plain_token(word)
        if token is None:
            return None
        held, weight, ambiguity = token
        weights[held] = 1.0 if weight == 1.0 else np.maximum(weights[held], weight)
        if ambiguity:
            ambiguities.append(ambiguity)
    return weights, ambiguities


@lru_cache(maxsize=1024)
def _plain_token(word: str) -> tuple[Mask | int, float, Ambiguity | None] | None:
    """Return the combos, weight and ambiguity of a plain token; None for any other token.

    The combos are a mask, or a number if there is only one.
    """
    first, second = _CARD.get(word[:2]), _CARD.get(word[2:])
    if first is not None and second is not None and first != second:
        # A number, because a mask of all combos takes 20 us to make.
        return combo_number(max(first, second), min(first, second)), 1.0, None
    match = _TOKEN.fullmatch(word)
    if match is None:
        return None
    text, plus, other, number = match.groups()
    weight = float(number) if number else 1.0
    if not 0 < weight <= 1:
        return None
    try:
        hand = parse_hand(text)
        if plus:
            return combos_from(hand, "+"), weight, connector_ambiguity(hand)
        return combos_between(hand, parse_hand(other)) if other else combos_of(hand), weight, None
    except RangeError:
        return None
