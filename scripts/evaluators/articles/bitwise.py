"""The examples of “A Poker hand analyzer in JavaScript using bit & mathematical operations”."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from articles.example import Example
from holdem_bitwise import kernel

J, Q, K, A = 11, 12, 13, 14
SPADES, CLUBS, HEARTS, DIAMONDS = 1, 2, 4, 8

_SPADES = (SPADES,) * 5
_CLUBS = (CLUBS,) * 5
_MIXED = (SPADES, CLUBS, HEARTS, CLUBS, DIAMONDS)
_REPEATED = (SPADES, CLUBS, HEARTS, SPADES, CLUBS)

#: The twelve calls, strongest hand first: ranks, suit flags, the comment, the name that is printed.
HANDS = (
    ((10, J, Q, K, A), _SPADES, "Royal Flush", "Royal Flush"),
    ((4, 5, 6, 7, 8), _SPADES, "Straight Flush", "Straight Flush"),
    ((2, 3, 4, 5, A), _SPADES, "Straight Flush", "Straight Flush (Ace low)"),
    ((8, 8, 8, 8, 9), (SPADES, CLUBS, HEARTS, DIAMONDS, SPADES), "4 of a Kind", "4 of a Kind"),
    ((7, 7, 7, 9, 9), _REPEATED, "Full House", "Full House"),
    ((10, J, 6, K, 9), _CLUBS, "Flush", "Flush"),
    ((10, J, Q, K, 9), _MIXED, "Straight", "Straight"),
    ((2, 3, 4, 5, A), _MIXED, "Straight", "Straight (Ace low)"),
    ((4, 4, 4, 8, 9), _REPEATED, "3 of a Kind", "3 of a Kind"),
    ((8, 8, J, 9, 9), _REPEATED, "2 Pair", "2 Pair"),
    ((8, 8, 3, 5, 9), _REPEATED, "1 Pair", "1 Pair"),
    ((10, 5, 4, 7, 9), _REPEATED, "High Card", "High Card"),
)

#: Ranks and their field s, from bit 14 down.
RANK_FIELDS = (
    ((2, 3, 4, 5, 6), "000000001111100"),
    ((2, 4, 6, 7, 9), "000001011010100"),
    ((A, 2, 3, 4, 5), "100000000111100"),
    ((10, J, Q, K, A), "111110000000000"),
)

#: Ranks, their field v from the ace down in hexadecimal digits, and the sum of its nibbles.
COUNT_FIELDS = (
    ((A, A, Q, Q, 9), "3030010000000", 7),
    ((A, A, J, J, J), "3007000000000", 10),
    ((K, K, K, K, 7), "0F00000100000", 1),
)

#: Each nibble before a card is added, and how the article says it becomes.
STEPS = (("0000", "0001"), ("0011", "0100"), ("0111", "1000"))

#: The list of names as it grows, and the one of the final code.
NAME_LISTS = (
    ("4 of a Kind", "", "", "", "High Card", "1 Pair", "2 Pair", "", "3 of a Kind", "Full House"),
    (
        *("4 of a Kind", "", "Straight", "", "High Card"),
        *("1 Pair", "2 Pair", "", "3 of a Kind", "Full House"),
    ),
    (
        *("4 of a Kind", "Straight Flush", "Straight", "Flush", "High Card"),
        *("1 Pair", "2 Pair", "Royal Flush", "3 of a Kind", "Full House"),
    ),
)

_SUMS = (
    ("High Card", (2, 4, 6, 7, 9), 5),
    ("One Pair", (8, 8, 3, 5, 9), 6),
    ("Two Pair", (8, 8, J, 9, 9), 7),
    ("Three of a Kind", (4, 4, 4, 8, 9), 9),
    ("Full House", (7, 7, 7, 9, 9), 10),
    ("Four of a Kind", (8, 8, 8, 8, 9), 1),
)
_COMMENT = "the article's code prints the same as here; its comment is shorter"
_LETTERS = {10: "T", J: "J", Q: "Q", K: "K", A: "A"}
_SIGNS = {SPADES: "♠", CLUBS: "♣", HEARTS: "♥", DIAMONDS: "♦"}


def _ranks(ranks: tuple[int, ...]) -> str:
    return " ".join(_LETTERS.get(rank, str(rank)) for rank in ranks)


def _nibbles(digits: str) -> str:
    return " ".join(wrap(f"{int(digits, 16):052b}", 4))


def examples() -> Iterator[Example]:
    """Yield every example of the article and of its Chinese translation."""
    for ranks, bits in RANK_FIELDS:
        yield Example(f"s of {_ranks(ranks)}", bits, f"{kernel.fields(ranks)[0]:015b}")
    yield Example("s of A 2 3 4 5, as a number", "0x403c", f"{kernel.WHEEL:#x}")
    yield Example("s of 10 J Q K A, as a number", "0x7c00", f"{kernel.ROYAL:#x}")
    for ranks, digits, total in COUNT_FIELDS:
        v = kernel.fields(ranks)[1]
        yield Example(f"v of {_ranks(ranks)}", _nibbles(digits), _nibbles(f"{v >> 8:x}"))
        yield Example("– its sum, `v % 15`", total, v % 15)
    for count, nibble, rank, ranks in (
        ("two aces", 3, A, (A, A, J, J, J)),
        ("three jacks", 7, J, (A, A, J, J, J)),
        ("four kings", 15, K, (K, K, K, K, 7)),
    ):
        yield Example(f"the nibble of {count}", nibble, kernel.fields(ranks)[1] >> 4 * rank & 15)
    jacks = kernel.fields((A, A, J, J, J))[1] >> 4 * J & 15
    yield Example(
        "cards of a rank with three low ones, in the translation",
        2,
        jacks.bit_count(),
        "a slip of the translation; the article has three",
    )
    yield Example(
        "bits needed by v",
        52,
        kernel.fields((A, A, A, A, K))[1].bit_length(),
        "the nibbles start at bit 8; the 52 bits above are those meant",
    )
    for before, after in STEPS:
        found = f"{kernel.count_card(int(before, 2) << 8, 2) >> 8:04b}"
        yield Example(
            f"the nibble {before} becomes",
            after,
            found,
            "" if after == found else f"{after} is the number that is added",
        )
    for name, ranks, total in _SUMS:
        yield Example(f"`v % 15` of {name}", total, kernel.fields(ranks)[1] % 15)
    straight = kernel.fields((4, 5, 6, 7, 8))[0]
    yield Example("`s / (s & -s)` of a straight", 31, straight // (straight & -straight))
    for number, names in enumerate(NAME_LISTS, 1):
        kept = tuple(known if name else "" for name, known in zip(names, kernel.NAMES, strict=True))
        yield Example(f"list of names, {number} of 3", names, kept)
    for name, s, is_straight, index in (
        ("a flush", 0, False, 3),
        ("a straight", 0, True, 2),
        ("a straight flush", 0, True, 1),
        ("a royal flush", kernel.ROYAL, True, 7),
    ):
        flush = name != "a straight"
        found_index = kernel.name_index(s, 5, straight=is_straight, flush=flush)
        yield Example(f"index of {name}", index, found_index)
    for ranks, suits, comment, _ in HANDS:
        hand = " ".join(
            _LETTERS.get(rank, str(rank)) + _SIGNS[suit]
            for rank, suit in zip(ranks, suits, strict=True)
        )
        printed = kernel.analyse(ranks, suits)
        reason = "" if printed == comment else _COMMENT
        yield Example(hand, comment, printed, reason)
