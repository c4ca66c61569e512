"""`SpotResult`: the result of one spot of a study."""

from __future__ import annotations

from typing import Any

import attrs

from holdem.errors import quoted
from holdem.odds.result import EquityResult
from holdem.trials.studies.study import GridCell


@attrs.frozen(repr=False)
class SpotResult:
    """The result of one spot of a study."""

    name: str
    result: EquityResult
    """``stop`` is ``"interrupted"`` if the spot is sampled and not finished."""
    cell: GridCell | None
    """The place in a grid; None outside grids."""
    weight: int = 1
    """The number of boards that the board stands for, which are equal up to suit permutations."""
    matchups: float | None = None
    """The total weight of the match-ups of the hero and one opponent; None outside grids."""

    def __repr__(self) -> str:
        return f"<SpotResult {quoted(self.name)}: {self.result!r}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the spot's name, weight and equity result as a JSON object."""
        return {"name": self.name, "weight": self.weight, **self.result.to_dict()}
