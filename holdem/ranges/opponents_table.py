"""A hand against two and against three random hands before the flop: a table by class.

``scripts/make/make_random_opponents.py`` makes the file with `holdem.odds.exact.board_classes`.
"""

from __future__ import annotations

import io
import zlib
from functools import cache
from pkgutil import get_data

import numpy as np
from numpy.typing import NDArray

from holdem.errors import HoldemRuntimeError

FILE = "opponents_table.npz"
_CHECKSUM = 0x9A95460C  # CRC-32

#: The numbers of opponents in the table.
OPPONENTS = (2, 3)
#: Pots are counted in twelfths, of which a share after a tie of up to four is a whole number.
SHARES = 12


@cache
def random_opponents_table() -> NDArray[np.int64]:
    """Return the table, which the first call loads, ``int64 (opponents, 5, class)``.

    The five numbers are the deals that the hand wins and ties, its share of the pots in twelfths,
    and the deals that each random hand wins and ties.
    """
    content = get_data(__name__, FILE) or b""
    if zlib.crc32(content) != _CHECKSUM:
        raise HoldemRuntimeError(
            f"the table of random opponents {FILE} is damaged: install holdem again"
        )
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        table: NDArray[np.int64] = arrays["counts"]
    return table


def classes_against(opponents: int) -> list[int]:
    """List the numbers of the classes of starting hands, the largest share of the pots first."""
    shares = random_opponents_table()[opponents - OPPONENTS[0], 2]
    order: list[int] = np.argsort(-shares, kind="stable").tolist()
    return order
