"""The public names and the modules that define them, for `holdem` and for type checkers."""

from holdem.cards import Card as Card
from holdem.cards import parse_cards as parse_cards
from holdem.dealing.deck import Deck as Deck
from holdem.errors import BudgetError as BudgetError
from holdem.errors import CardError as CardError
from holdem.errors import ClusterError as ClusterError
from holdem.errors import ConfigurationError as ConfigurationError
from holdem.errors import EvaluatorError as EvaluatorError
from holdem.errors import HandFileError as HandFileError
from holdem.errors import HoldemError as HoldemError
from holdem.errors import HoldemRuntimeError as HoldemRuntimeError
from holdem.errors import HoldemTypeError as HoldemTypeError
from holdem.errors import HoldemValueError as HoldemValueError
from holdem.errors import HoldemWarning as HoldemWarning
from holdem.errors import Interrupted as Interrupted
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
from holdem.jit.decorators import inlined as inlined
from holdem.jit.decorators import kernel as kernel
from holdem.odds.api import equity as equity
from holdem.odds.many_spots.equities import equities as equities
from holdem.odds.many_spots.table import EquityTable as EquityTable
from holdem.odds.result import EquityResult as EquityResult
from holdem.ranges.range import Range as Range
from holdem.trials.comparison import compare_hands as compare_hands
from holdem.trials.hands.aggregation import aggregate as aggregate
from holdem.trials.hands.files import write_hands as write_hands
from holdem.trials.hands.simulation import simulate as simulate
from holdem.trials.head_to_head.contest import head_to_head as head_to_head
from holdem.trials.studies.results import study_results as study_results
from holdem.trials.studies.run import run_study as run_study

__version__: str
__all__: list[str]
