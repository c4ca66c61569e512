"""Reports on an equity result, and on the plan for computing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

from holdem.cards import Card
from holdem.errors import counted
from holdem.odds.api import Query
from holdem.odds.breakdown import By
from holdem.odds.result import EquityResult
from holdem.report.breakdown_reports import breakdown_columns, lay_out_breakdowns
from holdem.report.cells import (
    cards_in_report,
    clip,
    count,
    decimals,
    exact_decimals,
    interval,
    percent,
    range_in_report,
)
from holdem.report.model import Block, Column, Report, Table, columns_of_rows

#: The columns of an equity result, which has a row for each player.
EQUITY_COLUMNS = (
    "player int64, player_name? string, range string, combos int64,"
    " win float64, tie float64, lose float64, equity float64, stderr float64,"
    " ci95_low float64, ci95_high float64,"
    " win_stderr float64, win_ci95_low float64, win_ci95_high float64,"
    " tie_stderr float64, tie_ci95_low float64, tie_ci95_high float64,"
    " wins float64, ties float64, losses float64, method string, exact bool, deals int64,"
    " stop string, seed Int64, evaluator string, elapsed float64, progress float64,"
    " board string, dead string, evaluator_version string"
)
_STOPS = {
    "deals": "",
    "stderr": " (stopped by standard error)",
    "time": " (stopped by time)",
    "interrupted": " (interrupted: fewer than requested)",
}
_INTERVAL = ("95 % interval",)
_COUNTS = ("wins", "ties", "losses")


def equity_report(result: EquityResult, by: Sequence[By] = ()) -> Report:
    """Build a `Report` on an equity result.

    Args:
        result: the result.
        by: the reports on where the equity comes from. The CSV is that of the first one.
    """
    columns = partial(breakdown_columns, result, by[0]) if by else partial(_build_columns, result)
    return Report(partial(result.to_dict, by), partial(_lay_out, result, by), columns)


def _build_columns(result: EquityResult) -> list[Column]:
    return columns_of_rows(EQUITY_COLUMNS, equity_rows(result))


def equity_rows(result: EquityResult) -> list[dict[str, Any]]:
    """List one JSON record per player, with the values of the player and of the run."""
    record = result.to_dict()
    return [
        {"player": n, "player_name": own.get("name"), **record, **own}
        for n, own in enumerate(record["players"], 1)
    ]


def known_cards(board: tuple[Card, ...], dead: tuple[Card, ...]) -> str:
    """Describe a spot's board and dead cards; an empty string if there are none."""
    named = (("board", board), ("dead", dead))
    return ", ".join(f"{name} {cards_in_report(cards)}" for name, cards in named if cards)


def _lay_out(result: EquityResult, by: Sequence[By]) -> Iterator[Block]:
    sampled = result.method == "monte-carlo"
    counts = [(player.wins, player.ties, player.losses) for player in result.players]
    count_digits = exact_decimals(chain.from_iterable(counts))
    rows = []
    for number, (player, outcomes) in enumerate(zip(result.players, counts, strict=True), 1):
        text = range_in_report(clip(player.range))
        digits = decimals(player.stderr)
        label = player.name or str(number)
        row = [label, text, f"{player.combos:,}", percent(player.equity, digits)]
        if sampled:
            assert player.ci95 is not None
            row.append(interval(player.ci95, digits))
        row.append(percent(player.win, decimals(player.win_stderr)))
        row.append(percent(player.tie, decimals(player.tie_stderr)))
        rows.append([*row, *(count(outcome, count_digits) for outcome in outcomes)])
    yield Table(
        ["player", "range", "combos", "equity", *_INTERVAL[:sampled], "win", "tie", *_COUNTS],
        rows,
        left=2,
        title=known_cards(result.board, result.dead),
        note=_footer(result),
        optional=(_COUNTS, ("combos",)),
        bars=[player.equity for player in result.players],
        bars_head="equity",
    )
    yield from lay_out_breakdowns(result, by)


def _footer(result: EquityResult) -> str:
    run = f"evaluator {result.evaluator.name}, {result.elapsed:.3f} s"
    if result.exact:
        return f"exact over {counted(result.deals, 'deal')}; {run}"
    if result.method == "exact":
        return (
            f"interrupted after {100 * result.progress:.0f} % of an exact run: no equity, because"
            f" the finished part is not a random sample; use --method monte-carlo; {run}"
        )
    deals = counted(result.deals, "deal")
    return f"Monte Carlo over {deals}{_STOPS[result.stop]}, seed {result.seed}; {run}"


def plan_report(query: Query) -> Report:
    """Build the `Report` that ``holdem equity --explain-plan`` prints."""
    return Report(partial(_plan_record, query), partial(_lay_out_plan, query))


def _plan_record(query: Query) -> dict[str, Any]:
    plan = query.plan
    return {
        "schema": "holdem/plan/1",
        "method": plan.method,
        "way": plan.chosen.name if plan.chosen else None,
        "reason": plan.reason,
        "deals": plan.deals,
        "budget": plan.budget,
        "considered": [
            {"way": found.name, "evaluations": found.evaluations} for found in plan.considered
        ],
        "evaluations_a_deal": plan.evaluations_a_deal,
        "without_effect": list(query.unused_bounds),
    }


def _lay_out_plan(query: Query) -> Iterator[Block]:
    lines = [*query.plan.lines(), query.unused_note("--")]
    yield "\n".join(line for line in lines if line)
