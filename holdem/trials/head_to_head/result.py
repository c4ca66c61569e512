"""The outcome of a head-to-head, as records."""

from __future__ import annotations

from typing import Any, Literal

import attrs

from holdem.cards import Card
from holdem.evaluation.conformance.diff import Answer
from holdem.odds.result import EvaluatorLabel
from holdem.odds.sampling.estimates import Estimate
from holdem.trials.outcomes import Outcomes


@attrs.frozen
class Contender:
    """What became of one player over all trials."""

    range: str
    """The player as given; canonical text for a `Range`."""
    outcomes: Outcomes
    estimate: Estimate
    """Of the equity: the mean share of the pot."""
    by_category: dict[str, Outcomes]
    """By the player's own category at showdown, strongest first; only those that came up."""
    against: dict[str, dict[str, Outcomes]]
    """By own category and the category of the strongest of the other hands."""

    @property
    def equity(self) -> float:
        """The mean share of the pot, 0..1."""
        return self.estimate.mean

    @property
    def stderr(self) -> float:
        """One standard error of the equity."""
        return self.estimate.stderr

    @property
    def ci95(self) -> tuple[float, float]:
        """The 95 % interval of the equity."""
        return self.estimate.ci95


@attrs.frozen
class Difference:
    """How much more of the pot one player gets than another, deal by deal."""

    players: tuple[int, int]
    """Their places, from 0 on; the second's share is taken off the first's."""
    estimate: float
    stderr: float
    """From the differences within each deal, not from two separate equities."""
    ci95: tuple[float, float]


@attrs.frozen
class Judge:
    """A further evaluator that ranked the same hands: a different answer is a bug in one."""

    evaluator: EvaluatorLabel
    hands: int
    """How many hands have another class than by the first evaluator; each player's hand in
    each deal is one."""
    deals: int
    """In how many deals somebody else wins."""
    hand: tuple[Card, ...]
    """The smallest hand found on which the two disagree: of the fewest cards, and of those
    the one whose index set is the smallest number. Empty if they agree."""
    answers: tuple[Answer, ...]
    """What the first evaluator, and what this one, says about it."""

    @property
    def agrees(self) -> bool:
        """Whether it says the same of every hand."""
        return self.hands == 0

    def to_dict(self) -> dict[str, Any]:
        """Return the judge's part of the JSON."""
        smallest = {
            "hand": [str(card) for card in self.hand],
            "answers": [attrs.asdict(answer) for answer in self.answers],
        }
        return {
            **attrs.asdict(self.evaluator),
            "hands": self.hands,
            "deals": self.deals,
            "smallest": smallest if self.hand else None,
        }


@attrs.frozen
class ContestResult:
    """The outcome of a head-to-head."""

    deals: int
    stop: Literal["deals", "confidence", "interrupted"]
    """Why it ended: all deals were dealt, one player was ahead, Ctrl-C."""
    confidence: float | None
    """The confidence at which one player being ahead ends it; None where nothing does."""
    seed: int
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    evaluator: EvaluatorLabel
    """Who judged: the first, where several evaluators did."""
    categories: tuple[str, ...]
    """The categories of the evaluator's rules, strongest first."""
    players: tuple[Contender, ...]
    """With a `confidence` every 95 % interval holds at whatever deal the run ends."""
    differences: tuple[Difference, ...]
    """One for each pair of players."""
    verdict: str
    """Who is ahead, at which confidence, or that the deals do not tell."""
    judges: tuple[Judge, ...] = ()
    """The further evaluators that ranked the same hands."""

    def to_dict(self) -> dict[str, Any]:
        """Return what ``holdem head-to-head -f json`` prints."""
        return {
            "schema": "holdem/head-to-head/1",
            "deals": self.deals,
            "stop": self.stop,
            "confidence": self.confidence,
            "seed": self.seed,
            "board": [str(card) for card in self.board],
            "dead": [str(card) for card in self.dead],
            "evaluator": attrs.asdict(self.evaluator),
            "players": [
                {
                    "range": player.range,
                    **attrs.asdict(player.outcomes),
                    "equity": player.equity,
                    "stderr": player.stderr,
                    "ci95": list(player.ci95),
                    "by_category": _plain(player.by_category),
                    "against": {own: _plain(theirs) for own, theirs in player.against.items()},
                }
                for player in self.players
            ],
            "differences": [
                {**attrs.asdict(found), "players": list(found.players), "ci95": list(found.ci95)}
                for found in self.differences
            ],
            "verdict": self.verdict,
            "evaluators": [judge.to_dict() for judge in self.judges],
        }


def _plain(named: dict[str, Outcomes]) -> dict[str, dict[str, int]]:
    return {name: attrs.asdict(found) for name, found in named.items()}
