"""The answer: what each player can expect, with the error it is known to."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal

import attrs

from holdem.cards import Card
from holdem.odds.sampling.estimates import Estimate
from holdem.odds.spot import Spot

Number = int | float
Stop = Literal["exhausted", "deals", "stderr", "time", "interrupted"]


@attrs.frozen
class ComboResult:
    """What one combo of a player's range can expect."""

    combo: str
    """As text, the higher card first: ``"AsKd"``."""
    weight: float
    equity: float | None
    """0..1; None where a sampled run never dealt the combo."""
    win: float | None
    tie: float | None


@attrs.frozen(eq=False)
class PlayerResult:
    """What one player can expect. All fields from `equity` on are None if an exact run was cut."""

    range: str
    """The player as given; canonical text for a `Range`."""
    combos: int
    """How many combos of the range are held in some deal."""
    wins: Number | None
    """Deals won alone: a count, or the sum of their weights in an exact spot with weights."""
    ties: Number | None
    """Deals in which the player shares the top."""
    losses: Number | None
    lose: float | None
    """``losses / (wins + ties + losses)``."""
    _equity: Estimate | None = attrs.field(repr=False)
    _win: Estimate | None = attrs.field(repr=False)
    _tie: Estimate | None = attrs.field(repr=False)
    _by_combo: Callable[[], tuple[ComboResult, ...]] = attrs.field(repr=False)

    @property
    def equity(self) -> float | None:
        """The expected share of the pot, 0..1: wins, and 1/k of every tie of k players."""
        return None if self._equity is None else self._equity.mean

    @property
    def stderr(self) -> float | None:
        """One standard error of the equity; 0.0 where it is exact."""
        return None if self._equity is None else self._equity.stderr

    @property
    def ci95(self) -> tuple[float, float] | None:
        """The 95 % interval of the equity; of no width where it is exact."""
        return None if self._equity is None else self._equity.ci95

    @property
    def win(self) -> float | None:
        """The probability to win alone."""
        return None if self._win is None else self._win.mean

    @property
    def win_stderr(self) -> float | None:
        """One standard error of `win`."""
        return None if self._win is None else self._win.stderr

    @property
    def win_ci95(self) -> tuple[float, float] | None:
        """The 95 % interval of `win`."""
        return None if self._win is None else self._win.ci95

    @property
    def tie(self) -> float | None:
        """The probability to share the top."""
        return None if self._tie is None else self._tie.mean

    @property
    def tie_stderr(self) -> float | None:
        """One standard error of `tie`."""
        return None if self._tie is None else self._tie.stderr

    @property
    def tie_ci95(self) -> tuple[float, float] | None:
        """The 95 % interval of `tie`."""
        return None if self._tie is None else self._tie.ci95

    @cached_property
    def by_combo(self) -> tuple[ComboResult, ...]:
        """A record for each live combo, lowest number first.

        Exact results have it at hand. A sampled one draws the same deals once more when it
        is first asked, which takes longer than the run itself did. Its figures have no error
        beside them; where deals share holes, those of a combo are fewer draws than deals.
        """
        return self._by_combo()

    def to_dict(self) -> dict[str, Any]:
        """Return the player's part of the JSON."""
        names: tuple[str, ...] = (
            "range",
            "combos",
            "win",
            "tie",
            "lose",
            "equity",
            "stderr",
            "ci95",
        )
        names = (
            *names,
            "win_stderr",
            "win_ci95",
            "tie_stderr",
            "tie_ci95",
            "wins",
            "ties",
            "losses",
        )
        found = {name: getattr(self, name) for name in names}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in found.items()
        }


@attrs.frozen
class EvaluatorLabel:
    """Which evaluator gave the answer; prints as its name."""

    name: str
    version: str

    def __str__(self) -> str:
        return self.name


@attrs.frozen(eq=False)
class EquityResult:
    """The answer to an equity question."""

    method: Literal["exact", "monte-carlo"]
    exact: bool
    """Whether the answer is exact; False for an exact run that was cut short."""
    deals: int
    """Exact: the distinct deals. Sampled: the deals drawn. Cut short: 0."""
    stop: Stop
    """Why the run ended."""
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    seed: int | None
    """The seed used, given or drawn; None where nothing was sampled."""
    evaluator: EvaluatorLabel
    elapsed: float
    """Seconds."""
    players: tuple[PlayerResult, ...]
    progress: float = 1.0
    """How much of the work was done, 0..1; below 1 only for an exact run that was cut short."""

    def to_dict(self) -> dict[str, Any]:
        """Return what ``holdem equity -f json`` prints."""
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
    """Return the label of the evaluator that a spot is asked of."""
    return EvaluatorLabel(spot.evaluator.name, spot.evaluator.version)
