"""The examples of “Porting a Poker Hand Evaluator from C to Factor”."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import holdem_cactus_kev as plugin
from articles.example import Example
from holdem_cactus_kev import Category, tables
from holdem_cactus_kev.cards import PRIMES

#: Cards, their bits and their numbers.
BIT_FIELDS = (
    ("KD", "00001000 00000000 01001011 00100101", 134236965),
    ("5S", "00000000 00001000 00010011 00000111", 529159),
    ("JC", "00000010 00000000 10001001 00011101", 33589533),
)
HAND, HAND_NUMBERS = "7C 5D 4H 3S 2C", (2131213, 541447, 270853, 135427, 98306)
STRAIGHT, FULL_HOUSE = "KD QS JC TH 9S", "7H 7S 7D AS AC"
PRIMES_PRINTED = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)

#: Bounds of the categories: a value above the first number is of the category, which has so many.
PUBLISHED = (
    (6185, "High Card", 1277),
    (3325, "One Pair", 2860),
    (2467, "Two Pair", 858),
    (1609, "Three of a Kind", 858),
    (1599, "Straight", 10),
    (322, "Flush", 1277),
    (166, "Full House", 156),
    (10, "Four of a Kind", 156),
    (0, "Straight Flush", 10),
)

#: The first and last entries of each table, as printed for Factor. Those printed for C are among
#: them.
PRINTED_TABLES = {
    "FLUSHES": (
        "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 9 0 0 0 0 0 0 0 "
        "0 0 0 0 0 0 0 0 1599 0 0 0 0 0 0 0 1598 0 0 0 1597 0 1596 8 0 0 0 0 0 0 0 0 0 0 "
        "0 0 0 0 0 0 1595 0 0 0 0 0 0 0 1594 0 0 0 1593 0 1592 1591 0 0 0 0 0 0 0 0 1590",
        "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
        "0 0 0 0 0 0 0 0 0 0 0 0 0 1",
    ),
    "UNIQUE5": (
        "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1608 0 0 0 0 0 "
        "0 0 0 0 0 0 0 0 0 0 7462 0 0 0 0 0 0 0 7461 0 0 0 7460 0 7459 1607 0 0 0 0 0 0 "
        "0 0 0 0 0 0 0 0 0 0 7458 0 0 0 0 0 0 0 7457 0 0 0 7456 0 7455 7454 0 0 0 0 0 0",
        "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
        "0 0 0 0 0 0 0 0 0 0 1600",
    ),
    "PRODUCTS": (
        "48 72 80 108 112 120 162 168 176 180 200 208 252 264 270 272 280 300 304 312 "
        "368 378 392 396 405 408 420 440 450 456 464 468 496 500 520 552 567 588 592 594 "
        "612 616 630 656 660 675 680 684 696 700 702 728 744 750 760 780 828 882 888 891",
        "64379963 64992503 66233081 66737381 71339959 73952233 76840601 79052387 "
        "81947069 85147693 87598591 94352849 104553157",
    ),
    "VALUES": (
        "166 322 165 310 164 2467 154 2466 163 3325 321 162 3324 2464 2401 161 2465 "
        "3314 160 2461 159 2400 320 3323 153 2457 6185 2463 3303 2452 158 3322 157 298 "
        "2460 2446 152 3292 156 2398 3321 2462 5965 155 6184 309 2456 3320 2439 3313",
        "1622 191 3546 2490 2470 15 2600 25 3326 169 24 1612 2479 1677 1621 1676 14 168 "
        "2469 2468 1611 23 1610 13 179 12 167 11",
    ),
}


def numbers(text: str) -> tuple[int, ...]:
    """Return the numbers in a text."""
    return tuple(map(int, text.split()))


def init_deck() -> tuple[int, ...]:
    """Return the 52 numbers of the article's loop in C."""
    return tuple(
        PRIMES_PRINTED[rank] | rank << 8 | suit | 1 << 16 + rank
        for suit in (0x8000, 0x4000, 0x2000, 0x1000)
        for rank in range(13)
    )


def examples() -> Iterator[Example]:
    """Yield every example of the article."""
    yield Example("hands of five cards", "2,598,960", f"{comb(52, 5):,}")
    for card, bits, number in BIT_FIELDS:
        field = plugin.card_bitfield(card)
        yield Example(f"bits of {card}", bits, " ".join(f"{b:08b}" for b in field.to_bytes(4)))
        yield Example(f"number of {card}", number, field)
    for language, says, shift in (
        ("Factor", (8, 4, 2, 1), 12),
        ("C", (0x8000, 0x4000, 0x2000, 0x1000), 0),
    ):
        suits = tuple((plugin.card_bitfield("A" + suit) & 0xF000) >> shift for suit in "CDHS")
        yield Example(f"clubs, diamonds, hearts, spades in {language}", says, suits)
    ranks = tuple(plugin.card_bitfield(rank + "S") >> 8 & 15 for rank in "23456789TJQKA")
    yield Example("numbers of deuce to ace", tuple(range(13)), ranks)
    yield Example("primes of 2 to A", PRIMES_PRINTED, tuple(PRIMES))
    yield Example(f"`{HAND}` parsed", HAND_NUMBERS, plugin.hand_bitfields(HAND))
    yield Example("– and printed again", HAND, plugin.hand_text(HAND_NUMBERS))
    yield Example("the deck, as in C", init_deck(), tuple(plugin.deck_bitfields()))
    counts = [plugin.value_category(number) for number in range(1, 7463)]
    for place, (bound, name, count) in enumerate(reversed(PUBLISHED)):
        category = Category(place)
        yield Example(
            f"category {place} in Factor: name, values, above",
            (name, count, bound),
            (category.label, counts.count(category), counts.index(category)),
        )
    yield Example(
        "number of a straight flush in C",
        1,
        int(Category.STRAIGHT_FLUSH),
        "the constants in Factor start at 0, and so do those here",
    )
    for name, (begin, end) in PRINTED_TABLES.items():
        entries = tuple(getattr(tables, name).tolist())
        first, last = numbers(begin), numbers(end)
        yield Example(f"first entries of {name.lower()}", first, entries[: len(first)])
        yield Example(f"last entries of {name.lower()}", last, entries[-len(last) :])
    yield Example("last index of products", 4887, len(tables.PRODUCTS) - 1)
    yield Example(f"`{FULL_HOUSE}` hand-rank", "Full House", plugin.hand_category(FULL_HOUSE).label)
    yield Example(
        f"value of `{HAND}` > value of `{STRAIGHT}`",
        "t",
        "t" if plugin.hand_value(HAND) > plugin.hand_value(STRAIGHT) else "f",
        "the lowest value is the strongest hand, so the straight wins",
    )
    yield Example("different values of hands", 7462, max(tables.UNIQUE5.tolist()))
