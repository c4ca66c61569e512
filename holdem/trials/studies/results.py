"""The results of a study, complete or not, which are built from its store file."""

from __future__ import annotations

import os
from collections import Counter
from functools import partial
from math import fsum, isnan
from typing import Any, ClassVar, Literal, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_number
from holdem.cached_property import cached_property
from holdem.cards import cards_text, parse_cards
from holdem.errors import HoldemValueError, counted, one_line, quoted
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.breakdown import Breakdowns, By, NoBreakdowns
from holdem.odds.next_cards import NextCards
from holdem.odds.result import (
    PLAYER_FIELDS,
    EquityResult,
    PlayerResult,
    compute_breakdowns,
    set_board_breakdown,
)
from holdem.odds.sampling.sample_results import make_player_results, measure_convergence
from holdem.results.base_result import Plottable, Result
from holdem.results.fields import EvaluatorLabel, shown, shown_property, to_json
from holdem.trials.studies.store import StoredSpot, StoredStudy, damage_errors, read_store
from holdem.trials.studies.study import GridCell, StudySpot

#: Whether a CSV or a data frame has a row for each spot, player, or pair of hero and villain.
RowsOf: TypeAlias = Literal["spot", "player", "pair"]

#: The numbers that a `PairResult` has for each board.
_NUMBERS = ("share", "finished", "equity", "win", "tie", "lose", "stderr")
_RECORD = np.dtype([(name, np.float64) for name in _NUMBERS])
#: The quantiles in JSON and CSV, by name.
QUARTILES = {"lower_quartile": 0.25, "median": 0.5, "upper_quartile": 0.75}


@attrs.frozen(repr=False)
class SpotResult:
    """The result of one spot of a study."""

    name: str
    result: EquityResult
    """The equities so far. ``result.stop`` is ``"interrupted"`` if the spot is sampled and not
    finished."""
    cell: GridCell | None
    """The grid, the hero and the opponents; None if the spot is not from a grid."""
    weight: int = 1
    """The number of boards that this board stands for; 1 unless the spot is from a grid with every
    flop. There, only one is computed of the flops that become equal by a permutation of suits
    that leaves the ranges and the dead cards unchanged."""
    matchups: float | None = None
    """The total weight of the match-ups of the hero and the first opponent; None outside grids.

    A match-up is a live combo for each without a common card. Its weight is the product of the
    weights of the two combos."""

    def __repr__(self) -> str:
        return f"<SpotResult {quoted(self.name)}: {self.result!r}>"

    def to_dict(self) -> dict[str, Any]:
        """Convert the spot's name, weight and equity result to a JSON object."""
        return {"name": self.name, "weight": self.weight, **self.result.to_dict()}


