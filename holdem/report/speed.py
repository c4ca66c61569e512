"""Speeds and spans of time, for people."""

from __future__ import annotations


def rate(per_second: float | None) -> str:
    """Return a number a second with three figures: ``"438 M/s"``; a dash for None."""
    if per_second is None:
        return "-"
    for size, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if per_second >= 0.9995 * size:
            return f"{_three_figures(per_second / size)} {prefix}/s"
    return f"{_three_figures(per_second)} /s"


def duration(seconds: float) -> str:
    """Return a span of time in the unit that suits it: ``"41 minutes"``."""
    for size, unit in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2 * size:
            return f"{_two_figures(seconds / size)} {unit}"
    return f"{_two_figures(seconds)} s"


def _three_figures(number: float) -> str:
    return f"{number:.0f}" if number >= 99.95 else f"{number:#.3g}"


def _two_figures(number: float) -> str:
    return f"{number:,.0f}" if number >= 9.95 else f"{number:.1f}"
