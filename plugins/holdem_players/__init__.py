"""Strategies for `holdem.play`: ``fold``, ``caller``, ``random``, ``tight`` and ``aggressive``."""

from __future__ import annotations

import holdem


@holdem.hookimpl
def holdem_strategies() -> list[holdem.Strategy]:
    from holdem_players import players  # here, since plugins are imported for other hooks, too

    return [players.fold, players.caller, players.random, players.tight, players.aggressive]
