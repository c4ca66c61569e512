"""Logs found in files, folders, archives and text; what cannot be read is a row with its reason."""

import gzip
import io
import os
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest

import holdem
from holdem_histories import read_hands

PLURIBUS = Path(__file__).parents[2] / "data" / "histories" / "pluribus.phhs"
HAND = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 50.5]
actions = [
  "d dh p1 AsKs", "d dh p2 ????", "d dh p3 QdQh",
  "p3 cbr 50.5", "p1 cc", "p2 f",  # all in
  "p3 sm QdQh", "p1 sm AsKs",
  "d db Td9d2c", "d db 5h", "d db 3s",
]
players = ["Ann", "Bob", "Cy"]
"""


def read(source, **keywords):
    """Return the reader of a source and its hands."""
    reader = read_hands(source, **keywords)
    return reader, list(reader)


def test_text():
    """A hand in text: decimals are exact, and unknown cards are None."""
    reader, (hand,) = read(HAND)
    assert ("Ann", "Bob", "Cy") == hand.names
    assert "Qd Qh" == " ".join(map(str, hand.holes[2]))
    assert hand.holes[1] is None
    assert (-50.5, -2, 52.5) == tuple(map(float, hand.net))
    assert [(103, (0, 2))] == [(float(pot.amount), pot.seats) for pot in hand.pots]
    assert () == hand.all_in
    assert "1 hand" == reader.summary()
    assert hand.to_dict()["pots"] == [{"amount": 103.0, "seats": [0, 2], "rake": 0.0}]


def test_several_hands(tmp_path):
    """Files, folders, archives and text with the same hands give the same hands."""
    text = PLURIBUS.read_text(encoding="utf-8")
    _, expected = read(text)
    assert 299 == len(expected)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.phhs").write_text(text, encoding="utf-8")
    (tmp_path / "b.phhs.gz").write_bytes(gzip.compress(text.encode()))
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("inside/c.phhs", text)
    for source in (tmp_path / "logs", str(tmp_path / "b.phhs.gz"), tmp_path / "c.zip"):
        _, hands = read(source)
        assert [hand.net for hand in expected] == [hand.net for hand in hands]
        assert [hand.line for hand in expected] == [hand.line for hand in hands]
    reader, hands = read([tmp_path / "logs" / "a.phhs", tmp_path])
    assert 4 * 299 == len(hands) == reader.hands
    assert hands[-1].file == str(tmp_path / "logs" / "a.phhs")
    assert str(tmp_path / "c.zip" / "inside" / "c.phhs") in {hand.file for hand in hands}


@pytest.mark.parametrize(
    ("old", "new", "kind", "part"),
    [
        ('"NT"', '"PO"', "other game", "'PO'"),
        ('variant = "NT"\n', "", "broken", "variant"),
        ('"NT"', '"NT', "broken", "not TOML"),
        ('"p1 cc"', '"p1 cbr 500"', "broken", "seat 1 bets 500, but has 100"),
        ('"p1 cc"', '"p1 cbr 7"', "broken", "no raise"),
        ('"p1 cc"', '"p4 cc"', "broken", "'p4'"),
        ('"p2 f"', '"p2 f", "p2 cc"', "broken", "after a fold"),
        ('"p2 f"', '"p2 sd"', "broken", "'p2 sd'"),
        ("d db 5h", "d db 5x", "broken", "'5x'"),
        ("d db 5h", "d db As", "broken", "As appears twice"),
        ("d db 5h", "d db 5h6h", "run more than once", "several boards"),
        ('"d db 3s",', "", "incomplete", "stops before its end"),
        ("p3 sm QdQh", "p3 sm QdQs", "broken", "two different hands"),
        ("d dh p3 QdQh", "d dh p3 QdQh5c4c", "broken", "4 cards"),
        ("[0, 0, 0]", "[0, 0]", "broken", "'antes' has 2"),
        ('"Cy"]', '"Cy"]\nfinishing_stacks = [0, 98, 300]', "pot does not fit", "103"),
        ('"Cy"]', '"Cy"]\nfinishing_stacks = [49.5, 101, 100]', "pot does not fit", "103"),
        ('"d dh p3 QdQh"', '"d dh p3 ????"', None, ""),
        ('"p3 sm QdQh"', '"p3 sm"', None, ""),
    ],
)
def test_broken_hands(old, new, kind, part):
    """A hand that can't be is skipped, with the kind, the place and the reason."""
    broken = HAND.replace(old, new, 1)
    assert broken != HAND
    reader, hands = read(f"[1]\n{HAND}\n[2]\n{broken}\n[3]\n{HAND}")
    if kind is None:  # not broken: the cards are shown later, or mucked cards are known
        assert 3 == len(hands)
        return
    assert 2 == len(hands)
    (skipped,) = reader.skipped
    assert (kind, 15) == (skipped.kind, skipped.line)
    assert part in skipped.reason
    assert f"2 hands, 1 skipped: 1 {kind}" == reader.summary()
    with pytest.raises(holdem.HistoryError, match=f"line 15: .*{part}") as caught:
        read(f"[1]\n{HAND}\n[2]\n{broken}\n[3]\n{HAND}", errors="raise")
    assert (kind, 15) == (caught.value.kind, caught.value.line)


