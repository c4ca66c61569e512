"""The progress bar of a long run."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from types import TracebackType
from typing import Any

from holdem.odds.sampling.sampler import BLOCK
from holdem.trials.studies.schedule import Underway, expected_blocks
from holdem.trials.studies.store_rows import KeptSpot

_NAME = 20  # places for a spot's name
# In 80 places; what tqdm shows of itself is cut off there before the error.
_FORMAT = "{desc} {percentage:3.0f} % |{bar}| {rate_fmt}, {remaining} left{postfix}"


class RunProgress:
    """Shows deals, deals a second, time left, the spot and its error; nothing if switched off.

    The time left follows from how many deals the spots are expected to take. Where some have
    no other bound than time, that is not known and not shown.
    """

    def __init__(self, shown: bool, spots: Sequence[KeptSpot]) -> None:
        self._bar: Any = None
        if not shown:
            return
        from tqdm import tqdm

        self._count = len(spots)
        self._expected = [self._deals_of(spot) for spot in spots]
        self._total = sum(self._expected)
        self._bar = tqdm(
            total=self._total if isfinite(self._total) else None,
            bar_format=_FORMAT if isfinite(self._total) else None,
            initial=sum(spot.deals for spot in spots),
            unit=" deals",
            unit_scale=True,
            dynamic_ncols=True,
            leave=False,
        )

    def __enter__(self) -> RunProgress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def sampled(self, spot: Underway, deals: int) -> None:
        """Tell of the deals that were added to a sampled spot."""
        if self._bar is None:
            return
        course = spot.course
        expected: float = course.deals
        if course.stop is None:
            expected = max(BLOCK * expected_blocks(spot.asked.bounds, course), expected)
        self._expect(spot.number, expected)
        self._show(spot.number, spot.asked.name, f"error {course.stderr:.6f}")
        self._bar.update(deals)

    def exactly(self, number: int, name: str) -> None:
        """Tell of a spot that is being answered exactly."""
        if self._bar is not None:
            self._expect(number, 0)
            self._show(number, name, "exact")
            self._bar.refresh()

    def _show(self, number: int, name: str, how: str) -> None:
        shown = name if len(name) <= _NAME else name[: _NAME - 1] + "…"
        self._bar.set_description_str(f"{number + 1}/{self._count} {shown}", refresh=False)
        self._bar.set_postfix_str(how, refresh=False)

    def _expect(self, number: int, deals: float) -> None:
        before, self._expected[number] = self._expected[number], deals
        if not isfinite(before):  # the sum of the others is not at hand
            self._total = sum(self._expected)
        else:
            self._total += deals - before
        self._bar.total = self._total if isfinite(self._total) else None

    @staticmethod
    def _deals_of(spot: KeptSpot) -> float:
        if spot.stop is not None or spot.asked.method == "exact":
            return spot.deals
        bounds = spot.asked.bounds
        return max(bounds.deals or BLOCK * expected_blocks(bounds), spot.deals)
