"""Pictures: readable text that neither overlaps nor is cut off, in every kind of picture."""

from functools import cache

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

import holdem
from pictures import CASES, MORE_CASES, drawn, picture_of, study

_figure = cache(lambda name: drawn((CASES | MORE_CASES)[name]()))
_slow = [pytest.param(name, marks=pytest.mark.slow) for name in MORE_CASES]


@pytest.fixture(params=[*CASES, *_slow])
def figure(request):
    """Return each figure in turn."""
    return _figure(request.param)


def _texts(artist):
    """Return the visible texts of an artist."""
    return [text for text in artist.findobj(Text) if text.get_visible() and text.get_text()]


def _overlap(one, other):
    """Return whether two boxes share more than a rim of half a pixel."""
    return (
        min(one.x1, other.x1) - max(one.x0, other.x0) > 0.5
        and min(one.y1, other.y1) - max(one.y0, other.y0) > 0.5
    )


def _shown_ticks(axis):
    """Return the labels of ticks within the limits of an axis."""
    low, high = sorted(axis.get_view_interval())
    return [
        tick.label1 if tick.label1.get_visible() else tick.label2
        for tick in axis.get_major_ticks()
        if low - 1e-9 <= tick.get_loc() <= high + 1e-9 and tick.label1.get_text()
    ]


def _all_shown(figure):
    """Return all texts that are within the limits of their axes."""
    hidden = set()
    for ax in figure.axes:
        for axis in (ax.xaxis, ax.yaxis):
            shown = set(_shown_ticks(axis))
            ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
            labels = {label for tick in ticks for label in (tick.label1, tick.label2)}
            hidden |= labels - shown
    return [text for text in _texts(figure) if text not in hidden]


def test_no_text_is_smaller_than_7_points(figure):
    assert min(text.get_fontsize() for text in _all_shown(figure)) >= 7
    # Exponents of mathematical text would be smaller.
    assert not [text for text in _all_shown(figure) if "$" in text.get_text().replace(r"\$", "")]


def test_no_text_is_cut_off(figure):
    """All text is inside the figure."""
    inside = figure.bbox.padded(1)
    outside = [
        text.get_text()
        for text in _all_shown(figure)
        if not (
            inside.x0 <= text.get_window_extent().x0
            and text.get_window_extent().x1 <= inside.x1
            and inside.y0 <= text.get_window_extent().y0
            and text.get_window_extent().y1 <= inside.y1
        )
    ]
    assert [] == outside


def test_no_texts_overlap(figure):
    """No text overlaps another one, among tick labels, cells, titles, legends and labels."""
    texts = _all_shown(figure)
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    overlapping = [
        (one, other)
        for number, (one, box) in enumerate(boxes)
        for other, second in boxes[number + 1 :]
        if _overlap(box, second)
    ]
    assert [] == overlapping


def test_legends_hide_no_data(figure):
    for ax in figure.axes:
        if ax.get_legend() is not None:
            assert not _overlap(ax.get_legend().get_window_extent(), ax.get_window_extent())


def test_axes_are_labelled(figure):
    """Every axes has a labelled horizontal axis or a colour bar, and all widths fit a page."""
    for ax in figure.axes:
        bars = [bar for bar in figure.axes if bar.get_xlabel() and bar is not ax]
        assert ax.get_xlabel() or ax.get_ylabel() or bars
    width, height = figure.get_size_inches()
    assert width in (3.5, 7.0) or 3.5 < width < 7.0
    assert height > 0.8


def test_axes_are_large_enough(figure):
    """Long names leave at least an inch for the data."""
    for ax in figure.axes:
        width, height = ax.get_window_extent().size / figure.dpi
        assert width > 1
        if ax.get_xlabel() not in ("", None) and ax.collections[:1] == []:
            assert height > 0.2


def test_own_axes_without_a_layout():
    """The names of ranks are between the map and its colour bar."""
    figure = Figure(figsize=(12, 3))
    FigureCanvasAgg(figure)
    holdem.equity("AsKs", "QdQh", board="Td9d2c").by_next_card.plot(figure.subplots(1, 2))
    figure.canvas.draw()
    ax, _, bar, _ = figure.axes
    for label in ax.get_xticklabels():
        assert not _overlap(label.get_window_extent(), bar.get_window_extent())


def test_study(tmp_path):
    """A study has a line for each pair, each number of opponents, and the other spots."""
    results = study(tmp_path / "store")
    figure = drawn(picture_of(results))
    lines = {line.get_label(): line for line in figure.axes[0].lines}
    assert list(lines) == ["QQ+ v AK", "spots", "1 random"]
    (pair,) = results.pairs
    assert lines["QQ+ v AK"].get_ydata()[1:].tolist() == sorted(100 * pair.equities)[::-1]
    heroes = [spot.result.players[0].equity for spot in results.spots if spot.cell]
    assert lines["1 random"].get_ydata()[1:].tolist() == [100 * heroes[-2], 100 * heroes[-1]]
    (line,) = drawn(picture_of(pair)).axes[0].lines
    assert line.get_ydata().tolist() == lines["QQ+ v AK"].get_ydata().tolist()
