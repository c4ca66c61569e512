"""`holdem equities` reads, answers and writes files in chunks."""

import csv
import gzip
import io
import json

import pytest

import holdem
from holdem.cli import equities, run, spot_files

# Further players may be missing. Other cells are not to be read as numbers, or as missing ones.
FILE = """\
id,p1,p2,p3,board,note
007,AsKs,QQ,,Td9d2c,NA
1e5,AsAs,QQ,JJ,,"a, b"
0.10,AhKh,7c7d,QsQd,Td9d2c5h,"say ""no\"""
,QQ,AKs,,Ks7h2c5h9d,"two
lines"

-0,7c2d,99,,Td9dTd,null
+1,AsKs,AsKs:0.5,,2c3c4c,x,y
true,AsKs,,QQ,Td9d2c,-
 ,JTs,T9s,Ad
None,88,7d7s,random,8h8d2c3c,=A1
"""
LINES = [2, 3, 4, 5, 8, 9, 10, 11, 12]
GIVEN = ["id", "p1", "p2", "p3", "board", "note"]
ERRORS = {
    3: "player 1: 'AsAs' is the same card twice",
    8: "board: Td appears twice",
    9: "7 cells for 6 columns",
    10: "player 2: ",
    11: "4 cells for 6 columns",
}


@pytest.fixture
def spots(tmp_path, monkeypatch):
    """Return a function that writes `FILE` in the working directory, in each of the formats."""
    monkeypatch.chdir(tmp_path)

    def write(name):
        text = FILE
        if ".tsv" in name:
            rows = csv.reader(io.StringIO(FILE, newline=""))
            lines = io.StringIO(newline="")
            csv.writer(lines, delimiter="\t", lineterminator="\n").writerows(rows)
            text = lines.getvalue()
        opened = gzip.open if name.endswith(".gz") else open
        with opened(name, "wt", encoding="utf-8", newline="") as stream:
            stream.write(text)
        return name

    return write


def read(name):
    """Return the rows of a file of text."""
    opened = gzip.open if name.endswith(".gz") else open
    with opened(name, "rt", encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t" if ".tsv" in name else ","))


def require_answers(rows):
    """Require of each row the cells of `FILE`, and the answer of `equity` or the error."""
    given = csv.DictReader(io.StringIO(FILE, newline=""))
    for line, row, cells in zip(LINES, rows, given, strict=True):
        assert {name: row[name] for name in GIVEN} == {name: cells[name] or "" for name in GIVEN}
        if line in ERRORS:
            assert row["error"].startswith(ERRORS[line])
            assert {row[f"win_{n}"] for n in (1, 2, 3)} == {""}
            continue
        players = [row[name] for name in ("p1", "p2", "p3") if row[name]]
        expected = holdem.equity(*players, board=row["board"])
        assert row["error"] == ""
        for name in ("equity", "win", "tie", "lose", "stderr"):
            found = [row[f"{name}_{n}"] for n in (1, 2, 3)]
            assert found == [repr(getattr(player, name)) for player in expected.players] + [""] * (
                3 - len(players)
            )
        assert row["deals"] == str(expected.deals)


@pytest.mark.parametrize("size", [2, 100])
def test_chunks_change_nothing(spots, monkeypatch, capsys, size):
    """Rows, answers and messages are those of one chunk, with the lines of the file."""
    monkeypatch.setattr(equities, "_CHUNK", size)
    assert run(["equities", spots("spots.csv"), "-o", "out.csv"]) == 0
    require_answers(read("out.csv"))
    err = capsys.readouterr().err
    assert err.startswith("9 spots: 4 exact, 5 without answer; evaluator lookup, ")
    assert "note: no answer for 5 of 9 spots\n" in err
    for line, message in ERRORS.items():
        assert f"  line {line}: {message}" in err
    assert run(["equities", "spots.csv"]) == 0
    with open("out.csv", encoding="utf-8") as stream:
        assert capsys.readouterr().out == stream.read()


@pytest.mark.usefixtures("immediate_bars")
def test_progress_counts_the_spots_of_all_chunks(spots, monkeypatch, capsys):
    monkeypatch.setattr(equities, "_CHUNK", 4)
    spots("spots.csv")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert run(["equities", "spots.csv", "-o", "out.csv"]) == 0
    assert "| 5.00/5.00 [" in capsys.readouterr().err  # four rows are invalid


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("spots.csv.gz", "out.tsv.gz"),
        ("spots.tsv", "out.csv.gz"),
        ("spots.tsv", "out.CSV"),
        ("spots.csv.gz", "out.parquet"),
    ],
)
def test_formats(spots, monkeypatch, capsys, name, output):
    monkeypatch.setattr(equities, "_CHUNK", 4)
    assert run(["equities", spots(name), "-o", output]) == 0
    if output == "out.parquet":
        table = pytest.importorskip("pyarrow.parquet").read_table(output)
        rows = [
            {key: "" if value is None else str(value) for key, value in row.items()}
            for row in table.to_pylist()
        ]
        assert table["board"].null_count == 2  # no cards are null, and other empty cells are not
        assert table["id"].null_count == 0
    else:
        rows = read(output)
    require_answers(rows)


