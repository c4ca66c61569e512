"""Report on the explanation of a showdown."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from holdem.odds.explanation import Explanation
from holdem.odds.spot import BOARD_SIZE
from holdem.report.cells import cards_in_report, percent
from holdem.report.equity_report import known_cards
from holdem.report.model import Block, Column, Report, Table, columns_of_rows

_COLUMNS = (
    "player int64, player_name? string, winner bool, hole string, category string, name string,"
    " best string, rank_class Int64, outs string, equity_before_the_flop float64,"
    " equity_flop float64, equity_turn float64, equity_river float64, decided_by string,"
    " sentence string"
)


def explanation_report(explanation: Explanation) -> Report:
    """Build a `Report` on an explanation."""
    return Report(
        explanation.to_dict,
        partial(_lay_out, explanation),
        partial(_build_columns, explanation),
    )


def _build_columns(explanation: Explanation) -> list[Column]:
    """Build the columns of an explanation, with a row for each player."""
    record = explanation.to_dict()
    rows = []
    for number, player in enumerate(record["players"]):
        row = {"player": number + 1, "winner": number in record["winners"], **record, **player}
        row["equity"] = {
            street["street"].replace(" ", "_"): (street["equities"] or {number: None})[number]
            for street in record["streets"]
        }
        rows.append(row)
    return columns_of_rows(_COLUMNS, rows)


def _lay_out(explanation: Explanation) -> Iterator[Block]:
    title = known_cards(explanation.board, explanation.dead)
    labels = _label_players(explanation)
    if explanation.board:
        hands = []
        for label, player in zip(labels, explanation.players, strict=True):
            assert player.value is not None
            best = cards_in_report(player.value.best)
            hands.append([label, cards_in_report(player.hole), best, player.value.name])
        yield Table(["player", "cards", "best five", "hand"], hands, left=4, title=title)
    else:
        yield title
    yield explanation.sentence
    if any(player.outs for player in explanation.players):
        outs = [
            [labels[number], str(len(player.outs)), cards_in_report(player.outs)]
            for number, player in enumerate(explanation.players)
            if number not in explanation.winners or len(explanation.winners) > 1
        ]
        yield Table(["player", "outs", "cards"], outs, left=3)
    elif 0 < len(explanation.board) < BOARD_SIZE:
        yield "outs: none"
    yield _equities(explanation)


def _label_players(explanation: Explanation) -> list[str]:
    """List the players' names, or numbers for players without names."""
    return [player.player_name or str(n) for n, player in enumerate(explanation.players, 1)]


def _equities(explanation: Explanation) -> Table:
    """Lay out the equities as a table, with a row per player and a column per street."""
    rows = [
        [
            label,
            cards_in_report(player.hole),
            *(
                percent(None if street.equities is None else street.equities[number])
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
