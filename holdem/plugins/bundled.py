"""What the bundled plugins offer, for messages where one was left out or its old name is used.

The engine imports none of them: they are found through entry points, like a stranger's.
"""

from __future__ import annotations

#: The plugin of each command; other plugins cannot offer a command of this name.
COMMANDS = {
    "history": "holdem_histories",
    "serve": "holdem_page",
    "abstraction": "holdem_abstraction",
}

#: The strategies of the plugin `holdem_players`, whose names other plugins cannot take.
STRATEGIES = frozenset({"aggressive", "caller", "fold", "random", "tight"})

#: The plugin of each public name that was once in `holdem`.
NAMES = {
    "AllInReport": "holdem_histories",
    "CardAbstraction": "holdem_abstraction",
    "HandIndexer": "holdem_abstraction",
    "HandReader": "holdem_histories",
    "HandStrengths": "holdem_abstraction",
    "LuckLine": "holdem_histories",
    "PlayerLuck": "holdem_histories",
    "RangeEditor": "holdem_page",
    "SkippedHand": "holdem_histories",
    "all_in_report": "holdem_histories",
    "card_abstraction": "holdem_abstraction",
    "hand_strengths": "holdem_abstraction",
    "load_card_abstraction": "holdem_abstraction",
    "load_hand_strengths": "holdem_abstraction",
    "read_hands": "holdem_histories",
}
