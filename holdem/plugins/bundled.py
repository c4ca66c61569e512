"""What the bundled plugins offer, for messages where one was left out or its old name is used.

The engine imports none of them: they are found through entry points, like a stranger's.
"""

from __future__ import annotations

#: The plugin of each command; other plugins cannot offer a command of this name.
COMMANDS = {"serve": "holdem_page"}

#: The plugin of each public name that was once in `holdem`.
NAMES = {"RangeEditor": "holdem_page"}
