"""Formatting of ranges as canonical strings and as strings for other tools.

The canonical string lists pairs, suited hands, offsuit hands and single combos, in this order.
Adjacent hands of equal weight are joined into runs: consecutive pairs and kickers as in ``QQ+`` or
``A5s-A2s``; and other hands with the same gap between their ranks, as in ``JTs-65s``, if that is
shorter. The string depends only on the weights, and is never longer than one without runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from holdem.arguments import require_text
from holdem.cards import RANKS
from holdem.errors import RangeError, quoted
from holdem.ranges.combos import CLASS_INDEX, CLASS_OF_COMBO, COMBO_TEXT
from holdem.ranges.weights import Weights, bounds_by_class, decimal_text

_PAIRS = tuple(rank + rank for rank in RANKS[::-1])
# One row for each top card: AK, AQ, … A2; KQ, … K2; …
_ROWS = tuple(
    tuple(RANKS[top] + RANKS[low] for low in range(top - 1, -1, -1)) for top in range(12, 0, -1)
)
_SUITED = tuple(tuple(name + "s" for name in row) for row in _ROWS)
_OFFSUIT = tuple(tuple(name + "o" for name in row) for row in _ROWS)
_CLASS_ORDER = (*_PAIRS, *(name for row in _SUITED + _OFFSUIT for name in row))
# Combos in the order of these classes, and then by suit.
_COMBO_ORDER = np.lexsort(
    (
        -np.arange(len(COMBO_TEXT)),
        np.argsort([CLASS_INDEX[name] for name in _CLASS_ORDER])[CLASS_OF_COMBO],
    )
)


class _Item(NamedTuple):
    """A hand or a run of hands in a range string, with its weight and the number of its hands."""

    text: str
    weight: float
    hands: int = 1


def _percent_text(weight: float) -> str:
    """Format a weight as a percentage with at least one decimal, such as ``50.0`` for 0.5.

    It has as many decimals as needed to parse back to the same weight.
    """
    whole, _, decimals = decimal_text(weight).partition(".")
    decimals = decimals.ljust(3, "0")
    return f"{int(whole + decimals[:2])}.{decimals[2:]}"


def _with_colon(item: _Item) -> str:
    return item.text if item.weight == 1 else f"{item.text}:{decimal_text(item.weight)}"


def canonical_text(weights: Weights) -> str:
    """Format weights, ``float64 (combo,)``, as the canonical string: empty if all weights are 0."""
    if weights[0] > 0 and (weights == weights[0]).all():
        return _with_colon(_Item("random", float(weights[0])))
    classes, combos = _classes_and_combos(weights)
    items = [*_class_items(classes, diagonals=True), *combos]
    return ",".join(_with_colon(item) for item in items)


def _classes_and_combos(weights: Weights) -> tuple[dict[str, float], list[_Item]]:
    """Split a range into the weights of classes, by name, and other combos, in output order.

    A class has a weight if all of its combos have the same one, above 0.
    """
    smallest, largest = bounds_by_class(weights)
    whole = (smallest == largest) & (largest > 0)
    classes = {
        name: float(largest[CLASS_INDEX[name]]) for name in _CLASS_ORDER if whole[CLASS_INDEX[name]]
    }
    single = (weights > 0) & ~whole[CLASS_OF_COMBO]
    combos = [
        _Item(COMBO_TEXT[i], float(weights[i])) for i in _COMBO_ORDER[single[_COMBO_ORDER]].tolist()
    ]
    return classes, combos


# --- runs of hands --------------------------------------------------------------------------


def _class_items(classes: dict[str, float], *, diagonals: bool) -> Iterator[_Item]:
    yield from _runs(_PAIRS, classes)
    for rows in (_SUITED, _OFFSUIT):
        items = [item for row in rows for item in _runs(row, classes)]
        yield from _with_diagonals(items) if diagonals else items


def _runs(names: Sequence[str], classes: dict[str, float]) -> Iterator[_Item]:
    """Join consecutive hands of equal weight into runs, such as ``QQ+`` or ``A5s-A2s``.

    `names` are the pairs, or the classes with the same top card, strongest first. `classes` are the
    weights, by name, of the classes of uniform weight.
    """
    start = 0
    for weight, group in groupby(names, key=classes.get):
        run = list(group)
        first, last = run[0], run[-1]
        if weight is not None and len(run) == 1:
            yield _Item(first, weight)
        elif weight is not None:
            yield _Item(f"{last}+" if start == 0 else f"{first}-{last}", weight, len(run))
        start += len(run)


def _with_diagonals(items: list[_Item]) -> Iterator[_Item]:
    """Join single hands with the same gap between their ranks into runs, if that is shorter.

    ``JTs`` to ``65s``, for example, become ``JTs-65s``. Items that are runs already are unchanged.
    """
    alone = {item.text: item.weight for item in items if item.hands == 1}
    for item in items:
        if item.hands > 1:
            yield item
        elif item.text in alone:
            run = [item.text]
            while alone.get(_below(run[-1])) == item.weight:
                run.append(_below(run[-1]))
            joined = _Item(f"{run[0]}-{run[-1]}", item.weight, len(run))
            apart = [_with_colon(_Item(one, item.weight)) for one in run]
            if len(_with_colon(joined)) >= len(",".join(apart)):
                joined, run = item, run[:1]
            yield joined
            for name in run:
                del alone[name]


def _below(name: str) -> str:
    """Lower both ranks of a hand by one, as from ``T9s`` to ``98s``.

    Return an empty string if the lower card is a deuce.
    """
    if name[1] == RANKS[0]:
        return ""
    return "".join(RANKS[RANKS.index(rank) - 1] for rank in name[:2]) + name[2:]


# --- other tools ----------------------------------------------------------------------------


def _items_without_runs(weights: Weights) -> list[_Item]:
    classes, combos = _classes_and_combos(weights)
    return [*(_Item(name, weight) for name, weight in classes.items()), *combos]


def _for_pio(weights: Weights) -> str:
    return ",".join(_with_colon(item) for item in _items_without_runs(weights))


def _for_gto_plus(weights: Weights) -> str:
    parts = []
    for weight, group in groupby(_items_without_runs(weights), key=lambda item: item.weight):
        hands = ",".join(item.text for item in group)
        share = _percent_text(weight)
        parts.append(hands if weight == 1 else f"[{share}]{hands}[/{share}]")
    return ",".join(parts)


def _for_equilab(weights: Weights) -> str:
    classes, combos = _classes_and_combos((weights > 0).astype(np.float64))
    return ",".join(item.text for item in [*_class_items(classes, diagonals=False), *combos])


_DIALECTS: dict[str, Callable[[Weights], str]] = {
    "pio": _for_pio,
    "gto+": _for_gto_plus,
    "equilab": _for_equilab,
}

#: Dialects without weights.
WITHOUT_WEIGHTS = frozenset({"equilab"})


def dialect_text(weights: Weights, dialect: str) -> str:
    """Format weights, ``float64 (combo,)``, as a range string for another tool.

    ``pio`` writes ``AKs:0.5,AhKd`` without runs, ``gto+`` writes ``[50.0]AKs[/50.0],AhKd``, and
    ``equilab`` writes ``+`` and dashes but leaves out the weights.
    """
    require_text(dialect, "a dialect")
    write = _DIALECTS.get(dialect.lower())
    if write is None:
        raise RangeError(f"unknown dialect {quoted(dialect)}; there are: {', '.join(_DIALECTS)}")
    return write(weights)
