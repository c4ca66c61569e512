"""Seeds, independent random streams derived from seeds, and the random words of kernels.

One seed serves many purposes: the shuffle of a deck, whole hands, the blocks of a sampled
run. Each purpose has a *path*, e.g. ``("hands",)`` or ``("sample", 3)``. Numpy's
``SeedSequence``, whose output is the same in all versions of numpy, hashes seed and path into
an independent stream. Global generators are never used.

Kernels draw from counter-based streams of splitmix64: word ``i`` is ``mix(start + i * GOLDEN)``.
The stream of a seed is divided into ranges of counters, one for each block of deals. Source:
Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
"""

from __future__ import annotations

import os
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_integer
from holdem.errors import SeedError
from holdem.jit.kernels import inlined

#: An array of 64-bit words, ``uint64``.
Words: TypeAlias = NDArray[np.uint64]

#: Increment of the counter from one random word to the next.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)

#: Increment of the counter from one block to the next: 2^32 random words.
BLOCK_STEP = np.uint64((int(GOLDEN) << 32) & 0xFFFFFFFFFFFFFFFF)


@inlined
def random_word(counter: np.uint64) -> np.uint64:
    word = (counter ^ (counter >> np.uint64(30))) * _MIX_1
    word = (word ^ (word >> np.uint64(27))) * _MIX_2
    return word ^ (word >> np.uint64(31))


#: The largest seed. All seeds can be read from JSON as doubles without loss.
MAX_SEED = 2**53 - 1

#: A seed as users give it.
Seed: TypeAlias = "int | np.random.SeedSequence"

# Types of path items. Each item becomes three 32-bit words, its type and 64 bits. Without a
# fixed number of words, (1, 2) and (1 + 2 * 2**32,) would be the same spawn key in numpy.
_NUMBER, _TEXT, _COUNTER = 0, 1, 2


def resolve_seed(seed: Seed | None) -> int:
    """Validate a seed, and hash one above `MAX_SEED` to one below; draw one if it is None."""
    if seed is None:
        # 53 of 56 bits. `secrets` does the same, but takes 4 ms to import.
        return int.from_bytes(os.urandom(7), "little") >> 3
    large: Any = seed
    # A sequence of numpy.random, which isn't imported yet.
    if isinstance(seed, type) or not hasattr(seed, "generate_state"):
        number = checked_integer(seed, "seed", 0, 2**64 - 1, SeedError, "from 0 to 2^64-1")
        if number <= MAX_SEED:
            return number
        large = np.random.SeedSequence(number)
    return int(large.generate_state(1, np.uint64)[0]) >> 11


def stream(seed: int, *path: int | str) -> np.random.Generator:
    """Create a random generator (PCG64) for a seed 0..2^53-1, not checked, and a purpose.

    The same arguments give the same numbers; other arguments give an independent stream. The
    purpose is names and numbers 0..2^64-1, such as ``"hands", 12``.
    """
    return np.random.Generator(np.random.PCG64(_make_sequence(seed, _encode_path(path))))


def fractions(source: np.random.PCG64, count: int) -> NDArray[np.float64]:
    """Draw `count` uniform random floats in [0, 1).

    They are the same in all versions of numpy, unlike those of ``Generator.random``.
    """
    return (source.random_raw(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def counter_start(seed: int, *path: int | str) -> int:
    """Derive the first counter value, from 0 to 2^64-1, of a kernel's random stream.

    The seed is 0..2^53-1, not checked. The result is independent of the numbers that `stream` gives
    for the same arguments.
    """
    sequence = _make_sequence(seed, [*_encode_path(path), _COUNTER, 0, 0])
    return int(sequence.generate_state(1, np.uint64)[0])


def _make_sequence(seed: int, words: list[int]) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed, spawn_key=tuple(words))


def _encode_path(path: tuple[int | str, ...]) -> list[int]:
    """Encode a purpose (see `stream`) as 32-bit words for ``SeedSequence``, three for each item."""
    import hashlib  # takes 2 ms, which exact answers do not need to spend

    words: list[int] = []
    for item in path:
        if isinstance(item, str):
            # `hash` would differ between processes.
            bits = int.from_bytes(hashlib.blake2b(item.encode(), digest_size=8).digest(), "little")
            words += [_TEXT, bits & 0xFFFFFFFF, bits >> 32]
        else:
            words += [_NUMBER, int(item) & 0xFFFFFFFF, int(item) >> 32]
    return words
