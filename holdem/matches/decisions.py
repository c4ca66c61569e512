"""`Decisions`: what a strategy sees of all games in which it is its turn, as arrays."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.betting.rounds import BOARD_SIZES
from holdem.betting.stakes import Stakes
from holdem.cached_property import cached_property
from holdem.cards import DECK, Card, CardArray, cards_text
from holdem.errors import HoldemRuntimeError, counted
from holdem.evaluation.builtin.lookup_tables import StrengthTable
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.hand_value import HandValue, evaluate
from holdem.matches import game_kernels
from holdem.matches.game_kernels import SEEN
from holdem.odds.hand_lines import DRAWS
from holdem.odds.many_spots.equities import equities
from holdem.ranges.range import Range
from holdem.ranges.starting_hands import hole_percentiles
from holdem.rules import RuleSet
from holdem.trials.dealt_lines import DealtLines

Integers: TypeAlias = NDArray[np.signedinteger[Any]]
"""Integers of 32 bits, which are faster, if the product of any two amounts fits, else of 64."""

Amounts: TypeAlias = Integers | NDArray[np.float64]
"""Chips in the unit of the match: integers, or floats if the smallest chip is a fraction."""

# The most chips in a game with integers of 32 bits.
_FEW_CHIPS = 1 << 15

_STREETS = ("before the flop", "on the flop", "on the turn", "on the river")


@attrs.define(eq=False)
class Batch:
    """Games in play with their cards; see `holdem.matches.game_kernels` for the arrays."""

    stakes: Stakes
    chips: int
    """All chips of a game."""
    rules: Any
    evaluator: Evaluator
    lineups: NDArray[np.uint8]
    """Who sits where: the number of the strategy, ``uint8 (line-up, position)``."""
    dealt: CardArray
    first_deal: int
    start: np.uint64
    """The beginning of the stream of random numbers for strategies."""
    games: Any
    log: NDArray[np.int32]
    logged: NDArray[np.int64]

    def number(self, game: int) -> int:
        """The number of a game's hand in the match, from 1."""
        return self.first_deal * len(self.lineups) + game + 1

    def make_room(self, actions: int) -> None:
        """Make the log large enough for a number of further actions."""
        needed = int(self.logged[0]) + actions
        if needed > len(self.log):
            log = np.empty((max(needed, 2 * len(self.log)), 3), dtype=np.int32)
            log[: self.logged[0]] = self.log[: self.logged[0]]
            self.log = log


