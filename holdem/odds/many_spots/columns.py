"""Columns of spots: the arguments of `equities` as arrays of codes and card ids."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import Card, CardArray
from holdem.errors import HoldemValueError
from holdem.odds.many_spots.card_columns import padded, read_cards, read_dead, sets_of
from holdem.odds.many_spots.column_forms import Column, as_column, is_per_spot
from holdem.odds.many_spots.player_columns import PlayerReader
from holdem.ranges.combos import COMBO_COUNT, COMBO_TEXT
from holdem.ranges.range import Range
from holdem.values import RuleSet


@attrs.frozen(eq=False)
class SpotColumns:
    """Spots as arrays. Created by `read_columns`.

    A player's *code* is a combo number, or `COMBO_COUNT` plus an index of `ranges`.
    """

    ranges: list[Range]
    """The distinct ranges with several combos or with weights."""
    texts: list[str | None]
    """The text of each of `ranges`, as given; None if it was given as a `Range`."""
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
        """Return a player of a spot as given, a `Range` or text; empty text if it was invalid."""
        code = int(self.codes[spot, player])
        if code < COMBO_COUNT:
            return COMBO_TEXT[code] if code >= 0 else ""
        text = self.texts[code - COMBO_COUNT]
        return self.ranges[code - COMBO_COUNT] if text is None else text

    def player_texts(self, player: int) -> list[str]:
        """Return the text of a player of each spot; empty if it was invalid."""
        given = zip(self.texts, self.ranges, strict=True)
        texts = [*COMBO_TEXT, *(str(hands) if text is None else text for text, hands in given), ""]
        return [texts[code] for code in self.codes[:, player].tolist()]

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
        HoldemValueError: columns have different lengths, or a value for all spots is invalid.
    """
    if not 2 <= len(players) <= 10:
        raise HoldemValueError(f"equities needs 2 to 10 players, not {len(players)}")
    named = {f"player {number}": column for number, column in enumerate(players, 1)}
    columns = {
        name: as_column(name, column)
        for name, column in (named | {"board": board, "dead cards": dead}).items()
    }
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
        reader.texts,
        codes,
        padded(boards, 5)[rows],
        sizes[rows],
        sets_of(boards)[rows],
        dead_sets[dead_rows],
        errors,
    )
