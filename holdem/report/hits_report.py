"""The report on the hits of a range: its made hands and draws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from holdem.cards import card_set
from holdem.errors import counted
from holdem.odds.hits import HitGroup, Hits
from holdem.odds.line_counts import FLOP
from holdem.ranges.combos import CLASS_COUNT, CLASS_OF_COMBO, COMBO_SETS
from holdem.ranges.range import Range
from holdem.report.cells import count, exact_decimals, percent, range_in_report, short_range
from holdem.report.equity_report import known_cards
from holdem.report.model import Block, Column, Report, Table, columns_of_rows, text_columns
from holdem.results.fields import column, columns_of

_RANGE_WIDTH = 30  # of the text of a range


def hits_report(hits: Hits) -> Report:
    return Report.of(hits, _lay_out_hits, _build_hits_columns)


def _build_hits_columns(hits: Hits) -> list[Column]:
    """Build the columns of a range's hits, with one row per made hand, draw and category."""
    rows: list[dict[str, Any]] = []
    for report, groups in (("made", hits.made), ("draws", hits.draws)):
        rows += [
            {"report": report, "name": name, **group.to_dict()} for name, group in groups.items()
        ]
    for report in ("by_flop", "by_turn", "by_next_card", "by_river"):
        shares: dict[str, float] = getattr(hits, report)
        rows += [{"report": report, "name": name, "share": share} for name, share in shares.items()]
    types = columns_of(
        column("report", str), column("name", str), HitGroup, first=("report", "name", "share")
    )
    return columns_of_rows(types, rows)


def _lay_out_hits(hits: Hits) -> Iterator[Block]:
    digits = exact_decimals([hits.combos])
    combos = f"{count(hits.combos, digits)} combo{'s' * (hits.combos != 1)}"
    text = short_range(hits.range)
    yield ", ".join(filter(None, [text, known_cards(hits.board, hits.dead), combos]))
    for title, groups in (("made hand", hits.made), ("draw", hits.draws)):
        found = {name: group for name, group in groups.items() if group.combos}
        if found:
            yield (
                _group_table(hits, title, found)
                if len(hits.board) >= FLOP
                else _flop_table(title, found)
            )
    head, columns = ["category", "at the river"], [hits.by_river]
    if len(hits.board) < FLOP:
        head, columns = ["category", "flop", "turn", "river"], [hits.by_flop, hits.by_turn]
        columns.append(hits.by_river)
    elif len(hits.board) == FLOP:
        head, columns = ["category", "next card", "river"], [hits.by_next_card, hits.by_river]
    rows = [[name, *(percent(own[name]) for own in columns)] for name in hits.by_river]
    bars = list(hits.by_river.values())
    yield Table(head, rows, note=_hits_footer(hits), bars=bars, bars_head="river")


def _group_table(hits: Hits, title: str, groups: dict[str, HitGroup]) -> Table:
    found = list(groups.values())
    texts = (range_in_report(_first_hands(_hands_text(hits, group))) for group in found)
    columns = {title: list(groups), "hands": list(texts)} | text_columns(HitGroup, found)
    shares = [group.share for group in found]
    return Table.of(columns, left=2, bars=shares, bars_head="share")


def _flop_table(title: str, groups: dict[str, HitGroup]) -> Table:
    """Build the table of the made hands or draws that a range flops."""
    shares = [group.share for group in groups.values()]
    rows = [[name, percent(group.share)] for name, group in groups.items()]
    return Table([f"{title} on the flop", "share"], rows, bars=shares, bars_head="share")


def _first_hands(text: str) -> str:
    """Shorten a range string so that it fits a cell: cut it after a comma, and add an ellipsis."""
    if len(text) <= _RANGE_WIDTH:
        return text
    return text[: _RANGE_WIDTH - 1].rpartition(",")[0] + ",…"


def _hands_text(hits: Hits, group: HitGroup) -> str:
    """Format the range of a group of combos, as if combos with known cards did not exist.

    A class is written as a whole, such as ``AKs``, if all of its live combos are in the group with
    the same weight. Live combos share no card with the board and the dead cards.
    """
    weights = group.range.weights
    is_live = COMBO_SETS & np.uint64(card_set(hits.board + hits.dead)) == 0
    smallest, largest = np.ones(CLASS_COUNT), np.zeros(CLASS_COUNT)
    np.minimum.at(smallest, CLASS_OF_COMBO[is_live], weights[is_live])
    np.maximum.at(largest, CLASS_OF_COMBO[is_live], weights[is_live])
    complete = np.where(smallest == largest, largest, 0.0)[CLASS_OF_COMBO]
    return str(Range.from_weights(np.where(is_live, weights, complete)))


def _hits_footer(hits: Hits) -> str:
    runouts = counted(hits.runouts, "runout")
    evaluator = f"evaluator {hits.evaluator.name}, {hits.elapsed:.3f} s"
    flops = "" if len(hits.board) >= FLOP else "all flops and "
    return f"exact over {flops}{runouts} of each combo; {evaluator}"
