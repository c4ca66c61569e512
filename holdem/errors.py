"""Exceptions of the package, and functions that format their messages.

All exceptions but `Interrupted` derive from `HoldemError`. A message is written for the person
who typed the input. It shows the offending text, its position, and the accepted input.
"""

from __future__ import annotations

from collections.abc import Iterable

_MAX_BITS = 128  # larger integers are not printed; Python refuses to print very long ones


class HoldemError(Exception):
    """Base class of all errors that `holdem` raises on purpose."""


class _InputError(HoldemError):
    """Base class of errors about input.

    Notebooks show such an error with the user's line of code, without a traceback through `holdem`.
    """

    def _render_traceback_(self) -> list[str]:  # called by IPython
        from itertools import takewhile
        from pathlib import Path
        from traceback import extract_tb

        own = Path(__file__).parent
        frames = extract_tb(self.__traceback__)
        callers = [*takewhile(lambda frame: own not in Path(frame.filename).parents, frames)]
        places = [f"  {frame.filename}, line {frame.lineno}" for frame in callers[-1:]]
        lines = [f"    {frame.line}" for frame in callers[-1:]]
        return [*places, *lines, "", f"{type(self).__name__}: {self}"]


class HoldemValueError(_InputError, ValueError):
    """Raised when an argument has an invalid value; base class of the errors about input.

    Attributes:
        field: ``"board"`` if the board of a spot is invalid, ``"dead"`` if its dead cards are;
            None otherwise.
        player: the index, from 0, of the player whose range is invalid; None otherwise.
    """

    field: str | None = None
    player: int | None = None


class HoldemTypeError(_InputError, TypeError):
    """Raised when an argument has an unsupported type."""


class HoldemRuntimeError(HoldemError, RuntimeError):
    """Raised when something outside, such as a missing package, prevents a computation.

    Base class of `ClusterError`.
    """


class Interrupted(KeyboardInterrupt):
    """Raised when Ctrl-C ends a run.

    Attributes:
        finished: the partial result, of the type that the interrupted call would have returned;
            None if nothing was finished.
    """

    def __init__(self, finished: object) -> None:
        what = "what was computed" if finished is not None else "None, because nothing was finished"
        super().__init__(f"interrupted by Ctrl-C; `finished` holds {what}")
        self.finished = finished


class HoldemWarning(UserWarning):
    """Base class of all warnings that `holdem` issues."""


class DialectWarning(HoldemWarning):
    """Warning that a range string has a different meaning in other tools."""


class CardError(HoldemValueError):
    """Raised when cards are unknown, repeated, not in the deck, or wrong in number."""


class RangeError(HoldemValueError):
    """Raised when a range cannot be parsed or has an invalid weight.

    If text could not be parsed, the message underlines the offending part, and the attributes
    describe it. Otherwise, all attributes are None.

    Attributes:
        text: the text that could not be parsed.
        position: start of the offending part in `text`, counted from 0.
        length: length of the offending part in characters; 0 if something is missing at `position`.
        expected: a description of what would be valid at `position`; None if there is none.
        hint: a likely correction; None if there is no obvious one.
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


class SpotError(HoldemValueError):
    """Raised for an invalid spot or limit, such as one player, a two-card board or zero deals.

    Attributes:
        spot: the index, from 0, of the invalid spot in a call of `equities`; None in other calls.
    """

    def __init__(self, message: str = "", *, spot: int | None = None) -> None:
        super().__init__(message)
        self.spot = spot


class BudgetError(HoldemValueError):
    """Raised before a computation starts if its estimated cost exceeds the limit."""


class EvaluatorError(HoldemValueError):
    """Raised when an evaluator is unknown, broken, or violates its contract."""


class ConfigurationError(HoldemValueError):
    """Raised when an environment variable has an invalid value."""


class SeedError(HoldemValueError):
    """Raised when a seed is not from 0 to 2^64-1, or is given together with a generator."""


class StudyError(HoldemValueError):
    """Raised when a study file cannot be parsed or defines an invalid spot."""


class HistoryError(HoldemValueError):
    """Raised when a hand history cannot be read.

    Attributes:
        kind: the reason in a few words, such as ``"tournament"``.
        file: the name of the file; None for text.
        line: the number of the line, from 1, on which the hand begins; None if unknown.
    """

    def __init__(
        self,
        message: str = "",
        *,
        kind: str = "broken",
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.file = file
        self.line = line


class StoreError(HoldemError, OSError):
    """Raised when a study's store is damaged, in use, or belongs to another study."""


class HandFileError(HoldemError, OSError):
    """Raised when a file of hands cannot be written, e.g. on a full disk, or already exists."""


class ClusterError(HoldemRuntimeError):
    """Raised when a cluster cannot be used, for example if its workers have other versions."""


def quoted(value: object, limit: int = 60) -> str:
    """Format a value for a message, on one line of limited length.

    A string is truncated to `limit` characters and quoted, with control characters escaped. Other
    values appear as their ``repr``, or as the name of their type if that has several lines.
    """
    if isinstance(value, str):
        text = str.__str__(value)  # a plain str, in case a subclass overrides `__repr__`
        return repr(text if len(text) <= limit else text[: limit - 1] + "…")
    if type(value) is int and value.bit_length() > _MAX_BITS:
        return f"a number of {value.bit_length()} bits"
    try:
        text = repr(value)
        if "\n" in text:
            return f"a value of type {type(value).__name__}"
        return one_line(text)
    except Exception:  # `__repr__` of another package's object, or a list nested too deeply
        return f"a value of type {type(value).__name__} that cannot be printed"


def counted(number: int, noun: str) -> str:
    """Format a number with a noun in singular or plural: ``"1 spot"``, ``"1,755 spots"``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def one_line(text: str, limit: int = 300) -> str:
    """Put any text on one line of at most `limit` characters, and then escape control characters.

    Escapes may make the line longer. The text may be of unknown origin.
    """
    line = " ".join(text.split())
    short = line if len(line) <= limit else line[: limit - 1] + "…"
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in short
    )


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Format the most similar known name as ``" (did you mean NAME?)"`` for the end of a message.

    Return an empty string if none of the known names is similar to `name`.
    """
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def error_text(error: BaseException) -> str:
    """Format an exception on one line, with the name of its type unless it is a `HoldemError`."""
    if isinstance(error, HoldemError):
        return one_line(str(error))
    kind = type(error).__name__
    try:
        text = str(error)
    except Exception:  # `__str__` of another package's exception
        text = ""
    return one_line(f"{kind}: {text}" if text else kind)
