"""`write_hands`: the hands of `simulate` in three formats."""

import csv
import io
import json
import os
import pathlib
import sys

import pyarrow as pa
import pytest
from pyarrow import parquet

import holdem
from holdem.errors import Interrupted
from holdem.jobs import run
from holdem.trials import hand_files


@pytest.fixture(autouse=True)
def _small_tables(monkeypatch):
    """Reduce tables to 100 hands, so that a few hundred hands take several."""
    monkeypatch.setattr(hand_files, "HANDS_PER_TABLE", 100)


def _expected(players, hands, evaluator=None):
    return [
        hand.to_dict()
        for hand in holdem.simulate(players=players, hands=hands, seed=7, evaluator=evaluator)
    ]


@pytest.mark.parametrize("players", [2, 6, 10])
def test_jsonl(players, tmp_path):
    """Each line is exactly the JSON of a hand."""
    path = tmp_path / "hands.jsonl"
    assert holdem.write_hands(path, players=players, hands=250, seed=7) == 7
    expected = [json.dumps(record) for record in _expected(players, 250)]
    assert path.read_text(encoding="utf-8").splitlines() == expected


def _flat(record):
    """Return a hand's record as a row."""
    cells = {
        "hand": record["hand"],
        "seed": record["seed"],
        "board": " ".join(record["board"]),
        "burns": " ".join(record["burns"]),
        "winners": record["winners"],
    }
    for place, seat in enumerate(record["seats"]):
        cells[f"seat{place}_hole"] = "".join(seat["hole"])
        cells[f"seat{place}_category"] = seat["category"]
        cells[f"seat{place}_class"] = seat["class"]
        cells[f"seat{place}_best"] = " ".join(seat["best"])
    return {**cells, "evaluator": record["evaluator"]["name"]}


@pytest.mark.parametrize(("players", "evaluator"), [(2, "lookup"), (9, "short-deck")])
def test_csv(players, evaluator, tmp_path):
    """Each row has the fields of a hand's record."""
    path = tmp_path / "hands.csv"
    holdem.write_hands(path, players=players, hands=150, seed=7, evaluator=evaluator)
    with path.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    expected = [_flat(record) for record in _expected(players, 150, evaluator)]
    for row, cells in zip(rows, expected, strict=True):
        winners = " ".join(map(str, cells["winners"]))
        assert row == {name: str(value) for name, value in cells.items()} | {"winners": winners}


