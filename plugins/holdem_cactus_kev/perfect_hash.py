"""A perfect hash made by displacement: every key of a fixed set finds a slot of its own.

A key is multiplied, modulo 2^32, by an odd number. The product's top bits name a bucket,
the bits below them a slot, and the bucket's displacement, by exclusive or, moves all of
its keys at once to slots that are free. Buckets are settled from the fullest down, while
there is room.
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
_GOLDEN = 0x9E3779B9  # 2^32 over the golden ratio: spreads neighbours far apart
_TRIES = 1000


class PerfectHash(NamedTuple):
    """What a reader needs to find the slot of a key."""

    multiplier: int
    displacements: tuple[int, ...]

    def slot(self, key: int) -> int:
        """Return the slot 0..`SLOTS` - 1 of one of the keys it was made for."""
        mixed = key * self.multiplier & _WORD
        return self.displacements[mixed >> BUCKET_SHIFT] ^ (mixed >> SLOT_SHIFT & SLOTS - 1)


def build(keys: Iterable[int]) -> PerfectHash:
    """Make a perfect hash for `keys`, different numbers below 2^32, up to 3/4 of `SLOTS`.

    The multiplier is the first odd number from the golden ratio on with which every bucket
    can be settled; one in a few does.

    Raises:
        EvaluatorError: no such multiplier was found; two keys are equal, or they are too many.
    """
    keys = tuple(keys)
    for multiplier in range(_GOLDEN, _GOLDEN + 2 * _TRIES, 2):
        displacements = _settle([key * multiplier & _WORD for key in keys])
        if displacements is not None:
            return PerfectHash(multiplier, displacements)
    raise holdem.EvaluatorError(
        f"no perfect hash for {len(keys)} keys in {SLOTS} slots after {_TRIES} multipliers"
    )


def _settle(mixed: list[int]) -> tuple[int, ...] | None:
    """Find a displacement for each bucket, or None where one of them has no place."""
    buckets: list[list[int]] = [[] for _ in range(1 << BUCKET_BITS)]
    for word in mixed:
        buckets[word >> BUCKET_SHIFT].append(word >> SLOT_SHIFT & SLOTS - 1)
    displacements = [0] * len(buckets)
    taken = bytearray(SLOTS)
    for bucket in sorted(range(len(buckets)), key=lambda bucket: -len(buckets[bucket])):
        slots = buckets[bucket]
        if len(set(slots)) < len(slots):
            return None  # two keys that no displacement can part
        for displacement in range(SLOTS):
            if not any(taken[slot ^ displacement] for slot in slots):
                break
        else:
            return None
        displacements[bucket] = displacement
        for slot in slots:
            taken[slot ^ displacement] = 1
    return tuple(displacements)
