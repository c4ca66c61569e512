"""The classes of the result of `holdem.play`."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, ClassVar, Literal

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.betting.played_hand import PlayedHand
from holdem.cards import Card
from holdem.errors import HoldemValueError, did_you_mean, quoted
from holdem.matches.played_hands import PlayedHands
from holdem.odds.sampling.intervals import Z95
from holdem.results.base_result import Plottable, Result
from holdem.results.fields import EvaluatorLabel, shown, to_json


@attrs.frozen(kw_only=True)
class PositionResult:
    """What a strategy won at one position."""

    position: int
    """Counted from the left of the button; the last position has the button."""
    hands: int
    bb_per_100: float = attrs.field(metadata=shown(cell="+,.2f", head="bb/100"))
    stderr: float | None = attrs.field(metadata=shown(cell=",.2f", head="± error"))
    ci95: tuple[float, float] | None = attrs.field(metadata=shown(in_text=False))
    vpip: float = attrs.field(metadata=shown(cell=".1%", head="VPIP"))
    pfr: float = attrs.field(metadata=shown(cell=".1%", head="PFR"))
    went_to_showdown: float | None = attrs.field(metadata=shown(cell=".1%", head="showdown"))
    won_at_showdown: float | None = attrs.field(metadata=shown(cell=".1%", head="won there"))


@attrs.frozen(kw_only=True)
class StrategyResult:
    """What a strategy won, and how it played."""

    name: str
    hands: int
    """The number of hands: a hand counts once for each seat in which the strategy sits."""
    bb_per_100: float = attrs.field(metadata=shown(cell="+,.2f", head="bb/100"))
    """The big blinds won in a hundred hands."""
    stderr: float | None = attrs.field(metadata=shown(cell=",.2f", head="± error"))
    """The standard error of `bb_per_100`; its samples are deals, each with all line-ups. None if
    there was only one deal."""
    ci95: tuple[float, float] | None = attrs.field(metadata=shown(in_text=False))
    """The 95 % confidence interval of `bb_per_100`."""
    vpip: float = attrs.field(metadata=shown(cell=".1%", head="VPIP"))
    """The share of hands in which it called or raised before the flop (*voluntarily put chips
    in*)."""
    pfr: float = attrs.field(metadata=shown(cell=".1%", head="PFR"))
    """The share of hands in which it raised before the flop."""
    went_to_showdown: float | None = attrs.field(metadata=shown(cell=".1%", head="showdown"))
    """The share of the hands that saw the flop in which it reached the showdown; None if it saw
    none."""
    won_at_showdown: float | None = attrs.field(metadata=shown(cell=".1%", head="won there"))
    """The share of its showdowns at which it got chips; None if there were none."""
    stderr_as_played: float | None = attrs.field(metadata=shown(in_text=False, is_optional=True))
    """What the standard error would be without `runouts`; None if there were none."""
    corrections: dict[str, int] = attrs.field(hash=False, metadata=shown(in_text=False))
    """How often the rules changed an action of its, by what was changed."""
    by_position: tuple[PositionResult, ...] = attrs.field(metadata=shown(in_text=False))
    """The same by position, without positions in which it did not sit."""


@attrs.frozen(kw_only=True)
class Lead:
    """By how much a strategy wins more than another, in the same deals."""

    first: str
    second: str
    bb_per_100: float
    """The big blinds in a hundred hands that the first wins more."""
    stderr: float | None
    """Its standard error; None if there was only one deal."""
    ci95: tuple[float, float] | None


@attrs.frozen(eq=False, kw_only=True)
class Sums:
    """Sums over deals of what each strategy won in all line-ups of a deal, in chips."""

    deals: int
    seats: NDArray[np.int64]
    """How often a strategy sits at a position, in all line-ups, ``int64 (strategy, position)``."""
    big_blind: int
    """In chips."""
    totals: NDArray[np.float64]
    """As of `game_kernels.tally`, ``float64 (strategy, 3 + strategy + 2 * position)``."""

    @property
    def _kinds(self) -> int:
        return len(self.totals)

    def of_strategy(self, k: int) -> dict[str, Any]:
        """What a strategy won, as fields of its result."""
        seats = int(self.seats[k].sum())
        return self._rates(float(self.totals[k, 0]), float(self.totals[k, 1 + k]), seats)

    def at_position(self, k: int, position: int) -> dict[str, Any]:
        at = 1 + self._kinds + 2 * position
        total, square = self.totals[k, at : at + 2].tolist()
        return self._rates(total, square, int(self.seats[k, position]))

    def as_played(self, k: int) -> dict[str, Any]:
        """What a strategy won with the boards that were dealt."""
        total, square = self.totals[k, -2:].tolist()
        return self._rates(total, square, int(self.seats[k].sum()))

    def lead(self, first: int, second: int) -> dict[str, Any]:
        """By how much a strategy wins more in a hand than another, as fields of `Lead`."""
        own, other = (int(self.seats[k].sum()) for k in (first, second))
        total = self.totals[first, 0] / own - self.totals[second, 0] / other
        products = self.totals[:, 1:]
        square = products[first, first] / own**2 + products[second, second] / other**2
        square -= 2 * products[first, second] / (own * other)
        return self._rates(float(total), float(square), 1)

    def _rates(self, total: float, square: float, seats: int) -> dict[str, Any]:
        """Convert the sums of chips by deal, and of their squares, to big blinds in 100 hands.

        `seats` are the hands of a deal.
        """
        scale = 100 / self.big_blind / seats
        rate, stderr, ci95 = scale * total / self.deals, None, None
        if self.deals > 1:
            variance = max(0.0, square - total * total / self.deals) / (self.deals - 1)
            stderr = scale * sqrt(variance / self.deals)
            ci95 = rate - Z95 * stderr, rate + Z95 * stderr
        return {"bb_per_100": rate, "stderr": stderr, "ci95": ci95}


@attrs.frozen(kw_only=True, repr=False)
class PlayResult(Result, Plottable):
    """The result of `holdem.play`; ``result["tight"]`` is what the strategy *tight* won."""

    _report: ClassVar[str] = "holdem.report.play_report:play_report"
    _chart: ClassVar[str] = "holdem.report.plots.charts:play_chart"

    hand_count: int
    """The number of hands."""
    deals: int
    """The number of deals, each of which was played with all line-ups."""
    stop: Literal["hands", "time", "decided", "interrupted"]
    """Why the run ended: all hands were played, the time was up, one strategy was ahead with
    ``until="decided"``, or Ctrl-C."""
    seed: int
    players: int
    big_blind: float
    """The big blind, in the unit of the match."""
    stacks: tuple[float, ...]
    """The chips of each position at the beginning of each hand."""
    board: tuple[Card, ...] = attrs.field(metadata=shown(is_last=True))
    dead: tuple[Card, ...] = attrs.field(metadata=shown(is_last=True))
    evaluator: EvaluatorLabel = attrs.field(metadata=shown(is_last=True))
    strategies: tuple[StrategyResult, ...]
    """The result of each strategy, in the order of the seats."""
    lineups: int
    """The number of line-ups: of different ways in which the strategies sat."""
    runouts: int
    """The number of random boards by which all-ins were settled; 0 for the one that was dealt."""
    all_ins: int
    """The number of hands that were settled by them."""
    verdict: str
    """A sentence that says which strategy is ahead at 95 % confidence, or that it is undecided;
    empty for one strategy alone."""
    elapsed: float = attrs.field(eq=False)
    """The duration in seconds."""
    _sums: Sums = attrs.field(eq=False, alias="sums")
    _recorded: PlayedHands = attrs.field(eq=False, alias="recorded")

    @property
    def hands(self) -> Sequence[PlayedHand]:
        """The hands that were recorded, from the first on; a `PlayedHand` is made on demand.

        Raises:
            HoldemValueError: none was recorded.
        """
        if not len(self._recorded):
            raise HoldemValueError(
                "no hand was recorded: play(…, record=20) keeps the first 20, record=True all"
            )
        return self._recorded

    def __getitem__(self, name: str) -> StrategyResult:
        """Look up what a strategy won.

        Raises:
            HoldemValueError: no strategy has this name.
        """
        return self.strategies[self._number(name)]

    def _number(self, name: str) -> int:
        names = [own.name for own in self.strategies]
        if name not in names:
            hint = did_you_mean(name, names) if isinstance(name, str) else ""
            raise HoldemValueError(
                f"no strategy {quoted(name)}{hint}; there are: {', '.join(names)}"
            )
        return names.index(name)

    def compare(self, first: str, second: str) -> Lead:
        """Compare two strategies: by how much the first wins more, with its error.

        The error takes into account that both played the same deals.

        Raises:
            HoldemValueError: no strategy has this name.
        """
        found = self._sums.lead(self._number(first), self._number(second))
        return Lead(first=first, second=second, **found)

    def __repr__(self) -> str:
        rows = ", ".join(f"{own.name} {own.bb_per_100:+.2f}" for own in self.strategies)
        return f"<PlayResult, {self.hand_count:,} hands: bb/100 {rows}>"

    def to_dict(self) -> dict[str, Any]:
        """Convert the result to a JSON object of the schema ``holdem/play/1``."""
        return {"schema": "holdem/play/1", **to_json(self)}
