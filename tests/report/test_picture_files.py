"""Pictures on axes of the user and in files, and the colours of heat maps."""

import re
import subprocess
import sys

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import holdem
import make_pictures
from holdem.cli import run
from holdem.errors import HoldemRuntimeError, HoldemTypeError, HoldemValueError
from holdem.odds.result import PlayerResult
from holdem.report.colours import DIVERGING, SEQUENTIAL, colour_at, ink_on
from pictures import sampled

HANDS = holdem.Range("22+,AKs:0.5")


@pytest.fixture
def backend():
    """Plot without a window or figures of other tests, and close all figures afterwards."""
    mpl.use("Agg")
    plt.close("all")
    yield
    plt.close("all")


def test_new_figure(backend):
    """Without axes, a new figure of pyplot has the picture; settings and figures are left alone."""
    own = plt.figure()
    before = dict(mpl.rcParams)
    ax = HANDS.plot()
    assert plt.gcf() is ax.figure is not own
    assert not own.axes
    assert dict(mpl.rcParams) == before
    assert tuple(ax.figure.get_size_inches()) == (3.5, 4.15)


def test_own_axes(backend):
    """Axes are drawn on and returned; no other figure is made."""
    ax = Figure().add_subplot()
    assert HANDS.plot(ax) is ax
    assert ax.collections
    assert not plt.get_fignums()


def test_panels(backend):
    """A picture with a panel for each player returns an array and takes as many axes."""
    result = sampled("AsKs", "QQ", "77")
    axes = result.plot()
    assert len(axes) == 3
    own = Figure().subplots(3)
    assert list(result.plot(own)) == list(own)
    one = Figure().add_subplot()
    assert result.plot(one, player=2) is one
    assert one.get_legend().get_title().get_text() == "77"


@pytest.mark.parametrize(
    ("error", "message", "arguments"),
    [
        (HoldemTypeError, "ax must be matplotlib axes", {"ax": "axes"}),
        (HoldemValueError, "has 2 panels, and ax has 1 axes", {"ax": Figure().add_subplot()}),
        (HoldemValueError, "no chart by 'hand'; there are: equity, convergence", {"by": "hand"}),
        (HoldemValueError, "player must be an integer from 0 to 1, not 2", {"player": 2}),
        (HoldemValueError, "player must be an integer from 0 to 1, not -1", {"player": -1}),
        (HoldemValueError, "shows all players; leave out player", {"by": "combo", "player": 0}),
        (HoldemTypeError, "the name of a chart must be text, not 5", {"by": 5}),
    ],
)
def test_wrong_arguments(error, message, arguments):
    with pytest.raises(error, match=message):
        sampled("AsKs", "QQ").plot(**arguments)


def test_players_are_checked_first(monkeypatch):
    """A wrong player is refused before tables are computed, which may take seconds."""
    monkeypatch.delattr(PlayerResult, "_table")
    with pytest.raises(HoldemTypeError, match="player must be an integer from 0 to 1, not 'a'"):
        sampled("AsKs", "QQ").plot(by="class", player="a")


def test_nothing_to_draw():
    cut_short = holdem.equity("22+", "33+", "44+", method="exact", time=1e-9, workers=1)
    with pytest.raises(HoldemValueError, match="no equity to draw"):
        cut_short.plot()


@pytest.mark.parametrize(
    ("name", "start"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("A.PDF", b"%PDF")]
)
def test_formats(name, start, tmp_path):
    """The extension chooses the format, and the user's settings do not change the file."""
    path = tmp_path / name
    path.write_text("replaced")
    result = holdem.explain("AsKs", "QdQh")
    result.save_plot(path)
    content = path.read_bytes()
    assert content.startswith(start)
    with mpl.rc_context({"font.size": 30, "svg.fonttype": "path", "figure.facecolor": "red"}):
        result.save_plot(path)
    assert path.read_bytes() == content


