"""`holdem equities` answers the spots of a file as `holdem.equities` does."""

import csv
import gzip
import io
import json
import sys
import time

import pytest

import holdem
from holdem.cli import run

FILE = """\
p1,p2,board,note
AsKs,QQ,Td9d2c,=1+1
AsAs,QQ,,"two
lines"

"QQ+,AK",AhKh,Td9d2c5h,-x
AsKs,QQ,Td9d2c3c4c5c,
7c2d,99,Td9d2c5h3s,@y
"""
HEADER = ["p1", "p2", "board", "note"]
FIGURES = ("equity", "win", "tie", "lose", "stderr")


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Return the name of a file with two invalid rows, in the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spots.csv").write_text(FILE, encoding="utf-8")
    return "spots.csv"


def read(text):
    """Return the rows of CSV text as dictionaries."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def require_answers(rows):
    """Require the figures of the valid rows of `FILE`, and none in the others."""
    for row in rows:
        if row["error"]:
            assert all(row[f"{name}_{n}"] == "" for name in FIGURES for n in (1, 2))
            assert (row["exact"], row["deals"]) == ("false", "0")
            continue
        expected = holdem.equity(row["p1"], row["p2"], board=row["board"])
        for n, player in enumerate(expected.players, 1):
            for name in FIGURES:
                assert float(row[f"{name}_{n}"]) == getattr(player, name)
        assert (row["exact"], row["deals"]) == ("true", str(expected.deals))


def test_csv(file, capsys):
    """Each row is kept as it was and has its answer; invalid rows are listed with their lines."""
    assert run(["equities", file]) == 0
    out, err = capsys.readouterr()
    rows = read(out)
    assert [{name: row[name] for name in HEADER} for row in rows] == read(FILE)
    assert [bool(row["error"]) for row in rows] == [False, True, False, True, False]
    require_answers(rows)
    assert "no answer for 2 of 5 spots" in err
    assert "line 3: player 1: 'AsAs' is the same card twice" in err
    assert "line 7: " in err
    assert rows[1]["error"] == "player 1: 'AsAs' is the same card twice (position 1)"


def test_standard_input(file, capsys, monkeypatch):
    """The file - is standard input; a byte order mark is no part of the first name."""
    run(["equities", file])
    expected = capsys.readouterr()
    stdin = io.TextIOWrapper(io.BytesIO(FILE.encode("utf-8-sig")), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", stdin)
    assert run(["equities", "-"]) == 0
    assert capsys.readouterr() == expected


def test_chosen_columns(tmp_path, capsys):
    """Players, board and dead cards are read from the named columns; others stay as they are."""
    path = tmp_path / "spots.csv"
    rows = 'board,"the, hero",flop,villain,gone\n"x\ry",AsKs,Td9d2c,QQ,Qd\n'
    path.write_text(rows, encoding="utf-8", newline="")
    options = ["--players", '"the, hero",villain', "--board", "flop", "--dead", "gone"]
    assert run(["equities", str(path), *options]) == 0
    (row,) = read(capsys.readouterr().out)
    expected = holdem.equity("AsKs", "QQ", board="Td9d2c", dead="Qd")
    assert float(row["equity_2"]) == expected.players[1].equity
    assert row["board"] == "x\ry"


def test_output_files(file, capsys, tmp_path):
    """CSV and Parquet files have the columns of the CSV on standard output."""
    parquet = pytest.importorskip("pyarrow.parquet")
    run(["equities", file])
    expected = capsys.readouterr().out
    assert run(["equities", file, "-o", "out.csv"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("5 spots: 3 exact, 2 without answer; evaluator lookup, ")
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == expected
    assert run(["equities", file, "-o", "out.parquet"]) == 0
    table = parquet.read_table(tmp_path / "out.parquet")
    rows = read(expected)
    assert table.column_names == list(rows[0])
    for row, record in zip(rows, table.to_pylist(), strict=True):
        for name in HEADER:
            is_spot = name in ("p1", "p2", "board", "dead")
            assert record[name] == (row[name] or None if is_spot else row[name])
        for name in ("equity_1", "stderr_2"):
            assert record[name] == (float(row[name]) if row[name] else None)
        assert record["exact"] is (row["exact"] == "true")
        assert record["error"] == (row["error"] or None)


def test_parquet_file(tmp_path, capsys, monkeypatch):
    """Parquet columns keep their types, and dictionaries of text are read as text."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.chdir(tmp_path)
    players = pyarrow.array(["AsKs", None, "QQ"]).dictionary_encode()
    table = pyarrow.table({"number": [7, 8, 9], "p1": players, "p2": ["JJ", "JJ", "JJ"]})
    parquet.write_table(table, "in.parquet")
    assert run(["equities", "in.parquet", "-o", "out.parquet"]) == 0
    assert "row 1: player 1: " in capsys.readouterr().err
    found = parquet.read_table("out.parquet")
    assert found.schema.field("number").type == pyarrow.int64()
    assert found["equity_1"].to_pylist()[0] == holdem.equity("AsKs", "JJ").players[0].equity
    assert found["equity_1"].to_pylist()[1] is None
    assert run(["equities", "in.parquet"]) == 0
    assert [row["number"] for row in read(capsys.readouterr().out)] == ["7", "8", "9"]
    parquet.write_table(pyarrow.table({"p1": [[1]], "p2": [[2]]}), "lists.parquet")
    assert run(["equities", "lists.parquet"]) == 2
    assert "column 'p1' has type list<element: int64>" in capsys.readouterr().err


