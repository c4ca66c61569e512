"""The public function `hits` and its result."""

from __future__ import annotations

from math import fsum
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.base_result import EvaluatorLabel, Pictured, Result
from holdem.cards import Card, CardsLike
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.jobs.run import Stopwatch
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.hits.category_counts import Counts, count_categories
from holdem.odds.hits.made_hands import draws, made_hands
from holdem.odds.spot import Spot, make_spot
from holdem.ranges.combos import COMBO_COUNT, Mask
from holdem.ranges.range import Range
from holdem.ranges.weights import combo_records


@attrs.frozen
class HitGroup:
    """The combos of a range that have one made hand or one draw."""

    combos: float
    """The sum of their weights."""
    share: float
    """Their share of the range's live combos, by weight, from 0 to 1."""
    range: Range
    """The combos with their weights."""

    def to_dict(self, *, members: bool = False) -> dict[str, Any]:
        """Return the group as a JSON object; the range is canonical text.

        Args:
            members: also list the combos with their weights, under ``members``.
        """
        record = {"combos": self.combos, "share": self.share, "range": str(self.range)}
        if members:
            record["members"] = combo_records(self.range.weights)
        return record


@attrs.frozen(repr=False)
class Hits(Result, Pictured):
    """The result of `hits`.

    Equality ignores `elapsed`.
    """

    _report: ClassVar[str] = "holdem.report.hits_report:hits_report"
    _picture: ClassVar[str] = "holdem.report.plots.bars:hits_picture"

    range: str
    """The range as given; canonical text for a `Range`."""
    combos: float
    """The sum of the weights of the live combos: those without a board or dead card."""
    made: dict[str, HitGroup] = attrs.field(hash=False)
    """The combos with each made hand, strongest hand first; every live combo is in one of them.
    Empty before the flop."""
    draws: dict[str, HitGroup] = attrs.field(hash=False)
    """The combos with each draw; a combo may be in several. Empty but on a flop or turn, and
    where twos are wild."""
    by_next_card: dict[str, float] = attrs.field(hash=False)
    """The probability of each category after the next card, strongest category first. Empty but
    on a flop or turn."""
    by_river: dict[str, float] = attrs.field(hash=False)
    """The probability of each category at the river, strongest category first."""
    runouts: int
    """The number of runouts of each combo."""
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    evaluator: EvaluatorLabel
    elapsed: float = attrs.field(eq=False)
    """The duration in seconds, without the time to compile kernels."""

    def __repr__(self) -> str:
        text = self.range if len(self.range) <= 24 else self.range[:23] + "…"
        shares = {name: group.share for name, group in self.made.items()} or self.by_river
        likely = sorted(shares, key=lambda name: shares[name], reverse=True)[:3]
        listed = ", ".join(f"{name} {shares[name]:.6f}" for name in likely if shares[name])
        return f"<Hits of {text}: {listed}>"

    def to_dict(self, *, members: bool = False) -> dict[str, Any]:
        """Return the result as the dictionary that ``holdem hits -f json`` prints.

        Args:
            members: also list the combos of each made hand and draw, under ``members``.
        """
        groups = {
            report: {name: group.to_dict(members=members) for name, group in found.items()}
            for report, found in (("made", self.made), ("draws", self.draws))
        }
        return {
            "schema": "holdem/hits/1",
            "range": self.range,
            "combos": self.combos,
            "board": [str(card) for card in self.board],
            "dead": [str(card) for card in self.dead],
            "runouts": self.runouts,
            "evaluator": self.evaluator.to_dict(),
            "elapsed": self.elapsed,
            **groups,
            "by_next_card": dict(self.by_next_card),
            "by_river": dict(self.by_river),
        }


def hits(
    hands: str | Range,
    *,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    workers: int | None = None,
    evaluator: str | Evaluator | EvaluatorSpec | None = None,
    progress: bool = False,
) -> Hits:
    """Compute a range's made hands and draws on a board, and its categories to come.

    All figures are exact, and there are no opponents. Combos with a board or dead card are left
    out. The others count by their weights.
    Probabilities are over the live combos and all runouts that can follow each.

    Args:
        hands: a `Range` or text: ``"AsKs"``, ``"QQ+, AKs"``, ``"random"``.
        board: 0, 3, 4 or 5 cards.
        dead: cards out of play.
        workers: the number of threads; all cores if None. The answer does not depend on it.
        evaluator: a name, a spec, or None for the default.
        progress: show a progress bar on standard error.

    Returns:
        The made hands and draws on the board, and the probabilities of the categories after
        the next card and at the river.

    Raises:
        HoldemError: an argument is invalid, or another evaluator than the default would take
            too long.
        Interrupted: Ctrl-C was pressed; ``finished`` is None.
    """
    workers = count_workers(workers)
    spot = make_spot((hands,), board, dead, evaluator, fewest=1)
    return hits_of_spot(spot, workers, progress=progress)


def hits_of_spot(
    spot: Spot, workers: int, *, progress: bool = False, within: Workers | None = None
) -> Hits:
    """Return the hits of the only player of a spot.

    Args:
        spot: the range, the board and the dead cards.
        workers: the number of threads.
        progress: show a progress bar on standard error.
        within: as in `holdem.jobs.run.run`.
    """
    stopwatch = Stopwatch()
    by_river = count_categories(spot, spot.to_come, workers, progress=progress, within=within)
    by_next_card, made, drawing = {}, {}, {}
    rules, live = spot.evaluator.rules, spot.live[0]
    if spot.board:
        now = by_river
        if spot.to_come:
            now = count_categories(spot, 0, workers, progress=progress, within=within)
        made = made_hands(live, spot.board, now.argmax(axis=1), rules)
    if spot.board and spot.to_come:
        following = by_river
        if spot.to_come > 1:
            following = count_categories(spot, 1, workers, progress=progress, within=within)
        by_next_card = _probabilities(spot, following)
        drawing = {} if rules.deuces_wild else draws(live, spot.board, rules)
    return Hits(
        range=spot.texts[0],
        combos=fsum(spot.weights(0)),
        made=_groups(spot, made),
        draws=_groups(spot, drawing),
        by_next_card=by_next_card,
        by_river=_probabilities(spot, by_river),
        runouts=spot.runouts,
        board=spot.board,
        dead=spot.dead,
        evaluator=spot.evaluator.label,
        elapsed=stopwatch.elapsed,
    )


def _groups(spot: Spot, masks: dict[str, Mask]) -> dict[str, HitGroup]:
    total = fsum(spot.weights(0))
    found = {}
    for name, mask in masks.items():
        weights: NDArray[np.float64] = np.zeros(COMBO_COUNT)
        weights[spot.live[0][mask]] = spot.weights(0)[mask]
        combos = fsum(weights)
        found[name] = HitGroup(combos, combos / total, Range.from_weights(weights))
    return found


def _probabilities(spot: Spot, counts: Counts) -> dict[str, float]:
    """Return the probability of each category, strongest first, from the counts of boards."""
    weights = spot.weights(0)
    sums = [fsum(weights * of_category) for of_category in counts.T]
    total = fsum(sums)
    named = zip(spot.evaluator.rules.categories, sums, strict=True)
    return {name: found / total for name, found in reversed(list(named))}
