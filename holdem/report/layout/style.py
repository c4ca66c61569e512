"""`Style`: how a report is shown as text."""

from __future__ import annotations

import os
import re

import attrs

DEFAULT_WIDTH = 80
_LEAST_WIDTH = 60


@attrs.frozen
class Style:
    """How a report is shown as text. The default is plain text for a file or a pipe."""

    width: int = DEFAULT_WIDTH
    """The most characters in a line. Tables are laid out to fit."""
    symbols: bool = False
    """Show suits as ♣ ♦ ♥ ♠ instead of letters."""
    colour: bool = False
    """Use ANSI codes for colours."""
    bars: bool = False
    """Draw bars with block characters beside the rows of tables that have them."""


def text_width(terminal: int = 0) -> int:
    """Return the width of text output, in columns, at least 60.

    Args:
        terminal: the width of the terminal; 0 without one, which counts as 80. The environment
            variable ``COLUMNS`` overrides it.
    """
    given = os.environ.get("COLUMNS", "")
    columns = int(given) if re.fullmatch("[0-9]{1,5}", given) else 0
    return max(columns or terminal or DEFAULT_WIDTH, _LEAST_WIDTH)
