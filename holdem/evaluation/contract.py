"""The contract for evaluators: their specs, and the hook through which plugins offer them.

`EvaluatorSpec.load` returns a function that ranks a batch of hands, ``uint8 (hand, card)`` to
integers ``(hand,)``: bigger is stronger, equal is a tie. A function that ranks hands of six and
seven cards gives them the strength of their best five. Only the order of strengths
matters; there is no base class and no fixed range of numbers.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeAlias

import attrs
import pluggy
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.errors import EvaluatorError, HoldemTypeError, quoted
from holdem.rules import RULE_SETS

#: Version of the contract.
CONTRACT = 1

#: Name of the project in pluggy: of hooks, markers and the entry-point group.
PROJECT = "holdem"

#: Function that ranks a batch of hands: ``uint8 (hand, card)`` to integers ``(hand,)``.
BatchFunction: TypeAlias = Callable[[CardArray], NDArray[Any]]

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")
_SIZES = frozenset({5, 6, 7})

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


def _check_name(_: object, __: Any, name: Any) -> None:
    if not isinstance(name, str):
        raise HoldemTypeError(f"an evaluator's name must be text, not {quoted(name)}")
    if not _NAME.fullmatch(name):
        raise EvaluatorError(
            f"{quoted(name)} is not a valid evaluator name: use 1 to 64 of a-z, 0-9 and"
            " . _ - inside, as in my-evaluator"
        )


def _check_text(_: object, attribute: Any, text: Any) -> None:
    if not isinstance(text, str):
        raise HoldemTypeError(f"an evaluator's {attribute.name} must be text, not {quoted(text)}")
    if not text.isprintable():
        raise EvaluatorError(
            f"an evaluator's {attribute.name} must be one printable line, not {quoted(text)}"
        )


def _check_sizes(_: object, __: Any, sizes: frozenset[int]) -> None:
    if 5 not in sizes or not sizes <= _SIZES:
        raise EvaluatorError(f"hand_sizes must be {{5}} or {{5, 6, 7}}, not {set(sizes) or '{}'}")


def _check_load(_: object, __: Any, load: Any) -> None:
    if not callable(load):
        raise HoldemTypeError(
            f"load must be a function that returns the batch function, not {quoted(load)}"
        )


def _check_contract(_: object, __: Any, contract: int) -> None:
    if contract != CONTRACT:
        raise EvaluatorError(
            f"written for contract {quoted(contract)}; this engine has contract {CONTRACT}"
        )


def _check_rules(_: object, __: Any, rules: object) -> None:
    if not isinstance(rules, str):
        raise HoldemTypeError(f"rules must be the name of a rule set, not {quoted(rules)}")
    if rules not in RULE_SETS:
        raise EvaluatorError(f"unknown rule set {quoted(rules)}; there are: {', '.join(RULE_SETS)}")


def _convert_sizes(sizes: Collection[int]) -> frozenset[int]:
    try:
        return frozenset(operator.index(size) for size in sizes)
    except TypeError:
        shown = quoted(sizes)
        raise HoldemTypeError(
            f"hand_sizes must be a set of integers, {{5}} or {{5, 6, 7}}, not {shown}"
        ) from None


@attrs.frozen
class EvaluatorSpec:
    """Description of an evaluator, and the function that loads it.

    Creating a spec must be cheap. Tables are built, and numba is imported, by `load` only.

    Raises:
        EvaluatorError: an invalid name, hand size, contract version or rule set.
        HoldemTypeError: a value of the wrong type.
    """

    name: str = attrs.field(validator=_check_name)
    """The name that users type: 1 to 64 of a-z, 0-9 and ``. _ -`` inside."""

    summary: str = attrs.field(validator=_check_text)
    """One line for the list of evaluators."""

    source: str = attrs.field(validator=_check_text)
    """Source of the method: an article, a paper, a program."""

    hand_sizes: frozenset[int] = attrs.field(converter=_convert_sizes, validator=_check_sizes)
    """Hand sizes that the evaluator ranks itself. For others the engine takes the best five."""

    load: Callable[[], BatchFunction] = attrs.field(validator=_check_load, eq=False)
    """Function that returns the batch function. It is called once, on first use."""

    contract: int = attrs.field(default=CONTRACT, validator=_check_contract)
    """Version of the contract that the evaluator was written for."""

    rules: str = attrs.field(default="standard", validator=_check_rules)
    """Name of the rule set that defines the order of hands."""


@hookspec
def holdem_evaluators() -> Iterable[EvaluatorSpec]:
    """Return the specs of the evaluators that a plugin offers.

    It is called once for each plugin, when evaluators are first needed, and must be cheap. An
    exception marks this plugin as broken, with its message as the reason, and affects no other.
    """
    return []  # pragma: no cover - pluggy never calls a specification
