"""`Chart`: a drawing of a result, on given axes, in a notebook or in a file."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import attrs
import matplotlib as mpl
import numpy as np
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from holdem.atomic_files import atomic_file
from holdem.errors import HoldemTypeError, HoldemValueError, quoted

#: Formats of files by extension, each with the metadata that would differ between two runs.
FORMATS = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}

_DOTS_PER_INCH = 200
# Text stays text in vector files, and the same chart gives the same file.
_FILE_SETTINGS = {"svg.fonttype": "none", "svg.hashsalt": "holdem", "pdf.fonttype": 42}

Panel: TypeAlias = Callable[[Axes], None]


@attrs.frozen
class Chart:
    """A chart of one or several panels of equal size."""

    panels: Sequence[Panel]
    """Functions that draw on axes, row by row."""
    width: float
    """Width of a panel in inches."""
    height: float
    """Height of a panel in inches."""
    columns: int = 2
    """Panels in a row, at most."""

    def draw(self, figure: Figure) -> list[Axes]:
        """Draw the panels on new axes of an empty figure and set its size."""
        columns = min(self.columns, len(self.panels))
        rows = -(-len(self.panels) // columns)
        figure.set_layout_engine("compressed")  # also fits axes of a fixed shape
        figure.set_size_inches(columns * self.width, rows * self.height)
        axes = [
            figure.add_subplot(rows, columns, number) for number in range(1, len(self.panels) + 1)
        ]
        for panel, ax in zip(self.panels, axes, strict=True):
            panel(ax)
        return axes


def plot(chart: Chart, ax: Any = None) -> Any:
    """Draw a chart on axes, or on a new figure of pyplot, which notebooks show.

    Args:
        chart: the chart.
        ax: matplotlib axes, or a sequence of axes with one for each panel; None for a new
            figure.

    Returns:
        The axes, or an array of them, ``object (panel,)``, if there are several panels.

    Raises:
        HoldemValueError: the number of axes is wrong.
        HoldemTypeError: `ax` is not axes.
    """
    axes: NDArray[Any]
    if ax is None:
        # Pyplot, because figures that it does not know are shown neither by a notebook at the end
        # of a cell nor by ``pyplot.show``.
        from matplotlib import pyplot as plt

        axes = np.array(chart.draw(plt.figure()))
    else:
        axes = np.array(ax, dtype=object).ravel()
        if not all(isinstance(each, Axes) for each in axes):
            raise HoldemTypeError(f"ax must be matplotlib axes, not {quoted(ax)}")
        if len(axes) != len(chart.panels):
            raise HoldemValueError(
                f"this chart has {len(chart.panels)} panels, and ax has {len(axes)} axes;"
                f" give one for each panel, as from subplots({len(chart.panels)})"
            )
        for panel, each in zip(chart.panels, axes, strict=True):
            panel(each)
    return axes[0] if len(axes) == 1 else axes


def check_path(path: str | os.PathLike[str]) -> Path:
    """Validate the path of a chart file and return it as a path object.

    Raises:
        HoldemValueError: its extension is not one of `FORMATS`, or its directory does not exist.
    """
    found = Path(path)
    if found.suffix.lower() not in FORMATS:
        raise HoldemValueError(
            f"{quoted(found.name)} names no chart format; use .png, .svg or .pdf"
        )
    if not found.parent.is_dir():
        raise HoldemValueError(f"no directory {quoted(str(found.parent))} for the chart")
    return found


def save(chart: Chart, path: str | os.PathLike[str]) -> None:
    """Write a chart to a file in the format of its extension; replace an existing file.

    The settings of the user's matplotlib have no effect, and the same chart gives the same
    bytes with the same version of matplotlib.

    Args:
        chart: the chart.
        path: the file; its extension is one of `FORMATS`.

    Raises:
        HoldemValueError: as by `check_path`.
        OSError: the file cannot be written; an existing file is unchanged.
    """
    path = check_path(path)
    drawn = image(chart, path.suffix.lower())
    with atomic_file(path) as new:
        new.write_bytes(drawn)


def image(chart: Chart, suffix: str) -> bytes:
    """Render a chart to the bytes of the file that `save` writes.

    Args:
        chart: the chart.
        suffix: a key of `FORMATS`.
    """
    buffer = io.BytesIO()
    with style.context("default"), mpl.rc_context(_FILE_SETTINGS):
        figure = Figure()
        chart.draw(figure)
        figure.savefig(
            buffer, format=suffix[1:], dpi=_DOTS_PER_INCH, metadata=FORMATS[suffix] or None
        )
    return buffer.getvalue()
