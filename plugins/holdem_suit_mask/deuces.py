"""The method for wild twos: the 31-bit value of five to seven cards by rules with wild cards.

The natural cards are those that are not twos. A type of hand is found as in
`holdem_suit_mask.kernel`, but each wild card replaces one of the natural cards that the type needs.
As there, a set of ranks has the bits of one section of a mask.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import holdem
from holdem_suit_mask.kernel import (
    best_five,
    horizontal_and,
    horizontal_or,
    horizontal_xor,
    pack,
    popcount,
    without_lowest,
    without_surplus,
)
from holdem_suit_mask.layout import ACE_HIGH_RANKS, DEUCES
from holdem_suit_mask.tables import CARD_MASKS
from holdem_suit_mask.value import HandType

_RANKS = np.uint32(ACE_HIGH_RANKS)
_DEUCES = np.uint64(DEUCES)
_SECTION = np.uint64(0xFFFF)
_STARTS = np.uint64(0x03FF_03FF_03FF_03FF)  # lowest ranks of straights, ace to ten
_RANKS_OF_SECTION = np.uint64(ACE_HIGH_RANKS)
_RUN = np.uint32(0b11111)
_ROYAL = np.uint32(0b11111 << 9)
_NONE = np.uint32(0)
_ONE, _TWO, _THREE, _FOUR, _FIVE = (np.uint32(count) for count in range(1, 6))
_BLOCK = np.uint64(512)  # hands: 4 KB of masks fit in the L1 cache


@holdem.inlined
def top(ranks: np.uint32) -> np.uint32:
    """Return the highest rank, as one bit, of a set of ranks; 0 if the set is empty."""
    ranks |= ranks >> np.uint32(1)
    ranks |= ranks >> np.uint32(2)
    ranks |= ranks >> np.uint32(4)
    ranks |= ranks >> np.uint32(8)
    return np.uint32(ranks ^ ranks >> np.uint32(1))


@holdem.inlined
def wild_cards(mask: np.uint64) -> np.uint32:
    """Count the twos in a mask, by adding up the bits of the twos in its four sections."""
    wild = (mask & _DEUCES) >> np.uint64(1)
    wild += wild >> np.uint64(32)
    return np.uint32((wild + (wild >> np.uint64(16))) & _SECTION)


@holdem.inlined
def ones_if_at_least(wild: np.uint32, number: np.uint32) -> np.uint64:
    """Return a word of 64 ones if there are at least `number` wild cards, else 0."""
    return np.uint64(np.uint64(0) - np.uint64(wild >= number))


@holdem.inlined
def best_straight(mask: np.uint64, wild: np.uint32) -> np.uint32:
    """Return the ranks of the best straight of natural cards in one section and `wild` wild cards.

    The result is 0 if there is none. `mask` has the natural cards, with both bits of aces.

    For each i, the bits i of `ones`, `twos` and `fours` are the binary digits of the number of
    ranks from i to i + 4 that are present; this is computed for all i and all sections at once.
    Four wild cards are not considered: they make five of a kind.
    """
    a, b, c = mask, mask >> np.uint64(1), mask >> np.uint64(2)
    d, e = mask >> np.uint64(3), mask >> np.uint64(4)
    odd, carry = a ^ b ^ c, a & b | (a ^ b) & c
    ones, carry_of_ones = odd ^ d ^ e, odd & d | (odd ^ d) & e
    twos, fours = carry ^ carry_of_ones, carry & carry_of_ones
    starts = fours & (ones | ones_if_at_least(wild, _ONE))  # five of the ranks, or four
    starts |= twos & ones & ones_if_at_least(wild, _TWO)  # three
    starts |= twos & ones_if_at_least(wild, _THREE)  # two
    return np.uint32(top(horizontal_or(starts & _STARTS)) * _RUN)


@holdem.inlined
def section_with_wild_cards(mask: np.uint64, place: np.uint64, wild: np.uint32) -> np.uint32:
    """Return the natural ranks of the section that begins at bit `place` if they make a flush.

    They do if there are five or more, counting the `wild` wild cards; otherwise, return 0.
    """
    ranks = np.uint32(mask >> place & _RANKS_OF_SECTION)
    return ranks if popcount(ranks) + wild >= _FIVE else _NONE


@holdem.inlined
def best_flush(mask: np.uint64, wild: np.uint32) -> np.uint32:
    """Return the best five ranks of a flush of natural and up to two wild cards; 0 without a flush.

    With two wild cards, a flush needs three of five natural cards, which only one suit can have.
    With three wild cards, there is four of a kind, which beats a flush. A wild card stands for the
    highest rank that the suit lacks.
    """
    spades = section_with_wild_cards(mask, np.uint64(0), wild)
    hearts = section_with_wild_cards(mask, np.uint64(16), wild)
    diamonds = section_with_wild_cards(mask, np.uint64(32), wild)
    clubs = section_with_wild_cards(mask, np.uint64(48), wild)
    flush = np.uint32(spades | hearts | diamonds | clubs)
    ranks = np.uint32(flush | top(np.uint32(_RANKS & ~flush)) & ones_if_at_least(wild, _ONE))
    ranks = np.uint32(ranks | top(np.uint32(_RANKS & ~ranks)) & ones_if_at_least(wild, _TWO))
    return best_five(ranks) if flush else _NONE


@holdem.inlined
def mask_value(mask: np.uint64, cards: np.uint64) -> np.uint32:
    """Return the 31-bit value of the best five of the cards in a mask, where twos are wild.

    The mask has `cards` cards, five to seven, each ace with both bits; it is not checked.
    """
    natural = mask & ~_DEUCES
    wild = wild_cards(mask)
    present = np.uint32(horizontal_or(natural) & _RANKS)
    odd = np.uint32(horizontal_xor(natural) & _RANKS)
    fours = np.uint32(horizontal_and(natural) & _RANKS)
    pairs = np.uint32(present ^ odd ^ fours)
    threes = np.uint32(odd & horizontal_or(natural & natural >> np.uint64(32)))
    singles = np.uint32(odd ^ threes)

    # Ranks of two, three, four and five cards or more. Each wild card adds one to every rank.
    one_wild, two_wild = ones_if_at_least(wild, _ONE), ones_if_at_least(wild, _TWO)
    three_wild, four_wild = ones_if_at_least(wild, _THREE), ones_if_at_least(wild, _FOUR)
    several = np.uint32(present ^ singles)
    many = np.uint32(threes | fours)
    two = np.uint32(several | present & one_wild)
    three = np.uint32(many | several & one_wild | present & two_wild)
    four = np.uint32(fours | many & one_wild | several & two_wild | present & three_wild)
    five = np.uint32(
        fours & one_wild | many & two_wild | several & three_wild | present & four_wild
    )

    best = top(two)
    found = pack(HandType.HIGH_CARD, without_surplus(singles, cards), _NONE)
    if best:
        kickers = without_surplus(np.uint32(present ^ best), cards)
        found = pack(HandType.PAIR, best, kickers)
    upper_pairs = without_lowest(pairs)
    if upper_pairs:
        best_pairs = upper_pairs if without_lowest(upper_pairs) else pairs
        found = pack(HandType.TWO_PAIR, best_pairs, top(np.uint32(present ^ best_pairs)))
    best = top(three)
    if best:
        kickers = without_surplus(np.uint32(present ^ best), cards)
        found = pack(HandType.THREE_OF_A_KIND, best, kickers)
    straight = best_straight(np.uint64(horizontal_or(natural)), wild)
    if straight:
        found = pack(HandType.STRAIGHT, straight, _NONE)
    flush = best_flush(natural, wild)
    if flush:
        found = pack(HandType.FLUSH, flush, _NONE)
    # A wild card makes three of a kind of the higher of two pairs. With two, there is no full
    # house: a pair is four of a kind.
    fill = top(np.uint32(several & ~best))
    if best and fill:
        found = pack(HandType.FULL_HOUSE, best, fill)
    best = top(four)
    if best:
        found = pack(HandType.FOUR_OF_A_KIND, best, top(np.uint32(present ^ best)))
    straight_flush = best_straight(natural, wild)
    if straight_flush:
        found = pack(HandType.STRAIGHT_FLUSH, straight_flush, _NONE)
    if straight_flush == _ROYAL:
        found = pack(HandType.ROYAL_FLUSH, straight_flush, _NONE)
    if five:
        found = pack(HandType.FIVE_OF_A_KIND, top(five), _NONE)
    return found


@holdem.inlined
def _rank(hands: NDArray[np.uint8], values: NDArray[np.int32], cards: np.uint64) -> None:
    """Write the 31-bit values of hands to `values`; the arguments are those of `kernel._rank`."""
    lower, upper = np.empty(_BLOCK, dtype=np.uint32), np.empty(_BLOCK, dtype=np.uint32)
    for start in range(np.uint64(0), np.uint64(len(hands)), _BLOCK):
        size = min(_BLOCK, np.uint64(len(hands)) - start)
        for i in range(size):
            mask = np.uint64(0)
            for j in range(cards):
                mask |= CARD_MASKS[hands[start + i, j]]
            lower[i], upper[i] = np.uint32(mask), np.uint32(mask >> np.uint64(32))
        for i in range(size):
            mask = np.uint64(upper[i]) << np.uint64(32) | np.uint64(lower[i])
            values[start + i] = mask_value(mask, cards)


@holdem.kernel
def _rank_five(hands: NDArray[np.uint8], values: NDArray[np.int32]) -> None:
    _rank(hands, values, np.uint64(5))


@holdem.kernel
def _rank_six(hands: NDArray[np.uint8], values: NDArray[np.int32]) -> None:
    _rank(hands, values, np.uint64(6))


@holdem.kernel
def _rank_seven(hands: NDArray[np.uint8], values: NDArray[np.int32]) -> None:
    _rank(hands, values, np.uint64(7))


_KERNELS = {5: _rank_five, 6: _rank_six, 7: _rank_seven}


def rank_batch(hands: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Rank hands of five to seven cards, ``uint8 (hand, card)``, not checked, by 31-bit values."""
    values = np.empty(len(hands), dtype=np.int32)
    _KERNELS[hands.shape[1]](hands, values)
    return values
