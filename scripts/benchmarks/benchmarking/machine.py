"""Description of the machine."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path

from benchmarking import peers
from holdem.version import VERSION


def describe(core: int | None) -> dict[str, object]:
    """Return the machine and the versions on which figures depend.

    Args:
        core: the core that the run is bound to; None if it could not be bound.
    """
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "core": core,
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "versions": {
            "holdem": VERSION,
            **{name: metadata.version(name) for name in ("numba", "numpy")},
            **peers.versions(),
        },
    }


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"
