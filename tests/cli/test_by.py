"""``holdem equity --by``: its tables, JSON, CSV and Markdown, and its errors."""

import csv
import io
import json
import os
import signal
import subprocess
import sys

import pytest

import holdem
from holdem.cli import run

REPORTS = ("class", "category", "combo", "next-card", "runout")
LONG = "22+,A2s+,KTs+,QTs+,JTs,ATo+,KJo+"
SAMPLED = ("--method", "monte-carlo", "--seed", "7", "-n")
QUESTIONS = {
    "two": ("AsKs", "QQ+,JTs:0.5", "-b", "Td9d2c"),
    "wide": (LONG, "random", "-b", "Ks7d2c5h"),
    "weights": (f"{LONG}:0.123456789", "AX:0.333333333", "-b", "Ks7d2c5h"),
    "three": ("QQ+,AK", "TT", "AhKh", "-b", "Ks7d2c", "-d", "2h"),
    "certain": ("AsAh", "KdKc", "-b", "AdAcQh2d"),
    "sampled": (LONG, "random", "AsKs", *SAMPLED, "20000", "-b", "Td9d2c"),
    "ten": (*["random"] * 10, *SAMPLED, "2000", "-b", "Td9d2c"),
    "few": ("AsKs", "random", "random", *SAMPLED, "1", "-b", "Td9d2c5h"),
}


def by(*reports):
    return [word for report in reports for word in ("--by", report)]


@pytest.mark.parametrize(
    ("name", "width"),
    [
        *((name, 80) for name in QUESTIONS if name not in ("ten", "sampled")),
        *[("sampled", 60), ("weights", 60)],
        *(pytest.param(name, 80, marks=pytest.mark.slow) for name in ("ten", "sampled")),
    ],
)
def test_lines_fit(name, width, capsys, monkeypatch):
    """No line is longer than the width, and at 80 columns a grid of cards is in one piece."""
    monkeypatch.setenv("COLUMNS", str(width))
    reports = REPORTS if name == "two" else REPORTS[:-1]
    assert run(["equity", *QUESTIONS[name], *by(*reports)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    players = sum(line.endswith("by category at showdown") for line in lines)
    assert sum(line.endswith("by class, highest equity first") for line in lines) == players
    if width == 80:
        grids = sum(line.split() == list("AKQJT98765432") for line in lines)
        assert grids == players * sum(report in ("next-card", "runout") for report in reports)


@pytest.mark.parametrize("name", ["two", "sampled"])
def test_formats_agree(name, capsys):
    """JSON and CSV have the same values, those of the result in Python."""
    words, reports = QUESTIONS[name], REPORTS if name == "two" else REPORTS[:-1]
    assert run(["equity", *words, *by(*reports), "-f", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert run(["equity", *words, "-f", "json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert not {"by_next_card", "by_class"} & {*plain, *plain["players"][0]}
    for report in reports:
        assert run(["equity", *words, *by(report), "-f", "csv"]) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        if report in ("next-card", "runout"):
            expected = record[f"by_{report.replace('-', '_')}"]
            name = report.removeprefix("next-")
            assert [row[name] for row in rows] == [own[name] for own in expected]
            for row, own in zip(rows, expected, strict=True):
                numbers = [float(row[f"equity_{n + 1}"]) for n in range(len(own["equity"]))]
                assert numbers == own["equity"]
            continue
        expected = [
            {"player": number, "range": player["range"], **own}
            for number, player in enumerate(record["players"], 1)
            for own in player[f"by_{report}"]
        ]
        assert rows == [
            {name: "" if value is None else str(value) for name, value in own.items()}
            for own in expected
        ]


def test_tables_of_a_known_spot(capsys):
    assert run(["equity", "AsKs", "QQ", "-b", "Td9d2c", *by("category", "next-card")]) == 0
    text = capsys.readouterr().out
    result = holdem.equity("AsKs", "QQ", board="Td9d2c")
    pair = result.players[0].by_category["pair"]
    cells = next(line.split() for line in text.splitlines() if line.startswith("pair"))
    assert cells[1:6:2] == [
        f"{100 * value:.4f}" for value in (pair.share, pair.equity, pair.share * pair.equity)
    ]
    best = max(result.by_next_card, key=lambda record: record.equity[0])
    assert f"highest: {100 * best.equity[0]:.1f} % with Ah Ac;" in text


def test_markdown_and_symbols(capsys):
    words = ["equity", "AsKs", "QQ", "-b", "Td9d2c", *by(*REPORTS), "-f", "markdown", "--symbols"]
    assert run(words) == 0
    text = capsys.readouterr().out
    assert "| class | combos |" in text
    assert "| ♥ | " in text


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ((*by("class", "category"), "-f", "csv"), "csv prints one report at a time"),
        (by("suit"), "'suit' is not one of 'class'"),
        (by("next-card"), "needs a board of 3 or 4 cards, not 0"),
        ((*by("runout"), "-b", "Td9d2c4h"), "needs a board of 3 cards, not 4"),
        ((*by("next-card"), "-b", "Td9d2c4h5s"), "needs a board of 3 or 4 cards, not 5"),
    ],
)
def test_errors(words, problem, capsys):
    assert run(["equity", "AsKs", "QQ", *words]) == 2
    printed = capsys.readouterr()
    assert problem in " ".join(printed.err.split())
    assert not printed.out


def test_a_report_twice_is_printed_once(capsys):
    assert run(["equity", "AsKs", "QQ", "-b", "Td9d2c", *by("category", "category")]) == 0
    assert capsys.readouterr().out.count("by category") == 2  # a table for each player


SCRIPT = """
import os, signal, threading, time
from holdem.cli import run
from holdem.odds.exact.ranked_boards import RankedBoards

def interrupt(method):
    assert method.by_category
    threading.Thread(target=lambda: (time.sleep(0.2), os.kill(os.getpid(), signal.SIGINT))).start()
    time.sleep(5)

RankedBoards.prepare = interrupt
raise SystemExit(run(["equity", "AsKs", "QQ", "-b", "Td9d2c", "--by", "category"]))
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_leaves_the_equities():
    """Ctrl-C while a report is computed prints the equities without it, and exits with 130."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode in (130, -signal.SIGINT), done.stderr
    assert "22.7273 %" in done.stdout
    assert "by category" not in done.stdout
    assert "interrupted before the reports were complete" in done.stderr
