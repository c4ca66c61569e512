"""Draw the layers of the package, as `tests/test_layers.py` has them, for the page on the design.

    python scripts/make/make_layers_figure.py

A box has the first line of a docstring; where there is no room, the beginning, up to the colon.
"""

from __future__ import annotations

import ast
import runpy
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[2]
FIGURE = ROOT / "docs" / "_static" / "layers.svg"

_WIDTH, _HEIGHT, _GAP = 760, 40, 6
_LETTER = 6.2  # the width of a letter of a title
_HIDDEN = {"version", "__main__"}


def draw(layers: list[set[str]]) -> str:
    """Draw the layers, the lowest of which comes first, as SVG with the lowest at the bottom."""
    rows = [sorted(layer - _HIDDEN) for layer in reversed(layers)]
    boxes = []
    for row, parts in enumerate(rows):
        width = (_WIDTH + _GAP) / len(parts)
        for number, part in enumerate(parts):
            boxes.append(_draw_box(part, number * width, row * (_HEIGHT + _GAP), width - _GAP))
    height = len(rows) * (_HEIGHT + _GAP) - _GAP
    style = (
        "rect{fill:#f3f5f8;stroke:#8a94a3}.package{fill:#dfe8fb}"
        "text{font:13px sans-serif;fill:#15191f;text-anchor:middle}"
        ".name{font-weight:bold}.title{font-size:11px}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {_WIDTH + 2} {height + 2}"'
        f' width="{_WIDTH + 2}">\n<style>{style}</style>\n{"".join(boxes)}</svg>\n'
    )


def _draw_box(part: str, left: float, top: float, width: float) -> str:
    """Draw a package or module with the first line of its docstring, or the beginning of it."""
    package = ROOT / "holdem" / part / "__init__.py"
    file = package if package.exists() else ROOT / "holdem" / f"{part}.py"
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    line = docstring.partition("\n")[0].replace("`", "").rstrip(".")
    title = line if len(line) * _LETTER < width else line.partition(":")[0]
    texts = [("name", part)] + [("title", title)] * (len(title) * _LETTER < width)
    middle, step = left + width / 2, _HEIGHT / (len(texts) + 1)
    lines = [
        f'<text class="{name}" x="{middle:g}" y="{top + step * number + 5:g}">{escape(text)}</text>'
        for number, (name, text) in enumerate(texts, 1)
    ]
    kind = "package" if package.exists() else "module"
    return (
        f'<rect class="{kind}" x="{left:g}" y="{top:g}" width="{width:g}" height="{_HEIGHT}"'
        f' rx="4"/>\n{"".join(lines)}\n'
    )


if __name__ == "__main__":
    layers = runpy.run_path(str(ROOT / "tests" / "test_layers.py"))["LAYERS"]
    FIGURE.write_text(draw(layers), encoding="utf-8")
