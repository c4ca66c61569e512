"""A head-to-head as text: the players, their differences, who won with what against what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from holdem.cards import cards_text
from holdem.report.equity import question
from holdem.report.table import clipped, csv_table, markdown_table, percent, text_table
from holdem.trials.head_to_head.result import Contender, ContestResult, Difference
from holdem.trials.outcomes import Outcomes

_SHORT = {"straight flush": "str. flush", "four of a kind": "four", "three of a kind": "three"}
_HEAD = ["player", "range", "equity", "95 % interval", "wins", "ties", "losses"]
_BY_HAND = ["hand", "wins", "ties", "losses", "of all deals"]
_CSV_HEAD = ["part", "player", "range", "hand", "against", "wins", "ties", "losses"]
_CSV_HEAD += ["equity", "stderr", "ci95_low", "ci95_high"]
_CSV_HEAD += ["deals", "stop", "confidence", "seed", "evaluator", "verdict"]
_CSV_HEAD += ["board", "dead", "evaluator_version", "against_version", "answers"]

_STOPS = {
    "deals": "all that were asked for",
    "confidence": "stopped once a player was ahead",
    "interrupted": "interrupted: fewer than were asked for",
}


@attrs.frozen
class _Table:
    """A part of the report."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1


def contest_text(result: ContestResult) -> str:
    """Return the result as people read it."""
    parts = [question(result.board, result.dead)] if result.board or result.dead else []
    for table in _tables(result):
        shown = text_table(table.head, table.rows, left=table.left)
        parts.append("\n".join(part for part in (table.title, shown) if part))
    parts.append("\n".join(_difference_line(found) for found in result.differences))
    return "\n\n".join([*parts, *_judge_lines(result), _footer(result)])


def contest_markdown(result: ContestResult) -> str:
    """Return the same in Markdown."""
    parts = [question(result.board, result.dead)] if result.board or result.dead else []
    for table in _tables(result):
        parts += [table.title] if table.title else []
        parts.append(markdown_table(table.head, table.rows, left=table.left))
    parts.append("\n".join(f"* {_difference_line(found)}" for found in result.differences))
    return "\n\n".join([*parts, *_judge_lines(result), _footer(result)])


def contest_csv(result: ContestResult) -> str:
    """Return all that the JSON has as CSV; what a line is about stands in `part`.

    ``player``: all deals of a player; ``by hand``: those with one category; ``against``: those
    with one category against another; ``difference``: of two players' equities, `against` the
    number of the other; ``evaluator``: a further evaluator, in `wins` the hands and in
    `losses` the deals on which it disagrees, in `hand` the smallest of them, in `answers` what
    the two say of that.
    """
    run = [str(result.deals), result.stop]
    run += ["" if result.confidence is None else repr(result.confidence)]
    run += [str(result.seed), result.evaluator.name, result.verdict]
    run += [cards_text(result.board, " "), cards_text(result.dead, " "), result.evaluator.version]
    rows: list[list[str]] = []
    for number, player in enumerate(result.players, 1):
        who = [str(number), player.range]
        found = [player.equity, player.stderr, *player.ci95]
        counts = _counts(player.outcomes)
        rows.append(["player", *who, "", "", *counts, *map(repr, found), *run])
        for own, outcomes in player.by_category.items():
            rows.append(["by hand", *who, own, "", *_counts(outcomes), *[""] * 4, *run])
        for own, opposing in player.against.items():
            for theirs, outcomes in opposing.items():
                rows.append(["against", *who, own, theirs, *_counts(outcomes), *[""] * 4, *run])
    for lead in result.differences:
        one, other = lead.players
        who = [str(one + 1), result.players[one].range, "", str(other + 1)]
        found = [lead.estimate, lead.stderr, *lead.ci95]
        rows.append(["difference", *who, *[""] * 3, *map(repr, found), *run])
    for judge in result.judges:
        hand = cards_text(judge.hand, " ")
        counts = [str(judge.hands), "", str(judge.deals)]
        line = ["evaluator", "", "", hand, judge.evaluator.name, *counts, *[""] * 4]
        told = "; ".join(str(answer) for answer in judge.answers)
        rows.append([*line, *run, judge.evaluator.version, told])
    width = len(_CSV_HEAD)
    return csv_table(_CSV_HEAD, [row + [""] * (width - len(row)) for row in rows])


def _tables(result: ContestResult) -> Iterator[_Table]:
    yield _Table("", _HEAD, [_row(*numbered) for numbered in enumerate(result.players, 1)], left=2)
    for number, player in enumerate(result.players, 1):
        rows = [
            [name, *_cells(found), percent(found.deals / result.deals, 2)]
            for name, found in player.by_category.items()
        ]
        yield _Table(f"player {number}, {clipped(player.range)}, by own hand", _BY_HAND, rows)
    # With two players the second's table would be the first's turned round.
    pair = len(result.players) == 2
    theirs = "player 2's hand" if pair else "the best other hand"
    for number, player in enumerate(result.players[:1] if pair else result.players, 1):
        title = f"player {number}'s hand (rows) against {theirs}, % of all deals"
        yield _grid(title, player, result.deals, result.categories)


def _grid(title: str, player: Contender, deals: int, categories: tuple[str, ...]) -> _Table:
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
    return _Table(title, ["", *(_SHORT.get(name, name) for name in columns)], rows)


def _difference_line(found: Difference) -> str:
    one, other = found.players
    low, high = found.ci95
    return (
        f"player {one + 1} less player {other + 1}: {100 * found.estimate:+.3f} % of the pot"
        f" (95 % interval {100 * low:+.3f} … {100 * high:+.3f} %)"
    )


def _judge_lines(result: ContestResult) -> list[str]:
    first = result.evaluator.name
    lines = []
    for judge in result.judges:
        other = judge.evaluator.name
        if judge.agrees:
            hands = result.deals * len(result.players)
            lines.append(f"{first} and {other} agree on all {hands:,} hands")
            continue
        told = " and ".join(str(answer) for answer in judge.answers)
        lines.append(
            f"{first} and {other} disagree on {judge.hands:,} hands, and on who wins in"
            f" {judge.deals:,} deals: a bug in one of them. The smallest hand that shows it:"
            f" {cards_text(judge.hand, ' ')}: {told}"
        )
    return ["\n".join(lines)] if lines else []


def _footer(result: ContestResult) -> str:
    return (
        f"{result.verdict}; {result.deals:,} deals ({_STOPS[result.stop]}), seed {result.seed},"
        f" evaluator {result.evaluator.name}"
    )


def _row(number: int, player: Contender) -> list[str]:
    low, high = player.ci95
    interval = f"{100 * low:.3f} … {100 * high:.3f} %"
    who = [str(number), clipped(player.range), percent(player.equity, 3), interval]
    return [*who, *_cells(player.outcomes)]


def _cells(found: Outcomes) -> list[str]:
    return [f"{found.wins:,}", f"{found.ties:,}", f"{found.losses:,}"]


def _counts(found: Outcomes) -> list[str]:
    return [str(found.wins), str(found.ties), str(found.losses)]
