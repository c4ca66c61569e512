"""The calls of the regression corpus, through public names only."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import shlex
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import holdem
from regression.records import (
    AGGREGATE,
    BY_SCHEMA,
    EQUITY,
    HAND,
    HEAD_TO_HEAD,
    HEAD_TO_HEAD_COLUMNS,
    STUDY,
    VALUE,
    select,
)

TESTS = Path(__file__).parents[3] / "tests"


def call(name: str, arguments: Mapping[str, Any], workers: int | None = None) -> Any:
    """Make a call of the corpus and return a record of its result.

    Args:
        name: the name of the case; its first part is the function.
        arguments: the arguments in ``cases.toml``.
        workers: overrides the number of workers.
    """
    given = dict(arguments)
    function = name.partition("/")[0]
    if workers is not None and function in _WITH_WORKERS:
        given["workers"] = workers
    if isinstance(given.get("players"), list):
        given["players"] = _repeat(given["players"])
    if "evaluator" in given:
        given["evaluator"] = _evaluator(given["evaluator"])
    if "evaluators" in given:
        given["evaluators"] = [_evaluator(each) for each in given["evaluators"]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _FUNCTIONS[function](**given)


def _repeat(players: Sequence[str]) -> list[str]:
    """Return a list of players in which ``"9 * random"`` is repeated."""
    repeated = []
    for text in players:
        times, mark, player = text.partition(" * ")
        repeated += [player] * int(times) if mark else [text]
    return repeated


# --- functions ---


def _equity(
    players: Sequence[str], by_combo: bool = False, as_ranges: bool = False, **options: Any
) -> Any:
    """Call `holdem.equity`.

    Args:
        players: the players as text.
        by_combo: record the figures of each combo even if the result is sampled.
        as_ranges: pass each player as a `Range`.
        **options: other arguments.
    """
    given = [holdem.Range(text) for text in players] if as_ranges else players
    result = holdem.equity(*given, **options)
    record = select(result.to_dict(), EQUITY)
    return {**record, "by_combo": _combos(result)} if by_combo or result.exact else record


def _combos(result: holdem.EquityResult) -> list[list[list[Any]]]:
    """Return combo, weight, equity, win and tie of each player's combos."""
    return [
        [[own.combo, own.weight, own.equity, own.win, own.tie] for own in player.by_combo]
        for player in result.players
    ]


def _head_to_head(players: Sequence[str], **options: Any) -> Any:
    return select(holdem.head_to_head(*players, **options).to_dict(), HEAD_TO_HEAD)


def _aggregate(**options: Any) -> Any:
    return select(holdem.aggregate(**options).to_dict(), AGGREGATE)


