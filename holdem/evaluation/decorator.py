"""The easy door: a plain function of five cards, or of a batch, becomes an evaluator."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, cards_text
from holdem.errors import EvaluatorError, HoldemTypeError, error_text, one_line
from holdem.evaluation.contract import BatchFunction, EvaluatorSpec
from holdem.evaluation.plugin_guard import is_ctrl_c

_TOLD = 200  # characters of what others' code says, so that the hand still stands in the line


def evaluator(
    name: str,
    *,
    hand_sizes: Collection[int] = frozenset({5}),
    batch: bool = False,
    summary: str = "",
    source: str = "",
    rules: str = "standard",
) -> Callable[[Callable[..., Any]], EvaluatorSpec]:
    """Turn a function into an evaluator: the decorator returns its spec.

    The function takes, with ``batch=False``, one hand: a tuple of ids in no particular
    order, and returns an int; with ``batch=True`` a read-only, C-contiguous
    ``uint8 (hand, card)``, and returns integers ``(hand,)``. Bigger is stronger, equal is a
    tie. `register` makes the evaluator known by its name to the running script; the spec
    can also be handed over wherever an evaluator is named.

    Args:
        name: what it is called, 1 to 64 of a-z, 0-9 and ``. _ -`` inside.
        hand_sizes: the sizes of hand that the function ranks itself; the engine takes the
            best five of six or seven for one that ranks only five.
        batch: whether the function takes many hands at a time.
        summary: one line for the list; the function's first line of documentation if empty.
        source: where the method comes from.
        rules: the rule set whose order it follows.

    Raises:
        EvaluatorError: a bad name, hand size or rule set.
    """

    def offer(function: Callable[..., Any]) -> EvaluatorSpec:
        if not callable(function):
            raise HoldemTypeError(
                f"holdem.evaluator decorates a function, not {one_line(repr(function))}"
            )
        described = summary or (function.__doc__ or "").strip().partition("\n")[0]
        load = _batch_loader(function) if batch else _single_loader(function)
        return EvaluatorSpec(
            name=name,
            summary=described or f"the function {getattr(function, '__name__', name)}",
            source=source or f"{function.__module__}.{getattr(function, '__qualname__', name)}",
            hand_sizes=hand_sizes,
            load=load,
            rules=rules,
        )

    if not isinstance(name, str):
        raise HoldemTypeError('holdem.evaluator takes a name first: @holdem.evaluator("mine")')
    return offer


def _batch_loader(function: Callable[..., Any]) -> Callable[[], BatchFunction]:
    return lambda: function


def _single_loader(function: Callable[..., Any]) -> Callable[[], BatchFunction]:
    return lambda: OneByOne(function)


@attrs.frozen
class OneByOne:
    """A batch function that asks a function of one hand for each.

    Raises:
        EvaluatorError: the function raised, or answered no int of 64 bits; says for which hand.
    """

    function: Callable[..., Any]

    def __call__(self, hands: CardArray) -> NDArray[np.int64]:
        """Rank a batch."""
        strengths = np.empty(len(hands), dtype=np.int64)
        function = self.function
        for place, hand in enumerate(hands.tolist()):
            try:
                answer = function(tuple(hand))
            except BaseException as error:
                if is_ctrl_c(error):
                    raise
                text = f"{one_line(error_text(error), _TOLD)}, for {cards_text(hand, ' ')}"
                raise EvaluatorError(text) from error
            try:
                strengths[place] = _whole(answer)
            except (TypeError, OverflowError):
                raise EvaluatorError(
                    f"it answered {one_line(repr(answer), _TOLD)} for {cards_text(hand, ' ')},"
                    " not an int of 64 bits"
                ) from None
        return strengths


def _whole(answer: Any) -> int:
    if isinstance(answer, bool):
        raise TypeError("a truth value is no strength")
    return operator.index(answer)
