"""Reports on an equity result, the plan to compute it, and an equity matrix.

Another report explains known hands: who is ahead, the outs, and the equities by street.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from holdem.cards import Card
from holdem.errors import counted
from holdem.odds.breakdown import By
from holdem.odds.equity import Query
from holdem.odds.pot_odds import Price
from holdem.odds.result import EquityResult, PlayerResult
from holdem.odds.spot import BOARD_SIZE
from holdem.report import cells
from holdem.report.breakdown_reports import breakdown_columns, lay_out_breakdowns
from holdem.report.colours import DIVERGING
from holdem.report.model import (
    Block,
    Column,
    Report,
    Table,
    array_column,
    columns_of_rows,
    text_columns,
)
from holdem.results.fields import INTERVAL_HEAD, ColumnType, column, columns_of

if TYPE_CHECKING:
    from holdem.odds.equity_matrix import EquityMatrix
    from holdem.odds.explanation import Explanation

_STOPS = {
    "deals": "",
    "stderr": " (stopped by standard error)",
    "relative": " (stopped by relative error)",
    "time": " (stopped by time)",
    "interrupted": " (interrupted: fewer than requested)",
}
_COUNTS = ("wins", "ties", "losses")
_MATRIX_ROWS, _MATRIX_COLUMNS = 12, 8  # shown in text, at most


def equity_report(
    result: EquityResult, by: Sequence[By] = (), price: Price | None = None
) -> Report:
    """Build a `Report` on an equity result with these breakdowns; the CSV has the first, if any.

    With a price, the pot and the bet, the text and the JSON also have the equity that the first
    player needs for a call and, with two players, how often the other one must fold for a bet to
    break even.
    """

    def parts() -> Iterator[list[Column]]:
        if by:
            yield breakdown_columns(result, by[0])
        else:
            yield columns_of_rows(equity_types(), equity_rows(result))

    def record() -> dict[str, Any]:
        answer = result.to_dict(by)
        if price is not None:
            answer["price"] = price.to_dict(result.players[0].equity, len(result.players))
        return answer

    return Report(record, partial(_lay_out, result, by, price), parts)


def equity_types() -> list[ColumnType]:
    """List the names and types of the columns of an equity result; its rows are the players."""
    return columns_of(column("player", int), PlayerResult, EquityResult)


def equity_rows(result: EquityResult) -> list[dict[str, Any]]:
    """List a row for each player: the items of the result's ``to_dict`` and those of the player."""
    record = result.to_dict()
    return [
        {"player": n, "player_name": own.get("name"), **record, **own}
        for n, own in enumerate(record["players"], 1)
    ]


def known_cards(board: tuple[Card, ...], dead: tuple[Card, ...]) -> str:
    """Describe a spot's board and dead cards; an empty string if there are none."""
    named = (("board", board), ("dead", dead))
    return ", ".join(f"{name} {cells.cards_in_report(cards)}" for name, cards in named if cards)


def _lay_out(result: EquityResult, by: Sequence[By], price: Price | None) -> Iterator[Block]:
    sampled = result.method == "monte-carlo"
    without = () if sampled else (INTERVAL_HEAD,)
    columns = text_columns(PlayerResult, result.players, without=without)
    columns["player"] = [player.name or str(n) for n, player in enumerate(result.players, 1)]
    yield Table.of(
        columns,
        ("player", "range", "combos", "equity", INTERVAL_HEAD),
        left=2,
        title=known_cards(result.board, result.dead),
        note=_footer(result),
        optional=(_COUNTS, ("combos",)),
        bars=[None if isnan(player.equity) else player.equity for player in result.players],
        bars_head="equity",
    )
    if price is not None:
        yield _lay_out_price(result, price)
    yield from lay_out_breakdowns(result, by)


def _lay_out_price(result: EquityResult, price: Price) -> Table:
    first = result.players[0]
    equity, name = first.equity, first.name or "player 1"
    rows = [
        [f"{name} calls", "needs equity", cells.percent(price.needed, 2), "bet / (pot + 2 bet)"]
    ]
    if not isnan(equity):
        has = f"{cells.percent(equity, 2)}, {price.verdict(equity)}"
        rows.append(["", "has, by equity alone", has, ""])
        rows.append(["", "EV", f"{price.value(equity):+.2f}", "equity (pot + 2 bet) - bet"])
    if first.combos > 1:
        rows.append(["", "must defend (MDF)", cells.percent(price.defence, 2), "pot / (pot + bet)"])
    bluff = ["folds a bluff needs", cells.percent(price.bluff_folds, 2), "bet / (pot + bet)"]
    rows.append([f"{name} bets", *bluff])
    if not isnan(equity) and len(result.players) == 2:
        folds = cells.percent(price.folds(equity), 2)
        rows.append(["", "folds it needs with its equity", folds, "-EV / (pot - EV)"])
        rows.append(["", "EV when called", f"{price.value(equity):+.2f}", ""])
    if not isnan(equity):
        checked = f"{price.check_value(equity):+.2f}"
        rows.append([f"{name} checks", "EV", checked, "equity pot"])
    return Table(
        ["", "", "", "formula"], rows, left=2, title=f"pot {price.pot:g}, bet {price.bet:g}"
    )


def _footer(result: EquityResult) -> str:
    run = f"evaluator {result.evaluator.name}, {result.elapsed:.3f} s"
    if result.exact:
        is_partly_known = any(isnan(player.win) for player in result.players)
        only = "; of random hands, the equity only" if is_partly_known else ""
        return f"exact over {counted(result.deals, 'deal')}{only}; {run}"
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


