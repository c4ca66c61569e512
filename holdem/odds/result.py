"""Results of `holdem.equity`: each player's equity and its standard error."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Literal, NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_number
from holdem.cached_property import cached_property
from holdem.cards import Card, read_only
from holdem.errors import HoldemValueError
from holdem.jobs.workers import Workers
from holdem.odds.breakdown import (
    PLAYER_BREAKDOWNS,
    Breakdowns,
    By,
    CategoryTable,
    ClassTable,
    ComboTable,
    ComputeBoardBreakdown,
    ConvergenceTable,
    NextCardTable,
    RunoutTable,
    check_breakdowns,
    validate_breakdown_names,
)
from holdem.odds.spot import check_names
from holdem.results.base_result import Plottable, Result
from holdem.results.fields import INTERVAL_HEAD, EvaluatorLabel, declared, shown, to_json

Number = int | float
Stop = Literal["exhausted", "deals", "stderr", "relative", "time", "interrupted"]


class Estimate(NamedTuple):
    """A mean with its standard error and confidence interval."""

    mean: float
    stderr: float
    """One standard error; 0.0 if the mean is exact."""
    ci95: tuple[float, float]
    """The 95% confidence interval; of zero width if the mean is exact."""


def _without_nan(value: Any) -> Any:
    """Replace NaN, or an interval of it, by None: numbers that are missing are equal."""
    return None if math.isnan(value[0] if isinstance(value, tuple) else value) else value


def _number(metadata: Any, missing: Any = math.nan) -> Any:
    """Declare a field that is NaN if an exact run was cut short."""
    return attrs.field(default=missing, metadata=metadata, eq=_without_nan)


@attrs.frozen(repr=False)
class PlayerResult(Plottable):
    """The result of one player.

    If an exact run was cut short, all numbers but `combos` are NaN (null in JSON) and `by_combo` is
    empty. A range against random hands before the flop is looked up in a table. Of four or five
    random hands that meet another range it has no wins, ties and losses: these are NaN, too.
    Breakdowns that it does not have are sampled, with seed 0, where an exact method is over the
    budget or has a limit of time; then `stderr` in their tables is above 0.
    """

    _chart: ClassVar[str] = "holdem.report.plots.heat_maps:player_chart"

    name: str | None = attrs.field(
        default=None,
        kw_only=True,
        metadata=shown(column="player_name", is_optional=True, in_text=False),
    )
    """The name of the player, if names were given."""
    range: str = attrs.field(metadata=shown(cell="range"))
    """The range as given; canonical text for a `Range`."""
    combos: int
    """The number of live combos: those that are held in at least one deal."""
    win: float = _number(shown(cell="%", error="win_stderr"))
    """The probability of winning alone."""
    tie: float = _number(shown(cell="%", error="tie_stderr"))
    """The probability of tying for the best hand."""
    lose: float = _number(shown(in_text=False))
    """The probability of losing: ``losses / (wins + ties + losses)``."""
    equity: float = _number(shown(cell="%", error="stderr"))
    """The expected share of the pot: a win counts as 1, a tie among k players as 1/k."""
    stderr: float = _number(shown(in_text=False))
    """The standard error of the equity; 0.0 if the equity is exact."""
    ci95: tuple[float, float] = _number(
        shown(head=INTERVAL_HEAD, cell="interval", error="stderr"), (math.nan, math.nan)
    )
    """The 95% confidence interval of the equity; of zero width if the equity is exact."""
    win_stderr: float = _number(shown(in_text=False))
    """The standard error of `win`."""
    win_ci95: tuple[float, float] = _number(shown(in_text=False), (math.nan, math.nan))
    """The 95% confidence interval of `win`."""
    tie_stderr: float = _number(shown(in_text=False))
    """The standard error of `tie`."""
    tie_ci95: tuple[float, float] = _number(shown(in_text=False), (math.nan, math.nan))
    """The 95% confidence interval of `tie`."""
    wins: Number = attrs.field(default=math.nan, metadata=shown(cell=","), eq=_without_nan)
    """Deals won alone: a count, or a sum of weights if an exact result has weights."""
    ties: Number = attrs.field(default=math.nan, metadata=shown(cell=","), eq=_without_nan)
    """Deals in which the player ties for the best hand, counted or weighted like `wins`."""
    losses: Number = attrs.field(default=math.nan, metadata=shown(cell=","), eq=_without_nan)
    _breakdowns: Breakdowns | None = attrs.field(default=None, eq=False)
    _seat: int = attrs.field(default=0, eq=False)

    def __repr__(self) -> str:
        return f"<PlayerResult, {_short(self)}>"

    @property
    def label(self) -> str:
        """The name of the player, or ``"player 1"`` and so on."""
        return self.name or f"player {self._seat + 1}"

    @property
    def by_combo(self) -> ComboTable:
        """The equities of the player's live combos, in ascending order of combo number.

        On first access, a sampled result draws its deals again, which takes longer than the
        run itself.
        """
        table: ComboTable = self._table("combo")
        return table

    @property
    def by_class(self) -> ClassTable:
        """The equities of the classes of starting hands in the player's range.

        On first access, a sampled result draws its deals again.
        """
        table: ClassTable = self._table("class")
        return table

    @property
    def by_category(self) -> CategoryTable:
        """The probability of each hand category at showdown, and the equity with that category.

        The table is exact if the equity is exact, except as said above. The first access computes
        the tables of all players: over all deals, which before the flop may take seconds, or by
        drawing the sampled deals again. `EquityResult.compute` does the same with a progress bar.
        """
        table: CategoryTable = self._table("category")
        return table

    def _table(self, by: By) -> Any:
        assert self._breakdowns is not None, "set in every result"
        return self._breakdowns.player_table(by, self._seat)

    def to_dict(self, by: Iterable[str] = ()) -> dict[str, Any]:
        """Convert the player's result to a JSON object, as in ``holdem equity -f json``.

        Args:
            by: the names of breakdowns to include: ``"class"``, ``"category"``, ``"combo"``.

        Raises:
            HoldemTypeError: `by` is neither a name nor a list of names.
            HoldemValueError: a player has no such breakdown.
        """
        breakdowns = validate_breakdown_names(by, PLAYER_BREAKDOWNS)
        tables = {f"by_{name}": getattr(self, f"by_{name}").to_dict() for name in breakdowns}
        values = {name: getattr(self, name) for name in _NUMBERS}
        missing = [name for name, value in values.items() if _without_nan(value) is None]
        return to_json(self, **dict.fromkeys(missing)) | tables


_NUMBERS = [
    own.name for own in attrs.fields(PlayerResult) if isinstance(own.default, float | tuple)
]

#: The fields of a `PlayerResult` that its JSON always has.
PLAYER_FIELDS = tuple(own.name for own in declared(PlayerResult) if not own.shown.is_optional)


@attrs.frozen(repr=False)
class EquityResult(Result, Plottable):
    """The result of `holdem.equity`.

    Equality ignores `elapsed`.
    """

    _report: ClassVar[str] = "holdem.report.equity_report:equity_report"
    _chart: ClassVar[str] = "holdem.report.plots.charts:equity_chart"

    method: Literal["exact", "monte-carlo"]
    exact: bool
    """Whether the result is exact; False for an exact run that was cut short."""
    deals: int
    """The number of possible deals if the result is exact, 0 if an exact run was cut short; the
    number of deals drawn if the result is sampled."""
    stop: Stop
    """Why the run ended: ``"exhausted"`` if an exact run is complete, ``"interrupted"`` if Ctrl-C
    was pressed, and otherwise the limit that was reached."""
    board: tuple[Card, ...] = attrs.field(metadata=shown(is_last=True))
    dead: tuple[Card, ...] = attrs.field(metadata=shown(is_last=True))
    seed: int | None
    """The seed used, given or drawn; None if the equities are exact."""
    evaluator: EvaluatorLabel = attrs.field(metadata=shown(is_last=True))
    elapsed: float = attrs.field(eq=False)
    """The duration in seconds, without the time to compile and load kernels."""
    players: tuple[PlayerResult, ...]
    progress: float = attrs.field(default=1.0, metadata=shown(in_json=False))
    """The share of the work done, 0..1; below 1 only for an exact run that was cut short."""
    _convergence: Callable[[], ConvergenceTable] | None = attrs.field(default=None, eq=False)

    def with_names(self, names: Sequence[str]) -> EquityResult:
        """Return a copy of the result that names the players in tables, charts and JSON.

        Args:
            names: a name for each player, such as ``["BTN", "BB"]``.

        Raises:
            HoldemValueError: there are too few or too many names, or one is empty, too long or
                given twice.
            HoldemTypeError: `names` is not a sequence of strings.
        """
        checked = check_names(names, len(self.players))
        players = zip(self.players, checked, strict=True)
        return attrs.evolve(
            self, players=tuple(attrs.evolve(player, name=name) for player, name in players)
        )

    def plot(
        self,
        ax: Any = None,
        *,
        by: str | None = None,
        player: int | None = None,
        names: Sequence[str] | None = None,
    ) -> Any:
        """Draw a chart with matplotlib, which must be installed.

        Without `ax`, the chart is drawn on a new figure of pyplot, which notebooks show.

        Args:
            ax: matplotlib axes, or a sequence of axes for a chart of several panels; None for
                a new figure.
            by: what is shown. ``"equity"``: the players' equities as bars, with their intervals.
                ``"convergence"``: the equities of a sampled run against the number of deals.
                ``"class"``: equities by class of starting hands in the 13×13 grid.
                ``"category"``: outcomes by category at showdown. ``"combo"``: the distribution
                of the equities of each range's combos. ``"next-card"``: the equities after each
                card that can come next. ``"runout"``: the equities after each turn and river.
                None is ``"convergence"`` for a sampled result and ``"equity"`` for an exact one.
            player: the player whose panel is drawn, from 0; None for all. Only for charts with
                a panel for each player.
            names: names of the players, as for `with_names`.

        Returns:
            The axes, or an array of them, ``object (panel,)``, for several panels.

        Raises:
            HoldemRuntimeError: matplotlib is not installed.
            HoldemTypeError: an argument has the wrong type.
            HoldemValueError: there is nothing to draw, or an argument is wrong.
        """
        named = self if names is None else self.with_names(names)
        return named._plot(ax, by=by, player=player)

    def save_plot(
        self,
        path: str | os.PathLike[str],
        *,
        by: str | None = None,
        player: int | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        """Draw the chart of `plot` and write it to a file; replace an existing file.

        Text in vector files stays text, and the user's settings of matplotlib have no effect.

        Args:
            path: the file, which ends in ``.png``, ``.svg`` or ``.pdf``.
            by: as for `plot`.
            player: as for `plot`.
            names: as for `plot`.

        Raises:
            HoldemRuntimeError: matplotlib is not installed.
            HoldemTypeError: an argument has the wrong type.
            HoldemValueError: there is nothing to draw, or an argument is wrong.
        """
        named = self if names is None else self.with_names(names)
        named._save_plot(path, by=by, player=player)

    @cached_property
    def by_next_card(self) -> NextCardTable:
        """The equities after each card that can come next, on a board of 3 or 4 cards.

        They are computed on first access, like `equity` with each card added to the board: exactly
        if the result is exact or, unless sampling was requested, if the cost is within the budget.
        Otherwise, deals are sampled for each card, from a separate random stream of the seed. The
        limits are a quarter of the result's limit of deals and twice that of the standard error; a
        time limit is divided among the cards.

        Raises:
            SpotError: the board does not have 3 or 4 cards.
        """
        table: NextCardTable = self._parts.tables("next-card")
        return attrs.evolve(table, now=self.equities)

    @cached_property
    def by_runout(self) -> RunoutTable:
        """The equities after each turn and river that can come on a flop, always exact.

        They are computed on first access, like `equity` with both cards added to the board.

        Raises:
            SpotError: the board does not have 3 cards.
            BudgetError: the exact answers would take too long, or take longer than the bound
                `time`, if it applies to this result.
        """
        table: RunoutTable = self._parts.tables("runout")
        return table

    @property
    def _parts(self) -> Breakdowns:
        breakdowns = self.players[0]._breakdowns
        assert breakdowns is not None, "set in every result"
        return breakdowns

    def compute(self, *by: By, progress: bool = False) -> None:
        """Compute breakdowns now, instead of when they are first used.

        Args:
            *by: ``"class"``, ``"category"``, ``"combo"``, ``"next-card"`` or ``"runout"``.
            progress: show a progress bar on standard error.

        Raises:
            HoldemTypeError: a name is not text.
            HoldemValueError: there is no such breakdown.
            SpotError: the board does not have the 3 or 4 cards that a breakdown by next card needs,
                or the 3 cards that a breakdown by runout needs.
            BudgetError: a breakdown by runout would take too long.
            Interrupted: Ctrl-C was pressed.
        """
        compute_breakdowns(self, by, progress=progress)

    @cached_property
    def convergence(self) -> ConvergenceTable:
        """The equities of a sampled run after increasing numbers of deals.

        On first access, the deals are drawn again.

        Raises:
            HoldemValueError: the result is not sampled.
        """
        if self._convergence is None:
            raise HoldemValueError(
                "only sampled results have a convergence; method='monte-carlo' samples"
            )
        return self._convergence()

    def nut_shares(self, top: float = 0.1) -> NDArray[np.float64]:
        """Compute the share of each player's range that is among the strongest combos.

        The combos of all players are ordered together by equity, and count by their weights. If
        combos with equal equities are at the limit, the same fraction of each is among the
        strongest.

        Args:
            top: the fraction of the combos that are the strongest, above 0 and at most 1.

        Returns:
            The share of each player's range, by weight, ``float64 (player,)``.

        Raises:
            HoldemTypeError: `top` is not a number.
            HoldemValueError: `top` is out of bounds, or there are no equities.
        """
        bounds = "above 0 and at most 1"
        top = checked_number(top, "top", math.ulp(0.0), 1, HoldemValueError, bounds)
        tables = [player.by_combo for player in self.players]
        equity = np.concatenate([table.equity for table in tables])
        weight = np.concatenate([table.weight for table in tables])
        holder = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
        is_known = ~np.isnan(equity)
        if not is_known.any():
            raise HoldemValueError("there are no equities: the exact run was cut short")
        _, level = np.unique(-equity[is_known], return_inverse=True)
        held = np.zeros((level.max() + 1, len(tables)))
        np.add.at(held, (level, holder[is_known]), weight[is_known])
        both = held.sum(axis=1)
        parts = ((top * both.sum() - (both.cumsum() - both)) / both).clip(0, 1)
        shares: NDArray[np.float64] = (parts @ held / held.sum(axis=0)).clip(0, 1)
        return shares

    @property
    def equities(self) -> NDArray[np.float64]:
        """The players' equities, ``float64 (player,)``; NaN if an exact run was cut short."""
        return read_only(np.array([player.equity for player in self.players], dtype=np.float64))

    @property
    def stderrs(self) -> NDArray[np.float64]:
        """The standard errors of the equities, ``float64 (player,)``; NaN as in `equities`."""
        return read_only(np.array([player.stderr for player in self.players], dtype=np.float64))

    def __repr__(self) -> str:
        how = self.method if self.exact or self.method != "exact" else "cut short"
        return f"<EquityResult, {how}: {', '.join(map(_short, self.players))}>"

    def to_dict(self, by: Iterable[str] = ()) -> dict[str, Any]:
        """Convert the result to the dictionary that ``holdem equity -f json`` prints.

        Args:
            by: the names of breakdowns to include: ``"class"``, ``"category"``, ``"combo"``,
                ``"next-card"``, ``"runout"``.

        Raises:
            HoldemTypeError: `by` is neither a name nor a list of names.
            HoldemValueError: there is no such breakdown.
            SpotError: the board does not have the 3 or 4 cards that a breakdown by next card needs,
                or the 3 cards that a breakdown by runout needs.
        """
        breakdowns = check_breakdowns(by, self.board)
        of_players = [name for name in breakdowns if name in PLAYER_BREAKDOWNS]
        answer: dict[str, Any] = {
            "schema": "holdem/equity/1",
            **to_json(self, players=[player.to_dict(of_players) for player in self.players]),
        }
        if "combo" in breakdowns and not math.isnan(self.players[0].equity):
            answer["nut_shares"] = self.nut_shares().tolist()
        if "next-card" in breakdowns:
            answer["by_next_card"] = self.by_next_card.to_dict()
        if "runout" in breakdowns:
            answer["by_runout"] = self.by_runout.to_dict()
        if self.method == "exact" and not self.exact:
            answer["progress"] = self.progress
        return answer


