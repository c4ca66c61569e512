"""`Chart`, which draws on given axes, in a notebook or to a file, and the style of all charts."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import attrs
import matplotlib as mpl
import numpy as np
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from holdem.atomic_files import atomic_file
from holdem.cards import Card
from holdem.errors import HoldemTypeError, HoldemValueError, quoted
from holdem.odds.result import PlayerResult
from holdem.report import colours
from holdem.report.cells import clip, name_players_by_number, range_in_report, show_suits
from holdem.report.equity_report import known_cards

#: A function that draws on axes.
Panel: TypeAlias = Callable[[Axes], None]

#: Width of a figure in one column, and across two columns, in inches.
COLUMN: Final = 3.5
TWO_COLUMNS: Final = 7.0

#: Font sizes in points: of labels of axes and titles; of everything else.
LABEL_SIZE: Final = 8.0
TEXT_SIZE: Final = 7.0
#: Height of a line of text in a legend or a bar chart, in inches.
LINE: Final = 0.15

SEQUENTIAL: Final = LinearSegmentedColormap.from_list("holdem_sequential", colours.SEQUENTIAL)
DIVERGING: Final = LinearSegmentedColormap.from_list("holdem_diverging", colours.DIVERGING)
#: Background of cells without a value, and its text.
EMPTY: Final = "#f0f0f0"
EMPTY_INK: Final = "#767676"

# The palette of Okabe and Ito (2008) for all colour-blind readers, without yellow.
_LINES: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_DASHES: Final = ("solid", "dashed")
#: The number of different styles of lines.
LINE_STYLES: Final = len(_LINES) * len(_DASHES)
#: Main colours of bars: strong, and pale for the less important part.
STRONG: Final = "#0072b2"
PALE: Final = "#9ecae1"

_LEGEND_WIDTH = 44  # characters of a line of a legend
_LEGEND_HANDLE = 7  # characters that the sample of a line takes
_PLAYER_NAME = 28  # characters
_SPINE = 0.6
_PANELS_IN_ROW = 2


def line_style(number: int) -> dict[str, str]:
    """Return the colour and dashes of line `number` of a chart, as keyword arguments of matplotlib.

    The styles of the first `LINE_STYLES` lines, counted from 0, are all different.
    """
    dashes = _DASHES[number // len(_LINES) % len(_DASHES)]
    return {"color": _LINES[number % len(_LINES)], "linestyle": dashes}


def name_text(text: str, width: int = 32) -> str:
    """Format a range or a name for a chart, as one line clipped to `width` characters.

    Suits become symbols, and ``$``, which would begin a formula, is escaped.
    """
    line = clip(" ".join(text.split()), width)
    return _escape(with_symbols(range_in_report(line)))


def player_name(label: str, text: str) -> str:
    """Format a player's label and range for a chart, such as ``"player 1: QQ+, AKs"``."""
    return f"{_escape(label)}: {name_text(text, _PLAYER_NAME)}"


def range_name(player: PlayerResult, width: int = 32) -> str:
    """Format a player's range for a chart, with the player's name, if any, before it.

    The range is clipped to what the name leaves of `width` characters, but at least to 8.
    """
    if player.name is None:
        return name_text(player.range, width)
    return f"{_escape(player.name)}: {name_text(player.range, max(8, width - len(player.name)))}"


def _escape(text: str) -> str:
    """Escape dollar signs, which would begin a formula in a chart."""
    return text.replace("$", r"\$")


def with_symbols(text: str) -> str:
    """Replace the placeholders that stand for suits in the text of a report by suit symbols."""
    return show_suits(text, symbols=True)


def name_cards(board: tuple[Card, ...], dead: tuple[Card, ...]) -> str:
    """Format a spot's board and dead cards for a chart; an empty string if there are none."""
    return with_symbols(known_cards(board, dead))


def label_axes(ax: Axes, x: str = "", y: str = "", title: str = "") -> None:
    ax.set_xlabel(x, fontsize=LABEL_SIZE)
    ax.set_ylabel(y, fontsize=LABEL_SIZE)
    ax.set_title(title, fontsize=LABEL_SIZE)
    ax.tick_params(labelsize=TEXT_SIZE, width=_SPINE, length=3)
    ax.xaxis.get_offset_text().set_fontsize(TEXT_SIZE)
    ax.yaxis.get_offset_text().set_fontsize(TEXT_SIZE)
    for side, spine in ax.spines.items():
        spine.set_linewidth(_SPINE)
        spine.set_visible(side in ("left", "bottom"))


def open_chart(ax: Axes, x: str, y: str, *, ruled: str = "y") -> None:
    """Prepare axes for lines or bars: labels with units, few ticks, and grid lines behind the data.

    `ruled` is the axis whose ticks have grid lines: ``"x"``, ``"y"`` or ``"both"``.
    """
    label_axes(ax, x, y)
    for name, axis in (("x", ax.xaxis), ("y", ax.yaxis)):
        if ruled in (name, "both"):
            axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    ax.grid(axis=ruled, color="#d9d9d9", linewidth=0.5)
    ax.set_axisbelow(True)


def player_panels(draw: Callable[..., None], table: Any, titles: Sequence[str]) -> list[Panel]:
    """Build one panel per player from a table whose `equity` is ``(item, player)``.

    `draw` is called with the axes and, by keyword, `table`, `player` (from 0) and `title`. Without
    titles, players are numbered.
    """
    return [
        partial(draw, table=table, player=player, title=title)
        for player, title in enumerate(titles or name_players_by_number(table.equity))
    ]


