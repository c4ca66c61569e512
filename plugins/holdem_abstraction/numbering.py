"""Numbers of hands up to suit permutations: tables, and kernels that number hands and list them.

For each suit, a hand has a set of hole-card ranks and a set of board-card ranks. The *kind* of the
suit is the sizes of these two sets, and a table numbers all pairs of sets of a kind. The *code* of
the suit is the kind followed by this number. A hand up to suit permutations is the multiset of the
codes of its four suits.

The *pattern* of a hand is the sorted kinds of the four suits; a street has at most 36 patterns. The
hands of each pattern are numbered consecutively. Suits of the same kind are numbered together, as a
multiset, and suits of different kinds independently. To number a hand, four codes are looked up and
sorted. This takes twelve look-ups in small tables, and no suit permutation has to be found.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray
from holdem.jit.kernels import inlined, kernel, popcount
from holdem.ranges.combos import COMBO_COUNT

HOLE_CARDS = 2
_MOST_BOARD_CARDS = 5
# The kinds of suits: the number of hole cards and the number of board cards of a suit.
_KINDS = [(hole, board) for hole in range(HOLE_CARDS + 1) for board in range(_MOST_BOARD_CARDS + 1)]
# The low bits of a code, which are the number within the kind, and of a pair of sets of ranks.
_LOW_BITS = 16

# A bit for each card, the suits 16 bits apart; none for ids that are not cards.
_BITS: NDArray[np.uint64] = np.array(
    [1 << (card % 4 * 16 + card // 4) if card < DECK_SIZE else 0 for card in range(256)],
    dtype=np.uint64,
)
_KIND_COUNT, _COMBOS = np.uint64(len(_KINDS)), np.uint64(COMBO_COUNT)
_0, _1, _2, _3, _4 = np.arange(5, dtype=np.uint64)
_6, _24 = np.uint64(6), np.uint64(24)
_LOW, _MASK = np.uint64(_LOW_BITS), np.uint64((1 << _LOW_BITS) - 1)


class Codes(NamedTuple):
    """Tables that convert the hole-card ranks and board-card ranks of one suit to a code and back.

    A set of ranks is an integer of 13 bits, with a bit for each rank. The kind of a suit with
    ``h`` hole cards and ``b`` board cards is ``6 * h + b``.
    """

    rows: NDArray[np.uint32]
    """For each set of hole-card ranks, the index in `codes` of the first item of its row, ``uint32
    (set,)``."""
    columns: NDArray[np.uint16]
    """For each set of board-card ranks, its column in `codes`, ``uint16 (set,)``."""
    codes: NDArray[np.uint32]
    """The code of each pair of sets, ``kind << 16 | number``, at the index ``rows[hole] +
    columns[board]``, ``uint32 (row * column,)``."""
    starts: NDArray[np.uint32]
    """For each kind of suit, the index in `pairs` of its first pair of sets, ``uint32 (kind,)``."""
    pairs: NDArray[np.uint32]
    """All pairs of sets, sorted by kind and number, each as ``hole << 16 | board``, ``uint32
    (pair,)``."""


class Numbering(NamedTuple):
    """A numbering of hands up to suit permutations, as created by `make_numbering`.

    The module's docstring defines codes, kinds and patterns.
    """

    codes: Codes
    pattern_of_kinds: NDArray[np.uint8]
    """The number of the pattern of four suits with the kinds a >= b >= c >= d, at the index ``a +
    18 * (b + 18 * c)``, ``uint8 (18^3,)``."""
    radices: NDArray[np.uint32]
    """The factors by which the number of a hand is built suit by suit, ``uint32 (pattern, 4)``: the
    number so far is multiplied by the radix of the next suit, and the suit's own term is added. Of
    suits of the same kind, the first has the number of possible multisets of their codes as its
    radix, and the others have 1. The radix of the first suit is not used."""
    kinds: NDArray[np.uint8]
    """The kinds of the four suits, highest first, ``uint8 (pattern, 4)``."""
    bounds: NDArray[np.uint64]
    """The number of the first hand of each pattern, followed by the number of all hands, ``uint64
    (pattern + 1,)``."""

    @property
    def size(self) -> int:
        return int(self.bounds[-1])


@cache
def make_numbering(hole_cards: int, board_cards: int) -> Numbering:
    """Number all hands of 2 hole cards, or 0 for boards alone, and up to 5 board cards."""
    codes = _make_codes()
    counts = np.diff([*codes.starts.tolist(), len(codes.pairs)]).tolist()
    patterns, radices, sizes = [], [], []
    for kinds in combinations_with_replacement(range(len(_KINDS) - 1, -1, -1), 4):
        holes, boards = zip(*(_KINDS[kind] for kind in kinds), strict=True)
        if (sum(holes), sum(boards)) != (hole_cards, board_cards):
            continue
        own = [1] * 4
        for suit, kind in enumerate(kinds):
            if suit == kinds.index(kind):  # the first of its kind
                own[suit] = comb(counts[kind] + kinds.count(kind) - 1, kinds.count(kind))
        patterns.append(kinds)
        radices.append(own)
        sizes.append(prod(own))
    bounds = np.cumsum([0, *sizes]).astype(np.uint64)
    kinds_of_patterns = np.array(patterns, dtype=np.uint8)
    pattern_of_kinds = np.zeros(len(_KINDS) ** 3, dtype=np.uint8)
    keys = kinds_of_patterns[:, :3].astype(np.intp) @ len(_KINDS) ** np.arange(3)
    pattern_of_kinds[keys] = np.arange(len(patterns))
    return Numbering(
        codes, pattern_of_kinds, np.array(radices, dtype=np.uint32), kinds_of_patterns, bounds
    )


@cache
def _make_codes() -> Codes:
    sets = [
        [sum(1 << rank for rank in ranks) for ranks in combinations(range(13), size)]
        for size in range(_MOST_BOARD_CARDS + 1)
    ]
    holes = np.concatenate(sets[: HOLE_CARDS + 1])
    boards = np.concatenate(sets)
    rows, columns = np.zeros(1 << 13, dtype=np.uint32), np.zeros(1 << 13, dtype=np.uint16)
    rows[holes] = np.arange(len(holes)) * len(boards)
    columns[boards] = np.arange(len(boards))
    sizes = np.bitwise_count(holes)[:, None], np.bitwise_count(boards)
    codes = np.zeros((len(holes), len(boards)), dtype=np.uint32)
    starts: list[int] = []
    pairs: list[NDArray[np.int64]] = []
    for kind, (hole, board) in enumerate(_KINDS):
        fits = (sizes[0] == hole) & (sizes[1] == board) & (holes[:, None] & boards == 0)
        row, column = np.nonzero(fits)
        codes[row, column] = kind << _LOW_BITS | np.arange(len(row))
        starts.append(sum(map(len, pairs)))
        pairs.append(holes[row] << _LOW_BITS | boards[column])
    return Codes(
        rows,
        columns,
        codes.ravel(),
        np.array(starts, dtype=np.uint32),
        np.concatenate(pairs).astype(np.uint32),
    )


@inlined
def _sum_bits(cards: CardArray, row: Any, size: Any) -> np.uint64:
    bits = _0
    for column in range(size):
        bits |= _BITS[cards[row, column]]
    return bits


@inlined
def _code(hole: np.uint64, board: np.uint64, suit: np.uint64, codes: Codes) -> np.uint64:
    shift = suit << _4
    row = codes.rows[hole >> shift & _MASK]
    return np.uint64(codes.codes[np.uint64(row) + codes.columns[board >> shift & _MASK]])


@inlined
def _sorted_codes(
    w: np.uint64, x: np.uint64, y: np.uint64, z: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Sort four codes in descending order."""
    w, x = max(w, x), min(w, x)
    y, z = max(y, z), min(y, z)
    w, y = max(w, y), min(w, y)
    x, z = max(x, z), min(x, z)
    x, y = max(x, y), min(x, y)
    return w, x, y, z