@attrs.frozen(repr=False)
class PairResult(Plottable):
    """A hero's equity against a villain or random opponents over all boards of a grid.

    Equity, wins and ties are means over the boards that have an equity so far, weighted by the
    probability of each board, given the ranges and the dead cards. If the grid has every flop, the
    equity of a finished study is therefore the hero's equity before the flop. All numbers are
    those of the hero.
    """

    _chart: ClassVar[str] = "holdem.report.plots.charts:pair_chart"
    _first = ("grid", "hero", "villain", "boards", "finished", "equity", "stderr")

    cell: GridCell = attrs.field(metadata=shown(in_json=False, in_columns=False))
    """The grid, the hero and the opponents."""
    boards: int
    """The number of boards on which the study has this hero and these opponents."""
    spots: tuple[SpotResult, ...] = attrs.field(metadata=shown(in_json=False, in_columns=False))
    """The results on the boards that have an equity so far, in the order of the study."""
    _numbers: NDArray[np.void] = attrs.field(eq=False)
    """The hero's numbers on each board in `spots`, a structured array ``(board,)`` with the fields
    named in `_NUMBERS`; ``share`` is proportional to the probability of the board."""

    @property
    @shown_property()
    def grid(self) -> int:
        """The number of the grid in the study, from 1."""
        return self.cell.grid + 1

    @property
    @shown_property()
    def hero(self) -> str:
        """The text of the hero's range."""
        return self.cell.hero

    @property
    @shown_property()
    def villain(self) -> str:
        """The text of the villain's range; for random opponents, text such as ``"2 random"``."""
        return self.cell.against

    @property
    @shown_property()
    def finished(self) -> int:
        """The number of finished boards in `spots`.

        A board whose exact computation the time limit has cut short has no equity, and does not
        count, even if the study is complete.
        """
        return int(self._numbers["finished"].sum())

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """The probability of each board in `spots`, ``float64 (board,)``; the sum is 1."""
        shares: NDArray[np.float64] = self._numbers["share"]
        return shares / fsum(shares)

    @cached_property
    def equities(self) -> NDArray[np.float64]:
        """The hero's equity on each board of `spots`, ``float64 (board,)``."""
        equities: NDArray[np.float64] = self._numbers["equity"]
        return equities

    @property
    @shown_property()
    def equity(self) -> float:
        """The hero's mean equity over the boards in `spots`, weighted by `probabilities`."""
        return self._mean("equity")

    @property
    @shown_property()
    def win(self) -> float:
        """The probability that the hero wins alone."""
        return self._mean("win")

    @property
    @shown_property()
    def tie(self) -> float:
        """The probability that the hero ties for the best hand."""
        return self._mean("tie")

    @property
    @shown_property()
    def lose(self) -> float:
        """The probability that an opponent has a better hand than the hero."""
        return self._mean("lose")

    @property
    @shown_property()
    def stderr(self) -> float:
        """The standard error of the equity; 0.0 if the results on all boards are exact."""
        return float(np.linalg.norm(self.probabilities * self._numbers["stderr"]))

    @property
    def lowest(self) -> SpotResult:
        """The result on the board with the hero's lowest equity; if boards tie, on the first."""
        return self.spots[int(self.equities.argmin())]

    @property
    def highest(self) -> SpotResult:
        """The result on the board with the hero's highest equity; if boards tie, on the first."""
        return self.spots[int(self.equities.argmax())]

    def quantile(self, probability: float) -> float:
        """Compute a quantile of the hero's equity over the boards in `spots`.

        It is the smallest equity x such that the boards on which the hero has at most x have,
        together, at least the given probability.

        Args:
            probability: from 0 to 1; 0.5 for the median.

        Raises:
            HoldemValueError: `probability` is below 0 or above 1.
            HoldemTypeError: `probability` is not a number.
        """
        bounds = "from 0 to 1"
        checked = checked_number(probability, "probability", 0.0, 1.0, HoldemValueError, bounds)
        order = self.equities.argsort()
        # The cumulated probabilities of equal boards have rounding errors.
        position = np.searchsorted(self.probabilities[order].cumsum(), checked - 1e-12)
        return float(self.equities[order][min(int(position), len(order) - 1)])

    def __repr__(self) -> str:
        pair = f"{quoted(self.hero, 24)} v {quoted(self.villain, 24)}"
        error = f" ± {self.stderr:.6f}" if self.stderr else ""
        return f"<PairResult, {counted(self.boards, 'board')}: {pair} {self.equity:.6f}{error}>"

    def to_dict(self) -> dict[str, Any]:
        """Convert the results over all boards to a JSON object; grids are numbered from 1."""
        return {
            **to_json(self),
            **{
                name: {"board": cards_text(on.board), "equity": on.players[0].equity}
                for name, on in (("lowest", self.lowest.result), ("highest", self.highest.result))
            },
            **{name: self.quantile(probability) for name, probability in QUARTILES.items()},
        }

    def _mean(self, name: str) -> float:
        return fsum((self.probabilities * self._numbers[name]).tolist())


@attrs.frozen(repr=False)
class StudyResults(Result, Plottable):
    """The results of a study so far."""

    _report: ClassVar[str] = "holdem.report.spots_report:study_report"
    _chart: ClassVar[str] = "holdem.report.plots.charts:study_chart"

    complete: bool
    """Whether every spot is finished."""
    total: int
    """The number of spots of the study."""
    finished: int
    """The number of finished spots."""
    spots: tuple[SpotResult, ...] = attrs.field(hash=False)
    """The results of the spots that have any yet, in the order of the study."""
    pairs: tuple[PairResult, ...] = ()
    """For grids with several boards: the result over all boards of each hero against each villain
    or number of random opponents."""
    deals: int = 0
    """The number of deals of all spots together."""
    elapsed: float = attrs.field(default=0.0, eq=False)
    """The time spent on all spots, in seconds."""
    most_players: int = 0
    """The largest number of players in a spot."""

    def __repr__(self) -> str:
        return f"<StudyResults, {self.finished:,} of {counted(self.total, 'spot')} finished>"

    def to_dict(self) -> dict[str, Any]:
        """Build the JSON object that ``holdem results -f json`` prints."""
        return {
            "schema": "holdem/results/1",
            "complete": self.complete,
            "asked": self.total,
            "finished": self.finished,
            "spots": [spot.to_dict() for spot in self.spots],
            "pairs": [pair.to_dict() for pair in self.pairs],
        }

    def to_frame(self, library: str = "pandas", by: RowsOf = "spot") -> Any:
        """Convert the results to a data frame with the columns of the CSV.

        Args:
            library: ``"pandas"``, ``"polars"`` or ``"pyarrow"``, as in `Result.to_frame`.
            by: ``"spot"`` for a row for each spot, with the board, the weight and columns such as
                ``equity_1``; ``"player"`` for a row for each player of each spot; ``"pair"`` for
                a row for each item of `pairs`.

        Raises:
            HoldemTypeError: `library` or `by` is not text.
            HoldemValueError: `library` or `by` is none of these.
            HoldemRuntimeError: the library is not installed.
        """
        return self._make_frame(library, by=by)


def study_results(store: str | os.PathLike[str]) -> StudyResults:
    """Read the current results in a store, even while a run is in progress.

    Args:
        store: the file that `run_study` or ``holdem run`` has as its store.

    Raises:
        StoreError: the file does not exist, is not a store, or is damaged.
    """
    with read_store(store) as stored:
        return make_results(stored, one_line(os.fspath(store)))


