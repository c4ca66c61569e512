"""Royal hold'em: 20 cards, from ten to ace.

Five different ranks are always a straight, and five cards of one suit a straight flush, so there
are no high cards and no flushes.
"""

import holdem

ROYAL = holdem.RuleSet(
    "royal",
    ranks="TJQKA",
    categories=(
        "pair",
        "two pair",
        "three of a kind",
        "straight",
        "full house",
        "four of a kind",
        "straight flush",
    ),
)
holdem.register(ROYAL)
