"""The bitwise method: two bit fields determine the category of five cards and break ties.

Plain functions take one hand in the form of subskybox's article: ranks 2..14 with aces high, and
a flag (a power of two) for the suit of each card. Functions marked ``inlined`` are also used by the
batch kernels. ``README.md`` names the article and derives the constants.

* **s**, the rank field: bit ``rank`` is set for each rank of the hand;
* **v**, the count field: nibble (group of four bits) ``rank`` is 0, 1, 3, 7, 15 for 0 to 4 cards
  of the rank.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdem import inlined

#: Names of hands, each at the index that `name_index` computes.
NAMES = (
    *("4 of a Kind", "Straight Flush", "Straight", "Flush", "High Card"),
    *("1 Pair", "2 Pair", "Royal Flush", "3 of a Kind", "Full House"),
)

#: The rank field of A 2 3 4 5, the only straight whose bits are not adjacent.
WHEEL = 0x403C
#: The rank field of T J Q K A: in one suit, the royal flush.
ROYAL = 0x7C00
#: The category number of each name, one nibble each, that of `NAMES[0]` lowest. A royal flush is
#: the straight flush with the highest ranks.
ORDER = 0x6382105487

_WHEEL_ACE_LOW = 0x3C  # 2 3 4 5: the ranks of the wheel without its ace
_EVERY_NIBBLE = 0x0111_1111_1111_1111  # the lowest bit of nibbles 0..14


@inlined
def count_card(v: int, rank: int) -> int:
    """Return the count field `v` with a card added: the nibble of its rank, n, becomes 2n + 1."""
    one = 1 << 4 * rank
    return v + (v & 15 * one) + one


def fields(ranks: Sequence[int]) -> tuple[int, int]:
    """Return ``(s, v)``, the rank field and the count field of cards with ranks 2..14."""
    s = v = 0
    for rank in ranks:
        s |= 1 << rank
        v = count_card(v, rank)
    return s, v


def is_straight(s: int) -> bool:
    """Return whether a rank field of five ranks is a straight.

    The ranks are consecutive if s divided by its lowest bit is binary 11111. Otherwise only the
    wheel is a straight.
    """
    return s / (s & -s) == 31 or s == WHEEL


def is_flush(suits: Sequence[int]) -> bool:
    """Return whether five suit flags are equal, which they are if the OR of four is the fifth."""
    first, *others = suits
    together = 0
    for flag in others:
        together |= flag
    return first == together


@inlined
def name_index(s: int, v: int, straight: bool, flush: bool) -> int:
    """Return the index in `NAMES` of the name of five cards.

    `s` is the rank field, `v` the count field. ``v % 15`` is the sum of the nibbles, because 16 is
    1 modulo 15: 5 without a pair, 6 for a pair, 7 for two pair, 9 for three of a kind, 10 for a
    full house, and 1 for the 16 of four of a kind. Only cards with sum 5 can be a straight or a
    flush, which get the other indices.
    """
    return v % 15 - (3 if straight else 1) - flush * (-5 if s == ROYAL else 1)


def analyse(ranks: Sequence[int], suits: Sequence[int]) -> str:
    """Return the name that subskybox's article gives five cards, e.g. ``"Straight (Ace low)"``.

    Ranks are 2..14 for 2..A, suits are flags, powers of two; neither is checked.
    """
    s, v = fields(ranks)
    name = NAMES[name_index(s, v, is_straight(s), is_flush(suits))]
    return name + (" (Ace low)" if s == WHEEL else "")


@inlined
def rank_field(bits: int) -> int:
    """Collect the lowest bit of each nibble as a rank field; other bits are ignored.

    Four steps make the bits, which are four apart, adjacent.
    """
    field = bits & _EVERY_NIBBLE
    field = (field | field >> 3) & 0x0303_0303_0303_0303
    field = (field | field >> 6) & 0x000F_000F_000F_000F
    field = (field | field >> 12) & 0x0000_00FF_0000_00FF
    return (field | field >> 24) & 0x7FFF


@inlined
def repeated_ranks(v: int) -> int:
    """Return the rank field of the ranks with three or four cards; if there are none, with two.

    In the count field `v`, a nibble has bit 2 set if there are three cards or more of its rank, and
    bit 1 if there are two or more.
    """
    thrice = v >> 2 & _EVERY_NIBBLE
    return rank_field(thrice if thrice else v >> 1)


@inlined
def pack(category: int, repeated: int, ranks: int) -> int:
    """Return the strength of a hand, ``category << 26 | repeated << 13 | ranks``, below 2^30.

    `category` is 0 for high card to 8 for a straight flush. `repeated` is the rank field of the
    ranks that decide first, or 0, and `ranks` that of the best five cards; for a wheel, without the
    high ace. Both are shifted right by 2, which drops bit 1, the low ace, which `best_straight`
    sets for a wheel.
    """
    return category << 26 | repeated << 11 | ranks >> 2


@inlined
def combine(index: int, s: int, v: int) -> int:
    """Return the strength of five cards, from the index of their name in `NAMES` and their fields.

    The category decides first, then the repeated ranks: of a full house, only the rank of the
    three. Then all ranks decide, and thus the single cards or the pair of a full house.
    """
    category = ORDER >> 4 * index & 15
    return pack(category, repeated_ranks(v), _WHEEL_ACE_LOW if s == WHEEL else s)


def strength(ranks: Sequence[int], suits: Sequence[int]) -> int:
    """Return the strength of five cards; the arguments are those of `analyse`."""
    s, v = fields(ranks)
    return combine(name_index(s, v, is_straight(s), is_flush(suits)), s, v)


@inlined
def in_a_row(s: int) -> bool:
    """Return whether a rank field of five ranks is a straight, without a division.

    x86 and Neon have no division of vectors of integers. ``README.md`` gives the speeds with this
    function and with `is_straight`.
    """
    return (s == 31 * (s & -s)) | (s == WHEEL)


@inlined
def casting_out(v: int) -> int:
    """Return a number below 2^18 that has the same remainder modulo 15 as the count field `v`.

    2^32 and 2^16 are 1 modulo 15, so the halves of a number can be added. Without this, vector code
    would emulate a 64-bit modulo; ``README.md`` gives the speeds with and without it.
    """
    half = (v & 0xFFFF_FFFF) + (v >> 32)
    return (half & 0xFFFF) + (half >> 16)


def name_of_strength(strength: int) -> str:
    """Return the name that subskybox's article gives hands of a strength, e.g. ``"2 Pair"``."""
    category, ranks = strength >> 26, strength & (1 << 13) - 1
    if category == 8 and ranks == ROYAL >> 2:
        return "Royal Flush"
    digits = [ORDER >> 4 * index & 15 for index in range(len(NAMES))]
    name = NAMES[digits.index(category)]
    is_wheel = category in (4, 8) and ranks == _WHEEL_ACE_LOW >> 2
    return name + (" (Ace low)" if is_wheel else "")
