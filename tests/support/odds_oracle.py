"""Equity by enumeration of all deals, ranked by eval7."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import eval7
import numpy as np

from holdem.cards import DECK
from holdem.ranges.combos import COMBO_CARDS

_CARDS = [eval7.Card(str(card)) for card in DECK]


def every_deal(weights, board, dead):
    """Return each player's exact (wins, ties, losses, share) and the number of deals.

    Args:
        weights: ``float64 (player, 1326)``.
        board: card ids.
        dead: card ids.
    """
    players = len(weights)
    gone = {int(card) for card in (*board, *dead)}
    holes = [
        [(tuple(map(int, COMBO_CARDS[i])), Fraction(float(own[i]))) for i in np.flatnonzero(own)]
        for own in weights
    ]
    totals = [[Fraction(0)] * 4 for _ in range(players)]
    deals = 0

    def visit(player, held, weight):
        nonlocal deals
        if player < players:
            for cards, own in holes[player]:
                if not gone.intersection(cards) and not any(
                    set(cards) & set(other) for other in held
                ):
                    visit(player + 1, [*held, cards], weight * own)
            return
        used = gone.union(*held)
        rest = [card for card in range(52) if card not in used]
        for runout in combinations(rest, 5 - len(board)):
            shared = [_CARDS[card] for card in (*board, *runout)]
            strengths = [eval7.evaluate([*shared, *(_CARDS[card] for card in own)]) for own in held]
            best = max(strengths)
            winners = [place for place in range(players) if strengths[place] == best]
            deals += 1
            for place in range(players):
                won = place in winners
                outcome = 2 if not won else 0 if len(winners) == 1 else 1
                totals[place][outcome] += weight
                totals[place][3] += weight / len(winners) if won else 0

    visit(0, [], Fraction(1))
    return totals, deals
