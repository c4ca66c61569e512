"""Write the messages in `tests/data/messages.toml` as the package has them now.

    python scripts/make/update_messages.py [--missing]

Each line of the table is an input and the message about it. After you have changed a sentence,
or added an input with an empty message, run this script and read the diff.

--missing also prints the `raise` statements of the packages that no input of the table reaches.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import threading
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGES = [ROOT / "holdem", *ROOT.glob("plugins/holdem_*")]

sys.path.append(str(ROOT / "tests" / "support"))
DOORS: Any = import_module("message_doors")  # which the type checker does not see

_HEAD = """\
# What provokes each message of the package, and the whole message, which says what is wrong, where,
# and what would be right; … stands for any text.
#
# [files] has the files of the working directory; each other table is a door of
# tests/support/message_doors.py. tests/test_messages.py compares the messages, and
# scripts/make/update_messages.py renews them.
"""


def format_table(messages: Mapping[str, Mapping[str, str]]) -> str:
    """Format the file: its comment, the files, and the messages by door and input."""
    parts = [_HEAD]
    for door, texts in {"files": DOORS.FILES, **messages}.items():
        rows = [f"{_format_key(text)} = {_format(message)}\n" for text, message in texts.items()]
        parts.append(f"[{door}]\n{''.join(rows)}")
    return "\n".join(parts)


def _format_key(text: str) -> str:
    return f"'{text}'" if _is_literal(text) and '"' in text else _escape(text)


def _format(text: str) -> str:
    """Format a message: on lines of its own if it has several, and with few escapes."""
    lines = text.rstrip("\n").split("\n")
    if len(lines) > 1 and "'''" not in text and all(map(str.isprintable, lines)):
        return f"'''\n{text}'''"
    return f"'{text}'" if _is_literal(text) else _escape(text)


def _is_literal(text: str) -> bool:
    """Check whether a text can stand between single quotes, without escapes."""
    return text.isprintable() and "'" not in text


def _escape(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def renewed(door: str, text: str, message: str) -> str:
    """Return the message about an input, abbreviated where that of the table is."""
    found: str | None = DOORS.ask(door, text)
    if found is None:
        raise SystemExit(
            f"[{door}] {_format_key(text)} is accepted: remove it from {DOORS.PATH.name}"
        )
    return message if DOORS.matches(message, found) else found


def missing(reached: set[tuple[str, int]]) -> list[str]:
    """List the `raise` statements of the packages that are on none of the lines reached."""
    found = []
    for file in sorted(file for package in PACKAGES for file in package.rglob("*.py")):
        source = file.read_text("utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Raise) and node.exc:
                lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                if not any((str(file), line) in reached for line in lines):
                    text = " ".join(ast.unparse(node.exc).split())
                    found.append(f"{file.relative_to(ROOT)}:{node.lineno}: {text[:200]}")
    return found


def main() -> None:
    """Renew the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--missing", action="store_true", help="list what no input reaches")
    options = parser.parse_args()
    reached: set[tuple[str, int]] = set()

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(tuple(map(str, PACKAGES))):
            return None
        if event == "exception":
            reached.add((frame.f_code.co_filename, frame.f_lineno))
        return trace

    if options.missing:
        threading.settrace(trace)
        sys.settrace(trace)
    table = {
        door: {text: renewed(door, text, message) for text, message in texts.items()}
        for door, texts in DOORS.MESSAGES.items()
    }
    sys.settrace(None)
    DOORS.PATH.write_text(format_table(table), encoding="utf-8")
    lines = sum(map(len, table.values()))
    print(f"{DOORS.PATH.relative_to(ROOT)}: {lines} messages of {len(table)} doors")
    if options.missing:
        print(*missing(reached), sep="\n")


if __name__ == "__main__":
    main()