def test_blinds_of_two_players():
    """By the format, the blinds of two players begin with the button's; some files don't."""
    lines = HAND.replace("[0, 0, 0]", "[0, 0]").replace("[100, 100, 50.5]", "[100, 100]")
    lines = lines.replace(', "Cy"', "").split("actions")[0] + 'actions = ["p2 f"]\n'
    for blinds in ("[1, 2]", "[2, 1]"):  # the second player has the button and acts first
        _, (hand,) = read(lines.replace("[1, 2, 0]", blinds))
        assert (1, -1) == hand.net


def test_folder_of_everything(tmp_path):
    """Good, broken, huge, empty and binary files in a folder: nothing is lost, nothing stops."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "good.phh").write_text(HAND, encoding="utf-8")
    (folder / "empty.phh").write_bytes(b"")
    (folder / "binary.txt").write_bytes(bytes(range(256)) * 100)
    (folder / "huge.phh").write_bytes(b"# nothing\n" * 500_000 + HAND.encode())
    (folder / "line.phhs").write_bytes(
        b"[1]\na = '" + b"x" * 3_000_000 + b"'\n[2]\n" + HAND.encode()
    )
    (folder / "old.phh").write_bytes(HAND.replace("Cy", "Jos\xe9").encode("cp1252"))
    (folder / "notes.txt").write_text("Remember to fold.\n", encoding="utf-8")
    (folder / "party.txt").write_text("***** Hand History for Game 1 *****\n", encoding="utf-8")
    (folder / "gg.txt").write_text("Poker Hand #HD1: Hold'em No Limit ($1/$2)\n", encoding="utf-8")
    (folder / "damaged.zip").write_bytes(b"PK\x03\x04 nothing")
    (folder / "cut.gz").write_bytes(gzip.compress(HAND.encode() * 100)[:-20])
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("../up.phh", HAND)
        archive.writestr("/root.phh", HAND)
        archive.writestr("C:\\windows.phh", HAND)
        archive.writestr("inner.zip", b"")
        archive.writestr("good.phh", HAND)
    (folder / "up.zip").write_bytes(buffer.getvalue())
    os.mkfifo(folder / "pipe")
    (folder / "broken-link").symlink_to("nowhere")
    before = sorted(tmp_path.rglob("*"))
    reader, hands = read(folder)
    assert ["good.phh", "line.phhs", "old.phh", "good.phh"] == [
        Path(hand.file).name for hand in hands
    ]
    assert "Jos\xe9" == hands[2].names[2]
    found = {Path(row.file).name: row.kind for row in reader.skipped}
    assert found == {
        "empty.phh": "empty",
        "binary.txt": "not a hand history",
        "huge.phh": "too large",
        "line.phhs": "too large",
        "notes.txt": "not a hand history",
        "party.txt": "other site",
        "gg.txt": "other site",
        "damaged.zip": "damaged archive",
        "cut.gz": "damaged archive",
        "up.phh": "bad path",
        "root.phh": "bad path",
        "C:\\windows.phh": "bad path",
        "inner.zip": "nested archive",
        "pipe": "unreadable",
        "broken-link": "unreadable",
    }
    assert reader.kinds == Counter(row.kind for row in reader.skipped)
    assert before == sorted(tmp_path.rglob("*")), "nothing is unpacked onto the disk"


# In a process of its own, where no thread of another test allocates memory.
PEAK = """
import sys, tracemalloc
from holdem_histories import read_hands

for _ in read_hands(sys.argv[1]):  # what is loaded and computed once
    break
tracemalloc.start()
reader = read_hands(sys.argv[1])
for _ in reader:
    pass
print(reader.hands, tracemalloc.get_traced_memory()[1])
"""


def test_memory(tmp_path):
    """Memory does not grow with the file: 1,196 hands take no more than 299."""
    found = []
    for times in (1, 4):
        path = tmp_path / f"{times}.phhs"
        path.write_text(times * PLURIBUS.read_text(encoding="utf-8"), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True
        )
        found.append([int(number) for number in done.stdout.split()])
    (hands, peak), (more_hands, more) = found
    assert (hands, more_hands) == (299, 4 * 299)
    assert more < peak + 500_000


def test_bomb(tmp_path, monkeypatch):
    """An archive that unpacks to more than the limit is read up to it."""
    monkeypatch.setattr("holdem_histories.sources._MOST_UNPACKED", 10_000)
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(HAND.encode() + b"\n" * 100_000_000))
    reader, _ = read(tmp_path)
    assert ["too large"] == [row.kind for row in reader.skipped]


@pytest.mark.parametrize(
    ("source", "keywords", "kind", "part"),
    [
        ("no-such-file.phh", {}, holdem.HoldemValueError, "no such file"),
        ("", {}, holdem.HoldemValueError, "no such file"),
        ("a\0b", {}, holdem.HoldemValueError, "no such file"),
        (["no-such-file.phh"], {}, holdem.HoldemValueError, "no such file"),
        (7, {}, holdem.HoldemTypeError, "not 7"),
        (b"text", {}, holdem.HoldemTypeError, "text"),
        (io.StringIO(HAND), {}, holdem.HoldemTypeError, "expected text or a path"),
        (HAND, {"errors": ["skip"]}, holdem.HoldemTypeError, "errors must be"),
        (HAND, {"format": "pdf"}, holdem.HoldemValueError, "no format 'pdf'"),
        (HAND, {"errors": "nan"}, holdem.HoldemValueError, "'nan'"),
    ],
)
def test_refused(source, keywords, kind, part):
    """Wrong arguments are refused at once, before a hand is read."""
    with pytest.raises(kind, match=part):
        read_hands(source, **keywords)
