"""Named ranges, which plugins offer and range strings use as ``@name``.

A name has letters, digits, ``-``, ``_`` and ``/``. Each range also has the longer name
``@plugin/name``, in case several plugins use the same name. A range that a plugin gives as text is
parsed where it is used, under the rule set of the range string that uses it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

from holdem.errors import EvaluatorError, RangeError, one_line, quoted
from holdem.plugins.manager import PLUGINS, Origin
from holdem.ranges.combos import COMBO_COUNT
from holdem.ranges.weights import Weights

HOOK = "holdem_ranges"

#: A name without the ``@``.
NAME = re.compile("[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*")

#: Characters of a hint, or of what is expected, that the message about a range has on one line.
MAX_LINE = 120
_NEAREST = 3  # names that are suggested


@attrs.frozen(eq=False)
class NamedRange:
    """A range that a plugin offers under a name."""

    name: str
    """The name that the plugin gives the range."""
    folder: str
    """The first part of `full_name`, derived from the name of the plugin."""
    origin: Origin
    """The distribution of the plugin and its version, or the plugin's file."""
    text: str
    """The range in the range language."""
    weights: Weights | None
    """The weights of the range, ``float64 (combo,)``, if it was given as a `Range`; else None."""

    @property
    def full_name(self) -> str:
        """The range's name with the plugin's in front, ``plugin/name``."""
        return f"{self.folder}/{self.name}"


class _Names:
    """Index of the named ranges, rebuilt when the plugins have changed."""

    def __init__(self) -> None:
        self._changes = -1
        self._ranges: list[NamedRange] = []
        self._by_name: dict[str, list[NamedRange]] = {}

    def look_up(self) -> tuple[list[NamedRange], dict[str, list[NamedRange]]]:
        """Return a list of all ranges, plugin by plugin, and a dict of the ranges by name.

        The keys of the dict are the short and the full names; several plugins may offer ranges of
        the same short name.
        """
        changes = PLUGINS.load().changes
        if changes != self._changes:
            ranges = [
                attrs.evolve(own, folder=_folder_of(offer.plugin), origin=offer.origin)
                for offer in PLUGINS.call(HOOK, _read_ranges)
                for own in offer.answer
            ]
            by_name: dict[str, list[NamedRange]] = {}
            for own in ranges:
                for name in {own.name, own.full_name}:
                    by_name.setdefault(name, []).append(own)
            self._ranges, self._by_name, self._changes = ranges, by_name, changes
        return self._ranges, self._by_name


_NAMES = _Names()


def list_ranges() -> list[NamedRange]:
    return _NAMES.look_up()[0]


def find_range(name: str, within: str = "") -> NamedRange:
    """Look up a range by its name, with or without the plugin, without the ``@``.

    If the name is in the text of a named range, `within` is the full name of this range; ranges of
    the same plugin then take precedence.
    """
    try:
        known = _NAMES.look_up()[1]
    except EvaluatorError as error:  # a plugin that is being loaded uses one
        raise RangeError(str(error)) from error
    found = known.get(name, [])
    folder = within.partition("/")[0]
    found = [own for own in found if own.folder == folder] or found
    if len(found) > 1:
        spellings = " and ".join(f"@{own.full_name}" for own in found)
        raise RangeError(
            f"{len(found)} ranges have the name {quoted(f'@{name}')}", expected=spellings
        )
    if found:
        return found[0]
    from difflib import get_close_matches

    expected = ", ".join(f"@{each}" for each in get_close_matches(name, known, n=_NEAREST))
    if not expected:
        example = min((each for each, own in known.items() if len(own) == 1), default="")
        expected = f"a name, as in @{example}" if example else "a hand, as in AKs"
        if name.isdecimal():
            expected += f"; a weight stands after its hand, as in AKs@{name}"
    hint = PLUGINS.describe_broken().removeprefix("; ")
    disabled = [fault.plugin for fault in PLUGINS.faults() if fault.status == "disabled"]
    if not hint and PLUGINS.is_disabled:
        hint = "plugins are disabled by --no-plugins"
    elif not hint and disabled:
        hint = f"plugins are disabled: {', '.join(disabled)}"
    elif not hint and known:
        hint = "`holdem range --list` shows all named ranges"
    elif not hint:
        hint = "there are no named ranges; plugins offer them, or a file given with --ranges"
    problem = f"no range has the name {quoted(f'@{name}')}"
    if len(hint) > MAX_LINE:  # it would be left out
        problem, hint = f"{problem}; {hint}", ""
    raise RangeError(
        problem,
        expected=expected,
        hint=hint,
    )


def _folder_of(plugin: str) -> str:
    """Convert a plugin's name to the part before ``/`` in the full names of its ranges."""
    stem = re.sub(r"\.(py|json|txt)\Z", "", plugin)
    return re.sub("[^A-Za-z0-9_-]+", "-", stem).strip("-") or "plugin"


def _read_ranges(answer: Any, _: Origin) -> list[NamedRange]:
    """Validate a plugin's answer to `holdem_ranges`, and convert it to named ranges.

    Their `folder` and `origin` are still empty.
    """
    if not isinstance(answer, Mapping):
        raise EvaluatorError(
            f"{HOOK} returned {one_line(repr(answer), 100)}, not a mapping from names to ranges"
        )
    ranges = []
    for name, given in answer.items():
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise EvaluatorError(
                f"{HOOK}: {quoted(name)} is not a valid name of a range: use letters, digits, -"
                " and _, with / between parts, as in utg-open"
            )
        weights = None if isinstance(given, str) else getattr(given, "weights", None)
        if not isinstance(given, str) and not (
            isinstance(weights, np.ndarray) and weights.shape == (COMBO_COUNT,)
        ):
            raise EvaluatorError(f"{HOOK}: {name} is {quoted(given)}, not a Range or text")
        text = str(given).strip(" \t\r\n,;")
        if not text:
            raise EvaluatorError(f"{HOOK}: {name} is an empty range")
        ranges.append(NamedRange(name, "", Origin(), text, weights))
    return ranges
