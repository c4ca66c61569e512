"""Goals, which reports show where they are missed, and the best figures of other programs.

The figures of others were measured once, on one core of a machine like those that the tests
run on, with the programs themselves, native and optimised; those that are Python libraries
are measured again beside ours in each run.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class Goal:
    """The goal of a piece of work."""

    program: str
    """The program of the engine whose figure is compared with the goal."""
    target: float
    """The maximum for seconds and bytes, the minimum for rates and speed-ups."""
    best: float | None = None
    """The best figure of another program."""
    by: str = ""
    """The program with the best figure."""


TEXT, COMPILED = "holdem.equity on text", "compiled method"
SPOTS = "holdem.equities"
MATRIX = "holdem.equity_matrix"
STRENGTHS = "holdem_abstraction.hand_strengths"
PLAY, PLAY_COMPILED = "holdem.play, arrays", "holdem.play, compiled"
FASTER = "two workers against one"

#: The programs that are not Python libraries: a link and the version, in Markdown.
NATIVE_PROGRAMS = {
    "OMPEval": "[OMPEval](https://github.com/zekyll/OMPEval), which has no releases",
    "poker-wasm": "[poker-wasm](https://github.com/conradbkay/poker-wasm) 1.3.0, built natively",
    "ps-eval": "ps-eval of [PokerStove](https://github.com/andrewprock/pokerstove) 1.2",
}

GOALS: dict[str, Goal] = {
    "batch": Goal("lookup, trusted", 350e6, 350e6, "OMPEval"),
    "batch, checked": Goal("lookup, each hand checked", 300e6),
    "every hand, sum": Goal("lookup", 1.4e9, 1.04e9, "OMPEval"),
    "every hand, categories": Goal("lookup", 1.0e9),
    "one hand a call": Goal("lookup, one call per hand", 3e6, 2.4e6, "eval7"),
    "pair v pair, table": Goal(TEXT, 50e-6, 1.9e-3, "OMPEval, enumerated"),
    "pair v pair, enumerated": Goal(COMPILED, 0.5e-3, 1.9e-3, "OMPEval"),
    "range v random": Goal(TEXT, 2e-3, 35.0, "OMPEval, enumerated"),
    "random v random": Goal(TEXT, 2e-3, 105.0, "OMPEval, enumerated"),
    "all match-ups": Goal("known hands", 10.0),
    "random v random, dead card": Goal(TEXT, 0.9),
    "range v range, flop": Goal(TEXT, 2.5e-3, 9.4e-3, "poker-wasm"),
    "random v random, flop": Goal(TEXT, 4.5e-3, 41e-3, "poker-wasm"),
    "range v range, turn": Goal(COMPILED, 0.1e-3, 0.39e-3, "poker-wasm"),
    "range v range, river": Goal(COMPILED, 2.5e-6, 7e-6, "poker-wasm"),
    "random v random, river": Goal(COMPILED, 10e-6, 33e-6, "poker-wasm"),
    "three known hands": Goal(COMPILED, 0.8e-3, 3.0e-3, "OMPEval"),
    "AK, QQ, random": Goal(TEXT, 8e-3, 115e-3, "OMPEval"),
    "three random, flop": Goal(TEXT, 7e-3),
    "four random, flop": Goal(TEXT, 50e-3),
    "four ranges, flop": Goal(TEXT, 0.14),
    "two workers, three random, time": Goal(f"{TEXT}, two workers", 1.0),
    "hole v hole, flop": Goal(TEXT, 35e-6, 155e-6, "poker_equity"),
    "hole v hole, turn": Goal(TEXT, 25e-6, 34e-6, "poker_equity"),
    "hole v hole, river": Goal(TEXT, 22e-6, 22e-6, "poker_equity"),
    "hole v random, river": Goal(TEXT, 35e-6, 176e-6, "eval7"),
    "range v range, river, text": Goal(TEXT, 80e-6),
    "spots, before the flop, arrays": Goal(SPOTS, 0.15),
    "spots, before the flop, text": Goal(SPOTS, 2.0),
    "spots, river, hole v random": Goal(SPOTS, 0.6),
    "spots, turn, hole v random": Goal(SPOTS, 1.5),
    "spots, flop, hole v random": Goal(SPOTS, 3.5),
    "spots, flop, hole v hole": Goal(SPOTS, 0.5),
    "spots, river, hole v range": Goal(SPOTS, 0.3),
    "matrix, before the flop": Goal(MATRIX, 50e-3),
    "matrix, flop": Goal(MATRIX, 0.4),
    "matrix, turn": Goal(MATRIX, 12e-3),
    "matrix, river": Goal(MATRIX, 2e-3),
    "Monte Carlo, one random": Goal(TEXT, 115e6, 35e6, "OMPEval"),
    "Monte Carlo, five random": Goal(TEXT, 48e6, 14.6e6, "OMPEval"),
    "Monte Carlo, two ranges": Goal(TEXT, 105e6, 35e6, "OMPEval, one hole v random"),
    "Monte Carlo, range and random": Goal(TEXT, 105e6, 35e6, "OMPEval, one hole v random"),
    "Monte Carlo, nine random": Goal(TEXT, 28e6),
    "Monte Carlo, weights heads-up": Goal(TEXT, 105e6, 35e6, "OMPEval, one hole v random"),
    "strengths, river": Goal(STRENGTHS, 1.0),
    "strengths, turn": Goal(STRENGTHS, 8.0),
    "strengths, flop": Goal(STRENGTHS, 14.0),
    "indices, river": Goal("index", 45e6),
    "indices, turn": Goal("index", 40e6),
    "indices, flop": Goal("index", 45e6),
    "games": Goal("holdem.Game", 10e3),
    "matches-0": Goal(PLAY_COMPILED, 2.0e6),
    "matches-1": Goal(PLAY_COMPILED, 3.7e6),
    "matches-2": Goal(PLAY_COMPILED, 1.5e6),
    "matches-3": Goal(PLAY, 2.9e6),
    "matches-4": Goal(PLAY, 0.68e6),
    "two workers, three random": Goal(FASTER, 1.85),
    "two workers, Monte Carlo": Goal(FASTER, 1.85),
    "two workers, dead card": Goal(FASTER, 1.85),
    "import": Goal("import holdem", 90e-3, 70e-3, "numpy alone"),
    "command line, table": Goal("holdem", 0.16, 82e-3, "ps-eval"),
    "command line, flop": Goal("holdem", 0.25),
    "first run, two ranges": Goal("holdem", 0.45),
    "first run, known hands": Goal("holdem", 0.45),
    "first run, three ranges": Goal("holdem", 2.5),
    "first run, categories": Goal("holdem", 2.5),
    "first run, Monte Carlo": Goal("holdem", 2.5),
    "first run, Monte Carlo of six": Goal("holdem", 2.5),
    "first run, head-to-head": Goal("holdem", 2.5),
    "memory, flop": Goal("holdem", 50e6),
    "memory, deals": Goal("holdem", 5e6),
}