def test_parquet_to_parquet(tmp_path, monkeypatch, capsys):
    """Chunks of Parquet have one schema, and the index and the types of the whole file."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    frame = pandas.DataFrame(
        {
            "p1": pandas.Categorical(["AsKs", "QQ", None, "7c7d", "AsKs"]),
            "p2": ["QQ", "AsAs", "JJ", "AhKh", "22"],
            "p3": [None, None, "AA", "QQ", ""],
            "board": "Td9d2c5h3s",
            "size": pandas.Categorical(["big", None, "small", "big", "huge"]),
            "day": pandas.date_range("2026-03-29", periods=5, tz="Europe/Berlin"),
        },
        index=[3, 1, 1, 7, 0],
    )
    frame.to_parquet("spots.parquet", row_group_size=3)
    found = []
    for size in (2, 100):
        monkeypatch.setattr(equities, "_CHUNK", size)
        assert run(["equities", "spots.parquet", "-o", "out.parquet", "--force"]) == 0
        err = capsys.readouterr().err
        assert "row 1: player 2: 'AsAs' is" in err
        assert "row 2: player 1: " in err
        found.append(pandas.read_parquet("out.parquet"))
        assert run(["equities", "spots.parquet", "-o", f"{size}.csv"]) == 0
    pandas.testing.assert_frame_equal(*found)
    others = ["size", "day"]
    pandas.testing.assert_frame_equal(found[0][others], frame[others], check_categorical=False)
    assert found[0]["error"].notna().tolist() == [False, True, True, False, False]
    assert read("2.csv") == read("100.csv")


@pytest.mark.parametrize(
    ("size", "message"), [(100, "5 of 9 spots are"), (5, "2 of 5 spots from line 2 on are")]
)
def test_first_error(spots, monkeypatch, capsys, size, message):
    """The first invalid row ends the run, and no file is left."""
    monkeypatch.setattr(equities, "_CHUNK", size)
    assert run(["equities", spots("spots.csv"), "-o", "out.csv", "--errors", "raise"]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"holdem: line 3: {ERRORS[3]}")
    assert f"{message} invalid" in err
    with pytest.raises(FileNotFoundError):
        read("out.csv")


@pytest.mark.parametrize("size", [3, 100])
def test_table_and_json(spots, monkeypatch, capsys, size):
    """A table has the first spots and counts all; JSON has all of them, as from `equities`."""
    monkeypatch.setattr(equities, "_CHUNK", size)
    with open(spots("spots.csv"), "a", encoding="utf-8") as stream:
        stream.write(",AsAs,QQ,,,\n")  # a last chunk without a seed
    assert run(["equities", "spots.csv", "-f", "table"]) == 0
    table = capsys.readouterr().out
    assert ("… and 7 more spots" in table) == (size == 3)
    assert table.count("line  ") == 1
    assert "\n10 spots: 4 exact, 6 without answer; evaluator" in table
    rows = read("spots.csv")
    *players, boards = ([row[name] or "" for row in rows] for name in ("p1", "p2", "p3", "board"))
    options = {"method": "monte-carlo", "deals": 100, "seed": 1}
    expected = holdem.equities(*players, board=boards, errors="nan", **options).to_dict()
    arguments = ["--method", "monte-carlo", "-n", "100", "--seed", "1"]
    assert run(["equities", "spots.csv", "-f", "json", *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == list(expected)
    assert found.pop("elapsed") > 0
    for own, spot in zip(found.pop("spots"), expected.pop("spots"), strict=True):
        assert own == json.loads(json.dumps(spot)) or "cells for 6 columns" in own["error"]
    assert found | {"elapsed": expected["elapsed"]} == expected


def test_columns_are_checked_first(spots, monkeypatch, capsys):
    """Not one row is read if a column is missing."""

    def chunks(*_):
        raise AssertionError

    monkeypatch.setattr(spot_files.CsvFile, "chunks", chunks)
    assert run(["equities", spots("spots.csv"), "--board", "flop"]) == 2
    assert "no column 'flop'; there are: 'id', 'p1'" in capsys.readouterr().err


@pytest.mark.parametrize("options", [("-o", "out.csv"), ("-f", "csv"), ("-f", "json")])
def test_memory_does_not_grow(spots, monkeypatch, capsys, options):
    """At most four chunks are open at a time, for any output."""
    monkeypatch.setattr(equities, "_CHUNK", 1)
    opened = []
    take = equities._Run._take
    monkeypatch.setattr(
        equities._Run,
        "_take",
        lambda self, *arguments: (opened.append(len(self._chunks)), take(self, *arguments)),
    )
    rows = "AsKs,QQ,Td9d2c\n" * 50
    with open("many.csv", "w", encoding="utf-8") as stream:
        stream.write(f"p1,p2,board\n{rows}")
    assert run(["equities", "many.csv", "-j", "1", *options]) == 0
    assert len(opened) == 50
    assert max(opened) <= 4


@pytest.mark.parametrize("output", ["out.csv", "out.parquet"])
def test_interrupted_between_chunks(tmp_path, monkeypatch, capsys, interrupted_after, output):
    """After Ctrl-C a file has all rows up to the chunk that was being answered."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(equities, "_CHUNK", 2)
    cells = ("AsKs,QcQh,", "AsAs,QcQh,", "AsKs,7c7d,JhJs", "AsKs,7c7d,", "AsKs,2d2h,")
    rows = "".join(f"{row},{cell},Td9d2c5h3s\n" for row, cell in enumerate(cells))
    (tmp_path / "spots.csv").write_text(f"id,p1,p2,p3,board\n{rows}", encoding="utf-8")
    interrupted_after(2)
    assert run(["equities", "spots.csv", "-o", output, "-j", "1"]) == 130
    assert "holdem: interrupted: 2 of 4 spots were answered\n" in capsys.readouterr().err
    if output == "out.csv":
        rows = read(output)
    else:
        rows = pytest.importorskip("pyarrow.parquet").read_table(output).to_pylist()
    assert [row["id"] for row in rows] == ["0", "1", "2", "3"]
    assert [bool(row["error"]) for row in rows] == [False, True, True, False]
    assert rows[2]["error"] == "interrupted"
    assert run(["equities", "spots.csv", "-f", "json", "-j", "1"]) == 130
    spots = json.loads(capsys.readouterr().out)["spots"]
    assert [spot["error"] for spot in spots[2:]] == ["interrupted", None]


