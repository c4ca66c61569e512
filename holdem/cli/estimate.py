"""Long runs that say beforehand how long they take, and show on a terminal how far they are."""

from __future__ import annotations

from types import TracebackType

import click

from holdem.cli import options

_LONG = 10  # seconds, from which on the estimate is told


class Estimated:
    """A run over many hands.

    Args:
        what: what is going on, e.g. ``"checking lookup"``.
        always: tell the estimate of a short run, too.
    """

    def __init__(self, what: str, *, always: bool = False) -> None:
        from holdem.jobs.old_progress import Progress

        self._what = what
        self._always = always
        self._done = 0
        self._bar = Progress(False, "hands", None)

    def __enter__(self) -> Estimated:
        return self

    def begin(self, hands: int, seconds: float) -> None:
        """Say how many hands there are, and how long they take."""
        from holdem.jobs.old_progress import Progress
        from holdem.report.speed import duration

        if self._always or seconds >= _LONG:
            told = f"{hands:,} hands, about {duration(seconds)}"
            click.echo(f"holdem: {self._what}: {told}", err=True)
        self._bar = Progress(options.on_terminal(), "hands", hands)

    def advance(self, hands: int) -> None:
        """Tell of so many more hands."""
        self._done += hands
        self._bar.advance(self._done)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.__exit__(kind, error, trace)
