"""Run the ``$ holdem …`` examples of README and docs and write what they print below them.

``tests/test_documents.py`` holds the documents to it. Run it after a change of output, and
read the difference before committing:

    python scripts/update_examples.py
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from holdem.jit.compile_time import COMPILING

ROOT = Path(__file__).parents[1]
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def answer(command: str) -> str:
    """Return what a command line prints."""
    words = shlex.split(command, comments=True)[1:]
    done = subprocess.run(
        [sys.executable, "-m", "holdem", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "100"},
        check=False,
    )
    # Whether something had to be compiled is no part of an example.
    return (done.stdout + done.stderr.replace(f"holdem: {COMPILING}\n", "")).rstrip()


def run_block(match: re.Match[str]) -> str:
    """Return a console block with fresh answers."""
    commands = re.findall(r"^\$ (.*)$", match[1], re.MULTILINE)
    return "```console\n" + "\n\n".join(f"$ {line}\n{answer(line)}" for line in commands) + "\n```"


def main() -> None:
    """Update every document in place."""
    for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        text = path.read_text(encoding="utf-8")
        updated = _BLOCK.sub(run_block, text)
        if updated != text:
            path.write_text(updated, encoding="utf-8")
            print(f"{path.relative_to(ROOT)}: updated")


if __name__ == "__main__":
    main()