def legend_above(ax: Axes, names: Sequence[str], title: str = "") -> None:
    """Add a legend above the axes, where it hides no data.

    Matplotlib takes the entries from the lines and bars drawn. `names` must be the labels of these,
    and determines only the number of columns.
    """
    ax.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        ncols=_legend_columns(names),
        frameon=False,
        fontsize=TEXT_SIZE,
        title=title or None,
        title_fontsize=TEXT_SIZE,
        alignment="left",
        borderaxespad=0.2,
        handlelength=1.8,
        columnspacing=1.0,
    )


def legend_height(names: Sequence[str], title: str = "") -> float:
    """Compute the height, in inches, of the legend that `legend_above` adds for these arguments."""
    rows = -(-len(names) // _legend_columns(names))
    return LINE * (rows + len(title.splitlines())) + 0.05


def _legend_columns(names: Sequence[str]) -> int:
    longest = max(map(len, names), default=0) + _LEGEND_HANDLE
    return min(max(_LEGEND_WIDTH // longest, 1), len(names) or 1)


def limit_bars(ax: Axes, longest: float) -> None:
    """Set the limits of a horizontal axis in per cent; a number fits beside the longest bar."""
    limit = 1.4 * longest or 1.0
    ticks = MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]).tick_values(0, limit)
    ax.set_xticks([tick for tick in ticks if 0 <= tick <= min(limit, 100)])
    ax.set_xlim(0, limit)


def number_bars(
    ax: Axes, ends: Sequence[float], places: Sequence[float], texts: Sequence[str]
) -> None:
    """Write a text beside the end of each horizontal bar, in front of the grid lines.

    `ends` are on the horizontal axis, `places` on the vertical one.
    """
    for end, place, text in zip(ends, places, texts, strict=True):
        ax.annotate(
            text,
            (end, place),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            fontsize=TEXT_SIZE,
            bbox={"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 0.5},
        )


def name_bars(ax: Axes, places: Sequence[float], names: Sequence[str]) -> None:
    """Write a name beside each horizontal bar, from the top bar, at ``places[0]``, to the last."""
    ax.set_yticks(places, names)
    ax.set_ylim(places[-1] + 0.5, places[0] - 0.5)
    ax.tick_params(axis="y", length=0)


#: Formats of files by extension, each with the metadata to leave out, as it differs in each run.
FORMATS = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}

_DOTS_PER_INCH = 200
# Text stays text in vector files, and the same chart gives the same file.
_FILE_SETTINGS = {"svg.fonttype": "none", "svg.hashsalt": "holdem", "pdf.fonttype": 42}


@attrs.frozen
class Chart:
    """A chart of one or several panels of equal size."""

    panels: Sequence[Panel]
    """The panels, row by row."""
    height: float
    """Height of a panel in inches."""
    width: float = COLUMN
    """Width of a panel in inches."""

    def draw(self, figure: Figure) -> list[Axes]:
        """Draw the panels on new axes in an empty figure, and set the figure's size."""
        columns = min(_PANELS_IN_ROW, len(self.panels))
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
    """Draw a chart on given axes, or on a new pyplot figure, which notebooks show.

    `ax` has one for each panel. The axes are returned, as an array, ``object (panel,)``, if there
    are several.
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
            hint = "; save_plot(FILE) writes a file" * isinstance(ax, str)
            raise HoldemTypeError(f"ax must be matplotlib axes, not {quoted(ax)}{hint}")
        if len(axes) != len(chart.panels):
            raise HoldemValueError(
                f"this chart has {len(chart.panels)} panels, and ax has {len(axes)} axes;"
                f" give one for each panel, as from subplots({len(chart.panels)})"
            )
        for panel, each in zip(chart.panels, axes, strict=True):
            panel(each)
    return axes[0] if len(axes) == 1 else axes


def check_path(path: str | os.PathLike[str]) -> Path:
    found = Path(path)
    if found.suffix.lower() not in FORMATS:
        raise HoldemValueError(
            f"the name of a chart must end in .png, .svg or .pdf; {quoted(found.name)} does not"
        )
    if not found.parent.is_dir():
        raise HoldemValueError(f"no directory {quoted(str(found.parent))} for the chart")
    return found


def save(chart: Chart, path: str | os.PathLike[str]) -> None:
    """Write a chart to a file, replacing it, in the format of its extension, a key of `FORMATS`.

    The settings of the user's matplotlib have no effect, and the same chart gives the same bytes
    with the same version of matplotlib.
    """
    path = check_path(path)
    drawn = image(chart, path.suffix.lower())
    with atomic_file(path) as new:
        new.write_bytes(drawn)


def image(chart: Chart, suffix: str) -> bytes:
    """Render a chart as the bytes of the file that `save` would write, for a key of `FORMATS`."""
    buffer = io.BytesIO()
    with style.context("default"), mpl.rc_context(_FILE_SETTINGS):
        figure = Figure()
        chart.draw(figure)
        figure.savefig(
            buffer, format=suffix[1:], dpi=_DOTS_PER_INCH, metadata=FORMATS[suffix] or None
        )
    return buffer.getvalue()
