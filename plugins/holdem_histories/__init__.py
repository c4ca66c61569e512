"""Hand histories: ``holdem history``, and the luck of players by all-in equity.

`sources` finds hands in files, folders and archives, and `reading` reads them. `phh`, `pokerstars`,
`ggpoker` and `bovada` each read one hand of their format; `replay` follows its chips, computes its
pots, and compares them with what the log says. `luck` adds up what players won, and what they would
have won by equity; `reports` and `chart` show it, and `command` is ``holdem history``. The hands
that were read, and the settlement of pots, are in `holdem.betting`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from holdem.plugins.hookspecs import hookimpl

if TYPE_CHECKING:
    from holdem_histories.luck import AllInReport, LuckLine, PlayerLuck, all_in_report
    from holdem_histories.reading import HandReader, SkippedHand, read_hands
    from holdem_histories.replay import LoggedHand

__all__ = [
    "AllInReport",
    "HandReader",
    "LoggedHand",
    "LuckLine",
    "PlayerLuck",
    "SkippedHand",
    "all_in_report",
    "read_hands",
]

# Imported on first use: plugins are loaded also for a list of evaluators.
_MODULES = {
    "AllInReport": "luck",
    "LuckLine": "luck",
    "PlayerLuck": "luck",
    "all_in_report": "luck",
    "HandReader": "reading",
    "SkippedHand": "reading",
    "read_hands": "reading",
    "LoggedHand": "replay",
}


@hookimpl
def holdem_commands() -> dict[str, str]:
    return {"history": "holdem_histories.command:command"}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