class Decisions:
    """All games of a batch in which it is one strategy's turn, as arrays.

    A strategy of `play` gets such an object, and returns an action for each of the games: -1 to
    fold, 0 to check or call, or the total to raise to. The first axis of all arrays is the
    decision. Arrays are computed when they are first asked for. Amounts are in the unit of the
    arguments of `play`: integers if all of them are, otherwise float64. Integers have 32 bits if
    the product of any two amounts fits, otherwise 64. In `stacks`, `bets` and `live`, player 0 is
    the one who decides, player 1 the next one clockwise, and so on. After the strategy has
    answered, the object is over.

    Attributes:
        players: the number of players in each game.
        game: the number of each game in its batch, ``int32 (decision,)``: a strategy that has a
            method ``start(games)`` may keep what it remembers in arrays of `games` elements.

    Raises:
        HoldemRuntimeError: an attribute is read after the strategy has answered.

    Example:
        >>> import holdem, numpy as np
        >>> def jam(decision):
        ...     return np.where(decision.percentile > 0.9, decision.max_raise, decision.FOLD)
        >>> def caller(decision):
        ...     return np.full(len(decision), decision.CALL)
        >>> result = holdem.play([jam, caller], hands=10_000, stacks=20, seed=7)
        >>> result["jam"].bb_per_100 > result["caller"].bb_per_100
        True
    """

    FOLD: ClassVar[int] = -1
    """The action that folds."""
    CALL: ClassVar[int] = 0
    """The action that checks or calls; any larger number raises to this total."""

    game: NDArray[np.int32]
    players: int

    def __init__(self, batch: Batch, rows: NDArray[np.int32]) -> None:
        self._batch = batch
        self._rows = rows
        self.game = rows.view()
        self.game.flags.writeable = False  # the kernels trust the rows
        self.players = batch.stakes.players
        self._count = len(rows)

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"<Decisions in {counted(self._count, 'game')}>"

    def __getattr__(self, name: str) -> Any:
        if "_batch" not in self.__dict__ and not name.startswith("__"):
            raise HoldemRuntimeError(
                "these decisions are over, because the strategy has answered; copy what you need"
                " of them before, and remember it by decision.game (see start)"
            )
        raise AttributeError(f"a decision has no attribute {name!r}")

    # --- numbers ---

    @property
    def deal(self) -> NDArray[np.int64]:
        """The number of each game's deal, ``int64 (decision,)``: that of the hand in `deal`."""
        games = self._rows.astype(np.int64)
        return games // len(self._batch.lineups) + self._batch.first_deal + 1

    @cached_property
    def _columns(self) -> Integers:
        found = np.empty((len(SEEN), len(self._rows)), dtype=np.int32)
        game_kernels.look(self._batch.games, self._batch.rules, self._rows, found)
        return self._widened(found)

    def _number(self, name: str) -> Integers:
        column: Integers = self._columns[SEEN.index(name)]
        return column

    def _widened(self, found: NDArray[np.int32]) -> Integers:
        return found if self._batch.chips < _FEW_CHIPS else found.astype(np.int64)

    def _in_unit(self, chips: Integers) -> Amounts:
        chip = self._batch.stakes.chip
        if chip == 1:
            return chips
        if chip.denominator == 1 and self._batch.chips * chip.numerator < 2**63:
            return chips.astype(np.int64) * chip.numerator
        return chips.astype(np.float64) * float(chip.numerator) / chip.denominator

    @cached_property
    def to_call(self) -> Amounts:
        """The chips that a call costs: 0 to check, at most the player's stack."""
        return self._in_unit(self._number("to_call"))

    @cached_property
    def min_raise(self) -> Amounts:
        """The least total to raise to, all-in included; 0 if no raise is open."""
        return self._in_unit(self._number("min_raise"))

    @cached_property
    def max_raise(self) -> Amounts:
        """The largest total to raise to; 0 if no raise is open."""
        return self._in_unit(self._number("max_raise"))

    @cached_property
    def pot(self) -> Amounts:
        """All chips that are in, bets of this street included."""
        return self._in_unit(self._number("pot"))

    @cached_property
    def winnable(self) -> Amounts:
        """The chips that the player can win by calling, the call included.

        ``to_call / winnable`` is the price of a call.
        """
        found = np.empty(len(self._rows), dtype=np.int32)
        game_kernels.look_at_pots(self._batch.games, self._batch.rules, self._rows, found)
        return self._in_unit(self._widened(found))

    @cached_property
    def bet(self) -> Amounts:
        """The player's bet on this street so far."""
        return self._in_unit(self._number("bet"))

    @cached_property
    def stack(self) -> Amounts:
        """The player's chips behind."""
        return self._in_unit(self._number("stack"))

    @cached_property
    def highest(self) -> Amounts:
        """The bet to call, as a total for this street."""
        return self._in_unit(self._number("highest"))

    @property
    def street(self) -> Integers:
        """0 before the flop, 1 on the flop, 2 on the turn, 3 on the river."""
        return self._number("street")

    @property
    def position(self) -> Integers:
        """The position of the player, counted from the left of the button."""
        return self._number("position")

    @property
    def raises(self) -> Integers:
        """Bets and raises on this street so far; blinds do not count."""
        return self._number("raises")

    @property
    def raises_before(self) -> Integers:
        """Bets and raises on earlier streets."""
        return self._number("raises_before")

    @property
    def last_raiser(self) -> Integers:
        """Who has raised last in this hand, relative to the player; -1 if nobody has."""
        return self._number("last_raiser")

    @property
    def opponents(self) -> Integers:
        """The number of other players who have not folded."""
        return self._number("opponents")

    @property
    def big_blind(self) -> int | float:
        """The big blind of the match; without blinds, the least bet before the flop."""
        stakes = self._batch.stakes
        return stakes.amount(stakes.unit)

    @property
    def chip(self) -> int | float:
        """The smallest chip of the match; totals between two chips are rounded down."""
        return self._batch.stakes.amount(1)

    @cached_property
    def _around(self) -> tuple[Integers, Integers, NDArray[np.bool_]]:
        shape = len(self._rows), self.players
        stacks, bets = np.empty(shape, dtype=np.int32), np.empty(shape, dtype=np.int32)
        live = np.empty(shape, dtype=np.bool_)
        game_kernels.look_around(self._batch.games, self.players, self._rows, stacks, bets, live)
        return self._widened(stacks), self._widened(bets), live

    @cached_property
    def stacks(self) -> Amounts:
        """The chips behind of all players, ``(decision, player)``."""
        return self._in_unit(self._around[0])

    @cached_property
    def bets(self) -> Amounts:
        """The bets of all players on this street, ``(decision, player)``."""
        return self._in_unit(self._around[1])

    @property
    def live(self) -> NDArray[np.bool_]:
        """Whether each player has not folded, ``bool (decision, player)``."""
        return self._around[2]

    @cached_property
    def actions(self) -> Amounts:
        """The actions so far, ``(decision, action, 3)``: street, position, and action.

        An action is -1 for a fold, 0 for a check or call, or the total that was raised to. After
        the last action of a game, all three are -2.
        """
        games = self._batch.games
        most = int(games["count"][self._rows].max(initial=0))
        seen = np.full((len(self._rows), most, 3), -2, dtype=np.int32)
        game_kernels.look_back(games, self._rows, self._batch.log, seen)
        found = self._widened(seen)
        if self._batch.stakes.chip == 1:
            return found
        amounts = self._in_unit(found)
        return np.where((found > 0) & (np.arange(3) == 2), amounts, found.astype(np.float64))

    @cached_property
    def random(self) -> NDArray[np.float64]:
        """A random number in [0, 1) for each decision.

        It depends on the seed, the deal and the number of actions before, and on nothing else:
        equal strategies with the same cards decide alike.
        """
        found = np.empty(len(self._rows))
        batch = self._batch
        game_kernels.draw(batch.games, self._rows, batch.start, batch.first_deal, found)
        return found

    # --- cards ---

    @cached_property
    def hole(self) -> NDArray[np.int8]:
        """The ids of the player's hole cards, ``int8 (decision, 2)``, as in `HandTable.hole`."""
        found = np.empty((len(self._rows), 2), dtype=np.int8)
        game_kernels.look_at_holes(self._batch.games, self._rows, self._batch.dealt, found)
        return found

    @cached_property
    def board(self) -> NDArray[np.int8]:
        """The ids of the board, ``int8 (decision, 5)``; -1 for cards that are not dealt yet."""
        found = np.empty((len(self._rows), 5), dtype=np.int8)
        game_kernels.look_at_boards(self._batch.games, self._rows, self._batch.dealt, found)
        return found

    @cached_property
    def percentile(self) -> NDArray[np.float64]:
        """The share of all hole cards that are not stronger before the flop; 1 for aces."""
        found: NDArray[np.float64] = hole_percentiles(self._batch.evaluator.rules)[
            self.hole[:, 0], self.hole[:, 1]
        ]
        return found

    @cached_property
    def strength(self) -> NDArray[np.int32]:
        """The strength of the player's best five cards with the board; 0 before the flop.

        It counts the classes of the rule set from the weakest: 1 to 7,462 with standard rules,
        whatever evaluator ranks the hands.
        """
        found = np.empty(len(self._rows), dtype=np.int32)
        batch = self._batch
        game_kernels.rank_actors(
            batch.games,
            self._rows,
            batch.dealt.reshape(-1),
            batch.dealt.shape[1],
            *strength_tables(batch.evaluator),
            found,
        )
        return found

    @cached_property
    def category(self) -> NDArray[np.int32]:
        """The category of the player's best five cards, an index in `categories`; -1 before the
        flop.
        """
        return category_table(self._batch.evaluator)[self.strength]

    @property
    def categories(self) -> tuple[str, ...]:
        """The names of the rule set's categories, weakest first."""
        return self._batch.evaluator.rules.categories

    def has(self, hand: str) -> NDArray[np.bool_]:
        """Find out who has a hand or a draw, given its name, ``bool (decision,)``.

        Args:
            hand: as in `HandTable.has`, such as ``"top pair+"``, ``"set, flush draw"``. Before the
                flop, nobody has any; on the river, nobody has a draw.

        Raises:
            HoldemTypeError: `hand` is not text.
            HoldemValueError: there is no such hand or draw.
        """
        rules = self._batch.evaluator.rules
        given: Any = hand
        if not isinstance(given, str):
            DealtLines(given, "flop", BOARD_SIZES[1], rules)  # says what is wrong
        found = np.zeros(len(self._rows), dtype=np.bool_)
        _find_lines(hand, 1, rules)  # which raises if there is no such name
        for street in (1, 2, 3):
            rows = np.flatnonzero(self.street == street)
            lines = _find_lines(hand, street, rules)
            if lines is not None and len(rows):
                holes = self.hole[rows, None].view(np.uint8)
                boards = self.board[rows, : BOARD_SIZES[street]].view(np.uint8)
                categories = self.category[rows, None].astype(np.int8)
                found[rows] = lines.find(holes, boards, categories)[:, 0]
        return found

    def equity(self, opponent: str | Range) -> NDArray[np.float64]:
        """Compute the exact equity of the player's cards against a range, ``float64 (decision,)``.

        It is that against one opponent with this range on the board so far. Hole cards with the
        same board are computed once; it takes some microseconds each on the river, ten times that
        on the turn, and up to milliseconds before.

        Args:
            opponent: a `Range`, or text in the range language.

        Returns:
            The mean share of the pot; NaN where the player's cards and the board leave nothing of
            the range.

        Raises:
            RangeError: the text is not a range.
        """
        against = opponent if isinstance(opponent, Range) else Range(opponent)
        cards = np.concatenate([self.hole, self.board], axis=1)
        distinct, places = np.unique(cards, axis=0, return_inverse=True)
        found = np.empty(len(distinct))
        for is_before in (True, False):  # the flop
            rows = np.flatnonzero((distinct[:, 2] < 0) == is_before)
            if len(rows):
                table = equities(
                    distinct[rows, :2],
                    against,
                    board=None if is_before else distinct[rows, 2:],
                    method="exact",
                    workers=1,
                    evaluator=self._batch.evaluator.spec,
                    errors="nan",
                )
                found[rows] = table.equity[:, 0]
        equity: NDArray[np.float64] = found[places.reshape(-1)]
        return equity