def _simulate(**options: Any) -> Any:
    return [
        {
            **select(hand.to_dict(), HAND),
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
    """Return the results of method calls of a deck; ``deal 5`` is ``deal(5)``."""
    deck = holdem.Deck(seed) if of is None else holdem.Deck(seed, cards=of)
    results: list[Any] = []
    for text in calls:
        name, _, argument = text.partition(" ")
        member = getattr(deck, name)
        if name == "cards":
            returned = member
        else:
            number = int(argument) if argument.isdigit() else argument
            returned = member(number) if argument else member()
        cards = [returned] if name == "burn" else returned or []
        results.append([text, [str(card) for card in cards], len(deck)])
    return results


def _evaluate(hands: Sequence[str], **options: Any) -> Any:
    return [select(holdem.evaluate(hand, **options).to_dict(), VALUE) for hand in hands]


def _strengths(evaluator: Any, hands: int, lowest: int = 0) -> Any:
    """Return the strengths of random hands of each size.

    Args:
        evaluator: the evaluator.
        hands: the number of hands of each size.
        lowest: the first card id of the deck.
    """
    stream = random.Random(54)
    deck = range(lowest, 52)
    strengths = {}
    for size in (5, 6, 7):
        dealt = [sorted(deck, key=lambda _: stream.random())[:size] for _ in range(hands)]
        ranked = holdem.get_evaluator(evaluator).strengths(np.array(dealt, dtype=np.uint8))
        strengths[str(size)] = ranked.tolist()
    return strengths


def _range(
    text: str | None = None,
    percent: Sequence[float] = (),
    combos: Mapping[str, float] | None = None,
    rules: str = "standard",
    without: str | None = None,
    **operation: str,
) -> Any:
    """Return the properties of a range, given by `text`, `percent` or `combos`.

    Args:
        text: in the range language.
        percent: arguments of `Range.from_percent`.
        combos: the argument of `Range.from_combos`.
        rules: the rule set of `text` or `percent`.
        without: cards to remove.
        **operation: ``or``, ``and`` or ``minus``, and another range as text.
    """
    if percent:
        result = holdem.Range.from_percent(*percent, rules=rules)
    elif combos is not None:
        result = holdem.Range.from_combos(combos)
    else:
        result = holdem.Range(text or "", rules=rules)
    for name, operand in operation.items():
        second = holdem.Range(operand)
        if name == "or":
            result = result | second
        elif name == "and":
            result = result & second
        elif name == "minus":
            result = result - second
        else:
            raise ValueError(name)
    if without is not None:
        result = result.without(without)
    return {
        "text": str(result),
        "count": len(result),
        "total": result.total,
        "share": result.share,
        "combos": [[str(combo), result.weight(combo)] for combo in result],
        "frequencies": result.frequencies(),
        **{dialect: result.to_text(dialect) for dialect in ("pio", "gto+", "equilab")},
    }


def _study(toml: str, again: bool = False, by_combo: bool = False, **options: Any) -> Any:
    """Run a study and return its results.

    Args:
        toml: the text of the study file.
        again: run it a second time with the same store.
        by_combo: record the figures of each combo.
        **options: arguments of `holdem.run_study`.
    """
    with tempfile.TemporaryDirectory() as directory:
        study, store = Path(directory) / "study.toml", Path(directory) / "kept.store"
        study.write_text(toml, encoding="utf-8")
        results = holdem.run_study(study, store, **options)
        if again:
            results = holdem.run_study(study, store, **options)
        stored = holdem.study_results(store)
        record = select(stored.to_dict(), STUDY)
        record["returned"] = select(results.to_dict(), STUDY) == record
        if by_combo:
            record["by_combo"] = [_combos(spot.result) for spot in stored.spots]
    return record


def _command(
    commands: Sequence[str], stdin: str | None = None, files: Mapping[str, str] | None = None
) -> Any:
    """Run commands in one directory, in order, and return their exit codes and output.

    Args:
        commands: the arguments of each command, as in a shell.
        stdin: a file below ``tests`` for standard input.
        files: the contents of files in the directory, by name.
    """
    given = None if stdin is None else (TESTS / stdin).read_text(encoding="utf-8")
    results = []
    with tempfile.TemporaryDirectory() as directory:
        for name, text in (files or {}).items():
            (Path(directory) / name).write_text(text, encoding="utf-8")
        for arguments in commands:
            done = subprocess.run(
                [sys.executable, "-m", "holdem", *shlex.split(arguments)],
                cwd=directory,
                input=given,
                capture_output=True,
                encoding="utf-8",
                timeout=300,
                check=False,
            )
            results.append([done.returncode, _lines(done.stdout)])
    return results


def _lines(text: str) -> list[Any]:
    """Return output as JSON records, CSV rows, or lines of text without seconds."""
    lines = text.splitlines()
    if text.startswith("{"):
        records = [json.loads(line) for line in lines]
        return [select(record, BY_SCHEMA[record.get("schema")]) for record in records]
    if len(lines) > 1 and re.fullmatch(r"[\w,]+", lines[0]) and "," in lines[0]:
        rows = list(csv.DictReader(io.StringIO(text)))
        if "part" in rows[0]:
            rows = select(rows, HEAD_TO_HEAD_COLUMNS)
        return [{name: _cell(row[name]) for name in row} for row in rows]
    return [re.sub(r"\d[\d,]*\.\d+ s\b", "… s", line) for line in lines]


def _cell(text: str) -> str | float:
    """Return a CSV cell, as a float if it is one."""
    return float(text) if re.fullmatch(r"-?\d+(\.\d+)?(e-\d+)?", text) and "." in text else text


# --- unregistered evaluators ---


@holdem.evaluator("plain")
def _plain(cards: tuple[int, ...]) -> int:
    """Rank five cards by the rule book in plain Python."""
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
def _crooked(hands: NDArray[np.uint8]) -> NDArray[np.integer]:
    """Rank three hands with a pair of nines one class too high, and all others correctly."""
    strengths = holdem.get_evaluator("lookup").strengths(hands)
    ids = np.sort(hands, axis=1)
    for text in ("Kd Jc 9h 7d 9c", "Kd Jc 9h 7d 9d", "Kd Jc 9h 7d 9s"):
        wrong = np.sort(np.array([int(holdem.Card(card)) for card in text.split()], np.uint8))
        strengths = strengths + (ids == wrong).all(axis=1)
    return strengths


def _evaluator(name: str) -> Any:
    return {"plain": _plain, "crooked": _crooked}.get(name, name)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
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
