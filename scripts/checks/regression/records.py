"""Records of results: the fields that are compared, digests, and differences.

The ``exact`` digest of a record changes with the last bit of a float. These bits depend on the
machine's arithmetic, as those of matrix products do, so there is a second digest of the record
with ``rounded`` floats. `arithmetic` identifies the machines on which the exact digests hold.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

# The fields of a record that are compared: a name, or names mapped to the fields of the record,
# or of each record of the list, under that name.
_ESTIMATE = ("equity", "stderr", "ci95")
_EVALUATOR = {"evaluator": ("name",)}
_PLAYER = (
    *("range", "combos", "win", "tie", "lose", *_ESTIMATE),
    *("win_stderr", "win_ci95", "tie_stderr", "tie_ci95", "wins", "ties", "losses"),
)
EQUITY = (
    *("schema", "method", "exact", "deals", "stop", "board", "dead", "seed"),
    {**_EVALUATOR, "players": _PLAYER},
)
_OUTCOMES = ("wins", "ties", "losses")
HEAD_TO_HEAD = (
    *("schema", "deals", "stop", "confidence", "seed", "board", "dead", "verdict"),
    {
        **_EVALUATOR,
        "players": ("range", *_OUTCOMES, *_ESTIMATE, "by_category", "against"),
        "differences": ("players", "estimate", "stderr", "ci95"),
        "evaluators": ("name", "hands", "deals", "smallest"),
    },
)
HEAD_TO_HEAD_COLUMNS = (
    *("part", "player", "range", "hand", "against", *_OUTCOMES, "equity", "stderr"),
    *("ci95_low", "ci95_high", "deals", "stop", "confidence", "seed", "verdict", "board", "dead"),
)
HAND = (
    *("hand", "seed", "burns", "board", "winners"),
    {**_EVALUATOR, "seats": ("hole", "category", "best")},
)
AGGREGATE = (
    *("schema", "players", "hands", "stop", "seed", "categories", "winning_categories", "pots"),
    {
        **_EVALUATOR,
        "best_starting_hand": (*_OUTCOMES, "several"),
        "seats": (*_OUTCOMES, "equity"),
    },
)
VALUE = ("schema", "cards", "best", "category", "name", "rank_class", "strength", _EVALUATOR)
RANGE = ("schema", "count", "share", "weight", "text", {"combos": ("combo", "weight")})
COMPARISON = ("schema", "first", "second", "tie", _EVALUATOR)
STUDY = ("schema", "complete", "asked", "finished", {"spots": ("name", *EQUITY)})
BY_SCHEMA = {
    "holdem/equity/1": EQUITY,
    "holdem/head-to-head/1": HEAD_TO_HEAD,
    "holdem/evaluation/1": VALUE,
    "holdem/range/1": RANGE,
    "holdem/comparison/1": COMPARISON,
    "holdem/results/1": STUDY,
    None: HAND,  # a line of `holdem deal -f jsonl`
}


def select(record: Any, fields: Sequence[Any]) -> Any:
    """Return a record with the given fields only, in their order; missing ones are skipped."""
    if isinstance(record, (list, tuple)):
        return [select(each, fields) for each in record]
    selected = {}
    for field in fields:
        for name, inner in field.items() if isinstance(field, dict) else [(field, None)]:
            if name in record:
                value = record[name]
                selected[name] = value if inner is None else select(value, inner)
    return selected


def digest(record: Any) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a record as JSON."""
    return hashlib.sha256(json.dumps(record).encode()).hexdigest()[:16]


def digests_of(records: Mapping[str, Any]) -> dict[str, Any]:
    """Return the digests of records by name, in the format of ``digests.json``."""
    return {
        "arithmetic": arithmetic(),
        "exact": {name: digest(record) for name, record in records.items()},
        "rounded": {name: digest(rounded(record)) for name, record in records.items()},
    }


def applicable_digests(recorded: Mapping[str, Any]) -> str:
    """Return which of the recorded digests hold on this machine, ``exact`` or ``rounded``."""
    return "exact" if recorded["arithmetic"] == arithmetic() else "rounded"


@cache
def arithmetic() -> str:
    """Return a digest of the properties that determine the last bits of sums and products."""
    matrix = np.sqrt(np.arange(1.0, 1025.0)).reshape(8, 128)
    products = [(rows @ np.log(matrix.T)).tolist() for rows in (matrix, matrix[0])]
    extensions = np.show_config(mode="dicts")["SIMD Extensions"]
    return digest([platform.machine(), np.__version__, extensions, products])


def rounded(record: Any) -> Any:
    """Return a record with floats rounded to ten digits."""
    if isinstance(record, dict):
        return {name: rounded(value) for name, value in record.items()}
    if isinstance(record, (list, tuple)):
        return [rounded(value) for value in record]
    return float(f"{record:.10g}") if isinstance(record, float) else record


def differences(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Yield a line for each difference between two records."""
    if type(old) is not type(new):
        yield f"{path}: {_shorten(old)} is now {_shorten(new)}"
    elif isinstance(old, dict):
        for name in old | new:
            if name in old and name in new:
                yield from differences(old[name], new[name], f"{path}.{name}")
            else:
                yield f"{path}.{name}: {'removed' if name in old else 'added'}"
        if list(old) != list(new) and old.keys() == new.keys():
            yield f"{path}: the order {list(old)} is now {list(new)}"
    elif isinstance(old, list):
        if len(old) != len(new):
            yield f"{path}: length {len(old)} is now {len(new)}"
        for index, (one, other) in enumerate(zip(old, new, strict=False)):
            yield from differences(one, other, f"{path}[{index}]")
    elif json.dumps(old) != json.dumps(new):
        yield f"{path}: {_shorten(old)} is now {_shorten(new)}"


def _shorten(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:60]}…"
