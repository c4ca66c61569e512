"""What all tests share: no setting of the user who runs them, nor of what started them."""

import contextlib
import os
import signal
from pathlib import Path

# Before anything is imported that could read it, and for the processes that tests start.
os.environ["HOLDEM_CONFIG"] = str(Path(__file__).parent / "data" / "no_configuration.toml")
# Whether a command finds its kernels compiled depends on what ran before it.
os.environ["HOLDEM_QUIET"] = "1"

# A job started in the background ignores Ctrl-C, and so would every process it starts.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    with contextlib.suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.default_int_handler)
