"""Hands that strategies play: `holdem.play` with functions of arrays and compiled ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import holdem
from benchmarking import games, peers
from benchmarking.goals import PLAY, PLAY_COMPILED
from benchmarking.measure import Job, Program, Work

SECTION = "Hands that strategies play"
_FOLDS = 0.35  # how often a player folds who has to call


def fold_or_call(d: holdem.Decisions) -> NDArray[Any]:
    return np.where((d.random < _FOLDS) & (d.to_call > 0), -1, 0)


def tight(d: holdem.Decisions) -> NDArray[Any]:
    """Open 20 %, bet two thirds of the pot with a pair, and the pot with better hands."""
    bar = np.select([d.raises == 0, d.raises == 1], [0.80 - 0.02 * d.position, 0.95], 0.985)
    calls = (d.percentile >= bar - 0.08) & (d.raises > 0)
    before = np.select([d.percentile >= bar, calls], [3 * d.highest, 0], -1)
    pair, two = d.category == 1, d.category >= 2
    size = d.highest + np.where(two, d.pot, 2 * d.pot // 3)
    cheap = 3 * d.to_call <= d.pot + d.to_call
    bets = [two & (d.raises < 3), pair & (d.raises == 0) & (d.random < 0.6), two | (pair & cheap)]
    return np.where(d.street == 0, before, np.select(bets, [size, size, 0], -1))


def loose(d: holdem.Decisions) -> NDArray[Any]:
    before = np.where(d.percentile > 0.4, 0, -1)
    return np.where(d.street == 0, before, np.where(d.category >= 1, 0, -1))


@holdem.strategy("fold-or-call", compiled=True)
def fold_or_call_compiled(turn: holdem.Turn) -> int:
    return -1 if turn.random < _FOLDS and turn.to_call > 0 else 0


@holdem.strategy("tight", compiled=True)
def tight_compiled(turn: holdem.Turn) -> float:
    if turn.street == 0:
        bar = 0.985
        if turn.raises < 2:
            bar = 0.95 if turn.raises else 0.80 - 0.02 * turn.position
        if turn.percentile >= bar:
            return 3 * turn.highest
        return 0 if turn.percentile >= bar - 0.08 and turn.raises > 0 else -1
    size = turn.highest + (turn.pot if turn.category >= 2 else 2 * turn.pot // 3)
    if turn.category >= 2:
        return size if turn.raises < 3 else 0
    if turn.category == 1:
        if turn.raises == 0 and turn.random < 0.6:
            return size
        return 0 if 3 * turn.to_call <= turn.pot + turn.to_call else -1
    return -1


@holdem.strategy("loose", compiled=True)
def loose_compiled(turn: holdem.Turn) -> int:
    if turn.street == 0:
        return 0 if turn.percentile > 0.4 else -1
    return 0 if turn.category >= 1 else -1


def jobs(quick: bool) -> Iterator[Job]:
    """Yield the jobs: some strategies in two, six and nine seats, on one core."""
    hands = 100_000 if quick else 500_000
    pairs: list[tuple[str, Sequence[Any], Sequence[Any]]] = [
        ("six seats fold or call", [fold_or_call] * 6, [fold_or_call_compiled] * 6),
        ("six tight players", [tight] * 6, [tight_compiled] * 6),
        (
            "tight against loose players, six seats that turn",
            [tight, loose] * 3,
            [tight_compiled, loose_compiled] * 3,
        ),
        ("two seats fold or call", [fold_or_call] * 2, [fold_or_call_compiled] * 2),
        ("nine seats fold or call", [fold_or_call] * 9, [fold_or_call_compiled] * 9),
    ]
    for number, (title, arrays, compiled) in enumerate(pairs):
        programs = [
            Program(PLAY, _player(arrays, hands), units=hands, ours=True),
            Program(PLAY_COMPILED, _player(compiled, hands), units=hands, ours=True),
        ]
        if number == 0:
            programs += _of_peers(hands // 2000)
        yield Work(f"matches-{number}", SECTION, title, "hands/s", programs)


def _player(strategies: Sequence[Any], hands: int) -> Callable[[int], None]:
    def play(number: int) -> None:
        holdem.play(strategies, hands=hands, stacks=200, seed=number, workers=1)

    return play


def _of_peers(few: int) -> Iterator[Program]:
    have = peers.installed()
    if "pokerkit" in have:
        yield Program("pokerkit", games.play_pokerkit, lambda number: (number, few, _FOLDS), few)
    if "pokerfast" in have:
        many = 20 * few
        yield Program("pokerfast", _play_pokerfast, lambda number: (number, many), many)


def _play_pokerfast(asked: tuple[int, int]) -> None:
    from pokerfast import FastHand

    number, hands = asked
    draws = random.Random(number)
    for _ in range(hands):
        hand = FastHand(player_count=6, small_blind=1, big_blind=2, min_stack=200, max_stack=200)
        while not hand.done:
            space = hand.get_action_space()
            if space.get("call") and draws.random() < _FOLDS:
                hand.fold()
            elif space.get("call"):
                hand.call()
            else:
                hand.check()
