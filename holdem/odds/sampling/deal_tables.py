"""Composition of a spot's deals: known cards, hole cards from lists, and cards from the deck.

Cards are numbered anew, the unknown ones from 0 on and the known ones after them. Draws from the
deck are then below the number of unknown cards, without a test for known or dead cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray
from holdem.evaluation.builtin.lookup_keys import CARD_KEYS, CARD_MASKS, SUIT_COUNT_START
from holdem.odds.spot import BOARD_SIZE, Spot

_PER_WORD = 6  # cards drawn from a random word, three from each half
_NUMBERS = 64


class DealTables(NamedTuple):
    """The columns of a spot's deals: the board, then each player's hole cards."""

    cards: CardArray
    """``uint8 (number,)``: the id of each numbered card, padded to 64."""
    template: CardArray
    """``uint8 (column + 1,)``: the known cards in their columns. The last column is a spare one."""
    columns: NDArray[np.uint64]
    """``uint64 (place,)``: the unknown columns in the order of drawing, first those of holes from
    lists; padded with the spare column to a multiple of six cards from the deck."""
    sizes: NDArray[np.uint64]
    """``uint64 (draw,)``: how many cards the deck has left at each draw; 1 for the spare column."""
    least: NDArray[np.uint64]
    """``uint64 (draw / 3,)``: for each three draws the fraction below which they are biased."""
    draws: np.uint64
    """The number of draws without the spare column."""


class Blocks(NamedTuple):
    """Consecutive blocks of deals, and the hole cards that were drawn from lists for them."""

    start: np.uint64
    """The counter at which block 0 begins."""
    first: np.uint64
    """The number of the first block."""
    sizes: NDArray[np.int64]
    """``int64 (block,)``: how many deals of each block to draw, from its first on."""
    holes: NDArray[np.uint16]
    """``uint16 (block, player, deal)``: the holes from lists, for complete groups of deals."""


class KeyTables(NamedTuple):
    """The default evaluator's keys for the cards of a spot."""

    keys: NDArray[np.uint64]
    """``uint64 (number,)``: the key of each numbered card, padded to 64."""
    masks: NDArray[np.uint64]
    """``uint64 (number,)``: the suit mask of each card."""
    holes: NDArray[np.uint64]
    """``uint64 (player,)``: the key of each known hole; 0 for an unknown one."""
    board: np.uint64
    """The key of the known board cards, with the start of suit counts."""
    to_come: np.uint64
    """The number of unknown board cards."""


def make_deal_tables(spot: Spot, listed: Sequence[int]) -> DealTables:
    """Create the `DealTables` of a spot.

    Args:
        spot: the spot.
        listed: the players whose holes come from lists, in the order of these lists.
    """
    number_of = number_cards(spot)
    template = np.zeros(BOARD_SIZE + 2 * spot.players + 1, dtype=np.uint8)
    template[: len(spot.board)] = number_of[list(spot.board)]
    drawn = list(range(len(spot.board), BOARD_SIZE))
    for player, hole in enumerate(spot.known):
        column = BOARD_SIZE + 2 * player
        if len(hole):
            template[column : column + 2] = number_of[hole]
        elif player not in listed:
            drawn += [column, column + 1]
    from_lists = [BOARD_SIZE + 2 * player + card for player in listed for card in (0, 1)]
    spare = -len(drawn) % _PER_WORD
    columns = [*from_lists, *drawn, *[len(template) - 1] * spare]
    left = len(spot.board_cards) - len(from_lists)
    sizes = np.array([*range(left, left - len(drawn), -1), *[1] * spare], dtype=np.uint64)
    return DealTables(
        cards=_cards_by_number(spot),
        template=template,
        columns=np.array(columns, dtype=np.uint64),
        sizes=sizes,
        least=np.uint64(1 << 32) % sizes.reshape(-1, 3).prod(axis=1, dtype=np.uint64),
        draws=np.uint64(len(drawn)),
    )


def make_key_tables(spot: Spot) -> KeyTables:
    """Create the `KeyTables` of a spot."""
    cards = _cards_by_number(spot)
    return KeyTables(
        keys=CARD_KEYS[cards],
        masks=CARD_MASKS[cards],
        holes=np.array([CARD_KEYS[hole].sum() for hole in spot.known], dtype=np.uint64),
        board=np.uint64(SUIT_COUNT_START) + CARD_KEYS[list(spot.board)].sum(dtype=np.uint64),
        to_come=np.uint64(spot.to_come),
    )


def number_cards(spot: Spot) -> CardArray:
    """Number the deck's cards so that those that can be drawn come first, ``uint8 (card,)``."""
    unknown = spot.board_cards
    order = np.append(unknown, np.setdiff1d(np.arange(DECK_SIZE), unknown))
    return np.argsort(order).astype(np.uint8)


def _cards_by_number(spot: Spot) -> CardArray:
    """Tabulate card ids by card number, padded so that kernels need no bounds check."""
    cards = np.zeros(_NUMBERS, dtype=np.uint8)
    cards[number_cards(spot)] = np.arange(DECK_SIZE)
    return cards
