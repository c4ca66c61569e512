"""What is wrong with what a person sees on a page."""

from pathlib import Path

_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def visible_faults(page):
    """Return a line for each fault of what is shown now: the element, and what is wrong with it.

    Every control and every text that the state of the page does not hide has a sensible size, is
    inside the window or can be scrolled there, is not behind something else, and is not cut
    (but for an ellipsis). Controls under an open dialog or popover may be behind it.
    """
    return page.evaluate(_SCRIPT)
