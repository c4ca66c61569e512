"""`holdem equities` keeps what a Parquet file has, and its outputs have one schema."""

import pytest

import holdem
from holdem.cli import run

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
dataset = pytest.importorskip("pyarrow.dataset")
parquet = pytest.importorskip("pyarrow.parquet")

PLAYERS = {"p1": ["AsKs", "AsAs", None], "p2": ["QQ", "QQ", "7c7d"]}
OTHERS = {
    "number": pandas.array([7, None, 9], dtype="Int64"),
    "small": pandas.array([1, 2, 3], dtype="uint8"),
    "flag": pandas.array([True, None, False], dtype="boolean"),
    "note": pandas.array(["x", None, ""], dtype="string[pyarrow]"),
    "size": pandas.Categorical(["big", "small", None], ["small", "big", "huge"], ordered=True),
    "day": pandas.date_range("2026-03-29", periods=3, tz="Europe/Berlin"),
    "month": pandas.period_range("2026-03", periods=3, freq="M"),
    "pause": pandas.to_timedelta([1, None, 3], unit="min"),
    "nothing": [None, None, None],
    "stacks": [[100, 80], None, []],
}
INDEXES = {
    "default": pandas.RangeIndex(3),
    "steps": pandas.RangeIndex(10, 4, -2),
    "shuffled": pandas.Index([2, 0, 1]),
    "twice": pandas.Index([5, 5, 3]),
    "named": pandas.Index(["c", "a", "b"], name="hand"),
    "levels": pandas.MultiIndex.from_arrays([[1, 1, 0], ["x", "y", "x"]], names=["table", None]),
}


@pytest.fixture
def answers(tmp_path, monkeypatch, capsys):
    """Return a function that writes a frame, runs the command and reads both files."""
    monkeypatch.chdir(tmp_path)

    def compute(frame, *options):
        frame.to_parquet("in.parquet")
        assert run(["equities", "in.parquet", "-o", "out.parquet", "--force", *options]) == 0
        capsys.readouterr()
        return pandas.read_parquet("in.parquet"), pandas.read_parquet("out.parquet")

    return compute


@pytest.mark.parametrize("name", INDEXES)
def test_index_and_types_are_kept(answers, name):
    """The output is the frame that was written, with its index, and further columns."""
    frame = pandas.DataFrame({**OTHERS, **PLAYERS}, index=INDEXES[name])
    given, found = answers(frame)
    pandas.testing.assert_frame_equal(found[given.columns], given)
    assert found.columns[len(given.columns)] == "equity_1"
    assert found["equity_1"].iloc[0] == holdem.equity("AsKs", "QQ").players[0].equity
    frame["equity"] = found["equity_1"]
    assert frame["equity"].isna().tolist() == [False, True, True]


def test_players_of_other_types(answers):
    """Players, boards and dead cards are written as strings, also where all are missing."""
    frame = pandas.DataFrame(PLAYERS | {"board": [None] * 3}, dtype="category")
    answers(frame.assign(dead=[None] * 3))
    schema = parquet.read_schema("out.parquet")
    assert {schema.field(name).type for name in ("p1", "p2", "board", "dead")} == {pa.string()}


@pytest.mark.parametrize(
    "labels", [[0, 1], pandas.MultiIndex.from_tuples([("a", "x"), ("a", "y")])]
)
def test_labels_of_columns(answers, labels):
    """Labels that are not strings are read back as the names that the file has for them."""
    frame = pandas.DataFrame([["AsKs", "QQ"]], columns=labels, index=["x"])
    names = [str(label) for label in labels]
    _, found = answers(frame, "--players", ",".join(f'"{name}"' for name in names))
    assert found.columns[:3].tolist() == [*names, "equity_1"]
    assert found.index.tolist() == ["x"]


def test_schema_metadata(tmp_path, monkeypatch, capsys):
    """Metadata of the file and of its columns are kept, and a column that may not be null."""
    monkeypatch.chdir(tmp_path)
    fields = [
        pa.field("id", pa.int32(), nullable=False, metadata={"unit": "hands"}),
        pa.field("p1", pa.string()),
        pa.field("p2", pa.large_string()),
    ]
    schema = pa.schema(fields, metadata={"source": "site"})
    parquet.write_table(pa.table([[1], ["AsKs"], ["QQ"]], schema=schema), "in.parquet")
    assert run(["equities", "in.parquet", "-o", "out.parquet"]) == 0
    found = parquet.read_schema("out.parquet")
    assert found.metadata == schema.metadata
    assert found.field("id") == fields[0]
    assert found.field("id").metadata[b"unit"] == b"hands"


