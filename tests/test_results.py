"""Results are values: they compare, pickle, copy, print, and become frames."""

import copy
import pickle
import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import attrs
import numpy as np
import pytest

import holdem
from holdem.cli import run
from holdem.report.cells import decimals


def _sampled(seed=7):
    return holdem.equity(
        "AsKs", "QQ+,JJ:0.5", "random", method="monte-carlo", deals=20_000, seed=seed, workers=1
    )


CALLS = {
    "exact": lambda: holdem.equity("AsKs", "QQ+", board="Td9d2c"),
    "sampled": _sampled,
    "combos": lambda: holdem.equity("AsKs", "QQ+", board="Td9d2c").players[1].by_combo,
    "sampled-combos": lambda: _sampled().players[1].by_combo,
    "head-to-head": lambda: holdem.head_to_head("AsKs", "QQ", deals=2_000, seed=1),
    "aggregate": lambda: holdem.aggregate(players=3, hands=500, seed=1),
    "hand": lambda: list(holdem.simulate(players=3, hands=5, seed=2))[4],
    "value": lambda: holdem.evaluate("As Ks Qs Js Ts 2c 3d"),
    "matrix": lambda: holdem.equity_matrix("QQ+", "AKs,JTs:0.5", board="Td9d2c"),
    "hits": lambda: holdem.hits("QQ+,AK:0.5", board="Ks7d2c"),
    "explanation": lambda: holdem.explain("AsKs", "QdQh", board="Td9d2c"),
    "comparison": lambda: holdem.compare_hands("As Ks Qs Js Ts", "2c 2d 2h 2s 3c"),
}


@pytest.fixture(params=CALLS)
def result(request):
    return CALLS[request.param]()


def test_copies_are_equal(result):
    """A result equals its pickle, its copies, and the same call's next result."""
    for same in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
        assert same == result
        assert same.to_dict() == result.to_dict()
        assert str(same) == str(result)
        assert same is not None


@pytest.mark.parametrize("name", CALLS)
def test_equal_calls_are_equal(name):
    assert CALLS[name]() == CALLS[name]()


def test_different_results_differ():
    assert _sampled(7) != _sampled(8)
    exact = CALLS["exact"]()
    assert exact == attrs.evolve(exact, elapsed=exact.elapsed + 1)
    assert exact != attrs.evolve(exact, deals=exact.deals + 1)
    assert exact != attrs.evolve(exact, players=exact.players[::-1])
    assert CALLS["combos"]() != CALLS["sampled-combos"]()
    assert exact != 1


def test_short_and_long_text(result):
    """`repr` is one line; `str` is a table of several; HTML has the same cells, escaped."""
    assert "\n" not in repr(result)
    assert str(result)
    html = result._repr_html_()
    assert html.count("<td") == html.count("</td>")
    assert html.count("<") == html.count(">")


def test_str_is_the_command_line(capsys):
    assert run(["equity", "AsKs", "QQ+", "--board", "Td9d2c"]) == 0
    printed = capsys.readouterr().out.splitlines()
    shown = str(CALLS["exact"]()).splitlines()
    assert printed[:-1] == shown[:-1]  # the last line has the time


def test_repr_shows_equities_and_errors():
    assert repr(CALLS["exact"]()) == "<EquityResult, exact: AsKs 0.152441, QQ+ 0.847559>"
    sampled = _sampled()
    for player in sampled.players:
        assert f"{player.equity:.6f} ± {player.stderr:.6f}" in repr(sampled)


def test_equities_are_arrays():
    for found in (CALLS["exact"](), _sampled(), CALLS["head-to-head"]()):
        assert found.equities.dtype == found.stderrs.dtype == np.float64
        assert found.equities.tolist() == [player.equity for player in found.players]
        assert found.stderrs.tolist() == [player.stderr for player in found.players]
        assert abs(found.equities.sum() - 1) < 1e-12


