"""What the fuzzer calls: a function for each kind of input, and the inputs that it starts from.

A function takes the bytes of an input and a directory of its own. It may raise a `HoldemError`,
and nothing else; it also checks the answer where that is easy.
"""

from __future__ import annotations

import json
import sqlite3
import warnings
from collections.abc import Callable
from contextlib import closing, redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path

import attrs
import numpy as np

import holdem
from holdem.cards import cards_text
from holdem.cli import run
from holdem.evaluation.registry import versions_of
from holdem.odds.spot import canonical_text, make_spot
from holdem.trials.studies.store import Store, digest_row
from holdem.trials.studies.study_file import read_study
from holdem_page.answers import ENDPOINTS, answer

_RULES = ("standard", "short-deck", "deuces-wild")
_STUDY = {
    "seed": 4,
    "method": "monte-carlo",
    "deals": 100_000,
    "spot": [{"players": ["AsKs", "QQ+"]}, {"players": ["AA", "KK"], "name": "x"}],
}


@attrs.frozen
class Target:
    """A kind of input."""

    call: Callable[[bytes, Path], None]
    seeds: tuple[bytes, ...]


def _text(data: bytes) -> str:
    """Decode an input as the arguments of a command are decoded."""
    return data.decode("utf-8", "surrogateescape")


def cards(data: bytes, _: Path) -> None:
    """Cards, read one at a time, as a list and as a hand."""
    text = _text(data)
    calls = (holdem.Card, holdem.evaluate, holdem.Range("random").without)
    for call in calls:
        try:
            call(text)
        except holdem.HoldemError as error:
            _require_message(error)
    found = holdem.parse_cards(text)
    assert holdem.parse_cards(cards_text(found)) == found


def ranges(data: bytes, _: Path) -> None:
    """A range; the first byte chooses the rules. Its canonical text is the same range."""
    rules, text = _RULES[data[0] % 3 if data else 0], _text(data[1:])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = holdem.Range(text, rules=rules)
        assert holdem.Range(str(found)) == found


def boards(data: bytes, _: Path) -> None:
    """A board and dead cards, separated by a bar, of a spot."""
    board, dead = [*_text(data).split("|", 1), ""][:2]
    spot = make_spot(("random", "QQ+,AKs:0.5"), board, dead)
    assert make_spot(spot.ranges, spot.board, spot.dead).live[1].tolist() == spot.live[1].tolist()
    canonical_text(spot)


def studies(data: bytes, directory: Path) -> None:
    """A study file."""
    path = directory / "study.toml"
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        study = read_study(path)
    assert [type(spot).from_dict(json.loads(json.dumps(spot.to_dict()))) for spot in study.spots]


def stores(data: bytes, directory: Path) -> None:
    """Edits of a store, three bytes each: a place and a value. A number that is read is right."""
    path = directory / "a.store"
    content = bytearray(_store(directory))
    for start in range(0, len(data) - 2, 3):
        content[int.from_bytes(data[start : start + 2], "big") % len(content)] = data[start + 2]
    path.write_bytes(content)
    found = holdem.study_results(path)
    assert [spot.to_dict() for spot in found.spots] == _results(directory)


def rows(data: bytes, directory: Path) -> None:
    """The JSON in a store, with correct digests: a line each for header, spot, answer, counts."""
    header, asked, answer, counts, *_ = [*data.decode("utf-8", "ignore").split("\n"), *[""] * 4]
    path = directory / "rows.store"
    path.write_bytes(_store(directory))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA synchronous = OFF")
        _replace(db, "header", content=header)
        _replace(db, "spots WHERE stop IS NULL", asked=asked)
        _replace(db, "spots WHERE stop NOT NULL", answer=answer)
        _replace(db, "blocks", counts=counts)
    holdem.study_results(path)


def _replace(db: sqlite3.Connection, table: str, **changes: str) -> None:
    """Change a column of a row, if the new text is not empty, and the digest with it."""
    found = db.execute(f"SELECT * FROM {table}")
    row = dict(zip([column[0] for column in found.description], found.fetchone(), strict=True))
    row |= {name: text for name, text in changes.items() if text}
    *fields, _ = row.values()
    names = ", ".join(f"{name} = ?" for name in row)
    name, _, condition = table.partition(" ")
    db.execute(f"UPDATE {name} SET {names} {condition}", (*fields, digest_row(*fields)))


def spots(data: bytes, directory: Path) -> None:
    """A CSV of spots for the command ``equities``, a hundred deals each."""
    path = directory / "spots.csv"
    path.write_bytes(data)
    _command("equities", str(path), "--method", "monte-carlo", "-n", "100", "-j", "1")


def hands(data: bytes, directory: Path) -> None:
    """A file of pairs of hands for the command ``compare``."""
    path = directory / "pairs.txt"
    path.write_bytes(data)
    _command("compare", str(path), "--show")


def requests(data: bytes, _: Path) -> None:
    """A request of the page, after a byte that chooses its path; equities of a hundred deals."""
    name = list(ENDPOINTS)[data[0] % len(ENDPOINTS)] if data else "range"
    try:
        question = json.loads(data[1:])
    except (ValueError, RecursionError):
        return  # refused before it is a question
    if isinstance(question, dict):
        if question.get("format") == "png":
            return  # matplotlib takes most of a second
        if name == "equity":
            question |= {"method": "monte-carlo", "deals": 100}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer(name, question)


