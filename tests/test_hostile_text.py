"""Text of unknown origin forms no terminal escapes, HTML, formulas or paths; files run no code."""

import ast
import csv
import io
import json
import os
import pickle
import re
import socket
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import holdem
import loopback_only
from holdem.cli import run
from holdem.report.formats import render
from holdem.report.model import Column, Report, Table

ROOT = Path(holdem.__file__).parents[1]
HOSTILE = (
    "\x1b[2J\x1b]0;title\x07\x9b31m",
    "<script>alert(1)</script>",
    "&lt;b onclick='x'>",
    "=cmd|' /C calc'!A0",
    "@SUM(A1)",
    "+1+1",
    "-2+3",
    "\t=1+1",
    "a | b `c` ~~d~~",
    "$x^{",
    "../../etc/passwd",
    "\u202etxt.exe",
    "one\r\ntwo",
)
REPORT = Report(
    json=lambda: list(HOSTILE),
    blocks=lambda: [*HOSTILE, list(HOSTILE), Table(HOSTILE, [HOSTILE], title=HOSTILE[0])],
    parts=lambda: [[Column("name", "string", list(HOSTILE))]],
)


def is_harmless_on_a_terminal(text):
    """Return whether a text moves no cursor and changes no direction of writing."""
    return all(char.isprintable() or char == "\n" for char in text)


@pytest.mark.parametrize("form", ["table", "markdown", "html"])
def test_reports_have_no_control_characters(form):
    """Control characters, and those that turn the direction of text, are shown as codes."""
    assert is_harmless_on_a_terminal(render(REPORT, form))


def test_markdown():
    """Cells hold no HTML and start no new column or row."""
    shown = render(REPORT, "markdown")
    assert "<script" not in shown
    assert "<b " not in shown
    rows = [line for line in shown.splitlines() if line.startswith("| ")]
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [len(HOSTILE) + 1] * 3


def test_html():
    """A notebook shows the texts and runs nothing."""
    tags = set()

    class Tags(HTMLParser):
        def handle_starttag(self, tag, attributes):
            tags.add(tag)
            assert {name for name, _ in attributes} <= {"style"}

    Tags().feed(render(REPORT, "html"))
    assert tags == {"table", "thead", "tbody", "tr", "th", "td", "p"}


def test_csv():
    """A spreadsheet takes no cell for a formula, and the text is all there."""
    rows = list(csv.reader(io.StringIO(render(REPORT, "csv"), newline="")))[1:]
    for (cell,), text in zip(rows, HOSTILE, strict=True):
        assert cell.removeprefix("'").splitlines() == text.splitlines()
        assert cell[0] not in "=+-@\t\r\n"


def test_json():
    """All text is there again, and nothing that a terminal would run."""
    shown = render(REPORT, "json")
    assert json.loads(shown) == list(HOSTILE)
    assert is_harmless_on_a_terminal(shown)


def test_names_of_spots(tmp_path, monkeypatch, capsys):
    """A study refuses names that are not printable; others come out in no format as code."""
    monkeypatch.chdir(tmp_path)
    printable = [text for text in HOSTILE if text.isprintable()]
    assert len(printable) == 9
    spots = [{"name": name, "players": ["AsKs", "QdQh"], "board": "Td9d2c"} for name in HOSTILE]
    for spot in spots:
        if spot["name"] not in printable:
            with pytest.raises(holdem.StudyError, match="expected one printable line"):
                holdem.run_study({"spot": [spot]}, "store")
    results = holdem.run_study({"spot": [s for s in spots if s["name"] in printable]}, "store")
    for form in ("table", "csv", "json"):
        assert run(["results", "store", "-f", form, "--plot", "names.svg"]) == 0
        out, err = capsys.readouterr()
        assert is_harmless_on_a_terminal(out + err)
        if form == "csv":
            found = [row["spot"] for row in csv.DictReader(io.StringIO(out))]
            assert [name.removeprefix("'") for name in found] == printable
            assert not any(name[0] in "=+-@" for name in found)
    assert "<script" not in results._repr_html_()
    tags = {element.tag.rpartition("}")[2] for element in ET.parse("names.svg").iter()}
    assert "script" not in tags
    assert sorted(os.listdir()) == ["names.svg", "store"]


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_cells_of_a_file(form, tmp_path, monkeypatch, capsys):
    """Invalid cells are quoted in errors; only the columns of the file itself stay as they are."""
    monkeypatch.chdir(tmp_path)
    with open("spots.csv", "w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([["p1", "p2"], *([text, "AA"] for text in HOSTILE)])
    assert run(["equities", "spots.csv", "-f", form]) == 0
    out, err = capsys.readouterr()
    assert is_harmless_on_a_terminal(err)
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(out, newline="")))
        assert [row["p1"] for row in rows] == list(HOSTILE)
        assert not any(row["error"][0] in "=+-@\t\r\n" for row in rows)
    else:
        assert is_harmless_on_a_terminal(out)


