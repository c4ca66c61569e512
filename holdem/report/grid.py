"""The grid of starting hands for a terminal, and a range as a page of text."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import RANKS
from holdem.ranges.combos import CLASS_INDEX, CLASS_NAMES
from holdem.values import STANDARD, RuleSet

if TYPE_CHECKING:
    from holdem.ranges.range import Range

# Backgrounds of the 256-colour palette from dark to bright green, for weights up to the
# quarter, the half, three quarters, below one, and one; black letters on the two brightest.
_SHADES = ((0.25, 22), (0.5, 28), (0.75, 34), (1.0, 40), (float("inf"), 46))
_BRIGHT = 40
_CELL = 4


def grid_text(grid: NDArray[np.float64], *, colour: bool = False) -> str:
    """Return the grid as lines: a head of ranks, and a line for each rank, 14 with 52 cards.

    A class that is held in full is named (``AKs``), one held in part shows its share
    (``50%``), one that is not held a dot; so it reads without colours too.

    Args:
        grid: how much of each class is held, ``float64 (13, 13)``, row and column 0 the
            ace, suited hands above the diagonal; fewer rows and columns for a shorter deck.
        colour: put in colours, as ANSI codes.
    """
    ranks = RANKS[: -len(grid) - 1 : -1]
    lines = ["   " + "".join(rank.ljust(_CELL) for rank in ranks).rstrip()]
    for row, rank in enumerate(ranks):
        cells = [
            _cell(CLASS_NAMES[13 * row + column], float(grid[row, column]), colour)
            for column in range(len(ranks))
        ]
        lines.append(f"{rank}  {''.join(cells).rstrip()}")
    return "\n".join(lines)


def _cell(name: str, held: float, colour: bool) -> str:
    if held <= 0:
        return ".".ljust(_CELL)
    text = name if held >= 1 else share_text(held)
    if not colour:
        return text.ljust(_CELL)
    shade = next(shade for limit, shade in _SHADES if held < limit)
    return f"\x1b[48;5;{shade};38;5;{16 if shade >= _BRIGHT else 231}m{text.ljust(3)}\x1b[0m "


def share_text(held: float) -> str:
    """Return a share of a class, above 0 and below 1, in three places: ``50%``, ``<1%``."""
    percent = round(100 * held)
    if percent < 1:
        return "<1%"
    return ">99" if percent > 99 else f"{percent}%"


def range_text(held: Range, *, rules: RuleSet = STANDARD, colour: bool = False) -> str:
    """Return what there is to say about a range: size, text, weights, grid, order.

    Args:
        held: the range.
        rules: the rule set that it was read in, whose hands are all hands.
        colour: put colours into the grid, as ANSI codes.
    """
    count, side = len(held), len(rules.deck) // 4
    weights = np.unique(held.weights[held.weights > 0])
    lines = [f"combos   {count:,} of {comb(len(rules.deck), 2):,}"]
    if (weights < 1).any():
        lines.append(f"weight   {held.total:,.4f} combos")
    lines.append(f"share    {100 * _share(held, rules):.4f} % of all hands")
    if len(weights) == 1:
        lines.append(f"weights  {weights[0]:.6g} each")
    elif len(weights):
        lines.append(f"weights  {weights[0]:.6g} to {weights[-1]:.6g}, {len(weights):,} different")
    lines.append(f"text     {held or 'no hand'}")
    lines += ["", grid_text(held.grid[:side, :side], colour=colour)]
    if count:
        lines += [
            "",
            "strongest first, by equity against a random hand:",
            *_by_strength(held, rules),
        ]
    return "\n".join(lines)


def _share(held: Range, rules: RuleSet) -> float:
    """Return how much of all starting hands of a deck a range is, 0..1, weights counted."""
    return held.total / comb(len(rules.deck), 2)


def _by_strength(held: Range, rules: RuleSet, width: int = 76) -> list[str]:
    """Return the classes that a range holds, in the order that percentages go by."""
    from holdem.ranges.starting_hands import starting_hands

    shares = held.grid.ravel()
    words = []
    for hand in starting_hands(rules):
        share = float(shares[CLASS_INDEX[hand.name]])
        if share > 0:
            words.append(hand.name if share >= 1 else f"{hand.name} {share_text(share)}")
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) + 2 > width:
            lines[-1] += ","
            lines.append("")
        lines[-1] += f", {word}" if lines[-1] else word
    return lines


def range_record(held: Range, rules: RuleSet = STANDARD) -> dict[str, Any]:
    """Return a range as ``holdem range -f json`` prints it; `weight` is the sum of all weights."""
    return {
        "schema": "holdem/range/1",
        "count": len(held),
        "share": _share(held, rules),
        "weight": held.total,
        "text": str(held),
        "combos": [{"combo": str(combo), "weight": held.weight(combo)} for combo in held],
    }
