"""The contract for evaluators: the spec that describes one, and the decorator `evaluator`.

`EvaluatorSpec.load` returns a function that ranks a batch of hands, ``uint8 (hand, card)`` to
integers ``(hand,)``: bigger is stronger, equal is a tie. A function that ranks hands of six and
seven cards gives them the strength of their best five. Only the order of strengths
matters; there is no base class and no fixed range of numbers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection
from contextlib import suppress
from importlib import import_module
from typing import Any, ClassVar, SupportsIndex, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, cards_text
from holdem.errors import (
    EvaluatorError,
    HoldemTypeError,
    HoldemValueError,
    error_text,
    one_line,
    quoted,
)
from holdem.plugins.guard import is_ctrl_c
from holdem.rules import RULE_SETS, RuleSet, check_name, find_rules

#: Version of the contract.
CONTRACT = 1

#: Function that ranks a batch of hands: ``uint8 (hand, card)`` to integers ``(hand,)``.
BatchFunction: TypeAlias = Callable[[CardArray], NDArray[Any]]

_SIZES = (frozenset({5}), frozenset({5, 6, 7}))

_MAX_TEXT = 200  # characters of a function's own message, to leave room for the hand


def _check_name(_: object, __: Any, name: Any) -> None:
    check_name(name, "an evaluator", EvaluatorError)


def _check_text(_: object, attribute: Any, text: Any) -> None:
    if not isinstance(text, str):
        raise HoldemTypeError(f"an evaluator's {attribute.name} must be text, not {quoted(text)}")
    if not text.isprintable():
        raise EvaluatorError(
            f"an evaluator's {attribute.name} must be one printable line, not {quoted(text)}"
        )


def _check_sizes(_: object, __: Any, sizes: frozenset[int]) -> None:
    if sizes not in _SIZES:
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


def _convert_rules(rules: Any) -> Any:
    """Convert the name of a rule set to the `RuleSet`; the engine's own stay names."""
    if isinstance(rules, str) and rules in RULE_SETS:
        return rules
    try:
        return find_rules(rules)
    except HoldemValueError as error:
        raise EvaluatorError(f"{error}; for rules of your own, give a holdem.RuleSet") from None


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

    Creating a spec must be cheap: building tables and importing numba are left to `load`.

    Raises:
        EvaluatorError: an invalid name, hand size, contract version or rule set.
        HoldemTypeError: a value of the wrong type.
    """

    HOOK: ClassVar[str] = "holdem_evaluators"

    name: str = attrs.field(validator=_check_name)
    """The name that users type: 1 to 64 characters, a-z and 0-9 with ``. _ -`` between them."""

    summary: str = attrs.field(validator=_check_text)
    """One line for the list of evaluators."""

    source: str = attrs.field(validator=_check_text)
    """Source of the method: an article, a paper, a program."""

    hand_sizes: frozenset[int] = attrs.field(converter=_convert_sizes, validator=_check_sizes)
    """Hand sizes that the evaluator ranks itself, {5} or {5, 6, 7}. With {5}, the engine finds the
    best five of six or seven cards."""

    load: Callable[[], BatchFunction] = attrs.field(validator=_check_load, eq=False)
    """Function that returns the batch function. It is called once, on first use."""

    contract: int = attrs.field(default=CONTRACT, validator=_check_contract)
    """Version of the contract that the evaluator was written for."""

    rules: str | RuleSet = attrs.field(default="standard", converter=_convert_rules)
    """The rule set that defines the order of hands: the name of one of the engine's rule sets, or a
    `RuleSet`. Any other known name is replaced by the `RuleSet`."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function from which the decorator `evaluator` made the spec.

        Returns:
            An int if the function ranks one hand; what it returns if it ranks a batch.

        Raises:
            HoldemTypeError: the spec was not made by the decorator, or its function returned
                something else than an integer for one hand.
        """
        if not isinstance(self.load, _LoadFunction):
            raise HoldemTypeError(
                f"the spec of {self.name!r} was not made by @holdem.evaluator, so it has no"
                f" function to call: holdem.get_evaluator(spec) ranks hands"
            )
        found = self.load.function(*arguments, **named)
        if self.load.is_batch:
            return found
        try:
            return _require_integer(found)
        except TypeError:
            raise HoldemTypeError(
                f"{self.name} returned {quoted(found)} for a hand, not an int"
            ) from None

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        # One that the decorator made in a module is found there by name, in other processes, too.
        function = getattr(self.load, "function", None)
        name = str(getattr(function, "__module__", "")), str(getattr(function, "__qualname__", ""))
        with suppress(ImportError):
            if name[0] not in ("", "__main__") and _find(*name) is self:
                return _find, name
        return super().__reduce_ex__(protocol)


def _find(module: str, name: str) -> Any:
    """Import a module and look up an object by qualified name; None if there is no such object."""
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


@attrs.frozen
class _LoadFunction:
    """The `load` function of a spec made by the decorator `evaluator`.

    It returns the decorated function, or a batch function that calls it for each hand.
    """

    function: Callable[..., Any]
    is_batch: bool

    def __call__(self) -> BatchFunction:
        return self.function if self.is_batch else HandByHand(self.function)


def ranks_hand_by_hand(spec: EvaluatorSpec) -> bool:
    """Test whether the decorator `evaluator` made a spec from a function of a single hand."""
    return isinstance(spec.load, _LoadFunction) and not spec.load.is_batch


def evaluator(
    name: str,
    *,
    hand_sizes: Collection[int] = frozenset({5}),
    batch: bool = False,
    summary: str = "",
    source: str = "",
    rules: str | RuleSet = "standard",
) -> Callable[[Callable[..., Any]], EvaluatorSpec]:
    """Create a decorator that converts a function to an evaluator's spec.

    With ``batch=False`` the function takes one hand, a tuple of ids in no particular order, and
    returns an int. With ``batch=True`` it takes a read-only, C-contiguous array ``uint8
    (hand, card)`` and returns integers ``(hand,)``. Bigger is stronger, equal is a tie.

    The spec can be called like the function, and is accepted wherever an evaluator is named;
    `register` makes the evaluator known by its name to the running script.

    Args:
        name: the evaluator's name: 1 to 64 characters, a-z and 0-9 with ``. _ -`` between them.
        hand_sizes: the sizes of hands that the function ranks itself. If it ranks only five
            cards, the engine takes the best five of six or seven.
        batch: whether the function takes a batch of hands.
        summary: one line for the list of evaluators; by default the first line of the
            function's docstring.
        source: where the method comes from: an article, a paper, a program; by default the
            function's name.
        rules: the rule set that defines the order of hands, or its name.

    Raises:
        EvaluatorError: an invalid name, hand size or rule set.
    """

    def decorate(function: Callable[..., Any]) -> EvaluatorSpec:
        if not callable(function):
            raise HoldemTypeError(f"holdem.evaluator decorates a function, not {quoted(function)}")
        docstring = (function.__doc__ or "").strip().partition("\n")[0]
        return EvaluatorSpec(
            name=name,
            summary=summary or docstring or f"the function {getattr(function, '__name__', name)}",
            source=source or f"{function.__module__}.{getattr(function, '__qualname__', name)}",
            hand_sizes=hand_sizes,
            load=_LoadFunction(function, batch),
            rules=rules,
        )

    if not isinstance(name, str):
        raise HoldemTypeError('holdem.evaluator takes a name first: @holdem.evaluator("mine")')
    return decorate


@attrs.frozen
class HandByHand:
    """A batch function that calls a function of a single hand for each; errors show the hand."""

    function: Callable[..., Any]

    def __call__(self, hands: CardArray) -> NDArray[np.int64]:
        """Rank hands, ``uint8 (hand, card)``, one at a time; return ``int64 (hand,)``."""
        strengths = np.empty(len(hands), dtype=np.int64)
        function = self.function
        for row, hand in enumerate(hands.tolist()):
            try:
                strength = function(tuple(hand))
            except BaseException as error:
                if is_ctrl_c(error):
                    raise
                message = one_line(error_text(error), _MAX_TEXT)
                raise EvaluatorError(f"{message}, for {cards_text(hand, ' ')}") from error
            try:
                strengths[row] = _require_integer(strength)
            except (TypeError, OverflowError):
                raise EvaluatorError(
                    f"it returned {one_line(repr(strength), _MAX_TEXT)} for"
                    f" {cards_text(hand, ' ')}, not a 64-bit int (-2^63 to 2^63-1)"
                ) from None
        return strengths


def _require_integer(value: Any) -> int:
    if isinstance(value, bool):
        raise TypeError
    return operator.index(value)
