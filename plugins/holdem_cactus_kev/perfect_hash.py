"""A perfect hash by displacement: every key of a fixed set has its own slot.

A key is multiplied by an odd number modulo 2^32. The top bits of the product are a bucket, the
bits below them a slot, and an exclusive or with the displacement of the bucket moves all of its
keys to free slots. Displacements are chosen for the fullest buckets first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import holdem

WORD_BITS = 32
BUCKET_BITS = 10
SLOT_BITS = 13

BUCKET_SHIFT = WORD_BITS - BUCKET_BITS
SLOT_SHIFT = BUCKET_SHIFT - SLOT_BITS
SLOTS = 1 << SLOT_BITS

_WORD = (1 << WORD_BITS) - 1
_GOLDEN = 0x9E3779B9  # 2^32 over the golden ratio, as in Fibonacci hashing
_TRIES = 1000


class PerfectHash(NamedTuple):
    """The parameters of a perfect hash: the multiplier, and the displacement of each bucket."""

    multiplier: int
    displacements: tuple[int, ...]

    def slot(self, key: int) -> int:
        """Return the slot, 0..`SLOTS` - 1, of one of the keys that the hash was built for."""
        mixed = key * self.multiplier & _WORD
        return self.displacements[mixed >> BUCKET_SHIFT] ^ (mixed >> SLOT_SHIFT & SLOTS - 1)


def build(keys: Iterable[int]) -> PerfectHash:
    """Return a perfect hash for distinct keys below 2^32, at most 3/4 of `SLOTS` of them.

    Odd numbers from `_GOLDEN` on are tried as the multiplier until every bucket has a displacement;
    about one in four works.
    """
    keys = tuple(keys)
    for multiplier in range(_GOLDEN, _GOLDEN + 2 * _TRIES, 2):
        displacements = _displacements([key * multiplier & _WORD for key in keys])
        if displacements is not None:
            return PerfectHash(multiplier, displacements)
    raise holdem.EvaluatorError(
        f"no perfect hash for {len(keys)} keys in {SLOTS} slots after {_TRIES} multipliers"
    )


def _displacements(mixed: list[int]) -> tuple[int, ...] | None:
    """Find a displacement for each bucket, such that all keys have different slots.

    `mixed` are the products of the keys and the multiplier, modulo 2^32. The result is None if
    there is no displacement for some bucket.
    """
    buckets: list[list[int]] = [[] for _ in range(1 << BUCKET_BITS)]
    for word in mixed:
        buckets[word >> BUCKET_SHIFT].append(word >> SLOT_SHIFT & SLOTS - 1)
    displacements = [0] * len(buckets)
    taken = bytearray(SLOTS)
    for bucket in sorted(range(len(buckets)), key=lambda bucket: -len(buckets[bucket])):
        slots = buckets[bucket]
        if len(set(slots)) < len(slots):
            return None  # no displacement separates equal slots
        for displacement in range(SLOTS):
            if not any(taken[slot ^ displacement] for slot in slots):
                break
        else:
            return None
        displacements[bucket] = displacement
        for slot in slots:
            taken[slot ^ displacement] = 1
    return tuple(displacements)
