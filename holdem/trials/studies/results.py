"""The answers of a long run, finished or not, read from its store."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

import attrs

from holdem.cards import parse_cards
from holdem.odds import api
from holdem.odds.result import ComboResult, EquityResult, EvaluatorLabel, PlayerResult
from holdem.odds.sampling.estimates import Estimate
from holdem.odds.sampling.players import combos_of_sample, players_of_counts
from holdem.odds.sampling.sampler import Sampler
from holdem.trials.studies.store import read_store
from holdem.trials.studies.store_rows import Kept, KeptSpot
from holdem.trials.studies.study import StudySpot


@attrs.frozen
class SpotAnswer:
    """What is known of one spot of a study."""

    name: str
    result: EquityResult
    """``stop`` is ``"interrupted"`` where the spot is sampled and has not ended."""
    cell: tuple[int, str, int] | None
    """The number of its grid from 0 on, the hero's hand and the number of opponents."""

    def to_dict(self) -> dict[str, Any]:
        """Return the spot's part of the JSON: an equity object with a name."""
        return {"name": self.name, **self.result.to_dict()}


@attrs.frozen
class StudyResults:
    """What is known of a study."""

    complete: bool
    """Whether every spot has ended."""
    asked: int
    """How many spots the study has."""
    finished: int
    """How many of them have ended."""
    spots: tuple[SpotAnswer, ...]
    """In the order of the study; those of which nothing is known yet are left out."""

    def to_dict(self) -> dict[str, Any]:
        """Return what ``holdem results -f json`` prints."""
        return {
            "schema": "holdem/results/1",
            "complete": self.complete,
            "asked": self.asked,
            "finished": self.finished,
            "spots": [spot.to_dict() for spot in self.spots],
        }


def study_results(store: str | os.PathLike[str]) -> StudyResults:
    """Return what the store of a long run holds at this moment, also while the run goes on.

    Raises:
        StoreError: no such file, no store, or a damaged one.
    """
    return results_of(read_store(store))


def results_of(kept: Kept) -> StudyResults:
    """Turn what a store holds into answers."""
    labels = {
        name: EvaluatorLabel(name, version) for name, (_, version) in kept.run["evaluators"].items()
    }
    spots = tuple(
        SpotAnswer(spot.asked.name, _result(spot, labels[spot.asked.evaluator]), spot.asked.cell)
        for spot in kept.spots
        if spot.answer is not None or spot.blocks
    )
    finished = sum(spot.stop is not None for spot in kept.spots)
    return StudyResults(finished == len(kept.spots), len(kept.spots), finished, spots)


def _result(spot: KeptSpot, label: EvaluatorLabel) -> EquityResult:
    asked = spot.asked
    if spot.answer is not None:
        return _of_record(asked, spot.answer, label, spot.elapsed)
    return EquityResult(
        method="monte-carlo",
        exact=False,
        deals=spot.deals,
        stop=spot.stop or "interrupted",
        board=parse_cards(asked.board),
        dead=parse_cards(asked.dead),
        seed=asked.seed,
        evaluator=label,
        elapsed=spot.elapsed,
        players=players_of_counts(
            asked.players, asked.combos, spot.counts, partial(_drawn_again, asked, spot.deals)
        ),
    )


def _of_record(
    asked: StudySpot, record: dict[str, Any], label: EvaluatorLabel, elapsed: float
) -> EquityResult:
    """Return the result of the record that `EquityResult.to_dict` makes of an exact one."""
    players = []
    for number, found in enumerate(record["players"]):
        equity, win, tie = (
            None
            if found[name] is None
            else Estimate(found[name], found[f"{prefix}stderr"], tuple(found[f"{prefix}ci95"]))
            for name, prefix in (("equity", ""), ("win", "win_"), ("tie", "tie_"))
        )
        players.append(
            PlayerResult(
                range=found["range"],
                combos=found["combos"],
                wins=found["wins"],
                ties=found["ties"],
                losses=found["losses"],
                lose=found["lose"],
                equity=equity,
                win=win,
                tie=tie,
                by_combo=partial(_counted_again, asked, number),
            )
        )
    return EquityResult(
        method=record["method"],
        exact=record["exact"],
        deals=record["deals"],
        stop=record["stop"],
        board=parse_cards(record["board"]),
        dead=parse_cards(record["dead"]),
        seed=record["seed"],
        evaluator=label,
        elapsed=elapsed,
        players=tuple(players),
        progress=record.get("progress", 1.0),
    )


def sampler_of(asked: StudySpot) -> Sampler:
    """Return what draws the deals of a study's spot: a stream of its own for each question."""
    assert asked.seed is not None, "filled in when the run began"
    return Sampler(asked.spot(), asked.seed, asked.question)


def _drawn_again(asked: StudySpot, deals: int, player: int) -> tuple[ComboResult, ...]:
    return combos_of_sample(sampler_of(asked), deals, player)


def _counted_again(asked: StudySpot, player: int) -> tuple[ComboResult, ...]:
    result = api.equity(
        *asked.players,
        board=asked.board,
        dead=asked.dead,
        method=asked.method,
        evaluator=asked.evaluator,
    )
    return result.players[player].by_combo
