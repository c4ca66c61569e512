"""Results as pictures, drawn with matplotlib (extra ``plot``).

Raises:
    HoldemRuntimeError: on import, if matplotlib is not installed.
"""

from holdem.errors import HoldemRuntimeError, install_hint

try:
    import matplotlib as mpl  # noqa: F401
except ImportError as error:
    raise HoldemRuntimeError(f"pictures need matplotlib; {install_hint('plot')}") from error
