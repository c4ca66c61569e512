"""Make the list of starting hands: ``holdem/ranges/starting_hands.tsv``.

Each of the 169 classes is played against a random hand, exactly: over the 1,225 hands an
opponent can hold and the 1,712,304 boards, 2,097,572,400 deals for one combo of the class.
The table of all match-ups before the flop, made by ``scripts/make_preflop_table.py``, has their
counts. The list is ordered by equity, strongest first; the counts in it are those of a single
combo, so that every line has the same number of deals.

    python scripts/make_starting_hands.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from holdem.odds.exact.preflop_table.method import PreflopTableMethod
from holdem.odds.spot import make_spot
from holdem.ranges.combos import CLASS_NAMES, CLASS_OF_COMBO

OUTPUT = Path(__file__).parents[1] / "holdem" / "ranges" / "starting_hands.tsv"


def starting_hands() -> list[tuple[str, int, int, int]]:
    """Return (class, wins, ties, deals) against a random hand, strongest first."""
    found, _ = PreflopTableMethod(make_spot(("random", "random"))).totals()
    combos = np.unique(CLASS_OF_COMBO, return_index=True)[1]  # the first of each class
    wins, ties, deals = (
        counts[combos].astype(np.int64).tolist() for counts in (found.wins, found.ties, found.deals)
    )
    lines = list(zip(CLASS_NAMES, wins, ties, deals, strict=True))
    return sorted(lines, key=lambda line: -(2 * line[1] + line[2]))


def main() -> None:
    """Make the file."""
    lines = ["class\twins\tties\tdeals"]
    lines += ["\t".join(str(field) for field in line) for line in starting_hands()]
    OUTPUT.write_text("\n".join(lines) + "\n", encoding="ascii")
    print(f"{OUTPUT}: {len(lines) - 1} classes")


if __name__ == "__main__":
    main()
