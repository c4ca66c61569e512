"""An equity result as a table, Markdown or CSV."""

from __future__ import annotations

from typing import Any

from holdem.cards import Card, cards_text
from holdem.odds.result import EquityResult, PlayerResult
from holdem.report.table import clipped, count, csv_table, markdown_table, percent, text_table


def equity_text(result: EquityResult) -> str:
    """Return the result as people read it: what was asked, the table, how it was found."""
    head, rows = _columns(result)
    parts = [question(result.board, result.dead), text_table(head, rows, left=2), _footer(result)]
    return "\n".join(part for part in parts if part)


def equity_markdown(result: EquityResult) -> str:
    """Return the result as a Markdown table with a line below it."""
    head, rows = _columns(result)
    parts = [
        question(result.board, result.dead),
        markdown_table(head, rows, left=2),
        _footer(result),
    ]
    return "\n\n".join(part for part in parts if part)


def equity_csv(result: EquityResult) -> str:
    """Return the result as CSV: a line for each player, all that the JSON has."""
    return csv_table(*equity_columns(result))


def equity_columns(result: EquityResult) -> tuple[list[str], list[list[str]]]:
    """Return the columns of the CSV and a row for each player.

    What is said of the whole result stands in every row; what has no value is left empty.
    """
    names: tuple[str, ...] = ("win", "tie", "lose", "equity", "stderr", "ci95")
    names += ("win_stderr", "win_ci95")
    names += ("tie_stderr", "tie_ci95", "wins", "ties", "losses")
    rows = []
    head = ["player", "range", "combos"]
    for name in names:
        head += [f"{name}_low", f"{name}_high"] if name.endswith("ci95") else [name]
    head += ["method", "exact", "deals", "stop", "seed", "evaluator"]
    head += ["elapsed", "progress", "board", "dead", "evaluator_version"]
    for number, player in enumerate(result.players, 1):
        row = [str(number), player.range, str(player.combos)]
        for name in names:
            value = getattr(player, name)
            if name.endswith("ci95"):
                row += ["", ""] if value is None else [repr(value[0]), repr(value[1])]
            else:
                row.append("" if value is None else repr(value))
        row += [result.method, str(result.exact).lower(), str(result.deals), result.stop]
        row += ["" if result.seed is None else str(result.seed), result.evaluator.name]
        row += [repr(result.elapsed), repr(result.progress) if result.stop == "interrupted" else ""]
        row += [cards_text(result.board, " "), cards_text(result.dead, " ")]
        row.append(result.evaluator.version)
        rows.append(row)
    return head, rows


def question(board: tuple[Card, ...], dead: tuple[Card, ...]) -> str:
    """Return what is known of a spot's cards as a line; empty if nothing is."""
    known = []
    if board:
        known.append(f"board {cards_text(board, ' ')}")
    if dead:
        known.append(f"dead {cards_text(dead, ' ')}")
    return ", ".join(known)


def _columns(result: EquityResult) -> tuple[list[str], list[list[str]]]:
    head = ["player", "range", "combos", "equity"]
    sampled = result.method == "monte-carlo"
    if sampled:
        head.append("95 % interval")
    head += ["win", "tie", "wins", "ties", "losses"]
    rows = []
    for number, player in enumerate(result.players, 1):
        row = [str(number), clipped(player.range), f"{player.combos:,}", percent(player.equity)]
        if sampled:
            row.append(_interval(player))
        row += [percent(player.win), percent(player.tie)]
        row += [count(player.wins), count(player.ties), count(player.losses)]
        rows.append(row)
    return head, rows


def _interval(player: PlayerResult) -> str:
    bounds: Any = player.ci95
    return f"{100 * bounds[0]:.3f} … {100 * bounds[1]:.3f} %"


def _footer(result: EquityResult) -> str:
    how = f"evaluator {result.evaluator.name}, {result.elapsed:.3f} s"
    if result.exact:
        return f"exact over {result.deals:,} deals; {how}"
    if result.method == "exact":
        return (
            f"interrupted after {100 * result.progress:.0f} % of an exact run: no equity, for the"
            f" part that was done is no fair sample; ask for --method monte-carlo; {how}"
        )
    why = {
        "deals": "all that were asked for",
        "stderr": "stopped by standard error",
        "time": "stopped by time",
        "interrupted": "interrupted: a smaller sample than was asked for",
    }[result.stop]
    return f"Monte Carlo over {result.deals:,} deals ({why}), seed {result.seed}; {how}"
