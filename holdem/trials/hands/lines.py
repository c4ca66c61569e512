"""Whole hands as lines of JSON and of CSV, many at a time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, CardArray
from holdem.report.table import csv_table
from holdem.trials.hands.hand_table import HandTable
from holdem.trials.hands.simulation import HandDealer


def jsonl_lines(table: HandTable) -> str:
    """Return a line of JSON for each hand: ``json.dumps(hand.to_dict())``, 20 times as fast."""
    dealer = table.dealer
    seat = '{"hole": [%s], "category": "%s", "best": [%s]}'
    seats = ", ".join([seat] * dealer.players)
    tail = json.dumps(dealer.evaluator.label).replace("%", "%%")
    line = (
        f'{{"hand": %d, "seed": {dealer.seed}, "seats": [{seats}], "burns": [%s], "board": [%s],'
        f' "winners": [%s], "evaluator": {tail}}}\n'
    )
    columns: list[Sequence[Any]] = [range(table.first, table.first + len(table))]
    names = dealer.evaluator.rules.categories
    for place in range(dealer.players):
        columns += [
            _texts(table.holes[:, place], _QUOTED, 2),
            [names[category] for category in table.categories[:, place].tolist()],
            _texts(table.best[:, place], _QUOTED, 2),
        ]
    columns += [_texts(table.burns, _QUOTED, 2), _texts(table.boards, _QUOTED, 2)]
    columns.append(_winners(table, ", "))
    return "".join([line % row for row in zip(*columns, strict=True)])


def csv_head(dealer: HandDealer) -> list[str]:
    """Return the columns' names: of the hand, of each seat, and the evaluator's."""
    names = ["hand", "seed", "board", "burns", "winners"]
    for place in range(dealer.players):
        names += [f"seat{place}_{what}" for what in ("hole", "category", "class", "best")]
    return [*names, "evaluator"]


def csv_lines(table: HandTable) -> str:
    """Return a line of CSV for each hand; cards as ``AsKd``, winners as ``0 3``."""
    dealer = table.dealer
    tail = csv_table([dealer.evaluator.name], []).replace("%", "%%")
    line = f"%d,{dealer.seed},%s,%s,%s,{'%s,%s,%d,%s,' * dealer.players}{tail}\n"
    columns: list[Sequence[Any]] = [range(table.first, table.first + len(table))]
    columns += [_texts(table.boards), _texts(table.burns), _winners(table, " ")]
    names = dealer.evaluator.rules.categories
    for place in range(dealer.players):
        columns += [
            _texts(table.holes[:, place]),
            [names[category] for category in table.categories[:, place].tolist()],
            table.classes[:, place].tolist(),
            _texts(table.best[:, place]),
        ]
    return "".join([line % row for row in zip(*columns, strict=True)])


def _characters(texts: Sequence[str]) -> NDArray[np.uint8]:
    """Return texts of one length as ``uint8 (text, character)``."""
    return np.frombuffer("".join(texts).encode("ascii"), dtype=np.uint8).reshape(len(texts), -1)


#: The text of each card, ``uint8 (52, 2)``.
PLAIN = _characters([str(card) for card in DECK])
_QUOTED = _characters([f'"{text}", ' for text in DECK])


def _texts(cards: CardArray, letters: NDArray[np.uint8] = PLAIN, last: int = 0) -> list[str]:
    """Return the cards of each row as text.

    Args:
        cards: ``uint8 (row, card)``.
        letters: what stands for each card.
        last: how many characters of a row's last card are left out.
    """
    written = letters[cards].tobytes().decode("ascii")
    width = cards.shape[1] * letters.shape[1]
    return [written[start : start + width - last] for start in range(0, len(written), width)]


def _winners(table: HandTable, between: str) -> list[str]:
    """Return the numbers of each hand's winning seats as text."""
    players = table.dealer.players
    sets = (table.wins @ (1 << np.arange(players))).tolist()
    shown = {
        won: between.join(str(seat) for seat in range(players) if won >> seat & 1)
        for won in set(sets)
    }
    return [shown[won] for won in sets]
