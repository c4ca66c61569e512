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
    """Return the reader of a source and its hands, copies of them, too."""
    reader = read_hands(source, **{"copies": "keep", **keywords})
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
        "gg.txt": "incomplete",
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
PEAKS = """
import sys, tracemalloc
from itertools import islice
from holdem_histories import read_hands

warm, *paths = sys.argv[1:]
for _ in read_hands(warm):  # what is loaded and computed once
    pass
for path in paths:
    tracemalloc.start()
    reader = read_hands(path, copies="keep")
    for hands in (50, 350):
        for _ in islice(reader, hands):
            pass
        print(tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()
"""


def test_memory(tmp_path):
    """Of 9 MB, packed or not, only the hand that is read is in memory."""
    text = 50 * PLURIBUS.read_bytes()
    assert len(text) > 9_000_000
    (tmp_path / "a.phhs").write_bytes(text)
    with gzip.open(tmp_path / "b.phhs.gz", "wb", compresslevel=1) as packed:
        packed.write(text)
    with zipfile.ZipFile(tmp_path / "c.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("a.phhs", text)
    done = subprocess.run(
        [sys.executable, "-c", PEAKS, str(PLURIBUS), *map(str, sorted(tmp_path.iterdir()))],
        capture_output=True,
        text=True,
        check=True,
    )
    peaks = [int(number) for number in done.stdout.split()]
    assert len(peaks) == 6
    for few, many in zip(peaks[::2], peaks[1::2], strict=True):
        assert few < 1_000_000
        assert many < few + 200_000


def test_copies(tmp_path):
    """A log, its copy and its zip are counted once; hands of equal numbers are not copies."""
    text = PLURIBUS.read_text(encoding="utf-8")
    (tmp_path / "a.phhs").write_text(text, encoding="utf-8")
    (tmp_path / "b.phhs").write_text(text.replace("\n", "\r\n"), encoding="utf-8", newline="")
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("a.phhs", text)
    reader = read_hands(tmp_path)
    assert len(list(reader)) == 299
    assert len({hand.number for hand in read_hands(tmp_path)}) < 299
    assert reader.summary() == "299 hands, 598 copies skipped"
    assert len(list(read_hands(tmp_path, copies="keep"))) == 3 * 299


@pytest.mark.parametrize("change", [("AsKs", "AcKc"), ("p1 cc", "p1 cbr 60"), ("Ann", "Al")])
def test_not_copies(change):
    """Hands that differ in a card, an action or a name are not copies."""
    other = HAND.replace(*change)
    assert len(list(read_hands(f"[1]\n{HAND}\n[2]\n{other}", errors="raise"))) == 2


@pytest.mark.parametrize(
    ("text", "kind", "part"),
    [
        ("x=1\n", "not a hand history", "not a hand history that can be read"),
        ("PokerStars Tournament #7, No Limit Hold'em\n", "other site", "summary of a tournament"),
        ("PokerStars Main #7 : Hold'em Pas de Limite\n", "other site", "other than English"),
        ("***** Hand History For Game 7 *****\n", "other site", "PartyPoker"),
        ("#Game No : 7\n***** 888poker Hand History for Game 7 *****\n", "other site", "888poker"),
        ("Game started at: 2014/2/19 23:34:58\n", "other site", "Winning Poker Network"),
        ("Hand#29980 - Innsbruck (6-max)\n", "other site", "Cake Poker"),
        ("Table #44913344 - Eumelus\nStarting Hand #20806\n", "other site", "PKR"),
        ("Hand #6340502-110 - 2013-05-02 02:14:03\n", "other site", "Seals with Clubs"),
        ("Winamax Poker - CashGame - HandId: #1-2-3\n", "other site", "Winamax"),
        ("<session sessioncode='7'>\n<game gamecode='1'>\n", "other site", "iPoker"),
    ],
)
def test_named(text, kind, part):
    """What is not read is named, with its hands."""
    reader, hands = read(text)
    assert not hands
    assert [kind] == [row.kind for row in reader.skipped]
    assert part in reader.skipped[0].reason


def test_other_sites_are_counted(tmp_path):
    """The hands of each site that is not read are counted, and the others in the file are read."""
    (tmp_path / "a.txt").write_text(
        "Winamax Poker - CashGame - HandId: #1\nSeat 1: Ann (100)\n\n" * 12
        + "Stage #1: Holdem\n"
        + STARS
        + "\nWinamax Poker - CashGame - HandId: #1\n",
        encoding="utf-8",
    )
    reader, hands = read(tmp_path)
    assert len(hands) == 1
    assert reader.summary() == "1 hand, 14 skipped: 14 other site"
    assert ["13 hands of Winamax", "1 hand of Absolute Poker"] == [
        row.reason.partition(",")[0] for row in reader.skipped
    ]
    assert [1, 37] == [row.line for row in reader.skipped]


STARS = """PokerStars Hand #7: Hold'em No Limit ($1/$2 USD) - 2020/01/02 3:04:05 ET
Table 'Lyra' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($100 in chips)
Ann: posts small blind $1
Bob: posts big blind $2
*** HOLE CARDS ***
Ann: folds
Uncalled bet ($1) returned to Bob
Bob collected $2 from pot
*** SUMMARY ***
Total pot $2 | Rake $0
"""


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode("utf-16"),
        lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: ("\n" + text + "\ufeff" + text.replace("#7", "#8")).encode(),
    ],
)
def test_encodings(encode, tmp_path):
    """UTF-16, line ends of Mac and Windows, and marks of byte order."""
    (tmp_path / "a.txt").write_bytes(encode(STARS + "\n" + STARS.replace("#7", "#9")))
    _, hands = read(tmp_path, errors="raise", copies="skip")
    assert {(1, -1)} == {hand.net for hand in hands}
    assert len(hands) in (2, 3)


def test_long_lines_of_mac(tmp_path, monkeypatch):
    """A file without any line feed, cut into pieces at any place, has all its hands."""
    monkeypatch.setattr("holdem_histories.sources._LONGEST_LINE", 100)
    text = "\r".join(STARS.replace("#7", f"#{number}").replace("\n", "\r") for number in range(50))
    (tmp_path / "a.txt").write_bytes(text.encode())
    assert len(read(tmp_path, errors="raise")[1]) == 50


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
        (HAND, {"copies": "once"}, holdem.HoldemValueError, "'once'"),
        (HAND, {"copies": None}, holdem.HoldemTypeError, "copies must be"),
    ],
)
def test_refused(source, keywords, kind, part):
    """Wrong arguments are refused at once, before a hand is read."""
    with pytest.raises(kind, match=part):
        read_hands(source, **keywords)


def test_hands_of_phh_without_a_number_are_no_copies(tmp_path):
    """Three folds to the big blind look alike, and are three hands."""
    one = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["d dh p1 ????", "d dh p2 ????", "p2 f"]
"""
    path = tmp_path / "a.phhs"
    path.write_text("".join(f"[{n}]\n{one}\n" for n in (1, 2, 3)), encoding="utf-8")
    reader = read_hands(path)
    assert [len(list(reader)), reader.copies] == [3, 0]
