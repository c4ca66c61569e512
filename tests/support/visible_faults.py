"""What is wrong with what a person sees on a page."""

from pathlib import Path

_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def visible_faults(page, turn=None):
    """Return a line for each fault of what is shown now: the element, and what is wrong with it.

    Every control and every text that the state of the page does not hide has a sensible size, is
    inside the window or can be scrolled there, is not behind something else, and is not cut, or
    ends in an ellipsis and has a title. Nothing scrolls sideways. Controls under an open
    dialog or popover may be behind it. With a turn, 0 to 2, only a third of the cells and cards are
    looked at for what covers them, which is slow.
    """
    return page.evaluate(_SCRIPT, turn)
