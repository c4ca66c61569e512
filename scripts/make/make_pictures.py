"""Make the pictures of ``docs/guide/pictures.md``, one for each command and script on the page.

    python scripts/make/make_pictures.py docs/_static/pictures

The examples of the page are run, in order. Their pictures get a palette, so that no file is
larger than 70 kB.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image

from holdem.cli import run

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "pictures.md"
# A file that examples of the page read.
HANDS = ROOT / "tests" / "data" / "histories" / "pluribus.phhs"

_COMMAND = re.compile(r"^\$ holdem (.*)$", re.MULTILINE)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_COLOURS = 256
_LARGEST = 70_000  # bytes


def run_block(language: str, content: str) -> None:
    """Run an example of the page in the current folder; write a study file there."""
    if language == "python":
        exec(content, {"__name__": "example"})
    elif language == "toml":
        name = content.partition("\n")[0].removeprefix("# ")
        Path(name).write_text(content, encoding="utf-8")
    else:
        for command in _COMMAND.findall(content):
            with open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing):
                code = run(shlex.split(command))
            if code:
                sys.exit(f"holdem {command}: exit code {code}")


def reduce_colours(source: Path, target: Path) -> None:
    """Write a picture with a palette, and print its size.

    Raises:
        SystemExit: the file is too large.
    """
    with Image.open(source) as picture:
        reduced = picture.convert("RGB").quantize(_COLOURS)
    reduced.save(target, optimize=True)
    length = target.stat().st_size
    if length > _LARGEST:
        sys.exit(f"{target.name} has {length:,} bytes")
    print(f"{target.name}: {length:,} bytes")


def main() -> None:
    """Write all pictures to the folder given as argument."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        shutil.copy(HANDS, work)
        with contextlib.chdir(work):
            for language, content in _BLOCK.findall(PAGE.read_text(encoding="utf-8")):
                run_block(language, content)
        for path in sorted(Path(work).glob("*.png")):
            reduce_colours(path, folder / path.name)


if __name__ == "__main__":
    main()
