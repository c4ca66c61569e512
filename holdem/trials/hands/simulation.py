"""Whole hands of Hold'em, dealt as at a table and ranked: one after another, without end."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import whole_number
from holdem.cards import DECK, Card, CardArray
from holdem.dealing.seeds import counter_start, resolve_seed
from holdem.dealing.table import TablePlaces, check_players, table_places
from holdem.errors import SpotError
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.hand_value import HandValue, hand_values
from holdem.evaluation.registry import get_evaluator

#: The most hands that can be asked for: beyond it, counts of shares would leave 64 bits.
MAX_HANDS = 10**15

# Hands are dealt and ranked together, few at first so that the first ones come at once. Which
# hands lie in one block makes no difference to them.
_FIRST_BLOCK, _LARGEST_BLOCK = 8, 256


class HandDealer:
    """Deals the hands of one seed: any number of consecutive ones, from any place on."""

    def __init__(self, players: int, seed: int, evaluator: Evaluator) -> None:
        """Take checked arguments; the deck is that of the evaluator's rules."""
        self.players = players
        self.seed = seed
        self.evaluator = evaluator
        self.places: TablePlaces = table_places(players)
        self._start = counter_start(seed, "hands")
        self._deck: CardArray = np.array(evaluator.rules.deck, dtype=np.uint8)
        seven = [(*hole, *self.places.board) for hole in self.places.holes]
        self._seven = np.array(seven, dtype=np.int64)

    def deal(self, first: int, count: int) -> tuple[CardArray, CardArray]:
        """Deal `count` hands from number `first` (1 for the first) on.

        Returns:
            The top cards of each shuffled deck, ``uint8 (hand, card)``, to be read with
            `places`; and each seat's hole and board, ``uint8 (hand * seat, 7)``.
        """
        # The compiled code is loaded when hands are dealt, not when this module is.
        from holdem.dealing.random_words import GOLDEN
        from holdem.trials.hands.kernels import WORDS_A_HAND, deal_hands

        dealt = np.empty((count, self.places.cards), dtype=np.uint8)
        hands = np.empty((count * self.players, 7), dtype=np.uint8)
        counter = (self._start + (first - 1) * WORDS_A_HAND * int(GOLDEN)) % 2**64
        deal_hands(np.uint64(counter), self._deck, self._seven, dealt, hands)
        return dealt, hands


class _Block:
    """Some consecutive hands, ranked and described together when that is first asked for."""

    def __init__(self, dealer: HandDealer, first: int, count: int) -> None:
        self.dealer = dealer
        self.evaluator = dealer.evaluator
        dealt, self.hands = dealer.deal(first, count)
        self.cards: list[list[int]] = dealt.tolist()

    @cached_property
    def strengths(self) -> NDArray[Any]:
        """By the evaluator, ``(hand * seat,)``."""
        return self.evaluator.rank(self.hands)

    @cached_property
    def winners(self) -> list[tuple[int, ...]]:
        """The winning seats of each hand."""
        ranked = self.strengths.reshape(-1, self.dealer.players)
        winning = (ranked == ranked.max(axis=1, keepdims=True)).tolist()
        return [tuple(seat for seat, wins in enumerate(row) if wins) for row in winning]

    @cached_property
    def values(self) -> list[HandValue]:
        """What each seat's hand is worth, hand after hand."""
        return hand_values(self.hands, self.strengths, self.evaluator)


@attrs.frozen(repr=False)
class Seat:
    """One player's part of a hand. Seats are equal if number and hole are."""

    number: int
    """The seat, 0 for the first that is dealt to."""

    hole: tuple[Card, ...]
    """The player's two cards, in the order they came."""

    # Not the hand: the two would keep each other alive until the garbage collector came.
    _block: _Block = attrs.field(eq=False)
    _row: int = attrs.field(eq=False)

    @property
    def value(self) -> HandValue:
        """What the best five of hole and board are worth, as from `holdem.evaluate`."""
        return self._block.values[self._row * self._block.dealer.players + self.number]

    @property
    def share(self) -> Fraction:
        """The share of the pot: 1 for a win, 1/k for one of k winners, else 0."""
        winners = self._block.winners[self._row]
        return Fraction(self.number in winners, len(winners))

    def __repr__(self) -> str:
        return f"<Seat {self.number}: {' '.join(map(str, self.hole))}>"


