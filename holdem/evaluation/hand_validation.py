"""Validation of hands and strengths that users supply, and their conversion to arrays."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdem.cards import (
    Card,
    CardArray,
    CardsLike,
    card_set,
    card_sets,
    cards_text,
    parse_cards,
    read_only,
)
from holdem.errors import CardError, HoldemTypeError, one_line
from holdem.jit.kernels import MOST_HANDS, bytes_above, bytes_equal, kernel, kernel_or_numpy
from holdem.rules import RuleSet

# The least number of hands for the kernel, which takes 0.3 ns a hand instead of numpy's 20.
_MANY = 1 << 12
_REST = 16  # hands: more than the kernel compares at once, or leaves at the end


def validate_hands(cards: ArrayLike, rules: RuleSet) -> CardArray:
    """Validate hands, integers ``(hand, 5..7)``, and convert them to C-contiguous ``uint8``.

    The result is `cards` itself if it is such an array, and a view of contiguous ``int8``.
    """
    given = _convert_to_integers(cards)
    ids = given
    if given.dtype == np.int8:
        ids = given.view(np.uint8)  # ids below 0 become ids above 127
    elif given.dtype != np.uint8:
        outside = ((given < 0) | (given > 255)).any(axis=1)  # would wrap around to other ids
        if outside.any():
            raise CardError(_describe_fault(given, int(np.argmax(outside)), rules))
    hands = np.ascontiguousarray(ids, dtype=np.uint8)
    row = find_invalid_row(hands, rules)
    if row >= 0:
        raise CardError(_describe_fault(given, row, rules))
    return hands


def parse_hand(cards: CardsLike | NDArray[Any], rules: RuleSet) -> tuple[Card, ...]:
    """Parse one hand of five, six or seven cards from text or from a sequence of cards."""
    hand = parse_cards(cards, what="hand")
    rules.require_in_deck(hand, "hand")
    if not 5 <= len(hand) <= 7:
        raise CardError(
            f"a hand has 5 to 7 cards, not {len(hand)}: {cards_text(hand, ' ') or 'none given'}"
        )
    return hand


def trusted_hands(cards: ArrayLike) -> CardArray:
    """Convert hands as `validate_hands` does, but without validating ids."""
    given = _convert_to_integers(cards)
    return np.ascontiguousarray(given.view(np.uint8) if given.dtype == np.int8 else given, np.uint8)


def validate_strengths(strengths: ArrayLike) -> NDArray[np.integer]:
    """Convert strengths to an integer array of any shape; an empty array may have any type."""
    given = convert_to_array(strengths, "strengths")
    if given.size and not np.issubdtype(given.dtype, np.integer):
        raise HoldemTypeError(f"expected strengths, which are integers, not {given.dtype}")
    return given


def _convert_to_integers(cards: ArrayLike) -> NDArray[np.integer]:
    """Convert hands of 5 to 7 cards to an integer array ``(hand, card)``."""
    given = convert_to_array(cards, "hands")
    if given.ndim != 2 or given.shape[1] not in (5, 6, 7):
        hint = ""
        if given.dtype.kind in "TU" or (given.ndim == 1 and given.dtype == object):
            hint = "; text becomes ids by np.array([holdem.parse_cards(hand) for hand in hands])"
        elif given.ndim == 1 and len(given) in (5, 6, 7):
            hint = "; one hand is a row, as in strengths([hand])[0]"
        raise HoldemTypeError(
            f"expected hands of 5 to 7 cards, shape (n, 5..7), not {given.shape}{hint}"
        )
    if not np.issubdtype(given.dtype, np.integer):
        hint = "; convert your array x with x.astype(np.uint8)" * (given.dtype.kind == "f")
        raise HoldemTypeError(f"expected card ids (uint8), not {given.dtype}{hint}")
    return given


def convert_to_array(values: ArrayLike, what: str) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        reason = one_line(str(error))
        if "inhomogeneous" in reason:  # how numpy calls rows of different lengths
            reason = "its rows have different lengths; use a call for each length"
        raise HoldemTypeError(f"expected an array of {what}: {reason}") from None


def find_invalid_row(hands: CardArray, rules: RuleSet) -> int:
    """Find the first hand with a card twice or one outside the deck; return its index, or else -1.

    `hands` are C-contiguous ``uint8 (hand, 5..7)``, of any bytes.
    """
    first, size = 0, hands.shape[1]
    if len(hands) >= _MANY:
        lowest, highest = (np.full(WIDTH, rules.deck[end], dtype=np.uint8) for end in (0, -1))
        count = kernel_or_numpy(count_valid, _count_valid_in_numpy, len(hands), MOST_HANDS)
        first = int(count(read_only(hands).ravel(), np.uint64(size), lowest, highest))
        hands = hands[first : first + _REST]
    wrong = np.bitwise_count(card_sets(hands) & _deck_set(rules)) != size
    return first + int(np.argmax(wrong)) if wrong.any() else -1


def _count_valid_in_numpy(
    cards: CardArray, size: np.uint64, lowest: CardArray, highest: CardArray
) -> np.uint64:
    """Count the hands before the first invalid one; the arguments are those of `count_valid`."""
    hands = cards.reshape(-1, int(size))
    deck = np.uint64(card_set(range(lowest[0], highest[0] + 1)))
    wrong = np.bitwise_count(card_sets(hands) & deck) != size
    return np.uint64(np.argmax(wrong) if wrong.any() else len(hands))


@cache
def _deck_set(rules: RuleSet) -> np.uint64:
    return np.uint64(card_set(rules.deck))


def _describe_fault(hands: NDArray[np.integer], row: int, rules: RuleSet) -> str:
    ids = hands[row].tolist()
    lowest, highest = int(rules.deck[0]), int(rules.deck[-1])
    for card in ids:
        if not lowest <= card <= highest:
            return f"hand {row}: {ids} has the id {card}, outside {lowest}..{highest}"
    twice = next(Card(card) for card in ids if ids.count(card) > 1)
    return f"hand {row}: {cards_text(ids, ' ')} has {twice} twice"


# The kernel compares the cards of consecutive hands, 9 hands of seven cards at a time, with those
# one position on, two positions on, and so on. Of the results, a 64-bit mask for each distance
# keeps those where both cards are in the same hand.

#: The number of cards that are compared at once.
WIDTH = 64


def _mask_pairs(size: int, distance: int) -> int:
    """Return a bit mask of the cards whose `distance`-th next card belongs to the same hand.

    `count_valid` compares each card of a block with that next card; two equal cards are a fault
    only if the mask has the bit. Bit i stands for card i of the block: `WIDTH` cards, of which the
    first are as many hands of `size` cards as fit. For distance 0, the bits of all cards of these
    hands are set.
    """
    used = WIDTH // size * size
    return sum(1 << place for place in range(used) if place % size + distance < size)


_PAIRS: NDArray[np.uint64] = np.array(
    [[_mask_pairs(size, distance) for distance in range(7)] for size in (5, 6, 7)], dtype=np.uint64
)


@kernel
def count_valid(
    cards: CardArray, size: np.uint64, lowest: CardArray, highest: CardArray
) -> np.uint64:
    """Count the valid hands before the first block that contains an invalid one.

    A hand is invalid if it has a card twice or one outside the deck. A block is as many hands as
    fit in `WIDTH` bytes. Counting ends where fewer than `WIDTH + size` bytes are left.

    `cards` are those of all hands, ``uint8 (hand * size,)``, any bytes; `size` is 5 to 7. `lowest`
    and `highest` are the ends of the deck, repeated, ``uint8 (WIDTH,)``.
    """
    start, none = np.uint64(0), np.uint64(0)
    pairs = _PAIRS[size - np.uint64(5)]
    step, end = np.uint64(WIDTH) // size * size, start + np.uint64(WIDTH) + size
    while start + end <= np.uint64(len(cards)):
        faults = bytes_above(cards, start, highest, none) | bytes_above(lowest, none, cards, start)
        faults &= pairs[0]
        for distance in range(np.uint64(1), size):
            faults |= bytes_equal(cards, start, cards, start + distance) & pairs[distance]
        if faults:
            break
        start += step
    return start // size