@inlined
def _multiset(code: np.uint64, one: Any, two: Any, three: Any) -> np.uint64:
    """Compute the term of one code in the number of a multiset of codes of the same kind.

    The number of the multiset is the sum of the terms of its codes: ``C(x + n - 1, n)``, where
    ``x`` is the code without its kind, and ``n`` is 1 plus the number of codes that follow. Codes
    are in descending order. `one`, `two` and `three` tell whether at least so many codes follow.
    """
    x = code & _MASK
    if not one:
        return x
    pair = x * (x + _1) >> _1
    if not two:
        return pair
    triple = pair * (x + _2) // _3
    return triple * (x + _3) >> _2 if three else triple


@inlined
def _number(
    w: np.uint64, x: np.uint64, y: np.uint64, z: np.uint64, numbering: Numbering
) -> np.uint64:
    """Compute the number of a hand from the codes of its suits, w >= x >= y >= z."""
    a, b, c, d = w >> _LOW, x >> _LOW, y >> _LOW, z >> _LOW
    pattern = np.uint64(numbering.pattern_of_kinds[a + _KIND_COUNT * (b + _KIND_COUNT * c)])
    ab, bc, cd = a == b, b == c, c == d
    radices = numbering.radices
    number = _multiset(w, ab, ab & bc, ab & bc & cd)
    number = number * radices[pattern, _1] + _multiset(x, bc, bc & cd, False)
    number = number * radices[pattern, _2] + _multiset(y, cd, False, False)
    number = number * radices[pattern, _3] + (z & _MASK)
    return np.uint64(numbering.bounds[pattern] + number)


