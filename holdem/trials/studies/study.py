"""Studies: the spots of a long run, with their methods and limits.

The spots are stored compressed, and decoded when they are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from sys import intern
from typing import Any, NamedTuple

import attrs

from holdem.errors import EvaluatorError
from holdem.odds.api import Query
from holdem.odds.bounds import Bounds, check_bounds
from holdem.odds.plan import Method, make_plan
from holdem.odds.sampling.sampler import Sampler
from holdem.odds.spot import Spot, make_spot
from holdem.trials.studies.packed import PackedSequence


class GridCell(NamedTuple):
    """The position of a spot in the grids of a study: a grid, a hero, and the opponents."""

    grid: int
    """The index of the grid in the study, from 0."""
    hero: str
    """The hero's range as given."""
    others: int | str
    """The number of random opponents, or the villain's range as given."""

    @property
    def against(self) -> str:
        """The villain's range, or a description of the opponents, such as ``"2 random"``."""
        return self.others if isinstance(self.others, str) else f"{self.others} random"


@attrs.frozen
class StudySpot:
    """A spot of a study, with its method and its limits on deals, standard error and time."""

    name: str
    players: tuple[str, ...]
    """The ranges as given."""
    board: tuple[str, ...]
    dead: tuple[str, ...]
    method: Method
    deals: int | None
    stderr: float | None
    time: float | None
    seed: int | None
    """The seed; None if it is drawn when the run begins."""
    evaluator: str
    question: str
    """The canonical text of the spot; the random stream depends on this text and the seed."""
    combos: tuple[int, ...]
    """The number of live combos of each player's range."""
    cell: GridCell | None = None
    """The position in a grid; None outside grids."""
    weight: int = 1
    """The number of boards, equal up to suit permutations, that this board stands for."""
    matchups: float | None = attrs.field(default=None, eq=False)  # the last bits vary by CPU
    """The total weight of the match-ups of the first two players; None outside grids.

    The product with `weight` is proportional to the probability of the board, because the hands of
    any other players are random.
    """

    @property
    def bounds(self) -> Bounds:
        """The limits of a sampled run; if none is given, the default standard error."""
        return check_bounds(self.deals, self.stderr, self.time)

    def spot(self) -> Spot:
        """Build the `Spot` to compute, and validate it."""
        return make_spot(self.players, self.board, self.dead, self.evaluator)

    def sampler(self) -> Sampler:
        """Create the sampler of the spot's deals; the spot must have a seed."""
        assert self.seed is not None, "set when the run begins"
        return Sampler(self.spot(), self.seed, self.question)

    def query(self, workers: int) -> Query:
        """Plan the spot, and create the `Query` that computes its result within the limits.

        The plan says whether the result is exact or sampled. `workers` is the number of threads.
        """
        spot = self.spot()
        plan = make_plan(spot, self.method)
        is_exact = self.method == "exact"
        return Query(spot, plan, self.bounds, self.seed or 0, workers, limits_exact=is_exact)

    def error(self, number: int, message: object) -> EvaluatorError:
        """Create an `EvaluatorError` whose message names the spot; `number` counts from 0."""
        return EvaluatorError(f"spot {number + 1} ({self.name}): {message}")

    def to_dict(self) -> dict[str, Any]:
        """Convert the spot to a dictionary of strings, numbers and tuples."""
        return attrs.asdict(self, recurse=False)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> StudySpot:
        """Create a spot from the dictionary of `to_dict`, which may have been converted to JSON."""
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

    spots: PackedSequence[StudySpot]
    """The spots, in the order of the study file."""
    evaluators: tuple[str, ...]
    """The names of the evaluators of all spots."""
    lacks_seed: bool
    """Whether a spot has no seed."""

    def with_seed(self, seed: int | None) -> Study:
        """Return the same study, but with the given seed for each spot that has no seed."""
        if not self.lacks_seed:
            return self
        spots = (
            attrs.evolve(spot, seed=seed) if spot.seed is None else spot for spot in self.spots
        )
        return Study(PackedSequence(spots), self.evaluators, seed is None)