def test_sampled_result_from_another_process():
    """A process pool can return results, and their combos are drawn again here."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        found = pool.submit(_sampled).result()
    assert found == _sampled()
    assert found.players[1].by_combo == _sampled().players[1].by_combo


def test_combos_of_a_pickled_exact_result():
    """They are those of the result, whether used before it was pickled or not."""
    fresh, used = CALLS["exact"](), CALLS["exact"]()
    expected = used.players[1].by_combo
    for found in (fresh, used):
        assert expected == pickle.loads(pickle.dumps(found)).players[1].by_combo


def test_pickle_is_small():
    """What is computed from a spot is not pickled."""
    found = _sampled()
    size = len(pickle.dumps(found))
    assert len(found.players[2].by_combo) == 1225
    assert len(pickle.dumps(found)) == size < 100_000


# --- combos ------------------------------------------------------------------------------------


def test_combo_table_exact():
    result = CALLS["exact"]()
    table = result.players[1].by_combo
    assert len(table) == 12
    assert table.combo.tolist() == [record.combo for record in table]
    record = table["KdKh"]
    assert record == table["KhKd"] == table[list(table.combo).index("KhKd")]
    assert (record.win, record.tie, record.lose, record.stderr) == (
        pytest.approx(record.equity),
        0.0,
        pytest.approx(1 - record.equity),
        0.0,
    )
    assert table.deals.sum() == result.deals
    mean = (table.weight * table.deals * table.equity).sum() / (table.weight * table.deals).sum()
    assert mean == pytest.approx(result.players[1].equity, abs=1e-12)
    assert list(table[:2]) == [table[0], table[1]]
    with pytest.raises(KeyError, match="AsAh"):
        table["AsAh"]  # blocked by AsKs
    with pytest.raises(ValueError, match="read-only"):
        table.equity[0] = 1


def test_copies_of_combo_tables_are_read_only():
    table = CALLS["combos"]()
    assert hash(table)  # caches the records, which are not pickled
    for same in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        assert not same.equity.flags.writeable
        assert len(pickle.dumps(same)) == len(pickle.dumps(table))


def test_combo_table_sampled():
    """Deals add up, and combos that never came up are NaN in arrays and None in records."""
    few = holdem.equity("AsKs", "random", "random", method="monte-carlo", deals=50, seed=1)
    table = few.players[1].by_combo
    assert table.deals.sum() == 50
    never = table.deals == 0
    assert never.sum() > 1000
    assert np.isnan(table.equity[never]).all()
    assert np.isnan(table.stderr[never]).all()
    assert (table.stderr[~never] > 0).all()
    assert {record.equity for record in table if record.deals == 0} == {None}


@pytest.mark.parametrize(
    "players",
    [("AsKs", "QQ+,JJ:0.5"), ("AKs,QQ", "TT+,AQs+", "random"), ("random",) * 3],
)
def test_combo_errors_cover(players):
    """The errors of combos' equities have the right size, also where deals share hole cards.

    Over many seeds the deviation from the mean, in standard errors, has mean square 1.
    """
    tables = [
        holdem.equity(*players, method="monte-carlo", deals=60_000, seed=seed).players[0].by_combo
        for seed in range(24)
    ]
    equity, error = (np.array([getattr(t, name) for t in tables]) for name in ("equity", "stderr"))
    seen = ~np.isnan(equity).any(axis=0)
    deviation = equity[:, seen] - equity[:, seen].mean(axis=0)
    ratio = (deviation**2).sum() / 23 * 24 / (error[:, seen] ** 2).sum()
    assert 0.8 < ratio < 1.25


# --- frames ------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames(library, result):
    pytest.importorskip(library)
    frame = result.to_frame(library)
    assert len(frame) >= 1
    assert type(frame).__module__.startswith(library)
    if hasattr(result, "players") and hasattr(result, "method"):
        assert list(frame["equity"]) == result.equities.tolist()


def test_no_such_frame():
    with pytest.raises(holdem.HoldemValueError, match="'arrow'"):
        CALLS["exact"]().to_frame("arrow")


# --- names -------------------------------------------------------------------------------------


def test_names_are_in_tables_json_and_frames():
    """A name stands for the number of a player, and nothing else changes."""
    spot = {"board": "Td9d2c"}
    plain = holdem.equity("AsKs", "QQ+", **spot)
    named = holdem.equity("AsKs", "QQ+", **spot, names=["BTN", " B|B "])
    assert [player.name for player in named.players] == ["BTN", "B|B"]
    assert named == plain.with_names(["BTN", "B|B"]) != plain
    assert pickle.loads(pickle.dumps(named)) == named
    lines = str(named).splitlines()
    assert [line.split()[:2] for line in lines[2:4]] == [["BTN", "AsKs"], ["B|B", "QQ+"]]
    record, expected = named.to_dict(["class"]), plain.to_dict(["class"])
    assert [player.pop("name") for player in record["players"]] == ["BTN", "B|B"]
    record["elapsed"] = expected["elapsed"]
    assert record == expected
    frame = named.to_frame()
    assert frame["player_name"].tolist() == ["BTN", "B|B"]
    assert frame["player"].tolist() == [1, 2]
    assert list(frame.drop(columns="player_name")) == list(plain.to_frame())
    sampled = _sampled().with_names(["x", "y", "z"])
    assert sampled.players[2].by_combo == _sampled().players[2].by_combo
    assert sampled.convergence == _sampled().convergence


@pytest.mark.parametrize(
    ("call", "key"),
    [
        (lambda **names: holdem.explain("AsKs", "QdQh", board="Td9d2c5h", **names), "player_name"),
        (lambda **names: holdem.explain("AsKs", "AcKc", **names), "player_name"),
        (lambda **names: holdem.head_to_head("AsKs", "QQ", deals=99, seed=1, **names), "name"),
        (lambda **names: holdem.head_to_head("AsKs", "72o", deals=999, seed=1, **names), "name"),
    ],
)
def test_names_of_explained_hands_and_trials(call, key):
    """A name stands for the number of a player in text, JSON and frames; nothing else changes."""
    plain, named = call(), call(names=["BTN", " B|B "])
    text = re.sub(r"[Pp]layers 1\s+and 2", "BTN and B|B", str(plain))
    text = re.sub(r"(?m)[Pp]layer\s+1|^1(?= )", "BTN", text)
    text = re.sub(r"(?m)[Pp]layer\s+2|^2(?= )", "B|B", text)
    without_time = [re.sub(r"[\d.]+\s+s$", "", each).split() for each in (text, str(named))]
    assert without_time[0] == without_time[1]
    assert [player.pop(key) for player in named.to_dict()["players"]] == ["BTN", "B|B"]
    frame = named.to_frame()
    assert list(frame.drop(columns="player_name")) == list(plain.to_frame())
    known = frame.dropna(subset="player_name")
    assert set(zip(known["player"], known["player_name"], strict=True)) == {(1, "BTN"), (2, "B|B")}


@pytest.mark.parametrize("by", [(), ("class",), ("next-card", "combo"), ("runout",)])
def test_names_on_the_command_line(by, capsys):
    words = ["equity", "AsKs", "QQ+", "-b", "Td9d2c", "--names", "BTN, BB"]
    words += [word for name in by for word in ("--by", name)]
    assert run(words) == 0
    text = capsys.readouterr().out
    assert "player 1" not in text
    titles = [line for line in text.splitlines() if line.startswith(("BTN, AsKs", "BB, QQ+"))]
    assert len(titles) == 2 * len(by)
    if not by:
        for command in (["explain"], ["head-to-head", "-n", "99"]):
            assert run([*command, *words[1:2], "QdQh", *words[3:]]) == 0
            assert "BTN's" in capsys.readouterr().out
    if len(by) == 1:
        assert run([*words, "-f", "csv"]) == 0
        rows = capsys.readouterr().out.splitlines()
        if by == ("class",):
            assert rows[0].startswith("player,player_name,range,name,")
            assert rows[-1].startswith("2,BB,QQ+,QQ,")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["BTN"], r"1 name \(BTN\) for 2 players"),
        (["BTN", "SB", "BB"], r"3 names \(BTN, SB, BB\) for 2 players"),
        (["BTN", "BTN "], "two players have the name 'BTN'"),
        (["BTN", ""], "1 to 30 printable characters, not ''"),
        (["BTN", "x" * 31], "1 to 30 printable characters"),
        (["BTN", "a\nb"], "printable characters, not 'a"),
        ("AB", "names must be a list of strings, as in .*, not 'AB'"),
        (["BTN", 7], "must be text, not 7"),
    ],
)
def test_bad_names(names, message):
    for call in (
        CALLS["exact"]().with_names,
        lambda names: holdem.equity("AA", "random", names=names),
        lambda names: holdem.explain("AsKs", "QdQh", names=names),
        lambda names: holdem.head_to_head("AsKs", "QQ", deals=9, names=names),
    ):
        with pytest.raises(holdem.HoldemError, match=message):
            call(names)


# --- digits ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stderr", "digits"),
    [(None, 4), (0.0, 4), (0.05, 0), (0.02, 1), (0.011, 1), (0.003, 1), (0.0005, 2), (0.00001, 4)],
)
def test_decimals(stderr, digits):
    assert decimals(stderr) == digits


# --- bounds and warnings -----------------------------------------------------------------------


def test_unused_bound_warns():
    with pytest.warns(holdem.HoldemWarning, match="deals has no effect on an exact answer"):
        holdem.equity("AsKs", "QQ+", board="Td9d2c", deals=100)


def test_interrupted_says_so():
    text = str(holdem.Interrupted(7))
    assert "Ctrl-C" in text
    assert "finished" in text
