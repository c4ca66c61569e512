"""Sources of deals to examine: the engine's, and two with planted defects.

A deal is a row of card ids. Deals come in blocks, which the engine gives to its workers. Each
block has separate random numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from holdem.cards import DECK_SIZE, CardArray
from holdem.dealing.seeds import GOLDEN, counter_start, random_word
from holdem.jit.kernels import kernel
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import BOARD_SIZE, make_spot
from holdem.rules import MAX_PLAYERS
from holdem.trials.hand_table import BURNS
from holdem.trials.simulation import HandDealer

SEED = 1


@attrs.frozen
class Source:
    """Blocks of deals, and which columns of a deal are what."""

    draw: Callable[[int, int], CardArray]
    """Return the first deals of a block, given its number and how many:
    ``uint8 (deal, card)``."""
    columns: tuple[int, ...]
    """The columns of cards that are not known."""
    holes: tuple[tuple[int, int], ...]
    """The columns of the unknown hole cards."""
    board: tuple[int, ...]
    known: tuple[int, ...] = ()
    """Cards that are never dealt."""


def hands(players: int = MAX_PLAYERS, draw: Any = None) -> Source:
    """Whole hands as `holdem.simulate` deals them, with their burnt cards."""
    dealer = HandDealer(players=players, seed=SEED)

    def deal(block: int, count: int) -> CardArray:
        return dealer.deal(1 + block * BLOCK, count)

    board, end = tuple(range(BOARD_SIZE)), BOARD_SIZE + 2 * players
    holes = tuple((column, column + 1) for column in range(BOARD_SIZE, end, 2))
    return Source(draw or deal, tuple(range(end + BURNS)), holes, board)


def equity(*players: str) -> Source:
    """Deals of a spot as `holdem.equity` samples them."""
    sampler = Sampler(make_spot(players), SEED, independent=True)
    deals = sampler.deals(0, 1)
    known = [len(hole) > 0 for hole in sampler.spot.known]
    seats = [BOARD_SIZE + 2 * seat for seat, is_known in enumerate(known) if not is_known]
    holes = tuple((column, column + 1) for column in seats)
    board = tuple(range(BOARD_SIZE))
    cards = [int(card) for hole in sampler.spot.known for card in hole]
    columns = (*board, *(column for hole in holes for column in hole))
    assert deals.shape[1] == BOARD_SIZE + 2 * len(players)
    return Source(sampler.deals, columns, holes, board, tuple(cards))


@kernel
def _deal_biased(counter: Any, bits: Any, deals: CardArray) -> None:
    """Shuffle with random numbers below n that are remainders of fractions of `bits` bits."""
    deck = np.empty(DECK_SIZE, dtype=np.uint8)
    low = (np.uint64(1) << bits) - np.uint64(1)
    for deal in range(np.uint64(len(deals))):
        for card in range(np.uint64(DECK_SIZE)):
            deck[card] = card
        for place in range(np.uint64(deals.shape[1])):
            other = place + (random_word(counter) & low) % (np.uint64(DECK_SIZE) - place)
            counter += GOLDEN
            deals[deal, place], deck[other] = deck[other], deck[place]


def biased(bits: int = 16) -> Source:
    """Whole hands with a planted defect: remainders of short fractions favour low numbers."""
    start, cards = counter_start(SEED, "hands"), BOARD_SIZE + 2 * MAX_PLAYERS + BURNS

    def deal(block: int, count: int) -> CardArray:
        deals = np.empty((count, cards), dtype=np.uint8)
        first = start + block * BLOCK * cards * int(GOLDEN)
        _deal_biased(np.uint64(first % 2**64), np.uint64(bits), deals)
        return deals

    return hands(draw=deal)


def overlapping(words: int = 4) -> Source:
    """Whole hands with a planted defect: each block begins few random words after the last."""

    def deal(block: int, count: int) -> CardArray:
        dealer = HandDealer(players=MAX_PLAYERS, seed=SEED)
        sampler = dealer._sampler
        sampler.start = (sampler.start + block * words * int(GOLDEN)) % 2**64
        return dealer.deal(1, count)

    return hands(draw=deal)


SOURCES: dict[str, Callable[[], Source]] = {
    "hands": hands,
    "equity": lambda: equity(*["random"] * 10),
    "known-hand": lambda: equity("AsKs", "random"),
    "biased": biased,
    "strongly-biased": lambda: biased(bits=8),
    "overlapping": overlapping,
}
