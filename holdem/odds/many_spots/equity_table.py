"""`EquityTable`: the equities of many spots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isnan
from typing import Any, ClassVar, Generic, TypeVar, overload

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import read_only
from holdem.errors import HoldemValueError, counted
from holdem.odds.many_spots.spot_columns import SpotColumns
from holdem.results.base_result import Plottable
from holdem.results.fields import EvaluatorLabel, json_value, to_json
from holdem.results.record_tables import TableResult

# The types of fields: arrays in a table, and single values in a record.
Reals = TypeVar("Reals")
Flag = TypeVar("Flag")
Count = TypeVar("Count")


def _known(row: tuple[float, ...] | None) -> tuple[float | None, ...] | None:
    """Replace what is not known of random hands by None: JSON has no NaN, which equals nothing."""
    return row and tuple(None if isnan(value) else value for value in row)


@attrs.frozen(eq=False, repr=False)
class PlayerColumns(Generic[Reals]):
    """The fields with a value for each player, in a table of spots or in the record of one spot.

    In a table, each field is ``float64 (spot, player)``, with NaN if the spot has no answer or does
    not have this player. In a record, each field is a tuple, or None if the spot has no answer.
    """

    equity: Reals = attrs.field(eq=_known)
    """Each player's expected share of the pot, from 0 to 1."""
    win: Reals = attrs.field(eq=_known)
    """The probability of winning alone."""
    tie: Reals = attrs.field(eq=_known)
    """The probability of a tie for the best hand."""
    lose: Reals = attrs.field(eq=_known)
    """The probability of losing."""
    stderr: Reals = attrs.field(eq=_known)
    """One standard error of each equity; 0.0 if exact."""


#: The arrays of a table that have a value for each player.
VALUES = tuple(own.name for own in attrs.fields(PlayerColumns))


@attrs.frozen(eq=False, repr=False)
class AnswerColumns(PlayerColumns[Reals], Generic[Reals, Flag, Count]):
    """The fields of answers, in a table of spots or in the record of one spot.

    In a table, `exact` is ``bool (spot,)`` and `deals` is ``int64 (spot,)``.
    """

    exact: Flag
    """Whether the answer is exact."""
    deals: Count
    """The number of possible deals of an exact answer, at most 2^63 - 1, or of drawn deals of a
    sampled answer."""


#: All arrays of a table.
ANSWERS = tuple(own.name for own in attrs.fields(AnswerColumns))


@attrs.frozen
class SpotRecord(AnswerColumns[tuple[float, ...] | None, bool, int]):
    """One spot of an `EquityTable`; the fields by player are None if the spot has no answer."""

    _first = ("players", "board", "dead")

    players: tuple[str, ...]
    """The text of each player: as given; the canonical text of a `Range`; and cards, such as
    ``AsKs``, if these were given by their ids."""
    board: str
    """The text of the board: as given, or cards if these were given by their ids."""
    dead: str
    """The text of the dead cards: as given, or cards if these were given by their ids."""
    error: str | None
    """Why there is no answer; None if there is one."""