@inlined
def _number_rows(
    holes: CardArray,
    boards: CardArray,
    hole_cards: np.uint64,
    board_cards: np.uint64,
    numbering: Numbering,
    numbers: NDArray[np.int64],
) -> np.int64:
    for row in range(np.uint64(len(holes))):
        hole, board = _sum_bits(holes, row, hole_cards), _sum_bits(boards, row, board_cards)
        if popcount(hole | board) != hole_cards + board_cards:
            return np.int64(row)
        codes = _sorted_codes(
            _code(hole, board, _0, numbering.codes),
            _code(hole, board, _1, numbering.codes),
            _code(hole, board, _2, numbering.codes),
            _code(hole, board, _3, numbering.codes),
        )
        numbers[row] = _number(codes[0], codes[1], codes[2], codes[3], numbering)
    return np.int64(-1)


@kernel
def number_hands(
    holes: CardArray, boards: CardArray, numbering: Numbering, numbers: NDArray[np.int64]
) -> np.int64:
    """Write the number of each hand up to suit permutations to `numbers`, ``(hand,)``.

    Holes are ``(hand, 2)``, boards ``(hand, card)`` with 0, 3, 4 or 5 cards, for which the
    numbering is. Return the row of the first hand with an invalid id or with the same card twice;
    -1 if there is none.
    """
    # Loops over constant numbers of cards are unrolled.
    size = boards.shape[1]
    if size == 5:
        return _number_rows(holes, boards, _2, np.uint64(5), numbering, numbers)
    if size == 4:
        return _number_rows(holes, boards, _2, _4, numbering, numbers)
    if size == 3:
        return _number_rows(holes, boards, _2, _3, numbering, numbers)
    return _number_rows(holes, boards, _2, _0, numbering, numbers)


