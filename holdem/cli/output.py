"""Output of commands: reports on standard output, messages on standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from holdem.report.formats import Report


def print_report(report: Report, output_format: str) -> None:
    """Print a result in one of the formats of `holdem.report.formats`."""
    from holdem.report.formats import render

    click.echo(render(report, output_format))


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
