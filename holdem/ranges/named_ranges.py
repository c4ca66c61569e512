"""`named_ranges`, which lists the ranges that plugins offer."""

from __future__ import annotations

from collections import Counter
from typing import Any

import attrs

from holdem.errors import RangeError
from holdem.ranges.names import NamedRange, list_ranges
from holdem.ranges.range import Range


@attrs.frozen(eq=False)
class RangeEntry:
    """An entry of ``holdem range --list``: a named range, which may be invalid."""

    name: str
    """The shortest unambiguous name of the range, without the ``@``."""
    named: NamedRange
    range: Range | None
    """The range by standard rules; None if it is not valid."""
    reason: str
    """Why the range is not valid; empty if it is valid."""

    def to_dict(self) -> dict[str, Any]:
        """Build the JSON object that ``holdem range --list -f json`` prints for the range."""
        origin = self.named.origin
        return {
            "name": self.name,
            "plugin": self.named.folder,
            "distribution": origin.distribution,
            "version": origin.version,
            "text": self.named.text,
            "combos": None if self.range is None else len(self.range),
            "share": None if self.range is None else self.range.share,
            "reason": self.reason,
        }


def list_entries() -> list[RangeEntry]:
    """List all named ranges, including invalid ones, plugin by plugin."""
    known = list_ranges()
    count = Counter(own.name for own in known)
    entries = []
    for own in known:
        name = own.name if count[own.name] == 1 else own.full_name
        try:
            entries.append(RangeEntry(name, own, Range(f"@{own.full_name}"), ""))
        except RangeError as error:
            entries.append(RangeEntry(name, own, None, str(error).partition(" (position")[0]))
    return entries


def named_ranges() -> dict[str, Range]:
    """Return the ranges that plugins offer, which range strings use as ``@name``.

    A name that several plugins use is given in its longer form, ``plugin/name``. A range that is
    not valid by standard rules is left out; ``holdem range --list`` says why.

    Returns:
        The ranges by name, without the ``@``, plugin by plugin.
    """
    return {entry.name: entry.range for entry in list_entries() if entry.range is not None}