@pytest.mark.parametrize(
    "arguments",
    [
        ("equity", "TEXT", "AA"),
        ("equity", "AA", "KK", "-b", "TEXT"),
        ("equity", "AA", "KK", "--evaluator", "TEXT"),
        ("evaluate", "TEXT"),
        ("range", "TEXT"),
        ("hits", "AA", "-b", "TEXT"),
        ("run", "TEXT", "--store", "TEXT"),
        ("results", "TEXT"),
        ("deal", "-o", "TEXT"),
        ("equities", "TEXT"),
        ("evaluators", "check", "TEXT"),
        ("evaluators", "new", "TEXT"),
        ("TEXT",),
    ],
    ids=" ".join,
)
def test_arguments(arguments, tmp_path, monkeypatch, capsys):
    """Messages show arguments with their control characters as codes, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    for text in HOSTILE:
        assert run(["--", *(part.replace("TEXT", text) for part in arguments)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err
        assert is_harmless_on_a_terminal(err)
    assert list(tmp_path.iterdir()) == []


def test_file_names(tmp_path, monkeypatch, capsys):
    """A file may have any name; messages show it with its control characters as codes."""
    monkeypatch.chdir(tmp_path)
    for text in HOSTILE:
        name = text.replace("/", "_") + ".csv"
        assert run(["deal", "-n", "3", "--seed", "1", "-o", f"./{name}"]) == 0
        assert run(["equities", f"./{name}"]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert is_harmless_on_a_terminal(err)
    assert len(list(tmp_path.iterdir())) == len(HOSTILE)


# --- code and the network ---


class _Attack:
    def __reduce__(self):
        return Path.touch, (Path("attacked"),)


def test_pickles_are_not_read(tmp_path, monkeypatch, capsys):
    """A pickle in the place of any file that is read is refused, and does nothing."""
    monkeypatch.chdir(tmp_path)
    files = ("study.toml", "a.store", "spots.csv", "spots.parquet", "pairs.txt")
    for name in files:
        Path(name).write_bytes(pickle.dumps(_Attack()))
    Path("good.toml").write_text('[[spot]]\nplayers = ["AsKs", "QdQh"]\n')
    for command in (
        "run study.toml --store new.store",
        "run good.toml --store a.store",
        "results a.store",
        "equities spots.csv",
        "equities spots.parquet",
        "compare pairs.txt",
    ):
        assert run(command.split()) == 2
    assert capsys.readouterr().out == ""
    assert not Path("attacked").exists()
    pickle.loads(pickle.dumps(_Attack()))
    assert Path("attacked").exists()


def test_what_could_run_code_is_not_used():
    """Nothing is unpickled, and no text is run as code."""
    for path in [*ROOT.glob("holdem/**/*.py"), *ROOT.glob("plugins/**/*.py")]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {
            name.name.partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for name in node.names
        } | {
            (node.module or "").partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
        }
        forbidden = {"marshal", "shelve", "cloudpickle", "dill"}
        if path.name != "packed.py":  # pickles of its own, which never leave the memory
            forbidden.add("pickle")
        assert not imported & forbidden, path
        called = {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"eval", "exec", "compile"}, path
        assert "allow_pickle=True" not in path.read_text(encoding="utf-8"), path


def test_other_machines_are_out_of_reach():
    """The tests' audit hook, which fails the session, notices connections and names."""
    before = loopback_only.rejected.copy()
    with socket.socket() as connection, pytest.raises(PermissionError, match=r"192\.0\.2\.1"):
        connection.connect(("192.0.2.1", 80))
    with pytest.raises(PermissionError, match=r"to example\.org"):
        socket.getaddrinfo("example.org", 80)
    assert len(loopback_only.rejected) == len(before) + 2
    loopback_only.rejected[:] = before
