"""Make the table of a known hand against random hands: ``opponents_table.npz``.

A hand of each of the 169 classes is played against two and against three random hands before the
flop, over all classes of boards. Any seat of three or four random hands wins as often as another,
so the deals that are won, summed over all hands of the table's hand, must be those that are won by
each random hand. Run it from the checkout; it takes about ten minutes, and prints the checksum to
put into ``holdem/ranges/opponents_table.py``:

    python scripts/make/make_random_opponents.py
"""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np

from holdem.jobs.workers import Workers
from holdem.odds.exact.board_classes import BoardClasses
from holdem.odds.exact.contests import KNOWN, combine
from holdem.odds.exact.preflop_table import list_shapes
from holdem.odds.spot import make_spot
from holdem.ranges.combos import CLASS_OF_COMBO, CLASS_SIZES, COMBO_CARDS
from holdem.ranges.opponents_table import FILE, OPPONENTS, SHARES

OUTPUT = Path(__file__).parents[2] / "holdem" / "ranges" / FILE


def count(combo: int, opponents: int) -> list[int]:
    """Count the deals that a hand wins and ties, its shares, and what each random hand wins."""
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


def main() -> None:
    """Make the file and print its checksum."""
    heroes = [int(combo) for shape in list_shapes() for combo in shape.heroes]
    counts = np.zeros((len(OPPONENTS), 5, len(heroes)), np.int64)
    for row, opponents in enumerate(OPPONENTS):
        for combo in heroes:
            counts[row, :, CLASS_OF_COMBO[combo]] = count(combo, opponents)
        won, tied, _, others_won, others_tied = (counts[row] * CLASS_SIZES).sum(axis=1).tolist()
        assert (won, tied) == (others_won, others_tied)
        print(f"{opponents} random hands: {won:,} wins and {tied:,} ties of all hands")
    np.savez_compressed(OUTPUT, counts=counts)
    content = OUTPUT.read_bytes()
    print(f"{OUTPUT}: {len(content)} bytes, CRC-32 {zlib.crc32(content):08X}")


if __name__ == "__main__":
    main()
