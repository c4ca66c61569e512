"""Output of commands: reports on standard output, messages and progress on standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from holdem.errors import one_line

if TYPE_CHECKING:
    from holdem.report.model import Report, Style

#: The key of the context's ``meta`` that is true if the user wants symbols for suits.
WANTS_SYMBOLS = "holdem.wants_symbols"


def print_report(report: Report, output_format: str) -> None:
    """Print a report in a format of `holdem.report.formats.FORMATS`, such as ``"json"``."""
    from holdem.report.formats import render_parts

    for part in render_parts(report, output_format, output_style()):
        click.echo(part, nl=False)
    click.echo()


def print_result(result: Any, output_format: str, plot: str | None = None, **options: Any) -> None:
    """Print a result, and write its chart to the file `plot` if one is given.

    `options` are those of the function that makes the report.
    """
    from holdem.results.base_result import make_report

    print_report(make_report(result, **options), output_format)
    if plot is not None:
        result.save_plot(plot)


def print_text(text: str) -> None:
    """Print a plain-text result, wrapped to the width of the output."""
    from holdem.report.text_tables import fill

    click.echo(fill(text, output_style().width))


def output_style() -> Style:
    """Choose width, symbols and colours of text by the user's options and what stdout supports."""
    from holdem.report.model import Style, text_width
    from holdem.report.text_tables import BLOCKS

    wants_symbols = click.get_current_context().meta.get(WANTS_SYMBOLS, False)
    has_colour = _has_colour()
    return Style(
        width=text_width(_terminal_width(sys.stdout)),
        symbols=wants_symbols and _can_show("♣♦♥♠"),
        colour=has_colour,
        bars=has_colour and _can_show(BLOCKS),
    )


def _has_colour() -> bool:
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain


def _can_show(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _terminal_width(stream: TextIO) -> int:
    """Look up the width of a stream's terminal; 0 if the stream is not connected to one."""
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return 0


def check_output(path: Path, force: bool) -> None:
    shown = one_line(str(path))
    if path.exists() and not force:
        raise click.UsageError(
            f"{shown} exists already: choose another name, or replace it with --force"
        )
    if not path.parent.is_dir():
        folder = one_line(str(path.parent))
        raise click.UsageError(
            f"{shown}: there is no directory {folder}: make it first, or write elsewhere"
        )


def print_message(text: str, command: str = "holdem") -> None:
    """Print a message, after the name of the command, to standard error.

    Control characters are escaped; on a terminal, long lines are wrapped.
    """
    escaped = "".join(
        char if char.isprintable() or char == "\n" else char.encode("unicode_escape").decode()
        for char in f"{command}: {text}"
    )
    if width := _terminal_width(sys.stderr):
        from holdem.report.model import text_width
        from holdem.report.text_tables import fill

        escaped = fill(escaped, text_width(width))
    print(escaped, file=sys.stderr)


def shows_progress() -> bool:
    return sys.stderr.isatty()


_LONG = 10  # seconds


class Estimated:
    """Context manager that shows the estimated duration and the progress of a run over hands.

    The run calls `begin` once, when it knows its duration, and `advance` after each batch of hands.
    The estimate of a short run is printed only with `always`.
    """

    def __init__(self, what: str, *, always: bool = False) -> None:
        self._what = what
        self._always = always
        self._bar: Any = None

    def __enter__(self) -> Estimated:
        return self

    def begin(self, hands: int, seconds: float) -> None:
        """Print the estimated duration if the run is long, and start the progress bar."""
        from holdem.jobs.run import progress_bar
        from holdem.report.cells import duration

        if self._always or seconds >= _LONG:
            print_message(f"{self._what}: {hands:,} hands, about {duration(seconds)}")
        self._bar = progress_bar(shows_progress(), "hands", hands)

    def advance(self, hands: int) -> None:
        if self._bar is not None:
            self._bar.update(hands)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


class OutputError(Exception):
    """A result cannot be written, for example because the disk is full."""


class _ResultStream:
    """A replacement for `sys.stdout` that raises an `OutputError` for what cannot be written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with self._checked():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with self._checked():
            self._stream.flush()

    @contextlib.contextmanager
    def _checked(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        if isinstance(error, BrokenPipeError):
            raise error
        raise OutputError(f"cannot write to standard output: {error.strerror or error}") from None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _MessageStream(_ResultStream):
    """A replacement for `sys.stderr` that drops what cannot be written."""

    def _fail(self, _: OSError) -> None:
        _discard(self._stream.fileno())  # what the stream has kept can be flushed there


def _discard(descriptor: int) -> None:
    """Let a file descriptor refer to a file that discards all."""
    null = os.open(os.devnull, os.O_WRONLY)
    if null != descriptor:
        os.dup2(null, descriptor)
        os.close(null)


@contextlib.contextmanager
def checked_streams(*, permanently: bool = False) -> Iterator[None]:
    """Context manager in which a result that cannot be written is an error, and a message is not.

    Standard error may be closed, as services start programs, or a full disk, or a pipe whose
    reader is gone. Results are as with any other, and so is the exit code.

    With `permanently`, the streams stay so at the end: an abandoned thread that prints uses
    `sys.stdout` without holding a reference (issue 130163 of CPython).
    """
    before = sys.stdout, sys.stderr
    if sys.stderr is None:
        _discard(2)  # otherwise, the next file opened would get what C code prints
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - until the end
    sys.stderr = _MessageStream(sys.stderr)
    sys.stdout = sys.stdout and _ResultStream(sys.stdout)
    try:
        yield
    finally:
        try:
            if sys.stdout is not None:
                sys.stdout.flush()
        except (OSError, OutputError):
            _discard(sys.stdout.fileno())
        if not permanently:
            sys.stdout, sys.stderr = before
