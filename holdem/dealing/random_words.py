"""Random words: splitmix64 run as a counter.

Word ``i`` is ``mix(start + i * GOLDEN)``, so a block owns a stretch of counters and needs no state
of another. (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014.)
"""

from __future__ import annotations

import numpy as np

from holdem.jit.decorators import inlined

#: What a counter grows by from one random word to the next.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)

#: Words that a block may use: the counters of two blocks never meet.
WORDS_A_BLOCK = 1 << 32

#: How much further on the counter of the next block begins.
BLOCK_STEP = np.uint64(WORDS_A_BLOCK * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)


@inlined
def random_word(counter: np.uint64) -> np.uint64:
    """Return the random word that belongs to a counter."""
    word = (counter ^ (counter >> np.uint64(30))) * _MIX_1
    word = (word ^ (word >> np.uint64(27))) * _MIX_2
    return word ^ (word >> np.uint64(31))
