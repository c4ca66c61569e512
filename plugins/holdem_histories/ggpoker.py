"""Reader of GGPoker: cash games, Rush & Cash, and tournaments.

Its logs have nearly the form of PokerStars; what differs is the header, straddles, cash-out, and
further fees beside the rake.
"""

from __future__ import annotations

import re
from functools import lru_cache

from holdem.betting.played_hand import PlayedHand
from holdem.errors import HistoryError, quoted
from holdem_histories.amounts import MONEY, parse_money
from holdem_histories.pokerstars import Said, read_action, read_lines, read_title

_HEADER = re.compile(r"\s*Poker Hand #([A-Z]*\d+):\s*(.*)")
_CASHOUT = re.compile(rf"(Receives|Pays) Cashout[^(]*\({MONEY}\)")


def read_ggpoker(text: str, file: str | None = None, line: int = 1) -> PlayedHand:
    """Read one hand of GGPoker; `line`, from 1, is where it begins in the file."""
    found = _HEADER.match(text)
    if found is None:
        first = text.strip().partition("\n")[0]
        raise HistoryError(
            f"{quoted(first, 40)} does not begin a hand of GGPoker; expected Poker Hand #HD123:"
            " Hold'em No Limit ($1/$2) …"
        )
    header = read_title("GGPoker", found[1], found[2].strip())
    return read_lines(text, header, _read_action, file, line)


@lru_cache(maxsize=1 << 14)
def _read_action(text: str) -> Said | None:
    if sold := _CASHOUT.match(text):
        chips = parse_money(sold[2])
        return "sells", chips if sold[1] == "Receives" else -chips, None
    return read_action(text)
