"""The best five of six or seven cards, from the rank field s and the count field v of all cards.

`holdem_bitwise.kernel` describes the fields. With five cards, the sum of the nibbles of v tells
pairs, threes and fours apart, and only cards of five ranks can be a straight or a flush. Seven
cards can have a repeated rank and still be a straight or a flush, and the sum is ambiguous: three
and four of a kind give 7 + 15 = 22, which is 7 modulo 15, as with seven different ranks. Here, bits
1, 2 and 3 of all nibbles are three rank fields: the ranks with two cards or more, with three or
more, and with four. They determine the category, and `without_lowest` removes the cards that do not
count. There are no branches, so LLVM vectorizes a loop over hands.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdem import inlined
from holdem_bitwise.kernel import fields, pack, rank_field

#: Four counters of suits, one in each nibble, that start at 3: five cards set bit 3.
SUIT_COUNTERS = 0x3333


@inlined
def without_lowest(field: int) -> int:
    """Return a rank field without its lowest rank; 0 if the field is empty."""
    return field & (field - 1)


@inlined
def highest(field: int) -> int:
    """Return the highest rank, as one bit, of a rank field that has at most three ranks."""
    upper = without_lowest(field)
    field = upper if upper else field
    upper = without_lowest(field)
    return upper if upper else field


@inlined
def best_straight(s: int) -> int:
    """Return the five bits of the highest straight in the rank field `s`; 0 if there is none.

    `s` must have at most seven ranks. The bits of a straight A 2 3 4 5 are 1..5, the ace below the
    2. A bit of `starts` is the lowest rank of a straight. All straights among seven ranks overlap,
    so their starts are adjacent, and the highest has none above it; 31 is binary 11111.
    """
    s = s | (s >> 13 & 2)
    starts = s & s >> 1
    starts = starts & starts >> 2 & s >> 4
    return 31 * (starts & ~(starts >> 1))


@inlined
def suit_counter(suit: int) -> int:
    """Return the number that counts one card of a suit, 0..3, when added to `SUIT_COUNTERS`."""
    return 1 << 4 * suit


@inlined
def is_flush_suit(counters: int, suit: int) -> int:
    """Return 1 if a suit, 0..3, has five cards or more, else 0.

    `counters` is `SUIT_COUNTERS` plus the `suit_counter` of the suit of each card.
    """
    return counters >> 4 * suit + 3 & 1


@inlined
def best_by_ranks(s: int, v: int, cards: int) -> int:
    """Return the strength of the best five cards, as if there were no straights and flushes.

    `s` and `v` are the rank field and the count field of all cards.
    """
    twice, thrice, fours = rank_field(v >> 1), rank_field(v >> 2), rank_field(v >> 3)
    three = highest(thrice)
    pairs = twice ^ three  # includes a second three of a kind
    upper_pairs = without_lowest(pairs)
    best_pairs = upper_pairs if without_lowest(upper_pairs) else pairs  # the upper two of three

    four = fours != 0
    full_house = (three != 0) & (pairs != 0)
    two_pair = (three == 0) & (upper_pairs != 0)
    category = 1 if pairs else 0
    category = 2 if upper_pairs else category
    category = 3 if three else category
    category = 6 if full_house else category
    category = 7 if four else category

    repeated = three if three else best_pairs
    repeated = fours if four else repeated
    others = pairs if full_house else s ^ repeated
    others = s ^ repeated if four else others
    # In high card, a pair and three of a kind all others are single, and cards - 5 are too many.
    kickers = without_lowest(others) if cards > 5 else others
    kickers = without_lowest(kickers) if cards > 6 else kickers
    kickers = highest(others) if two_pair | full_house | four else kickers
    return pack(category, repeated, repeated | kickers)


@inlined
def best_five(s: int, v: int, flush: int, suited: int, cards: int) -> int:
    """Return the strength of the best five of five to seven cards, from bit fields.

    Straights and flushes need five ranks. Seven cards of five ranks are at best three of a kind or
    two pair, so a straight or a flush is never weaker than the best five by ranks.

    `s` and `v` are the rank field and the count field of all cards. `flush` is the rank field of
    the suit with five cards or more, and `suited` the number of its cards; both are 0 if there is
    none.
    """
    found = best_by_ranks(s, v, cards)
    straight = best_straight(s)
    found = pack(4, 0, straight) if straight else found
    best_suited = without_lowest(flush) if suited > 5 else flush
    best_suited = without_lowest(best_suited) if suited > 6 else best_suited
    found = pack(5, 0, best_suited) if flush else found
    straight_flush = best_straight(flush)
    return pack(8, 0, straight_flush) if straight_flush else found


def strength(ranks: Sequence[int], suits: Sequence[int]) -> int:
    """Return the strength of the best five of five to seven cards; bigger is stronger.

    Ranks are 2..14 for 2..A, suits are flags 1, 2, 4 or 8; neither is checked.
    """
    s, v = fields(ranks)
    counters = SUIT_COUNTERS
    for flag in suits:
        counters += suit_counter(flag.bit_length() - 1)
    flush = suited = 0
    for rank, flag in zip(ranks, suits, strict=True):
        in_flush = is_flush_suit(counters, flag.bit_length() - 1)
        flush |= in_flush << rank
        suited += in_flush
    return best_five(s, v, flush, suited, len(ranks))
