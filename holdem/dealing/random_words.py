"""Counter-based random numbers for kernels: splitmix64.

Word ``i`` of a stream is ``mix(start + i * GOLDEN)``. The stream of a seed is divided into
ranges of counters, one for each block of a run. Source: Steele, Lea, Flood, "Fast splittable
pseudorandom number generators", 2014.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.jit.decorators import inlined

#: An array of 64-bit words, ``uint64``.
Words: TypeAlias = NDArray[np.uint64]

#: Increment of the counter from one random word to the next.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)

#: Increment of the counter from one block to the next: 2^32 random words.
BLOCK_STEP = np.uint64((int(GOLDEN) << 32) & 0xFFFFFFFFFFFFFFFF)


@inlined
def random_word(counter: np.uint64) -> np.uint64:
    """Return the random 64-bit word that belongs to a counter value."""
    word = (counter ^ (counter >> np.uint64(30))) * _MIX_1
    word = (word ^ (word >> np.uint64(27))) * _MIX_2
    return word ^ (word >> np.uint64(31))
