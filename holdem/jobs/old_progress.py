"""A progress bar on standard error, for those who want one."""

from __future__ import annotations

from types import TracebackType
from typing import Any


class Progress:
    """Shows how far a run has come; does nothing, and loads nothing, when switched off."""

    def __init__(self, shown: bool, unit: str, total: int | None) -> None:
        self._bar: Any = None
        if shown:
            from tqdm import tqdm

            self._bar = tqdm(total=total, unit=unit, unit_scale=True, leave=False, delay=0.5)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def at(self, what: str) -> None:
        """Tell what the run is at."""
        if self._bar is not None:
            self._bar.set_description_str(what, refresh=False)

    def sampled(self, deals: int, stderr: float) -> None:
        """Tell of a sampled run: the deals so far, and the largest standard error."""
        if self._bar is not None:
            self._bar.set_postfix_str(f"standard error {stderr:.6f}", refresh=False)
            self._bar.update(deals - self._bar.n)

    def advance(self, done: int) -> None:
        """Tell how many units are done."""
        if self._bar is not None:
            self._bar.update(done - self._bar.n)

    def part_done(self, share: float) -> None:
        """Tell of an exact run: how much of it is done, 0..1."""
        if self._bar is not None:
            self._bar.update(100 * share - self._bar.n)
