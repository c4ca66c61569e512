"""The types of spots that are computed in batches, with tables of strengths.

In all of them, the hole cards of at least one player are known. They are compared with other known
hole cards, an unweighted range or a random hand on all runouts.

The strength of most random hands depends on their ranks alone. On a complete board without three
cards of a suit, 91 pairs of ranks are compared instead of 990 combos. On a board with exactly three
cards of a suit, combos of two cards of this suit are ranked separately, as flushes. On a board with
four or five cards of a suit, every combo is ranked.

Kernels look up strengths by sums of card keys and by suit masks, both of which are defined in
`holdem.evaluation.builtin.lookup_tables`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup import rank_strength, strength
from holdem.evaluation.builtin.lookup_tables import (
    CARD_KEYS,
    CARD_MASKS,
    RANK_KEYS,
    StrengthTable,
    StrengthTables,
)
from holdem.jit.kernels import inlined, interruptible, kernel, popcount, unowned
from holdem.odds.exact.matchup_method import count_over_runouts
from holdem.odds.exact.preflop_table import BOARDS, preflop_table
from holdem.odds.exact.ranked_combos import sum_cards
from holdem.odds.many_spots.spot_columns import SpotColumns
from holdem.odds.tally import SHARE_UNIT, outcomes, share_units
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT
from holdem.rules import STANDARD

Rows: TypeAlias = NDArray[np.intp]

#: On the first axis, the sum of the player's shares of the pot over all deals of the spot, and the
#: numbers of deals that the player wins, ties and loses, ``float64 (4, spot, player)``. The numbers
#: of deals are exact: they are below 2^53.
DealCounts: TypeAlias = NDArray[np.float64]

_SECONDS = 0.02  # the approximate duration of a task


@attrs.frozen(eq=False)
class Kind:
    """Spots of one type, and the function that counts their deals in batches.

    A type is, for example, two known hands on a turn.
    """

    rows: Rows
    """The numbers of the spots, ``intp (spot,)``."""
    count: Callable[[SpotColumns], DealCounts]
    """A function that counts the deals won, tied and lost in spots of this type."""
    rows_per_task: int
    """The largest number of spots in a task."""


def kinds(spots: SpotColumns, is_left: NDArray[np.bool_], tables: StrengthTables) -> Iterator[Kind]:
    """Yield the types of spots that are answered in batches, with the spots of each type.

    `spots` are cut down to the number of players of those to answer, which `is_left` selects,
    ``bool (spot,)``. Spots of other types are left out.
    """
    players, sizes = spots.codes.shape[1], spots.board_sizes
    is_known = spots.codes < COMBO_COUNT
    known = is_known.T.sum(axis=0)
    all_known = is_left & (known == players)
    if players == 2 and tables.rules == STANDARD:
        rows = np.flatnonzero(all_known & (sizes == 0) & (spots.dead == 0))
        if len(rows):
            yield Kind(rows, _look_up, 1 << 14)
    for size, seconds in ((5, 5e-8), (4, 3e-7), (3, 5e-6)):
        rows = np.flatnonzero(all_known & (sizes == size))
        if len(rows):
            limit = min(_count_per_task(seconds * players), (1 << 22) >> players)
            yield Kind(rows, partial(_count_known_hands, tables.seven, size), limit)
    one_known = is_left & (known == 1)
    if players == 2 and one_known.any():
        yield from _against_one_range(spots, one_known, tables.seven)


def _against_one_range(
    spots: SpotColumns, is_left: NDArray[np.bool_], table: StrengthTable
) -> Iterator[Kind]:
    """Yield the types of spots with known hole cards against an unweighted range on a board.

    The spots have two players; in those that `is_left` selects, ``bool (spot,)``, the hole cards of
    exactly one are known.
    """
    unweighted = np.array([*(hands.is_unweighted for hands in spots.ranges), False])
    complete = np.array([*(len(hands) == COMBO_COUNT for hands in spots.ranges), False])
    number = np.where(is_left, spots.codes.T.max(axis=0) - COMBO_COUNT, -1)
    for is_random, costs in (
        (True, ((5, 5e-7), (4, 1.5e-5), (3, 3.5e-4))),
        (False, ((5, 2e-6), (4, 2e-5), (3, 4e-4))),
    ):
        chosen = unweighted & (complete if is_random else ~complete)
        for size, seconds in costs:
            rows = np.flatnonzero(is_left & chosen[number] & (spots.board_sizes == size))
            if len(rows):
                count = partial(_count_against_one_range, table, size, is_random)
                yield Kind(rows, count, _count_per_task(seconds))


def _count_per_task(seconds: float) -> int:
    return max(1, min(1 << 16, int(_SECONDS / seconds)))


def _look_up(spots: SpotColumns) -> DealCounts:
    first, second = spots.codes.T
    won, tied = preflop_table().match_ups(first, second)
    return _make_counts(won.astype(np.int64), tied.astype(np.int64), np.full(len(spots), BOARDS))


def _count_known_hands(table: StrengthTable, size: int, spots: SpotColumns) -> DealCounts:
    players = spots.codes.shape[1]
    boards = np.ascontiguousarray(spots.boards[:, :size])
    gone = spots.dead | spots.board_sets
    counts = np.zeros((len(spots), 1 << players), dtype=np.int64)
    holes = np.ascontiguousarray(COMBO_CARDS[spots.codes])
    interruptible(count_over_runouts)(table, holes, boards, gone, counts)
    deals = np.einsum("opm,rm->orp", outcomes(players).astype(np.int64), counts)
    units = counts @ share_units(players).astype(np.int64).T
    return np.concatenate([[units / SHARE_UNIT], deals])


def _count_against_one_range(
    table: StrengthTable, size: int, is_random: bool, spots: SpotColumns
) -> DealCounts:
    first, second = spots.codes.T
    boards = np.ascontiguousarray(spots.boards[:, :size])
    holes = np.ascontiguousarray(COMBO_CARDS[np.minimum(first, second)])
    dead = _make_suit_masks(spots.dead)
    left = 48 - size - np.bitwise_count(spots.dead).astype(np.int64)
    totals = np.zeros((len(spots), 2 if is_random else 3), dtype=np.int64)
    if is_random:
        interruptible(count_against_random)(table, holes, boards, dead, totals)
        opponents = (left + 2) * (left + 1) // 2
    else:
        numbers, ranges = np.unique(np.maximum(first, second) - COMBO_COUNT, return_inverse=True)
        held = [spots.ranges[number].held for number in numbers.tolist()]
        ends = np.cumsum([len(combos) for combos in held])
        starts = ends - [len(combos) for combos in held]
        combos = np.ascontiguousarray(COMBO_CARDS[np.concatenate(held)])
        starts, ends = starts[ranges], ends[ranges]
        interruptible(count_against_range)(table, holes, boards, dead, starts, ends, combos, totals)
        opponents = totals[:, 2]
    counts = _make_counts(totals[:, 0], totals[:, 1], opponents * _count_runouts(left, size))
    is_second = second[:, None] < COMBO_COUNT
    return np.where(is_second, counts[:, :, ::-1], counts)


def _count_runouts(left: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Count the runouts of boards of `size` cards, ``int64 (spot,)``.

    `left` is the number of cards that can come on each spot's board, ``int64 (spot,)``.
    """
    if size == 5:
        return np.ones_like(left)
    return left if size == 4 else left * (left - 1) // 2