@attrs.frozen(eq=False, repr=False)
class EquityTable(
    TableResult,
    Plottable,
    AnswerColumns[NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]],
):
    """The equities of many spots as read-only arrays; iteration yields `SpotRecord` objects.

    ``table[5]`` is the record of a spot. ``table[2:5]``, ``table[mask]`` and ``table[numbers]`` are
    tables, in which spots are numbered from 0. A comparison of two tables ignores `elapsed`.
    """

    _report: ClassVar[str] = "holdem.report.spots_report:spots_report"
    _chart: ClassVar[str] = "holdem.report.plots.charts:spots_chart"

    spots: SpotColumns
    errors: dict[int, str]
    """Why spots have no answer, by spot number."""
    seed: int | None
    """The seed of sampled answers, given or drawn; None if every answer is exact."""
    evaluator: EvaluatorLabel
    elapsed: float
    """The duration in seconds, without the time to compile and load kernels."""

    names: tuple[str, ...] | None = None
    """The names of the players, if names were given."""

    def __len__(self) -> int:
        return len(self.equity)

    def __iter__(self) -> Iterator[SpotRecord]:
        return (self._record(spot) for spot in range(len(self)))

    @overload
    def __getitem__(self, index: int) -> SpotRecord: ...
    @overload
    def __getitem__(self, index: slice | Iterable[Any]) -> EquityTable: ...
    def __getitem__(self, index: Any) -> SpotRecord | EquityTable:
        """Look up the record of a spot, or the table of several spots.

        Args:
            index: the number of a spot; or a slice, a mask ``bool (spot,)``, or numbers of spots.
                If the spots came from pandas Series, a Series given here must have their index.
        """
        if hasattr(index, "__index__") and np.ndim(index) == 0:
            try:
                return self._record(range(len(self))[index])
            except IndexError:
                raise IndexError(f"no spot {index}: the table has {len(self):,}") from None
        own = self.spots.index
        if hasattr(index, "iloc") and own is not None and not own.equals(index.index):
            raise HoldemValueError(
                "the mask is a Series with another index than the spots; .to_numpy() drops it"
            )
        rows = self._choose_rows(index)
        numbers = enumerate(rows.tolist())
        return attrs.evolve(
            self,
            spots=self.spots.take(rows),
            **{name: read_only(getattr(self, name)[rows]) for name in ANSWERS},
            errors={new: self.errors[spot] for new, spot in numbers if spot in self.errors},
        )

    def _record(self, spot: int) -> SpotRecord:
        has_answer = not np.isnan(self.equity[spot, 0])
        players = tuple(map(str, self.spots.list_given_players(spot)))
        values: dict[str, Any] = {
            name: tuple(getattr(self, name)[spot, : len(players)].tolist()) if has_answer else None
            for name in VALUES
        }
        return SpotRecord(
            players=players,
            board=self.spots.board_text(spot),
            dead=self.spots.dead_text(spot),
            exact=bool(self.exact[spot]),
            deals=int(self.deals[spot]),
            error=self.errors.get(spot),
            **values,
        )

    @property
    def players(self) -> int:
        """The number of player columns; a spot may have fewer players."""
        return int(self.equity.shape[1])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EquityTable):
            return NotImplemented
        arrays = all(
            np.array_equal(getattr(self, name), getattr(other, name), equal_nan=name in VALUES)
            for name in ANSWERS
        )
        return (
            arrays
            and (self.errors, self.seed, self.evaluator, self.names)
            == (other.errors, other.seed, other.evaluator, other.names)
            and self.spots.same_as(other.spots)
        )

    def __hash__(self) -> int:
        return hash((self.equity.shape, self.seed, self.evaluator, self.names))

    def __repr__(self) -> str:
        answered = ~np.isnan(self.equity[:, 0])
        exact = int(self.exact.sum())
        text = f"EquityTable, {counted(len(self), 'spot')}, {exact:,} exact"
        text += f", {len(self.errors):,} without answer" if self.errors else ""
        if answered.any():
            own = [column[~np.isnan(column)] for column in self.equity.T]
            means = [equities.mean() for equities in own if len(equities)]
            text += ": mean equities " + ", ".join(f"{value:.4f}" for value in means)
        return f"<{text}>"

    def to_frame(self, library: str = "pandas") -> Any:
        """Convert the table to a data frame with the same rows as the CSV output.

        The types of the columns do not depend on the spots. Players, ``board``, ``dead`` and
        ``error`` are strings, and empty ones are missing values. ``exact`` is boolean, ``deals`` is
        an integer, and other columns are floats.

        Args:
            library: ``"pandas"``, ``"polars"``, or ``"pyarrow"`` for an Arrow table. It must be
                installed. If the spots came from pandas Series, a pandas frame has their index.

        Raises:
            HoldemTypeError: `library` is not text.
            HoldemValueError: `library` is none of these.
            HoldemRuntimeError: the library is not installed.
        """
        return self._make_frame(library)

    def to_dict(self) -> dict[str, Any]:
        """Convert the table to a JSON object that follows the schema ``holdem/equities/1``."""
        return {
            "schema": "holdem/equities/1",
            **({} if self.names is None else {"names": list(self.names)}),
            "seed": self.seed,
            "evaluator": self.evaluator.to_dict(),
            "elapsed": self.elapsed,
            "spots": [_record_to_json(record) for record in self],
        }


def _record_to_json(record: SpotRecord) -> dict[str, Any]:
    rows = {name: json_value(_known(getattr(record, name))) for name in VALUES}
    return to_json(record, **rows)
