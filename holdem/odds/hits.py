"""The public function `hits` and its result: made hands, draws and category probabilities."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from math import fsum
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import Card, CardsLike
from holdem.errors import HoldemValueError, HoldemWarning
from holdem.evaluation.registry import EvaluatorLike
from holdem.jobs.run import run
from holdem.jobs.stopwatch import Stopwatch
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.exact.method import ExhaustiveJob
from holdem.odds.hand_lines import can_order_lines, join_fine_lines
from holdem.odds.line_counts import FLOP, CategoryCount, Counts, LineCount
from holdem.odds.named_lines import NEEDS_A_BOARD, unite_lines
from holdem.odds.spot import BOARD_SIZE, PlayerLike, Spot, make_spot
from holdem.ranges.combos import COMBO_COUNT
from holdem.ranges.range import Range
from holdem.ranges.weights import combo_records
from holdem.results.base_result import Plottable, Result
from holdem.results.fields import EvaluatorLabel, shown, to_json

_TURN = 4  # cards on the board


@attrs.frozen
class HitGroup:
    """The combos of a range that have a given made hand or draw.

    Before the flop, each combo counts by its probability of flopping the made hand or draw.
    """

    combos: float = attrs.field(metadata=shown(cell=","))
    """The sum of the weights in `range`."""
    share: float = attrs.field(metadata=shown(cell=".2%"))
    """`combos` as a share of the total weight of the range's live combos, from 0 to 1. Before the
    flop, the probability of the made hand or draw on the flop."""
    range: Range = attrs.field(metadata=shown(dtype="string", in_json=False, in_text=False))
    """The combos with their weights. Before the flop, each weight is multiplied by the
    probability that the combo has the made hand or draw on the flop."""

    def to_dict(self, *, members: bool = False) -> dict[str, Any]:
        """Convert the group to a JSON object, in which the range is its canonical text.

        Args:
            members: also list the combos with their weights, under ``members``.
        """
        record = {**to_json(self), "range": str(self.range)}
        if members:
            record["members"] = combo_records(self.range.weights)
        return record


@attrs.frozen(repr=False)
class Hits(Result, Plottable):
    """The result of `hits`: the made hands and draws of a range on a board, or on all flops.

    Equality ignores `elapsed`.
    """

    _report: ClassVar[str] = "holdem.report.hits_report:hits_report"
    _chart: ClassVar[str] = "holdem.report.plots.charts:hits_chart"

    range: str
    """The range as given; canonical text for a `Range`."""
    combos: float
    """The sum of the weights of the live combos: those without a board or dead card."""
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    runouts: int
    """The number of ways in which the board can be completed if the player has a given combo."""
    evaluator: EvaluatorLabel
    elapsed: float = attrs.field(eq=False)
    """The duration in seconds, without the time to compile and load kernels."""
    made: dict[str, HitGroup] = attrs.field(hash=False)
    """The combos with each made hand, strongest hand first; every live combo is in one of them.
    Before the flop, averages over all flops."""
    draws: dict[str, HitGroup] = attrs.field(hash=False)
    """The combos with each draw; a combo may be in several. Before the flop, averages over all
    flops. Empty if the board has five cards, or if twos are wild."""
    by_flop: dict[str, float] = attrs.field(hash=False)
    """The probability of each category on the flop, strongest category first. Empty if a board is
    given."""
    by_turn: dict[str, float] = attrs.field(hash=False)
    """The probability of each category on the turn, strongest category first. Empty if a board is
    given; for a flop, see `by_next_card`."""
    by_next_card: dict[str, float] = attrs.field(hash=False)
    """The probability of each category after the next card, strongest category first. Empty except
    on a flop or turn."""
    by_river: dict[str, float] = attrs.field(hash=False)
    """The probability of each category at the river, strongest category first."""

    def __repr__(self) -> str:
        text = self.range if len(self.range) <= 24 else self.range[:23] + "…"
        shares = {name: group.share for name, group in self.made.items()}
        likely = sorted(shares, key=lambda name: shares[name], reverse=True)[:3]
        listed = ", ".join(f"{name} {shares[name]:.6f}" for name in likely if shares[name])
        return f"<Hits of {text}: {listed}>"

    def keep(self, *lines: str) -> Range:
        """Return the combos with any of the given made hands or draws, with unchanged weights.

        Args:
            *lines: the names of made hands and draws; a comma separates several in one string, and
                ``"top pair+"`` is a top pair or a better made hand.

        Raises:
            HoldemValueError: there is no board, or no such made hand or draw on it.
            HoldemTypeError: a name is not a string.
        """
        return self._unite(lines)

    def remove(self, *lines: str) -> Range:
        """Return the combos with none of the given made hands or draws, with unchanged weights.

        The arguments and errors are those of `keep`.
        """
        return self._unite(self.made) - self._unite(lines)

    def _unite(self, lines: Iterable[str]) -> Range:
        if not self.board:
            raise HoldemValueError(NEEDS_A_BOARD)
        made, draws = (
            {name: group.range for name, group in groups.items()}
            for groups in (self.made, self.draws)
        )
        return unite_lines(made, draws, lines)

    def to_dict(self, *, members: bool = False) -> dict[str, Any]:
        """Convert the result to the dictionary that ``holdem hits -f json`` prints.

        Args:
            members: also list the combos of each made hand and draw, under ``members``.
        """
        groups = {
            kind: {name: group.to_dict(members=members) for name, group in found.items()}
            for kind, found in (("made", self.made), ("draws", self.draws))
        }
        return {"schema": "holdem/hits/1", **to_json(self, **groups)}


def hits(
    hands: PlayerLike,
    board: CardsLike | None = None,
    *,
    dead: CardsLike | None = None,
    fine: bool = False,
    workers: int | None = None,
    evaluator: EvaluatorLike | None = None,
    progress: bool = False,
) -> Hits:
    """Count a range's made hands and draws, and compute its probability of each hand category.

    Made hands and draws are those on the given board; without a board, they are those on the flop,
    averaged over all flops. The probabilities of categories are those on the streets to come, over
    the live combos and all the board cards that can follow. All numbers are exact, and there are no
    opponents. Combos with a board or dead card are left out, and the others count by their weights.

    Args:
        hands: a `Range`, text (``"AsKs"``, ``"QQ+, AKs"``, ``"random"``) or two cards.
        board: up to five cards.
        dead: cards out of play.
        fine: split top pairs by kicker, and weak pairs and flush draws in two; add combo draws
            and double gutshots.
        workers: the number of threads; all cores if None. The answer does not depend on it.
        evaluator: a name, an `EvaluatorSpec` or a `RuleSet`; None for the default evaluator.
        progress: show a progress bar on standard error.

    Returns:
        The made hands and draws on the board or the flop, and the probabilities of the
        categories on the streets to come.

    Raises:
        HoldemError: an argument is invalid, or an evaluator other than the default would take
            too long.
        Interrupted: Ctrl-C was pressed; ``finished`` is None.

    Example:
        >>> import holdem
        >>> hits = holdem.hits("QQ+,AK", board="Ks7d2c")
        >>> {line: group.combos for line, group in hits.made.items() if group.combos}
        {'set': 3.0, 'overpair': 6.0, 'top pair': 12.0, 'second pair': 6.0}
    """
    workers = count_workers(workers)
    spot = make_spot((hands,), board, dead, evaluator, fewest=1)
    rules = spot.evaluator.rules
    if not (rules.deuces_wild or can_order_lines(rules)):
        warnings.warn(
            f"made hands are categories only: by {rules.name} rules, the weakest hands are not a"
            " high card, a pair and two pair in this order, so that lines such as a set or top pair"
            " cannot be ordered",
            HoldemWarning,
            stacklevel=2,
        )
    return hits_of_spot(spot, workers, fine=fine, progress=progress)


def hits_of_spot(
    spot: Spot,
    workers: int,
    *,
    fine: bool = False,
    progress: bool = False,
    within: Workers | None = None,
) -> Hits:
    """Compute the `Hits` of the range in a spot of one player."""
    stopwatch = Stopwatch()

    def count(job: ExhaustiveJob[Counts]) -> Counts:
        return run(job, workers, progress=progress, within=within)

    # All jobs are made before the first one runs: one that would take too long is refused at once.
    size = len(spot.board)
    later = [to_come for to_come in (_TURN, BOARD_SIZE) if to_come > size]
    jobs = {to_come: CategoryCount(spot, to_come) for to_come in later}
    lines = LineCount(spot)
    made, drawing, categories = lines.name(count(lines))
    if not fine:
        made, drawing = join_fine_lines(made), join_fine_lines(drawing)
    now = _compute_probabilities(spot, np.array([*categories.values()]))
    found = {to_come: _compute_probabilities(spot, count(job)) for to_come, job in jobs.items()}
    by_river = found.get(BOARD_SIZE, now)
    by_turn = found.get(_TURN, by_river)
    return Hits(
        range=spot.texts[0],
        combos=fsum(spot.weights(0)),
        made=make_groups(spot, made, lines.boards_of_each),
        draws=make_groups(spot, drawing, lines.boards_of_each),
        by_flop=now if size < FLOP else {},
        by_turn=by_turn if size < FLOP else {},
        by_next_card=by_turn if size in (FLOP, _TURN) else {},
        by_river=by_river,
        runouts=spot.runouts,
        board=spot.board,
        dead=spot.dead,
        evaluator=spot.evaluator.label,
        elapsed=stopwatch.elapsed,
    )


def make_groups(spot: Spot, lines: dict[str, Counts], boards: int) -> dict[str, HitGroup]:
    """Build a `HitGroup` for each made hand or draw from counts ``int64 (combo,)`` of boards.

    The spot has one player; each live combo was tested on `boards` boards.
    """
    total = fsum(spot.weights(0))
    found = {}
    for name, counts in lines.items():
        weights: NDArray[np.float64] = np.zeros(COMBO_COUNT)
        weights[spot.live[0]] = spot.weights(0) * (counts / boards)
        combos = fsum(weights)
        found[name] = HitGroup(combos, combos / total, Range.from_weights(weights))
    return found


def _compute_probabilities(spot: Spot, counts: Counts) -> dict[str, float]:
    """Compute the probability of each category by name, strongest category first.

    `counts` are the boards on which each live combo has each category, weakest category first,
    ``int64 (category, combo)``.
    """
    weights = spot.weights(0)
    sums = [fsum(weights * of_category) for of_category in counts]
    total = fsum(sums)
    named = zip(spot.evaluator.rules.categories, sums, strict=True)
    return {name: found / total for name, found in reversed(list(named))}