def matrix_report(matrix: EquityMatrix) -> Report:
    """Build a `Report` on an equity matrix, whose strongest rows and columns come first in text."""
    return Report.of(matrix, _lay_out_matrix, _build_matrix_columns)


def _build_matrix_columns(matrix: EquityMatrix) -> list[Column]:
    """Build the columns of an equity matrix, with a row for each element of the matrix."""
    from holdem.odds.equity_matrix import SHOWN

    rows, columns = np.array(matrix.rows), np.array(matrix.columns)
    return [
        array_column("row", np.repeat(rows, len(columns))),
        array_column("column", np.tile(columns, len(rows))),
        *(array_column(name, getattr(matrix, name).ravel()) for name in SHOWN),
    ]


def _lay_out_matrix(matrix: EquityMatrix) -> Iterator[Block]:
    from holdem.odds.equity_matrix import put_highest_ranks_first

    row_names, column_names, entries = put_highest_ranks_first(matrix)
    height, width = entries.shape
    columns = cells.first_and_last(width, _MATRIX_COLUMNS)
    rows, shades = [], []
    for row in cells.first_and_last(height, _MATRIX_ROWS):
        name = "…" if row is None else cells.range_in_report(row_names[row])
        equities = [
            None if row is None or column is None else entries.item(row, column)
            for column in columns
        ]
        rows.append([name, *map(_format_entry, equities)])
        shades.append([None, *(equity if equity == equity else None for equity in equities)])
    names = [
        "…" if column is None else cells.range_in_report(column_names[column]) for column in columns
    ]
    known = known_cards(matrix.board, matrix.dead)
    things = "combos" if matrix.by == "combo" else "classes"
    yield Table(
        ["", *names],
        rows,
        title=f"equity of the rows in %{known and ', '}{known}",
        note=f"exact: {height:,} by {width:,} {things}, mean {cells.percent(matrix.mean_equity)};"
        f" evaluator {matrix.evaluator.name}, {matrix.elapsed:.3f} s",
        shades=shades,
        scale=DIVERGING,
    )


def _format_entry(equity: float | None) -> str:
    """Format an equity in per cent, with an ellipsis for None and a dash for NaN."""
    if equity is None:
        return "…"
    return f"{100 * equity:.2f}" if equity == equity else "-"


def explanation_report(explanation: Explanation) -> Report:
    """Build a `Report` on an explanation of known hands: who is ahead, outs, and equities."""
    return Report.of(explanation, _lay_out_explanation, _build_explanation_columns)


def _build_explanation_columns(explanation: Explanation) -> list[Column]:
    """Build the columns of an explanation, with a row for each player."""
    from holdem.odds.explanation import STREETS, ExplainedPlayer

    record = explanation.to_dict()
    rows = []
    for number, player in enumerate(record["players"]):
        row = {"player": number + 1, "winner": number in record["winners"], **record, **player}
        for street in record["streets"]:
            equities = street["equities"]
            row[_equity_on(street["street"])] = equities and equities[number]
        rows.append(row)
    types = columns_of(
        column("player", int),
        ExplainedPlayer,
        column("winner", bool),
        *(column(_equity_on(street), float) for street in STREETS.values()),
        column("decided_by", str),
        column("sentence", str),
        first=("player", "player_name", "winner"),
    )
    return columns_of_rows(types, rows)


def _equity_on(street: str) -> str:
    return f"equity_{street.replace(' ', '_')}"


def _lay_out_explanation(explanation: Explanation) -> Iterator[Block]:
    from holdem.odds.explanation import ExplainedPlayer

    title = known_cards(explanation.board, explanation.dead)
    labels = _label_players(explanation)
    if explanation.winners:
        columns = {"player": labels} | text_columns(ExplainedPlayer, explanation.players)
        head = ("player", "cards", "best five", "hand")
        yield Table.of(columns, head, left=4, title=title)
    else:
        yield title
    yield explanation.sentence
    if any(player.outs for player in explanation.players):
        outs = [
            [labels[number], str(len(player.outs)), cells.cards_in_report(player.outs)]
            for number, player in enumerate(explanation.players)
            if number not in explanation.winners or len(explanation.winners) > 1
        ]
        yield Table(["player", "outs", "cards"], outs, left=3)
    elif explanation.winners and len(explanation.board) < BOARD_SIZE:
        yield "outs: none"
    yield _street_table(explanation)


def _label_players(explanation: Explanation) -> list[str]:
    """List the players' names, with a player's number in place of a missing name."""
    return [player.player_name or str(n) for n, player in enumerate(explanation.players, 1)]


def _street_table(explanation: Explanation) -> Table:
    """Lay out the equities as a table, with a row per player and a column per street."""
    rows = [
        [
            label,
            cells.cards_in_report(player.hole),
            *(
                cells.percent(None if street.equities is None else street.equities[number])
                for street in explanation.streets
            ),
        ]
        for number, (label, player) in enumerate(
            zip(_label_players(explanation), explanation.players, strict=True)
        )
    ]
    head = ["player", "cards", *(street.street for street in explanation.streets)]
    note = f"evaluator {explanation.evaluator.name}, {explanation.elapsed:.3f} s"
    if all(street.equities is not None for street in explanation.streets):
        note = f"equities are exact; {note}"
    return Table(head, rows, left=2, title="equity", note=note)
