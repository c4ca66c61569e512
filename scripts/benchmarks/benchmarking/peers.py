"""Other libraries, if installed."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module, metadata
from typing import Any

import numpy as np

import holdem

NAMES = ("eval7", "phevaluator", "treys", "pokerkit", "pokerfast", "poker_equity")
_EVERY_HAND = "22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32"  # in eval7's range language


@cache
def installed() -> dict[str, Any]:
    """Return the importable libraries by name, and print the names of the others."""
    found = {}
    for name in NAMES:
        try:
            with _without_deprecations():
                found[name] = import_module(name)
        except ImportError:
            print(f"  {name} is not installed; skipped", file=sys.stderr)
    return found


@contextmanager
def _without_deprecations() -> Iterator[None]:
    """Suppress deprecation warnings about eval7's use of pyparsing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


def every_hand_of_eval7() -> Any:
    """Return the range of all hands as an object of eval7."""
    with _without_deprecations():
        return installed()["eval7"].HandRange(_EVERY_HAND)


def versions() -> dict[str, str]:
    """Return the versions of installed libraries."""
    return {name: metadata.version(name.replace("_", "-")) for name in installed()}


def hand_rankers() -> dict[str, tuple[Callable[[list[int]], Any], Callable[[Any], Any]]]:
    """Return functions that rank a seven-card hand, by library.

    Returns:
        By name, a function that converts ids to the library's cards, untimed, and one that ranks
        the cards. Smaller numbers are stronger, except with eval7 and pokerkit.
    """
    found: dict[str, tuple[Callable[[list[int]], Any], Callable[[Any], Any]]] = {}
    texts = [str(holdem.Card(card)) for card in range(52)]
    have = installed()
    if "eval7" in have:
        cards = [have["eval7"].Card(text) for text in texts]
        found["eval7"] = (lambda hand: [cards[card] for card in hand], have["eval7"].evaluate)
    if "phevaluator" in have:
        rank = have["phevaluator"].evaluate_cards
        found["phevaluator"] = (tuple, lambda hand: rank(*hand))
    if "treys" in have:
        ints = [have["treys"].Card.new(text) for text in texts]
        judge = have["treys"].Evaluator().evaluate
        found["treys"] = (
            lambda hand: ([ints[card] for card in hand[:5]], [ints[card] for card in hand[5:]]),
            lambda hand: judge(*hand),
        )
    if "pokerkit" in have:
        kind = have["pokerkit"].StandardHighHand
        found["pokerkit"] = (
            lambda hand: ["".join(texts[card] for card in part) for part in (hand[:2], hand[2:])],
            lambda hand: kind.from_game(*hand).entry.index,
        )
    return found


def places(strengths: Any, name: str) -> Any:
    """Convert strengths to dense ranks, ``(hand,)``, equal for all correct evaluators."""
    turned = -1 if name in ("phevaluator", "treys", "poker_equity") else 1
    return np.unique(turned * np.asarray(strengths, dtype=np.int64), return_inverse=True)[1]
