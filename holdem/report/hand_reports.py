"""Reports on an evaluated hand, compared pairs of hands, a dealt hand, and many dealt hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np

from holdem.cards import Card
from holdem.errors import counted
from holdem.evaluation.registry import DEFAULT_EVALUATOR
from holdem.report.cells import cards_in_report, count, decimals, percent, show_suits
from holdem.report.model import (
    Block,
    Column,
    Report,
    Style,
    Table,
    array_column,
    columns_of_rows,
    text_columns,
)
from holdem.report.text_tables import fill
from holdem.results.fields import ERROR_HEAD, INTERVAL_HEAD, EvaluatorLabel, column, columns_of
from holdem.trials.aggregation import Aggregate, SeatOutcomes
from holdem.trials.hand_files import list_columns

if TYPE_CHECKING:
    from holdem.evaluation.hand_value import HandValue
    from holdem.trials.comparison import ComparedPair, Comparison
    from holdem.trials.estimation import EstimatedMean, EstimateResult
    from holdem.trials.hand_table import Hand, HandTable, Seat

_SHOWN_HANDS = 10


def hand_value_report(value: HandValue) -> Report:
    return Report.of(value, _lay_out_value, _build_value_columns)


def comparison_report(
    comparison: Comparison, pairs: Sequence[ComparedPair] | None = None
) -> Report:
    """Build a `Report` on a comparison; `pairs` are shown above the numbers, None for no pairs."""
    return Report(
        partial(_comparison_json, comparison, pairs),
        partial(_lay_out_comparison, comparison, pairs),
        lambda: [_build_comparison_columns(comparison)],
    )


def dealt_hand_report(hand: Hand) -> Report:
    return Report.of(hand, lambda hand: [_hand_lines(hand)], _build_hand_columns)


def dealt_hand_text(hand: Hand, style: Style) -> str:
    """Format a dealt hand as aligned lines: the board, then each seat's cards and value.

    The header and the winners are bold, by ANSI codes.
    """
    lines = [fill(line, style.width) for line in _hand_lines(hand)]
    first_seat = len(lines) - len(hand.seats)
    for number in (0, *(first_seat + seat for seat in hand.winners)):
        lines[number] = _bold(lines[number])
    return show_suits("\n".join(lines), symbols=style.symbols, colour=style.colour)


def hand_table_report(table: HandTable) -> Report:
    """Build a `Report` on a table of hands; the CSV has the columns that `list_columns` yields."""
    return Report.of(table, _lay_out_hands, _build_hand_table_columns)


def _lay_out_hands(table: HandTable) -> Iterator[Block]:
    seats = [f"seat {seat}" for seat in range(table.players)]
    rows = []
    for hand in table[:_SHOWN_HANDS]:
        holes = [
            cards_in_report(seat.hole) + "*" * (seat.number in hand.winners) for seat in hand.seats
        ]
        rows.append([str(hand.number), cards_in_report(hand.board), *holes])
    more = f"the first {len(rows)} of " if len(rows) < len(table) else ""
    note = f"{more}{counted(len(table), 'hand')} of {table.origin}; * wins or shares the pot"
    yield Table(["hand", "board", *seats], rows, left=2 + table.players, note=note)


def _build_hand_table_columns(table: HandTable) -> list[Column]:
    return [Column(*column, categories=table.categories) for column in list_columns(table)]


def estimate_report(result: EstimateResult) -> Report:
    return Report.of(result, _lay_out_estimate, _build_estimate_columns)


def _lay_out_estimate(result: EstimateResult) -> Iterator[Block]:
    from holdem.trials.estimation import EstimatedMean

    means = result.means.values()
    texts = [[_estimate(own, x) for x in (own.mean, own.stderr, *own.ci95)] for own in means]
    columns = {
        "question": [name or "mean" for name in result.means],
        "mean": [
            f"{mean}, {own.one_in}" if own.one_in else mean
            for (mean, *_), own in zip(texts, means, strict=True)
        ],
        ERROR_HEAD: [error for _, error, *_ in texts],
        INTERVAL_HEAD: [f"{low} … {high}" for *_, low, high in texts],
    } | text_columns(EstimatedMean, list(means))
    note = (
        f"{counted(result.dealt, 'hand')} dealt, seed {result.seed}, ended by {result.stop};"
        f" evaluator {result.evaluator.name}, {result.elapsed:.3f} s"
    )
    # A proportion's interval allows for what was not seen; that of a mean of numbers can't.
    hands = [own.hands for own in means if not own.is_proportion]
    if hands:
        note += f"; what happens less than 3 times in {min(hands):,} hands may be missing in a mean"
    yield Table.of(columns, note=note)


def _estimate(own: EstimatedMean, number: float) -> str:
    """Format a mean, its error or a limit of its interval; if rare, with two digits at least."""
    from holdem.trials.estimation import RARE

    if not own.is_proportion:
        return f"{number:,.6g}"
    is_rare = own.mean < RARE and number > 0
    digits = max(0, 1 - floor(log10(100 * number)), decimals(own.stderr)) if is_rare else 4
    return percent(number, digits)


def _build_estimate_columns(result: EstimateResult) -> list[Column]:
    from holdem.trials.estimation import EstimatedMean

    types = columns_of(column("name", str), EstimatedMean)
    return columns_of_rows(types, result.to_dict()["means"])


def _hand_lines(hand: Hand) -> list[str]:
    head = f"Hand {hand.number} of {hand._table.origin}"
    if hand.evaluator.name != DEFAULT_EVALUATOR:
        head += f", evaluator {hand.evaluator.name}"
    streets = (hand.board[:3], hand.board[3:4], hand.board[4:])
    board, burns = "  ".join(map(cards_in_report, streets)), cards_in_report(hand.burns)
    width = max(len(seat.value.name) for seat in hand.seats)
    seats = [_seat_line(seat, width) for seat in hand.seats]
    return [head, f"  board   {board}     burnt {burns}", *seats]


def _build_hand_columns(hand: Hand) -> list[Column]:
    """Build the columns of a dealt hand, with a row for each seat."""
    record = hand.to_dict()
    rows = [
        {**record, **own, "seat": n, "name": seat.value.name, "share": float(seat.share)}
        for n, (own, seat) in enumerate(zip(record["seats"], hand.seats, strict=True))
    ]
    hand_type, category = tuple[Card, ...], hand.seats[0].value.evaluator.rules.categories
    types = columns_of(
        column("hand", int),
        column("seat", int),
        column("hole", hand_type),
        column("category", "category"),
        column("name", str),
        column("best", hand_type),
        column("share", float),
        column("board", hand_type),
        column("burns", hand_type),
        column("seed", int),
    )
    return columns_of_rows(types, rows, category)


def _lay_out_value(value: HandValue) -> Iterator[Block]:
    classes = len(value.evaluator.rules.classes)
    columns = text_columns(type(value), [value])
    lines = {head: cell for head, (cell,) in columns.items()}
    name = lines.pop("name")
    lines["class"] += f" of {classes:,}, 1 is the best"
    lines["strength"] += f" ({value.evaluator.name})"
    yield [name, *(f"{head:10}  {cell}" for head, cell in lines.items())]


def _build_value_columns(value: HandValue) -> list[Column]:
    types = columns_of(type(value), column("evaluator", EvaluatorLabel))
    return columns_of_rows(types, [value.to_dict()], value.evaluator.rules.categories)


def _build_comparison_columns(comparison: Comparison) -> list[Column]:
    """Build the columns of a comparison, with a row for each pair of hands."""
    winners = comparison.winners
    return [array_column("pair", np.arange(len(winners))), array_column("winner", winners)]


def _comparison_json(
    comparison: Comparison, pairs: Sequence[ComparedPair] | None
) -> dict[str, Any]:
    record = comparison.to_dict()
    if pairs is not None:
        record["pairs"] = [_pair_json(pair) for pair in pairs]
    return record


def _pair_json(pair: ComparedPair) -> dict[str, Any]:
    keys = ("cards", "best", "category", "name", "rank_class")
    records = (pair.first.to_dict(), pair.second.to_dict())
    first, second = ({key: record[key] for key in keys} for record in records)
    winner = {1: "first", -1: "second", 0: "tie"}[pair.winner]
    return {"line": pair.line, "winner": winner, "first": first, "second": second}


def _lay_out_comparison(
    comparison: Comparison, pairs: Sequence[ComparedPair] | None
) -> Iterator[Block]:
    if pairs:
        head = ["line", "hand", "cards", "name", "result"]
        yield Table(head, [row for pair in pairs for row in _pair_rows(pair)], left=len(head))
    total = comparison.first + comparison.second + comparison.tie
    rows = [
        ["first", count(comparison.first)],
        ["second", count(comparison.second)],
        ["tie", count(comparison.tie)],
        ["all", count(total)],
    ]
    name = comparison.evaluator.name
    note = "" if name == DEFAULT_EVALUATOR else f"evaluator {name}"
    yield Table(["wins", "hands"], rows, note=note)


def _pair_rows(pair: ComparedPair) -> list[list[str]]:
    """Build two table rows for a pair of compared hands, with the best five cards of each hand."""
    first, second = {1: ("wins", ""), -1: ("", "wins"), 0: ("tie", "tie")}[pair.winner]
    return [
        [str(pair.line), "first", cards_in_report(pair.first.best), pair.first.name, first],
        ["", "second", cards_in_report(pair.second.best), pair.second.name, second],
    ]


def _seat_line(seat: Seat, width: int) -> str:
    hole, best = cards_in_report(seat.hole), cards_in_report(seat.value.best)
    line = f"  seat {seat.number}  {hole}   {seat.value.name.ljust(width)}   {best}"
    if not seat.share:
        return line
    return f"{line}   {'wins' if seat.share == 1 else f'wins {seat.share}'}"


def _bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m"


def aggregate_report(result: Aggregate) -> Report:
    return Report.of(result, _lay_out_aggregate, _build_aggregate_columns)


def _build_aggregate_columns(result: Aggregate) -> list[Column]:
    """Build the columns of aggregate statistics, with a row for each seat."""
    record = result.to_dict()
    rows = ({**record, "seat": number, **seat} for number, seat in enumerate(record["seats"]))
    return columns_of_rows(columns_of(column("seat", int), SeatOutcomes, Aggregate), rows)


def _lay_out_aggregate(result: Aggregate) -> Iterator[Block]:
    shown, won = result.hands * result.players, sum(result.winning_categories.values())
    rows = [
        [
            name,
            count(hands),
            percent(hands / shown, 3),
            count(result.winning_categories[name]),
            percent(result.winning_categories[name] / won, 3),
        ]
        for name, hands in reversed(result.categories.items())
    ]
    yield Table(["category", "at showdown", "share", "winning", "share"], rows)
    seats = {"seat": list(map(str, range(result.players)))}
    yield Table.of(seats | text_columns(SeatOutcomes, result.seats))
    best, split = result.best_starting_hand, result.hands - result.pots[1]
    yield [
        f"best starting hand: wins {percent(best.wins / result.hands, 2)} of the hands,"
        f" ties {percent(best.ties / result.hands, 2)}",
        f"split pots: {count(split)}, {percent(split / result.hands, 2)}",
    ]
    stop = "" if result.stop == "hands" else " (interrupted)"
    yield (
        f"{result.hands:,} hands of {result.players} players{stop}, seed {result.seed};"
        f" evaluator {result.evaluator.name}, {result.elapsed:.3f} s"
    )
