"""The rules run compiled over records as they run in Python on one game."""

import random

import numpy as np
import pytest

from holdem.betting import rulebook
from holdem.betting.rounds import Rounds
from holdem.betting.rulebook import GAME, SHOWDOWN
from holdem.betting.stakes import make_stakes
from holdem.jit.kernels import kernel

GAMES, MOST = 200, 300


@kernel
def play_all(games, rules, draws, strengths):
    """Play each game by its random numbers; pay out at showdown by its strengths."""
    amounts, winners = np.empty(10, np.int64), np.empty(10, np.int64)
    for k in range(len(games)):
        game = games[k]
        rulebook.begin(game, rules[0])
        at = 0
        while game.actor >= 0:
            faced, least, most = rulebook.bounds(game, rules[0])
            rulebook.act(game, rules[0], choose(draws[k, at], faced, least, most))
            at += 1
        if game.actor == SHOWDOWN:
            rulebook.award(game, rules[0], strengths[k], amounts, winners)


def _choose(draw, faced, least, most):
    if most > 0 and draw < 0.35:
        return least + int((most - least) * draw * draw * 8)
    return -1 if faced > 0 and draw > 0.8 else 0


choose = rulebook.inlined(_choose)

SETTINGS = [
    {"blinds": (1, 2)},
    {"blinds": (1, 2, 4), "antes": 1},
    {"blinds": (2, 4), "limit": "pot", "full_blind": False},
    {"blinds": (1, 2), "limit": "fixed", "dead_chips": ((2, 1),), "posts": ((3, 2),)},
    {"blinds": (1, 2), "big_blind_ante": 2, "blind_first": True},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_records_are_played_as_objects(settings):
    rng = random.Random(3)
    games = np.zeros(GAMES, dtype=GAME).view(np.recarray)
    draws = np.random.default_rng(4).random((GAMES, MOST))
    strengths = np.random.default_rng(5).integers(0, 4, (GAMES, 10))
    stacks = [tuple(rng.randint(1, 60) for _ in range(6)) for _ in range(GAMES)]
    rules, _ = make_stakes((100,) * 6, **settings)
    for game, own in zip(games, stacks, strict=True):
        game.stack[:6] = own
    play_all(games, rules.record(), draws, strengths)
    longest = 0
    for game, own, draw, ranks in zip(games, stacks, draws, strengths.tolist(), strict=True):
        rounds = Rounds(rules, own)
        while rounds.actor >= 0:
            rounds.act(_choose(draw[rounds.count], *rounds.bounds()))
        if rounds.actor == SHOWDOWN:
            rounds.award(ranks)
        for name in GAME.names:
            if name not in ("deal", "lineup", "entry"):
                assert np.array_equal(game[name], getattr(rounds, name)), name
        assert sum(rounds.stack) == sum(own)
        longest = max(longest, rounds.count)
    # Between two raises everybody acts once; each raise but a short all-in takes the least bet.
    assert 6 < longest <= 6 * (4 + 360 // 2 + 6)