def test_a_folder_of_outputs(tmp_path, monkeypatch, capsys):
    """Outputs, with answers or without, are one data set for pyarrow, pandas and polars."""
    monkeypatch.chdir(tmp_path)
    chunks = {
        "good": {"p1": ["AsKs", "QQ"], "p2": ["JJ", "AhKh"], "board": ["Td9d2c", "Ks7d2c"]},
        "bad": {"p1": ["AsAs", None], "p2": ["JJ", "JJ"], "board": [None, None]},
        "empty": {"p1": [], "p2": [], "board": []},
    }
    for name, columns in chunks.items():
        pandas.DataFrame(columns).to_parquet(f"{name}.parquet")
        for kind in ("parquet", "csv"):
            if kind == "csv":
                pandas.DataFrame(columns).to_csv(f"{name}.csv", index=False)
            out = f"answers/{name}-{kind}.parquet"
            (tmp_path / "answers").mkdir(exist_ok=True)
            assert run(["equities", f"{name}.{kind}", "-o", out]) == 0
    capsys.readouterr()
    paths = sorted((tmp_path / "answers").iterdir())
    schemas = [parquet.read_schema(path).remove_metadata() for path in paths]
    assert all(schema == schemas[0] for schema in schemas)
    found = dataset.dataset("answers").to_table()
    errors = [error for error in found["error"].to_pylist() if error]
    assert len(found) == 8
    assert len(errors) == 4
    assert "'AsAs' is the same card twice" in errors[0]
    frame = polars.read_parquet("answers/*.parquet")
    assert frame["error"].null_count() == 4
    assert frame["board"].null_count() == 4
    assert "" not in frame["p1"].to_list()
    assert pandas.read_parquet("answers")["equity_1"].isna().sum() == 4
    tables = [parquet.read_table(path) for path in paths]
    assert len(pa.concat_tables(tables)) == 8


def test_the_index_is_no_unread_column(tmp_path, monkeypatch, capsys):
    """The note on columns that were not read leaves out the index of a pandas frame."""
    monkeypatch.chdir(tmp_path)
    frame = pandas.DataFrame({"p1": ["AA"], "p2": ["KK"]}, index=[7])
    frame.to_parquet("spots.parquet")
    assert run(["equities", "spots.parquet", "-o", "answers.parquet"]) == 0
    assert "not read" not in capsys.readouterr().err
    frame.assign(flop="").to_parquet("spots.parquet")
    assert run(["equities", "spots.parquet", "-o", "more.parquet"]) == 0
    assert "columns not read: 'flop'." in capsys.readouterr().err


def test_damaged_files(tmp_path, monkeypatch, capsys):
    """A damaged file is an error with its name, whichever part of it is damaged."""
    monkeypatch.chdir(tmp_path)
    table = pa.table({"p1": ["AsKs", "AA"], "p2": ["QdQh", "KK"], "board": ["Td9d2c3c"] * 2})
    parquet.write_table(table, "spots.parquet")
    for described in (b"{", b"[]", b"\xff", b"[" * 100_000, b'{"index_columns": 5}'):
        changed = table.replace_schema_metadata({b"pandas": described})
        parquet.write_table(changed, "spots.parquet")
        assert run(["equities", "spots.parquet"]) == 2
        assert "'spots.parquet' cannot be read: " in capsys.readouterr().err
    parquet.write_table(table.set_column(0, "p1", [[b"AsKs", b"\xff"]]), "spots.parquet")
    assert run(["equities", "spots.parquet"]) == 2
    assert "'spots.parquet' cannot be read: Invalid UTF8" in capsys.readouterr().err
    parquet.write_table(table, "spots.parquet")
    content = (tmp_path / "spots.parquet").read_bytes()
    for place in range(4, len(content) - 4, 3):
        changed = bytearray(content)
        changed[place] ^= 1 << place % 8
        (tmp_path / "changed.parquet").write_bytes(changed)
        code = run(["equities", "changed.parquet", "-o", "out.csv", "--force"])
        err = capsys.readouterr().err
        assert code == 0 or (code == 2 and "unexpected" not in err), (place, err)
