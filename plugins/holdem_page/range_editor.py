"""`RangeEditor`, which shows the page's range editor in a notebook."""

from __future__ import annotations

from typing import Any

from holdem.optional_packages import import_package
from holdem.ranges.range import Range


class RangeEditor:
    """A range editor for notebooks: a 13×13 grid to paint, and the range as text.

    The editor is shown if it is the last value of a cell. The property `range` is the range that
    was last painted or typed. Setting `range` or `text` changes the editor on the screen.

    Attributes:
        widget: the ipywidgets widget, for layouts and for `observe`; its trait ``text`` is the
            range as a string.
    """

    widget: Any

    def __init__(self, hands: str | Range = "") -> None:
        """Create an editor.

        Args:
            hands: the range to begin with.

        Raises:
            RangeError: `hands` is invalid text.
            HoldemRuntimeError: anywidget is not installed.
        """
        import_package("anywidget", "RangeEditor needs anywidget")
        from holdem_page.range_widget import RangeWidget

        self.widget = RangeWidget(text=_text(hands))

    @property
    def range(self) -> Range:
        """The range that is shown in the editor, as last painted or typed."""
        return Range(self.widget.text)

    @range.setter  # noqa: A003 - the property
    def range(self, hands: str | Range) -> None:
        self.widget.text = _text(hands)

    @property
    def text(self) -> str:
        """The range that is shown in the editor, as a string."""
        return str(self.widget.text)

    @text.setter
    def text(self, text: str) -> None:
        self.widget.text = _text(text)

    def __repr__(self) -> str:
        return f"<RangeEditor of {self.text or 'no hands'}>"

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return self.widget._repr_mimebundle_(**options)


def _text(hands: str | Range) -> str:
    """Convert a range to a string; a valid string is kept unchanged."""
    found = Range(hands)
    return hands if isinstance(hands, str) else str(found)
