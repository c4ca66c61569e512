"""The numbers in pictures are those of the results."""

from functools import cache, partial

import numpy as np
import pytest
from matplotlib.text import Text

import holdem
from holdem.errors import HoldemValueError
from holdem.odds.breakdown import NoBreakdowns
from holdem.report.plots.charts import Distribution
from pictures import LONG, drawn, picture_of, sampled

_exact = cache(lambda: holdem.equity("QQ+,AKs:0.5", "random", board="Ks7d2c"))


def _axes(result, **options):
    """Return the axes of a result's picture, without colour bars."""
    found = drawn(picture_of(result, **options)).axes
    return [ax for ax in found if ax.get_label() != "<colorbar>"]


def _cells(ax):
    """Return the values of a heat map, ``float64 (row, column)``, NaN in empty cells."""
    (mesh,) = ax.collections
    return mesh.get_array().filled(np.nan)


def _bars(ax, number):
    """Return the ends of the bars of one kind, from top to bottom."""
    return [bar.get_x() + bar.get_width() for bar in ax.containers[number]]


def test_range():
    """A cell is the mean weight of a class; no weight is an empty cell."""
    hands = holdem.Range(LONG + ",72o:0.001,AhKd:0.5")
    cells = _cells(_axes(hands)[0])
    assert np.array_equal(np.nan_to_num(cells), hands.grid)
    assert np.isnan(cells).sum() == (hands.grid == 0).sum()


def test_matrix():
    matrix = holdem.equity_matrix("TT+,AK", "99+,AQ", board="Ks7d2c", by="class")
    (ax,) = _axes(matrix)
    assert np.array_equal(_cells(ax), 100 * matrix.equity, equal_nan=True)
    assert [tick.get_text() for tick in ax.get_yticklabels()] == list(matrix.rows)
    texts = [text.get_text() for text in ax.texts]
    shown = [f"{value:.0f}" for value in 100 * matrix.equity.ravel() if value == value]
    assert texts == shown


def test_equities():
    """The first part of a bar is the probability of a win; the whole bar is the equity."""
    result = sampled("AsKs", "AdKd", "QQ")
    (ax,) = _axes(result, by="equity")
    wins, *others = ax.containers
    assert [bar.get_width() for bar in wins] == [100 * player.win for player in result.players]
    assert _bars(ax, 1) == pytest.approx(100 * result.equities, abs=1e-12)
    (segments,) = [found.lines[2][0].get_segments() for found in others if hasattr(found, "lines")]
    for segment, player in zip(segments, result.players, strict=True):
        assert segment[:, 0] == pytest.approx(100 * np.array(player.ci95), abs=1e-9)


def test_exact_equities_have_no_intervals():
    (ax,) = _axes(_exact())
    assert len(ax.containers) == 2
    assert ax.texts[0].get_text() == f"{100 * _exact().players[0].equity:.4f} %"


def test_convergence_ends_at_the_result():
    """The last point of each line and band is the result, to the last bit."""
    result = sampled("AsKs", LONG, "random", deals=40_000)
    for ax, player in zip(_axes(result), result.players, strict=True):
        line, dashed = ax.lines
        assert line.get_xdata()[-1] == result.deals
        assert line.get_ydata()[-1] == 100 * player.equity == dashed.get_ydata()[0]
        band = ax.collections[0].get_paths()[0].vertices
        ends = sorted(set(band[band[:, 0] == result.deals, 1]))
        assert (ends[0], ends[-1]) == tuple(100 * np.array(player.ci95))


