"""The default evaluator for single hands, in plain Python: nothing is compiled."""

from __future__ import annotations

from holdem.cards import DECK_SIZE
from holdem.evaluation.builtin.lookup_keys import (
    CARD_KEYS,
    CARD_MASKS,
    FLUSH_BITS,
    ROW_BITS,
    SUIT_COUNT_START,
)
from holdem.evaluation.builtin.lookup_tables import FLUSH_STRENGTHS, TABLES

_KEYS, _MASKS = CARD_KEYS.tolist(), CARD_MASKS.tolist()
_32_BITS = (1 << 32) - 1
_FIRST_FLUSH_BIT = 35  # of clubs; those of the other suits are 4, 8 and 12 bits higher


def rank_one(hand: bytes) -> int:
    """Rank a hand as `holdem.evaluation.builtin.lookup` does.

    Args:
        hand: the ids of the cards.

    Returns:
        The strength, 1..7462, or 0 if the bytes are not a hand: another number of cards, an id
        that is not a card, or a card twice.
    """
    size = len(hand)
    if size not in TABLES or max(hand) >= DECK_SIZE or len(set(hand)) < size:
        return 0
    key = sum([_KEYS[card] for card in hand], SUIT_COUNT_START)
    if flush := key & FLUSH_BITS:
        suit = (flush >> _FIRST_FLUSH_BIT).bit_length() // 4
        mask = 0
        for card in hand:
            mask |= _MASKS[card]
        return FLUSH_STRENGTHS.item(mask >> 16 * suit & 0x1FFF)
    ranks = key & _32_BITS
    offsets, strengths = TABLES[size]
    return strengths.item(ranks + offsets.item(ranks >> ROW_BITS) & _32_BITS)
