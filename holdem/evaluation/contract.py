"""What an evaluator is: the spec that describes one, and the hook that offers it.

The whole contract: ``load()`` returns a function that ranks a batch of hands,
``uint8 (hand, card)`` -> integers ``(hand,)``, bigger is stronger, equal is a tie. One that
ranks hands of six and seven cards gives them the strength of their best five. Only the
order means anything; there is no base class and no fixed range of numbers.
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
from holdem.errors import EvaluatorError, HoldemTypeError, one_line, quoted
from holdem.values import RULE_SETS

#: The version of this contract.
CONTRACT = 1

#: The name under which pluggy knows the project: hooks, markers and the entry-point group.
PROJECT = "holdem"

#: Ranks a batch: ``uint8 (hand, card)`` -> integers ``(hand,)``.
BatchFunction: TypeAlias = Callable[[CardArray], NDArray[Any]]

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")
_SIZES = frozenset({5, 6, 7})

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


def _check_name(_: object, __: Any, name: Any) -> None:
    if not isinstance(name, str):
        raise HoldemTypeError(f"an evaluator's name is text, not {one_line(repr(name))}")
    if not _NAME.fullmatch(name):
        raise EvaluatorError(
            f"{quoted(name)} is no name for an evaluator: use 1 to 64 of a-z, 0-9 and"
            " . _ - inside, as in my-evaluator"
        )


def _check_text(_: object, attribute: Any, text: Any) -> None:
    if not isinstance(text, str):
        raise HoldemTypeError(
            f"an evaluator's {attribute.name} is text, not {one_line(repr(text))}"
        )
    if not text.isprintable():
        raise EvaluatorError(
            f"an evaluator's {attribute.name} is one printable line, not {quoted(text)}"
        )


def _check_sizes(_: object, __: Any, sizes: frozenset[int]) -> None:
    if 5 not in sizes or not sizes <= _SIZES:
        raise EvaluatorError(f"hand_sizes is {{5}} or {{5, 6, 7}}, not {set(sizes) or '{}'}")


def _check_load(_: object, __: Any, load: Any) -> None:
    if not callable(load):
        raise HoldemTypeError(
            f"load is a function that returns the batch function, not {one_line(repr(load))}"
        )


def _check_contract(_: object, __: Any, contract: int) -> None:
    if contract != CONTRACT:
        raise EvaluatorError(
            f"written for contract {quoted(contract)}; this engine has contract {CONTRACT}"
        )


def _check_rules(_: object, __: Any, rules: object) -> None:
    if not isinstance(rules, str):
        raise HoldemTypeError(f"a rule set is named by text, not {one_line(repr(rules))}")
    if rules not in RULE_SETS:
        raise EvaluatorError(f"no rule set {quoted(rules)}; there are: {', '.join(RULE_SETS)}")


def _sizes(sizes: Collection[int]) -> frozenset[int]:
    try:
        return frozenset(operator.index(size) for size in sizes)
    except TypeError:
        told = f"hand_sizes is a set of numbers, {{5}} or {{5, 6, 7}}, not {one_line(repr(sizes))}"
        raise HoldemTypeError(told) from None


@attrs.frozen
class EvaluatorSpec:
    """An evaluator as it is offered: what it is called, and how to load it.

    Making a spec must be cheap: it builds no table and imports no numba; `load` does.

    Raises:
        EvaluatorError: a bad name, hand size, contract version or rule set.
        HoldemTypeError: a value of the wrong type.
    """

    name: str = attrs.field(validator=_check_name)
    """1 to 64 of a-z, 0-9 and ``. _ -`` inside: what users type."""

    summary: str = attrs.field(validator=_check_text)
    """One line for the list of evaluators."""

    source: str = attrs.field(validator=_check_text)
    """Where the method comes from: an article, a paper, a program."""

    hand_sizes: frozenset[int] = attrs.field(converter=_sizes, validator=_check_sizes)
    """The sizes of hand it ranks itself; the engine does the rest with best-of-five."""

    load: Callable[[], BatchFunction] = attrs.field(validator=_check_load, eq=False)
    """Called once, on first use: returns the function that ranks a batch."""

    contract: int = attrs.field(default=CONTRACT, validator=_check_contract)
    """The version of the contract it was written for."""

    rules: str = attrs.field(default="standard", validator=_check_rules)
    """The rule set whose order it follows."""


@hookspec
def holdem_evaluators() -> Iterable[EvaluatorSpec]:
    """Return the specs of the evaluators that a plugin offers.

    Called once for each plugin, with no arguments, when evaluators are first asked for.
    It must be cheap. An exception marks this plugin as broken, with its text as the reason,
    and touches no other.
    """
    return []  # pragma: no cover - a specification; pluggy never calls it
