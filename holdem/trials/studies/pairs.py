"""`PairResult`: a hero's equity against a villain, summed over the boards of a grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from math import fsum
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_number
from holdem.base_result import Pictured
from holdem.cards import cards_text
from holdem.errors import HoldemValueError, counted, quoted
from holdem.trials.studies.spot_result import SpotResult
from holdem.trials.studies.study import GridCell, StudySpot

_QUARTILES = {"lower_quartile": 0.25, "median": 0.5, "upper_quartile": 0.75}


@attrs.frozen(repr=False)
class PairResult(Pictured):
    """A hero's equity against a villain or random opponents, over the boards of a grid.

    A board counts in proportion to its probability, given that the hero and the villain hold
    hands of their ranges and no dead cards come. Over all flops, the equity is therefore that
    before the flop. All figures are the hero's.
    """

    _picture: ClassVar[str] = "holdem.report.plots.curves:pair_picture"

    cell: GridCell
    boards: int
    """The number of boards in the study."""
    spots: tuple[SpotResult, ...]
    """The boards that have an equity so far, in the order of the study."""

    @property
    def hero(self) -> str:
        """The hero's range as given."""
        return self.cell.hero

    @property
    def villain(self) -> str:
        """The villain's range as given, or text such as ``"2 random"``."""
        return self.cell.against

    @property
    def finished(self) -> int:
        """The number of boards that are finished."""
        return sum(spot.result.stop != "interrupted" for spot in self.spots)

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """The probability of each board of `spots`, ``float64 (board,)``; they sum to 1."""
        shares = np.array([spot.weight * (spot.matchups or 0.0) for spot in self.spots])
        return shares / fsum(shares)

    @cached_property
    def equities(self) -> NDArray[np.float64]:
        """The hero's equity on each board of `spots`, ``float64 (board,)``."""
        return self._figures("equity")

    @property
    def equity(self) -> float:
        """The hero's equity over all boards."""
        return self._mean("equity")

    @property
    def win(self) -> float:
        """The probability that the hero wins alone."""
        return self._mean("win")

    @property
    def tie(self) -> float:
        """The probability of a tie for the best hand."""
        return self._mean("tie")

    @property
    def lose(self) -> float:
        """The probability that the hero loses."""
        return self._mean("lose")

    @property
    def stderr(self) -> float:
        """The standard error of the equity; 0.0 if every board is exact."""
        return float(np.linalg.norm(self.probabilities * self._figures("stderr")))

    @property
    def lowest(self) -> SpotResult:
        """The board with the hero's lowest equity; the first of several."""
        return self.spots[int(self.equities.argmin())]

    @property
    def highest(self) -> SpotResult:
        """The board with the hero's highest equity; the first of several."""
        return self.spots[int(self.equities.argmax())]

    def quantile(self, probability: float) -> float:
        """Return a quantile of the hero's equity over the boards.

        It is the smallest equity of a board that is not exceeded with at least the given
        probability.

        Args:
            probability: from 0 to 1; 0.5 for the median.

        Raises:
            HoldemValueError: the probability is not from 0 to 1.
            HoldemTypeError: it is not a number.
        """
        bounds = "from 0 to 1"
        checked = checked_number(probability, "probability", 0.0, 1.0, HoldemValueError, bounds)
        order = self.equities.argsort()
        # The cumulated probabilities of equal boards have rounding errors.
        place = np.searchsorted(self.probabilities[order].cumsum(), checked - 1e-12)
        return float(self.equities[order][min(int(place), len(order) - 1)])

    def __repr__(self) -> str:
        pair = f"{quoted(self.hero, 24)} v {quoted(self.villain, 24)}"
        error = f" ± {self.stderr:.6f}" if self.stderr else ""
        return f"<PairResult, {counted(self.boards, 'board')}: {pair} {self.equity:.6f}{error}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the sums as a JSON object; ``grid`` counts the grids of the study from 1."""
        return {
            "grid": self.cell.grid + 1,
            "hero": self.hero,
            "villain": self.villain,
            "boards": self.boards,
            "finished": self.finished,
            "equity": self.equity,
            "stderr": self.stderr,
            "win": self.win,
            "tie": self.tie,
            "lose": self.lose,
            **{
                name: {"board": board_text(spot), "equity": spot.result.players[0].equity}
                for name, spot in (("lowest", self.lowest), ("highest", self.highest))
            },
            **{name: self.quantile(probability) for name, probability in _QUARTILES.items()},
        }

    def _figures(self, name: str) -> NDArray[np.float64]:
        return np.array([getattr(spot.result.players[0], name) for spot in self.spots])

    def _mean(self, name: str) -> float:
        return fsum((self.probabilities * self._figures(name)).tolist())


def board_text(spot: SpotResult) -> str:
    """Return the board of a spot as text, such as ``"Td9d2c"``."""
    return cards_text(spot.result.board)


def pairs_of(study: Iterable[StudySpot], results: Sequence[SpotResult]) -> tuple[PairResult, ...]:
    """Return the results of each hero and villain that meet on several boards.

    Args:
        study: all spots of the study.
        results: the results so far.
    """
    boards = Counter(spot.cell for spot in study if spot.cell is not None)
    found: dict[GridCell, list[SpotResult]] = {}
    for spot in results:
        if spot.cell is not None and spot.result.players[0].equity is not None:
            found.setdefault(spot.cell, []).append(spot)
    return tuple(
        PairResult(cell, boards[cell], tuple(spots))
        for cell, spots in found.items()
        if boards[cell] > 1
    )
