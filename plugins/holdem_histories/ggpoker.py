"""Reader of GGPoker: cash games, Rush & Cash, and tournaments.

Its logs have nearly the form of PokerStars; what differs in actions is cash-out.
"""

from __future__ import annotations

import re
from functools import lru_cache

from holdem.betting.played_hand import PlayedHand
from holdem_histories.amounts import MONEY, parse_money
from holdem_histories.pokerstars import Said, read_action, read_lines

_CASHOUT = re.compile(rf"(Receives|Pays) Cashout[^(]*\({MONEY}\)")


def read_ggpoker(text: str, file: str | None = None, line: int = 1) -> PlayedHand:
    """Read one hand of GGPoker; `line`, from 1, is where it begins in the file."""
    return read_lines("GGPoker", text, _read_action, file, line)


@lru_cache(maxsize=1 << 14)
def _read_action(text: str) -> Said | None:
    if sold := _CASHOUT.match(text):
        chips = parse_money(sold[2])
        return "sells", chips if sold[1] == "Receives" else -chips, None
    return read_action(text)
