"""Random bits from deals: the rank of each run of cards among all orders they could have.

The rank of the next few cards of a uniformly shuffled deck is a uniform number below the number of
possibilities, ``n * (n - 1) * ...``. The largest ranks, which would make some words more likely,
are rejected. The low 32 bits of the others are uniform.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray
from holdem.dealing.seeds import GOLDEN, Words, counter_start, random_word
from holdem.jit.kernels import kernel, popcount
from holdem.odds.sampling.sampler import BLOCK
from shuffling.deals import SEED, Source

_WORD = 2**32
_LEAST = 0.85  # the least share of ranks to accept
_DEALS = 1 << 21  # interleaved at a time: with more than 128 streams, the first of each block


def runs(cards: int, deck: int = DECK_SIZE) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Divide the cards of a deal into runs that give a word of 32 bits each.

    Returns:
        For each run how many cards it has, and the rank from which on it is rejected:
        ``uint64 (run,)``.
    """
    sizes, limits = [], []
    orders, size = 1, 0
    for left in range(deck, deck - cards, -1):
        orders, size = orders * left, size + 1
        limit = orders // _WORD * _WORD
        if limit >= _LEAST * orders:
            sizes.append(size)
            limits.append(limit)
            orders, size = 1, 0
    return np.array(sizes, dtype=np.uint64), np.array(limits, dtype=np.uint64)


@kernel
def pack(
    blocks: CardArray, sizes: NDArray[np.uint64], limits: NDArray[np.uint64], words: NDArray[Any]
) -> int:
    """Convert interleaved deals to random words and return how many.

    Args:
        blocks: ``uint8 (stream, deal, card)`` from a full deck; one deal of each stream, then the
            next of each.
        sizes: as returned by `runs`.
        limits: as returned by `runs`.
        words: ``uint32 (deal * stream * run,)``, written.
    """
    one, done = np.uint64(1), 0
    for deal in range(np.uint64(blocks.shape[1])):
        for stream in range(np.uint64(blocks.shape[0])):
            deck, left = (one << np.uint64(DECK_SIZE)) - one, np.uint64(DECK_SIZE)
            place = np.uint64(0)
            for run in range(np.uint64(len(sizes))):
                rank = np.uint64(0)
                for _ in range(sizes[run]):
                    card = one << np.uint64(blocks[stream, deal, place])
                    rank = rank * left + popcount(deck & (card - one))
                    deck ^= card
                    left -= one
                    place += one
                if rank < limits[run]:
                    words[done] = np.uint32(rank & np.uint64(0xFFFFFFFF))
                    done += 1
    return done


def interleaved(source: Source, streams: int) -> Iterator[NDArray[Any]]:
    """Yield random words, ``uint32``, from deals in which each stream takes its turn.

    A stream deals block after block, as a worker does: of four streams the first has the blocks
    0, 4, 8 and so on.
    """
    sizes, limits = runs(len(source.columns))
    deals = min(BLOCK, _DEALS // streams)
    blocks = np.empty((streams, deals, len(source.columns)), dtype=np.uint8)
    words = np.empty(streams * deals * len(sizes), dtype=np.uint32)
    for first in count(0, streams):
        for stream in range(streams):
            blocks[stream] = source.draw(first + stream, deals)
        yield words[: pack(blocks, sizes, limits, words)]


@kernel
def _fill(counter: np.uint64, words: Words) -> None:
    for place in range(len(words)):
        words[place] = random_word(counter)
        counter += GOLDEN


def raw() -> Iterator[Words]:
    """Yield the words of the generator itself, ``uint64``, in the order of their counters."""
    start, words = counter_start(SEED, "raw"), np.empty(1 << 16, dtype=np.uint64)
    for first in count(0, len(words)):
        _fill(np.uint64((start + first * int(GOLDEN)) % 2**64), words)
        yield words
