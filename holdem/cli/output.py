"""Output of commands: reports on standard output, messages on standard error."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from holdem.report.formats import Report
    from holdem.report.suits import SuitStyle

#: The key of the context's ``meta`` that is true if the user wants symbols for suits.
WANTS_SYMBOLS = "holdem.wants_symbols"


def print_report(report: Report, output_format: str) -> None:
    """Print a result in one of the formats of `holdem.report.formats`."""
    from holdem.report.formats import render

    suits = suit_style(colour=has_colour() and output_format == "table")
    click.echo(render(report, output_format, suits=suits))


def suit_style(*, colour: bool) -> SuitStyle:
    """Return the style of suits that the user wants and standard output can encode.

    Args:
        colour: whether symbols are coloured.
    """
    if not click.get_current_context().meta.get(WANTS_SYMBOLS):
        return "letters"
    try:
        "♣♦♥♠".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return "letters"
    return "coloured" if colour else "symbols"


def has_colour() -> bool:
    """Return whether standard output is a terminal on which the user wants colours."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain


def print_message(text: str, command: str = "holdem") -> None:
    """Print a message to standard error, with control characters escaped.

    Args:
        text: the message.
        command: the name of the command, shown before the message.
    """
    escaped = "".join(
        char if char.isprintable() or char == "\n" else char.encode("unicode_escape").decode()
        for char in f"{command}: {text}"
    )
    click.echo(escaped, err=True)


def shows_progress() -> bool:
    """Return whether to show progress, which requires standard error to be a terminal."""
    return sys.stderr.isatty()
