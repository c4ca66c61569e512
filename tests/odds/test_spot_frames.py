"""Data frames of `equities`: rows keep their names, and one schema holds for all spots."""

import pickle

import numpy as np
import pytest

import holdem

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

# Streets are mixed, and a board that is missing beside others is warned of.
pytestmark = pytest.mark.filterwarnings("ignore:.* answered before the flop")

HEROES = ["AsKs", "7c7d", "QQ+", "AsAs", None, "JTs", "AsKs", "2c2d"]
VILLAINS = ["QdQh", "AhKh", "random", "JJ", "JJ", "T9s", "88", "AK"]
BOARDS = ["Td9d2c", None, "Ks7h2c5h9d", "", "Td9d2c", "Td9d2c5h", "7d6d2s", "2h2s3d"]
POTS = [4, 25, 60, 31, 12, 8, 90, 55]

INDEXES = {
    "filtered": pandas.Index([3, 4, 7, 8, 11, 12, 20, 21]),
    "shuffled": pandas.Index([5, 2, 7, 0, 1, 6, 3, 4]),
    "twice": pandas.Index([1, 0, 1, 1, 2, 0, 2, 2]),
    "named": pandas.Index(list("hgfedcba"), name="hand"),
    "days": pandas.date_range("2026-03-01", periods=8, tz="Europe/Berlin")[::-1],
    "missing": pandas.Index(["a", None, "b", float("nan"), "c", pandas.NA, "d", "e"], dtype=object),
    "levels": pandas.MultiIndex.from_arrays(
        [[2, 2, 1, 1, 2, 2, 1, 1], list("abababab")], names=["table", None]
    ),
}
KINDS = ("str", "object", "string", "string[pyarrow]", "category")

SCHEMA = {
    **dict.fromkeys(("p1", "p2", "board", "dead"), "string"),
    **{
        f"{name}_{n}": "double"
        for name in ("equity", "win", "tie", "lose", "stderr")
        for n in (1, 2)
    },
    "exact": "bool",
    "deals": "int64",
    "error": "string",
}
ARROW_SCHEMA = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in SCHEMA.items()])
SPOTS = {
    "exact": (["AsKs", "QQ"], "JJ", {"board": ["Td9d2c", "2c3d4h"], "dead": ["4c", "5c"]}),
    "sampled": (["AsKs", "QQ"], "JJ", {"method": "monte-carlo", "deals": 200, "seed": 1}),
    "a bad row": (["AsKs", "AsAs"], "JJ", {}),
    "no answer": (["AsAs", None], ["JJ", "xx"], {"board": [None, "Td"]}),
    "one row": ("AsKs", "JJ", {}),
    "no row": ([], [], {}),
    "categories": (
        pandas.Categorical(["AsKs", "QQ"]),
        "JJ",
        {"board": pandas.Categorical(["", ""])},
    ),
    "ids": (
        np.array([[51, 50], [300, 5], [0, 4]]),
        holdem.Range("QQ+"),
        {"board": np.array([[8, 12, 20]] * 3), "dead": np.array([[32, 31], [33, 2], [31, 32]])},
    ),
    "arrow": (
        pa.chunked_array([["AsKs", None], ["QQ"]]),
        pa.array(["JJ", "JJ", "99"]).dictionary_encode(),
        {"board": pa.array([[8, 12, 20], None, []]), "dead": pa.array(["4c", "", None])},
    ),
}


def frame_of_spots(index, kind="object"):
    """Return spots with an invalid player, a missing one, and boards of three to five cards."""
    columns = {"hero": HEROES, "villain": VILLAINS, "board": BOARDS}
    frame = pandas.DataFrame(
        {name: pandas.array(values, dtype=kind) for name, values in columns.items()}, index=index
    )
    return frame.assign(pot=POTS)


def require_own_answers(spots, equity):
    """Require in each row of a frame the equity of the spot in this row, or none."""
    for place, (_, row) in enumerate(spots.iterrows()):
        given = [
            None if pandas.isna(row[name]) else row[name] for name in ("hero", "villain", "board")
        ]
        found = equity.iloc[place]
        try:
            expected = holdem.equity(*given[:2], board=given[2], method="exact")
        except holdem.HoldemError:
            assert np.isnan(found)
        else:
            assert found == expected.players[0].equity, given


def arrow(frame):
    """Return a frame as a `pyarrow.Table`, with the two types of strings as one."""
    table = frame.to_arrow() if isinstance(frame, polars.DataFrame) else pa.table(frame)
    fields = [
        field.with_type(pa.string()) if field.type == pa.large_string() else field
        for field in table.schema
    ]
    return table.cast(pa.schema(fields)).replace_schema_metadata()


