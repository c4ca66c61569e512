"""A study: the questions of a long run, each with how it is to be answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from holdem.cards import cards_text
from holdem.odds.api import DEFAULT_STDERR
from holdem.odds.plan import Method
from holdem.odds.sampling.run_state import Bounds
from holdem.odds.spot import Spot, make_spot


@attrs.frozen
class StudySpot:
    """One question of a study, and how it is to be answered."""

    name: str
    players: tuple[str, ...]
    """As given."""
    board: tuple[str, ...]
    dead: tuple[str, ...]
    method: Method
    deals: int | None
    stderr: float | None
    time: float | None
    seed: int | None
    """None where the study names none: it is drawn when the run begins."""
    evaluator: str
    question: str
    """The canonical text of the question: its random stream comes from this and the seed."""
    combos: tuple[int, ...]
    """How many combos of each player's range are live."""
    cell: tuple[int, str, int] | None = None
    """The number of its grid from 0 on, the hero's hand and the number of opponents."""

    @property
    def bounds(self) -> Bounds:
        """When a sampled answer ends; `DEFAULT_STDERR` where nothing is given."""
        none = self.deals is None and self.stderr is None and self.time is None
        return Bounds(self.deals, DEFAULT_STDERR if none else self.stderr, self.time)

    def spot(self) -> Spot:
        """Return the question with all that is derived from it."""
        return make_spot(self.players, self.board, self.dead, self.evaluator)

    def to_dict(self) -> dict[str, Any]:
        """Return it as a record of text, numbers and lists."""
        return attrs.asdict(self)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> StudySpot:
        """Return the spot of a record that `to_dict` made, or the JSON of one."""
        fields: dict[str, Any] = {
            key: tuple(held) if isinstance(held, list) else held for key, held in record.items()
        }
        return cls(**fields)


@attrs.frozen
class Study:
    """A checked study: its spots, in the order in which they are answered."""

    spots: tuple[StudySpot, ...]

    @property
    def lacks_seed(self) -> bool:
        """Whether some spot has no seed yet."""
        return any(spot.seed is None for spot in self.spots)

    def with_seed(self, seed: int | None) -> Study:
        """Return the study with a seed for the spots that have none."""
        return Study(
            tuple(
                attrs.evolve(spot, seed=seed) if spot.seed is None else spot for spot in self.spots
            )
        )


def question_text(spot: Spot) -> str:
    """Return the canonical text of a question.

    Equal for two spots if their ranges, their boards and dead cards as sets, and their rule
    sets are equal. It says all that is needed to draw the question's deals.
    """
    players = " v ".join(str(held) for held in spot.ranges)
    board, dead = (
        cards_text(sorted(cards, reverse=True), " ") or "-" for cards in (spot.board, spot.dead)
    )
    return f"{players} | board {board} | dead {dead} | rules {spot.evaluator.rules.name}"
