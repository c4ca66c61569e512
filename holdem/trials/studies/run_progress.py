"""Progress display for a study."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from holdem.jobs.run import ProgressBar
from holdem.odds.sampling.sampler import BLOCK
from holdem.trials.studies.schedule import RunningSpot, expected_blocks
from holdem.trials.studies.store_rows import StoredSpot

_NAME_WIDTH = 20
# Fits into 80 columns. Used only if the number of deals is known, and with it the time left.
_FORMAT = "{desc} {percentage:3.0f} % |{bar}| {rate_fmt}, {remaining} left{postfix}"


class StudyProgress:
    """A progress bar with the speed, the time left, and the current spot and its standard error."""

    def __init__(self, shown: bool, spots: Sequence[StoredSpot]) -> None:
        self._count = len(spots)
        self._shown_spot = -1
        self._expected = [_expected_deals(spot) for spot in spots] if shown else []
        self.bar = ProgressBar(
            shown,
            "deals",
            self._total(),
            initial=sum(spot.deals for spot in spots),
            delay=0,
            bar_format=None if self._total() is None else _FORMAT,
        )

    def sampled(self, running: RunningSpot, deals: int) -> None:
        """Update the progress bar after more deals of a spot have been sampled."""
        if self.bar.shown:
            state = running.state
            expected: float = state.deals
            if state.stop is None:
                expected = max(BLOCK * running.expected_blocks, expected)
            note = f"error {state.stderr:.6f}"
            self._show(running.number, running.spot.name, note, expected)
            self.bar.advance(deals)

    def exact(self, number: int, name: str) -> None:
        """Show in the progress bar that a spot is being computed exactly."""
        if self.bar.shown:
            self._show(number, name, "exact", 0)

    def _show(self, number: int, name: str, note: str, expected: float) -> None:
        self._expected[number] = expected
        self.bar.set_total(self._total())
        self.bar.note(note)
        if number != self._shown_spot:
            short = name if len(name) <= _NAME_WIDTH else name[: _NAME_WIDTH - 1] + "…"
            self.bar.describe(f"{number + 1}/{self._count} {short}")
            self._shown_spot = number

    def _total(self) -> float | None:
        total = sum(self._expected)
        return total if isfinite(total) else None


def _expected_deals(spot: StoredSpot) -> float:
    if spot.stop is not None or spot.spot.method == "exact":
        return spot.deals
    bounds = spot.spot.bounds
    return max(bounds.deals or BLOCK * expected_blocks(bounds), spot.deals)
