"""Rows of the CSV and of the data frames of a study's results."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from holdem.cards import cards_text
from holdem.errors import HoldemValueError, quoted
from holdem.report.equity_report import equity_csv
from holdem.report.layout.tables import Row
from holdem.trials.studies.results import RowsOf, SpotResult, StudyResults

_RUN = ("exact", "deals", "stop", "seed", "elapsed")
_FIGURES = ("equity", "win", "tie", "lose", "stderr", "wins", "ties", "losses")


def study_rows(results: StudyResults, by: RowsOf) -> tuple[Row, Iterable[Iterable[Any]]]:
    """Return column names and rows: one for each spot, each player of a spot, or each pair.

    Raises:
        HoldemValueError: `by` is another word.
    """
    if by == "spot":
        players = max((len(spot.result.players) for spot in results.spots), default=0)
        rows = [_spot_row(spot, players) for spot in results.spots]
    elif by == "player":
        rows = list(chain.from_iterable(map(_player_rows, results.spots)))
    elif by == "pair":
        rows = [_flat(pair.to_dict()) for pair in results.pairs]
    else:
        raise HoldemValueError(f"rows are by spot, player or pair, not by {quoted(by)}")
    return list(rows[0]) if rows else (), [row.values() for row in rows]


def _spot_row(spot: SpotResult, players: int) -> dict[str, Any]:
    """Return the columns of a spot; those of players that it does not have are None."""
    result = spot.result
    own = [*result.players, *[None] * (players - len(result.players))]
    named = list(enumerate(own, 1))
    return {
        "spot": spot.name,
        **{f"p{number}": getattr(player, "range", None) for number, player in named},
        "board": cards_text(result.board),
        "dead": cards_text(result.dead),
        "weight": spot.weight,
        **{
            f"{figure}_{number}": getattr(player, figure, None)
            for figure in _FIGURES
            for number, player in named
        },
        "method": result.method,
        **{name: getattr(result, name) for name in _RUN},
        "evaluator": result.evaluator.name,
    }


def _player_rows(spot: SpotResult) -> Iterable[dict[str, Any]]:
    names, rows = equity_csv(spot.result)
    for row in rows:
        yield {"spot": spot.name, **dict(zip(names, row, strict=True)), "weight": spot.weight}


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record with the items of inner records in columns such as ``lowest_board``."""
    flat: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, dict):
            flat |= {f"{name}_{inner}": item for inner, item in value.items()}
        else:
            flat[name] = value
    return flat
