"""A progress bar on standard error, the only code that uses tqdm."""

from __future__ import annotations

from typing import Any


class ProgressBar:
    """A progress bar that does nothing, and does not import tqdm, unless it is shown."""

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
        """Remove the progress bar from the screen."""
        if self._bar is not None:
            self._bar.close()

    def advance(self, amount: float) -> None:
        """Advance the progress bar by `amount` units."""
        if self._bar is not None:
            self._bar.update(amount)

    def describe(self, text: str) -> None:
        """Set the text shown before the progress bar."""
        if self._bar is not None:
            self._bar.set_description_str(text)

    def note(self, text: str) -> None:
        """Set the text after the bar, to be shown at the next call of `advance`."""
        if self._bar is not None and text:
            self._bar.set_postfix_str(text, refresh=False)

    def set_total(self, total: float | None) -> None:
        """Change the total number of units."""
        if self._bar is not None:
            self._bar.total = total
