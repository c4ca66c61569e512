"""Tables of ``cactus-kev``, computed when the evaluator is loaded; ``README.md`` says how fast.

`FLUSHES` and `UNIQUE5` are indexed by rank bits; entries are 0 where no such hand has the bits.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from holdem_cactus_kev.cards import card_bitfield
from holdem_cactus_kev.classes import HIGHEST_RANK_BITS, number_classes
from holdem_cactus_kev.perfect_hash import SLOTS, build


def _by_rank_bits(classes: Mapping[int, int]) -> NDArray[np.uint16]:
    table = np.zeros(HIGHEST_RANK_BITS + 1, dtype=np.uint16)
    table[list(classes)] = list(classes.values())
    return table


_CLASSES = number_classes()
_HASH = build(sorted(_CLASSES.products))

#: The bit field of each card by id, ``uint32 (52,)``.
CARDS: NDArray[np.uint32] = np.array([card_bitfield(card) for card in range(52)], dtype=np.uint32)

#: Class of five suited cards by rank bits, ``uint16 (7937,)``.
FLUSHES = _by_rank_bits(_CLASSES.flushes)

#: Class of five different ranks, not all of one suit, by rank bits, ``uint16 (7937,)``.
UNIQUE5 = _by_rank_bits(_CLASSES.unique)

#: The products of five primes that are not all different, ascending, ``uint32 (4888,)``.
PRODUCTS: NDArray[np.uint32] = np.array(sorted(_CLASSES.products), dtype=np.uint32)

#: The class of each of `PRODUCTS`, ``uint16 (4888,)``.
VALUES: NDArray[np.uint16] = np.array(
    [_CLASSES.products[product] for product in PRODUCTS.tolist()], dtype=np.uint16
)

#: The multiplier of the perfect hash over `PRODUCTS`.
HASH_MULTIPLIER = _HASH.multiplier

#: The displacement of each bucket, ``uint16 (1024,)``.
DISPLACEMENTS: NDArray[np.uint16] = np.array(_HASH.displacements, dtype=np.uint16)

#: The class of each slot, 0 for empty slots, ``uint16 (8192,)``.
SLOT_VALUES: NDArray[np.uint16] = np.zeros(SLOTS, dtype=np.uint16)
SLOT_VALUES[[_HASH.slot(product) for product in PRODUCTS.tolist()]] = VALUES

#: An empty slot.
EMPTY_SLOT = int(np.flatnonzero(SLOT_VALUES == 0)[0])

#: The last class of each category, strongest category first.
LAST_CLASSES = _CLASSES.last
