"""The time that compiling takes."""

from __future__ import annotations


def seconds_compiling() -> float:
    """Return how long kernels were compiled in this process."""
    from holdem.jit.decorators import seconds_compiling as compiled

    return compiled()