def _command(*arguments: str) -> None:
    """Run a command, which ends with 0 or, with a message about its input, 2."""
    errors = StringIO()
    with redirect_stdout(StringIO()), redirect_stderr(errors), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        code = run(list(arguments))
    assert code in (0, 2), errors.getvalue()
    assert "unexpected error" not in errors.getvalue()


def _require_message(error: holdem.HoldemError) -> None:
    """Require a message of a few lines that can be printed."""
    message = str(error)
    assert message
    assert message.count("\n") <= 4, message
    assert message.replace("\n", "").isprintable(), message
    assert len(message) < 2000, message


@cache
def _store(directory: Path) -> bytes:
    """Return the content of a store with two spots, one of them sampled and one exact."""
    path = directory / "first.store"
    study = read_study(_STUDY)
    with Store(path, study, versions_of(study.evaluators)) as store:
        first, second = map(store.spot, range(2))
        counts = np.array([0, 5, 6, 7], dtype=np.int64)
        store.put(0, attrs.evolve(first, counts=counts, blocks=1, elapsed=0.5))
        answer = holdem.equity("AA", "KK", method="exact").to_dict()
        store.put(1, attrs.evolve(second, stop="exhausted", answer=answer))
    content = path.read_bytes()
    path.unlink()
    return content


@cache
def _results(directory: Path) -> list[dict[str, object]]:
    path = directory / "right.store"
    path.write_bytes(_store(directory))
    return [spot.to_dict() for spot in holdem.study_results(path).spots]


_TOML = """seed = 4
method = "monte-carlo"
deals = 6_000_000

[[spot]]
name = "ace-king"
players = ["AsKs", "QQ+", "random"]
board = "Td9d2c"
dead = "2h"
"""
_GRIDS = """stderr = 0.0002
[[grid]]
hero = "each class"
opponents = [1, 1]
[[grid]]
hero = ["QQ+,AK", "22+"]
villain = ["random", "top 20%"]
board = ["Ks7d2c", "AhTh9h"]
"""
_ROWS = (
    '{"holdem": "0.1.0", "evaluators": {"lookup": ["holdem", "0.1.0"]}, "seed": null, "spots": 2}',
    '{"name": "x", "players": ["AsKs", "QQ+"], "board": [], "dead": [], "method": "monte-carlo",'
    ' "deals": 100000, "stderr": null, "time": null, "seed": 4, "evaluator": "lookup", "question":'
    ' "AsKs v QQ+ | board - | dead - | rules standard", "combos": [1, 12], "cell": null,'
    ' "weight": 1, "matchups": null}',
    '{"method": "exact", "exact": true, "deals": 7, "stop": "exhausted", "players": []}',
    '{"1": 5, "2": 6, "3": 7}',
)

TARGETS: dict[str, Target] = {
    "cards": Target(cards, (b"As Kd 10h", "A♠,10♦".encode(), b"AsKsQsJsTs2c3d", b"asKD,th;9c")),
    "ranges": Target(
        ranges,
        (
            *(b"\0" + text for text in (b"22+, A5s-A2s, KTs+", b"AKs:0.5,QQ@25", b"top 15%")),
            *(b"\0" + text for text in (b"[50]AA[/50],(AK,QQ):0.3", b"AhX,*!KK", b"5%-10%")),
            *(b"\1" + text for text in (b"66+, A6s+", b"random")),
            b"\2AhKd-AhJd, 0.4(TT+!AA) #note",
        ),
    ),
    "boards": Target(boards, (b"Td9d2c|2h", b"Ks 7d 2c 3h|", b"AsKsQsJsTs|9c,8c", b"|AhAd")),
    "studies": Target(studies, (_TOML.encode(), _GRIDS.encode())),
    "stores": Target(stores, (b"", b"\0\x10\1", b"\x20\0\xff\x10\0\7")),
    "rows": Target(rows, ("\n".join(_ROWS).encode(), b"", b'{"spots": 2}')),
    "spots": Target(
        spots,
        (
            b"p1,p2,board,dead\nAsKs,QQ+,Td9d2c,\nAhAd,random,,2c\n",
            b'p1,p2,p3\n"QQ+,AKs",22,JTs\nAsAh,KK,\n',
            b"p1;p2\nAsKs;QQ\n",
        ),
    ),
    "hands": Target(
        hands, (b"8C TS KC 9H 4S 7D 2S 5D 3S AC\n", b"7c5d4h3s2c | KdQsJcTh9s # one\n\n")
    ),
    "requests": Target(
        requests,
        (
            b'\0{"players": ["QQ+,AKs", "random"], "board": "Td9d2c", "by": ["class"]}',
            b'\0{"players": ["AsKs", "22+"], "dead": "2c", "seed": 3, "stderr": 0.1}',
            b'\1{"text": "22+, AKs:0.5", "board": "Ks 7d 2c"}',
            b'\2{"range": "top 15%", "board": "Ks7d2c", "members": true, "format": "csv"}',
        ),
    ),
}
