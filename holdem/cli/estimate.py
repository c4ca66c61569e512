"""Estimated durations and progress bars for long runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdem.cli.output import print_message, shows_progress

if TYPE_CHECKING:
    from holdem.jobs.run import ProgressBar

_LONG = 10  # seconds


class Estimated:
    """Context manager that shows a run's estimated duration and its progress.

    Args:
        what: the description of the run, such as ``"checking lookup"``.
        always: print the estimate of a short run, too.
    """

    def __init__(self, what: str, *, always: bool = False) -> None:
        self._what = what
        self._always = always
        self._bar: ProgressBar | None = None

    def __enter__(self) -> Estimated:
        return self

    def begin(self, hands: int, seconds: float) -> None:
        """Print the estimated duration if the run is long, and start the progress bar."""
        from holdem.jobs.run import ProgressBar
        from holdem.report.layout.units import duration

        if self._always or seconds >= _LONG:
            print_message(f"{self._what}: {hands:,} hands, about {duration(seconds)}")
        self._bar = ProgressBar(shows_progress(), "hands", hands)

    def advance(self, hands: int) -> None:
        """Advance the progress bar by a number of hands."""
        if self._bar is not None:
            self._bar.advance(hands)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
