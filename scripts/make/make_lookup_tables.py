"""Make the tables of the default evaluator: ``holdem/evaluation/builtin/lookup_tables.npz``.

The strength of a hand without a flush depends on its ranks only, and every multiset of ranks has a
different sum of keys, one per card. The sums are sparse (up to 7.8 million for 49,205 multisets of
seven ranks), so the table is compressed by row displacement: the sum without its ten lowest bits
selects a row, and all rows overlap in one array, each at an offset where its entries meet no other
row's. Offsets are found first-fit, fullest rows first.

The strengths come from the list of classes alone (``holdem.rules``), by taking the best of
all choices of five. Run it from the checkout; it prints the checksum to put into
``holdem/evaluation/builtin/lookup_tables.py``:

    python scripts/make/make_lookup_tables.py
"""

from __future__ import annotations

import zlib
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdem import rules
from holdem.evaluation.builtin.lookup_tables import RANK_KEYS, ROW_BITS
from holdem.jit.kernels import kernel

RANKS = range(13)


def strengths_of_five() -> tuple[dict[tuple[int, ...], int], dict[tuple[int, ...], int]]:
    """Return the strengths of five sorted ranks, without and with a flush."""
    mixed: dict[tuple[int, ...], int] = {}
    suited: dict[tuple[int, ...], int] = {}
    classes = rules.STANDARD.classes
    for place, hand_class in enumerate(classes):
        ranks = tuple(sorted(card.rank for card in hand_class.example))
        is_suited = hand_class.category in (rules.FLUSH, rules.STRAIGHT_FLUSH)
        (suited if is_suited else mixed)[ranks] = len(classes) - place
    return mixed, suited


def rank_sums(
    size: int, mixed: dict[tuple[int, ...], int]
) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """Return the key sum and the strength of every multiset of `size` ranks."""
    sums, strengths = [], []
    for ranks in combinations_with_replacement(RANKS, size):
        if max(ranks.count(rank) for rank in set(ranks)) <= 4:
            sums.append(sum(RANK_KEYS[rank] for rank in ranks))
            strengths.append(max(mixed[five] for five in set(combinations(ranks, 5))))
    assert len(set(sums)) == len(sums), "the keys do not tell all multisets apart"
    return np.array(sums, dtype=np.int64), np.array(strengths, dtype=np.uint16)


@kernel
def first_fit(
    starts: NDArray[np.int64],
    columns: NDArray[np.int64],
    taken: NDArray[np.bool_],
    offsets: NDArray[np.int64],
) -> int:
    """Place rows in `taken` and return the end; row i is ``columns[starts[i]:starts[i + 1]]``."""
    end = 0
    for row in range(len(starts) - 1):
        offset = 0
        while True:
            fits = True
            for place in range(starts[row], starts[row + 1]):
                if taken[offset + columns[place]]:
                    fits = False
                    break
            if fits:
                break
            offset += 1
        offsets[row] = offset
        for place in range(starts[row], starts[row + 1]):
            taken[offset + columns[place]] = True
            end = max(end, offset + columns[place] + 1)
    return end


def fold(
    sums: NDArray[np.int64], strengths: NDArray[np.uint16]
) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """Return (row offsets, entries) such that ``entries[sum + offsets[sum >> ROW_BITS]]``.

    The first sum of a row is subtracted from its offset, modulo 2^32, so that a look-up need not
    reduce the sum to a column.
    """
    rows = sums >> ROW_BITS
    order = np.lexsort((sums, rows, -np.bincount(rows)[rows]))  # fullest rows first
    sums, strengths, rows = sums[order], strengths[order], rows[order]
    starts = np.flatnonzero(np.r_[True, rows[1:] != rows[:-1], True])
    offsets = np.zeros(len(starts) - 1, dtype=np.int64)
    end = first_fit(starts, sums & (1 << ROW_BITS) - 1, np.zeros(1 << 20, dtype=np.bool_), offsets)
    row_offsets = np.zeros(int(rows.max()) + 1, dtype=np.int64)
    row_offsets[rows[starts[:-1]]] = offsets
    row_offsets -= np.arange(len(row_offsets)) << ROW_BITS
    folded = (row_offsets & 0xFFFFFFFF).astype(np.uint32)
    entries = np.zeros(end, dtype=np.uint16)
    entries[sums + row_offsets[rows]] = strengths
    return folded, entries


def flush_strengths(suited: dict[tuple[int, ...], int]) -> NDArray[np.uint16]:
    """Return the strength of every 13-bit set of ranks in one suit; 0 for fewer than five."""
    strengths = np.zeros(1 << 13, dtype=np.uint16)
    for size in (5, 6, 7):
        for ranks in combinations(RANKS, size):
            strengths[sum(1 << rank for rank in ranks)] = max(
                suited[five] for five in combinations(ranks, 5)
            )
    return strengths


def main() -> None:
    """Make the file and print its checksum."""
    mixed, suited = strengths_of_five()
    arrays: dict[str, NDArray[np.uint16] | NDArray[np.uint32]] = {"flush": flush_strengths(suited)}
    for size in (5, 6, 7):
        offsets, entries = fold(*rank_sums(size, mixed))
        arrays[f"offsets_{size}"], arrays[f"strengths_{size}"] = offsets, entries
        print(f"{size} cards: {len(offsets)} rows, {len(entries)} entries")
    path = Path(__file__).parents[2] / "holdem" / "evaluation" / "builtin" / "lookup_tables.npz"
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]
    content = path.read_bytes()
    print(f"{path}: {len(content)} bytes, CRC-32 {zlib.crc32(content):08X}")


if __name__ == "__main__":
    main()
