"""A hand against two to five random hands before the flop: a table by class.

``scripts/make/make_random_opponents.py`` makes the file.
"""

from __future__ import annotations

import io
import zlib
from functools import cache
from math import comb
from pkgutil import get_data
from typing import NamedTuple

import numpy as np

from holdem.errors import HoldemRuntimeError

FILE = "opponents_table.npz"
_CHECKSUM = 0xFE12E63A  # CRC-32

#: The numbers of opponents in the table.
OPPONENTS = (2, 3, 4, 5)
#: Those for which the table has what each random hand wins and ties.
OTHERS_KNOWN = (2, 3)
#: Pots are counted in sixtieths, of which a share after a tie of up to six is a whole number.
SHARES = 60


class Counts(NamedTuple):
    """What a hand, and each of its random opponents, wins over all deals."""

    won: int
    tied: int
    share: int
    """The hand's share of the pots, in sixtieths."""
    others_won: int | None
    """The deals that each random hand wins; None if only its equity is known."""
    others_tied: int | None


@cache
def random_opponents_table(opponents: int) -> tuple[Counts, ...]:
    """Return the table against so many random hands, by class; the first call loads it."""
    content = get_data(__name__, FILE) or b""
    if zlib.crc32(content) != _CHECKSUM:
        raise HoldemRuntimeError(
            f"the table of random opponents {FILE} is damaged: install holdem again"
        )
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        own = arrays["own"][OPPONENTS.index(opponents)].tolist()
        others = arrays["others"].tolist()
    columns = [[high << 64 | low for high, low in column] for column in own]
    unknown = [None] * len(columns[0])
    is_known = opponents in OTHERS_KNOWN
    rest = others[OTHERS_KNOWN.index(opponents)] if is_known else [unknown, unknown]
    return tuple(map(Counts._make, zip(*columns, *rest, strict=True)))


def count_all_deals(opponents: int) -> int:
    """Count the boards and hands of random opponents that a known hand can meet."""
    deals = comb(50, 5)
    for n in range(opponents):
        deals *= comb(45 - 2 * n, 2)
    return deals


def equity_against(class_number: int, opponents: int) -> float:
    """Return the equity of a class of starting hands against so many random hands."""
    share = random_opponents_table(opponents)[class_number].share
    return share / (SHARES * count_all_deals(opponents))


def classes_against(opponents: int) -> list[int]:
    """List the numbers of the classes of starting hands, the largest share of the pots first."""
    table = random_opponents_table(opponents)
    return sorted(range(len(table)), key=lambda number: -table[number].share)
