"""Columns of spots: the arguments of `equities` as arrays of codes and card ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, Card, CardArray, cards_text
from holdem.errors import HoldemValueError
from holdem.odds.many_spots.card_columns import padded, read_cards, read_dead, sets_of
from holdem.odds.many_spots.column_forms import (
    COLUMN_HINT,
    Column,
    as_column,
    common_index,
    is_per_spot,
)
from holdem.odds.many_spots.player_columns import PlayerReader
from holdem.ranges.combos import COMBO_COUNT, COMBO_TEXT
from holdem.ranges.range import Range
from holdem.rules import RuleSet


@attrs.frozen(eq=False)
class SpotColumns:
    """Spots as arrays. Created by `read_columns`.

    A player's *code* is a combo number, or `COMBO_COUNT` plus an index of `ranges`.
    """

    ranges: list[Range]
    """The distinct ranges with several combos or with weights."""
    codes: NDArray[np.int32]
    """``int32 (spot, player)``"""
    boards: CardArray
    """The board cards, padded with `NO_CARD`, ``uint8 (spot, 5)``."""
    board_sizes: NDArray[np.int8]
    """The number of board cards, ``int8 (spot,)``."""
    board_sets: NDArray[np.uint64]
    """The set of the board cards, ``uint64 (spot,)``."""
    dead: NDArray[np.uint64]
    """The set of the dead cards, ``uint64 (spot,)``."""
    errors: dict[int, str]
    """The messages of spots with invalid text, by spot number."""
    columns: Mapping[str, Column]
    """The columns as given, in the forms of `as_column`: ``player 1`` and so on, ``board`` and
    ``dead cards``. Empty on the worker of a cluster."""
    index: Any = None
    """The index that the pandas Series among the columns share; None if there is no Series."""

    def __len__(self) -> int:
        return len(self.codes)

    def part(self, rows: NDArray[np.intp]) -> SpotColumns:
        """Return some of the spots, by their numbers in ascending order."""
        index = as_index(rows)
        return attrs.evolve(
            self,
            codes=self.codes[index],
            boards=self.boards[index],
            board_sizes=self.board_sizes[index],
            board_sets=self.board_sets[index],
            dead=self.dead[index],
        )

    def player(self, spot: int, player: int) -> Range | str:
        """Return a player of a valid spot: a `Range`, or one combo as text."""
        code = int(self.codes[spot, player])
        return COMBO_TEXT[code] if code < COMBO_COUNT else self.ranges[code - COMBO_COUNT]

    def given(self, spot: int, player: int) -> Range | str:
        """Return a player of a spot as given, a `Range` or text; ids of cards as text."""
        value = self._value(player_name(player), spot)
        if isinstance(value, str | Range):
            return value
        code = int(self.codes[spot, player])
        if code >= 0:
            return COMBO_TEXT[code]
        return "" if value is None else str(getattr(value, "tolist", lambda: value)())

    def board_text(self, spot: int) -> str:
        """Return the board of a spot as text, as given if that was text."""
        value = self._value("board", spot)
        return value if isinstance(value, str) else cards_text(self.board(spot))

    def dead_text(self, spot: int) -> str:
        """Return the dead cards of a spot as text, as given if that was text."""
        value = self._value("dead cards", spot)
        return value if isinstance(value, str) else cards_text(self.dead_cards(spot))

    def player_texts(self, player: int) -> list[str]:
        """Return a player of each spot as text, as given if that was text."""
        codes: list[int] = self.codes[:, player].tolist()

        def text(spot: int) -> str:
            is_known = 0 <= codes[spot] < COMBO_COUNT
            return COMBO_TEXT[codes[spot]] if is_known else str(self.given(spot, player))

        return self._texts(player_name(player), text)

    def board_texts(self) -> list[str]:
        """Return the board of each spot as text, as given if that was text."""
        cards = [*map(str, DECK), ""]
        boards = np.minimum(self.boards, len(DECK)).tolist()
        return self._texts("board", lambda spot: "".join([cards[card] for card in boards[spot]]))

    def dead_texts(self) -> list[str]:
        """Return the dead cards of each spot as text, as given if that was text."""
        return self._texts("dead cards", self.dead_text)

    def _value(self, name: str, spot: int) -> Any:
        column = self.columns[name]
        return column[spot] if is_per_spot(column) else column

    def _texts(self, name: str, text: Callable[[int], str]) -> list[str]:
        """Return the values of a column as text; those that are not text by calling `text`."""
        column = self.columns[name]
        if isinstance(column, str):
            return [column] * len(self)
        values = column if isinstance(column, list) else [None] * len(self)
        return [v if type(v) is str else text(spot) for spot, v in enumerate(values)]

    def board(self, spot: int) -> tuple[Card, ...]:
        """Return the board of a spot."""
        return tuple(map(Card, self.boards[spot, : self.board_sizes[spot]].tolist()))

    def dead_cards(self, spot: int) -> tuple[Card, ...]:
        """Return the dead cards of a spot, lowest id first."""
        dead = int(self.dead[spot])
        return tuple(Card(card) for card in range(52) if dead >> card & 1)

    def same_as(self, other: SpotColumns) -> bool:
        """Return whether these are the same spots: equal ranges, boards in order and dead cards."""
        numbers: dict[Range, int] = {}

        def players(spots: SpotColumns) -> NDArray[np.int32]:
            own = [numbers.setdefault(hands, len(numbers)) for hands in spots.ranges]
            table = np.array([*range(COMBO_COUNT), *(COMBO_COUNT + number for number in own), -1])
            return table[spots.codes]

        return bool(
            np.array_equal(players(self), players(other))
            and np.array_equal(self.boards, other.boards)
            and np.array_equal(self.dead, other.dead)
        )


def as_index(rows: NDArray[np.intp]) -> NDArray[np.intp] | slice:
    """Return ascending numbers as an index: as a slice, which copies nothing, if consecutive."""
    if len(rows) and rows[-1] - rows[0] + 1 == len(rows):
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows


def read_columns(
    players: Sequence[Column], board: Column, dead: Column, rules: RuleSet
) -> SpotColumns:
    """Convert the arguments of `equities` to arrays.

    Args:
        players: a column for each player: text, a `Range`, two cards, or one of these for each
            spot, as a sequence or as ``uint8 (spot, 2)``.
        board: None, cards as text or ids, or one of these for each spot, as a sequence or as
            ``uint8 (spot, card)``.
        dead: dead cards, in the same forms.
        rules: the rule set by which ranges are read.

    Raises:
        HoldemTypeError: a column has an unsupported type.
        HoldemValueError: columns have different lengths or pandas indexes, or a value for all
            spots is invalid.
    """
    if not 2 <= len(players) <= 10:
        raise HoldemValueError(f"equities needs 2 to 10 players, not {len(players)}; {COLUMN_HINT}")
    named = {player_name(player): column for player, column in enumerate(players)}
    given = named | {"board": board, "dead cards": dead}
    index = common_index(given)
    columns = {name: as_column(name, column) for name, column in given.items()}
    lengths = {name: len(column) for name, column in columns.items() if is_per_spot(column)}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} {length:,}" for name, length in lengths.items())
        raise HoldemValueError(f"the columns have different lengths: {found}")
    count = next(iter(lengths.values()), 1)
    reader = PlayerReader(rules)
    codes = np.array([reader.codes(name, columns[name], count) for name in named]).T
    errors = reader.errors
    boards, sizes, rows = read_cards("board", columns["board"], count, 5, errors)
    dead_sets, dead_rows = read_dead(columns["dead cards"], count, errors)
    return SpotColumns(
        reader.ranges,
        codes,
        padded(boards, 5)[rows],
        sizes[rows],
        sets_of(boards)[rows],
        dead_sets[dead_rows],
        errors,
        columns,
        index,
    )


def player_name(player: int) -> str:
    """Return the name of a player's column; players are counted from 0."""
    return f"player {player + 1}"