def _make_counts(
    wins: NDArray[np.int64], ties: NDArray[np.int64], deals: NDArray[np.int64]
) -> DealCounts:
    """Derive both players' counts from the first's wins, ties and all deals, ``int64 (spot,)``."""
    counts = np.empty((4, len(wins), 2))
    counts[1, :, 0], counts[1, :, 1] = wins, deals - wins - ties
    counts[2], counts[3] = ties[:, None], counts[1, :, ::-1]
    counts[0] = counts[1] + counts[2] / 2
    return counts


def _make_suit_masks(sets: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Convert card sets, ``uint64 (spot,)``, to suit masks, ``uint64 (spot,)``.

    A card is the bit ``card`` of a card set, and the bit ``16 * suit + rank`` of a suit mask.
    """
    masks = np.zeros_like(sets)
    for card in range(52) if sets.any() else ():
        masks |= np.where(sets >> np.uint64(card) & np.uint64(1), CARD_MASKS[card], np.uint64(0))
    return masks


# --- kernels -----------------------------------------------------------------------------

_KEYS_OF_RANKS: NDArray[np.uint32] = np.array(RANK_KEYS, dtype=np.uint32)
_ONE, _RANKS = np.uint64(1), np.uint64(0x1FFF)
_THREE_OF_SUIT = np.uint64(3 + 3)  # counts of suits start at 3
_RANK_OF_SUITS = np.uint64(0x1_0001_0001_0001)  # the deuces as a suit mask
_ALL_CARDS = np.uint64(0x1FFF_1FFF_1FFF_1FFF)  # as a suit mask


@inlined
def _ranks_of_suit(mask: np.uint64, suit: np.uint64) -> np.uint64:
    return mask >> (suit << np.uint64(4)) & _RANKS


@inlined
def _walk_runouts(
    table: StrengthTable,
    holes: CardArray,
    boards: CardArray,
    row: int,
    left: np.uint64,
    count: Callable[..., None],
    opponent: Any,
    totals: NDArray[np.int64],
) -> None:
    """Call `count` for every runout of a spot, to add up the wins and ties of known hole cards.

    `holes` is ``uint8 (spot, 2)`` and `boards`, of 3 to 5 cards, ``uint8 (spot, card)``; `left` is
    the suit mask of the cards that can be dealt. `count` is called for each complete board with
    `table`, the sum of `SUIT_COUNT_START` and the keys of the board's cards, the suit mask of the
    board, the strength of the known hand, the suit mask of the cards that are left, `opponent` and
    `totals`, ``int64 (2,)`` or longer, to which it adds wins and ties.
    """
    size = boards.shape[1]
    high, low = holes[row, 0], holes[row, 1]
    own_key, own_mask = CARD_KEYS[high] + CARD_KEYS[low], CARD_MASKS[high] | CARD_MASKS[low]
    _, key, mask = sum_cards(boards, row, size)
    if size == 5:
        own = np.int64(strength(table, key + own_key, mask | own_mask))
        count(table, key, mask, own, left, opponent, totals)
        return
    # On a turn only the second loop runs over cards.
    firsts = 52 if size == 3 else 1
    for first in range(np.uint64(firsts)):
        key_4, mask_4, lasts = key, mask, np.uint64(52)
        if size == 3:
            if not left & CARD_MASKS[first]:
                continue
            key_4, mask_4 = key + CARD_KEYS[first], mask | CARD_MASKS[first]
            lasts = np.uint64(first)
        for last in range(lasts):
            if not left & CARD_MASKS[last]:
                continue
            key_5, mask_5 = key_4 + CARD_KEYS[last], mask_4 | CARD_MASKS[last]
            own = np.int64(strength(table, key_5 + own_key, mask_5 | own_mask))
            count(table, key_5, mask_5, own, left & ~mask_5, opponent, totals)


@inlined
def _count_random(
    table: StrengthTable,
    key: np.uint64,
    mask: np.uint64,
    own_strength: np.int64,
    left: np.uint64,
    held: NDArray[np.uint64],
    totals: NDArray[np.int64],
) -> None:
    """Add the wins and ties against a random hand on a complete board to `totals`.

    The arguments are those that `_walk_runouts` passes to `count`; `held` is working memory,
    ``uint64 (13,)``, with any values.
    """
    wins = ties = np.int64(0)
    flush_suit, on_board = np.uint64(4), np.uint64(0)
    for suit in range(np.uint64(4)):
        cards = key >> np.uint64(np.uint64(32) + (suit << np.uint64(2))) & np.uint64(15)
        if cards >= _THREE_OF_SUIT:
            flush_suit, on_board = np.uint64(suit), cards
    if on_board > _THREE_OF_SUIT:
        for first in range(np.uint64(52)):
            if not left & CARD_MASKS[first]:
                continue
            first_key, first_mask = key + CARD_KEYS[first], mask | CARD_MASKS[first]
            for second in range(first):
                if left & CARD_MASKS[second]:
                    key_7, mask_7 = first_key + CARD_KEYS[second], first_mask | CARD_MASKS[second]
                    theirs = np.int64(strength(table, key_7, mask_7))
                    wins += own_strength > theirs
                    ties += own_strength == theirs
        totals[0] += wins
        totals[1] += ties
        return
    suited = _ranks_of_suit(left, flush_suit) if flush_suit < np.uint64(4) else np.uint64(0)
    for rank in range(np.uint64(13)):
        held[rank] = popcount(left >> rank & _RANK_OF_SUITS)
    board = np.uint32(key)
    for high in range(np.uint64(13)):
        if held[high] == np.uint64(0):
            continue
        with_high = np.uint32(board + _KEYS_OF_RANKS[high])
        theirs = np.int64(rank_strength(table, np.uint32(with_high + _KEYS_OF_RANKS[high])))
        pairs = np.int64(held[high] * (held[high] - _ONE) >> _ONE)
        wins += pairs * (own_strength > theirs)
        ties += pairs * (own_strength == theirs)
        is_suited = suited >> high & _ONE
        for low in range(high):
            theirs = np.int64(rank_strength(table, np.uint32(with_high + _KEYS_OF_RANKS[low])))
            combos = np.int64(held[high] * held[low] - (is_suited & suited >> low))
            wins += combos * (own_strength > theirs)
            ties += combos * (own_strength == theirs)
    if flush_suit < np.uint64(4):
        on_suit = _ranks_of_suit(mask, flush_suit)
        for high in range(np.uint64(13)):
            if not suited >> high & _ONE:
                continue
            for low in range(high):
                if suited >> low & _ONE:
                    theirs = np.int64(table[on_suit | _ONE << high | _ONE << low])
                    wins += own_strength > theirs
                    ties += own_strength == theirs
    totals[0] += wins
    totals[1] += ties


@inlined
def _find_left(
    holes: CardArray, boards: CardArray, dead: NDArray[np.uint64], row: int
) -> np.uint64:
    """Compute the suit mask of the cards that can still be dealt in one spot.

    `holes` is ``uint8 (spot, 2)``, `boards` ``uint8 (spot, card)``, and `dead` has suit masks,
    ``uint64 (spot,)``.
    """
    left = _ALL_CARDS & ~dead[row]
    for card in holes[row]:
        left &= ~CARD_MASKS[card]
    for card in boards[row]:
        left &= ~CARD_MASKS[card]
    return np.uint64(left)


@kernel
def count_against_random(
    table: StrengthTable,
    holes: CardArray,
    boards: CardArray,
    dead: NDArray[np.uint64],
    totals: NDArray[np.int64],
) -> None:
    """Add the wins and ties of known hole cards against a random hand over all runouts to `totals`.

    `holes` is ``uint8 (spot, 2)``, `boards`, of 3 to 5 cards, ``uint8 (spot, card)``, `dead` has
    suit masks, ``uint64 (spot,)``, and `totals` is ``int64 (spot, 2)``.
    """
    strengths, held = unowned(table), np.zeros(13, dtype=np.uint64)
    for row in range(len(holes)):
        left = _find_left(holes, boards, dead, row)
        _walk_runouts(strengths, holes, boards, row, left, _count_random, held, totals[row])


class _Combos(NamedTuple):
    """The combos that an opponent can hold in one spot, as keys and suit masks."""

    keys: NDArray[np.uint64]
    """The sum of the keys of each combo's cards, ``uint64 (1326,)``."""
    masks: NDArray[np.uint64]
    """The suit mask of each combo, ``uint64 (1326,)``."""
    size: np.uint64
    """The number of combos; later elements of the arrays are not used."""


@inlined
def _count_range(
    table: StrengthTable,
    key: np.uint64,
    mask: np.uint64,
    own_strength: np.int64,
    _left: np.uint64,
    combos: _Combos,
    totals: NDArray[np.int64],
) -> None:
    """Add the wins and ties against a range on a complete board to `totals`.

    The arguments are those that `_walk_runouts` passes to `count`; `combos` are those of the range
    that share no card with the known cards.
    """
    wins = ties = np.int64(0)
    for i in range(combos.size):
        theirs = np.int64(strength(table, key + combos.keys[i], mask | combos.masks[i]))
        is_free = combos.masks[i] & mask == np.uint64(0)
        wins += is_free & (own_strength > theirs)
        ties += is_free & (own_strength == theirs)
    totals[0] += wins
    totals[1] += ties


@kernel
def count_against_range(
    table: StrengthTable,
    holes: CardArray,
    boards: CardArray,
    dead: NDArray[np.uint64],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    combos: CardArray,
    totals: NDArray[np.int64],
) -> None:
    """Add the wins and ties of known hole cards against a range over all runouts to `totals`.

    `holes`, `boards` and `dead` are those of `count_against_random`. `combos` has the cards of the
    opponents' combos, range by range, ``uint8 (row, 2)``; those of a spot are the rows from its
    `starts` to before its `ends`, ``int64 (spot,)``. `totals` is ``int64 (spot, 3)``: the number of
    combos that the opponent can hold is written to the third column.
    """
    keys, masks = np.zeros(1326, dtype=np.uint64), np.zeros(1326, dtype=np.uint64)
    strengths = unowned(table)
    for row in range(len(holes)):
        left, count = _find_left(holes, boards, dead, row), np.uint64(0)
        for i in range(starts[row], ends[row]):
            high, low = combos[i, 0], combos[i, 1]
            keys[count] = CARD_KEYS[high] + CARD_KEYS[low]
            masks[count] = CARD_MASKS[high] | CARD_MASKS[low]
            count += np.uint64(masks[count] & ~left == np.uint64(0))
        totals[row, 2] = np.int64(count)
        opponent = _Combos(keys, masks, count)
        _walk_runouts(strengths, holes, boards, row, left, _count_range, opponent, totals[row])
