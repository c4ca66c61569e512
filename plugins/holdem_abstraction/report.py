"""Report on a card abstraction: the buckets of a street."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

import numpy as np

from holdem.cards import parse_cards
from holdem.ranges.combos import CLASS_NAMES
from holdem.report.cells import cards_in_report, first_and_last, range_in_report
from holdem.report.model import (
    Block,
    Column,
    Report,
    Style,
    Table,
    array_column,
    columns_of_rows,
    text_columns,
)
from holdem.report.range_report import grid_text
from holdem.results.fields import columns_of, to_json
from holdem_abstraction.buckets import BucketSummary, CardAbstraction, summarize_buckets

_SHOWN = 24  # buckets in text, at most


def abstraction_report(abstraction: CardAbstraction, board: str | None = None) -> Report:
    """Build a `Report` on the buckets of a street or, with a board, on each class's mean bucket."""
    if board is not None:
        return _board_report(abstraction, board)
    return Report.of(abstraction, _lay_out, _build_columns)


def _board_report(abstraction: CardAbstraction, board: str) -> Report:
    grid = abstraction.grid(board)
    cards = parse_cards(board)
    means = [None if isnan(mean) else mean for mean in grid.ravel().tolist()]
    record = {
        "schema": "holdem/card-abstraction-board/1",
        "board": [str(card) for card in cards],
        "buckets": dict(zip(CLASS_NAMES, means, strict=True)),
    }
    texts = ["." if mean is None else f"{mean:.0f}" for mean in means]
    count = len(abstraction.sizes)
    shares = np.nan_to_num(grid) / (count - 1)
    title = f"mean buckets of the classes on {cards_in_report(cards)}, of {count:,} buckets"
    fits_grid = max(map(len, texts)) <= 3
    listed = ", ".join(f"{name} {text}" for name, text in zip(CLASS_NAMES, texts, strict=True))

    def draw(style: Style) -> str:
        return grid_text(shares, style, texts)

    return Report(
        lambda: record,
        lambda: [title, draw if fits_grid else listed],
        lambda: [
            [array_column("class", np.array(CLASS_NAMES)), array_column("bucket", grid.ravel())]
        ],
    )


def _build_columns(abstraction: CardAbstraction) -> list[Column]:
    return columns_of_rows(columns_of(BucketSummary), map(to_json, summarize_buckets(abstraction)))


def _lay_out(abstraction: CardAbstraction) -> Iterator[Block]:
    buckets = summarize_buckets(abstraction)
    count, deals = len(buckets), sum(bucket.deals for bucket in buckets)
    found = f"{count:,} buckets of the {abstraction.street} by {abstraction.by}"
    if abstraction.bins is not None:
        found += f" ({abstraction.bins} bins, seed {abstraction.seed})"
    numbers = first_and_last(count, _SHOWN)
    listed = [buckets[n] for n in numbers if n is not None]
    columns = text_columns(BucketSummary, listed)
    columns["share %"] = [f"{100 * own.share:.3f}" for own in listed]
    columns["equity %"] = [f"{100 * own.equity:.2f}" for own in listed]
    if None in numbers:
        for cells in columns.values():
            cells.insert(numbers.index(None), "…")
    yield Table.of(
        columns,
        title=f"{found}, against {range_in_report(abstraction.opponent)}",
        note=f"{deals:,} deals of two hole cards and a board",
    )
