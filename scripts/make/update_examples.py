"""Run the ``$ holdem …`` examples of the documentation and update their output.

Output that differs only in seconds and rates is left unchanged. A line ``…`` stands for lines that
the document leaves out. ``tests/test_documents.py`` checks the examples. Run this script after a
change of output, and review the diff:

    python scripts/make/update_examples.py
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "docs").glob("*/*.md"),
        *(ROOT / "plugins").rglob("*.md"),
    ]
)
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands(block: str) -> list[tuple[str, str]]:
    """Return the command lines of a console block, each with its output."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(line, output) for line, _, output in (part.partition("\n") for part in parts)]


def without_times(output: str) -> str:
    """Remove seconds and rates per second, which differ from run to run, from output."""
    output = re.sub(r"\d+\.\d+ s\b", "… s", output)
    return re.sub(r"\d[\d.]* [GMk]?/s", "… /s", output).rstrip()


def is_shown(expected: str, current: str) -> bool:
    """Return whether output is the expected one, but for times and the lines left out by ``…``."""
    lines = without_times(expected).splitlines()
    pattern = "".join("(?:.*\n)*" if line == "…" else re.escape(line) + "\n" for line in lines)
    return re.fullmatch(pattern, without_times(current) + "\n") is not None


def run(command: str) -> str:
    """Return the output of a command line."""
    words = shlex.split(command, comments=True)[1:]
    done = subprocess.run(
        [sys.executable, "-m", "holdem", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "80", "HOLDEM_QUIET": "1"},
        check=False,
    )
    return (done.stdout + done.stderr).rstrip()


def update_block(match: re.Match[str]) -> str:
    """Return a console block with the current output of its commands."""
    examples = []
    for line, output in commands(match[1]):
        current = run(line)
        shown = output.rstrip() if is_shown(output, current) else current
        examples.append(f"$ {line}\n{shown}\n")
    return "```console\n" + "\n".join(examples) + "```"


def main() -> None:
    """Update every document in place."""
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        updated = _BLOCK.sub(update_block, text)
        if updated != text:
            path.write_text(updated, encoding="utf-8")
            print(f"{path.relative_to(ROOT)}: updated")


if __name__ == "__main__":
    main()