def test_text_stays_text(tmp_path):
    """Vector files have text as text, in fonts that are embedded or named."""
    holdem.equity("AsKs", "QQ+", board="Td9d2c").save_plot(tmp_path / "a.svg")
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert ">A♠K♠</text>" in svg
    assert "DejaVu Sans" in svg
    holdem.equity("AsKs", "QQ+", board="Td9d2c").save_plot(tmp_path / "a.pdf")
    assert b"/Type3" not in (tmp_path / "a.pdf").read_bytes()


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("a.jpg", "the name of a chart must end in .png, .svg or .pdf; 'a.jpg' does not"),
        ("a", ".png, .svg or .pdf; 'a' does not"),
        ("missing/a.png", "no directory 'missing' for the chart"),
    ],
)
def test_wrong_paths(path, message, tmp_path, monkeypatch, capsys):
    """A wrong file name is an error before anything is computed, also on the command line."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HoldemValueError) as caught:
        HANDS.save_plot(path)
    assert message in str(caught.value)
    assert run(["range", "AA", "--plot", path]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


COMMANDS = {
    "range on a board": ["range", "22+,AK", "-b", "Ks7d2c"],
    "equity": ["equity", "AsKs", "QQ+", "-b", "Td9d2c"],
    "by next card": ["equity", "AsKs", "QQ+", "-b", "Td9d2c", "--by", "next-card"],
    "sampled": ["equity", "AA", "KK", "--method", "monte-carlo", "-n", "500", "--seed", "1"],
    "hits": ["hits", "QQ+", "-b", "Ks7d2c"],
    "explain": ["explain", "AsKs", "QdQh", "-b", "Td9d2c5h3s"],
    "head-to-head": ["head-to-head", "AA", "KK", "-n", "200", "--seed", "1"],
}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--by", "class", "--by", "combo"], "--plot draws one report; give a single --by"),
        (["--explain-plan"], "--explain-plan computes nothing that --plot could draw"),
    ],
)
def test_options_that_exclude_each_other(options, message, capsys):
    assert run(["equity", "AA", "KK", "--plot", "a.png", *options]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_command_line(command, tmp_path, capsys):
    """`--plot` writes a picture and changes nothing of the output."""
    path = tmp_path / "a.svg"
    assert run([*command, "--plot", str(path)]) == 0
    captured = capsys.readouterr()
    assert captured.out
    assert "chart" not in captured.err
    assert b"</svg>" in path.read_bytes()


def test_results_of_a_study(tmp_path, capsys):
    study = {"spot": [{"name": "one $1 or $2", "players": ["AA", "KK"], "board": "Td9d2c"}]}
    holdem.run_study(study, tmp_path / "store", workers=1)
    assert run(["results", str(tmp_path / "store"), "--plot", str(tmp_path / "a.png")]) == 0
    assert (tmp_path / "a.png").exists()


def test_without_matplotlib(monkeypatch, capsys):
    """An error says what to install, before anything is computed."""
    for name in list(sys.modules):
        if name.startswith("holdem.report.plots"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(HoldemRuntimeError, match="need matplotlib: pip install matplotlib"):
        HANDS.plot()
    assert run(["equity", "AA", "KK", "--plot", "a.png"]) == 2
    captured = capsys.readouterr()
    assert "pip install matplotlib" in captured.err
    assert captured.out == ""


def _luminance(colour):
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(("scale", "least"), [(SEQUENTIAL, 6.5), (DIVERGING, 4.5)])
def test_text_on_colours(scale, least):
    """Text on every colour of a scale has a high contrast ratio."""
    for step in range(201):
        colour = colour_at(scale, step / 200)
        pair = sorted([_luminance(colour), _luminance(ink_on(colour))])
        assert (pair[1] + 0.05) / (pair[0] + 0.05) >= least
    assert (colour_at(scale, 0), colour_at(scale, 1)) == (scale[0], scale[-1])


def test_sequential_scale_is_ordered():
    """Higher values are darker, so that the order survives in grey print."""
    steps = [_luminance(colour_at(SEQUENTIAL, step / 50)) for step in range(51)]
    assert steps == sorted(steps, reverse=True)


def test_notebook_grid():
    """A cell of a range in a notebook has the colour of its weight and text that fits it."""
    html = HANDS._repr_html_()
    half = colour_at(SEQUENTIAL, 0.5)
    assert f'background: {half}; color: {ink_on(half)}">AKs<br>50%</td>' in html
    assert html.count(f"background: {SEQUENTIAL[-1]}") == 13  # pairs
    assert html.count("opacity") == 169 - 14  # the rest


def test_notebook_classes():
    """Equities by class are a coloured grid above a folded table."""
    table = holdem.equity("KK+,AKs", "QQ", board="Td9d2c").players[0].by_class
    html = table._repr_html_()
    for record in table:
        colour = colour_at(DIVERGING, record.equity)
        cell = f"{record.name}<br>{100 * record.equity:.0f}</td>"
        assert f'background: {colour}; color: {ink_on(colour)}">{cell}' in html
    grid, _, rows = html.partition("<details>")
    assert grid.count("<td") == 169
    assert "<td" in rows


def test_notebook_matrix():
    """The cells of a matrix in a notebook are coloured by equity; empty ones are not."""
    matrix = holdem.equity_matrix("AsKs,QdQh", "AsKs,JcJd", board="Td9d2c")
    html = matrix._repr_html_()
    assert html.count("background") == 3
    equity = float(matrix.equity[0, 1])
    assert f"background: {colour_at(DIVERGING, equity)}" in html


def test_loaded_when_used():
    """Only a picture loads matplotlib; reports and notebook tables do without it."""
    code = (
        "import sys, holdem; print(holdem.Range('22+')._repr_html_()[:1],"
        " holdem.equity('AA', 'KK'), 'matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "False"


@pytest.mark.slow
def test_pictures_of_the_page(tmp_path, monkeypatch):
    """The script makes every picture that the page shows."""
    monkeypatch.setattr(sys, "argv", ["make_pictures.py", str(tmp_path)])
    make_pictures.main()
    shown = set(re.findall(r"_static/pictures/(\S+)\)", make_pictures.PAGE.read_text("utf-8")))
    assert {path.name for path in tmp_path.iterdir()} == shown
