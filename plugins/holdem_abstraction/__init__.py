"""Card abstraction: strengths, numberings and buckets of all hands of a street.

`streets` lists one board of each set of boards that are equal up to suit permutations. `numbering`
converts hands up to suit permutations to consecutive integers and back. `strengths` computes the
equity of every hand of a street, and how it is distributed over the cards to come. `buckets` groups
hands of similar strength, and `clustering` groups them by k-means. `array_files` writes strengths
and buckets to files, `command` is ``holdem abstraction``, and `report` and `chart` show buckets.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from holdem.plugins.hookspecs import hookimpl

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdem_abstraction.buckets import CardAbstraction, card_abstraction, load_card_abstraction
    from holdem_abstraction.streets import HandIndexer
    from holdem_abstraction.strengths import HandStrengths, hand_strengths, load_hand_strengths

__all__ = [
    "CardAbstraction",
    "HandIndexer",
    "HandStrengths",
    "card_abstraction",
    "hand_strengths",
    "load_card_abstraction",
    "load_hand_strengths",
]

# Imported on first use: plugins are loaded also for a list of evaluators.
_MODULES = {
    "CardAbstraction": "buckets",
    "card_abstraction": "buckets",
    "load_card_abstraction": "buckets",
    "HandIndexer": "streets",
    "HandStrengths": "strengths",
    "hand_strengths": "strengths",
    "load_hand_strengths": "strengths",
}


@hookimpl
def holdem_commands() -> dict[str, str]:
    return {"abstraction": "holdem_abstraction.command:command"}


@hookimpl
def holdem_warm_up() -> dict[str, Callable[[], object]]:
    return {"every hand": _every_hand}


def _every_hand() -> None:
    import numpy as np

    from holdem_abstraction.clustering import cluster_histograms
    from holdem_abstraction.streets import HandIndexer, street_boards
    from holdem_abstraction.strengths import hand_strengths

    indexer = HandIndexer("flop")
    indexer.hands(indexer.index("AsKs", "9h8d7c"))
    street_boards("flop").locate("AsKs", "9h8d7c")
    hand_strengths("preflop")
    cluster_histograms(
        np.eye(3, dtype=np.uint8)[None], np.ones((1, 3), dtype=np.uint16), 1, 2, seed=1, workers=1
    )


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
