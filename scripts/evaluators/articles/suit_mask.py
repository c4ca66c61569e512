"""The examples of “More Bit Representations”."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import holdem
from articles.example import Example
from holdem_suit_mask import HandType, hand_mask, hand_value, kernel, split, to_index_set, value
from holdem_suit_mask.layout import SECTION_BITS, card_index
from plugin_figures import figure

#: Loser and winner: the hand, its ranks in one mask, and the article's figure for that number.
ONE_MASK = (
    (("QJ854", "00110010011000", 3224), ("KQ543", "01100000011100", 14034)),
    (("QJ854", "00110010011000", 3224), ("QJ984", "00110110001000", 6610)),
    (("KK888", "01000010000000", 10200), ("KKK88", "01000010000000", 10200)),
    (("999KQ", "01100100000000", 14400), ("JJJ98", "00010110000000", 2600)),
    (("QQJJK", "01110000000000", 16000), ("KK332", "01000000000110", 10006)),
)
#: … and in two masks: primary and secondary ranks.
TWO_MASKS = (
    (
        ("KK888", "00000010000000 01000000000000", 10010000),
        ("KKK88", "01000000000000 00000010000000", 400000200),
    ),
    (
        ("999KQ", "00000100000000 01100000000000", 20014000),
        ("JJJ98", "00010000000000 00000110000000", 100000600),
    ),
    (
        ("QQJJK", "00110000000000 01000000000000", 300010000),
        ("KK332", "01000000000100 00000000000010", 400200002),
    ),
)

#: Rows of the plugin's table of conversions, and the article's names of the ways.
CONVERSIONS = {
    "branching": "Branching",
    "shifting": "NoBranching",
    "extracting (`pext`)": "Intrinsic",
}
README = Path(kernel.__file__).parent / "README.md"

#: The index of each suit's first card, and the bit of its section.
SUITS = (("s", 0, 0), ("h", 13, 16), ("d", 26, 32), ("c", 39, 48))


def cards_of_ranks(ranks: str) -> str:
    """Return cards of some ranks, with alternating suits, so that there is no flush."""
    return " ".join(rank + "shdc"[place % 4] for place, rank in enumerate(ranks))


def _shifted(mask: int) -> int:
    """Convert a mask to indices as the article does, by shifts."""
    return (
        mask & 0xFFFF
        | (mask & 0xFFFF << 16) >> 3
        | (mask & 0xFFFF << 32) >> 6
        | (mask & 0xFFFF << 48) >> 9
    )


def _range(cards: tuple[holdem.Card, ...]) -> str:
    indices = [card_index(card) for card in cards]
    return f"{indices[0]} -> {indices[-1]}"


def _compared(loser: str, winner: str) -> str:
    """Return which of two hands has the higher value."""
    values = {ranks: hand_value(cards_of_ranks(ranks)) for ranks in (loser, winner)}
    return max(values, key=values.__getitem__)


def _figure(about: str, pattern: str, printed: int, found: int, bits: str) -> Example:
    says, answer = f"{pattern} = {printed:,}", f"{bits} = {found:,}"
    reason = ""
    if says != answer:
        assert int(f"{found:o}") == printed, about
        reason = "same bits; the article's figure is octal"
    return Example(about, says, answer, reason)


def examples() -> Iterator[Example]:
    """Yield every example of the article."""
    for suit, index, bit in SUITS:
        cards = holdem.parse_cards([rank + suit for rank in "A23456789TJQK"])
        yield Example(f"indices of suit {suit}", f"{index} -> {index + 12}", _range(cards))
        low = [(hand_mask([card]) & -hand_mask([card])).bit_length() - 1 for card in cards]
        yield Example(f"bits of suit {suit}", f"{bit} -> {bit + 12}", f"{low[0]} -> {low[-1]}")
    section = "".join(
        "–" if not holders else holders[0]
        for holders in (
            [rank for rank in "A23456789TJQK" if hand_mask([rank + "s"]) >> bit & 1]
            for bit in range(SECTION_BITS - 1, -1, -1)
        )
    ).replace("–", "-")
    yield Example(
        "a section", "--AKQJT987654321A", section, "17 characters for 16 bits: 1 and A are one bit"
    )
    for ranks, reason in (("9999K", ""), ("AAAAK", "an ace has two bits")):
        mask = hand_mask(cards_of_ranks(ranks))
        found = int(kernel.horizontal_and(mask)).bit_count()  # type: ignore[arg-type]
        yield Example(f"bits left by AND of {ranks}", 1, found, reason)
    for hand, reason in (
        ("Kh 2s 9d 3c", ""),
        ("As", "the high ace would be the ace of hearts; it is masked first"),
    ):
        mask = hand_mask(hand)
        yield Example(
            f"mask to indices by shifts, {hand}",
            f"{_shifted(mask):#x}",
            f"{to_index_set(mask):#x}",
            reason,
        )
    times = [float(figure(README, way, 2)) for way in CONVERSIONS]
    yield Example(
        "conversions, from the slowest to the fastest",
        tuple(CONVERSIONS.values()),
        tuple(CONVERSIONS[way] for _, way in sorted(zip(times, CONVERSIONS, strict=True))[::-1]),
        "for one card at random; the plugin's page has the figures",
    )
    for pair in ONE_MASK:
        for ranks, pattern, printed in pair:
            found = int(kernel.horizontal_or(hand_mask(cards_of_ranks(ranks))))  # type: ignore[arg-type]
            yield _figure(f"{ranks}, one mask", pattern, printed, found, f"{found:014b}")
    for pair in TWO_MASKS:
        for ranks, pattern, printed in pair:
            _, first, second = split(hand_value(cards_of_ranks(ranks)))
            bits = f"{first:014b} {second:014b}"
            yield _figure(f"{ranks}, two masks", pattern, printed, first << 14 | second, bits)
    for loser, winner in ONE_MASK:
        found_winner = _compared(loser[0], winner[0])
        yield Example(f"winner of {loser[0]} and {winner[0]}", winner[0], found_winner)
    yield Example(
        "order of the types",
        (
            *("high card", "pair", "two pair", "three of a kind", "straight", "flush"),
            *("full house", "four of a kind", "straight flush", "royal flush", "five of a kind"),
        ),
        tuple(kind.label for kind in sorted(HandType)),
        "the article gives the number, 11, and the two added types",
    )
    bits_of = (value.TYPE_BITS, value.PRIMARY_BITS, value.SECONDARY_BITS)
    yield Example("bits of a value", "4 + 14 + 13 = 31", f"{' + '.join(map(str, bits_of))} = 31")
    wheel = split(hand_value("Ac 2d 3h 4s 5c"))
    yield Example("ranks of a straight in a value", 5, wheel.primary.bit_count())
    quads = [hand_value("7c 7d 7h 7s" + kicker) for kicker in ("Kc", "Ac")]
    yield Example(
        "7 7 7 7 K and 7 7 7 7 A",
        "equal",
        "equal" if quads[0] == quads[1] else "the ace wins",
        "the fifth card decides when the four are on the board",
    )
