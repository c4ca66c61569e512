"""Results of `holdem.equity`: each player's equity and its standard error."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal

import attrs

from holdem.cards import Card
from holdem.odds.spot import Spot

Number = int | float
Stop = Literal["exhausted", "deals", "stderr", "time", "interrupted"]

_PLAYER_FIELDS = (
    *("range", "combos", "win", "tie", "lose", "equity", "stderr", "ci95"),
    *("win_stderr", "win_ci95", "tie_stderr", "tie_ci95", "wins", "ties", "losses"),
)


@attrs.frozen
class Estimate:
    """A mean with its standard error and confidence interval."""

    mean: float
    stderr: float
    """One standard error; 0.0 if the mean is exact."""
    ci95: tuple[float, float]
    """The 95% confidence interval; of zero width if the mean is exact."""


def exactly(mean: float) -> Estimate:
    """Return an `Estimate` for a mean that is exact, with a standard error of 0."""
    return Estimate(mean, 0.0, (mean, mean))


@attrs.frozen
class ComboResult:
    """The equity of one combo of a player's range."""

    combo: str
    """As text, the higher card first: ``"AsKd"``."""
    weight: float
    equity: float | None
    """0..1; None if a sampled run never dealt the combo."""
    win: float | None
    tie: float | None


@attrs.frozen(eq=False)
class PlayerResult:
    """The equity of one player.

    If an exact run was cut short, all figures but `combos` are None and `by_combo` is empty.
    """

    range: str
    """The range as given; canonical text for a `Range`."""
    combos: int
    """The number of live combos: those that are held in at least one deal."""
    wins: Number | None = None
    """Deals won alone: a count, or a sum of weights if an exact result has weights."""
    ties: Number | None = None
    """Deals in which the player ties for the best hand."""
    losses: Number | None = None
    lose: float | None = None
    """``losses / (wins + ties + losses)``."""
    _equity: Estimate | None = attrs.field(default=None, repr=False)
    _win: Estimate | None = attrs.field(default=None, repr=False)
    _tie: Estimate | None = attrs.field(default=None, repr=False)
    _by_combo: Callable[[], tuple[ComboResult, ...]] = attrs.field(default=tuple, repr=False)

    @property
    def equity(self) -> float | None:
        """The expected share of the pot, 0..1: a win counts as 1, a tie among k players as 1/k."""
        return None if self._equity is None else self._equity.mean

    @property
    def stderr(self) -> float | None:
        """The standard error of the equity; 0.0 if the equity is exact."""
        return None if self._equity is None else self._equity.stderr

    @property
    def ci95(self) -> tuple[float, float] | None:
        """The 95% confidence interval of the equity; of zero width if the equity is exact."""
        return None if self._equity is None else self._equity.ci95

    @property
    def win(self) -> float | None:
        """The probability of winning alone."""
        return None if self._win is None else self._win.mean

    @property
    def win_stderr(self) -> float | None:
        """The standard error of `win`."""
        return None if self._win is None else self._win.stderr

    @property
    def win_ci95(self) -> tuple[float, float] | None:
        """The 95% confidence interval of `win`."""
        return None if self._win is None else self._win.ci95

    @property
    def tie(self) -> float | None:
        """The probability of tying for the best hand."""
        return None if self._tie is None else self._tie.mean

    @property
    def tie_stderr(self) -> float | None:
        """The standard error of `tie`."""
        return None if self._tie is None else self._tie.stderr

    @property
    def tie_ci95(self) -> tuple[float, float] | None:
        """The 95% confidence interval of `tie`."""
        return None if self._tie is None else self._tie.ci95

    @cached_property
    def by_combo(self) -> tuple[ComboResult, ...]:
        """The equity of each live combo, in ascending order of combo number.

        On first access, a sampled result draws its deals again, which takes longer than the
        run itself. Figures by combo have no standard errors. Where deals share hole cards, a
        combo has fewer independent draws than deals.
        """
        return self._by_combo()

    def to_dict(self) -> dict[str, Any]:
        """Return the player's result as the dictionary that the JSON output contains."""
        values = {name: getattr(self, name) for name in _PLAYER_FIELDS}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
        }


@attrs.frozen
class EvaluatorLabel:
    """The name and version of an evaluator, displayed as the name alone."""

    name: str
    version: str

    def __str__(self) -> str:
        return self.name


@attrs.frozen(eq=False)
class EquityResult:
    """The result of `holdem.equity`."""

    method: Literal["exact", "monte-carlo"]
    exact: bool
    """Whether the result is exact; False for an exact run that was cut short."""
    deals: int
    """The distinct deals of an exact run, 0 if it was cut short; the deals drawn if sampled."""
    stop: Stop
    """Why the run ended."""
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    seed: int | None
    """The seed used, given or drawn; None if nothing was sampled."""
    evaluator: EvaluatorLabel
    elapsed: float
    """Seconds."""
    players: tuple[PlayerResult, ...]
    progress: float = 1.0
    """The share of the work done, 0..1; below 1 only for an exact run that was cut short."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as the dictionary that ``holdem equity -f json`` prints."""
        answer: dict[str, Any] = {
            "schema": "holdem/equity/1",
            "method": self.method,
            "exact": self.exact,
            "deals": self.deals,
            "stop": self.stop,
            "board": [str(card) for card in self.board],
            "dead": [str(card) for card in self.dead],
            "seed": self.seed,
            "evaluator": attrs.asdict(self.evaluator),
            "elapsed": self.elapsed,
            "players": [player.to_dict() for player in self.players],
        }
        if self.stop == "interrupted":
            answer["progress"] = self.progress
        return answer


def evaluator_label(spot: Spot) -> EvaluatorLabel:
    """Return the label of a spot's evaluator."""
    return EvaluatorLabel(spot.evaluator.name, spot.evaluator.version)