def test_interrupted_while_writing(spots, tmp_path, monkeypatch, capsys):
    """Of a chunk that may be written in part, or if nothing is answered, no file is left."""
    monkeypatch.setattr(equities, "_CHUNK", 2)
    write = spot_files.CsvWriter.write

    def interrupted(self, chunk, answers):
        write(self, chunk, answers)
        if chunk.numbers[0] != 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(spot_files.CsvWriter, "write", interrupted)
    assert run(["equities", spots("spots.csv"), "-o", "out.csv"]) == 130
    assert capsys.readouterr().err == "holdem: out.csv was not written\nholdem: interrupted\n"
    assert [path.name for path in tmp_path.iterdir()] == ["spots.csv"]


@pytest.mark.slow
def test_interrupted_anywhere(tmp_path, monkeypatch, capsys, interrupted_at_every_line):
    """After Ctrl-C there is a file of finished rows, or none, and the message says which."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(equities, "_CHUNK", 2)
    text = "p1,p2,board\nAsKs,QQ,Td9d2c5h3s\nAsAs,QQ,\nAsKs,7c7d,Td9d2c5h3s\n"
    (tmp_path / "spots.csv").write_text(text, encoding="utf-8")
    assert run(["equities", "spots.csv", "-o", "all.csv"]) == 0
    expected = read("all.csv")
    capsys.readouterr()

    def call():
        if run(["equities", "spots.csv", "-o", "out.csv", "-j", "1"]) == 130:
            raise holdem.Interrupted(None)

    written, seen = set(), set()
    for _ in interrupted_at_every_line(call, equities):
        err = capsys.readouterr().err
        assert not list(tmp_path.glob(".holdem*"))
        if not (tmp_path / "out.csv").exists():
            assert "of" not in err  # no number of answers
            seen.add("out.csv was not written" in err)
            continue
        rows = read("out.csv")
        (tmp_path / "out.csv").unlink()
        written.add(len(rows))
        assert len(rows) in (2, 3)
        for row, own in zip(rows, expected, strict=False):
            assert row == own or row["error"] == "interrupted"
        if "were answered" in err:
            answered = sum(row["error"] == "" for row in rows)
            assert f"interrupted: {answered} of {len(rows)} spots were answered" in err
        else:  # after the file was complete
            assert rows == expected
        assert "not written" not in err
    assert 3 in written
    assert True in seen
