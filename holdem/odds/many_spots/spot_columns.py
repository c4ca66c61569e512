"""The arguments of `equities`, converted to arrays with a row for each spot (`SpotColumns`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, Card, CardArray, cards_text
from holdem.errors import HoldemValueError, counted
from holdem.odds.many_spots.column_readers import (
    COLUMN_HINT,
    NO_PLAYER,
    PlayerReader,
    make_card_sets,
    pad_cards,
    read_cards,
    read_dead,
)
from holdem.odds.many_spots.columns import (
    Column,
    Values,
    find_common_index,
    is_per_spot,
    normalize_column,
    player_name,
)
from holdem.ranges.combos import COMBO_COUNT, COMBO_TEXT
from holdem.ranges.range import Range, may_have_names
from holdem.rules import MAX_PLAYERS, MIN_PLAYERS, RuleSet

#: A text for each spot: the index of its string, ``integer (spot,)``, and the list of strings.
CodedText: TypeAlias = tuple[NDArray[Any], list[str]]


@attrs.frozen(eq=False)
class SpotColumns:
    """Spots as arrays, created by `read_columns`.

    The *code* of a player is a combo number, 0 to 1325, for known hole cards, and `COMBO_COUNT`
    (1326) plus an index in `ranges` for a range. -1 stands for invalid text, and `NO_PLAYER` for no
    player, in spots with fewer players than others.
    """

    ranges: list[Range]
    """The distinct ranges with several combos or with weights."""
    codes: NDArray[np.int32]
    """The code of each player, ``int32 (spot, player)``."""
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
    """The columns as `normalize_column` returned them, by name: ``player 1`` and so on, ``board``
    and ``dead cards``. Empty on a Dask worker."""
    index: Any = None
    """The index that the pandas Series among the columns share; None if there is no Series."""

    def __len__(self) -> int:
        return len(self.codes)

    def select(self, rows: NDArray[np.intp]) -> SpotColumns:
        """Select the arrays of some spots, given in ascending order, ``intp (row,)``.

        `errors`, `columns` and `index` still cover all spots.
        """
        return self._at(as_index(rows))

    def _at(self, index: NDArray[np.intp] | slice) -> SpotColumns:
        return attrs.evolve(
            self,
            codes=self.codes[index],
            boards=self.boards[index],
            board_sizes=self.board_sizes[index],
            board_sets=self.board_sets[index],
            dead=self.dead[index],
        )

    def take(self, rows: NDArray[np.intp]) -> SpotColumns:
        """Select some spots in any order, ``intp (row,)``, and number them from 0 again.

        Their columns, errors and index are selected, too.
        """
        spots = self._at(rows)
        columns = {
            name: column.take(rows)
            if isinstance(column, Values)
            else column[rows]
            if isinstance(column, np.ndarray)
            else column
            for name, column in self.columns.items()
        }
        errors = {
            number: self.errors[spot]
            for number, spot in enumerate(rows.tolist())
            if spot in self.errors
        }
        index = None if self.index is None else self.index[rows]
        return attrs.evolve(spots, errors=errors, columns=columns, index=index)

    def list_players(self, spot: int) -> tuple[Range | str, ...]:
        """List the players of a valid spot, each a `Range` or a single combo as a string."""
        return tuple(
            COMBO_TEXT[code] if code < COMBO_COUNT else self.ranges[code - COMBO_COUNT]
            for code in self.codes[spot].tolist()
            if code >= 0
        )

    def list_given_players(self, spot: int) -> tuple[Range | str, ...]:
        """List a spot's players as the user gave them, each a `Range` or a string (see `given`)."""
        codes = enumerate(self.codes[spot].tolist())
        return tuple(self.given(spot, player) for player, code in codes if code != NO_PLAYER)

    def given(self, spot: int, player: int) -> Range | str:
        """Look up a player as the user gave it: text, or a `Range`.

        It is the parsed `Range` if the text contains the name of a range, the text of the cards if
        cards were given, and empty text if there is no player.
        """
        value = self._value(player_name(player), spot)
        code = int(self.codes[spot, player])
        if isinstance(value, str) and code >= COMBO_COUNT and may_have_names(value):
            return self.ranges[code - COMBO_COUNT]
        if isinstance(value, str | Range):
            return value
        if code == NO_PLAYER:
            return ""
        if code >= 0:
            return COMBO_TEXT[code]
        return "" if value is None else str(getattr(value, "tolist", lambda: value)())

    def board_text(self, spot: int) -> str:
        """Return the text that the user gave for a spot's board, or format the given cards."""
        value = self._value("board", spot)
        return value if isinstance(value, str) else cards_text(self.board(spot))

    def dead_text(self, spot: int) -> str:
        """Return the text that the user gave for a spot's dead cards, or format the given cards."""
        value = self._value("dead cards", spot)
        return value if isinstance(value, str) else cards_text(self.dead_cards(spot))

    def player_texts(self, player: int) -> CodedText:
        """Format one player's hand or range in every spot; text from the user is kept as is."""
        name = player_name(player)
        if not isinstance(self.columns[name], np.ndarray):
            return self._texts(name, lambda spot: str(self.given(spot, player)))
        codes, texts = self.codes[:, player].copy(), list(COMBO_TEXT)
        wrong = np.flatnonzero(codes < 0)
        codes[wrong] = len(texts) + np.arange(len(wrong))
        return codes, texts + [str(self.given(spot, player)) for spot in wrong.tolist()]

    def board_texts(self) -> CodedText:
        """Format the board of every spot; text from the user is kept as is."""
        if not isinstance(self.columns["board"], np.ndarray):
            return self._texts("board", self.board_text)
        # Two characters a card, and zeros, which end a string, after the last one.
        cards = np.zeros(256, dtype="S2")
        cards[: len(DECK)] = list(map(str, DECK))
        texts = cards[self.boards].view("S10").astype("U10").ravel().tolist()
        return np.arange(len(self)), texts

    def dead_texts(self) -> CodedText:
        """Format the dead cards of every spot; text from the user is kept as is."""
        if not isinstance(self.columns["dead cards"], np.ndarray):
            return self._texts("dead cards", self.dead_text)
        _, first, codes = np.unique(self.dead, return_index=True, return_inverse=True)
        return codes, [self.dead_text(spot) for spot in first.tolist()]

    def _value(self, name: str, spot: int) -> Any:
        column = self.columns[name]
        return column[spot] if is_per_spot(column) else column

    def _texts(self, name: str, text: Callable[[int], str]) -> CodedText:
        """Convert a column that is not an array to text.

        `text` formats the value of the spot with the given number. It is called once for each
        distinct value that is not a string; or once, if one value was given for all spots.
        """
        column = self.columns[name]
        if not isinstance(column, Values):
            return np.zeros(len(self), dtype=np.intp), [text(0)] if len(self) else [""]
        spots = np.zeros(len(column.distinct), dtype=np.intp)
        spots[column.rows] = np.arange(len(self))
        pairs = zip(column.distinct, spots.tolist(), strict=True)
        return column.rows, [value if type(value) is str else text(spot) for value, spot in pairs]

    def board(self, spot: int) -> tuple[Card, ...]:
        return tuple(map(Card, self.boards[spot, : self.board_sizes[spot]].tolist()))

    def dead_cards(self, spot: int) -> tuple[Card, ...]:
        """List the dead cards of a spot, lowest id first."""
        dead = int(self.dead[spot])
        return tuple(Card(card) for card in range(52) if dead >> card & 1)

    def count_boards(self, *, is_file: bool = False) -> tuple[int, int]:
        """Count the spots without a board, but for those in `errors`, and those with board cards.

        With `is_file`, empty text is a missing board; otherwise, it is a board without cards, which
        is not counted.
        """
        has_board = self.board_sizes > 0
        is_missing = ~has_board
        is_missing[list(self.errors)] = False
        column = self.columns["board"]
        if isinstance(column, Values) and not is_file and "" in column.distinct:
            is_missing &= column.rows != column.distinct.index("")
        return int(is_missing.sum()), int(has_board.sum())

    def same_as(self, other: SpotColumns) -> bool:
        """Check whether players, dead cards and boards, also the order of their cards, are the
        same.
        """
        numbers: dict[Range, int] = {}

        def players(spots: SpotColumns) -> NDArray[np.int32]:
            own = [numbers.setdefault(hands, len(numbers)) for hands in spots.ranges]
            ranges = (COMBO_COUNT + number for number in own)
            # The last ones are indexed by the codes of no player and of invalid text.
            return np.array([*range(COMBO_COUNT), *ranges, NO_PLAYER, -1])[spots.codes]

        return bool(
            np.array_equal(players(self), players(other))
            and np.array_equal(self.boards, other.boards)
            and np.array_equal(self.dead, other.dead)
        )


