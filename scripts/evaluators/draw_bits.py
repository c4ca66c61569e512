"""Draw the bits of an example hand for each evaluator: ``docs/evaluators/bits/*.svg``.

    python scripts/evaluators/draw_bits.py

The bits come from the evaluators' own functions. The pages include the pictures as text, so that
they take the colours of the theme. ``tests/test_methods_page.py`` checks that they are current.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from html import escape
from operator import and_, or_, xor
from pathlib import Path

import attrs

import holdem
from holdem.cards import RANKS
from holdem.evaluation.builtin.lookup_tables import CARD_KEYS, SUIT_COUNT_START
from holdem.evaluation.builtin.reference import classify
from holdem.rules import STANDARD
from holdem_bitwise.kernel import fields
from holdem_cactus_kev.cards import PRIMES, card_bitfield
from holdem_dead_horse.cards import card_number
from holdem_suit_mask.layout import card_mask

PAGES = Path(__file__).parents[2] / "docs" / "evaluators" / "bits"
FALLING = RANKS[::-1]
_ROW, _GAP, _LETTER = 24, 8, 7.4


@attrs.frozen
class Row:
    """A row of the picture."""

    label: str
    cells: Sequence[str]
    note: str = ""
    is_result: bool = False


@attrs.frozen
class Picture:
    """Rows of cells below a line of headings."""

    title: str
    groups: Sequence[int]
    """The number of cells in each group."""
    heads: Sequence[str]
    rows: Sequence[Row]
    cell: int = 22
    """The width of a cell in pixels."""


def bits(number: int, width: int) -> list[str]:
    """Return the bits of a number as text, the highest first."""
    return list(f"{number:0{width}b}")


def lookup() -> Picture:
    """Keys of seven cards and their sum."""
    cards = holdem.parse_cards("As Ks 9s 5s 2s Kd 9c")

    def row(label: str, key: int, note: str = "", *, is_result: bool = False) -> Row:
        counters = [f"{key >> 32 + 4 * suit & 15:04b}" for suit in (3, 2, 1, 0)]
        return Row(label, [*counters, f"{key & 0xFFFF_FFFF:,}"], note, is_result)

    keys = [int(CARD_KEYS[card]) for card in cards]
    rows = [
        row("start", SUIT_COUNT_START, "each counter starts at 3"),
        *(row(str(card), key) for card, key in zip(cards, keys, strict=True)),
        row("sum", SUIT_COUNT_START + sum(keys), "spades reach 1000: a flush", is_result=True),
    ]
    heads = ["♠", "♥", "♦", "♣", "rank key"]
    return Picture("Keys of lookup", (4, 1), heads, rows, 80)


def reference() -> Picture:
    """Digits of a full house."""
    cards = holdem.parse_cards("7s 7h 7d As Ac")
    category, ranks = classify(cards)
    digits = [STANDARD.categories.index(category), *ranks, 0, 0, 0][:6]
    strength = holdem.evaluate(cards, evaluator="reference").strength
    meaning = [category, *(RANKS[rank] for rank in ranks), "–", "–", "–"][:6]
    rows = [
        Row("7 7 7 A A", meaning),
        Row("digits", [str(digit) for digit in digits], f"= {strength:,} in base 13", True),
    ]
    heads = ["category", "first", "second", "third", "fourth", "fifth"]
    return Picture("Digits of reference", (1, 5), heads, rows, 82)


def bitwise() -> Picture:
    """The two fields of two pair."""
    cards = holdem.parse_cards("As Ac Qd Qh 9s")
    ranks, counts = fields([card.rank + 2 for card in cards])
    nibbles = [f"{counts >> 4 * rank & 15:04b}" for rank in range(14, 1, -1)]
    rows = [
        Row("s", bits(ranks >> 2, 13), "a bit for each rank"),
        Row("v", nibbles, "a one for each card"),
        Row("", [str(nibble.count("1") and int(nibble, 2)) for nibble in nibbles],
            f"v % 15 = {counts % 15}: two pair", True),
    ]  # fmt: skip
    return Picture("Bits of bitwise: A A Q Q 9", (13,), list(FALLING), rows, 38)


def suit_mask() -> Picture:
    """The sections of four of a kind, and their folds."""
    cards = holdem.parse_cards("7c 7d 7h 7s Kd")
    mask = reduce(or_, (card_mask(card) for card in cards))
    sections = {suit: mask >> 16 * place & 0xFFFF for place, suit in enumerate("♠♥♦♣")}
    rows = [Row(f"{suit}", bits(section, 16)) for suit, section in sections.items()]
    folds: list[tuple[str, Callable[[int, int], int], str]] = [
        ("AND", and_, "ranks with four cards"),
        ("OR", or_, "ranks with a card"),
        ("XOR", xor, "ranks with one or three"),
    ]
    rows += [
        Row(name, bits(reduce(fold, sections.values()), 16), note, True)
        for name, fold, note in folds
    ]
    heads = ["–", "–", *FALLING, "A"]
    return Picture("Bits of suit-mask: 7 7 7 7 K", (2, 13, 1), heads, rows, 26)


def cactus_kev() -> Picture:
    """The 32 bits of the cards of a full house."""
    cards = holdem.parse_cards("7s 7h 7d As Ac")
    rows = [
        Row(str(card), bits(card_bitfield(card), 32), f"prime {PRIMES[card.rank]}")
        for card in cards
    ]
    product = reduce(int.__mul__, (PRIMES[card.rank] for card in cards))
    both = reduce(or_, map(card_bitfield, cards))
    rows.append(Row("OR", bits(both, 32), f"primes multiply to {product:,}", True))
    heads = [*"xxx", *FALLING, *"cdhs", *"rrrr", *"xx", *"pppppp"]
    return Picture("Bits of cactus-kev: 7 7 7 A A", (3, 13, 4, 4, 2, 6), heads, rows, 15)


def dead_horse() -> Picture:
    """The cards of a straight, their OR and XOR."""
    cards = holdem.parse_cards("9s 8c 7h 6h 5d")
    numbers = [card_number(str(card)) for card in cards]
    rows = [Row(str(card), bits(number, 17)) for card, number in zip(cards, numbers, strict=True)]
    both = reduce(or_, numbers)
    ranks = both & 0x1FFF
    rows.append(
        Row("OR", bits(both, 17), f"32624896 % {ranks} = {32624896 % ranks}: straight", True)
    )
    rows.append(
        Row("XOR", bits(reduce(xor, numbers), 17), "as many rank bits as OR: no pair", True)
    )
    return Picture("Bits of dead-horse: 9 8 7 6 5", (4, 13), [*"SHCD", *FALLING], rows, 26)


PICTURES = {
    "lookup": lookup,
    "reference": reference,
    "bitwise": bitwise,
    "suit-mask": suit_mask,
    "cactus-kev": cactus_kev,
    "dead-horse": dead_horse,
}


def _text(x: float, y: int, text: str, kind: str) -> str:
    return f'<text x="{x:g}" y="{y}" class="{kind}">{escape(text)}</text>' if text else ""


def svg(picture: Picture) -> str:
    """Return a picture as SVG that is part of a page."""
    label = round(_LETTER * max(len(row.label) for row in picture.rows)) + 12
    note = round(_LETTER * max(len(row.note) for row in picture.rows))
    lefts, left = [], label
    for group in picture.groups:
        lefts += [left + place * picture.cell for place in range(group)]
        left += group * picture.cell + _GAP
    width, height = left + note, _ROW * (len(picture.rows) + 1) + 8
    parts = [_text(x + picture.cell / 2, 16, head, "head")
             for x, head in zip(lefts, picture.heads, strict=True)]  # fmt: skip
    for number, row in enumerate(picture.rows, 1):
        top = number * _ROW
        parts.append(_text(label - 8, top + 16, row.label, "label"))
        for x, cell in zip(lefts, row.cells, strict=True):
            kind = "zero" if set(cell) <= set("0–") else "result" if row.is_result else "one"
            parts.append(
                f'<rect x="{x + 1}" y="{top + 1}" width="{picture.cell - 2}" height="{_ROW - 2}"'
                f' rx="3" class="{kind}"/>'
            )
            parts.append(_text(x + picture.cell / 2, top + 16, cell, kind))
        parts.append(_text(left + 4, top + 16, row.note, "note"))
    content = "\n".join(filter(None, parts))
    return (
        f'<div class="bits"><svg viewBox="0 0 {width} {height}" width="{width}"'
        f' role="img" aria-label="{escape(picture.title)}">\n{content}\n</svg></div>\n'
    )


def main() -> None:
    """Write all pictures."""
    PAGES.mkdir(exist_ok=True)
    for name, picture in PICTURES.items():
        (PAGES / f"{name}.svg").write_text(svg(picture()), encoding="utf-8")


if __name__ == "__main__":
    main()
