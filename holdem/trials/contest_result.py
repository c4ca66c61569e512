"""The classes of the results of `holdem.head_to_head`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import Card, read_only
from holdem.evaluation.second_opinion import Answer
from holdem.odds.result import Estimate
from holdem.odds.tally import Outcomes
from holdem.results.base_result import Plottable, Result
from holdem.results.fields import INTERVAL_HEAD, EvaluatorLabel, shown, shown_property, to_json


@attrs.frozen
class Contender:
    """One player's result over all trials of a head-to-head."""

    _first = ("name", "range", "outcomes", "equity", "stderr", "ci95")

    range: str = attrs.field(metadata=shown(cell="range"))
    """The player's range or cards as text: as given, or canonical text if given as a `Range`."""
    outcomes: Outcomes = attrs.field(metadata=shown(is_flat=True))
    estimate: Estimate = attrs.field(metadata=shown(in_json=False, in_columns=False, in_text=False))
    """The equity: the mean share of the pot."""
    by_category: dict[str, Outcomes] = attrs.field(hash=False)
    """The player's wins, ties and losses by the category of the player's hand at showdown,
    strongest first. Only categories that occur are included."""
    against: dict[str, dict[str, Outcomes]] = attrs.field(hash=False)
    """The same by two categories: ``against["flush"]["straight"]`` has the outcomes of a flush of
    the player when the best opposing hand is a straight."""
    name: str | None = attrs.field(
        default=None,
        metadata=shown(column="player_name", is_optional=True, in_text=False),
    )
    """The name of the player, if names were given."""

    @property
    @shown_property(cell="%", error="stderr")
    def equity(self) -> float:
        """The player's equity: the mean share of the pot."""
        return self.estimate.mean

    @property
    @shown_property(in_text=False)
    def stderr(self) -> float:
        """The standard error of the player's equity."""
        return self.estimate.stderr

    @property
    @shown_property(head=INTERVAL_HEAD, cell="interval", error="stderr")
    def ci95(self) -> tuple[float, float]:
        """The 95 % confidence interval of the player's equity."""
        return self.estimate.ci95


@attrs.frozen
class Difference:
    """The difference between two players' equities, with its standard error."""

    players: tuple[int, int]
    """Indices of the players, from 0; the equity of the second is subtracted."""
    estimate: float
    """The estimated difference, between -1 and 1."""
    stderr: float
    """The standard error of `estimate`, which takes into account that both share the same deals."""
    ci95: tuple[float, float]


@attrs.frozen
class CrossCheckResult:
    """The disagreements between the first evaluator and another evaluator on the same hands."""

    evaluator: EvaluatorLabel
    """The other evaluator."""
    hands: int
    """The number of hands whose classes differ; each player's hand in each deal counts."""
    deals: int
    """The number of deals whose winners differ."""
    hand: tuple[Card, ...]
    """The smallest hand found on which the evaluators disagree: a hand of fewer cards is smaller
    and, among hands of as many cards, one whose card set is a lower number. Empty if they agree."""
    answers: tuple[Answer, ...]
    """The strength and class that the first evaluator gives `hand`, and then those of the other;
    empty if they agree."""

    @property
    def agrees(self) -> bool:
        """Whether the two evaluators agree on every hand."""
        return self.hands == 0

    def to_dict(self) -> dict[str, Any]:
        """Build the JSON object of this cross-check, a part of the JSON of `ContestResult`."""
        smallest = {
            "hand": [str(card) for card in self.hand],
            "answers": [attrs.asdict(answer) for answer in self.answers],
        }
        return {
            **self.evaluator.to_dict(),
            "hands": self.hands,
            "deals": self.deals,
            "smallest": smallest if self.hand else None,
        }


@attrs.frozen(repr=False)
class ContestResult(Result, Plottable):
    """The result of `holdem.head_to_head`."""

    _report: ClassVar[str] = "holdem.report.head_to_head_report:head_to_head_report"
    _chart: ClassVar[str] = "holdem.report.plots.charts:contest_chart"

    deals: int
    stop: Literal["deals", "confidence", "interrupted"]
    """Why the run ended: all deals were dealt, one player was ahead, or Ctrl-C."""
    confidence: float | None
    """The confidence given, at which a player who is ahead ends the run; None if none was given."""
    seed: int
    board: tuple[Card, ...] = attrs.field(metadata=shown(is_last=True))
    dead: tuple[Card, ...] = attrs.field(metadata=shown(is_last=True))
    evaluator: EvaluatorLabel = attrs.field(metadata=shown(is_last=True))
    """The evaluator that decided who wins: the first of several."""
    categories: tuple[str, ...] = attrs.field(metadata=shown(in_json=False, in_columns=False))
    """The categories of the evaluator's rule set, strongest first."""
    players: tuple[Contender, ...]
    """The result of each player; with a `confidence`, the 95 % intervals are anytime-valid."""
    differences: tuple[Difference, ...]
    """The difference between the equities of every two players."""
    verdict: str
    """A sentence that says who is ahead at which confidence, or that it is undecided."""
    cross_checks: tuple[CrossCheckResult, ...] = attrs.field(
        default=(), metadata=shown(in_json=False)
    )
    """How each further evaluator compares with the first; empty for a single evaluator."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The players' names; ``"player 1"`` and so on for players without a name."""
        return tuple(
            player.name or f"player {number}" for number, player in enumerate(self.players, 1)
        )

    @property
    def equities(self) -> NDArray[np.float64]:
        """The players' equities, ``float64 (player,)``."""
        return read_only(np.array([player.equity for player in self.players]))

    @property
    def stderrs(self) -> NDArray[np.float64]:
        """The standard errors of the equities, ``float64 (player,)``."""
        return read_only(np.array([player.stderr for player in self.players]))

    def __repr__(self) -> str:
        players = ", ".join(
            f"{player.range} {player.equity:.6f} ± {player.stderr:.6f}" for player in self.players
        )
        return f"<ContestResult, {self.deals:,} deals: {players}>"

    def to_dict(self) -> dict[str, Any]:
        """Build the JSON object that ``holdem head-to-head -f json`` prints."""
        return {
            "schema": "holdem/head-to-head/1",
            **to_json(self),
            "evaluators": [check.to_dict() for check in self.cross_checks],
        }
