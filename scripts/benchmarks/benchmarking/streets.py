"""The strengths of all hands of a street, and the numbers of hands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import holdem_abstraction
from benchmarking.measure import Job, Program, Work
from holdem_abstraction.streets import Street, board_cards

SECTION = "Every hand of a street"
_SEED = 31
_HANDS = 1_000_000

_Hands = tuple[Any, Any]


def jobs(quick: bool) -> Iterator[Job]:
    """Yield the jobs; if quick, those of the river only."""
    streets: tuple[tuple[Street, int | None], ...] = (("river", None), ("turn", 50), ("flop", 50))
    for street, bins in streets[: 1 if quick else None]:
        title = f"strengths of all {street}s" + f", with histograms of {bins} bins" * bool(bins)

        def compute(
            _number: int, street: Street = street, bins: int | None = bins
        ) -> holdem_abstraction.HandStrengths:
            return holdem_abstraction.hand_strengths(street, bins=bins, workers=1)

        program = Program("holdem_abstraction.hand_strengths", compute, ours=True)
        yield Work(f"strengths, {street}", SECTION, title, "s", [program])
    for street, _ in streets[: 1 if quick else None]:
        indexer = holdem_abstraction.HandIndexer(street)
        title = f"numbers of hands on the {street}, from their cards and back"
        deal = partial(_deal, street)
        programs = [
            Program("index", partial(_index, indexer), deal, _HANDS, ours=True),
            Program("hands", indexer.hands, partial(_draw, indexer), _HANDS, ours=True),
        ]
        yield Work(f"indices, {street}", SECTION, title, "hands/s", programs)


def _deal(street: Street, number: int) -> _Hands:
    """Return random hands of a street."""
    rng = np.random.default_rng((_SEED, number))
    parts = [rng.random((10_000, 52)).argsort(axis=1) for _ in range(_HANDS // 10_000)]
    cards = np.concatenate([part[:, : 2 + board_cards(street)] for part in parts]).astype(np.uint8)
    return cards[:, :2].copy(), cards[:, 2:].copy()


def _index(indexer: holdem_abstraction.HandIndexer, hands: _Hands) -> Any:
    return indexer.index(*hands)


def _draw(indexer: holdem_abstraction.HandIndexer, number: int) -> Any:
    """Return random indices."""
    return np.random.default_rng((_SEED, number)).integers(indexer.size, size=_HANDS)
