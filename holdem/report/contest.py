"""A head-to-head as text: the players, their differences, who won with what against what."""

from __future__ import annotations

from holdem.report.table import clipped, csv_table, markdown_table, percent, text_table
from holdem.trials.contest import Contender, ContestResult, Outcomes

_SHORT = {"straight flush": "str. flush", "four of a kind": "four", "three of a kind": "three"}
_HEAD = ["player", "range", "equity", "95 % interval", "wins", "ties", "losses"]


def contest_text(result: ContestResult) -> str:
    """Return the result as people read it."""
    parts = [text_table(_HEAD, _rows(result), left=2)]
    for number, player in enumerate(result.players, 1):
        rows = [[name, *_cells(found, result.deals)] for name, found in player.by_category.items()]
        parts.append(
            f"player {number}, {clipped(player.range)}, by own hand\n"
            + text_table(["hand", "wins", "ties", "losses", "of all deals"], rows)
        )
    # With two players the second's table would be the first's turned round.
    for number, player in enumerate(
        result.players[:1] if len(result.players) == 2 else result.players, 1
    ):
        theirs = "player 2's hand" if len(result.players) == 2 else "the best other hand"
        parts.append(
            f"player {number}'s hand (rows) against {theirs}, % of all deals\n"
            + _grid(player, result.deals, result.categories)
        )
    lines = [
        f"player {found.players[0] + 1} less player {found.players[1] + 1}:"
        f" {100 * found.estimate:+.3f} % of the pot"
        f" (95 % interval {100 * found.ci95[0]:+.3f} … {100 * found.ci95[1]:+.3f} %)"
        for found in result.differences
    ]
    parts.append("\n".join(lines))
    parts.append(
        f"{result.verdict}; {result.deals:,} deals, seed {result.seed},"
        f" evaluator {result.evaluator.name}"
    )
    return "\n\n".join(parts)


def _grid(player: Contender, deals: int, categories: tuple[str, ...]) -> str:
    """Return own categories against opposing ones as a table of percentages."""
    opposing = {name for found in player.against.values() for name in found}
    # Both in the order of strength, the strongest first.
    columns = [name for name in categories if name in opposing]
    rows = []
    for own, found in player.against.items():
        cells = [
            f"{100 * found[name].deals / deals:.2f}" if name in found else "-" for name in columns
        ]
        rows.append([own, *cells])
    return text_table(["", *(_SHORT.get(name, name) for name in columns)], rows)


def contest_markdown(result: ContestResult) -> str:
    """Return the players' table in Markdown, and the verdict."""
    table = markdown_table(_HEAD, _rows(result), left=2)
    return (
        f"{table}\n\n{result.verdict}; {result.deals:,} deals, seed {result.seed},"
        f" evaluator {result.evaluator.name}"
    )


def contest_csv(result: ContestResult) -> str:
    """Return who won with what against what as CSV, a line for each pair of categories."""
    rows = [
        [
            str(number),
            player.range,
            own,
            theirs,
            str(found.wins),
            str(found.ties),
            str(found.losses),
        ]
        for number, player in enumerate(result.players, 1)
        for own, opposing in player.against.items()
        for theirs, found in opposing.items()
    ]
    return csv_table(["player", "range", "hand", "against", "wins", "ties", "losses"], rows)


def _rows(result: ContestResult) -> list[list[str]]:
    return [
        [
            str(number),
            clipped(player.range),
            percent(player.equity, 3),
            f"{100 * player.ci95[0]:.3f} … {100 * player.ci95[1]:.3f} %",
            f"{player.outcomes.wins:,}",
            f"{player.outcomes.ties:,}",
            f"{player.outcomes.losses:,}",
        ]
        for number, player in enumerate(result.players, 1)
    ]


def _cells(found: Outcomes, deals: int) -> list[str]:
    return [
        f"{found.wins:,}",
        f"{found.ties:,}",
        f"{found.losses:,}",
        percent(found.deals / deals, 2),
    ]
