"""The progress bar on standard error: the only use of tqdm."""

from __future__ import annotations

from typing import Any


class ProgressBar:
    """A progress bar. If it is not shown it does nothing and does not import tqdm."""

    def __init__(
        self,
        shown: bool,
        unit: str,
        total: float | None = None,
        *,
        initial: float = 0,
        delay: float = 0.5,
        bar_format: str | None = None,
    ) -> None:
        """Create a progress bar.

        Args:
            shown: whether to show anything.
            unit: the unit of progress, in the plural, e.g. ``"deals"``.
            total: the total number of units; None if unknown.
            initial: the number of units that are already done.
            delay: seconds before the bar appears.
            bar_format: tqdm's format of the bar; None for the default.
        """
        self.shown = shown
        self._bar: Any = None
        if shown:
            from tqdm import tqdm

            self._bar = tqdm(
                total=total,
                initial=initial,
                unit=unit if unit == "%" else f" {unit}",
                unit_scale=True,
                leave=False,
                delay=delay,
                dynamic_ncols=True,
                bar_format=bar_format,
            )

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()

    def advance(self, amount: float) -> None:
        """Add `amount` units to those done."""
        if self._bar is not None:
            self._bar.update(amount)

    def describe(self, text: str) -> None:
        """Set the text before the bar."""
        if self._bar is not None:
            self._bar.set_description_str(text)

    def note(self, text: str) -> None:
        """Set the text after the bar, shown with the next `advance`."""
        if self._bar is not None and text:
            self._bar.set_postfix_str(text, refresh=False)

    def set_total(self, total: float | None) -> None:
        """Change the total number of units."""
        if self._bar is not None:
            self._bar.total = total
