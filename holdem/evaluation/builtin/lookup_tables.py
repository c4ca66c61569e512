"""Strength tables of rule sets, and the keys of cards by which kernels look them up.

The key of a hand is the sum of the 64-bit keys of its cards.

A hand with five or more cards of one suit is ranked by the ranks of that suit, since it has neither
a full house nor four of a kind. Any other hand is ranked by its ranks alone. So without wild cards,
two tables rank all hands of one size. The strength is the number of classes that are not stronger:
1 for the weakest class, 7462 for a royal flush by standard rules.

The tables of the standard rules are loaded from ``lookup_tables.npz`` and verified by a checksum;
``scripts/make/make_lookup_tables.py`` makes the file and explains its layout. The tables of other
rule sets are computed from their classes. They have the same layout, since keys depend on ranks
only.
"""

from __future__ import annotations

import io
import zlib
from functools import cache
from itertools import chain, combinations, combinations_with_replacement
from pkgutil import get_data
from typing import Any, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, RANKS, CardArray
from holdem.errors import EvaluatorError
from holdem.rules import FLUSH, STANDARD, STRAIGHT_FLUSH, RuleSet

#: Key of each rank. Sums of the keys of any five, six or seven cards are distinct for distinct
#: ranks. The keys are Kenneth Shackleton's (SpecialKEval).
RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)

#: Number of low bits of a key sum that are the position within a row of the table.
ROW_BITS = 10

# The key of a card has its rank key in the low 32 bits, and above them a counter of 4 bits for
# each suit. Counters start at 3, so that the top bit of one is set from five cards on.
SUIT_COUNT_START = 0x3333 << 32
FLUSH_BITS = 0x8888 << 32

#: The key of each card, ``uint64 (52,)``.
CARD_KEYS: NDArray[np.uint64] = np.array(
    [RANK_KEYS[card.rank] + (1 << 32 + 4 * card.suit) for card in DECK], dtype=np.uint64
)

#: The suit mask of each card, ``uint64 (52,)``: only the bit ``16 * suit + rank`` is set.
CARD_MASKS: NDArray[np.uint64] = np.array(
    [1 << 16 * card.suit + card.rank for card in DECK], dtype=np.uint64
)


TABLES_FILE = "lookup_tables.npz"
_CHECKSUM = 0x0716A55D  # CRC-32; a cryptographic digest would take 2 ms to import
_SIZES = (5, 6, 7)
_KEYS = np.array(RANK_KEYS, dtype=np.uint32)
_ROW = np.uint32(ROW_BITS)


#: The strengths of the hands of one size, ``uint16 (entry,)``: first those of flushes, by the set
#: of the ranks of the suit (0 for fewer than five ranks), then those of other hands, by the sum of
#: their rank keys and an offset. It is one array, since inner loops have few registers to spare.
StrengthTable: TypeAlias = NDArray[np.uint16]
_FLUSHES = 1 << len(RANKS)


@attrs.frozen(eq=False)
class StrengthTables:
    """The strengths of all hands under a rule set without wild cards."""

    rules: RuleSet
    of_size: dict[int, StrengthTable]
    """The table for each size of hands, 5, 6 and 7."""

    @property
    def seven(self) -> StrengthTable:
        return self.of_size[7]


def _read() -> dict[str, NDArray[np.uint16 | np.uint32]]:
    content = get_data(__name__, TABLES_FILE) or b""
    if zlib.crc32(content) != _CHECKSUM:
        raise EvaluatorError(
            f"the evaluator's table {TABLES_FILE} is damaged: install holdem again"
        )
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


_ARRAYS = _read()


def _pad_offsets(size: int) -> NDArray[np.uint32]:
    """Return the row offsets of the strength table for hands of `size` cards, ``uint32 (row,)``.

    If ``sum`` is the sum of the rank keys of a hand, the table has its strength at the index
    ``sum + offsets[sum >> ROW_BITS]``, modulo 2^32. Rows that no hand uses start at the first entry
    after the flushes, so that look-ups of invalid hands stay inside the table.
    """
    rows = np.arange((size * RANK_KEYS[-1] >> ROW_BITS) + 1, dtype=np.uint32)
    offsets: NDArray[np.uint32] = -(rows << _ROW)  # modulo 2^32
    found = _ARRAYS[f"offsets_{size}"]
    offsets[: len(found)] = found
    return offsets + np.uint32(_FLUSHES)


def _join(flushes: NDArray[np.uint16], strengths: NDArray[np.uint16]) -> StrengthTable:
    """Join the strengths of flushes and of other hands to one table, and add a row of zeros.

    With this row, look-ups of invalid hands stay inside the table.
    """
    return np.concatenate([flushes, strengths, np.zeros(1 << ROW_BITS, dtype=np.uint16)])


#: The offsets for hands of each size, which are the same for all rule sets.
OFFSETS = {size: _pad_offsets(size) for size in _SIZES}
OFFSETS_7 = OFFSETS[7]


