"""Ask the questions of ``questions.toml`` through public names, and digest the answers.

    python scripts/check_answers.py [PATTERN] [--workers N]
        [--answers FILE] [--compare FILE] [--digests [FILE]] [--show]

PATTERN selects questions by name (``equity/sweep/*``); without one all are asked. ``--answers``
writes full answers to a file, ``--compare`` shows where answers differ from such a file,
``--show`` prints them, and ``--digests`` writes their digests (to ``digests.json`` beside this
module if no file is named). With none of these, digests are compared with ``digests.json``. The
`holdem` that is asked is whichever the interpreter imports.

An answer holds what is promised of it and no more: fields that are added later, versions and
seconds are left out. Its ``exact`` digest changes with the last bit of a float. Those bits depend
on the processor, for products of matrices do, so there is a ``rounded`` one beside it, of ten
digits. ``arithmetic`` tells where the exact ones hold.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import os
import platform
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time
import tomllib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import holdem

TESTS = Path(__file__).parents[1] / "tests"
QUESTIONS = TESTS / "regression" / "questions.toml"
DIGESTS = TESTS / "regression" / "digests.json"

# Fields of a record that are kept: a name, or a name with the fields of the record in it, of
# each of the records in it if it is a list.
_ESTIMATE = ("equity", "stderr", "ci95")
_EVALUATOR = {"evaluator": ("name",)}
_PLAYER = (
    *("range", "combos", "win", "tie", "lose", *_ESTIMATE),
    *("win_stderr", "win_ci95", "tie_stderr", "tie_ci95", "wins", "ties", "losses"),
)
_EQUITY = (
    *("schema", "method", "exact", "deals", "stop", "board", "dead", "seed"),
    {**_EVALUATOR, "players": _PLAYER},
)
_OUTCOMES = ("wins", "ties", "losses")
_CONTEST = (
    *("schema", "deals", "stop", "confidence", "seed", "board", "dead", "verdict"),
    {
        **_EVALUATOR,
        "players": ("range", *_OUTCOMES, *_ESTIMATE, "by_category", "against"),
        "differences": ("players", "estimate", "stderr", "ci95"),
        "evaluators": ("name", "hands", "deals", "smallest"),
    },
)
_CONTEST_COLUMNS = (
    *("part", "player", "range", "hand", "against", *_OUTCOMES, "equity", "stderr"),
    *("ci95_low", "ci95_high", "deals", "stop", "confidence", "seed", "verdict", "board", "dead"),
)
_HAND = (
    *("hand", "seed", "burns", "board", "winners"),
    {**_EVALUATOR, "seats": ("hole", "category", "best")},
)
_AGGREGATE = (
    *("schema", "players", "hands", "stop", "seed", "categories", "winning_categories", "pots"),
    {
        **_EVALUATOR,
        "best_starting_hand": (*_OUTCOMES, "several"),
        "seats": (*_OUTCOMES, "equity"),
    },
)
_VALUE = ("schema", "cards", "best", "category", "name", "rank_class", "strength", _EVALUATOR)
_RANGE = ("schema", "count", "share", "weight", "text", {"combos": ("combo", "weight")})
_COMPARISON = ("schema", "first", "second", "tie", _EVALUATOR)
_RESULTS = ("schema", "complete", "asked", "finished", {"spots": ("name", *_EQUITY)})
_BY_SCHEMA = {
    "holdem/equity/1": _EQUITY,
    "holdem/head-to-head/1": _CONTEST,
    "holdem/evaluation/1": _VALUE,
    "holdem/range/1": _RANGE,
    "holdem/comparison/1": _COMPARISON,
    "holdem/results/1": _RESULTS,
    None: _HAND,  # a line of `holdem deal -f jsonl`
}


def read_questions(path: Path = QUESTIONS) -> dict[str, dict[str, Any]]:
    """Return the questions by name, ``call/group/question``."""
    with path.open("rb") as file:
        calls = tomllib.load(file)
    return {
        f"{call}/{group}/{name}": question
        for call, groups in calls.items()
        for group, questions in groups.items()
        for name, question in questions.items()
    }


def answer(name: str, question: Mapping[str, Any], workers: int | None = None) -> Any:
    """Ask a question and return the answer as JSON has it.

    Args:
        name: of the question; its first part is the call.
        question: the arguments.
        workers: how many, instead of those that the question names.
    """
    asked = dict(question)
    call = name.partition("/")[0]
    if workers is not None and call in _WITH_WORKERS:
        asked["workers"] = workers
    if "players" in asked and isinstance(asked["players"], list):
        asked["players"] = _repeated(asked["players"])
    if "evaluator" in asked:
        asked["evaluator"] = _evaluator(asked["evaluator"])
    if "evaluators" in asked:
        asked["evaluators"] = [_evaluator(each) for each in asked["evaluators"]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _CALLS[call](**asked)


def digest(record: Any) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a record as JSON."""
    return hashlib.sha256(json.dumps(record).encode()).hexdigest()[:16]


