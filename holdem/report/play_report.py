"""Report on a match: a row for each strategy, and what the rules changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from holdem.errors import counted
from holdem.matches.named_strategies import StrategyRecord
from holdem.matches.play_result import PlayResult, PositionResult, StrategyResult
from holdem.matches.strategy_checks import CheckedStrategy, StrategyCheck
from holdem.plugins.manager import Origin
from holdem.report.cells import count, rate
from holdem.report.equity_report import known_cards
from holdem.report.model import Block, Column, Report, Table, columns_of_rows, text_columns
from holdem.results.fields import column, columns_of

# Checks of whole matches, also of compiled strategies, whose decisions nobody counts.
_WHOLE = ("plays", "same again")

_STOPS = {
    "hands": "",
    "time": " (the time was up)",
    "decided": " (stopped once a strategy was ahead)",
    "interrupted": " (interrupted)",
}


def play_report(result: PlayResult, *, by_position: bool = False) -> Report:
    """Build a `Report` on a match.

    The CSV has a row for each strategy or, `by_position`, for each strategy at each position.
    """
    return Report(
        result.to_dict,
        lambda: _lay_out(result, by_position=by_position),
        lambda: [_build_columns(result, by_position=by_position)],
    )


def _build_columns(result: PlayResult, *, by_position: bool) -> list[Column]:
    record = result.to_dict()
    if by_position:
        types = columns_of(column("name", str), PositionResult, PlayResult)
        rows = [
            record | own | {"name": strategy["name"]}
            for strategy in record["strategies"]
            for own in strategy["by_position"]
        ]
    else:
        types = columns_of(StrategyResult, PlayResult)
        rows = [record | own for own in record["strategies"]]
    return columns_of_rows(types, rows)


def _lay_out(result: PlayResult, *, by_position: bool) -> Iterator[Block]:
    yield known_cards(result.board, result.dead)
    columns = text_columns(StrategyResult, result.strategies)
    yield Table.of({"strategy" if head == "name" else head: own for head, own in columns.items()})
    if by_position:
        for own in result.strategies:
            yield Table.of(text_columns(PositionResult, own.by_position), title=f"{own.name}:")
    yield [
        f"{own.name}: {note}, {counted(count, 'time')}"
        for own in result.strategies
        for note, count in own.corrections.items()
    ]
    if result.runouts:
        yield _gain_line(result)
    verdict = f"{result.verdict}; " if result.verdict else ""
    yield (
        f"{verdict}{counted(result.hand_count, 'hand')} of {counted(result.deals, 'deal')}"
        f" with {counted(result.lineups, 'line-up')}{_STOPS[result.stop]}, seed {result.seed}"
    )


def _gain_line(result: PlayResult) -> str:
    """Say how many all-ins were settled by runouts, and what they did to the errors."""
    ratios = [
        own.stderr_as_played / own.stderr
        for own in result.strategies
        if own.stderr and own.stderr_as_played
    ]
    text = f"{counted(result.all_ins, 'all-in')} settled by {counted(result.runouts, 'runout')}"
    if not ratios:
        return text
    low, high = f"{min(ratios):.2f}", f"{max(ratios):.2f}"
    times = low if low == high else f"{low} to {high}"
    return f"{text}: without them, errors would be {times} times as large"


def strategy_list_report(records: Sequence[StrategyRecord]) -> Report:
    return Report(lambda: [record.to_dict() for record in records], partial(_lay_out_list, records))


def _lay_out_list(records: Sequence[StrategyRecord]) -> Iterator[Block]:
    active = [record for record in records if record.status == "active"]
    rows = [[own.name, str(Origin(own.distribution, own.version)), own.summary] for own in active]
    yield Table(["name", "from", "summary"], rows, left=3)
    yield "\n".join(
        f"{own.name}: {own.status}: {own.reason}" for own in records if own.status != "active"
    )


def strategy_check_report(checked: Sequence[CheckedStrategy]) -> Report:
    return Report(lambda: [own.to_dict() for own in checked], partial(_lay_out_checks, checked))


def _status(check: StrategyCheck) -> str:
    return "FAILED" if check.failure else "ok" if check.decisions or check.name in _WHOLE else "-"


def _lay_out_checks(checked: Sequence[CheckedStrategy]) -> Iterator[Block]:
    for own in checked:
        rows = [
            [check.name, _status(check), count(check.decisions or None)] for check in own.checks
        ]
        yield own.name
        yield Table(["check", "result", "decisions"], rows, left=2)
        yield "\n".join(f"{check.name}: {check.failure}" for check in own.checks if check.failure)
        yield [f"{note}, {counted(times, 'time')}" for note, times in own.corrections.items()]
        if own.hands_per_second:
            speed = rate(own.hands_per_second)
            yield f"six seats against itself, one thread: {speed} hands"
