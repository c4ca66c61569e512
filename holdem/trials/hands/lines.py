"""Formatting of tables of hands as lines of JSON and CSV."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, CardArray
from holdem.trials.hands.hand_table import HandTable
from holdem.trials.hands.simulation import HandDealer


def jsonl_lines(table: HandTable) -> str:
    """Return one line of JSON per hand, equal to ``json.dumps(hand.to_dict())``."""
    dealer = table.dealer
    seat_object = '{"hole": [%s], "category": "%s", "class": %d, "best": [%s]}'
    seats = ", ".join([seat_object] * dealer.players)
    label = json.dumps(dealer.evaluator.label.to_dict()).replace("%", "%%")
    line = (
        f'{{"hand": %d, "seed": {dealer.seed}, "seats": [{seats}], "burns": [%s], "board": [%s],'
        f' "winners": [%s], "evaluator": {label}}}\n'
    )
    columns: list[Sequence[Any]] = [range(table.first, table.first + len(table))]
    for seat in range(dealer.players):
        columns += [
            _card_texts(table.holes[:, seat], _QUOTED, 2),
            _category_names(table, seat),
            table.classes[:, seat].tolist(),
            _card_texts(table.best[:, seat], _QUOTED, 2),
        ]
    columns += [_card_texts(table.burns, _QUOTED, 2), _card_texts(table.boards, _QUOTED, 2)]
    columns.append(_winner_texts(table, ", "))
    return "".join([line % row for row in zip(*columns, strict=True)])


def csv_columns(dealer: HandDealer) -> list[str]:
    """Return the column names of CSV and Parquet files of hands."""
    names = ["hand", "seed", "board", "burns", "winners"]
    for seat in range(dealer.players):
        names += [f"seat{seat}_{column}" for column in ("hole", "category", "class", "best")]
    return [*names, "evaluator"]


def csv_lines(table: HandTable) -> str:
    """Return one line of CSV per hand, with cards such as ``AsKd`` and winners such as ``0 3``."""
    dealer = table.dealer
    # No field needs quotes: names of evaluators and categories have neither commas nor quotes.
    seats = "%s,%s,%d,%s," * dealer.players
    line = f"%d,{dealer.seed},%s,%s,%s,{seats}{dealer.evaluator.name}\n"
    columns: list[Sequence[Any]] = [range(table.first, table.first + len(table))]
    columns += [_card_texts(table.boards), _card_texts(table.burns), _winner_texts(table, " ")]
    for seat in range(dealer.players):
        columns += [
            _card_texts(table.holes[:, seat]),
            _category_names(table, seat),
            table.classes[:, seat].tolist(),
            _card_texts(table.best[:, seat]),
        ]
    return "".join([line % row for row in zip(*columns, strict=True)])


def _characters(texts: Sequence[str]) -> NDArray[np.uint8]:
    """Return texts of equal length as an array of ASCII codes, ``uint8 (text, character)``."""
    return np.frombuffer("".join(texts).encode("ascii"), dtype=np.uint8).reshape(len(texts), -1)


#: The text of each card, ``uint8 (52, 2)``.
CARD_TEXTS = _characters([str(card) for card in DECK])
_QUOTED = _characters([f'"{text}", ' for text in DECK])


def _card_texts(cards: CardArray, texts: NDArray[np.uint8] = CARD_TEXTS, cut: int = 0) -> list[str]:
    """Format each row of cards as text.

    Args:
        cards: ``uint8 (row, card)``.
        texts: the text of each card, ``uint8 (52, character)``.
        cut: the number of characters to omit at the end of each row.
    """
    joined = texts[cards].tobytes().decode("ascii")
    width = cards.shape[1] * texts.shape[1]
    return [joined[start : start + width - cut] for start in range(0, len(joined), width)]


def _category_names(table: HandTable, seat: int) -> list[str]:
    names = table.dealer.evaluator.rules.categories
    return [names[category] for category in table.categories[:, seat].tolist()]


def _winner_texts(table: HandTable, separator: str) -> list[str]:
    """Return the winning seat numbers of each hand as text."""
    players = table.dealer.players
    winners = (table.wins @ (1 << np.arange(players))).tolist()
    texts = {
        seats: separator.join(str(seat) for seat in range(players) if seats >> seat & 1)
        for seats in set(winners)
    }
    return [texts[seats] for seats in winners]
