"""Report on the hits of a range."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from holdem.cards import card_set
from holdem.errors import counted
from holdem.odds.hits import HitGroup, Hits
from holdem.ranges.combos import CLASS_COUNT, CLASS_OF_COMBO, COMBO_SETS
from holdem.ranges.range import Range
from holdem.report.cells import clip, count, exact_decimals, percent, range_in_report
from holdem.report.equity_report import known_cards
from holdem.report.model import Block, Column, Report, Table, columns_of_rows

_COLUMNS = "report string, name string, share float64, combos float64, range string"
_WIDTH = 30  # of the text of a range


def hits_report(hits: Hits) -> Report:
    """Build a `Report` on the hits of a range."""
    return Report(hits.to_dict, partial(_lay_out, hits), partial(_build_columns, hits))


def _build_columns(hits: Hits) -> list[Column]:
    """Build the columns of a range's hits, with one row per made hand, draw and category."""
    rows: list[dict[str, Any]] = []
    for report, groups in (("made", hits.made), ("draws", hits.draws)):
        rows += [
            {"report": report, "name": name, **group.to_dict()} for name, group in groups.items()
        ]
    for report, shares in (("by_next_card", hits.by_next_card), ("by_river", hits.by_river)):
        rows += [{"report": report, "name": name, "share": share} for name, share in shares.items()]
    return columns_of_rows(_COLUMNS, rows)


def _lay_out(hits: Hits) -> Iterator[Block]:
    digits = exact_decimals([hits.combos])
    combos = f"{count(hits.combos, digits)} combo{'s' * (hits.combos != 1)}"
    text = range_in_report(clip(hits.range))
    yield ", ".join(filter(None, [text, known_cards(hits.board, hits.dead), combos]))
    for title, groups in (("made hand", hits.made), ("draw", hits.draws)):
        found = {name: group for name, group in groups.items() if group.combos}
        if found:
            yield _group_table(hits, title, found)
    head, columns = ["category", "at the river"], [hits.by_river]
    if hits.by_next_card and len(hits.board) == 3:
        head, columns = ["category", "next card", "river"], [hits.by_next_card, hits.by_river]
    rows = [[name, *(percent(own[name]) for own in columns)] for name in hits.by_river]
    bars = list(hits.by_river.values())
    yield Table(head, rows, note=_footer(hits), bars=bars, bars_head="river")


def _group_table(hits: Hits, title: str, groups: dict[str, HitGroup]) -> Table:
    digits = exact_decimals(group.combos for group in groups.values())
    rows = []
    for name, group in groups.items():
        hands = range_in_report(_first_hands(_hands_text(hits, group)))
        rows.append([name, hands, count(group.combos, digits), percent(group.share, 2)])
    shares = [group.share for group in groups.values()]
    head = [title, "hands", "combos", "share"]
    return Table(head, rows, left=2, bars=shares, bars_head="share")


def _first_hands(text: str) -> str:
    """Truncate a canonical range string that is too long, after a comma."""
    if len(text) <= _WIDTH:
        return text
    return text[: _WIDTH - 1].rpartition(",")[0] + ",…"


def _hands_text(hits: Hits, group: HitGroup) -> str:
    """Format a group's range; a class counts as complete if the group has all its live combos.

    Live combos share no card with the board and the dead cards. All those of a complete class are
    in the group with one weight.
    """
    weights = group.range.weights
    is_live = COMBO_SETS & np.uint64(card_set(hits.board + hits.dead)) == 0
    smallest, largest = np.ones(CLASS_COUNT), np.zeros(CLASS_COUNT)
    np.minimum.at(smallest, CLASS_OF_COMBO[is_live], weights[is_live])
    np.maximum.at(largest, CLASS_OF_COMBO[is_live], weights[is_live])
    complete = np.where(smallest == largest, largest, 0.0)[CLASS_OF_COMBO]
    return str(Range.from_weights(np.where(is_live, weights, complete)))


def _footer(hits: Hits) -> str:
    runouts = counted(hits.runouts, "runout")
    evaluator = f"evaluator {hits.evaluator.name}, {hits.elapsed:.3f} s"
    return f"exact over {runouts} of each combo; {evaluator}"
