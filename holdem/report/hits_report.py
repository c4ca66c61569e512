"""Report on the hits of a range."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from holdem.odds.hits.hits import HitGroup, Hits
from holdem.report.equity_report import known_cards
from holdem.report.formats import Block, Report, Table
from holdem.report.suits import range_in_report
from holdem.report.tables import Row, clipped
from holdem.report.units import percent

_HANDS_WIDTH, _RANGE_WIDTH = 28, 32  # so that no line is longer than 80 characters


def hits_report(hits: Hits) -> Report:
    """Return a `Report` on the hits of a range."""
    return Report(hits.to_dict, partial(_blocks, hits), partial(_csv, hits))


def _csv(hits: Hits) -> tuple[Row, Iterable[Iterable[Any]]]:
    """Return the column names and rows of the CSV, with one row for each name of each report."""
    rows: list[tuple[Any, ...]] = []
    for report, groups in (("made", hits.made), ("draws", hits.draws)):
        for name, group in groups.items():
            rows.append((report, name, group.share, group.combos, str(group.range)))
    for report, shares in (("by_next_card", hits.by_next_card), ("by_river", hits.by_river)):
        rows += [(report, name, share, None, None) for name, share in shares.items()]
    return ("report", "name", "share", "combos", "range"), rows


def _blocks(hits: Hits) -> Iterator[Block]:
    size = f"{_combos(hits.combos)} combo{'s' * (hits.combos != 1)}"
    text = range_in_report(clipped(hits.range, _RANGE_WIDTH))
    names = [text, known_cards(hits.board, hits.dead), size]
    yield ", ".join(filter(None, names))
    for title, groups in (("made hand", hits.made), ("draw", hits.draws)):
        found = {name: group for name, group in groups.items() if group.combos}
        if found:
            rows = [_group_row(name, group) for name, group in found.items()]
            yield Table([title, "hands", "combos", "share"], rows, left=2)
    head, columns = ["category", "at the river"], [hits.by_river]
    if hits.by_next_card and len(hits.board) == 3:
        head, columns = ["category", "next card", "river"], [hits.by_next_card, hits.by_river]
    rows = [[name, *(percent(own[name]) for own in columns)] for name in hits.by_river]
    yield Table(head, rows, note=_footer(hits))


def _group_row(name: str, group: HitGroup) -> list[str]:
    hands = range_in_report(clipped(str(group.range), _HANDS_WIDTH))
    return [name, hands, _combos(group.combos), percent(group.share, 2)]


def _combos(combos: float) -> str:
    return f"{combos:,.2f}".removesuffix(".00")


def _footer(hits: Hits) -> str:
    runouts = f"{hits.runouts:,} runout{'s' * (hits.runouts != 1)}"
    evaluator = f"evaluator {hits.evaluator.name}, {hits.elapsed:.3f} s"
    return f"exact over {runouts} of each combo; {evaluator}"
