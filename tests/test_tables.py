"""Tables are values with rows: masks and slices of them are tables, and Arrow reads them."""

import copy
import gc
import pickle
import warnings
import weakref
from functools import cache

import numpy as np
import pytest

import holdem
import holdem_abstraction

COLUMNS = ["AsKs", "QQ", "zz", "QQ"], ["JJ", "random", "AA", "random"]


def _spots(**options):
    return holdem.equities(*COLUMNS, board=["Td9d2c", "", "", ""], errors="nan", **options)


def _equity():
    return holdem.equity("AsKs", "QQ+,A5s:0.5", board="Td9d2c")


TABLES = {
    "spots": _spots,
    "combos": lambda: _equity().players[1].by_combo,
    "classes": lambda: _equity().players[1].by_class,
    "categories": lambda: _equity().players[1].by_category,
    "next cards": lambda: _equity().by_next_card,
    "runouts": lambda: _equity().by_runout,
    "hands": lambda: holdem.deal("AsKs", "QQ+", hands=7, seed=1),
}


@cache
def _table_of(name):
    return TABLES[name]()


@pytest.fixture(params=TABLES)
def table(request):
    return _table_of(request.param)


def test_arrow(table):
    """The libraries of data frames read a table by Arrow's interface as `to_frame` makes it."""
    polars, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    assert pa.table(table).equals(table.to_frame("pyarrow"))
    assert polars.DataFrame(table).equals(polars.from_arrow(table.to_frame("pyarrow")))
    pandas = pytest.importorskip("pandas")
    if hasattr(pandas.DataFrame, "from_arrow"):
        assert len(pandas.DataFrame.from_arrow(table)) == len(table)


