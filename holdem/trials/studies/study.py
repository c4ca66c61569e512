"""`Study`, the spots that a study file defines, and `StudySpot`, one spot with its limits."""

from __future__ import annotations

from collections.abc import Mapping
from sys import intern
from typing import Any, NamedTuple

import attrs

from holdem.errors import EvaluatorError
from holdem.odds.bounds import Bounds, check_bounds
from holdem.odds.equity import Query
from holdem.odds.plan import Method, make_plan
from holdem.odds.sampling.sampler import Sampler
from holdem.odds.spot import Spot, make_spot


class GridCell(NamedTuple):
    """The grid, the hero and the opponents of a spot.

    Spots of a grid that differ only in the board have equal cells.
    """

    grid: int
    """The index of the grid in the study, from 0."""
    hero: str
    """The text of the hero's range."""
    others: int | str
    """The number of random opponents, or the text of the villain's range."""

    @property
    def against(self) -> str:
        """The text of the villain's range; for random opponents, text such as ``"2 random"``."""
        return self.others if isinstance(self.others, str) else f"{self.others} random"


@attrs.frozen
class StudySpot:
    """A spot of a study, with its method and its limits on deals, standard error and time."""

    name: str
    players: tuple[str, ...]
    """The text of each player's range."""
    board: tuple[str, ...]
    """The names of the board cards, such as ``"Td"``."""
    dead: tuple[str, ...]
    method: Method
    """``"auto"``, ``"exact"`` or ``"monte-carlo"``."""
    deals: int | None
    """The number of deals after which sampling ends; None for no such limit."""
    stderr: float | None
    """The standard error of the equities at which sampling ends; None for no such limit."""
    time: float | None
    """The seconds after which the computation ends; None for no such limit."""
    seed: int | None
    """The seed of the random stream; None if it is to be drawn when the study's store is made."""
    evaluator: str
    question: str
    """The canonical text of the spot; it determines, with the seed, which deals are sampled."""
    combos: tuple[int, ...]
    """The number of live combos of each player's range."""
    cell: GridCell | None = None
    """The grid, hero and opponents; None if the spot is not from a grid."""
    weight: int = 1
    """The number of boards that this board stands for; see `SpotResult.weight`."""
    matchups: float | None = attrs.field(default=None, eq=False)  # the last bits vary by CPU
    """The total weight of the match-ups of the first two players; None outside grids.

    A match-up is a live combo for each player without a common card. Its weight is the product of
    the weights of the two combos. The probability of the board is proportional to `matchups` times
    `weight`, because any other players have random hands.
    """

    @property
    def bounds(self) -> Bounds:
        """The limits at which sampling ends; if none is given, the default standard error."""
        return check_bounds(self.deals, self.stderr, self.time)

    def spot(self) -> Spot:
        """Build the `Spot` to compute from the texts of ranges and cards, and validate it."""
        return make_spot(self.players, self.board, self.dead, self.evaluator)

    def sampler(self) -> Sampler:
        """Create the sampler of the spot's deals; the spot must have a seed."""
        assert self.seed is not None, "set when the run begins"
        return Sampler(self.spot(), self.seed, self.question)

    def query(self, workers: int) -> Query:
        """Create the `Query` of the spot; its plan says whether the result is exact or sampled."""
        spot = self.spot()
        plan = make_plan(spot, self.method)
        is_exact = self.method == "exact"
        return Query(spot, plan, self.bounds, self.seed or 0, workers, limits_exact=is_exact)

    def error(self, number: int, message: object) -> EvaluatorError:
        """Create an error with the spot's number and name; only `number` counts from 0."""
        return EvaluatorError(f"spot {number + 1} ({self.name}): {message}")

    def to_dict(self) -> dict[str, Any]:
        return attrs.asdict(self, recurse=False)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> StudySpot:
        fields = dict(record)
        for key, value in record.items():
            if isinstance(value, list):  # many spots have the same cards and ranges: share them
                fields[key] = tuple(intern(v) if isinstance(v, str) else v for v in value)
        if fields["cell"] is not None:
            fields["cell"] = GridCell(*fields["cell"])
        return cls(**fields)


@attrs.frozen
class Study:
    """A validated study, which is a sequence of spots to compute."""

    spots: tuple[StudySpot, ...]
    """The spots, in the order of the study file."""
    evaluators: tuple[str, ...]
    lacks_seed: bool
    """Whether any spot has no seed yet."""

    def with_seed(self, seed: int | None) -> Study:
        """Return the same study, but with the given seed for each spot that has no seed."""
        if not self.lacks_seed:
            return self
        spots = (
            attrs.evolve(spot, seed=seed) if spot.seed is None else spot for spot in self.spots
        )
        return Study(tuple(spots), self.evaluators, seed is None)
