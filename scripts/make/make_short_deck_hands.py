"""Make short deck's list of starting hands: ``holdem/ranges/starting_hands_short_deck.tsv``.

Each of the 81 classes from six to ace is played against a random hand, exactly: over the 561
hands an opponent can hold and the 201,376 boards, 112,971,936 deals for one combo. On each board
the 465 possible combos are ranked and sorted once. Then one pass over them counts the opponents
that each combo beats and ties, except those that share a card with it. The list is ordered by
equity, strongest first; the counts in it are those of a single combo, so that every line has the
same number of deals.

    python scripts/make/make_short_deck_hands.py
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import holdem
from holdem.cards import CardArray
from holdem.jit.decorators import kernel
from holdem.ranges.combos import CLASS_COUNT, CLASS_NAMES, CLASS_OF_COMBO, CLASS_SIZES, COMBO_CARDS
from holdem.rules import SHORT_DECK

DEALS = comb(34, 2) * comb(32, 5)
OUTPUT = Path(__file__).parents[2] / "holdem" / "ranges" / "starting_hands_short_deck.tsv"
_COMBOS_A_BOARD = comb(31, 2)
_BOARDS_A_BLOCK = 4096


@kernel
def fill_hands(
    boards: CardArray,
    combos: CardArray,
    lowest: int,
    hands: CardArray,
    numbers: NDArray[np.int64],
) -> None:
    """Write the hands of each board with every combo that shares no card with it.

    Args:
        boards: ``uint8 (board, 5)``.
        combos: ``uint8 (1326, 2)``, the higher card first.
        lowest: the lowest card of the deck.
        hands: ``uint8 (board * combo, 7)``, written: the hole, then the board.
        numbers: ``int64 (board * combo,)``, written: the combo's number.
    """
    row = 0
    for board in boards:
        held = np.uint64(0)
        for card in board:
            held |= np.uint64(1) << np.uint64(card)
        for number in range(len(combos)):
            a, b = combos[number]
            pair = np.uint64(1) << np.uint64(a) | np.uint64(1) << np.uint64(b)
            if b < lowest or held & pair:
                continue
            hands[row, 0], hands[row, 1] = a, b
            hands[row, 2:] = board
            numbers[row] = number
            row += 1


@kernel
def count_block(
    combos: CardArray,
    strengths: NDArray[np.int64],
    numbers: NDArray[np.int64],
    wins: NDArray[np.int64],
    ties: NDArray[np.int64],
) -> None:
    """Count the opponents that each combo beats and ties.

    Args:
        combos: ``uint8 (1326, 2)``.
        strengths: ``int64 (board, combo)``.
        numbers: ``int64 (board, combo)``: the combo of each strength.
        wins: ``int64 (1326,)``, added to.
        ties: ``int64 (1326,)``, added to.
    """
    for board in range(len(strengths)):
        order = np.argsort(strengths[board])
        below, below_with = 0, np.zeros(52, dtype=np.int64)
        first = 0
        while first < len(order):
            value, last = strengths[board, order[first]], first
            with_card = np.zeros(52, dtype=np.int64)
            while last < len(order) and strengths[board, order[last]] == value:
                for card in combos[numbers[board, order[last]]]:
                    with_card[card] += 1
                last += 1
            for place in range(first, last):
                number = numbers[board, order[place]]
                a, b = combos[number]
                wins[number] += below - below_with[a] - below_with[b]
                # The combo itself is counted once and subtracted twice.
                ties[number] += (last - first) - with_card[a] - with_card[b] + 1
            below += last - first
            below_with += with_card
            first = last


def count_combos() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the deals that each combo wins and ties, ``int64 (1326,)`` each."""
    rank = holdem.get_evaluator("short-deck").rank
    deck = [int(card) for card in SHORT_DECK.deck]
    boards = np.array(list(combinations(deck, 5)), dtype=np.uint8)
    wins = np.zeros(len(COMBO_CARDS), dtype=np.int64)
    ties = np.zeros(len(COMBO_CARDS), dtype=np.int64)
    for start in range(0, len(boards), _BOARDS_A_BLOCK):
        block = boards[start : start + _BOARDS_A_BLOCK]
        shape = (len(block), _COMBOS_A_BOARD)
        hands = np.empty((len(block) * _COMBOS_A_BOARD, 7), dtype=np.uint8)
        numbers = np.empty(len(hands), dtype=np.int64)
        fill_hands(block, COMBO_CARDS, deck[0], hands, numbers)
        strengths = rank(hands).astype(np.int64).reshape(shape)
        count_block(COMBO_CARDS, strengths, numbers.reshape(shape), wins, ties)
    return wins, ties


def starting_hands() -> list[tuple[str, int, int, int]]:
    """Return (class, wins, ties, deals) against a random hand, strongest first."""
    by_class = [
        np.bincount(CLASS_OF_COMBO, counts, CLASS_COUNT).astype(np.int64)
        for counts in count_combos()
    ]
    held = np.flatnonzero(by_class[0])
    # All combos of a class have equal counts, so the sums are multiples of their number.
    assert not any((counts[held] % CLASS_SIZES[held]).any() for counts in by_class)
    wins, ties = (counts // CLASS_SIZES for counts in by_class)
    order = held[np.argsort(-(2 * wins + ties)[held], kind="stable")]
    return [(CLASS_NAMES[i], int(wins[i]), int(ties[i]), DEALS) for i in order.tolist()]


def main() -> None:
    """Make the file."""
    lines = ["class\twins\tties\tdeals"]
    lines += ["\t".join(str(field) for field in line) for line in starting_hands()]
    OUTPUT.write_text("\n".join(lines) + "\n", encoding="ascii")
    print(f"{OUTPUT}: {len(lines) - 1} classes")


if __name__ == "__main__":
    main()
