"""`NextCardTable`: the equities after each card that can come next."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK
from holdem.odds.record_table import RecordTable


@attrs.frozen
class NextCardResult:
    """The players' results if one card comes next."""

    card: str
    """As text: ``"Td"``."""
    deals: float
    """The number of deals with this card; in an exact result the sum of their weights."""
    equity: tuple[float, ...]
    """Each player's equity, 0..1."""
    win: tuple[float, ...]
    """Each player's probability of winning alone."""
    tie: tuple[float, ...]
    """Each player's probability of a tie for the best hand."""
    stderr: tuple[float, ...]
    """One standard error of each equity; 0.0 if exact."""
    exact: bool


@attrs.frozen(eq=False, repr=False, slots=False)
class NextCardTable(RecordTable[NextCardResult]):
    """The players' equities after each card that can come next, the lowest card first.

    Cards that no deal can have are left out. The columns are read-only arrays; as a sequence, the
    table contains `NextCardResult` records. In an exact table the mean of the equities, weighted
    by `deals`, is the equity without the card.
    """

    _report: ClassVar[str] = "holdem.report.by_reports:next_card_report"
    _picture: ClassVar[str] = "holdem.report.plots.heat_maps:next_card_picture"
    _record: ClassVar[type[NextCardResult]] = NextCardResult
    _missing: ClassVar[str] = "no deal has the next card"

    cards: NDArray[np.uint8]
    """The card ids, ``uint8 (card,)``."""
    deals: NDArray[np.float64]
    """The numbers of deals, as in `NextCardResult`, ``float64 (card,)``."""
    equity: NDArray[np.float64]
    """The players' equities, from 0 to 1, ``float64 (card, player)``."""
    win: NDArray[np.float64]
    """The probabilities of winning alone, ``float64 (card, player)``."""
    tie: NDArray[np.float64]
    """The probabilities of a tie for the best hand, ``float64 (card, player)``."""
    stderr: NDArray[np.float64]
    """One standard error of each equity, ``float64 (card, player)``; 0.0 if exact."""
    exact: NDArray[np.bool_]
    """Whether the equities after each card are exact, ``bool (card,)``."""
    now: NDArray[np.float64] = attrs.field(factory=lambda: np.zeros(0))
    """The players' equities before the card, those of the result, ``float64 (player,)``. The
    means of sampled equities weighted by `deals` are not: every card has as many deals."""

    @cached_property
    def card(self) -> NDArray[np.str_]:
        """The cards as text, ``str (card,)``."""
        return np.array([str(DECK[card]) for card in self.cards.tolist()], dtype="U2")

    def __len__(self) -> int:
        return len(self.cards)
