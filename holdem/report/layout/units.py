"""Formatting of counts, percentages, intervals, speeds and durations as text."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, log10


def count(value: float | None, digits: int = 4) -> str:
    """Format a count or a weighted sum with thousands separators; None becomes a dash.

    Args:
        value: the number. If it is an int, it has no decimals.
        digits: the number of decimals of a float.
    """
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"


def exact_decimals(values: Iterable[float | None], most: int = 4) -> int:
    """Return how many decimals show all numbers exactly, but at most `most`."""
    numbers = [value for value in values if value is not None]
    return next((n for n in range(most) if all(round(x, n) == x for x in numbers)), most)


def percent(value: float | None, digits: int = 4) -> str:
    """Format a fraction as a percentage; None becomes a dash."""
    return "-" if value is None else f"{100 * value:.{digits}f} %"


def decimals(stderr: float | None) -> int:
    """Return how many decimals of a percentage to print, given the fraction's standard error.

    The last one is that of the error's first digit, or of its second if the first is 1 or 2. Exact
    figures have four.
    """
    return max(0, -floor(log10(100 * stderr / 3))) if stderr else 4


def interval(bounds: tuple[float, float], digits: int = 3, sign: str = "") -> str:
    """Format an interval of fractions as percentages, such as ``"30.161 … 31.436 %"``.

    Args:
        bounds: the lower and the upper bound.
        digits: the number of decimals.
        sign: ``"+"`` to show the sign of positive numbers, too.
    """
    low, high = bounds
    return f"{100 * low:{sign}.{digits}f} … {100 * high:{sign}.{digits}f} %"


def rate(per_second: float | None) -> str:
    """Format a speed to three significant figures, such as ``"438 M/s"``; None becomes a dash."""
    if per_second is None:
        return "-"
    for size, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if per_second >= 0.9995 * size:
            return f"{_three_figures(per_second / size)} {prefix}/s"
    return f"{_three_figures(per_second)} /s"


def duration(seconds: float) -> str:
    """Format a duration in a suitable unit, such as ``"41 minutes"``."""
    for size, unit in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2 * size:
            return f"{_two_figures(seconds / size)} {unit}"
    return f"{_two_figures(seconds)} s"


def _three_figures(number: float) -> str:
    return f"{number:.0f}" if number >= 99.95 else f"{number:#.3g}"


def _two_figures(number: float) -> str:
    return f"{number:,.0f}" if number >= 9.95 else f"{number:.1f}"