def make_results(stored: StoredStudy, path: str) -> StudyResults:
    """Build the results of a study from the content of its store, whose spots are consumed.

    `path` is the file name of the store, for messages.
    """
    labels = {
        name: EvaluatorLabel(name, version)
        for name, (_, version) in stored.run["evaluators"].items()
    }
    spots: list[SpotResult] = []
    finished = 0
    boards: Counter[GridCell | None] = Counter()
    # By cell: the spots with an equity, and the `_NUMBERS` of each.
    found: dict[GridCell, tuple[list[SpotResult], list[tuple[float, ...]]]] = {}
    with damage_errors(path):
        for own in stored.spots:
            cell, is_finished = own.spot.cell, own.stop is not None
            finished += is_finished
            boards[cell] += 1
            if own.answer is None and not own.blocks:
                continue
            spot = _make_spot_result(labels, own)
            spots.append(spot)
            hero = spot.result.players[0]
            if cell is not None and not isnan(hero.equity):
                on_boards, numbers = found.setdefault(cell, ([], []))
                on_boards.append(spot)
                share = spot.weight * (spot.matchups or 0.0)
                rest = (getattr(hero, name) for name in _NUMBERS[2:])
                numbers.append((share, is_finished, *rest))
        pairs = tuple(
            PairResult(cell, boards[cell], tuple(on_boards), np.array(numbers, _RECORD))
            for cell, (on_boards, numbers) in found.items()
            if boards[cell] > 1
        )
        total = stored.run["spots"]
        return StudyResults(
            complete=finished == total,
            total=total,
            finished=finished,
            spots=tuple(spots),
            pairs=pairs,
            deals=sum(spot.result.deals for spot in spots),
            elapsed=sum((spot.result.elapsed for spot in spots), 0.0),
            most_players=max((len(spot.result.players) for spot in spots), default=0),
        )


def _make_spot_result(labels: dict[str, EvaluatorLabel], stored: StoredSpot) -> SpotResult:
    spot, record = stored.spot, stored.answer
    fields: dict[str, Any]
    if record is None:
        fields = {
            "method": "monte-carlo",
            "exact": False,
            "deals": stored.deals,
            "stop": stored.stop or "interrupted",
            "seed": spot.seed,
            "players": make_player_results(
                spot.players,
                spot.combos,
                stored.counts,
                spot.sampler,
                count_workers(None),
            ),
            "convergence": partial(measure_convergence, spot.sampler, stored.deals),
        }
    else:
        fields = {name: record[name] for name in ("method", "exact", "deals", "stop", "seed")}
        fields |= {
            "players": _rebuild_players(spot, record),
            "progress": record.get("progress", 1.0),
        }
    result = EquityResult(
        **fields,
        board=parse_cards(spot.board),
        dead=parse_cards(spot.dead),
        evaluator=labels[spot.evaluator],
        elapsed=stored.elapsed,
    )
    if record is None:
        set_board_breakdown(result, partial(_compute_board_breakdown, spot))
    return SpotResult(spot.name, result, spot.cell, spot.weight, spot.matchups)


def _rebuild_players(spot: StudySpot, record: dict[str, Any]) -> tuple[PlayerResult, ...]:
    """Rebuild the players' results from `record`, the stored `EquityResult.to_dict` of a spot."""
    parts = _Recomputed(spot) if record["exact"] else NoBreakdowns(len(spot.players))
    players = []
    for number, player in enumerate(record["players"]):
        fields = {name: player[name] for name in PLAYER_FIELDS if player[name] is not None}
        fields = {n: tuple(own) if isinstance(own, list) else own for n, own in fields.items()}
        fields["range"] = spot.players[number]
        players.append(PlayerResult(**fields, breakdowns=parts, seat=number))
    return tuple(players)


class _Recomputed(Breakdowns):
    """The breakdowns of an exact result from a store, for which the spot is computed again."""

    def __init__(self, spot: StudySpot) -> None:
        super().__init__()
        self._spot = spot

    def _player_tables(self, by: By, progress: bool, within: Workers | None) -> tuple[Any, ...]:
        result = self._compute(by, progress, within)
        return tuple(getattr(player, f"by_{by}") for player in result.players)

    def _board_breakdown(self, by: By, progress: bool, within: Workers | None) -> Any:
        result = self._compute(by, progress, within)
        return result.by_runout if by == "runout" else result.by_next_card

    def _compute(self, by: By, progress: bool, within: Workers | None) -> EquityResult:
        # The result is exact: its time limit was not reached.
        query = attrs.evolve(self._spot, time=None).query(count_workers(None))
        result = query.answer(progress=progress)
        compute_breakdowns(result, (by,), progress=progress, within=within)
        return result


def _compute_board_breakdown(
    spot: StudySpot, by: By, progress: bool, within: Workers | None
) -> Any:
    """Compute the `NextCardTable` or the `RunoutTable` of a sampled spot."""
    assert spot.seed is not None, "set when the run begins"
    compute = NextCards(
        spot.spot(), spot.method, spot.bounds, spot.seed, count_workers(None), (spot.question,)
    )
    return compute(by, progress, within)