class Cards(tuple[Card, ...]):
    """Cards that print as in ``As Kd``."""

    def __str__(self) -> str:
        return cards_text(self, " ")


class Lists:
    """The arrays of `Decisions` as lists, each made once."""

    def __init__(self, decisions: Decisions) -> None:
        self.decisions = decisions
        self._known: dict[tuple[str, ...], Any] = {}

    def get(self, name: str, *arguments: str) -> Any:
        """Get an attribute, or what a method returns; what is no array stays as it is."""
        key = (name, *arguments)
        if key not in self._known:
            value = getattr(self.decisions, name)
            value = value(*arguments) if arguments else value
            self._known[key] = value.tolist() if isinstance(value, np.ndarray) else value
        return self._known[key]


class OneDecision:
    """One of `Decisions`, in plain Python: with the attributes of `Decision`, too."""

    FOLD: ClassVar[int] = -1
    CALL: ClassVar[int] = 0

    def __init__(self, lists: Lists, row: int) -> None:
        self._lists: Lists | None = lists
        self._row = row

    def end(self) -> None:
        self._lists = None

    def _now(self) -> Lists:
        if self._lists is None:
            raise HoldemRuntimeError(
                "this decision is over, because the strategy has answered; copy what you need of it"
                " before"
            )
        return self._lists

    def __repr__(self) -> str:
        return f"<Decision of {describe(self._now().decisions, self._row)}>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        value = self._now().get(name)
        if not isinstance(value, list):  # the same in all games
            return value
        found = value[self._row]
        if name in ("hole", "board"):
            return Cards([DECK[card] for card in found if card >= 0])
        if name == "actions":
            return tuple([(int(on), int(who), to) for on, who, to in found if on >= 0])
        if name == "last_raiser":
            return None if found < 0 else found
        return tuple(found) if isinstance(found, list) else found

    @property
    def value(self) -> HandValue:
        """The player's best five cards with the board, from the flop on."""
        spec = self._now().decisions._batch.evaluator.spec
        return evaluate([*self.hole, *self.board], evaluator=spec)

    def has(self, hand: str) -> bool:
        """Tell whether the player has a hand or a draw, as `Decisions.has`."""
        return bool(self._now().get("has", hand)[self._row])


