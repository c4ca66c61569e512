"""What all tests share: no setting of the user who runs them."""

import os
from pathlib import Path

# Before anything is imported that could read it, and for the processes that tests start.
os.environ["HOLDEM_CONFIG"] = str(Path(__file__).parent / "data" / "no_configuration.toml")