def as_index(rows: NDArray[np.intp]) -> NDArray[np.intp] | slice:
    """Convert ascending indices, ``intp (row,)``, to a slice if they are consecutive.

    Indexing with a slice makes no copy. Other indices are returned unchanged.
    """
    if len(rows) and rows[-1] - rows[0] + 1 == len(rows):
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows


def read_columns(
    players: Sequence[Column], board: Column, dead: Column, rules: RuleSet
) -> SpotColumns:
    """Convert the columns of `equities` to arrays; `rules` are those by which ranges are read."""
    named = {player_name(player): column for player, column in enumerate(players)}
    given = named | {"board": board, "dead cards": dead}
    columns = {name: normalize_column(name, column) for name, column in given.items()}
    index = find_common_index(given)
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        hint = COLUMN_HINT
        if len(players) == 1 and isinstance(players[0], str):
            hint = (
                "each player is an argument, text or a column of text; files of spots are read by"
                " the command holdem equities"
            )
        raise HoldemValueError(
            f"equities needs {MIN_PLAYERS} to {MAX_PLAYERS} players, not {len(players)}; {hint}"
        )
    lengths = {name: len(column) for name, column in columns.items() if is_per_spot(column)}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} has {counted(n, 'row')}" for name, n in lengths.items())
        raise HoldemValueError(f"the columns have different lengths: {found}")
    count = next(iter(lengths.values()), 1)
    reader = PlayerReader(rules)
    codes = np.array([reader.read(name, columns[name], count) for name in named]).T
    errors = reader.errors
    is_absent = codes == NO_PLAYER
    for spot, player in np.argwhere(is_absent[:, :-1] & ~is_absent[:, 1:]).tolist():
        name = player_name(player)
        errors.setdefault(spot, f"{name} is missing, but not {player_name(player + 1)}")
    boards, sizes, rows = read_cards("board", columns["board"], count, 5, errors)
    dead_sets, dead_rows = read_dead(columns["dead cards"], count, errors)
    return SpotColumns(
        reader.ranges,
        codes,
        pad_cards(boards, 5)[rows],
        sizes[rows],
        make_card_sets(boards)[rows],
        dead_sets[dead_rows],
        errors,
        columns,
        index,
    )
