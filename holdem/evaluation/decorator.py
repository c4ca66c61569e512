"""The decorator that turns a Python function into an evaluator."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, cards_text
from holdem.errors import EvaluatorError, HoldemTypeError, error_text, one_line, quoted
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.plugin_guard import is_ctrl_c

_MAX_TEXT = 200  # characters of a function's own message, to leave room for the hand


def evaluator(
    name: str,
    *,
    hand_sizes: Collection[int] = frozenset({5}),
    batch: bool = False,
    summary: str = "",
    source: str = "",
    rules: str = "standard",
) -> Callable[[Callable[..., Any]], EvaluatorSpec]:
    """Make a decorator that turns a function into an evaluator's spec.

    With ``batch=False`` the function takes one hand, a tuple of ids in no particular order, and
    returns an int. With ``batch=True`` it takes a read-only, C-contiguous array ``uint8
    (hand, card)`` and returns integers ``(hand,)``. Bigger is stronger, equal is a tie.

    The spec is accepted wherever an evaluator is named; `register` makes the evaluator known by
    its name to the running script.

    Args:
        name: the evaluator's name, 1 to 64 of a-z, 0-9 and ``. _ -`` inside.
        hand_sizes: the sizes of hands that the function ranks itself. If it ranks only five
            cards, the engine takes the best five of six or seven.
        batch: whether the function takes a batch of hands.
        summary: one line for the list of evaluators; by default the first line of the
            function's docstring.
        source: the source of the method.
        rules: the name of the rule set that defines the order of hands.

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
            load=lambda: function if batch else HandByHand(function),
            rules=rules,
        )

    if not isinstance(name, str):
        raise HoldemTypeError('holdem.evaluator takes a name first: @holdem.evaluator("mine")')
    return decorate


@attrs.frozen
class HandByHand:
    """A batch function that calls a single-hand function for each hand.

    Raises:
        EvaluatorError: the function raised an exception, or did not return a 64-bit int;
            the message shows the hand.
    """

    function: Callable[..., Any]

    def __call__(self, hands: CardArray) -> NDArray[np.int64]:
        """Rank a batch of hands one at a time."""
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
                    f" {cards_text(hand, ' ')}, not a 64-bit int"
                ) from None
        return strengths


def _require_integer(value: Any) -> int:
    if isinstance(value, bool):
        raise TypeError
    return operator.index(value)
