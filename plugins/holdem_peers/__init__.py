"""Evaluators of other libraries: ``eval7``, ``phevaluator``, ``treys`` and ``pokerkit``.

An evaluator is offered if its library is installed, as by ``pip install eval7``. A library is
imported when its evaluator is first used; see `holdem_peers.adapters`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from numpy.typing import NDArray

from holdem import EvaluatorSpec, hookimpl


def _loader(name: str) -> Callable[[], Callable[[NDArray[Any]], NDArray[Any]]]:
    def load() -> Callable[[NDArray[Any]], NDArray[Any]]:
        from holdem_peers import adapters

        return adapters.LOADERS[name]()

    return load


_EVAL7 = EvaluatorSpec(
    name="eval7",
    summary="compiled, after Pokersource's poker-eval; called hand by hand",
    source="eval7, https://github.com/JulianAndrews/pyeval7",
    hand_sizes={5, 6, 7},
    load=_loader("eval7"),
)
_PHEVALUATOR = EvaluatorSpec(
    name="phevaluator",
    summary="a perfect hash over ranks and a table of flushes; called hand by hand",
    source="PH Evaluator, https://github.com/HenryRLee/PokerHandEvaluator",
    hand_sizes={5, 6, 7},
    load=_loader("phevaluator"),
)
_POKERKIT = EvaluatorSpec(
    name="pokerkit",
    summary="the look-up of a library that simulates many games; slow",
    source="PokerKit, https://github.com/uoftcprg/pokerkit",
    hand_sizes={5},
    load=_loader("pokerkit"),
)
_TREYS = EvaluatorSpec(
    name="treys",
    summary="Cactus Kev's method in plain Python, all choices of five; called hand by hand",
    source="treys, https://github.com/ihendley/treys",
    hand_sizes={5, 6, 7},
    load=_loader("treys"),
)


@hookimpl
def holdem_evaluators() -> list[EvaluatorSpec]:
    """Return the evaluators whose library is installed; looking for a library takes 50 µs."""
    peers = (_EVAL7, _PHEVALUATOR, _POKERKIT, _TREYS)
    return [peer for peer in peers if find_spec(peer.name) is not None]