@pytest.mark.parametrize("tables", [1, 2, 16])
def test_parquet(tables, tmp_path, monkeypatch):
    """Parquet files have the columns of the CSV, with types, in row groups."""
    monkeypatch.setattr(hand_files, "TABLES_PER_GROUP", tables)
    path = tmp_path / "hands.parquet"
    holdem.write_hands(path, players=4, hands=350, seed=7)
    found = parquet.ParquetFile(path)
    assert found.num_row_groups == -(-4 // tables)
    table = found.read()
    assert table.to_pylist() == [_flat(record) for record in _expected(4, 350)]
    assert table.schema.field("hand").type == pa.int64()
    assert table.schema.field("winners").type == pa.list_(pa.int8())
    assert table.schema.field("seat3_class").type == pa.int16()


@pytest.mark.parametrize("ending", hand_files.FORMATS)
def test_workers(ending, tmp_path):
    """The file does not depend on the number of workers."""
    written = []
    for workers in (1, 3):
        path = tmp_path / f"{workers}.{ending}"
        holdem.write_hands(path, players=3, hands=450, seed=5, workers=workers)
        written.append(path.read_bytes())
    assert written[0] == written[1]


@pytest.mark.parametrize("ending", hand_files.FORMATS)
def test_no_hands(ending, tmp_path):
    """A file of no hands has the header of its format."""
    path = tmp_path / f"none.{ending}"
    holdem.write_hands(path, players=2, hands=0, seed=5)
    if ending == "parquet":
        assert parquet.read_table(path).num_rows == 0
    else:
        assert len(path.read_text().splitlines()) == (ending == "csv")


@pytest.mark.parametrize("ending", hand_files.FORMATS)
def test_interrupted(ending, tmp_path, interrupted_after):
    """After Ctrl-C the file has the hands written, and can be read."""
    interrupted_after(2)
    path = tmp_path / f"hands.{ending}"
    with pytest.raises(Interrupted) as caught:
        holdem.write_hands(path, players=2, hands=1000, seed=7, workers=1)
    assert caught.value.finished == 200
    if ending == "parquet":
        assert parquet.read_table(path).num_rows == 200
    else:
        assert len(path.read_text().splitlines()) == 200 + (ending == "csv")


@pytest.mark.parametrize(
    ("ending", "step"),
    [
        *[("jsonl", 3), ("csv", 7), ("parquet", 7)],
        *(pytest.param(ending, 1, marks=pytest.mark.slow) for ending in hand_files.FORMATS),
    ],
)
def test_interrupted_anywhere(ending, step, tmp_path, monkeypatch, interrupted_at_every_line):
    """After Ctrl-C at any line the file is valid and has the reported number of first hands.

    The ordinary run tries every third or seventh line, steps that meet other lines in each batch;
    the slow run tries all.
    """
    monkeypatch.setattr(hand_files, "HANDS_PER_TABLE", 4)
    monkeypatch.setattr(hand_files, "TABLES_PER_GROUP", 2)
    path = tmp_path / f"hands.{ending}"

    def write():
        path.unlink(missing_ok=True)
        holdem.write_hands(path, players=2, hands=12, seed=7, workers=1)

    write()
    expected, reached = _numbers(path), set()
    assert expected == list(range(1, 13))
    for found in interrupted_at_every_line(write, hand_files, run, step=step):
        reached.add(found)
        if path.exists() and path.stat().st_size:
            assert expected[:found] == _numbers(path)
        else:
            assert found == 0
    assert reached >= {0, 4, 8, 12}


def _numbers(path):
    """Return the numbers of the hands in a file."""
    if path.suffix == ".parquet":
        return parquet.read_table(path)["hand"].to_pylist()
    with path.open(newline="") as stream:
        if path.suffix == ".csv":
            return [int(row["hand"]) for row in csv.DictReader(stream)]
        return [json.loads(line)["hand"] for line in stream]


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_interrupted_while_it_writes(ending, share, tmp_path, monkeypatch):
    """Lines of a table whose writing Ctrl-C interrupts are removed."""

    class Cut(io.BufferedWriter):
        def write(self, given):
            if len(given) < 1000 or self.tell() < 20_000:
                return super().write(given)
            super().write(given[: int(share * len(given))])
            raise KeyboardInterrupt

    path = tmp_path / f"hands.{ending}"
    holdem.write_hands(path, players=6, hands=300, seed=7)
    whole = path.read_bytes()
    monkeypatch.setattr(
        pathlib.Path,
        "open",
        lambda self, mode, **options: io.TextIOWrapper(Cut(io.FileIO(self, mode)), **options),
    )
    with pytest.raises(Interrupted) as caught:
        holdem.write_hands(path, players=6, hands=1000, seed=7, workers=1)
    monkeypatch.undo()
    assert 0 < caught.value.finished < 300
    assert list(range(1, caught.value.finished + 1)) == _numbers(path)
    assert whole.startswith(path.read_bytes())


@pytest.mark.parametrize("ending", hand_files.FORMATS)
def test_no_place_to_write(ending, tmp_path):
    """The error has the file and the reason, and advice about missing directories."""
    path = tmp_path / "missing" / f"hands.{ending}"
    with pytest.raises(holdem.HandFileError) as caught:
        holdem.write_hands(path)
    assert str(caught.value) == (
        f"{path} cannot be written: No such file or directory; there is no directory"
        f" {path.parent}: make it first, or write elsewhere"
    )
    (tmp_path / f"hands.{ending}").mkdir()
    with pytest.raises(holdem.HandFileError) as caught:
        holdem.write_hands(tmp_path / f"hands.{ending}")
    assert str(caught.value) == f"{tmp_path}/hands.{ending} cannot be written: Is a directory"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a disk that is always full")
@pytest.mark.parametrize("ending", hand_files.FORMATS)
def test_a_full_disk(ending, tmp_path):
    """A full disk raises an error with the file."""
    path = tmp_path / f"hands.{ending}"
    path.symlink_to("/dev/full")
    with pytest.raises(holdem.HandFileError) as caught:
        holdem.write_hands(path, hands=1000)
    assert str(caught.value) == f"{path} cannot be written: No space left on device"


@pytest.mark.parametrize("name", ["hands", "hands.txt", "hands.json", ".csv"])
def test_other_endings(name, tmp_path):
    """Unknown extensions raise an error with the known ones, and nothing is written."""
    with pytest.raises(holdem.HoldemError, match=r"must end in \.jsonl, \.csv or \.parquet"):
        holdem.write_hands(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_bad_arguments(tmp_path):
    """Invalid arguments raise errors before a file is created."""
    for arguments in ({"players": 11}, {"hands": -1}, {"seed": -1}, {"workers": 0}):
        with pytest.raises(holdem.HoldemError):
            holdem.write_hands(tmp_path / "hands.csv", **arguments)
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow(tmp_path, monkeypatch):
    """Without pyarrow the error says what to install."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(holdem.HoldemError, match="pip install pyarrow"):
        holdem.write_hands(tmp_path / "hands.parquet")
    assert list(tmp_path.iterdir()) == []


def test_existing_file(tmp_path):
    """A file is replaced, unless `overwrite` is False."""
    path = tmp_path / "hands.csv"
    holdem.write_hands(path, hands=2, seed=7, overwrite=False)
    before = path.read_bytes()
    with pytest.raises(holdem.HandFileError, match=r"hands\.csv exists already.*overwrite=True"):
        holdem.write_hands(path, hands=3, seed=7, overwrite=False)
    assert path.read_bytes() == before
    holdem.write_hands(path, hands=3, seed=7)
    assert path.read_bytes().startswith(before)


@pytest.mark.parametrize("name", ["none.parquet", "none.csv", "none.jsonl"])
def test_a_table_without_hands_is_written(tmp_path, name):
    holdem.write_hands(tmp_path / name, holdem.deal(hands=5, seed=1)[:0])
    assert (tmp_path / name).exists()


def test_played_hands_take_no_players(tmp_path):
    with pytest.raises(holdem.HoldemTypeError, match="board is for dealt hands"):
        holdem.write_hands(tmp_path / "a.phhs", [], board="Td9d2c")
    with pytest.raises(holdem.HoldemValueError, match="none was given"):
        holdem.write_hands(tmp_path / "a.phh", [])
    assert not (tmp_path / "a.phh").exists()