def answer(name):
    first, second, options = SPOTS[name]
    return holdem.equities(first, second, errors="nan", **options)


# --- the index ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", INDEXES)
def test_rows_keep_their_names(name):
    """An assigned column has the answer of its own row, whatever the index is."""
    index = INDEXES[name]
    spots = frame_of_spots(index)
    table = holdem.equities(spots.hero, spots.villain, board=spots.board, errors="nan")
    frame = table.to_frame()
    assert frame.index.equals(index)
    assert frame.index.names == index.names
    spots["equity"] = frame["equity_1"]
    require_own_answers(spots, spots["equity"])
    assert list(frame["p1"].fillna("")) == [text or "" for text in HEROES]
    assert pickle.loads(pickle.dumps(table)).to_frame().equals(frame)


@pytest.mark.parametrize("kind", KINDS)
def test_filtered_frame(kind):
    """Columns of text of any type are read, and the answers of some rows are joined by name."""
    spots = frame_of_spots(INDEXES["shuffled"], kind)
    some = spots[spots["pot"] > 10].copy()
    table = holdem.equities(some.hero, some.villain, board=some.board, errors="nan")
    some["equity"] = table.to_frame()["equity_1"]
    require_own_answers(some, some["equity"])
    joined = spots.join(table.to_frame()[["equity_1"]])
    assert joined["equity_1"][spots["pot"] <= 10].isna().all()
    require_own_answers(some, joined["equity_1"][spots["pot"] > 10])
    assert arrow(table.to_frame().reset_index(drop=True)).schema == ARROW_SCHEMA


@pytest.mark.parametrize("column", ["player 1", "player 2", "board", "dead cards"])
def test_one_series_among_other_columns(column):
    """The index is that of the only Series; lists and values for all spots have none."""
    index = INDEXES["shuffled"]
    columns = {
        "player 1": ["AsKs"] * 8,
        "player 2": "JJ",
        "board": [text or "" for text in BOARDS],
        "dead cards": None,
    }
    values = columns[column] if isinstance(columns[column], list) else [columns[column]] * 8
    columns[column] = pandas.Series(values, index=index)
    first, second, board, dead = columns.values()
    frame = holdem.equities(first, second, board=board, dead=dead, errors="nan").to_frame()
    assert frame.index.equals(index)


def test_without_a_series():
    """Rows are numbered from 0; polars frames have no index, and the order of the spots."""
    series = polars.Series(["AsKs", "QQ"])
    assert holdem.equities(series, "JJ").to_frame().index.tolist() == [0, 1]
    spots = frame_of_spots(INDEXES["shuffled"])
    frame = holdem.equities(spots.villain, "2h2c").to_frame("polars")
    assert frame["p1"].to_list() == VILLAINS


@pytest.mark.parametrize("errors", ["raise", "nan"])
def test_different_indexes(errors):
    """Series with different indexes are an error that shows the first difference and a way out."""
    hero = pandas.Series(["AsKs", "QQ", "77"], index=[2, 0, 1])
    board = pandas.Series(["", "Td9d2c", "Ks7h2c"])
    for other, found in (
        (board, "player 1 and board are Series with different indexes: 2 and 0 in row 0. Take"),
        (board[[2, 0]], ": 3 and 2 rows. Take"),
        (board[[2, 1, 0]], ": 0 and 1 in row 1."),
        (board.rename(str)[["2", "0", "1"]], ": 2 and '2' in row 0."),
    ):
        with pytest.raises(holdem.HoldemValueError) as raised:
            holdem.equities(hero, "JJ", board=other, errors=errors)
        assert found in str(raised.value)
        assert "as in board.loc[hero.index]" in str(raised.value)
        for columns in ((hero, other, None), ("JJ", hero, other)):
            with pytest.raises(holdem.HoldemValueError, match="different indexes"):
                holdem.equities("AhKh", *columns[:2], dead=columns[2], errors=errors)


def test_ways_to_align():
    """What the error of different indexes recommends: by label, or by position."""
    hero = pandas.Series(["AhKh", "QQ", "77"], index=[2, 0, 1])
    board = pandas.Series(["", "Td9d2c", "Ks7h2c"])
    by_label = holdem.equities(hero, "JJ", board=board.loc[hero.index])
    assert by_label == holdem.equities(hero, "JJ", board=["Ks7h2c", "", "Td9d2c"])
    by_position = holdem.equities(hero, "JJ", board=board.to_numpy())
    assert by_position == holdem.equities(hero, "JJ", board=board.tolist())
    assert by_position.to_frame().index.tolist() == [2, 0, 1]