class Hand:
    """One hand of Hold'em, dealt to the river; every player stays in to the showdown.

    Hands are equal if they are the same hand of the same seed, with the same cards, ranked
    by the same evaluator.
    """

    __slots__ = ("_block", "_row", "_seats", "number")

    number: int
    """1 for the first hand of the seed."""

    def __init__(self, number: int, block: _Block, row: int) -> None:
        """Made by `simulate`."""
        self.number = number
        self._block = block
        self._row = row
        self._seats: tuple[Seat, ...] | None = None

    @property
    def seed(self) -> int:
        """The seed that the hand comes from, given or drawn."""
        return self._block.dealer.seed

    @property
    def evaluator(self) -> dict[str, str]:
        """Name and version of the evaluator that ranks the hand."""
        return self._block.evaluator.label

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players, in the order in which they are dealt to."""
        if self._seats is None:
            holes = self._block.dealer.places.holes
            self._seats = tuple(
                Seat(number, self._cards(places), self._block, self._row)
                for number, places in enumerate(holes)
            )
        return self._seats

    @property
    def burns(self) -> tuple[Card, ...]:
        """The three cards burnt: before the flop, the turn and the river."""
        return self._cards(self._block.dealer.places.burns)

    @property
    def board(self) -> tuple[Card, ...]:
        """The five shared cards: flop, turn, river."""
        return self._cards(self._block.dealer.places.board)

    @property
    def winners(self) -> tuple[int, ...]:
        """The numbers of the seats with the best hand; several share the pot equally."""
        return self._block.winners[self._row]

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """Each seat's share of the pot, exactly; they add up to 1."""
        return tuple(seat.share for seat in self.seats)

    def to_dict(self) -> dict[str, Any]:
        """Return the hand as ``holdem deal -f jsonl`` prints it."""
        return {
            "hand": self.number,
            "seed": self.seed,
            "seats": [
                {
                    "hole": [str(card) for card in seat.hole],
                    "category": seat.value.category,
                    "best": [str(card) for card in seat.value.best],
                }
                for seat in self.seats
            ],
            "burns": [str(card) for card in self.burns],
            "board": [str(card) for card in self.board],
            "winners": list(self.winners),
            "evaluator": dict(self.evaluator),
        }

    def _cards(self, places: tuple[int, ...]) -> tuple[Card, ...]:
        row = self._block.cards[self._row]
        return tuple([DECK[row[place]] for place in places])

    def _key(self) -> tuple[object, ...]:
        return (self.seed, self.number, *self._block.cards[self._row], id(self._block.evaluator))

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        board = " ".join(map(str, self.board))
        return f"<Hand {self.number} of seed {self.seed}: {len(self.seats)} players, board {board}>"


def simulate(
    players: int = 6,
    hands: int | None = None,
    seed: int | None = None,
    evaluator: str | Evaluator | EvaluatorSpec | None = None,
) -> Iterator[Hand]:
    """Deal whole hands of Hold'em, one after another.

    A hand depends on the seed and its number alone: hand 1,000 of seed 7 is the same
    whether it is reached by `simulate` or counted by `aggregate`, on any machine. The deck
    is shuffled anew for each, the same for any number of players.

    Args:
        players: 2 to 10.
        hands: how many hands; None never ends.
        seed: 0..2^53-1; drawn from the operating system's entropy for None. Each hand says
            which it was.
        evaluator: who ranks the hands: a name, a spec, or None for the default.

    Returns:
        An iterator of `Hand`. It uses the same memory however many hands it deals; hands
        are ranked and described when that is first asked for, some hundreds at a time.

    Raises:
        SpotError: not 2 to 10 players, or a negative number of hands.
        SeedError: a seed outside 0..2^53-1.
        EvaluatorError: no such evaluator, or one that cannot be used.
        HoldemTypeError: an argument of a type that cannot be used.
    """
    if hands is not None:
        hands = whole_number(hands, "hands", 0, MAX_HANDS, SpotError, bounds="0..10^15")
    return _deal(make_dealer(players, seed, evaluator), hands)


def make_dealer(
    players: int, seed: int | None, evaluator: str | Evaluator | EvaluatorSpec | None
) -> HandDealer:
    """Return the dealer of a seed, drawn if it is None; arguments and errors as of `simulate`."""
    players = check_players(players)
    seed = resolve_seed(seed)
    ranking = get_evaluator(evaluator)
    ranking.scale  # noqa: B018 - loads it: one that is broken is refused here, not later
    return HandDealer(players, seed, ranking)


def _deal(dealer: HandDealer, hands: int | None) -> Iterator[Hand]:
    first, size = 1, _FIRST_BLOCK
    while hands is None or first <= hands:
        count = size if hands is None else min(size, hands - first + 1)
        block = _Block(dealer, first, count)
        for row in range(count):
            yield Hand(first + row, block, row)
        first += count
        size = min(2 * size, _LARGEST_BLOCK)
