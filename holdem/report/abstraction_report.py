"""Report on the buckets of a street."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from holdem.abstraction.buckets import CardAbstraction
from holdem.report.layout.cells import range_in_report
from holdem.report.model import Block, Column, Report, Table, array_column

_SHOWN = 24  # buckets in text, at most


def abstraction_report(abstraction: CardAbstraction) -> Report:
    """Build a `Report` on the buckets of a street."""
    return Report(
        abstraction.to_dict, partial(_lay_out, abstraction), partial(_build_columns, abstraction)
    )


def _build_columns(abstraction: CardAbstraction) -> list[Column]:
    """Build the columns, with a row for each bucket."""
    sizes = abstraction.sizes
    return [
        array_column("bucket", np.arange(len(sizes))),
        array_column("deals", sizes),
        array_column("share", sizes / sizes.sum()),
        array_column("equity", abstraction.equity),
    ]


def _lay_out(abstraction: CardAbstraction) -> Iterator[Block]:
    sizes = abstraction.sizes
    count = len(sizes)
    found = f"{count:,} buckets of the {abstraction.street} by {abstraction.by}"
    if abstraction.bins is not None:
        found += f" ({abstraction.bins} bins, seed {abstraction.seed})"
    shown: list[int | None] = list(range(count))
    if count > _SHOWN:
        shown = [*shown[: _SHOWN // 2], None, *shown[count - _SHOWN // 2 :]]
    yield Table(
        ["bucket", "deals", "share %", "equity %"],
        [
            ["…"] * 4
            if bucket is None
            else [
                str(bucket),
                f"{sizes[bucket]:,}",
                f"{100 * sizes[bucket] / sizes.sum():.3f}",
                f"{100 * abstraction.equity[bucket]:.2f}",
            ]
            for bucket in shown
        ],
        title=f"{found}, against {range_in_report(abstraction.opponent)}",
        note=f"{sizes.sum():,} deals of two hole cards and a board",
    )