def set_board_breakdown(result: EquityResult | None, compute: ComputeBoardBreakdown) -> None:
    """Set `compute` as the function by which a result computes its tables by next card and runout.

    If `result` is None, do nothing.
    """
    if result is not None:
        breakdowns = result.players[0]._breakdowns
        assert breakdowns is not None, "set in every result"
        breakdowns.compute_board_breakdown = compute


def name_players(players: Sequence[int], names: Sequence[str] | None = None) -> str:
    """Format players as a phrase, such as ``"players 1, 2 and 3"`` or ``"BTN and BB"``.

    `players` are one or more indices from 0; `names` are those of all players.
    """
    *most, last = [str(player + 1) if names is None else names[player] for player in players]
    phrase = f"{', '.join(most)} and {last}" if most else last
    return phrase if names is not None else f"player{'s' * bool(most)} {phrase}"


def compute_breakdowns(
    result: EquityResult,
    by: Iterable[By],
    *,
    progress: bool = False,
    within: Workers | None = None,
) -> None:
    """Compute breakdowns of a result now, like `EquityResult.compute`."""
    for name in check_breakdowns(by, result.board):
        result._parts.tables(name, progress=progress, within=within)


def _short(player: PlayerResult) -> str:
    text = player.range if len(player.range) <= 24 else player.range[:23] + "…"
    if math.isnan(player.equity):
        return text
    error = f" ± {player.stderr:.6f}" if player.stderr else ""
    return f"{text} {player.equity:.6f}{error}"
