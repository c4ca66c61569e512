"""`holdem history` shows luck, all-ins and equities by street, and what it skipped."""

import csv
import io
import json
from pathlib import Path

import pytest

from holdem.cli import run
from holdem_histories import all_in_report, read_hands

PLURIBUS = Path(__file__).parents[2] / "data" / "histories" / "pluribus.phhs"


def test_luck(capsys, tmp_path):
    """Luck by player, in big blinds, with a chart; JSON and CSV have the numbers of Python."""
    chart = tmp_path / "luck.png"
    assert 0 == run(["history", str(PLURIBUS), "--unit", "bb", "--plot", str(chart)])
    out, err = capsys.readouterr()
    assert "-536.6 ± 382.7  -1.40" in out
    assert "" == err
    assert chart.read_bytes().startswith(b"\x89PNG")
    report = all_in_report(read_hands(PLURIBUS))
    assert 0 == run(["history", str(PLURIBUS), "-f", "json"])
    assert report.to_dict() == json.loads(capsys.readouterr().out)
    assert 0 == run(["history", str(PLURIBUS), "-f", "csv", "--player", "Bill"])
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert ("Bill", report.player("Bill").luck) == (row["player"], float(row["luck"]))


def test_standard_input(capsys, monkeypatch, tmp_path):
    """A dash is standard input, read as a file is, also an old log that is not UTF-8."""
    file, log = tmp_path / "old.phhs", PLURIBUS.read_bytes().replace(b"Bill", b"Jos\xe9")
    file.write_bytes(log)
    assert 0 == run(["history", str(file)])
    expected = capsys.readouterr()
    assert "José" in expected.out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(log)))
    assert 0 == run(["history", "-"])
    assert expected == capsys.readouterr()


def test_all_ins(capsys):
    """A row for each seat of each all-in; the lucks add up to those of the players."""
    assert 0 == run(["history", str(PLURIBUS), "--by", "all-in", "-f", "csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert 2 * 91 + 3 == len(rows)
    luck = all_in_report(read_hands(PLURIBUS)).player("Bill").luck
    own = [row for row in rows if row["player"] == "Bill"]
    assert abs(luck - sum(float(row["luck"]) for row in own)) < 1e-6
    assert all(0 <= float(row["equity"]) <= 1 for row in rows)
    assert 0 == run(["history", str(PLURIBUS), "--by", "all-in", "--player", "Bill", "-f", "json"])
    record = json.loads(capsys.readouterr().out)
    assert [int(row["line"]) for row in own] == [row["line"] for row in record["all_ins"]]
    assert [] == record["skipped"]


def test_a_number_of_any_size(capsys, tmp_path, monkeypatch):
    """The number of a hand in PHH can be any value."""
    monkeypatch.chdir(tmp_path)
    Path("hand.phh").write_text(
        """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [2, 1]
min_bet = 2
starting_stacks = [100, 100]
actions = ['d dh p1 AsKs', 'd dh p2 QdQh', 'p2 cbr 100', 'p1 cc',
    'd db Td9d2c', 'd db 3c', 'd db 4c']
"""
        + f"hand = 0x{'f' * 5000}\n",
        encoding="utf-8",
    )
    assert run(["history", "hand.phh", "--by", "all-in", "-f", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["all_ins"]
    assert ["a number of 20000 bits"] * 2 == [row["hand"] for row in rows]


def test_streets(capsys, tmp_path):
    """A row for each known hand on each street, with its equity."""
    path = tmp_path / "some.phhs"
    path.write_text(PLURIBUS.read_text(encoding="utf-8").partition("[31]")[0], encoding="utf-8")
    hands = list(read_hands(path))
    assert 0 == run(["history", str(path), "--by", "street", "-f", "csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    expected = [len(street.seats) for hand in hands for street in hand.streets]
    assert sum(count for count in expected if count > 1) == len(rows)
    assert 0 == run(["history", str(path), "--by", "street"])
    assert f"and {len(rows) - 40:,} rows more" in capsys.readouterr().out


def test_skipped(capsys, tmp_path):
    """What is skipped is shown with file, line and reason, and counted; the others are shown."""
    (tmp_path / "a.phhs").write_text(PLURIBUS.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "b.txt").write_text("Winamax Poker - CashGame\n", encoding="utf-8")
    (tmp_path / "c.phhs").write_text("[1]\nvariant = 'PO'\n[2]\nx\n", encoding="utf-8")
    assert 0 == run(["history", str(tmp_path), "-f", "json"])
    out, err = capsys.readouterr()
    assert 299 == json.loads(out)["hands"]
    assert ["other site", "other game", "broken"] == [
        row["kind"] for row in json.loads(out)["skipped"]
    ]
    assert f"{tmp_path / 'c.phhs'}, line 1: the game 'PO'" in err
    assert "299 hands, 3 skipped: 1 other site, 1 other game, 1 broken" in err
    assert 2 == run(["history", str(tmp_path), "--errors", "raise"])
    assert "Winamax" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["no-such-file"], "no-such-file"),
        ([str(PLURIBUS), "--player", "Bil"], "did you mean Bill"),
        ([str(PLURIBUS), "--player", "Bil", "--by", "all-in"], "did you mean Bill"),
        ([str(PLURIBUS), "--by", "streets"], "did you mean street"),
        ([str(PLURIBUS), "--by", "street", "--plot", "a.png"], "leave out --by"),
        ([__file__], "no hand was read"),
    ],
)
def test_refused(arguments, part, capsys):
    """Bad input ends with code 2 and one message."""
    assert 2 == run(["history", *arguments])
    assert part in capsys.readouterr().err
