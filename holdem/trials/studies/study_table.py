"""Tables of a study file: their keys, and the validated values that all of them can have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import attrs

from holdem.dealing.seeds import resolve_seed
from holdem.errors import HoldemError, StudyError, did_you_mean, one_line, quoted
from holdem.evaluation.registry import DEFAULT_EVALUATOR, REGISTRY
from holdem.odds.bounds import check_bounds
from holdem.odds.plan import METHODS, Method

#: The keys of every table, with defaults at the top of the file.
DEFAULT_KEYS = ("seed", "method", "deals", "stderr", "time", "evaluator")
#: The boards of a grid with every flop, up to suit permutations that leave the ranges unchanged.
EACH_FLOP = "each flop"

_CARDS = ("board", "dead")
_KEYS = {
    "the top of the file": (*DEFAULT_KEYS, "spot", "grid"),
    "[[spot]]": ("name", "players", *_CARDS, *DEFAULT_KEYS),
    "[[grid]]": ("hero", "villain", "opponents", *_CARDS, *DEFAULT_KEYS),
}
#: The keys that the exact method does not take.
SAMPLED_ONLY = ("deals", "stderr")


@attrs.frozen
class StudyTable:
    """A TOML table of a study file, with its position in the file.

    Raises:
        StudyError: the table has an unknown key.
    """

    content: Mapping[str, Any]
    file: str
    kind: str
    number: int = 0
    """The number among the tables of the same name, from 1; 0 for the top of the file."""
    top: StudyTable | None = None

    def __attrs_post_init__(self) -> None:
        known = _KEYS[self.kind]
        for key in self.content:
            if key not in known:
                hint = did_you_mean(str(key), known)
                raise StudyError(
                    f"{self.where}: no key {quoted(str(key))}{hint}; there are: {', '.join(known)}"
                )

    @property
    def where(self) -> str:
        """The position in the file, for messages."""
        number = f" {self.number}" if self.number else ""
        name = self.content.get("name")
        shown = f" ({one_line(name, 40)})" if isinstance(name, str) else ""
        return f"{self.file}: {self.kind}{number}{shown}"

    def error(self, key: str, problem: str) -> StudyError:
        """Return the error for a key, with its value."""
        value = self.content.get(key)
        shown = f" = {quoted(value)}" if key in self.content else ""
        return StudyError(f"{self.where}: {key}{shown}: {problem}")

    @contextmanager
    def located(self, place: str = "") -> Iterator[None]:
        """Context manager that turns errors into `StudyError` with the position in the file.

        Args:
            place: the place within the table, which follows the table in the message.
        """
        try:
            yield
        except StudyError:
            raise
        except HoldemError as error:
            raise StudyError(f"{self.where}{place}: {error}") from error

    def value(self, key: str) -> Any:
        """Return the validated value of a key in `DEFAULT_KEYS`; None if it is not set.

        A key that is not in this table is looked up at the top of the file.
        """
        for table in (self, self.top):
            if table is not None and key in table.content:
                try:
                    return _VALIDATORS[key](table.content[key])
                except HoldemError as error:
                    raise table.error(key, str(error)) from error
        return None

    @property
    def evaluator(self) -> str:
        """The name of the evaluator."""
        name: str | None = self.value("evaluator")
        return name or DEFAULT_EVALUATOR

    def cards(self, key: str) -> str:
        """Return cards, given as text or as a list of texts, as text."""
        value = self.content.get(key, "")
        if isinstance(value, list) and all(isinstance(card, str) for card in value):
            return " ".join(value)
        if not isinstance(value, str):
            raise self.error(key, 'expected cards as text, as in "Td9d2c"')
        return value


def check_exact(table: StudyTable, method: Method | None) -> None:
    """Raise `StudyError` if a table with the exact method limits deals or the standard error."""
    for key in SAMPLED_ONLY:
        if method == "exact" and key in table.content:
            raise table.error(key, "method exact takes no deals and no stderr")


def _checked_method(value: Any) -> Method:
    if not isinstance(value, str) or value not in METHODS:
        raise StudyError(f"expected one of {', '.join(METHODS)}")
    return value


def _checked_bound(key: str, value: Any) -> Any:
    checked = check_bounds(**{"deals": None, "stderr": None, "time": None, key: value})
    return value if value is None else getattr(checked, key)


def _checked_evaluator(value: Any) -> str:
    if not isinstance(value, str):
        raise StudyError("expected a name as text")
    return REGISTRY.get(value).name


def _checked_seed(value: Any) -> int:
    if value is None:  # possible in a mapping
        raise StudyError("omit the key to have a seed drawn")
    return resolve_seed(value)


_VALIDATORS: dict[str, Callable[[Any], Any]] = {
    "seed": _checked_seed,
    "method": _checked_method,
    **{key: partial(_checked_bound, key) for key in ("deals", "stderr", "time")},
    "evaluator": _checked_evaluator,
}