def test_arrow_without_pyarrow(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(holdem.HoldemRuntimeError, match="pip install pyarrow"):
        _spots().__arrow_c_stream__()


def test_no_array(table):
    """A table is not taken for an array of objects."""
    for make in (np.asarray, np.array, np.sum):
        with pytest.raises(holdem.HoldemTypeError, match=r"not an array: use one of its arrays"):
            make(table)


@pytest.mark.parametrize(
    "index",
    [slice(1, 3), slice(None, None, -1), [2, 0, 2], [], np.array([0, -1]), slice(5, 2)],
    ids=str,
)
def test_some_rows(table, index):
    """Each row of a table of some rows is a record of the whole, with its share of the whole."""
    some, records = table[index], list(table)
    numbers = np.arange(len(table))[np.array(index, dtype=int) if type(index) is list else index]
    assert type(some) is type(table)
    assert len(some) == len(numbers)
    assert [repr(record) for record in some] == [repr(records[n]) for n in numbers]
    assert some == table[np.array(numbers, dtype=int)]
    assert hash(some) == hash(table[np.array(numbers, dtype=int)])
    for same in (pickle.loads(pickle.dumps(some)), copy.deepcopy(some)):
        assert same == some
    pandas = pytest.importorskip("pandas")
    expected = table.to_frame().iloc[numbers].reset_index(drop=True)
    pandas.testing.assert_frame_equal(some.to_frame(), expected)
    assert str(some)


def test_no_rows_of_boards_that_are_missing_or_ids():
    """A table without rows has the columns of the whole, whatever its boards were."""
    for board in (["Td9d2c", None], [(32, 31, 30), (5, 4, 3)], np.array([[32, 31, 30], [5, 4, 3]])):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", holdem.HoldemWarning)
            table = holdem.equities(["AsKs", (45, 44)], "7c7s", board=board)
        none = table[:0].to_frame("pyarrow")
        assert none.schema == table.to_frame("pyarrow").schema
        assert len(none) == 0
    assert len(table[:1].spots.columns["player 1"].distinct) == 1


def test_masks(table):
    mask = np.arange(len(table)) % 2 == 1
    assert table[mask] == table[mask.tolist()] == table[1::2]
    with pytest.raises(IndexError):
        table[mask[1:]]
    with pytest.raises(IndexError):
        table[len(table)]
    for wrong in (1.5, None, [[0]], [0.5]):
        with pytest.raises(holdem.HoldemTypeError, match="expected the number of a row"):
            table[wrong]


def test_some_spots_keep_their_names_and_errors():
    pandas = pytest.importorskip("pandas")
    heroes = pandas.Series(COLUMNS[0], index=list("abcd"))
    table = holdem.equities(heroes, "JJ", errors="nan")
    some = table[heroes == "QQ"]
    assert some.to_frame().index.tolist() == ["b", "d"]
    assert table[2:].errors == {0: table.errors[2]}
    with pytest.raises(holdem.HoldemValueError, match="Series with another index"):
        table[(heroes == "QQ").reset_index(drop=True)]


def test_arrays_are_read_only(table):
    for part in (table, table[:2]):
        for name in dir(part):
            if not name.startswith("_") and isinstance(getattr(part, name), np.ndarray):
                assert not getattr(part, name).flags.writeable, name
    for values in (_equity().equities, _equity().stderrs):
        assert not values.flags.writeable


HASHED = {
    **TABLES,
    "equity": _equity,
    "head-to-head": lambda: holdem.head_to_head("AsKs", "QQ", deals=2_000, seed=1),
    "aggregate": lambda: holdem.aggregate(players=3, hands=500, seed=1),
    "matrix": lambda: holdem.equity_matrix("QQ+", "AKs", board="Td9d2c"),
    "hits": lambda: holdem.hits("QQ+,AK:0.5", board="Ks7d2c"),
    "comparison": lambda: holdem.compare_hands("As Ks Qs Js Ts", "2c 2d 2h 2s 3c"),
    "explanation": lambda: holdem.explain("AsKs", "QdQh", board="Td9d2c"),
    "value": lambda: holdem.evaluate("As Ks Qs Js Ts 2c 3d"),
    "strengths": lambda: holdem_abstraction.hand_strengths("preflop"),
    "abstraction": lambda: holdem_abstraction.card_abstraction("preflop", buckets=5),
    "indexer": lambda: holdem_abstraction.HandIndexer("flop"),
}


@pytest.mark.parametrize("name", HASHED)
def test_every_result_is_a_value(name):
    """Equal results have equal hashes, and are one key of a dictionary."""
    one, other = HASHED[name](), HASHED[name]()
    assert one == other
    assert {one: 1}[other] == 1
    for same in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
        assert same == one
        assert hash(same) == hash(one)
    assert one != 1


def test_different_abstractions_differ():
    strengths = holdem_abstraction.hand_strengths("preflop")
    assert strengths != holdem_abstraction.hand_strengths("preflop", opponent="QQ+")
    five, six = (holdem_abstraction.card_abstraction(strengths, buckets=count) for count in (5, 6))
    assert five != six
    assert holdem_abstraction.HandIndexer("flop") != holdem_abstraction.HandIndexer("turn")
    for values in (strengths.equity, strengths.points, five.buckets, five.equity):
        assert not values.flags.writeable


def test_names_of_players():
    """Names are shown in tables and JSON; columns of frames don't depend on them."""
    table, plain = _spots(names=["BTN", "BB"]), _spots()
    assert str(table).splitlines()[0].split()[:3] == ["spot", "BTN", "BB"]
    assert table.to_dict()["names"] == ["BTN", "BB"]
    assert list(table.to_frame("pyarrow").column_names) == plain.to_frame("pyarrow").column_names
    assert table != plain
    assert table[1:].names == ("BTN", "BB")
    three = holdem.equities("AsKs", "QQ", ["JJ", ""], board="Td9d2c", names=["BTN", "SB", "BB"])
    assert "BB" in str(three).splitlines()[3]
    with pytest.raises(holdem.HoldemValueError, match="give one for each"):
        _spots(names=["BTN"])


# --- equal sampled spots -------------------------------------------------------------------


def _sampled(heroes, workers=1, **options):
    found = holdem.equities(
        *(heroes, "random"), board=["Td9d2c"] * len(heroes), method="monte-carlo", seed=5,
        deals=2_000, workers=workers, **options,
    )  # fmt: skip
    return found.equity[:, 0].tolist()


def test_equal_sampled_spots_are_drawn_independently():
    """Neither other spots, nor workers change what the first, second and third of equals get."""
    both = _sampled(["AsKs", "QQ", "AsKs", "AsKs", "QQ"])
    kings, queens = [both[0], *both[2:4]], [both[1], both[4]]
    assert len({*kings}) == 3
    assert len({*queens}) == 2
    assert _sampled(["QQ", "AsKs"]) == [queens[0], kings[0]]
    assert _sampled(["AsKs"] * 3) == kings
    assert _sampled(["QQ", "AsKs", "QQ", "AsKs", "AsKs"], workers=2) == [
        queens[0], kings[0], queens[1], *kings[1:],
    ]  # fmt: skip
    exact = holdem.equity("AsKs", "random", board="Td9d2c").players[0].equity
    assert np.mean(_sampled(["AsKs"] * 50)) == pytest.approx(exact, abs=5 * 0.5 / 100_000**0.5)


def test_equal_spots_in_other_words():
    """Ranges of one meaning, and boards in any order, are equal."""
    words = [("QQ+", "Td9d2c"), ("QQ,KK,AA", "9dTd2c"), ("QQ+", "2cTd9d"), ("JJ", "Td9d2c")]
    heroes, boards = zip(*words, strict=True)
    found = holdem.equities(
        *(heroes, "AK,QJs", "random"), board=boards, method="monte-carlo", seed=5, deals=1_000
    )
    again = holdem.equities(
        *(["QQ+"] * 3, "AK,QJs", "random"),
        board="Td9d2c",
        method="monte-carlo",
        seed=5,
        deals=1_000,
    )
    assert found.equity[:3].tolist() == again.equity.tolist()
    assert len({*found.equity[:, 0].tolist()}) == 4


def test_ranges_that_are_not_needed_any_more():
    """Counting equal spots writes only ranges of spots that no batch answers, and keeps none."""
    ranges = [holdem.Range.from_combos(["AhKh", own]) for own in holdem.Range("22-TT")]
    batched, *others = ranges
    holdem.equities("AsKd", ranges, ["", *["random"] * len(others)], board="2d9d2c5h3s")
    assert "_text" not in vars(batched)
    assert "_text" in vars(others[0])
    references = [weakref.ref(own) for own in ranges]
    del ranges, batched, others
    gc.collect()
    # The last plans are kept.
    assert sum(own() is not None for own in references) < len(references) // 2


def test_equal_spots_of_a_file(tmp_path, monkeypatch, capsys):
    """The command counts equals over all chunks, and so answers as `equities` does."""
    from holdem.cli import run

    rows = ["AsKs,QQ", "AsKs,QQ", "JJ,QQ", "AsKs,QQ", "JJ,QQ"]
    path = tmp_path / "spots.csv"
    path.write_text("\n".join(["p1,p2", *rows]))
    expected = holdem.equities(
        *zip(*(row.split(",") for row in rows), strict=True),
        method="monte-carlo", seed=3, deals=1_000,
    )  # fmt: skip
    for size in (2, 100):
        monkeypatch.setattr("holdem.cli.equities._CHUNK", size)
        command = ["equities", str(path), "--method", "monte-carlo", "--seed", "3", "-n", "1000"]
        assert run(command) == 0
        lines = capsys.readouterr().out.splitlines()[1:]
        assert [float(line.split(",")[2]) for line in lines] == expected.equity[:, 0].tolist()
    assert len({*expected.equity[:, 0].tolist()}) == 5
