"""`RangeWidget`: the page's range editor as a notebook widget, which needs no server."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from holdem.errors import HoldemError
from holdem_page.answers import answer
from holdem_page.refusals import error_json

_STATIC = Path(__file__).parent / "static"
_STYLES = ("theme", "page", "editor", "question", "forced_colours")
_COLOURS = re.compile(r":root \{(.*?)\}", re.DOTALL)  # light, then dark
_IMPORT = re.compile(r'from "\./(\w+\.js)"')


@cache
def module_sources(name: str = "range_editor.js") -> dict[str, str]:
    """Read a JavaScript module of the page and all modules that it imports, by file name."""
    source = (_STATIC / "js" / name).read_text(encoding="utf-8")
    found = {name: source}
    for other in _IMPORT.findall(source):
        found |= module_sources(other)
    return found


@cache
def scoped_styles() -> str:
    """Combine the page's style sheets into one that applies only inside the widget."""
    styles = (_STATIC / "css" / f"{name}.css" for name in _STYLES)
    text = "\n".join(style.read_text(encoding="utf-8") for style in styles)
    own = (_STATIC / "css" / "widget.css").read_text(encoding="utf-8")
    # JupyterLab's theme counts, which may differ from the system's.
    parts = zip(("true", "false"), ("light", "dark"), _COLOURS.findall(text)[:2], strict=True)
    themes = "\n".join(
        f'[data-jp-theme-light="{is_light}"] & {{{colours} color-scheme: {name};}}'
        for is_light, name, colours in parts
    )
    return f".holdem-range-editor {{\n{text.replace(':root', '&')}\n{themes}\n{own}}}\n"


class RangeWidget(anywidget.AnyWidget):  # type: ignore[misc]
    """The widget of `holdem_page.RangeEditor`.

    In a notebook, the page's JavaScript modules have no addresses by which they could import each
    other. Their sources are therefore sent to the browser, where ``widget.js`` links them. To find
    the combos of a range that was typed or painted, the browser sends a message with the keys
    ``id`` and ``text``, and receives one with ``id`` and ``answer``, which is what ``/api/range``
    would answer (its ``against`` is here ``opponents``); with ``against`` and ``board``, what
    ``/api/equity`` would.
    """

    _esm = _STATIC / "js" / "widget.js"
    _css = scoped_styles()
    _modules = traitlets.Dict(module_sources()).tag(sync=True)

    text = traitlets.Unicode().tag(sync=True)
    """The range as a string."""

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.on_msg(_read)


def _read(widget: RangeWidget, message: dict[str, Any], _: Any) -> None:
    """Answer a message from the browser: with `against`, the equity against it on a board."""
    name, question = "range", {"text": message["text"], "against": message.get("opponents")}
    if "against" in message:
        players = [message["text"], message["against"]]
        name, question = "equity", {"players": players, "board": message["board"]}
    try:
        _type, content = answer(name, question)
    except HoldemError as error:
        content = error_json(error)
    widget.send({"id": message["id"], "answer": json.loads(content)})
