"""Charts of results, drawn with matplotlib (extra ``plot``).

`charts` has bars and curves, `heat_maps` grids, and `figures` axes, files and legends.

Raises:
    HoldemRuntimeError: on import, if matplotlib is not installed.
"""

from holdem.errors import HoldemRuntimeError

try:
    import matplotlib as mpl  # noqa: F401
except ImportError as error:
    raise HoldemRuntimeError("charts need matplotlib: pip install matplotlib") from error