def test_columns_that_are_not_read(tmp_path, capsys):
    """Other columns of a file without a board are named, because one may be the board."""
    path = tmp_path / "spots.csv"
    path.write_text("p1,p2,flop,dead,a,b,c,d,e\nAsKs,QQ,Td9d2c,,1,2,3,4,5\n", encoding="utf-8")
    assert run(["equities", str(path)]) == 0
    err = capsys.readouterr().err
    assert "no board; columns not read: 'flop', 'a', 'b', 'c', 'd' and 1 more. Players are" in err
    assert "--board" in err
    path.write_text("p1,p2,P3,DEAD,board,turn,note\nAsKs,QQ,22,2h,Td9d2c,3h,x\n", encoding="utf-8")
    assert run(["equities", str(path)]) == 0
    assert "note: columns not read: 'P3', 'DEAD', 'turn'. Players are" in capsys.readouterr().err
    path.write_text("p1,p2,flop\nAsKs,QQ,Td9d2c\n", encoding="utf-8")
    assert run(["equities", str(path), "--board", "flop"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.filterwarnings("default")
def test_bounds_without_an_effect(file, capsys):
    """A note says that a bound has no effect on exact answers."""
    assert run(["equities", file, "-n", "5"]) == 0
    note = "holdem: note: deals has no effect on an exact answer; method monte-carlo samples\n"
    assert note in capsys.readouterr().err


def test_no_rows(tmp_path, capsys):
    """A file without rows gives one without rows."""
    path = tmp_path / "spots.csv"
    path.write_text("p1,p2\n", encoding="utf-8")
    assert run(["equities", str(path)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_other_formats(file, capsys, monkeypatch):
    """JSON is that of the result; on a terminal the default is a table."""
    assert run(["equities", file, "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "holdem/equities/1"
    assert found["spots"][1]["equity"] is None
    assert run(["equities", file, "-f", "table"]) == 0
    table = capsys.readouterr().out
    assert table.startswith("line  player 1")
    assert "\n3     AsAs      QQ " in table  # the line of the file, and the text given
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert run(["equities", file]) == 0
    assert capsys.readouterr().out.startswith("line  player 1")


def test_sampled(file, capsys):
    """Sampled figures are those of `equities`; a drawn seed is shown."""
    options = ["--method", "monte-carlo", "-n", "1k"]
    assert run(["equities", file, *options]) == 0
    out, err = capsys.readouterr()
    seed = int(err.partition("seed ")[2].partition(",")[0])
    rows = read(out)
    table = holdem.equities(
        *([row[name] for row in rows] for name in ("p1", "p2")),
        board=[row["board"] for row in rows],
        method="monte-carlo",
        deals=1000,
        seed=seed,
        errors="nan",
    )
    assert [row["stderr_1"] for row in rows if row["stderr_1"]] == [
        repr(error) for error in table.stderr[:, 0].tolist() if error == error
    ]
    assert run(["equities", file, *options, "--seed", str(seed), "-j", "2"]) == 0
    assert capsys.readouterr().out == out


def test_wrong_numbers_of_cells(tmp_path, capsys, monkeypatch):
    """A row with more or fewer cells than columns keeps its place and says so."""
    monkeypatch.chdir(tmp_path)
    text = "p1,p2,board\nAA,KK\nAA,KK,Td9d2c,x\nQQ,KK,Td9d2c\n"
    (tmp_path / "spots.csv").write_text(text, encoding="utf-8")
    assert run(["equities", "spots.csv"]) == 0
    out, err = capsys.readouterr()
    rows = read(out)
    assert [row["error"].partition(";")[0] for row in rows] == [
        "2 cells for 3 columns",
        "4 cells for 3 columns",
        "",
    ]
    assert [row["board"] for row in rows] == ["", "Td9d2c", "Td9d2c"]
    require_answers(rows)
    assert "no answer for 2 of 3 spots\n  line 2: 2 cells" in err


def test_existing_file(file, capsys, tmp_path):
    """An existing file is overwritten with --force only."""
    (tmp_path / "out.csv").write_text("mine", encoding="utf-8")
    assert run(["equities", file, "-o", "out.csv"]) == 2
    assert "out.csv exists already" in capsys.readouterr().err
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == "mine"
    assert run(["equities", file, "-o", "out.csv", "--force"]) == 0
    assert len(read((tmp_path / "out.csv").read_text(encoding="utf-8"))) == 5


def test_interrupted(file, capsys, interrupted_after):
    """After Ctrl-C the finished rows have answers, and the others say so."""
    interrupted_after(1)
    assert run(["equities", file, "-o", "out.csv"]) == 130
    assert "interrupted: 1 of 5 spots were answered" in capsys.readouterr().err
    with open("out.csv", encoding="utf-8") as stream:
        rows = read(stream.read())
    require_answers(rows)
    assert [row["error"] for row in rows].count("interrupted") == 2


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "p1,board\nAA,\n",
            (),
            "no column 'p2'; there are: 'p1', 'board'. Choose another one with --players",
        ),
        ("p1,p2,p4\nAA,KK,QQ\n", (), "no column 'p3'"),
        ("p1,p2\nAA,KK\n", ("--players", "p1,hero"), "no column 'hero'"),
        (
            "p1,p2\nAA,KK\n",
            ("--board", "flop"),
            "no column 'flop'; there are: 'p1', 'p2'. Choose another one with --board",
        ),
        ("p1,p2\nAA,KK\n", ("--players", "p1"), "--players takes 2 to 10 columns, separated by"),
        ("p1,p2\nAA,KK\n", ("--players", "p1,p1"), "--players has the column 'p1' twice"),
        ("p1,p1\nAA,KK\n", (), "two columns have the name 'p1'"),
        ("", (), "the file is empty; its first line has the column names"),
        ("p1,p2\nAA,KK\n\nQQ+,AK,KK\n", ("--errors", "raise"), "line 4: 3 cells for 2 columns"),
        ("p1;p2\nQQ+,AK;KK\n", (), "columns are separated by commas, not by ';'"),
        ('p1,p2\nAA,KK\nAA,"KK\n', (), "line 3: not CSV"),
        ("p1,p2,win_2\nAA,KK,1\n", (), "has a column 'win_2'"),
        (
            "p1,p2\nAA,KK\n",
            ("-o", "out.xlsx"),
            "ends in .csv, .csv.gz, .tsv or .parquet; 'out.xlsx' does not",
        ),
        ("p1,p2\nAA,KK\n", ("-o", "out.csv", "-f", "json"), "-f json does not fit"),
        ("p1,p2\nAA,KK\n", ("-o", "no/out.csv"), "no/out.csv: there is no directory no: make it"),
        ("p1,p2\nAA,KK\n", ("--force",), "--force needs a file"),
        ("p1,p2\nAA,KK\n", ("--method", "exact", "-n", "9"), "deals"),
    ],
)
def test_errors(tmp_path, capsys, monkeypatch, text, options, message):
    """Errors of the file and of the options are one message that shows the offending text."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spots.csv").write_text(text, encoding="utf-8")
    assert run(["equities", "spots.csv", *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert [path.name for path in tmp_path.iterdir()] == ["spots.csv"]


@pytest.mark.parametrize(
    ("last", "message"),
    [
        ("x", "no column 'p1'; there are: 'c0', 'c1'"),
        ("c31999", "two columns have the name 'c31999'"),
    ],
)
def test_many_columns(tmp_path, capsys, monkeypatch, last, message):
    """A file of 32,000 columns is refused at once, and its columns are not all in the message.

    That took 22 s, because each name was compared with all others.
    """
    monkeypatch.chdir(tmp_path)
    names = [*(f"c{number}" for number in range(32_000)), last]
    (tmp_path / "wide.csv").write_text(",".join(names) + "\n", encoding="utf-8")
    started = time.process_time()
    assert run(["equities", "wide.csv"]) == 2
    assert time.process_time() - started < 3
    err = capsys.readouterr().err
    assert message in err
    assert len(err) < 400


def test_unreadable_files(tmp_path, capsys, monkeypatch):
    """Other encodings, missing files and files that are not Parquet are reported."""
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "latin.csv").write_bytes("p1,p2,note\nAA,KK,é\n".encode("latin-1"))
    (tmp_path / "text.parquet").write_text("p1,p2\n", encoding="utf-8")
    packed = gzip.compress(b"p1,p2\nAA,KK\n")
    (tmp_path / "cut.csv.gz").write_bytes(packed[:-9])
    (tmp_path / "text.csv.gz").write_bytes(b"p1,p2\n")
    for name, message in (
        ("latin.csv", "latin.csv: the file is not UTF-8: byte 0xe9"),
        ("text.parquet", "'text.parquet' is not a Parquet file"),
        ("cut.csv.gz", "cut.csv.gz: not a complete gzip file"),
        ("text.csv.gz", "text.csv.gz: not a complete gzip file"),
        ("missing.csv", "'missing.csv' does not exist"),
        ("latin.txt", "does not exist"),
    ):
        assert run(["equities", name]) == 2
        assert message in capsys.readouterr().err


def test_without_pyarrow(file, capsys, monkeypatch):
    """Without pyarrow, a Parquet file is an error before anything is computed."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run(["equities", file, "-o", "out.parquet"]) == 2
    assert "pip install pyarrow" in capsys.readouterr().err