@kernel
def locate_hands(
    holes: CardArray, boards: CardArray, numbering: Numbering, cells: NDArray[np.int64]
) -> np.int64:
    """Find the position of each hand in a flattened table ``(canonical board, combo)``.

    The canonical board stands for all boards that are equal up to suit permutations. The combo is
    the hole cards after a permutation that turns the board into the canonical one.

    Holes are ``(hand, 2)``, boards ``(hand, card)`` with 0, 3, 4 or 5 cards; the numbering is that
    of such boards, without hole cards. The positions, ``1326 * board + combo``, are written to
    `cells`, ``(hand,)``. Return the row of the first hand with an invalid id or with the same card
    twice; -1 if there is none.
    """
    board_cards = np.uint64(boards.shape[1])
    for row in range(np.uint64(len(holes))):
        board = _sum_bits(boards, row, board_cards)
        hole = _sum_bits(holes, row, _2)
        if popcount(hole | board) != _2 + board_cards:
            return np.int64(row)
        # Each code with its suit. Suits with equal codes can be exchanged.
        w, x, y, z = _sorted_codes(
            _code(_0, board, _0, numbering.codes) << _2,
            _code(_0, board, _1, numbering.codes) << _2 | _1,
            _code(_0, board, _2, numbering.codes) << _2 | _2,
            _code(_0, board, _3, numbering.codes) << _2 | _3,
        )
        # The new suit of each suit, in two bits.
        suits = _1 << ((x & _3) << _1) | _2 << ((y & _3) << _1) | _3 << ((z & _3) << _1)
        first, second = np.uint64(holes[row, 0]), np.uint64(holes[row, 1])
        first = first & ~_3 | suits >> ((first & _3) << _1) & _3
        second = second & ~_3 | suits >> ((second & _3) << _1) & _3
        high, low = max(first, second), min(first, second)
        number = _number(w >> _2, x >> _2, y >> _2, z >> _2, numbering)
        cells[row] = number * _COMBOS + (high * (high - _1) >> _1) + low
    return np.int64(-1)


@inlined
def _largest(number: np.uint64, codes: np.uint64) -> np.uint64:
    """Find the largest of `codes` codes, without its kind, in a multiset with this `number`.

    All codes of the multiset are of one kind; `_multiset` defines its number.
    """
    if codes == _1:
        return number
    if codes == _2:
        return np.uint64((np.sqrt(8.0 * np.float64(number) + 1.0) - 1.0) * 0.5)
    x = _0
    while True:
        above = (x + _1) * (x + _2) * (x + _3)
        above = above // _6 if codes == _3 else above * (x + _4) // _24
        if above > number:
            return x
        x += _1


@inlined
def _write_cards(
    ranks: np.uint64, suit: np.uint64, row: Any, column: np.uint64, cards: CardArray
) -> np.uint64:
    """Write the cards of one suit in ascending order to a row of `cards`, ``(hand, card)``.

    `ranks` has a bit for each rank. `column` is that of the first card; the one after the last card
    is returned.
    """
    while ranks:
        cards[row, column] = popcount((ranks & (~ranks + _1)) - _1) << _2 | suit
        ranks &= ranks - _1
        column += _1
    return column


@kernel
def write_hands_of_numbers(
    numbers: NDArray[np.int64], numbering: Numbering, holes: CardArray, boards: CardArray
) -> None:
    """Write one of the hands that each number stands for to `holes` and `boards`, ``(hand, card)``.

    Numbers, ``(hand,)``, from 0 to ``numbering.size - 1``, are not checked. `holes` has no columns
    if the numbering is of boards alone.
    """
    bounds, kinds, radices = numbering.bounds, numbering.kinds, numbering.radices
    pattern = _0  # of the last hand, since numbers are often consecutive
    for row in range(np.uint64(len(numbers))):
        number = np.uint64(numbers[row])
        while bounds[pattern] > number:
            pattern -= _1
        while bounds[pattern + _1] <= number:
            pattern += _1
        number -= bounds[pattern]
        hole_column, board_column = _0, _0
        suit = _0
        while suit < _4:
            # The suits of one kind, from `suit` to `end`, and the number of their multiset.
            kind = kinds[pattern, suit]
            end = suit + _1
            while end < _4 and kinds[pattern, end] == kind:
                end += _1
            rest = _1
            for other in range(end, _4):
                rest *= np.uint64(radices[pattern, other])
            own = number // rest
            number -= own * rest
            while suit < end:
                code = _largest(own, end - suit)
                own -= _multiset(code, end - suit > _1, end - suit > _2, end - suit > _3)
                pair = np.uint64(numbering.codes.pairs[numbering.codes.starts[kind] + code])
                hole_column = _write_cards(pair >> _LOW, suit, row, hole_column, holes)
                board_column = _write_cards(pair & _MASK, suit, row, board_column, boards)
                suit += _1
