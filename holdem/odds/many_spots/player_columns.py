"""Reading of columns of players: ranges and hole cards, as text, `Range` objects or ids."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import parse_cards
from holdem.errors import HoldemError, HoldemTypeError, HoldemValueError, quoted
from holdem.odds.many_spots.card_columns import are_cards
from holdem.odds.many_spots.column_forms import COLUMN_HINT, Column, is_per_spot
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, COMBO_TEXT
from holdem.ranges.range import Range
from holdem.rules import RuleSet


class PlayerReader:
    """Reads the columns of players; equal texts are parsed once."""

    def __init__(self, rules: RuleSet) -> None:
        self.ranges: list[Range] = []
        self.errors: dict[int, str] = {}
        self._rules = rules
        self._codes: dict[object, int] = {text: code for code, text in enumerate(COMBO_TEXT)}

    def codes(self, name: str, column: Column, count: int) -> NDArray[np.int32]:
        """Return the code of a player in each spot, ``int32 (spot,)``; -1 for invalid text."""
        if isinstance(column, np.ndarray):
            return self._codes_of_holes(name, column)
        if not is_per_spot(column):
            return np.full(count, self._code(name, column), dtype=np.int32)
        known, wrong = self._codes, {}
        for value in set(column) - known.keys():
            try:
                known[value] = self._code(name, value)
            except HoldemError as error:
                wrong[value] = str(error)
        if wrong:
            for spot, value in enumerate(column):
                if value in wrong:
                    self.errors.setdefault(spot, wrong[value])
        return np.fromiter((known.get(value, -1) for value in column), np.int32, count=count)

    def _codes_of_holes(self, name: str, holes: NDArray[Any]) -> NDArray[np.int32]:
        if holes.shape[1] != 2:
            raise HoldemTypeError(
                f"{name}: hole cards are an array (spot, 2) of card ids, not {holes.shape}"
            )
        codes: NDArray[np.int32]
        if len(holes) and holes.min() >= 0 and holes.max() < 52:
            codes = _combo_table()[holes[:, 0], holes[:, 1]]
        else:
            is_card = are_cards(holes)
            known = np.where(is_card[:, None], holes, 0).astype(np.uint8)
            codes = np.where(is_card, _combo_table()[known[:, 0], known[:, 1]], np.int32(-1))
        for spot in np.flatnonzero(codes < 0).tolist():
            cards = holes[spot].tolist()
            self.errors.setdefault(spot, f"{name}: {cards} are not the ids of two different cards")
        return codes

    def _code(self, name: str, player: object) -> int:
        if isinstance(player, Range):
            hands = player
        elif isinstance(player, str):
            try:
                hands = Range(player, rules=self._rules)
            except HoldemError as error:
                error.args = (f"{name}: {error}",)
                raise
        elif isinstance(player, tuple):
            if any(isinstance(item, Range) or _is_long(item) for item in player):
                raise HoldemTypeError(f"{name}: {quoted(player)} is no hand; {COLUMN_HINT}")
            cards = parse_cards(player, what=name)
            if len(cards) != 2:
                raise HoldemValueError(f"{name}: hole cards are two cards, not {len(cards)}")
            return int(_combo_table()[cards])
        else:
            raise HoldemTypeError(f"{name}: expected a Range or text, not {quoted(player)}")
        held = hands.held
        if len(held) == 1 and hands.weights[held[0]] == 1:
            return int(held[0])
        self.ranges.append(hands)
        return COMBO_COUNT + len(self.ranges) - 1


def _is_long(item: object) -> bool:
    """Return whether an item is text that is too long for a card."""
    return isinstance(item, str) and len(item.strip()) > len("10s")


@cache
def _combo_table() -> NDArray[np.int32]:
    """Return the combo number of two cards, ``int32 (card, card)``; -1 for the same card twice."""
    table = np.full((52, 52), -1, dtype=np.int32)
    high, low = COMBO_CARDS.T
    table[high, low] = table[low, high] = np.arange(COMBO_COUNT)
    return table
