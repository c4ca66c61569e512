"""The page in the browser: ``holdem serve``, and `RangeEditor`, its range grid in a notebook.

`command` is ``holdem serve``. `server` accepts connections, `handler` answers or refuses requests,
and `watcher` ends the work on a request that takes too long or whose client has disconnected.
`answers` computes answers with the functions that the command line uses, and `refusals` turns
errors into responses. ``static/`` contains HTML, style sheets and JavaScript modules: ``state.js``
holds the current question and its undo; ``ranges.js`` has the weights of ranges; ``link.js`` writes
and reads it as an address; ``answer.js`` asks the server, and knows which answers belong to the
current question; the other modules draw the page, and ``answers/`` has a module for each report.
Each script and style sheet begins with a comment that says what it is for. `range_editor` and
`range_widget` show the range grid in a notebook.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdem.plugins.hookspecs import hookimpl

if TYPE_CHECKING:
    from holdem_page.range_editor import RangeEditor

__all__ = ["RangeEditor"]

#: The port if none is given. Browsers keep saved ranges by address, which includes the port.
DEFAULT_PORT = 8463


@hookimpl
def holdem_commands() -> dict[str, str]:
    return {"serve": "holdem_page.command:command"}


def __getattr__(name: str) -> Any:
    if name != "RangeEditor":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from holdem_page.range_editor import RangeEditor

    return RangeEditor
