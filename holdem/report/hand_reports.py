"""Reports on hands: an evaluated hand, a comparison of pairs, and a dealt hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from holdem.cards import Card
from holdem.evaluation.registry import DEFAULT_EVALUATOR
from holdem.report.formats import Block, Report, Table
from holdem.report.units import count

if TYPE_CHECKING:
    from holdem.evaluation.hand_value import HandValue
    from holdem.trials.comparison import ComparedPair, Comparison
    from holdem.trials.hands.simulation import Hand, Seat


def hand_value_report(value: HandValue) -> Report:
    """Return a `Report` on the value of one hand."""
    return Report(value.to_dict, partial(_value_blocks, value))


def comparison_report(
    comparison: Comparison, pairs: Sequence[ComparedPair] | None = None
) -> Report:
    """Return a `Report` on a comparison of pairs of hands.

    Args:
        comparison: the counts.
        pairs: the pairs to show above the counts, or None.
    """
    return Report(
        partial(_comparison_json, comparison, pairs),
        partial(_comparison_blocks, comparison, pairs),
    )


def dealt_hand_text(hand: Hand) -> str:
    """Return a dealt hand as aligned lines: the board, then each seat's cards and value.

    The header and the winners are bold, by ANSI codes.
    """
    head = f"Hand {hand.number} of seed {hand.seed}"
    if hand.evaluator["name"] != DEFAULT_EVALUATOR:
        head += f", evaluator {hand.evaluator['name']}"
    flop, turn, river = _spaced(hand.board[:3]), hand.board[3], hand.board[4]
    lines = [_bold(head), f"  board   {flop}  {turn}  {river}     burnt {_spaced(hand.burns)}"]
    width = max(len(seat.value.name) for seat in hand.seats)
    lines += [_seat_line(seat, width) for seat in hand.seats]
    return "\n".join(lines)


def _value_blocks(value: HandValue) -> Iterator[Block]:
    classes = len(value.evaluator.rules.classes)
    yield [
        value.name,
        f"best five   {_spaced(value.best)}",
        f"category    {value.category}",
        f"class       {value.rank_class:,} of {classes:,}, 1 is the best",
        f"strength    {value.strength} ({value.evaluator.name})",
    ]


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


def _comparison_blocks(
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
    name = comparison.evaluator["name"]
    note = "" if name == DEFAULT_EVALUATOR else f"evaluator {name}"
    yield Table(["wins", "hands"], rows, note=note)


def _pair_rows(pair: ComparedPair) -> list[list[str]]:
    """Return a table row for each hand of a pair, with the hand's most significant cards first."""
    first, second = {1: ("wins", ""), -1: ("", "wins"), 0: ("tie", "tie")}[pair.winner]
    return [
        [str(pair.line), "first", _spaced(pair.first.best), pair.first.name, first],
        ["", "second", _spaced(pair.second.best), pair.second.name, second],
    ]


def _seat_line(seat: Seat, width: int) -> str:
    hole, best = _spaced(seat.hole), _spaced(seat.value.best)
    line = f"  seat {seat.number}  {hole}   {seat.value.name.ljust(width)}   {best}"
    if not seat.share:
        return line
    return _bold(f"{line}   {'wins' if seat.share == 1 else f'splits the pot, {seat.share}'}")


def _spaced(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


def _bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m"