def test_equal_indexes():
    """Indexes of different classes with equal labels are equal."""
    hero = pandas.Series(["AsKs", "QQ"])
    board = pandas.Series(["", "Td9d2c"], index=pandas.Index([0.0, 1.0], name="row"))
    assert holdem.equities(hero, "JJ", board=board).to_frame().index.equals(hero.index)
    labels = ["a", "b"]
    for index in (
        pandas.CategoricalIndex(labels, categories=["b", "a"]),
        pandas.CategoricalIndex(labels),
    ):
        board = pandas.Series(["", "Td9d2c"], index=index)
        assert len(holdem.equities(hero.set_axis(labels), "JJ", board=board)) == 2
    dates = pandas.Series([], index=pandas.DatetimeIndex([]), dtype=str)
    assert len(holdem.equities(dates, "JJ", board=pandas.Series([], dtype=object))) == 0


def test_labels_that_occur_twice():
    """Where labels do not identify rows, selecting by label is not recommended."""
    hero = pandas.Series(["AsKs", "QQ", "77"], index=[0, 0, 1])
    with pytest.raises(holdem.HoldemValueError, match="or reset their indexes") as raised:
        holdem.equities(hero, "JJ", board=pandas.Series(["", "", ""]))
    assert ".loc" not in str(raised.value)


# --- the schema --------------------------------------------------------------------------------


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("name", SPOTS)
def test_one_schema(name, library):
    """Columns and types are the same for all spots, with answers or without."""
    table = answer(name)
    frame = arrow(table.to_frame(library))
    assert frame.schema == ARROW_SCHEMA
    for number, (row, spot) in enumerate(zip(frame.to_pylist(), table, strict=True)):
        given = (*spot.players, spot.board, spot.dead)
        assert [row[each] or "" for each in ("p1", "p2", "board", "dead")] == list(given)
        assert [row["equity_1"], row["deals"]] == [(spot.equity or [None])[0], spot.deals]
        assert (row["error"] or "") == table.errors.get(number, "").partition("\n")[0]


@pytest.mark.parametrize("storage", ["python", "pyarrow"])
def test_types_of_pandas(storage):
    """Strings are those of pandas 3, where all are missing, too; NaN is a missing number."""
    with pandas.option_context("mode.string_storage", storage):
        strings = pandas.StringDtype(na_value=np.nan)
        frame = answer("no answer").to_frame()
    assert strings.storage == frame["p1"].dtype.storage == storage
    for name in ("p1", "board", "dead", "error"):
        assert frame[name].dtype == strings
    assert frame["dead"].isna().all()
    assert frame["p1"].fillna("").tolist() == ["AsAs", ""]
    assert frame[["equity_1", "stderr_2"]].isna().all(axis=None)
    assert frame["deals"].tolist() == [0, 0]


def test_chunks_concatenate(tmp_path):
    """Answers of chunks, one with a bad row, are one frame, one table and one Parquet file."""
    tables = [answer(name) for name in SPOTS]
    rows = sum(map(len, tables))
    joined = pandas.concat([table.to_frame() for table in tables], ignore_index=True)
    assert joined.dtypes.tolist() == tables[0].to_frame().dtypes.tolist()
    assert len(joined) == rows
    own = polars.concat([table.to_frame("polars") for table in tables])
    assert own.schema == tables[0].to_frame("polars").schema
    assert own["equity_1"].null_count() == joined["equity_1"].isna().sum() == 6
    for library in ("pandas", "polars"):
        frames = [table.to_frame(library) for table in tables]
        chunks = [pa.table(frame) for frame in frames]
        assert len(pa.concat_tables(chunks)) == rows
        path = tmp_path / f"{library}.parquet"
        with parquet.ParquetWriter(path, chunks[2].schema) as writer:
            for chunk in chunks:
                writer.write_table(chunk)
        found = parquet.read_table(path)
        assert found["error"].to_pylist() == own["error"].to_list()
        assert found["equity_2"].to_pylist() == own["equity_2"].to_list()


def test_frames_are_copies():
    table = answer("exact")
    expected = table.equity.tolist()
    frame = table.to_frame()
    frame["equity_1"] = 0.0
    frame.loc[0, "equity_2"] = 0.0
    assert table.equity.tolist() == expected
