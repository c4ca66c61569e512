"""Hands with betting, played step by step: `holdem.Game` and PokerKit."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator

import holdem
from benchmarking import peers
from benchmarking.measure import Job, Program, Work

SECTION = "Hands with betting"
_SEATS = 6
_FOLDS = 0.2  # how often a player folds who has to call


def jobs(quick: bool) -> Iterator[Job]:
    """Yield the job: six seats fold or call at random, cards are dealt and pots paid out."""
    hands = 200 if quick else 2000
    programs = [Program("holdem.Game", _play, lambda number: (number, hands), hands, ours=True)]
    if "pokerkit" in peers.installed():
        few = hands // 20
        programs.append(
            Program("pokerkit", play_pokerkit, lambda number: (number, few, _FOLDS), few)
        )
    yield Work("games", SECTION, "six seats fold or call, one hand at a time", "hands/s", programs)


def _play(asked: tuple[int, int]) -> None:
    number, hands = asked
    draws = random.Random(number)
    for hand in range(hands):
        game = holdem.Game([200] * _SEATS, (1, 2), seed=hands * number + hand)
        while not game.is_over:
            decision = game.decision
            if decision.to_call and draws.random() < _FOLDS:
                game.fold()
            else:
                game.call()


def play_pokerkit(asked: tuple[int, int, float]) -> None:
    """Play hands in PokerKit, given a seed, their number and how often a player folds."""
    import pokerkit

    number, hands, folds = asked
    draws = random.Random(number)
    automatic = tuple(pokerkit.Automation)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(hands):
            state = pokerkit.NoLimitTexasHoldem.create_state(
                automatic, True, 0, (1, 2), 2, 200, _SEATS
            )
            while state.status:
                if state.checking_or_calling_amount and draws.random() < folds:
                    state.fold()
                else:
                    state.check_or_call()
