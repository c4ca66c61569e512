"""Seeds and the independent random streams that come from them.

One seed serves many purposes: the shuffle of a deck, whole hands, the blocks of a sampled
run. Each purpose names itself by a *path*, e.g. ``("hands",)`` or ``("sample", 3)``, and the
pair of seed and path is hashed into a stream of its own by numpy's ``SeedSequence``, whose
output is fixed for all versions of numpy. Nothing here reads or changes a global generator.
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_integer
from holdem.errors import SeedError

#: The largest seed: every seed up to here survives JSON readers that know only doubles.
MAX_SEED = 2**53 - 1

# The kinds of part that a path has. Each part becomes three 32-bit words, its kind and 64
# bits: numpy joins the words of a spawn key without a mark between them, so that parts of
# different lengths could run into each other ((1, 2) and (1 + 2 * 2**32,) would be one key).
_NUMBER, _TEXT, _COUNTER = 0, 1, 2


def resolve_seed(seed: int | None) -> int:
    """Return `seed`, checked, or one drawn from the operating system's entropy for None.

    Raises:
        SeedError: a number outside 0..2^53-1.
        HoldemTypeError: not an integer; ``True`` and ``7.0`` are none.
    """
    if seed is None:
        # 53 of 56 bits. The module `secrets` would say the same and takes 4 ms to import.
        return int.from_bytes(os.urandom(7), "little") >> 3
    return checked_integer(seed, "seed", 0, MAX_SEED, SeedError, bounds="from 0 to 2^53-1")


def stream(seed: int, *path: int | str) -> np.random.Generator:
    """Return the generator (PCG64) that belongs to a seed and a purpose.

    Args:
        seed: 0..2^53-1, checked already.
        *path: what the stream is for: names and numbers 0..2^64-1, e.g. ``"hands", 12``.

    Returns:
        A new generator at its start. The same arguments give the same numbers; any other
        seed or path gives a stream that is independent of this one.
    """
    return np.random.Generator(np.random.PCG64(_sequence(seed, _words(path))))


def fractions(source: np.random.PCG64, count: int) -> NDArray[np.float64]:
    """Return numbers in 0..1 from a raw stream, ``float64 (count,)``, the same everywhere.

    What numpy's generators make of a raw stream may change from version to version, the stream
    itself does not.
    """
    return (source.random_raw(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def counter_start(seed: int, *path: int | str) -> int:
    """Return where a compiled, counter-based sampler starts to count: 0..2^64-1.

    Args:
        seed: 0..2^53-1, checked already.
        *path: what the numbers are for, as in `stream`, of which it is independent.
    """
    sequence = _sequence(seed, [*_words(path), _COUNTER, 0, 0])
    return int(sequence.generate_state(1, np.uint64)[0])


def _sequence(seed: int, words: list[int]) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed, spawn_key=tuple(words))


def _words(path: tuple[int | str, ...]) -> list[int]:
    """Return three 32-bit words for each part of `path`."""
    import hashlib  # 2 ms, which an exact answer can do without

    words: list[int] = []
    for part in path:
        if isinstance(part, str):
            # Not `hash`, which differs from process to process.
            content = hashlib.blake2b(part.encode(), digest_size=8).digest()
            kind = _TEXT
        else:
            content = int(part).to_bytes(8, "little")
            kind = _NUMBER
        words += [
            kind,
            int.from_bytes(content[:4], "little"),
            int.from_bytes(content[4:], "little"),
        ]
    return words
