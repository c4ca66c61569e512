"""`HandTable`, which stores whole hands as arrays, and `Hand`, a view of one hand in a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Final, TypeAlias, TypeVar, overload

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import require_text
from holdem.cached_property import cached_property
from holdem.cards import DECK, Card, CardArray, read_only
from holdem.errors import (
    HoldemError,
    HoldemTypeError,
    HoldemValueError,
    counted,
    one_line,
    quoted,
)
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.hand_value import HandValue, best_fives
from holdem.jit.kernels import kernel, kernel_or_numpy
from holdem.jobs.run import EachTask, Task, run
from holdem.jobs.workers import Workers, WorkersClosedError
from holdem.odds.spot import BOARD_SIZE
from holdem.results.base_result import Result
from holdem.results.fields import EvaluatorLabel
from holdem.results.record_tables import TableResult
from holdem.rules import category_hint
from holdem.trials.dealt_lines import DealtLines

#: The number of cards that are burnt: one each before the flop, the turn and the river.
BURNS = 3

#: The number of board cards on each street.
STREETS: Final = {"flop": 3, "turn": 4, "river": 5}

# Hands of a table that are ranked together: with the cards of all players some 200 KB, which stay
# in the L2 cache. Fewer of these parts are ranked without threads.
_PART, _SHARED_PARTS = 1 << 12, 8

# The pot share of each winner, by the number of winners; the first element is the share of a seat
# that does not win. Making a fraction takes a microsecond.
_SHARES = (Fraction(0), *(Fraction(1, winners) for winners in range(1, 11)))

# Hands that are converted to Python objects together.
_VIEWED = 256

# The cards as objects, by id, for lists of cards.
_CARDS: NDArray[np.object_] = np.array(DECK, dtype=object)

#: Card ids in an array for users.
SignedCards: TypeAlias = NDArray[np.int8]

_Array = TypeVar("_Array", bound=NDArray[Any])


class HandTable(TableResult):
    """Whole hands as arrays, one row per hand; all players are in at the showdown, or some of them.

    `holdem.deal` makes such a table. Strengths, winners and other arrays that follow from the cards
    are computed when they are first used, and then kept. All arrays are read-only.

    ``table[2:5]`` and ``table[mask]`` are tables of some of the hands. ``table[5]`` is a `Hand`,
    and iteration yields `Hand` objects. Tables are equal if their seeds, hand numbers, cards and
    evaluators are equal, and the same players are in.

    Attributes:
        players: the number of players.
        seed: the seed from which the hands were dealt, given or drawn; None for decks of the user.
        number: the number of each hand, counted from 1 as in `simulate`, ``int64 (hand,)``.
        hole: the hole cards of each player, ``int8 (hand, player, 2)``.
        board: flop, turn and river, ``int8 (hand, 5)``. Board cards that were given come first,
            in the given order.
        burns: the burnt cards, ``int8 (hand, 3)``.
    """

    _report: ClassVar[str] = "holdem.report.hand_reports:hand_table_report"

    def __init__(
        self,
        dealt: CardArray,
        numbers: NDArray[np.int64],
        seed: int | None,
        evaluator: Evaluator,
        workers: int | Workers = 1,
        plays: NDArray[np.bool_] | None = None,
    ) -> None:
        """Create a table from dealt cards, which are not checked.

        Args:
            dealt: card ids, ``uint8 (hand, 5 + 2 * players + 3)``: the board, then each player's
                hole cards, then the burnt cards.
            numbers: the number of each hand, counted from 1 as in `simulate`, ``int64 (hand,)``.
            seed: the seed from which the hands were dealt; None for decks of the user.
            evaluator: ranks the hands.
            workers: the number of threads that rank the hands; in code that already runs in the
                threads of a `Workers` object, that object.
            plays: which players are in, ``bool (hand, player)``; all if None.
        """
        self._dealt = read_only(np.ascontiguousarray(dealt))
        self._evaluator = evaluator
        self._workers = workers
        self._known: dict[Any, NDArray[Any]] = {}
        self.players: Final[int] = (dealt.shape[1] - BOARD_SIZE - BURNS) // 2
        self.seed: Final[int | None] = seed
        self.number: Final[NDArray[np.int64]] = read_only(numbers)
        end = BOARD_SIZE + 2 * self.players
        signed = self._dealt.view(np.int8)  # so that differences of ids and ranks don't wrap
        self.board: Final[SignedCards] = signed[:, :BOARD_SIZE]
        self.burns: Final[SignedCards] = signed[:, end:]
        holes = signed[:, BOARD_SIZE:end]
        self.hole: Final[SignedCards] = holes.reshape(len(dealt), self.players, 2)
        self._plays = plays

    @cached_property  # on first use, since it takes as long as the rest of a small table
    def plays(self) -> NDArray[np.bool_]:
        """Whether each player is in at the showdown, ``bool (hand, player)``.

        All are, unless `showdown` made the table.
        """
        everyone = np.broadcast_to(np.True_, (len(self), self.players))
        return read_only(everyone if self._plays is None else self._plays)

    @property
    def evaluator(self) -> EvaluatorLabel:
        """The name and version of the evaluator that ranks the hands."""
        return self._evaluator.label

    @property
    def categories(self) -> tuple[str, ...]:
        """The names of the rule set's categories, weakest first; `category` returns indices."""
        return self._evaluator.rules.categories

    @property
    def has_folds(self) -> bool:
        """Whether `showdown` made the table; its files and frames say who is in."""
        return self._plays is not None

    def code(self, category: str) -> int:
        """Look up the number by which `category` denotes a category, given the category's name.

        Raises:
            HoldemTypeError: `category` is not text.
            HoldemValueError: there is no such category.
        """
        require_text(category, "category")
        if category not in self.categories:
            raise HoldemValueError(
                f"no category {quoted(category)}{category_hint(category, self.categories)};"
                f" there are: {', '.join(self.categories)}"
            )
        return self.categories.index(category)

    def strength(self, street: str = "river") -> NDArray[np.int64]:
        """Rank each player's best five cards as of a street, ``int64 (hand, player)``.

        The numbers are those that the evaluator gives; a larger number is a stronger hand.

        Args:
            street: ``"flop"``, ``"turn"`` or ``"river"``.

        Raises:
            HoldemTypeError: `street` is not text.
            HoldemValueError: there is no such street.
        """
        ranker = self._evaluator.ranker
        if ranker.tables is None:
            return self.ranked(street)
        own, ranked = self._evaluator.scale.strengths, self.ranked(street)
        return self._keep(("strength", self._board_size(street)), lambda: own[ranked - 1])

    def ranked(self, street: str = "river") -> NDArray[np.int64]:
        """Rank each player's best five cards so far in the fastest way.

        If the lookup tables of the rule set rank hands in the same order as the evaluator, the
        numbers are those of the tables. Otherwise, they are those of `strength`.

        Args:
            street: as for `strength`.

        Returns:
            ``int64 (hand, player)``; a larger number is a stronger hand.
        """
        cards = self._board_size(street)
        return self._keep(("ranked", cards), lambda: self._rank(cards))

    def category(self, street: str = "river") -> NDArray[np.int8]:
        """Find the category of each player's best five cards, ``int8 (hand, player)``.

        A number is an index in `categories`: ``table.category() >= table.code("flush")`` finds
        flushes and better hands. Do not compare the array with text. In NumPy, a number is never
        equal to a string, so ``table.category() == "flush"`` is False for every hand, without an
        error.

        Args:
            street: as for `strength`.
        """

        def find() -> NDArray[np.int8]:
            return self._evaluator.ranker.scale.categories(self.ranked(street)).astype(np.int8)

        return self._keep(("category", self._board_size(street)), find)

    def rank_class(self, street: str = "river") -> NDArray[np.int16]:
        """Find the strength class of each player's best five cards, ``int16 (hand, player)``.

        Class 1 is the strongest, and hands of the same class tie. On the flop and the turn, the
        best five of the cards dealt so far count.

        Args:
            street: as for `strength`.
        """

        def find() -> NDArray[np.int16]:
            return self._evaluator.ranker.scale.classes(self.ranked(street)).astype(np.int16)

        return self._keep(("class", self._board_size(street)), find)

    def has(self, hand: str, street: str = "river") -> NDArray[np.bool_]:
        """Find the players who have a hand or a draw, given its name, ``bool (hand, player)``.

        Args:
            hand: the name of a category, such as ``"flush"``, or one of the made hands and draws
                of `holdem.hits`, such as ``"top pair"``, ``"set"`` or ``"flush draw"``. With a
                ``+``, better hands count too: ``"flush+"``, ``"top pair+"``. Of several names,
                separated by commas, any one is enough. A name of both, such as ``"two pair"``, is
                the category, whether the hole cards or the board make the pairs.
            street: as for `strength`. There are draws on the flop and the turn only.

        Raises:
            HoldemTypeError: `hand` or `street` is not text.
            HoldemValueError: there is no such hand or draw on the street, or no such street.

        Example:
            >>> import holdem
            >>> table = holdem.deal("7h7d", hands=100_000, seed=7)
            >>> float(table.has("set", street="flop").mean())
            0.10798
        """
        size = self._board_size(street)
        lines = DealtLines(hand, street, size, self._evaluator.rules)
        categories, found = self.category(street), np.empty((len(self), self.players), np.bool_)
        holes, boards = self.hole.view(np.uint8), self._dealt[:, :size]

        def write(rows: slice, _: Workers | None) -> None:
            found[rows] = lines.find(holes[rows], boards[rows], categories[rows])

        self._in_parts(write, _PART)
        return found

    @property
    def winners(self) -> NDArray[np.bool_]:
        """Whether each player wins or shares the pot, ``bool (hand, player)``."""

        def find() -> NDArray[np.bool_]:
            strengths = self.ranked()
            if self._plays is not None:
                strengths = np.where(self._plays, strengths, np.iinfo(np.int64).min)
            best = strengths[:, 0].copy()
            for player in range(1, self.players):  # ten times as fast as a maximum by row
                np.maximum(best, strengths[:, player], out=best)
            winning: NDArray[np.bool_] = strengths == best[:, None]
            return winning if self._plays is None else winning & self._plays

        return self._keep("winners", find)

    @property
    def share(self) -> NDArray[np.float64]:
        """Each player's share of the pot, 1/k for one of k winners, ``float64 (hand, player)``.

        In a hand that nobody plays, all shares are 0.
        """

        def find() -> NDArray[np.float64]:
            winners = self.winners
            count = winners.sum(axis=1, keepdims=True)
            if self._plays is not None:
                count = np.maximum(count, 1)
            shares: NDArray[np.float64] = winners / count
            return shares

        return self._keep("share", find)

    @property
    def best(self) -> SignedCards:
        """The ids of each player's best five cards, ``int8 (hand, player, 5)``.

        They are in the order of `HandValue.best`. If several fives are equally strong, it is any of
        them: who plays the board is found by strengths, ``h.strength()`` and
        ``holdem.get_evaluator().strengths(h.board)``.
        """

        def find() -> SignedCards:
            best = np.empty((len(self), self.players, 5), dtype=np.int8)
            ranker = self._evaluator.ranker

            def write(rows: slice, workers: Workers | None) -> None:
                hands, strengths = self._hands(rows, BOARD_SIZE), self.ranked()[rows].ravel()
                classes = ranker.scale.classes(strengths)
                found = best_fives(hands, strengths, classes, self._evaluator, workers)
                best[rows] = found.reshape(-1, self.players, 5)

            self._in_parts(write, _PART)
            return best

        return self._keep("best", find)

    def showdown(self, plays: NDArray[np.bool_]) -> HandTable:
        """Make a table of the same hands in which only some of the players are in at the showdown.

        The others have folded: they neither win nor share a pot, but keep their cards, strengths
        and categories. A hand that nobody plays has no winner. Winners, shares, data frames and
        JSON of the new table are those of the players who are in.

        Args:
            plays: whether each player is in, ``bool (hand, player)``. It is copied.

        Raises:
            HoldemTypeError: `plays` is not an array of bools.
            HoldemValueError: it has another shape.

        Example:
            >>> import holdem
            >>> table = holdem.deal(players=6, hands=100_000, seed=1)
            >>> plays = holdem.Range.top(0.2).weight(table.hole) > 0
            >>> wins = table.showdown(plays).winners
            >>> round(float(wins.sum() / plays.sum()), 3)
            0.649
        """
        kind = plays.dtype if isinstance(plays, np.ndarray) else type(plays).__name__
        if kind != np.bool_:
            raise HoldemTypeError(
                f"plays must be an array of bools (hand, player), not {kind}; the players of a"
                " range are those with range.weight(table.hole) > 0"
            )
        if plays.shape != (len(self), self.players):
            raise HoldemValueError(
                f"plays must have the shape {(len(self), self.players)}, with a bool for each"
                f" player of each hand, not {plays.shape}"
            )
        self.ranked()  # once for all showdowns of a table
        found = HandTable(
            self._dealt, self.number, self.seed, self._evaluator, self._workers, plays.copy()
        )
        own = ("winners", "share")
        found._known = {name: array for name, array in self._known.items() if name not in own}
        return found

    def __len__(self) -> int:
        return len(self._dealt)

    @overload
    def __getitem__(self, key: int) -> Hand: ...

    @overload
    def __getitem__(self, key: slice | NDArray[Any]) -> HandTable: ...

    def __getitem__(self, key: Any) -> Hand | HandTable:
        if isinstance(key, int | np.integer) and not isinstance(key, bool):
            if not -len(self) <= key < len(self):
                raise IndexError(f"no row {key}: the table has {counted(len(self), 'hand')}")
            row = range(len(self))[int(key)]
            return Hand(self[row : row + 1], 0)
        if not isinstance(key, slice):
            key = self._choose_rows(key)
        plays = None if self._plays is None else self._plays[key]
        part = HandTable(
            self._dealt[key], self.number[key], self.seed, self._evaluator, self._workers, plays
        )
        part._known = {name: read_only(values[key]) for name, values in self._known.items()}
        return part

    def __iter__(self) -> Iterator[Hand]:
        for start in range(0, len(self), _VIEWED):
            part = self[start : start + _VIEWED]
            for row in range(len(part)):
                yield Hand(part, row)

    def __repr__(self) -> str:
        hands, players = counted(len(self), "hand"), counted(self.players, "player")
        return f"<HandTable: {hands} of {players}, {self.origin}>"

    @property
    def origin(self) -> str:
        """What the hands were dealt from, such as ``"seed 7"``, for text."""
        return "given decks" if self.seed is None else f"seed {self.seed}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HandTable):
            return NotImplemented
        return (
            self.seed == other.seed
            and self._evaluator is other._evaluator
            and np.array_equal(self.number, other.number)
            and np.array_equal(self._dealt, other._dealt)
            and np.array_equal(self.plays, other.plays)
        )

    def __hash__(self) -> int:
        return hash((self.seed, self.number.tobytes(), self._dealt.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return HandTable, (self._dealt, self.number, self.seed, self._evaluator, 1, self._plays)

    def to_dict(self) -> dict[str, Any]:
        """Convert the hands to a JSON object of the schema ``holdem/hands/1``."""
        return {"schema": "holdem/hands/1", "hands": [hand.to_dict() for hand in self]}

    # --- for `Hand` and files ------------------------------------------------------------

    def seat_value(self, row: int, player: int) -> HandValue:
        """Look up the value of a player's hand in one row, as `holdem.evaluate` would return it.

        Args:
            row: the index of the hand in the table.
            player: the number of the seat, from 0.
        """
        strengths, classes, best = self._values
        cards, hole = self.cards[row], BOARD_SIZE + 2 * player
        # The attributes are set at once, and those that are found for all hands together, too: the
        # initializer and the properties would take three times as long.
        value = HandValue.__new__(HandValue)
        value.__dict__.update(
            cards=(cards[hole], cards[hole + 1], *cards[:BOARD_SIZE]),
            strength=strengths[row][player],
            evaluator=self._evaluator,
            rank_class=classes[row][player],
            best=tuple(best[row][player]),
        )
        return value

    @cached_property
    def cards(self) -> list[list[Card]]:
        """The cards of each hand in one list: board, each player's hole cards, burnt cards."""
        cards: list[list[Card]] = _CARDS[self._dealt].tolist()
        return cards

    @cached_property
    def winning_seats(self) -> list[tuple[int, ...]]:
        """The numbers of the seats that win or share the pot in each hand."""
        return [
            tuple([seat for seat, wins in enumerate(row) if wins]) for row in self.winners.tolist()
        ]

    @cached_property
    def _values(self) -> tuple[list[list[int]], list[list[int]], list[list[list[Card]]]]:
        """Strengths, classes and best five cards; each is a list by hand of lists by player."""
        return self.strength().tolist(), self.rank_class().tolist(), _CARDS[self.best].tolist()

    # --- ranking ---------------------------------------------------------------------------

    def _keep(self, name: Any, find: Callable[[], _Array]) -> _Array:
        if name not in self._known:
            self._known[name] = read_only(find())
        return self._known[name]  # type: ignore[return-value]

    def _board_size(self, street: str) -> int:
        require_text(street, "street")
        if street not in STREETS:
            raise HoldemValueError(
                f"street must be flop, turn or river, not {quoted(street)}; before the flop,"
                ' holdem.Range("AA").weight(table.hole) > 0 finds who holds a hand of a range'
            )
        return STREETS[street]

    def _hands(self, rows: slice, cards: int) -> CardArray:
        """Join the hole cards of each player with the first `cards` cards of the board.

        The hands are ``uint8 (row * player, 2 + cards)``: all players of the first of the given
        rows of the table, then all players of the next row.
        """
        dealt = self._dealt[rows]
        hands = np.empty((len(dealt) * self.players, 2 + cards), dtype=np.uint8)
        kernel_or_numpy(join_cards, _join_cards_in_numpy, hands.size // 64)(dealt, hands)
        return hands

    def _rank(self, cards: int) -> NDArray[np.int64]:
        strengths = np.empty((len(self), self.players), dtype=np.int64)
        rank = self._evaluator.ranker.rank

        def write(rows: slice, workers: Workers | None) -> None:
            found = rank(self._hands(rows, cards), workers)
            strengths[rows] = found.reshape(-1, self.players)

        self._in_parts(write, _PART)
        return strengths

    def _in_parts(self, write: Callable[[slice, Workers | None], None], size: int) -> None:
        """Call `write` for slices of `size` rows; use threads if there are many slices.

        It also gets the `Workers` whose threads the call may use; None for no other threads.
        """
        parts = [slice(start, min(start + size, len(self))) for start in range(0, len(self), size)]
        if not isinstance(self._workers, int) or self._workers == 1 or len(parts) < _SHARED_PARTS:
            workers = None if isinstance(self._workers, int) else self._workers
            for rows in parts:
                write(rows, workers)
            return
        run(
            EachTask((Task(partial(write, rows), 1) for rows in parts), lambda _: None),
            self._workers,
        )


@attrs.frozen(repr=False)
class Seat:
    """A player's seat in a single hand: the hole cards, what they made, and the share of the pot.

    Seats with equal numbers and hole cards are equal, even if they are from different hands.
    """

    number: int
    """The seat number, from 0, in dealing order."""

    hole: tuple[Card, ...]
    """The player's two hole cards, in the order dealt."""

    # Refers to the table and not to the `Hand`, which would be a reference cycle.
    _table: HandTable = attrs.field(eq=False)
    _row: int = attrs.field(eq=False)

    @property
    def value(self) -> HandValue:
        """The value of the seat's best five cards, as `holdem.evaluate` would return it."""
        return self._table.seat_value(self._row, self.number)

    @property
    def share(self) -> Fraction:
        """The seat's share of the pot: 1/k for one of k winners, otherwise 0."""
        winners = self._table.winning_seats[self._row]
        return _SHARES[len(winners) if self.number in winners else 0]

    def __reduce__(self) -> tuple[Any, ...]:
        return _seat_of, (Hand(self._table, self._row), self.number)

    def __repr__(self) -> str:
        return f"<Seat {self.number}: {' '.join(map(str, self.hole))}>"


class Hand(Result):
    """One hand of Hold'em, dealt to the river; all players are in, or those of a `showdown`.

    Hands are equal if seed, number, cards and evaluator are equal, and the same players are in.
    """

    __slots__ = ("_row", "_seats", "_table")

    _report: ClassVar[str] = "holdem.report.hand_reports:dealt_hand_report"

    def __init__(self, table: HandTable, row: int) -> None:
        self._table = table
        self._row = row
        self._seats: tuple[Seat, ...] | None = None

    @property
    def number(self) -> int:
        """The number of the hand, counted from 1 as in `simulate`."""
        return int(self._table.number[self._row])

    @property
    def seed(self) -> int | None:
        """The seed from which the hand was dealt, given or drawn; None for a deck of the user."""
        return self._table.seed

    @property
    def evaluator(self) -> EvaluatorLabel:
        """The name and version of the evaluator that ranks the hand."""
        return self._table.evaluator

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the hand, in dealing order."""
        if self._seats is None:
            table, row = self._table, self._row
            cards = table.cards[row][BOARD_SIZE:-BURNS]
            holes = zip(cards[::2], cards[1::2], strict=True)
            self._seats = tuple([Seat(n, hole, table, row) for n, hole in enumerate(holes)])
        return self._seats

    @property
    def burns(self) -> tuple[Card, ...]:
        """The three cards burnt before the flop, the turn and the river."""
        start = BOARD_SIZE + 2 * self._table.players
        return self._cards(start, start + BURNS)

    @property
    def board(self) -> tuple[Card, ...]:
        """The five community cards: flop, turn, river."""
        return self._cards(0, BOARD_SIZE)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seat numbers of the winners, who share the pot equally; none if nobody is in."""
        return self._table.winning_seats[self._row]

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """The exact share of the pot of each seat; the shares add up to 1 if anyone is in."""
        winners = self.winners
        of_winner, none = _SHARES[len(winners)], _SHARES[0]
        return tuple([of_winner if n in winners else none for n in range(self._table.players)])

    def to_dict(self) -> dict[str, Any]:
        """Build the JSON object that ``holdem deal -f jsonl`` prints."""
        values = [seat.value for seat in self.seats]
        return {
            "hand": self.number,
            "seed": self.seed,
            "seats": [
                {
                    "hole": [str(card) for card in seat.hole],
                    "category": value.category,
                    "class": value.rank_class,
                    "best": [str(card) for card in value.best],
                }
                for seat, value in zip(self.seats, values, strict=True)
            ],
            "burns": [str(card) for card in self.burns],
            "board": [str(card) for card in self.board],
            "winners": list(self.winners),
            **self._plays_record(),
            "evaluator": self.evaluator.to_dict(),
        }

    def _plays_record(self) -> dict[str, list[int]]:
        table = self._table
        return {"plays": np.flatnonzero(table.plays[self._row]).tolist()} if table.has_folds else {}

    def _cards(self, start: int, end: int) -> tuple[Card, ...]:
        return tuple(self._table.cards[self._row][start:end])

    def _key(self) -> tuple[object, ...]:
        table = self._table
        plays = table.plays[self._row].tobytes()
        return (self.seed, self.number, *table.cards[self._row], id(table._evaluator), plays)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return Hand, (self._table[self._row : self._row + 1], 0)

    def __repr__(self) -> str:
        board = " ".join(map(str, self.board))
        players = counted(self._table.players, "player")
        return f"<Hand {self.number} of {self._table.origin}: {players}, board {board}>"


@kernel
def join_cards(dealt: CardArray, hands: CardArray) -> None:
    """Join the hole cards of each player with the first 3, 4 or 5 cards of the board.

    `dealt` are card ids, ``uint8 (hand, 5 + 2 * players + 3)``: the board, then each player's hole
    cards, then the burnt cards. They are written to `hands`, ``uint8 (hand * player, 2 + n)``, with
    n board cards: hole cards, then board cards, of all players of the first hand, then of the next
    hand.
    """
    row, cards = np.uint64(0), hands.shape[1]
    for hand in range(np.uint64(len(dealt))):
        # A loop over the board in the inner loop takes three times as long.
        first, second, third = dealt[hand, 0], dealt[hand, 1], dealt[hand, 2]
        turn, river = dealt[hand, 3], dealt[hand, 4]
        for hole in range(np.uint64(BOARD_SIZE), np.uint64(dealt.shape[1] - BURNS), np.uint64(2)):
            hands[row, 0] = dealt[hand, hole]
            hands[row, 1] = dealt[hand, hole + np.uint64(1)]
            hands[row, 2] = first
            hands[row, 3] = second
            hands[row, 4] = third
            if cards > 5:
                hands[row, 5] = turn
            if cards > 6:
                hands[row, 6] = river
            row += np.uint64(1)


def _join_cards_in_numpy(dealt: CardArray, hands: CardArray) -> None:
    players = (dealt.shape[1] - BOARD_SIZE - BURNS) // 2
    joined = hands.reshape(len(dealt), players, -1)
    holes = dealt[:, BOARD_SIZE : BOARD_SIZE + 2 * players]
    joined[:, :, :2] = holes.reshape(len(dealt), players, 2)
    joined[:, :, 2:] = dealt[:, None, : hands.shape[1] - 2]


def _seat_of(hand: Hand, number: int) -> Seat:
    return hand.seats[number]


_FLUSHES = 'table.category()[:, 0] == table.code("flush")'
#: An example of a function for each name of an argument that takes a function, for messages.
_EXAMPLES = dict.fromkeys(("ask", "given"), f"lambda table: {_FLUSHES}")
_EXAMPLES["of"] = f"lambda table: ({_FLUSHES}).sum()"


def ask_table(ask: Callable[[HandTable], Any], table: HandTable, name: str) -> Any:
    """Call a user's function with a table of hands, and return what it returns.

    `name` is the argument by which the function was given, ``"ask"``, ``"given"`` or ``"of"``.
    """
    if not callable(ask):
        raise HoldemTypeError(
            f"{name} must be a function of a table of hands, as in {_EXAMPLES[name]}, not"
            f" {quoted(ask)}"
        )
    try:
        return ask(table)
    except (HoldemError, WorkersClosedError):
        raise
    except Exception as error:
        raise HoldemValueError(
            f"{name} raised {type(error).__name__}: {one_line(str(error))}"
        ) from error


def name_answers(found: Mapping[Any, Any], name: str) -> dict[str, Any]:
    """Convert the keys of what a user's function returned to text; two must not become equal."""
    answers = {str(key): own for key, own in found.items()}
    if len(answers) < len(found):
        keys = quoted(list(found))
        raise HoldemValueError(f"{name} returned names that are equal as text: {keys}")
    return answers
