"""Texas Hold'em: deal hands, rank them, and compute equity, with evaluators as plugins.

    import holdem

    holdem.evaluate("As Ks Qs Js Ts 2c 3d").name      # "Royal Flush"
    holdem.equity("AsKs", "QQ+", board="Td9d2c")      # exact, or sampled with its error
    holdem.head_to_head("AsKs", "QdQh", seed=7)       # who won, with what, against what
    for hand in holdem.simulate(players=6, hands=10): ...

Names are loaded when they are first used, so that importing the package costs little.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdem.cards import Card as Card
    from holdem.cards import parse_cards as parse_cards
    from holdem.compilation import inlined as inlined
    from holdem.compilation import kernel as kernel
    from holdem.dealing.deck import Deck as Deck
    from holdem.errors import BudgetError as BudgetError
    from holdem.errors import CardError as CardError
    from holdem.errors import ClusterError as ClusterError
    from holdem.errors import ConfigurationError as ConfigurationError
    from holdem.errors import EvaluatorError as EvaluatorError
    from holdem.errors import HandFileError as HandFileError
    from holdem.errors import HoldemError as HoldemError
    from holdem.errors import HoldemTypeError as HoldemTypeError
    from holdem.errors import RangeError as RangeError
    from holdem.errors import SeedError as SeedError
    from holdem.errors import SpotError as SpotError
    from holdem.errors import StoreError as StoreError
    from holdem.errors import StudyError as StudyError
    from holdem.evaluation.contract import EvaluatorSpec as EvaluatorSpec
    from holdem.evaluation.contract import hookimpl as hookimpl
    from holdem.evaluation.decorator import evaluator as evaluator
    from holdem.evaluation.evaluator import Evaluator as Evaluator
    from holdem.evaluation.hand_value import HandValue as HandValue
    from holdem.evaluation.hand_value import evaluate as evaluate
    from holdem.evaluation.registry import evaluators as evaluators
    from holdem.evaluation.registry import get_evaluator as get_evaluator
    from holdem.evaluation.registry import register as register
    from holdem.odds.ask import equity as equity
    from holdem.odds.blocks import Interrupted as Interrupted
    from holdem.odds.result import EquityResult as EquityResult
    from holdem.ranges.range import Range as Range
    from holdem.report.hand_files import write_hands as write_hands
    from holdem.trials.aggregation import aggregate as aggregate
    from holdem.trials.answers import study_results as study_results
    from holdem.trials.contest import head_to_head as head_to_head
    from holdem.trials.hands import simulate as simulate
    from holdem.trials.runs import run_study as run_study

_HOMES = {
    "Card": "cards",
    "parse_cards": "cards",
    "inlined": "compilation",
    "kernel": "compilation",
    "Deck": "dealing.deck",
    "BudgetError": "errors",
    "CardError": "errors",
    "ClusterError": "errors",
    "ConfigurationError": "errors",
    "EvaluatorError": "errors",
    "HandFileError": "errors",
    "HoldemError": "errors",
    "HoldemTypeError": "errors",
    "RangeError": "errors",
    "SeedError": "errors",
    "SpotError": "errors",
    "StoreError": "errors",
    "StudyError": "errors",
    "EvaluatorSpec": "evaluation.contract",
    "hookimpl": "evaluation.contract",
    "evaluator": "evaluation.decorator",
    "Evaluator": "evaluation.evaluator",
    "HandValue": "evaluation.hand_value",
    "evaluate": "evaluation.hand_value",
    "evaluators": "evaluation.registry",
    "get_evaluator": "evaluation.registry",
    "register": "evaluation.registry",
    "equity": "odds.ask",
    "Interrupted": "odds.blocks",
    "EquityResult": "odds.result",
    "Range": "ranges.range",
    "write_hands": "report.hand_files",
    "aggregate": "trials.aggregation",
    "head_to_head": "trials.contest",
    "simulate": "trials.hands",
    "run_study": "trials.runs",
    "study_results": "trials.answers",
}

__all__ = sorted([*_HOMES, "__version__"])


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from holdem.version import VERSION

        return VERSION
    if name not in _HOMES:
        raise AttributeError(f"module 'holdem' has no attribute {name!r}")
    value = getattr(import_module(f"holdem.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