def describe(decisions: Decisions, row: int) -> str:
    """Describe the game of one decision in words, for messages."""
    batch, game = decisions._batch, int(decisions._rows[row])
    numbers = dict(zip(SEEN, decisions._columns[:, row].tolist(), strict=True))
    board, hole = decisions.board[row].tolist(), decisions.hole[row].tolist()
    shown = Cards([DECK[card] for card in board if card >= 0])
    amount = batch.stakes.amount
    return (
        f"hand {batch.number(game):,}, {_STREETS[numbers['street']]}{' ' if shown else ''}{shown}:"
        f" position {numbers['position']} with {Cards([DECK[card] for card in hole])},"
        f" pot {amount(numbers['pot'])}, {amount(numbers['to_call'])} to call"
    )


def end(decisions: Decisions) -> None:
    """End decisions, of which nothing can be read any more."""
    count = decisions._count
    decisions.__dict__.clear()
    decisions._count = count


def strength_tables(evaluator: Evaluator) -> tuple[StrengthTable, StrengthTable, StrengthTable]:
    """The tables of strengths of five, six and seven cards, of rules without wild cards."""
    tables = evaluator.ranker.tables
    assert tables is not None
    return tables.of_size[5], tables.of_size[6], tables.of_size[7]


@lru_cache(maxsize=8)
def category_table(evaluator: Evaluator) -> NDArray[np.int32]:
    """The category of each strength, ``int32 (strength,)``; -1 for 0."""
    scale = evaluator.ranker.scale
    found = np.full(len(scale.strengths) + 1, -1, dtype=np.int32)
    found[1:] = scale.categories(scale.strengths)
    return found


@lru_cache(maxsize=256)
def _find_lines(text: str, street: int, rules: RuleSet) -> DealtLines | None:
    """Read names of hands on a street; on the river, draws are left out."""
    if street == 3:
        parts = [part for part in text.split(",") if " ".join(part.lower().split()) not in DRAWS]
        if not parts:
            return None
        text = ",".join(parts)
    name = ("flop", "turn", "river")[street - 1]
    return DealtLines(text, name, BOARD_SIZES[street], rules)
