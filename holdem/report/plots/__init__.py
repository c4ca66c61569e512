"""Charts of results, drawn with matplotlib (extra ``plot``).

Raises:
    HoldemRuntimeError: on import, if matplotlib is not installed.
"""

from holdem.errors import HoldemRuntimeError

try:
    import matplotlib as mpl  # noqa: F401
except ImportError as error:
    raise HoldemRuntimeError("charts need matplotlib: pip install matplotlib") from error
