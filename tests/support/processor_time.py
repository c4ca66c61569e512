"""The processor time of other processes."""

import os
from pathlib import Path


def processor_seconds(pid):
    """Read the processor time that a process has used; infinite if it cannot be read."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return float("inf")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
