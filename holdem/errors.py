"""One exception for each way of being wrong, all under `HoldemError`.

Every message is written for the person who typed the input: the offending text, where
it stands, and what would work.
"""

from __future__ import annotations

_SHOWN_BITS = 128  # longer numbers are described


class HoldemError(ValueError):
    """The root of all errors that `holdem` raises on purpose."""


class HoldemTypeError(HoldemError, TypeError):
    """An argument of a type that cannot be used at all."""


class CardError(HoldemError):
    """A card that does not exist, or one that appears twice."""


class RangeError(HoldemError):
    """A range that cannot be read, or that holds no hand.

    Where text could not be read, the message shows the place in it with carets, and the
    attributes say the same for programs; elsewhere they are None.

    Attributes:
        text: the whole text.
        position: where the offending part begins in `text`, counted from 0.
        length: how many characters it has; 0 where something is missing.
        expected: what could have stood there.
        hint: what was probably meant, where that is obvious.
    """

    def __init__(
        self,
        message: str = "",
        *,
        text: str | None = None,
        position: int | None = None,
        length: int | None = None,
        expected: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.text = text
        self.position = position
        self.length = length
        self.expected = expected
        self.hint = hint


class SpotError(HoldemError):
    """A question that has no answer: no possible deal, a board of two cards, one player."""


class BudgetError(HoldemError):
    """A request whose cost, estimated before it is spent, is out of reach."""


class EvaluatorError(HoldemError):
    """An evaluator that is unknown, broken, or found to break its contract."""


class ConfigurationError(HoldemError):
    """A setting of the user's, in a file or a variable, that cannot be read or cannot be kept."""


class SeedError(HoldemError):
    """A seed outside 0..2^53-1."""


class StudyError(HoldemError):
    """A study file that cannot be read, or that asks what has no answer."""


class StoreError(HoldemError):
    """A store of a run that is damaged, in use, or made for something else."""


class HandFileError(HoldemError):
    """A file of hands that cannot be written: no such directory, no permission, a full disk."""


class ClusterError(HoldemError):
    """A cluster that cannot be reached, or that has no worker fit for the run."""


def visible(text: str, limit: int = 60) -> str:
    """Return user text quoted for a message: control characters escaped, cut at `limit`."""
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return repr(shown)


def shown(value: object) -> str:
    """Return a value of the wrong kind for a message: text as by `visible`, others likewise."""
    return visible(value) if isinstance(value, str) else one_line(repr(value))


def shown_number(number: int) -> str:
    """Return a whole number for a message; a long one by its size, as Python may not print it."""
    bits = number.bit_length()
    return str(number) if bits <= _SHOWN_BITS else f"a number of {bits} bits"


def one_line(text: str, limit: int = 300) -> str:
    """Return text by others as part of a message: one line, escaped and cut like `visible`."""
    line = " ".join(text.split())
    shown = line if len(line) <= limit else line[: limit - 1] + "…"
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in shown
    )


def told(error: BaseException) -> str:
    """Return what an exception says, as one line: its kind, unless it is ours, and its text."""
    if isinstance(error, HoldemError):
        return one_line(str(error))
    kind = type(error).__name__
    try:
        text = str(error)
    except Exception:  # others' code again
        text = ""
    return one_line(f"{kind}: {text}" if text else kind)
