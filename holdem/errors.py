"""One exception for each way of being wrong, all under `HoldemError`.

Every message is written for the person who typed the input: the offending text, where
it stands, and what would work.
"""

from __future__ import annotations


class HoldemError(ValueError):
    """The root of all errors that `holdem` raises on purpose."""


class HoldemTypeError(HoldemError, TypeError):
    """An argument of a type that cannot be used at all."""


class CardError(HoldemError):
    """A card that does not exist, or one that appears twice."""


class RangeError(HoldemError):
    """A range that cannot be read, or that holds no hand."""


class SpotError(HoldemError):
    """A question that has no answer: no possible deal, a board of two cards, one player."""


class BudgetError(HoldemError):
    """A request whose cost, estimated before it is spent, is out of reach."""


class EvaluatorError(HoldemError):
    """An evaluator that is unknown, broken, or found to break its contract."""


class SeedError(HoldemError):
    """A seed outside 0..2^53-1."""


def visible(text: str, limit: int = 60) -> str:
    """Return user text quoted for a message: control characters escaped, cut at `limit`."""
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return repr(shown)
