"""Limits on the deals, the errors and the time of a sampled run, and their validation."""

from __future__ import annotations

from math import ulp

import attrs
import numpy as np

from holdem.arguments import checked_integer, checked_number
from holdem.errors import SpotError

#: The standard error at which a run without explicit bounds ends.
DEFAULT_STDERR = 0.0005

#: The deals, or hands, after which a run with no limit but a relative error ends if some answer's
#: relative error is still above `HOPELESS`: the answer is 0, or may be.
PATIENCE = 1 << 24
HOPELESS = 0.5

MAX_DEALS = 1 << 46  # deals with distinct random numbers: 2^32 blocks of 2^14
MIN_STDERR = 1e-6  # takes 2.5e11 deals of a coin flip
MIN_RELATIVE = 1e-6
MAX_RELATIVE = 0.1  # a larger one is met by luck, also where the answer is 0
MAX_SECONDS = 1e7


@attrs.frozen
class Bounds:
    """Limits on a sampled run, which ends as soon as one of them is reached; None for no limit."""

    deals: int | None = None
    stderr: float | None = None
    """The run ends once no player's equity has a larger standard error."""
    time: float | None = None
    """The duration in seconds."""
    relative: float | None = None
    """The run ends once no player's equity has a larger standard error as a part of itself."""

    @property
    def patience(self) -> int | None:
        """`PATIENCE` if the relative error is the only limit."""
        is_only = self.relative is not None and self.deals is self.stderr is self.time is None
        return PATIENCE if is_only else None


def check_bounds(
    deals: int | None,
    stderr: float | None,
    time: float | None,
    relative: float | None = None,
) -> Bounds:
    """Validate the limits on a sampled run.

    If none is given, the standard error is limited to `DEFAULT_STDERR`.
    """
    if deals is not None:
        deals = check_deals(deals)
    if stderr is not None:
        bounds = f"from {MIN_STDERR:g} up to 1"
        stderr = checked_number(stderr, "stderr", MIN_STDERR, 1.0, SpotError, bounds)
    if time is not None:
        bounds = f"above 0 and up to {MAX_SECONDS:g}"
        time = checked_number(time, "time", ulp(0.0), MAX_SECONDS, SpotError, bounds)
    if relative is not None:
        relative = check_relative(relative)
    if deals is None and stderr is None and time is None and relative is None:
        stderr = DEFAULT_STDERR
    return Bounds(deals, stderr, time, relative)


def check_relative(relative: float) -> float:
    bounds = f"from {MIN_RELATIVE:g} up to {MAX_RELATIVE:g}"
    return checked_number(relative, "relative", MIN_RELATIVE, MAX_RELATIVE, SpotError, bounds)


def check_deals(deals: float) -> int:
    """Validate a number of deals, given as an int or as a float such as 1e6."""
    if isinstance(deals, float | np.floating) and deals.is_integer():
        deals = int(deals)
    bounds = f"from 1 to {MAX_DEALS:,}"
    return checked_integer(deals, "deals", 1, MAX_DEALS, SpotError, bounds)
