"""Games by rule sets of one's own, against a brute force that shares no code with the engine."""

from __future__ import annotations

import numpy as np
import pytest

import holdem
from games import GAMES
from plain_poker import draw_spots

EVERY = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)


def text(cards):
    return "".join(cards)


@EVERY
def test_500_spots(rules):
    """Wins, ties and losses of random spots are those of the brute force, exactly."""
    game = GAMES[rules]
    for number, (players, board, dead) in enumerate(draw_spots(game, 500, seed=42)):
        found = holdem.equity(
            *(",".join(map(text, hands)) for hands in players),
            board=text(board),
            dead=text(dead),
            method="exact",
            evaluator=rules,
        )
        counts = [[own.wins, own.ties, own.losses] for own in found.players]
        assert game.count(players, board, dead) == counts, (number, players, board, dead)


@EVERY
def test_every_hand_of_five(rules):
    """The category, class and best five of a hand are those of the brute force."""
    game = GAMES[rules]
    ranker = holdem.get_evaluator(rules)
    for size in (5, 6, 7):
        hands = [game.shuffled(seed)[:size] for seed in range(size, 3000, 3)]
        ids = np.array(
            [[int(holdem.Card(card)) for card in hand] for hand in hands], dtype=np.uint8
        )
        expected = [game.best(hand) for hand in hands]
        strengths = ranker.strengths(ids)
        order = sorted({str(rank): rank for rank in expected}.values())
        place = {str(rank): number for number, rank in enumerate(order)}
        dense = np.unique(strengths, return_inverse=True)[1]
        assert [place[str(rank)] for rank in expected] == dense.tolist()
        categories = [rules.categories[category] for category, _ in expected]
        assert categories == ranker.categories(strengths).tolist()
        for hand, rank in zip(hands[:40], expected, strict=False):
            value = holdem.evaluate(text(hand), evaluator=rules)
            assert rank == game.rank([str(card) for card in value.best])