@pytest.mark.parametrize(
    ("deals", "players"),
    [(1, 2), (7, 2), (500, 3), (16_384, 2), (16_385, 2), (100_000, 2)],
)
def test_convergence(deals, players):
    """Each point is the result of a run with that many deals."""
    ranges = ["22+"] * players
    table = sampled(*ranges, deals=deals).convergence
    assert np.array_equal(table.deals, np.unique(table.deals))
    assert table.deals[-1] == deals
    for number in {0, len(table) // 2}:
        same = sampled(*ranges, deals=int(table.deals[number]))
        record = table[number]
        assert record.equity == tuple(same.equities)
        assert record.stderr == tuple(same.stderrs)
        assert [*zip(record.low, record.high, strict=True)] == [own.ci95 for own in same.players]


def test_convergence_of_clusters_and_slow_evaluators():
    """Deals in clusters, and deals ranked in batches, are drawn again alike."""
    clusters = sampled(*["99+,A9s+,KQs"] * 6, deals=2_001)
    slow = sampled("AsKs", "QQ", "77", deals=1500, evaluator="suit-mask", board="Td9d2c")
    for result in (clusters, slow):
        last = result.convergence[len(result.convergence) - 1]
        assert last.equity == tuple(result.equities)
        assert last.stderr == tuple(result.stderrs)
    assert str(slow.convergence).splitlines()[-2].split()[0] == "1,500"
    assert list(slow.convergence.to_frame())[:3] == ["deals", "equity_1", "stderr_1"]


def test_exact_results_do_not_converge():
    with pytest.raises(HoldemValueError, match="only sampled results"):
        _ = _exact().convergence


def test_distribution():
    """A step is as wide as the weight of its combos, and the highest equity comes first."""
    found = Distribution("", np.array([0.2, np.nan, 0.9, 0.5]), np.array([1.0, 9.0, 0.5, 0.5]))
    share, equity = found.steps()
    assert share.tolist() == [0.0, 0.25, 0.5, 1.0]
    assert equity.tolist() == [0.9, 0.9, 0.5, 0.2]


def test_range_against_range():
    """There is a line for each player, over all combos of the range."""
    (ax,) = _axes(_exact(), by="combo")
    for line, player in zip(ax.lines, _exact().players, strict=True):
        table = player.by_combo
        assert sorted(line.get_ydata()[1:]) == sorted(100 * table.equity)
        widths = np.diff(line.get_xdata())
        assert widths.sum() == pytest.approx(100)
        weighted = widths @ line.get_ydata()[1:] / 100
        assert weighted == pytest.approx(100 * np.average(table.equity, weights=table.weight))


def test_classes():
    """A cell has the equity of a class; classes that the player cannot hold are empty."""
    for number, player in enumerate(_exact().players):
        (ax,) = _axes(_exact(), by="class", player=number) if number else _axes(player)
        table, cells = player.by_class, _cells(ax).ravel()
        assert cells[table.numbers].tolist() == (100 * table.equity).tolist()
        assert (~np.isnan(cells)).sum() == len(table)
        row, column = divmod(int(table.numbers[0]), 13)
        texts = [text.get_text() for text in ax.texts if text.xy == (column, row)]
        assert texts == [table.name[0], f"{100 * table.equity[0]:.0f}"]


def test_weights_of_classes():
    """A class with a weight below 1 has a bar as long as the weight."""
    result = holdem.equity("QQ+,AKs:0.5,A5s:0.25", "KK", board="Ks7d2c")
    ax, other = _axes(result, by="class")
    table = result.players[0].by_class
    grounds, bars = ([bar.get_width() for bar in kind] for kind in ax.containers)
    held = [bar / ground for bar, ground in zip(bars, grounds, strict=True)]
    assert held == pytest.approx(table.weight[table.weight < 1])
    assert len(held) == 2
    assert not other.patches
    assert [own.get_title() for own in (ax, other)] == [
        "player 1: QQ+,AKs:0.5,A5s:0.25\nboard K♠ 7♦ 2♣",
        "player 2: KK\nboard K♠ 7♦ 2♣",
    ]


def test_categories():
    """The parts of all bars add up to all deals."""
    for ax, player in zip(_axes(_exact(), by="category"), _exact().players, strict=True):
        table = player.by_category
        wins, ties, losses = ([bar.get_width() for bar in kind] for kind in ax.containers)
        assert sum(wins) == pytest.approx(100 * player.win)
        assert sum(ties) == pytest.approx(100 * player.tie)
        assert sum(losses) == pytest.approx(100 * player.lose)
        named = [tick.get_text() for tick in ax.get_yticklabels()]
        place = named.index("full house")
        whole = 100 * table["full house"].share
        assert wins[place] + ties[place] + losses[place] == pytest.approx(whole)
    first, second = _axes(_exact(), by="category")
    assert first.get_xlim() == second.get_xlim()
    assert second.get_legend().get_title().get_text() == "player 2: random\nboard K♠ 7♦ 2♣"


def test_next_cards():
    """A cell has the equity after a card as text, and the change as its colour."""
    table = _exact().by_next_card
    ax = _axes(_exact(), by="next-card")[0]
    texts = {text.xy: text.get_text() for text in ax.texts}
    cells = _cells(ax)
    for record in table:
        row, column = "shdc".index(record.card[1]), "AKQJT98765432".index(record.card[0])
        change = 100 * (record.equity[0] - _exact().players[0].equity)
        assert cells[row, column] == pytest.approx(change)
        assert texts[column, row] == f"{100 * record.equity[0]:.0f}"
    assert (~np.isnan(cells)).sum() == len(table) == 49


@pytest.mark.parametrize("by", ["equity", "category", "combo", "runout"])
def test_names_of_players(by):
    """Names are in titles, legends and beside bars, and a dollar sign begins no mathematics."""
    result = holdem.equity("AsKs", "QdQh", board="Td9d2c")
    _check_names(picture_of(result.with_names(["BTN", "B$B$"]), by=by))


@pytest.mark.parametrize("call", [holdem.explain, partial(holdem.head_to_head, deals=99, seed=1)])
def test_names_of_explained_hands_and_trials(call):
    _check_names(picture_of(call("AsKs", "QdQh", board="Td9d2c", names=["BTN", "B$B$"])))


def _check_names(picture):
    figure = drawn(picture)
    texts = {text.get_text() for text in figure.findobj(Text)}
    for name in ("BTN: ", r"B\$B\$: "):
        assert sum(name in text for text in texts) == 1
    assert not any("player 1" in text for text in texts)


def test_runouts():
    """A cell is the equity after turn and river, in per cent; rows and columns start at the ace."""
    result = holdem.equity("AsKs", "QdQh", board="Td9d2c")
    for player, ax in enumerate(_axes(result, by="runout")):
        cells = _cells(ax)
        cards = [
            card for card in range(51, -1, -1) if np.isfinite(result.by_runout.matrix[card]).any()
        ]
        assert cells.shape == (len(cards), len(cards)) == (45, 45)
        for record in result.by_runout:
            row, column = (cards.index(card) for card in holdem.parse_cards(record.runout))
            expected = pytest.approx(100 * record.equity[player])
            assert cells[row, column] == cells[column, row] == expected
        assert np.isnan(cells).sum() == 45
    with pytest.raises(HoldemValueError, match="no runout"):
        picture_of(NoBreakdowns(2).tables("runout"))


def test_sampled_next_cards_change_from_the_result():
    """Colours are changes from the equity of the result, on one scale for all players.

    Cards that a player often holds come less often, so that the mean over cards is different.
    """
    result = sampled("AA", "KK", "77", deals=4000, board="Ks7d2c")
    table = result.by_next_card
    assert abs(table.equity[:, 1].mean() - result.equities[1]) > 0.05
    for picture in (picture_of(result, by="next-card"), picture_of(table)):
        axes = drawn(picture).axes
        maps = [ax for ax in axes if ax.get_label() != "<colorbar>"]
        labels = [ax.get_xlabel() for ax in axes if ax.get_label() == "<colorbar>"]
        for number, equity in enumerate(100 * result.equities):
            assert f"change from {equity:.1f} %" in labels[number]
            changes = np.sort(_cells(maps[number]), axis=None)[: len(table)]
            assert changes == pytest.approx(np.sort(100 * table.equity[:, number] - equity))
        assert len({ax.collections[0].norm.vmax for ax in maps}) == 1


def test_hits():
    """A bar is the share of a made hand or draw; those that no combo has are left out."""
    result = holdem.hits("QQ+,AK,76s", board="Ks7s2c")
    (ax,) = _axes(result)
    groups = {**result.made, **result.draws}
    expected = {name: 100 * group.share for name, group in groups.items() if group.share}
    assert [tick.get_text() for tick in ax.get_yticklabels()] == list(expected)
    assert _bars(ax, 0) + _bars(ax, 1) == list(expected.values())
    assert [text.get_text() for text in ax.texts] == [f"{v:.1f} %" for v in expected.values()]


def test_explanation():
    result = holdem.explain("AsKs", "QdQh", board="Td9d2c5h")
    (ax,) = _axes(result)
    for number, line in enumerate(ax.lines):
        equities = [100 * street.equities[number] for street in result.streets]
        assert list(line.get_ydata()) == equities
    assert [tick.get_text() for tick in ax.get_xticklabels()] == [
        "before the flop",
        "flop\nT♦ 9♦ 2♣",
        "turn\n5♥",
    ]


def test_contest():
    """The parts of a category's bar are the wins, ties and losses."""
    result = holdem.head_to_head("AsKs", "AdKd", deals=500, seed=3)
    for ax, player in zip(_axes(result), result.players, strict=True):
        names = [tick.get_text() for tick in ax.get_yticklabels()]
        assert names == list(result.categories)
        widths = np.array([[bar.get_width() for bar in kind] for kind in ax.containers])
        for name, parts in zip(names, widths.T, strict=True):
            found = player.by_category.get(name)
            counts = np.array([found.wins, found.ties, found.losses] if found else [0, 0, 0])
            assert parts == pytest.approx(100 * counts / 500)


def test_many_spots():
    table = holdem.equities(["AsKs", "7c2d", "7c2d"], "QdQh", board="Td9d2c")
    (ax,) = _axes(table)
    assert ax.lines[0].get_ydata()[1:].tolist() == sorted(100 * table.equity[:, 0])[::-1]


def test_many_spots_without_equities():
    """A player whom no spot has is left out; without any equity there is no chart."""
    (ax,) = _axes(holdem.equities(["AsKs"], ["QQ"], [""]))
    assert [line.get_label() for line in ax.lines] == ["player 1", "player 2"]
    for spots in ([], ["AsAs"]):
        with pytest.raises(HoldemValueError, match="there is no equity to draw"):
            holdem.equities(spots, "QQ", errors="nan").plot()
