"""Output of commands: reports on standard output, messages and progress on standard error.

Evaluators are other people's code. A `print` in one, or a line from a C library, would end up in
the middle of a JSON result. `results_only` sends it to standard error instead.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from holdem.errors import one_line
from holdem.plugins.guard import in_guarded_call

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
    """Print a message to standard error, with control characters escaped.

    On a terminal, long lines are wrapped.
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
    """Test whether progress can be shown: standard error must be a terminal."""
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


@contextlib.contextmanager
def _write_errors() -> Iterator[None]:
    """Convert write errors, except for a closed pipe, to `OutputError`."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"cannot write to standard output: {reason}") from None


class _MessageStream:
    """A replacement for `sys.stderr` that drops what cannot be written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with self._dropping():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with self._dropping():
            self._stream.flush()

    @contextlib.contextmanager
    def _dropping(self) -> Iterator[None]:
        try:
            yield
        except OSError:
            _discard(self._stream.fileno())  # what the stream has kept can be flushed there

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _discard(descriptor: int) -> None:
    """Let a file descriptor refer to a file that discards all."""
    null = os.open(os.devnull, os.O_WRONLY)
    if null != descriptor:
        os.dup2(null, descriptor)
        os.close(null)


@contextlib.contextmanager
def messages_optional(*, permanently: bool = False) -> Iterator[None]:
    """Context manager in which a standard error that cannot be written to is no error.

    It may be closed, as services start programs, or a full disk, or a pipe whose reader is gone.
    Results are as with any other, and so is the exit code.
    """
    before = sys.stderr
    if before is None:
        _discard(2)  # otherwise, the next file opened would get what C code prints
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - until the end
    sys.stderr = _MessageStream(sys.stderr)
    try:
        yield
    finally:
        if not permanently:
            sys.stderr = before


class _ResultStream:
    """A replacement for `sys.stdout` that passes on only the engine's own results.

    Output of evaluators, and of threads other than the main thread, goes to standard error.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def _target(self) -> TextIO:
        is_own = not in_guarded_call() and threading.current_thread() is threading.main_thread()
        return self._stream if is_own else sys.stderr

    def write(self, text: str) -> int:
        with _write_errors():
            return self._target().write(text)

    def writelines(self, lines: Any) -> None:
        with _write_errors():
            self._target().writelines(lines)

    def flush(self) -> None:
        with _write_errors():
            self._stream.flush()

    def end(self) -> None:
        """Flush the stream, and send all later output to standard error."""
        stream, self._stream = self._stream, sys.stderr
        with contextlib.suppress(OSError):  # a closed pipe
            stream.flush()

    @property
    def buffer(self) -> Any:
        return self._target().buffer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def results_only(*, permanently: bool = False) -> Iterator[None]:
    """Context manager that reserves `sys.stdout` and file descriptor 1 for the engine's results.

    What evaluators, C code or other threads write there goes to standard error.

    Args:
        permanently: whether to leave standard output redirected at the end, so that later output,
            such as that of an evaluator at exit or in an abandoned thread, goes to standard error.
            `sys.stdout` must not be replaced while an abandoned thread may run: `print` uses it
            without holding a reference (issue 130163 of CPython).
    """
    if sys.stdout is None:
        raise OutputError("cannot write to standard output: it is closed")
    stream = sys.stdout
    duplicate = _redirect_descriptor(stream)
    results = _ResultStream(stream if duplicate is None else duplicate)
    sys.stdout = results
    try:
        yield
    finally:
        results.end()
        if not permanently:
            sys.stdout = stream
        if duplicate is not None:
            if not permanently:
                os.dup2(duplicate.fileno(), 1)
            with contextlib.suppress(OSError):
                duplicate.close()


def _redirect_descriptor(stream: TextIO) -> TextIO | None:
    """Redirect file descriptor 1 to standard error, and keep a way to its former target.

    Args:
        stream: the current `sys.stdout`.

    Returns:
        A new stream that writes to the former target. None if `stream` does not use file
        descriptor 1, or cannot be duplicated: then, nothing is redirected.
    """
    try:
        if stream.fileno() != 1:
            return None
        stream.flush()
        duplicate = os.fdopen(
            os.dup(1),
            "w",
            encoding=stream.encoding,
            errors=stream.errors,
            buffering=1 if stream.isatty() else -1,
        )
        os.dup2(2, 1)
    except (OSError, ValueError):  # no descriptor, or a closed one
        return None
    return duplicate
