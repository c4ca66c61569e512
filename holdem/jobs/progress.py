"""The progress bar on standard error: the only use of tqdm."""

from __future__ import annotations

from typing import Any


class ProgressBar:
    """A progress bar; does nothing, and does not import tqdm, when it is not shown."""

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
        """Begin.

        Args:
            shown: whether to show anything.
            unit: what is counted, in the plural: ``"deals"``.
            total: how many there are; None if unknown.
            initial: how many are done already.
            delay: seconds before the bar appears.
            bar_format: as of tqdm; its default if None.
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
        """Change how many units there are."""
        if self._bar is not None:
            self._bar.total = total
