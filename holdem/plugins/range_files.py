"""Files of named ranges, given with ``--ranges``: each becomes a plugin that offers them."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import attrs

from holdem.errors import RangeError, one_line, quoted
from holdem.plugins.hookspecs import hookimpl
from holdem.plugins.manager import PLUGINS, Origin

# A line such as "BTN/open: 22+,A2s+". The last colon before a blank ends the name.
_LINE = re.compile(r"(.+):\s+(.+)")


@attrs.frozen(eq=False)
class _RangesFile:
    """Plugin that offers the ranges in a file."""

    ranges: dict[str, str]

    @hookimpl
    def holdem_ranges(self) -> dict[str, str]:
        return self.ranges


def register_file(path: str | os.PathLike[str]) -> None:
    """Register a plugin, named after a file, that offers the ranges in this file.

    It is a JSON file of ranges saved by the page, or a text file with a line such as ``BTN/open:
    22+,A2s+`` for each range. In names, characters other than letters, digits, ``-``, ``_`` and
    ``/`` are replaced by ``-``. A plugin of a file of the same name is replaced.
    """
    file = Path(path)
    shown = one_line(file.name)
    try:
        text = file.read_text(encoding="utf-8-sig")  # editors may write a BOM
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise RangeError(f"ranges {quoted(str(path))}: {reason}") from error
    ranges: dict[str, str] = {}
    for name, hands in _read_pairs(text, shown):
        parts = [re.sub("[^A-Za-z0-9_-]+", "-", part).strip("-") for part in name.split("/")]
        clean = "/".join(filter(None, parts))
        if not clean or clean in ranges:
            problem = "has no letter or digit" if not clean else "stands there twice"
            raise RangeError(f"ranges {quoted(shown)}: the name {quoted(name)} {problem}")
        ranges[clean] = hands
    if not ranges:
        raise RangeError(f"ranges {quoted(shown)}: it has no ranges")
    if PLUGINS.has_plugin(shown):
        PLUGINS.unregister(name=shown)
    PLUGINS.add(_RangesFile(ranges), shown, Origin(shown))


def _read_pairs(text: str, shown: str) -> list[tuple[str, str]]:
    """Read a file's ranges, as names with range strings; `shown` names the file in errors."""
    pairs: list[tuple[str, str]] = []
    if text.lstrip().startswith("{"):
        try:
            content = json.loads(text)
            listed = content.get("ranges", content)
            if isinstance(listed, dict):
                pairs = list(listed.items())
            else:
                pairs = [(each["name"], each["text"]) for each in listed]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            reason = f" ({error})" * isinstance(error, json.JSONDecodeError)
            raise RangeError(
                f"ranges {quoted(shown)}: it is not a file of ranges{reason}; as JSON it has names"
                ' and ranges, as in {"BTN/open": "22+,A2s+"}'
            ) from error
        for name, hands in pairs:
            if not isinstance(name, str) or not isinstance(hands, str):
                raise RangeError(
                    f"ranges {quoted(shown)}: names and ranges must be text, not"
                    f" {quoted(name)}: {quoted(hands)}"
                )
        return pairs
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise RangeError(
                f"ranges {quoted(shown)}, line {number}: {quoted(line)} is not of the form"
                " 'name: range', as in 'BTN/open: 22+,A2s+'"
            )
        pairs.append((match[1], match[2]))
    return pairs