def digests_of(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the digests of answers, as ``digests.json`` has them."""
    return {
        "arithmetic": arithmetic(),
        "exact": {name: digest(found) for name, found in answers.items()},
        "rounded": {name: digest(rounded(found)) for name, found in answers.items()},
    }


def kind_of_digest(recorded: Mapping[str, Any]) -> str:
    """Return which of the digests recorded hold here, ``"exact"`` or ``"rounded"``."""
    return "exact" if recorded["arithmetic"] == arithmetic() else "rounded"


@cache
def arithmetic() -> str:
    """Return a digest of what the last bits of sums and products depend on."""
    matrix = np.sqrt(np.arange(1.0, 1025.0)).reshape(8, 128)
    products = [(rows @ np.log(matrix.T)).tolist() for rows in (matrix, matrix[0])]
    extensions = np.show_config(mode="dicts")["SIMD Extensions"]
    return digest([platform.machine(), np.__version__, extensions, products])


def rounded(record: Any) -> Any:
    """Return a record with its floats rounded to ten digits."""
    if isinstance(record, dict):
        return {name: rounded(held) for name, held in record.items()}
    if isinstance(record, (list, tuple)):
        return [rounded(held) for held in record]
    return float(f"{record:.10g}") if isinstance(record, float) else record


def kept(record: Any, fields: Sequence[Any]) -> Any:
    """Return a record with the given fields alone, in their order; those it lacks are left out."""
    if isinstance(record, (list, tuple)):
        return [kept(each, fields) for each in record]
    found = {}
    for field in fields:
        for name, inner in field.items() if isinstance(field, dict) else [(field, None)]:
            if name in record:
                found[name] = record[name] if inner is None else kept(record[name], inner)
    return found


def differences(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Yield a line for each place in which two answers differ."""
    if type(old) is not type(new):
        yield f"{path}: {_shown(old)} is now {_shown(new)}"
    elif isinstance(old, dict):
        for name in old | new:
            if name in old and name in new:
                yield from differences(old[name], new[name], f"{path}.{name}")
            else:
                yield f"{path}.{name}: {'is gone' if name in old else 'is new'}"
        if list(old) != list(new) and old.keys() == new.keys():
            yield f"{path}: the order of {list(old)} is now {list(new)}"
    elif isinstance(old, list):
        if len(old) != len(new):
            yield f"{path}: {len(old)} are now {len(new)}"
        for place, (one, other) in enumerate(zip(old, new, strict=False)):
            yield from differences(one, other, f"{path}[{place}]")
    elif json.dumps(old) != json.dumps(new):
        yield f"{path}: {_shown(old)} is now {_shown(new)}"


# --- calls ---


def _equity(
    players: Sequence[str], by_combo: bool = False, as_ranges: bool = False, **options: Any
) -> Any:
    """Ask `holdem.equity`.

    Args:
        players: as text.
        by_combo: record each combo's figures also where the answer is sampled.
        as_ranges: give each player as a `Range`.
        **options: the other arguments.
    """
    given = [holdem.Range(text) for text in players] if as_ranges else players
    result = holdem.equity(*given, **options)
    record = kept(result.to_dict(), _EQUITY)
    return {**record, "by_combo": _combos(result)} if by_combo or result.exact else record


def _combos(result: holdem.EquityResult) -> list[list[list[Any]]]:
    """Return combo, weight, equity, win and tie of each player's combos."""
    return [
        [[own.combo, own.weight, own.equity, own.win, own.tie] for own in player.by_combo]
        for player in result.players
    ]


def _head_to_head(players: Sequence[str], **options: Any) -> Any:
    return kept(holdem.head_to_head(*players, **options).to_dict(), _CONTEST)


def _aggregate(**options: Any) -> Any:
    return kept(holdem.aggregate(**options).to_dict(), _AGGREGATE)


def _simulate(**options: Any) -> Any:
    return [
        {
            **kept(hand.to_dict(), _HAND),
            "values": [
                [seat.value.name, seat.value.rank_class, seat.value.strength] for seat in hand.seats
            ],
        }
        for hand in holdem.simulate(**options)
    ]


def _write_hands(file: str, **options: Any) -> Any:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / file
        seed = holdem.write_hands(path, **options)
        written = path.read_text(encoding="utf-8")
    return {"seed": seed, "lines": _lines(written)}


def _deck(seed: int, calls: Sequence[str], of: str | None = None) -> Any:
    """Return what each call of a deck returns: ``deal 5`` is ``deal(5)``."""
    deck = holdem.Deck(seed) if of is None else holdem.Deck(seed, cards=of)
    found: list[Any] = []
    for call in calls:
        name, _, text = call.partition(" ")
        member = getattr(deck, name)
        if name == "cards":
            returned = member
        else:
            returned = member(*([] if not text else [int(text) if text.isdigit() else text]))
        cards = [returned] if name == "burn" else returned or []
        found.append([call, [str(card) for card in cards], len(deck)])
    return found


def _evaluate(hands: Sequence[str], **options: Any) -> Any:
    return [kept(holdem.evaluate(hand, **options).to_dict(), _VALUE) for hand in hands]


def _strengths(evaluator: Any, hands: int, lowest: int = 0) -> Any:
    """Return the strengths of so many random hands of each size.

    Args:
        evaluator: who ranks them.
        hands: how many.
        lowest: the first card id of the deck.
    """
    stream = random.Random(54)
    deck = range(lowest, 52)
    found = {}
    for size in (5, 6, 7):
        dealt = [sorted(deck, key=lambda _: stream.random())[:size] for _ in range(hands)]
        ranked = holdem.get_evaluator(evaluator).strengths(np.array(dealt, dtype=np.uint8))
        found[str(size)] = ranked.tolist()
    return found


def _range(
    text: str | None = None,
    percent: Sequence[float] = (),
    combos: Mapping[str, float] | None = None,
    rules: str = "standard",
    without: str | None = None,
    **other: str,
) -> Any:
    """Return what there is to know of a range.

    Args:
        text: in the range language; else it is made of `percent` or `combos`.
        percent: arguments of `Range.from_percent`.
        combos: argument of `Range.from_combos`.
        rules: for text and percentages.
        without: cards that no combo may hold.
        **other: ``or``, ``and`` and ``minus``: another range, as text.
    """
    if percent:
        held = holdem.Range.from_percent(*percent, rules=rules)
    elif combos is not None:
        held = holdem.Range.from_combos(combos)
    else:
        held = holdem.Range(text, rules=rules)
    for operation, operand in other.items():
        second = holdem.Range(operand)
        if operation == "or":
            held = held | second
        elif operation == "and":
            held = held & second
        elif operation == "minus":
            held = held - second
        else:
            raise ValueError(operation)
    if without is not None:
        held = held.without(without)
    return {
        "text": str(held),
        "count": len(held),
        "total": held.total,
        "share": held.share,
        "combos": [[str(combo), held.weight(combo)] for combo in held],
        "frequencies": held.frequencies(),
        **{dialect: held.to_text(dialect) for dialect in ("pio", "gto+", "equilab")},
    }


def _study(toml: str, again: bool = False, by_combo: bool = False, **options: Any) -> Any:
    """Run a study and return its answers.

    Args:
        toml: the text of its file.
        again: run it once more with the same store.
        by_combo: record each combo's figures.
        **options: of `holdem.run_study`.
    """
    with tempfile.TemporaryDirectory() as directory:
        study, store = Path(directory) / "study.toml", Path(directory) / "kept.store"
        study.write_text(toml, encoding="utf-8")
        found = holdem.run_study(study, store, **options)
        if again:
            found = holdem.run_study(study, store, **options)
        stored = holdem.study_results(store)
        record = kept(stored.to_dict(), _RESULTS)
        record["returned"] = kept(found.to_dict(), _RESULTS) == record
        if by_combo:
            record["by_combo"] = [_combos(spot.result) for spot in stored.spots]
    return record


def _command(
    commands: Sequence[str], stdin: str | None = None, files: Mapping[str, str] | None = None
) -> Any:
    """Run commands of the command line, one after another, and return what they print.

    Args:
        commands: the arguments of each.
        stdin: the file, below ``tests``, that is their standard input.
        files: name -> text of files in the directory that they run in.
    """
    given = None if stdin is None else (TESTS / stdin).read_text(encoding="utf-8")
    found = []
    with tempfile.TemporaryDirectory() as directory:
        for name, text in (files or {}).items():
            (Path(directory) / name).write_text(text, encoding="utf-8")
        for arguments in commands:
            ended = subprocess.run(
                [sys.executable, "-m", "holdem", *shlex.split(arguments)],
                cwd=directory,
                input=given,
                capture_output=True,
                encoding="utf-8",
                timeout=300,
                check=False,
            )
            found.append([ended.returncode, _lines(ended.stdout)])
    return found


def _lines(text: str) -> list[Any]:
    """Return the lines of an answer: records of JSON, rows of CSV, text without seconds."""
    lines = text.splitlines()
    if text.startswith("{"):
        records = [json.loads(line) for line in lines]
        return [kept(record, _BY_SCHEMA[record.get("schema")]) for record in records]
    if len(lines) > 1 and re.fullmatch(r"[\w,]+", lines[0]) and "," in lines[0]:
        rows = list(csv.DictReader(io.StringIO(text)))
        if "part" in rows[0]:
            rows = kept(rows, _CONTEST_COLUMNS)
        return [{name: _value(row[name]) for name in row} for row in rows]
    return [re.sub(r"\d[\d,]*\.\d+ s\b", "… s", line) for line in lines]


def _value(text: str) -> str | float:
    """Return a cell of CSV, a float where it is one."""
    return float(text) if re.fullmatch(r"-?\d+(\.\d+)?(e-\d+)?", text) and "." in text else text


# --- evaluators of our own, which nobody registers ---


@holdem.evaluator("plain")
def _plain(cards: tuple[int, ...]) -> int:
    """Rank five cards by the rule book, in plain Python."""
    ranks = [card // 4 for card in cards]
    counted = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    shape, order = zip(*counted, strict=True)
    if order == (12, 3, 2, 1, 0):
        order = (3, 2, 1, 0, -1)
    flush = len({card % 4 for card in cards}) == 1
    straight = len(order) == 5 and order[0] - order[4] == 4
    kinds = {(2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}
    strength = max(kinds.get(shape, 0), 4 * straight, 5 * flush, 8 * (straight and flush))
    for rank in (*order, 0, 0, 0)[:5]:
        strength = 13 * strength + rank
    return strength


@holdem.evaluator("crooked", batch=True)
def _crooked(hands: np.ndarray) -> np.ndarray:
    """Rank five cards right, but for three pairs of nines that count as one class more."""
    strengths = holdem.get_evaluator("lookup").strengths(hands)
    ids = np.sort(hands, axis=1)
    for text in ("Kd Jc 9h 7d 9c", "Kd Jc 9h 7d 9d", "Kd Jc 9h 7d 9s"):
        wrong = np.sort(np.array([int(holdem.Card(card)) for card in text.split()], np.uint8))
        strengths = strengths + (ids == wrong).all(axis=1)
    return strengths


def _evaluator(name: str) -> Any:
    return {"plain": _plain, "crooked": _crooked}.get(name, name)


def _repeated(players: Sequence[str]) -> list[str]:
    """Return players with ``"9 * random"`` written out."""
    found = []
    for text in players:
        times, mark, own = text.partition(" * ")
        found += [own] * int(times) if mark else [text]
    return found


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:60]}…"


_CALLS: dict[str, Callable[..., Any]] = {
    "equity": _equity,
    "head_to_head": _head_to_head,
    "aggregate": _aggregate,
    "simulate": _simulate,
    "write_hands": _write_hands,
    "deck": _deck,
    "evaluate": _evaluate,
    "strengths": _strengths,
    "range": _range,
    "study": _study,
    "command": _command,
}
_WITH_WORKERS = ("equity", "head_to_head", "aggregate", "write_hands", "study")


def main() -> int:
    """Ask, print, and return 1 if an answer is another one than was recorded."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pattern", nargs="?", default="*")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--compare", type=Path)
    parser.add_argument("--digests", type=Path, nargs="?", const=DIGESTS)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    # As in tests/conftest.py: no setting of the user's.
    os.environ["HOLDEM_CONFIG"] = str(TESTS / "data" / "no_configuration.toml")
    os.environ["HOLDEM_QUIET"] = "1"

    answers, seconds = {}, {}
    for name, question in read_questions().items():
        if fnmatch(name, options.pattern):
            begun = time.perf_counter()
            answers[name] = answer(name, question, options.workers)
            seconds[name] = time.perf_counter() - begun
    digests = digests_of(answers)
    total = sum(seconds.values())
    print(f"{len(answers)} questions of {holdem.__file__} in {total:.1f} s", file=sys.stderr)
    for name in sorted(seconds, key=seconds.__getitem__, reverse=True)[:5]:
        print(f"{seconds[name]:8.2f} s  {name}", file=sys.stderr)

    if options.show:
        for name, found in answers.items():
            print(name, json.dumps(found, indent=1, ensure_ascii=False))
    if options.answers:
        options.answers.write_text(json.dumps(answers), encoding="utf-8")
    if options.digests:
        options.digests.write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
    if options.compare:
        return _compare(json.loads(options.compare.read_text(encoding="utf-8")), answers)
    if options.show or options.answers or options.digests:
        return 0
    recorded = json.loads(DIGESTS.read_text(encoding="utf-8"))
    kind = kind_of_digest(recorded)
    changed = [name for name in answers if recorded[kind].get(name) != digests[kind][name]]
    for name in changed:
        print(f"{name}: another answer")
    print(f"{len(changed)} of {len(answers)} {kind} digests differ")
    return int(bool(changed))


def _compare(recorded: Mapping[str, Any], answers: Mapping[str, Any]) -> int:
    """Print where answers differ from those recorded, ten places of each."""
    changed = 0
    for name, found in answers.items():
        # Through JSON, which knows no tuples.
        lines = list(differences(recorded.get(name), json.loads(json.dumps(found))))
        changed += bool(lines)
        more = [f"… and {len(lines) - 10} more"] if len(lines) > 10 else []
        for line in [*lines[:10], *more]:
            print(f"{name}: {line}")
    print(f"{changed} of {len(answers)} answers differ")
    return int(changed > 0)


if __name__ == "__main__":
    sys.exit(main())
