"""Report on the combos of a range that contain no known card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from holdem.cards import Card
from holdem.ranges.combos import CLASS_SIZES
from holdem.ranges.range import Range
from holdem.ranges.weights import combo_records
from holdem.report.equity_report import known_cards
from holdem.report.formats import Block, Report
from holdem.report.layout.style import Style
from holdem.report.layout.suits import range_in_report
from holdem.report.range_report import grid_text, range_report
from holdem.rules import RuleSet


def known_range_report(
    hands: Range,
    board: Sequence[Card],
    dead: Sequence[Card],
    rules: RuleSet,
    notes: Sequence[str] = (),
) -> Report:
    """Return a `Report` on a range, and on its live combos if there are known cards, which these do
    not contain.

    Args:
        hands: the range.
        board: the cards on the board.
        dead: the cards out of play.
        rules: the rule set of the range.
        notes: notes on the text of the range, which are added to the JSON.
    """
    whole = range_report(hands, rules=rules, notes=notes)
    if not (board or dead):
        return whole
    live = hands.without([*board, *dead])
    return Report(
        partial(_record, whole, hands, live, board, dead),
        partial(_blocks, whole, hands, live, known_cards(tuple(board), tuple(dead)), rules),
    )


def _blocks(
    whole: Report, hands: Range, live: Range, known: str, rules: RuleSet
) -> Iterator[Block]:
    summary = next(iter(whole.blocks()))
    assert isinstance(summary, str)
    share = _share(live, hands)
    lines = [f"left     {len(live):,} of {len(hands):,} combos"]
    if live.total != len(live):
        lines.append(f"weight   {live.total:,.4f} of {hands.total:,.4f} combos")
    if share is not None:
        lines.append(f"share    {100 * share:.4f} % of the range")
    lines.append(f"text     {range_in_report(str(live)) or 'no hand'}")
    yield summary
    yield "\n".join([known, *lines])
    if len(hands):
        yield partial(_counts, hands, live, len(rules.deck) // 4)


def _counts(hands: Range, live: Range, side: int, style: Style) -> str:
    """Return the grid with the number of live combos of each class, with a title."""
    texts = [
        str(count) if held else "."
        for count, held in zip(live.counts.ravel(), hands.counts.ravel(), strict=True)
    ]
    shares = (live.counts.ravel() / CLASS_SIZES).reshape(13, 13)
    grid = grid_text(shares[:side, :side], style, texts)
    return f"live combos of each class:\n{grid}"


def _share(live: Range, hands: Range) -> float | None:
    """Return the live weight as a fraction of the range's weight; None if the range is empty."""
    return live.total / hands.total if len(hands) else None


def _record(
    whole: Report, hands: Range, live: Range, board: Sequence[Card], dead: Sequence[Card]
) -> dict[str, Any]:
    held = np.flatnonzero(hands.counts.ravel())
    names = list(hands.frequencies())
    counts = live.counts.ravel().tolist()
    return {
        **whole.json(),
        "board": [str(card) for card in board],
        "dead": [str(card) for card in dead],
        "left": {
            "count": len(live),
            "weight": live.total,
            "share": _share(live, hands),
            "text": str(live),
            "combos": combo_records(live.weights),
            "classes": {names[number]: counts[number] for number in held},
        },
    }
