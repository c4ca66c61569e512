"""The examples of “DeadHorseEval”."""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm

from articles.example import Example
from holdem_dead_horse import card_label, card_number, kernel

#: The 52 numbers, 2 to A of each suit.
CARDS = {
    suit: tuple(map(int, numbers.split()))
    for suit, numbers in {
        "s": "65537 65538 65540 65544 65552 65568 65600 65664 65792 66048 66560 67584 69632",
        "h": "32769 32770 32772 32776 32784 32800 32832 32896 33024 33280 33792 34816 36864",
        "c": "16385 16386 16388 16392 16400 16416 16448 16512 16640 16896 17408 18432 20480",
        "d": "8193 8194 8196 8200 8208 8224 8256 8320 8448 8704 9216 10240 12288",
    }.items()
}
#: The 52 labels in the same order.
LABELS = {suit: tuple(f"{rank}{suit}" for rank in range(2, 15)) for suit in "shcd"}

#: The straight, the flush and the hands with duplicates: the bits of their cards, and labels that
#: have these bits. In two pair, the article labels the second card the ace of diamonds.
STRAIGHT = (
    "8c 6h 5d 9s 7h",
    "00100000001000000 01000000000010000 00010000000001000 10000000010000000 01000000000100000",
)
FLUSH = (
    "5c 9c 11c 2c 14c",
    "00100000000001000 00100000010000000 00100001000000000 00100000000000001 00101000000000000",
)
DUPLICATES = {
    "pair": (
        "5c 9c 5h 2c 14c",
        "00100000000001000 00100000010000000 01000000000001000 00100000000000001 00101000000000000",
    ),
    "two pair": (
        "5c 14h 5h 2c 14c",
        "00100000000001000 01001000000000000 01000000000001000 00100000000000001 00101000000000000",
    ),
    "three of a kind": (
        "5c 14d 14h 2c 14c",
        "00100000000001000 00011000000000000 01001000000000000 00100000000000001 00101000000000000",
    ),
    "full house": (
        "5c 14d 5h 14h 14c",
        "00100000000001000 00011000000000000 01000000000001000 01001000000000000 00101000000000000",
    ),
    "four of a kind": (
        "14s 14d 5h 14h 14c",
        "10001000000000000 00011000000000000 01000000000001000 01001000000000000 00101000000000000",
    ),
}
#: The bits of OR and XOR without suits, and the numbers of ones in them.
FOLDED = {
    "pair": ("00001000010001001", "00001000010000001", 4, 3),
    "two pair": ("00001000000001001", "00000000000000001", 3, 1),
    "three of a kind": ("00001000000001001", "00001000000001001", 3, 3),
    "full house": ("00001000000001000", "00001000000000000", 2, 1),
    "four of a kind": ("00001000000001000", "00000000000001000", 2, 1),
}


def hand(text: str) -> list[int]:
    """Return the numbers of the cards with some labels."""
    return [card_number(label) for label in text.split()]


def _bits(number: int) -> str:
    return f"{number:017b}"


def examples() -> Iterator[Example]:
    """Yield every example of the article."""
    for suit, numbers in CARDS.items():
        found = tuple(card_number(label) for label in LABELS[suit])
        yield Example(f"numbers of 2{suit} to 14{suit}", numbers, found)
        yield Example(f"labels of 2{suit} to 14{suit}", LABELS[suit], tuple(map(card_label, found)))
    yield Example("ace of spades", "10001000000000000", _bits(card_number("14s")))
    yield Example("five of clubs", "00100000000001000", _bits(card_number("5c")))
    yield from _straights()
    yield from _flushes()
    for name, (labels, bits) in DUPLICATES.items():
        yield Example(f"cards of {name}", tuple(bits.split()), tuple(map(_bits, hand(labels))))
        union, odd, _ = kernel.fold(hand(labels))
        ranks = union & kernel.RANKS
        folded = (_bits(ranks), _bits(odd), ranks.bit_count(), odd.bit_count())
        yield Example("– OR, XOR, ones in each", FOLDED[name], folded)
        together = sum(FOLDED[name][2:])
        yield Example("– ones together", together, kernel.duplicates(ranks, odd))
    label = card_label(int("01001000000000000", 2))
    yield Example(
        "01001000000000000 in two pair",
        "ace of diamonds",
        {"14h": "ace of hearts"}[label],
        "the bits are those of hearts, as in the article's next three hands",
    )
    union, odd, total = kernel.fold(hand(DUPLICATES["four of a kind"][0]))
    four = (union & kernel.RANKS) ^ odd
    yield Example("OR ^ XOR of four of a kind", "00001000000000000", _bits(four))
    yield Example("sum of the rank bits of four of a kind", 16392, total)
    yield Example("– four times the quad card, plus the single card", 16392, 4 * four + odd)


def _straights() -> Iterator[Example]:
    labels, bits = STRAIGHT
    yield Example("cards of the straight", tuple(bits.split()), tuple(map(_bits, hand(labels))))
    union, _, _ = kernel.fold(hand(labels))
    yield Example("– OR", ("11110000011111000", 123128), (_bits(union), union))
    yield Example("– suit mask", 8191, kernel.RANKS)
    yield Example("– OR without suits", 248, union & kernel.RANKS)
    yield Example("A K Q J 10 without suits", 7936, kernel.BROADWAY)
    for divisor in (124, 1984):
        yield Example(f"7936 % {divisor}", 0, kernel.BROADWAY % divisor)
    yield Example(
        "7936 % any other straight",
        0,
        max(kernel.BROADWAY % ranks for ranks in (*_RUNS, kernel.WHEEL)),
        "3825 is the remainder of A 2 3 4 5, for which the article takes the multiple below",
    )
    yield Example("A 2 3 4 5 without suits", 4111, kernel.WHEEL)
    yield Example("least common multiple", 32624896, lcm(kernel.WHEEL, kernel.BROADWAY))
    remainders = tuple(kernel.STRAIGHT_MULTIPLE % ranks for ranks in (*_RUNS, kernel.WHEEL))
    yield Example("32624896 % each straight", (0,) * 10, remainders)
    flush, straight = hand("5c 6c 7c 8c 9c"), hand(labels)
    same = kernel.fold(flush)[0] & kernel.RANKS == kernel.fold(straight)[0] & kernel.RANKS
    yield Example(
        "hands of another type with the OR of a straight",
        "none",
        "straight flushes" if same else "none",
        "apart from suits, so the category needs both tests",
    )


_RUNS = tuple(31 << lowest for lowest in range(9))


def _flushes() -> Iterator[Example]:
    labels, bits = FLUSH
    yield Example("cards of the flush", tuple(bits.split()), tuple(map(_bits, hand(labels))))
    union, _, _ = kernel.fold(hand(labels))
    suits = union & ~kernel.RANKS
    yield Example("– OR", ("00101001010001001", 21129), (_bits(union), union))
    number_mask = "11111111111111111110000000000000"
    yield Example("– number mask", number_mask, f"{~kernel.RANKS & 0xFFFF_FFFF:032b}")
    yield Example("– OR without ranks", 16384, suits)
    for suit in (65536, 32768, 16384, 8192):
        yield Example(f"65536 % {suit}", 0, kernel.FLUSH_MULTIPLE % suit)
