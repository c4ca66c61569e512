"""Rule sets of one's own for tests, and the same games for a second opinion without the engine."""

from __future__ import annotations

import holdem
from naive import NaiveGame

STANDARD_ORDER = (
    *("high card", "pair", "two pair", "three of a kind", "straight"),
    *("flush", "full house", "four of a kind", "straight flush"),
)
#: 20 cards, from ten to ace: no high card, and every flush is a straight flush.
ROYAL = holdem.RuleSet(
    "royal",
    ranks="TJQKA",
    categories=tuple(name for name in STANDARD_ORDER if name not in ("high card", "flush")),
)
#: 32 cards, from seven to ace. A flush is rarer than four of a kind is common: it beats it.
THIRTY_TWO = holdem.RuleSet(
    "thirty-two",
    ranks="789TJQKA",
    categories=(
        *("high card", "pair", "two pair", "three of a kind", "straight"),
        *("full house", "four of a kind", "flush", "straight flush"),
    ),
)
#: Short deck as some card rooms play it: three of a kind beats a straight.
THREES_FIRST = holdem.RuleSet(
    "threes-first",
    ranks="6789TJQKA",
    categories=(
        *("high card", "pair", "two pair", "straight", "three of a kind"),
        *("full house", "flush", "four of a kind", "straight flush"),
    ),
)
GAMES = {
    rules: NaiveGame(rules.ranks, rules.categories) for rules in (ROYAL, THIRTY_TWO, THREES_FIRST)
}