@cache
def tables_of(rules: RuleSet) -> StrengthTables:
    """Return the tables of a rule set without wild cards.

    Those of the standard rules are in ``lookup_tables.npz``. Others are computed, in about 30 ms.
    """
    if rules != STANDARD:
        return _make_tables(rules)
    flushes = _ARRAYS["flush"].astype(np.uint16)
    strengths = {size: _ARRAYS[f"strengths_{size}"].astype(np.uint16) for size in _SIZES}
    return StrengthTables(rules, {size: _join(flushes, own) for size, own in strengths.items()})


def seven_or_empty(tables: StrengthTables | None) -> StrengthTable:
    """Return the table of seven-card hands; an empty one if `tables` is None.

    A kernel can take an empty table, but not None.
    """
    return tables.seven if tables else np.zeros(0, dtype=np.uint16)


def look_up_ranks(table: NDArray[Any], keys: NDArray[np.uint32], size: int) -> NDArray[np.uint16]:
    """Look up the strengths of hands of `size` cards in the table of this size, ignoring flushes.

    `keys` are the sums of the `RANK_KEYS` of each hand's ranks; the result has their shape.
    """
    found: NDArray[np.uint16] = table[keys + OFFSETS[size][keys >> _ROW]]
    return found


def look_up_hands(tables: StrengthTables, hands: CardArray) -> NDArray[np.uint16]:
    """Look up hands ``uint8 (hand, 5..7)``, unchecked, in numpy.

    The strengths are ``uint16 (hand,)``, 1 for the weakest class.
    """
    table, ranks = tables.of_size[hands.shape[1]], hands >> 2
    keys = _KEYS[ranks].sum(axis=1, dtype=np.uint32)
    strengths = look_up_ranks(table, keys, hands.shape[1])
    for suit in range(4):
        suited = hands & 3 == suit
        rows = np.flatnonzero(suited.sum(axis=1) >= 5)
        sets = np.where(suited[rows], 1 << ranks[rows].astype(np.int64), 0).sum(axis=1)
        strengths[rows] = table[sets]
    return strengths


@cache
def list_rank_kinds(lowest: int, size: int) -> CardArray:
    """List the ranks, from `lowest` up, that hands of `size` cards can have.

    The result is ``uint8 (kind, size)``, with ascending ranks in each row, each at most four times:
    49,205 rows for seven cards from a full deck.
    """
    listed = combinations_with_replacement(range(lowest, len(RANKS)), size)
    kinds = np.fromiter(chain.from_iterable(listed), dtype=np.uint8).reshape(-1, size)
    found: CardArray = kinds[(kinds[:, :-4] != kinds[:, 4:]).all(axis=1)]
    return found


def list_flush_kinds(lowest: int, size: int) -> CardArray:
    """List the sets of `size` ranks, from rank `lowest` up, that cards of one suit can have.

    The result is ``uint8 (kind, size)``, with ascending ranks in each row.
    """
    listed = list(combinations(range(lowest, len(RANKS)), size))
    return np.array(listed, dtype=np.uint8).reshape(-1, size)


def _make_tables(rules: RuleSet) -> StrengthTables:
    """Compute the tables of a rule set from its classes, ranking hands by their best five cards."""
    suited = np.array([own.category in (FLUSH, STRAIGHT_FLUSH) for own in rules.classes])
    ranks = rules.examples >> 2
    strengths = np.arange(len(suited), 0, -1, dtype=np.uint16)
    flushes = np.zeros(_FLUSHES, dtype=np.uint16)
    flushes[_sets_of(ranks[suited])] = strengths[suited]
    for size in (6, 7):
        sets = _sets_of(list_flush_kinds(rules.lowest_rank, size))
        for rank in range(len(RANKS)):
            flushes[sets] = np.maximum(flushes[sets], flushes[sets & ~(1 << rank)])
    of_size: dict[int, StrengthTable] = {}
    for size in _SIZES:
        kinds = list_rank_kinds(rules.lowest_rank, size)
        keys = _KEYS[kinds].sum(axis=1, dtype=np.uint32)
        if size == 5:
            places, found = _KEYS[ranks[~suited]].sum(axis=1, dtype=np.uint32), strengths[~suited]
        else:  # without one card, the hand is one of the table before
            shorter, found = of_size[size - 1], np.zeros(len(kinds), dtype=np.uint16)
            for card in kinds.T:
                fewer = look_up_ranks(shorter, keys - _KEYS[card], size - 1)
                found = np.maximum(found, fewer)
            places = keys
        of_size[size] = _join(flushes, np.zeros_like(_ARRAYS[f"strengths_{size}"], np.uint16))
        of_size[size][places + OFFSETS[size][places >> _ROW]] = found
    return StrengthTables(rules, of_size)


def _sets_of(ranks: CardArray) -> NDArray[np.int64]:
    """Encode sets of ranks, ``uint8 (set, rank)``, as 13-bit masks, ``int64 (set,)``."""
    sets: NDArray[np.int64] = (1 << ranks.astype(np.int64)).sum(axis=1)
    return sets
