"""Output of commands: reports on standard output, messages on standard error."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from holdem.report.formats import Report
    from holdem.report.layout.style import Style

#: The key of the context's ``meta`` that is true if the user wants symbols for suits.
WANTS_SYMBOLS = "holdem.wants_symbols"


def print_report(report: Report, output_format: str) -> None:
    """Print a result in one of the formats of `holdem.report.formats`."""
    from holdem.report.formats import render

    click.echo(render(report, output_format, output_style()))


def print_text(text: str) -> None:
    """Print a result that is plain text, in lines that fit the output."""
    from holdem.report.layout.text import filled

    click.echo(filled(text, output_style().width))


def output_style() -> Style:
    """Return the style of text that the user wants and standard output can show."""
    from holdem.report.layout.style import Style, text_width
    from holdem.report.layout.text import BLOCKS

    wants_symbols = click.get_current_context().meta.get(WANTS_SYMBOLS, False)
    has_colour = _has_colour()
    return Style(
        width=text_width(_terminal_width(sys.stdout)),
        symbols=wants_symbols and _can_show("♣♦♥♠"),
        colour=has_colour,
        bars=has_colour and _can_show(BLOCKS),
    )


def _has_colour() -> bool:
    """Return whether standard output is a terminal on which the user wants colours."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain


def _can_show(text: str) -> bool:
    """Return whether the encoding of standard output has some characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _terminal_width(stream: TextIO) -> int:
    """Return the width of the terminal to which a stream belongs; 0 if it belongs to none."""
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return 0


def print_message(text: str, command: str = "holdem") -> None:
    """Print a message to standard error, with control characters escaped.

    On a terminal, long lines are wrapped.

    Args:
        text: the message.
        command: the name of the command, shown before the message.
    """
    escaped = "".join(
        char if char.isprintable() or char == "\n" else char.encode("unicode_escape").decode()
        for char in f"{command}: {text}"
    )
    if width := _terminal_width(sys.stderr):
        from holdem.report.layout.style import text_width
        from holdem.report.layout.text import filled

        escaped = filled(escaped, text_width(width))
    click.echo(escaped, err=True)


def shows_progress() -> bool:
    """Return whether to show progress, which requires standard error to be a terminal."""
    return sys.stderr.isatty()
