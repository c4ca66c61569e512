"""Make the table of a known hand against random hands: ``opponents_table.npz``.

A hand of each of the 169 classes is played against two to five random hands before the flop, over
all classes of boards. What the hand itself wins and ties comes from the formulas of
`matching_formulas`; against two and three random hands, the engine's `BoardClasses` must find the
same, and adds what each random hand wins and ties. Any seat of random hands wins as often as
another, so the deals that are won, summed over all hands of the table's hand, must be those that
are won by each random hand. Run it from the checkout; it takes some two hours of a core, and prints
the checksum to put into ``holdem/ranges/opponents_table.py``:

    python scripts/make/make_random_opponents.py
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
from tqdm import tqdm

from holdem.cards import CardArray, card_set
from holdem.evaluation.builtin.lookup_tables import OFFSETS_7, RANK_KEYS, tables_of
from holdem.jobs.workers import Workers
from holdem.odds.exact.board_classes import BoardClasses, list_classes
from holdem.odds.exact.contests import KNOWN, combine
from holdem.odds.exact.preflop_table import list_shapes
from holdem.odds.spot import make_spot
from holdem.ranges.combos import CLASS_OF_COMBO, CLASS_SIZES, COMBO_CARDS
from holdem.ranges.opponents_table import FILE, OPPONENTS, OTHERS_KNOWN, SHARES
from holdem.rules import STANDARD
from matching_formulas import SIZE, compile_formula

OUTPUT = Path(__file__).parents[2] / "holdem" / "ranges" / FILE

#: F is a polynomial of up to the fifth degree. By Boole's rule, its integral is this sum of F(0),
#: F(1/4), F(1/2), F(3/4) and F(1), divided by 90.
BOOLE = (7, 32, 12, 32, 7)
STEPS = len(BOOLE) - 1

_KEYS = np.array(RANK_KEYS, dtype=np.uint32)
_KINDS = 26
NO_CARDS = np.zeros(0, np.uint8)


def _rank(table: Any, held: Any, key: Any) -> Any:
    """Look up a strength: of a flush in the ranks held of its suit, or by the keys of all ranks."""
    flush = np.int64(table[held])
    if flush != 0:
        return flush
    return np.int64(table[np.uint32(key + OFFSETS_7[key >> np.uint32(10)])])


_strength = numba.njit(_rank)


@cache
def _compile(opponents: int) -> Callable[..., None]:
    """Compile the function that computes F of a hand on each class of boards."""
    simple = compile_formula(opponents, simple=True)
    full = compile_formula(opponents, simple=False)
    match_simple, match_full, scale = simple.compute, full.compute, STEPS**opponents

    def sweep(
        room: Any, table: Any, keys: Any, suits: Any, sets: Any, counts: Any, hole: Any, values: Any
    ) -> None:
        """Write 4^k F at the steps to `values`, ``int64 (class, step)``, for k opponents."""
        kinds, order = np.empty(SIZE, np.int64), np.empty((_KINDS, _KINDS), np.int64)
        weaker, weights = np.zeros((SIZE, SIZE)), np.zeros((SIZE, SIZE))
        tied = np.zeros((SIZE, SIZE))
        for row in range(len(keys)):
            held = sets[row]
            for card in hole:
                if card & 3 == suits[row]:
                    held |= np.uint64(1) << np.uint64(card >> 2)
            key = np.uint32(keys[row] + _KEYS[hole[0] >> 2] + _KEYS[hole[1] >> 2])
            mine = _strength(table, held, key)
            n = 0
            for kind in range(_KINDS):
                for _ in range(counts[row, kind]):
                    kinds[n] = kind
                    n += 1
                for other in range(kind + 1):
                    if counts[row, kind] == 0 or counts[row, other] == 0:
                        continue
                    held = sets[row]
                    for each in (kind, other):
                        if each < 13:
                            held |= np.uint64(1) << np.uint64(each)
                    key = np.uint32(keys[row] + _KEYS[kind % 13] + _KEYS[other % 13])
                    difference = _strength(table, held, key) - mine
                    order[kind, other] = order[other, kind] = difference
            has_ties = False
            weaker[:], tied[:] = 0, 0
            for s in range(n):
                for t in range(n):
                    if s != t:
                        difference = order[kinds[s], kinds[t]]
                        weaker[s, t] = difference < 0
                        tied[s, t] = difference == 0
                        has_ties |= difference == 0
            # The formula's 2^k M_k is below 2^64, and M_k below 2^63.
            two_to_k = np.uint64(opponents)
            alone = np.uint64(match_simple(n, weaker, room[0], room[1])) >> two_to_k
            values[row] = np.int64(alone) * scale
            if has_ties:
                for step in range(1, STEPS):
                    weights[:] = STEPS * weaker + step * tied
                    weighted = np.uint64(match_full(n, weights, room[2], room[3]))
                    values[row, step] = np.int64(weighted >> two_to_k)
                weights[:] = weaker + tied
                at_top = np.uint64(match_simple(n, weights, room[0], room[1])) >> two_to_k
                values[row, STEPS] = np.int64(at_top) * scale

    compiled = numba.njit(sweep, error_model="numpy")
    return partial(compiled, (*simple[1:], *full[1:]))


def count_own(
    hole: CardArray, opponents: int, board: CardArray = NO_CARDS, dead: CardArray = NO_CARDS
) -> list[int]:
    """Count the deals that a hand wins and ties, and its shares, by the formulas."""
    deck = (1 << 52) - 1 - card_set([*hole.tolist(), *board.tolist(), *dead.tolist()])
    classes, _ = list_classes(deck, board, hole[None])
    values = np.zeros((len(classes.keys), STEPS + 1), np.int64)
    table = tables_of(STANDARD).seven
    arrays = classes.keys, classes.suits, classes.ranks, classes.counts
    _compile(opponents)(table, *arrays, hole.astype(np.int64), values)
    # With flushes, the true number replaces that without, of the same ranks, which comes first
    # unless all boards of these ranks have flushes.
    is_blind = classes.suits == 4
    blind = np.maximum.accumulate(np.where(is_blind, np.arange(len(values)), 0))
    is_replaced = ~is_blind & is_blind[blind] & (classes.keys[blind] == classes.keys)
    exact = values.astype(object)
    exact -= np.where(is_replaced[:, None], exact[blind], 0)
    times = (classes.boards * classes.times).astype(object)
    sums: list[int] = (exact * times[:, None]).sum(axis=0).tolist()
    share = SHARES * sum(n * own for n, own in zip(BOOLE, sums, strict=True))
    unit = STEPS**opponents
    found = [(sums[0], unit), (sums[-1] - sums[0], unit), (share, 90 * unit)]
    assert all(number % divisor == 0 for number, divisor in found)
    return [number // divisor for number, divisor in found]


def count_all(combo: int, opponents: int) -> list[int]:
    """Count the same by the engine's method, and the deals that each random hand wins and ties."""
    spot = make_spot((COMBO_CARDS[combo].tolist(), *["random"] * opponents), None, None, None)
    method = BoardClasses(spot)
    method.prepare()
    for task in method.tasks():
        method.add(task.call(Workers(1)))
    ((combos, known),) = method._divide(method._sums)  # integers; `totals` has doubles
    factors = method._found.contests.factors
    (other,) = factors.keys() - {KNOWN}
    won, half, at_top = combine(factors[KNOWN], known)[:, 0].tolist()
    others_won, _, others_top = (
        sum(own.tolist()) for own in combine(factors[other], combos)[:, spot.live[1]]
    )
    scale = 1 << opponents  # the sums are 2^n F(0), 2^n F(1/2) and 2^n F(1)
    exact = won, at_top - won, (won + 4 * half + at_top) * SHARES // 6
    scaled = [*exact, others_won, others_top - others_won]
    assert all(number % scale == 0 for number in scaled)
    return [number // scale for number in scaled]


def count(combo: int) -> dict[int, list[int]]:
    """Count what a hand, and if it is known each random hand, has against each number of them."""
    counts = {opponents: count_own(COMBO_CARDS[combo], opponents) for opponents in OPPONENTS}
    for opponents in OTHERS_KNOWN:
        own, counts[opponents] = counts[opponents], count_all(combo, opponents)
        assert own == counts[opponents][:3]
    return counts


def pack(counts: dict[int, dict[int, list[int]]]) -> None:
    """Write the file from the counts by class and number of opponents; print its checksum."""
    own = np.zeros((len(OPPONENTS), 3, len(CLASS_SIZES), 2), np.uint64)
    others = np.zeros((len(OTHERS_KNOWN), 2, len(CLASS_SIZES)), np.int64)
    for row, opponents in enumerate(OPPONENTS):
        for number, by_opponents in counts.items():
            found = by_opponents[opponents]
            own[row, :, number] = [divmod(value, 1 << 64) for value in found[:3]]
            if opponents in OTHERS_KNOWN:
                others[row, :, number] = found[3:]
        all_of = [
            sum(int(CLASS_SIZES[number]) * own[opponents][n] for number, own in counts.items())
            for n in range(5 if opponents in OTHERS_KNOWN else 2)
        ]
        assert all_of[:2] == all_of[3:] or not all_of[3:]
        print(f"{opponents} random hands: {all_of[0]:,} wins and {all_of[1]:,} ties of all hands")
    np.savez_compressed(OUTPUT, own=own, others=others)
    content = OUTPUT.read_bytes()
    print(f"{OUTPUT}: {len(content)} bytes, CRC-32 {zlib.crc32(content):08X}")


def main() -> None:
    """Make the file and print its checksum."""
    heroes = [int(combo) for shape in list_shapes() for combo in shape.heroes]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = list(tqdm(pool.map(count, heroes), total=len(heroes)))
    pack({int(CLASS_OF_COMBO[combo]): own for combo, own in zip(heroes, found, strict=True)})


if __name__ == "__main__":
    main()
