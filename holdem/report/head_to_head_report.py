"""Report on a head-to-head: players, equity differences, and outcomes by hand category."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdem.cards import cards_text
from holdem.odds.tally import Outcomes
from holdem.report import cells
from holdem.report.equity_report import known_cards
from holdem.report.model import Block, Column, Report, Table, columns_of_rows, text_columns
from holdem.results.fields import column, columns_of
from holdem.trials.contest_result import Contender, ContestResult, CrossCheckResult, Difference

# The columns are in the order of the rows, which have the full names.
_SHORT_NAMES = {
    "five of a kind": "five",
    "straight flush": "st.fl.",
    "four of a kind": "four",
    "full house": "full",
    "straight": "str.",
    "three of a kind": "three",
    "two pair": "2 pair",
    "high card": "high",
}
_STOPS = {
    "deals": "",
    "confidence": " (stopped once a player was ahead)",
    "interrupted": " (interrupted: fewer than requested)",
}


def head_to_head_report(result: ContestResult) -> Report:
    """Build a `Report` on the result of a head-to-head.

    The CSV has all values of the JSON. Its column `part` is the type of a row:

    * ``player``: all deals of a player;
    * ``by hand``: the deals in which the player has a hand of one category;
    * ``against``: the deals in which the player's hand has the category `hand`, and the best
      opposing hand the category `against`;
    * ``difference``: the difference of the equities of two players; `against` is the number of the
      second player;
    * ``evaluator``: another evaluator, compared with the first. `wins` is the number of hands on
      which they disagree, `losses` is the number of deals in which they disagree on the winners,
      `hand` is the smallest hand on which they disagree, and `answers` has both answers for it.
    """
    return Report.of(result, _lay_out, _build_columns)


def _build_columns(result: ContestResult) -> list[Column]:
    record = result.to_dict()
    of_players = columns_of(
        column("player", int),
        Contender,
        column("hand", str),
        column("against", str),
        first=("player", "player_name", "range", "hand", "against"),
        may_be_missing=True,
    )
    types = columns_of(
        column("part", str),
        of_players,
        ContestResult,
        column("against_version", str, is_last=True),
        column("answers", str, is_last=True),
    )
    return columns_of_rows(types, (record | row for row in _rows(result, record)))


def _rows(result: ContestResult, record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the values of each row, except those that are the same in all rows.

    `record` is the JSON object of the result.
    """
    for number, player in enumerate(record["players"], 1):
        named = {
            "player": number,
            "player_name": player.get("name"),
            "range": player["range"],
        }
        yield {"part": "player", **player, **named}
        for own, found in player["by_category"].items():
            yield {"part": "by hand", **named, "hand": own, **found}
        for own, opposing in player["against"].items():
            for theirs, found in opposing.items():
                yield {"part": "against", **named, "hand": own, "against": theirs, **found}
    for difference in record["differences"]:
        first, second = difference["players"]
        yield {
            "part": "difference",
            "player": first + 1,
            "player_name": result.players[first].name,
            "range": result.players[first].range,
            "against": str(second + 1),
            "equity": difference["estimate"],
            "stderr": difference["stderr"],
            "ci95": difference["ci95"],
        }
    for check in result.cross_checks:
        yield {
            "part": "evaluator",
            "hand": cards_text(check.hand, " "),
            "against": check.evaluator.to_dict(),
            "wins": check.hands,
            "losses": check.deals,
            "answers": "; ".join(map(str, check.answers)),
        }


def _lay_out(result: ContestResult) -> Iterator[Block]:
    yield known_cards(result.board, result.dead)
    columns = {"player": [player.name or str(n) for n, player in enumerate(result.players, 1)]}
    columns |= text_columns(Contender, result.players)
    columns |= text_columns(Outcomes, [player.outcomes for player in result.players])
    yield Table.of(columns, left=2)
    for label, player in zip(result.labels, result.players, strict=True):
        found = list(player.by_category.values())
        columns = {"hand": list(player.by_category)} | text_columns(Outcomes, found)
        columns["of all deals"] = [cells.percent(own.deals / result.deals, 2) for own in found]
        title = f"{label}, {cells.short_range(player.range)}, by own hand"
        yield Table.of(columns, title=title)
    # With two players, the second player's grid is the transpose of the first player's.
    is_pair = len(result.players) == 2
    theirs = f"{result.labels[1]}'s hand" if is_pair else "the best other hand"
    for label, player in zip(result.labels[: 1 if is_pair else None], result.players, strict=False):
        title = f"{label}'s hand (rows) against {theirs}, % of all deals"
        yield _grid(title, player, result)
    yield [_difference_line(difference, result) for difference in result.differences]
    yield "\n".join(_cross_check_line(check, result) for check in result.cross_checks)
    yield (
        f"{result.verdict}; {result.deals:,} deals{_STOPS[result.stop]}, seed {result.seed},"
        f" evaluator {result.evaluator.name}"
    )


def _grid(title: str, player: Contender, result: ContestResult) -> Table:
    """Lay out the percentages of deals by a player's category (rows) and the opposing (columns)."""
    occurring = {name for opposing in player.against.values() for name in opposing}
    columns = [name for name in result.categories if name in occurring]
    rows = []
    for own, opposing in player.against.items():
        shares = [
            f"{100 * opposing[name].deals / result.deals:.2f}" if name in opposing else "-"
            for name in columns
        ]
        rows.append([own, *shares])
    return Table(["", *(_SHORT_NAMES.get(name, name) for name in columns)], rows, title=title)


def _difference_line(difference: Difference, result: ContestResult) -> str:
    first, second = (result.labels[player] for player in difference.players)
    digits = cells.decimals(difference.stderr)
    return (
        f"{first} minus {second}: {100 * difference.estimate:+.{digits}f} % of the"
        f" pot (95 % interval {cells.interval(difference.ci95, digits, '+')})"
    )


def _cross_check_line(check: CrossCheckResult, result: ContestResult) -> str:
    evaluators = f"{result.evaluator.name} and {check.evaluator.name}"
    if check.agrees:
        return f"{evaluators} agree on all {result.deals * len(result.players):,} hands"
    return (
        f"{evaluators} disagree on {check.hands:,} hands and on the winner of {check.deals:,}"
        f" deals: one of them has a bug. The smallest hand that shows it:"
        f" {cells.cards_in_report(check.hand)}: {' and '.join(map(str, check.answers))}"
    )
