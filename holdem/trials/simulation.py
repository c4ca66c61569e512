"""`simulate`, which deals whole hands of Hold'em one after another.

Each hand has its own interval of splitmix64 counters, so that any hand of a seed can be dealt
without those before it. The cards of a deal are the top of a deck shuffled by the method of
Fisher and Yates. A random number below n is the high part of n times a random 16-bit fraction;
fractions that would favour some numbers are rejected (Lemire, Fast random integer generation in an
interval, 2019).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar
from weakref import WeakSet

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_integer
from holdem.base_result import EvaluatorLabel, Result
from holdem.cards import DECK, Card, CardArray
from holdem.dealing.seeds import GOLDEN, counter_start, random_word, resolve_seed
from holdem.errors import SpotError
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.hand_value import HandValue, hand_values
from holdem.evaluation.registry import EvaluatorLike, get_evaluator
from holdem.jit.decorators import inlined, kernel
from holdem.jobs.workers import in_worker_thread
from holdem.rules import MAX_PLAYERS, MIN_PLAYERS

#: The number of counters per hand. Ten players take 28 cards, four from each word; about one word
#: in 1,000 is rejected, and a tenth rejection in one hand would reach the counters of the next.
WORDS_PER_HAND = 16

#: The largest number of hands: with more, sums of pot shares would overflow 64 bits.
MAX_HANDS = 10**15

_STREETS = (3, 1, 1)  # cards that go to the board on the flop, the turn and the river

# Block sizes of `simulate`. The first blocks are small, so that the first hand comes quickly.
_FIRST_BLOCK, _LARGEST_BLOCK = 8, 256

# Evaluators that have ranked a hand, so that their kernels are compiled.
_warm_evaluators = WeakSet[Evaluator]()


@attrs.frozen
class DealOrder:
    """The position in the deck, counted from the top, of every card in a deal.

    Each seat gets one card, then each seat a second card. A card is burnt before the flop of
    three cards, before the turn and before the river. Seat 0, on the left of the button, gets the
    first card; the button is the last seat.
    """

    cards: int
    """Number of cards that the deal uses: ``2 * players + 8``."""

    holes: tuple[tuple[int, ...], ...]
    """Two positions for each seat."""

    burns: tuple[int, ...]
    """Three positions: before the flop, the turn and the river."""

    board: tuple[int, ...]
    """Five positions: flop, turn, river."""


def deal_order(players: int) -> DealOrder:
    """Compute the deal order for 2 to 10 players."""
    position = 2 * players
    burns: list[int] = []
    board: list[int] = []
    for count in _STREETS:
        burns.append(position)
        board += range(position + 1, position + 1 + count)
        position += 1 + count
    return DealOrder(
        cards=position,
        holes=tuple((seat, players + seat) for seat in range(players)),
        burns=tuple(burns),
        board=tuple(board),
    )


class HandDealer:
    """A dealer with random access to all hands of a seed."""

    def __init__(self, players: int, seed: int | None, evaluator: EvaluatorLike | None) -> None:
        """Prepare to deal from the deck of the evaluator's rule set.

        Arguments and errors are those of `simulate`.
        """
        self.players = checked_integer(players, "players", MIN_PLAYERS, MAX_PLAYERS, SpotError)
        self.seed = resolve_seed(seed)
        self.evaluator = get_evaluator(evaluator)
        self.order: DealOrder = deal_order(self.players)
        self._start = counter_start(self.seed, "hands")
        rules = self.evaluator.rules
        if self.order.cards > len(rules.deck):
            raise SpotError(
                f"{self.players} players need {self.order.cards} cards with the board and three"
                f" burns, and {rules.name} rules have {rules.deck_text}; deal to at most"
                f" {(len(rules.deck) - deal_order(0).cards) // 2} players"
            )
        self._deck: CardArray = np.array(rules.deck, dtype=np.uint8)
        seven = [(*hole, *self.order.board) for hole in self.order.holes]
        self._seven = np.array(seven, dtype=np.int64)

    def deal(self, first: int, count: int) -> tuple[CardArray, CardArray]:
        """Deal `count` hands of the seed, from hand number `first` on, as arrays of cards.

        Args:
            first: the number of the first hand, 1 for the first of the seed.
            count: the number of hands.

        Returns:
            The top cards of each shuffled deck, ``uint8 (hand, card)``, to be read with
            `order`; and the hole cards and board of each seat, ``uint8 (hand * seat, 7)``.
        """
        dealt = np.empty((count, self.order.cards), dtype=np.uint8)
        hands = np.empty((count * self.players, 7), dtype=np.uint8)
        counter = (self._start + (first - 1) * WORDS_PER_HAND * int(GOLDEN)) % 2**64
        deal_hands(np.uint64(counter), self._deck, self._seven, dealt, hands)
        return dealt, hands


class _Block:
    """A block of consecutive hands, which are ranked together when a hand is first needed."""

    def __init__(self, dealer: HandDealer, first: int, count: int) -> None:
        self.dealer = dealer
        self.first = first
        self.evaluator = dealer.evaluator
        dealt, self.hands = dealer.deal(first, count)
        self.cards: list[list[int]] = dealt.tolist()

    def hand(self, row: int) -> Hand:
        """Return one of the hands; `row` counts from 0."""
        return Hand(self.first + row, self, row)

    @cached_property
    def strengths(self) -> NDArray[Any]:
        """The strength of each seat's hand, as an array ``(hand * seat,)``."""
        return self.evaluator.rank(self.hands)

    @cached_property
    def winners(self) -> list[tuple[int, ...]]:
        """The seat numbers of the winners of each hand in the block."""
        ranked = self.strengths.reshape(-1, self.dealer.players)
        winning = (ranked == ranked.max(axis=1, keepdims=True)).tolist()
        return [tuple(seat for seat, wins in enumerate(row) if wins) for row in winning]

    @cached_property
    def values(self) -> list[HandValue]:
        """The value of each seat's hand, hand by hand in seat order."""
        return hand_values(self.hands, self.strengths, self.evaluator)


@attrs.frozen(repr=False)
class Seat:
    """A player's seat in a single hand.

    Seats with equal numbers and hole cards are equal.
    """

    number: int
    """The seat number; seat 0 is dealt to first."""

    hole: tuple[Card, ...]
    """The player's two hole cards, in the order dealt."""

    # Refers to the block and not to the `Hand`, which would be a reference cycle.
    _block: _Block = attrs.field(eq=False)
    _row: int = attrs.field(eq=False)

    @property
    def value(self) -> HandValue:
        """The value of the seat's best five cards, as `holdem.evaluate` would return it."""
        return self._block.values[self._row * self._block.dealer.players + self.number]

    @property
    def share(self) -> Fraction:
        """The seat's share of the pot: 1/k for one of k winners, otherwise 0."""
        winners = self._block.winners[self._row]
        return Fraction(self.number in winners, len(winners))

    def __reduce__(self) -> tuple[Any, ...]:
        return _seat_of, (self._block.hand(self._row), self.number)

    def __repr__(self) -> str:
        return f"<Seat {self.number}: {' '.join(map(str, self.hole))}>"


class Hand(Result):
    """One hand of Hold'em, dealt to the river, in which every player stays in to the showdown.

    Hands are equal if seed, number, cards and evaluator are equal.
    """

    __slots__ = ("_block", "_row", "_seats", "number")

    _report: ClassVar[str] = "holdem.report.hand_reports:dealt_hand_report"

    number: int
    """1 for the first hand of the seed."""

    def __init__(self, number: int, block: _Block, row: int) -> None:
        self.number = number
        self._block = block
        self._row = row
        self._seats: tuple[Seat, ...] | None = None

    @property
    def seed(self) -> int:
        """The seed of the hand, as given to `simulate` or drawn at random."""
        return self._block.dealer.seed

    @property
    def evaluator(self) -> EvaluatorLabel:
        """The name and version of the evaluator that ranks the hand."""
        return self._block.evaluator.label

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the hand, in dealing order."""
        if self._seats is None:
            holes = self._block.dealer.order.holes
            self._seats = tuple(
                Seat(number, self._cards(positions), self._block, self._row)
                for number, positions in enumerate(holes)
            )
        return self._seats

    @property
    def burns(self) -> tuple[Card, ...]:
        """The three cards burned before the flop, the turn and the river."""
        return self._cards(self._block.dealer.order.burns)

    @property
    def board(self) -> tuple[Card, ...]:
        """The five community cards: flop, turn, river."""
        return self._cards(self._block.dealer.order.board)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seat numbers of the winners, who share the pot equally."""
        return self._block.winners[self._row]

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """Each seat's exact share of the pot; the shares add up to 1."""
        return tuple(seat.share for seat in self.seats)

    def to_dict(self) -> dict[str, Any]:
        """Build the JSON object that ``holdem deal -f jsonl`` prints."""
        return {
            "hand": self.number,
            "seed": self.seed,
            "seats": [
                {
                    "hole": [str(card) for card in seat.hole],
                    "category": seat.value.category,
                    "class": seat.value.rank_class,
                    "best": [str(card) for card in seat.value.best],
                }
                for seat in self.seats
            ],
            "burns": [str(card) for card in self.burns],
            "board": [str(card) for card in self.board],
            "winners": list(self.winners),
            "evaluator": self.evaluator.to_dict(),
        }

    def _cards(self, positions: tuple[int, ...]) -> tuple[Card, ...]:
        row = self._block.cards[self._row]
        return tuple([DECK[row[position]] for position in positions])

    def _key(self) -> tuple[object, ...]:
        return (self.seed, self.number, *self._block.cards[self._row], id(self._block.evaluator))

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only what determines the hand; unpickling deals the hand again."""
        dealer = self._block.dealer
        return _hand_of, (dealer.players, dealer.seed, dealer.evaluator, self.number)

    def __repr__(self) -> str:
        board = " ".join(map(str, self.board))
        return f"<Hand {self.number} of seed {self.seed}: {len(self.seats)} players, board {board}>"


def simulate(
    players: int = 6,
    hands: int | None = None,
    seed: int | None = None,
    evaluator: EvaluatorLike | None = None,
) -> Iterator[Hand]:
    """Deal whole hands of Hold'em, one after another.

    A hand depends only on the seed and its number: hand 1,000 of seed 7 is the same in
    `simulate`, `aggregate` and `write_hands`, on any machine. The deck is shuffled for each
    hand, in the same way for any number of players.

    Args:
        players: 2 to 10.
        hands: the number of hands; unlimited if None.
        seed: 0..2^53-1; drawn from the operating system's entropy if None. Every hand has it
            as an attribute.
        evaluator: ranks the hands: a name, a spec, or None for the default.

    Returns:
        An iterator of `Hand`, which uses constant memory. Hands are ranked on first use, up to
        some hundreds at a time.

    Raises:
        SpotError: not 2 to 10 players, or a negative number of hands.
        SeedError: a seed outside 0..2^53-1.
        EvaluatorError: no such evaluator, or one that cannot be used.
        HoldemTypeError: an argument of a type that cannot be used.
    """
    if hands is not None:
        hands = checked_integer(hands, "hands", 0, MAX_HANDS, SpotError, bounds="from 0 to 10^15")
    return _deal(make_dealer(players, seed, evaluator), hands)


def make_dealer(players: int, seed: int | None, evaluator: EvaluatorLike | None) -> HandDealer:
    """Create a dealer whose evaluator is loaded and whose kernels are compiled.

    Arguments and errors are those of `simulate`.
    """
    dealer = HandDealer(players, seed, evaluator)
    if dealer.evaluator not in _warm_evaluators:
        in_worker_thread(lambda: dealer.evaluator.rank(dealer.deal(1, 1)[1][:1]))
        _warm_evaluators.add(dealer.evaluator)
    return dealer


def _deal(dealer: HandDealer, hands: int | None) -> Iterator[Hand]:
    first, size = 1, _FIRST_BLOCK
    while hands is None or first <= hands:
        count = size if hands is None else min(size, hands - first + 1)
        block = _Block(dealer, first, count)
        for row in range(count):
            yield block.hand(row)
        first += count
        size = min(2 * size, _LARGEST_BLOCK)


def _hand_of(players: int, seed: int, evaluator: Evaluator, number: int) -> Hand:
    return _Block(make_dealer(players, seed, evaluator), number, 1).hand(0)


def _seat_of(hand: Hand, number: int) -> Seat:
    return hand.seats[number]


_LOW_16 = np.uint64(0xFFFF)


_FRACTIONS = np.uint64(1 << 16)
_16, _32, _48 = np.uint64(16), np.uint64(32), np.uint64(48)


@inlined
def swap(cards: CardArray, position: np.uint64, distance: np.uint64) -> None:
    """Swap the cards at indices `position` and `position + distance`."""
    card = cards[position + distance]
    cards[position + distance] = cards[position]
    cards[position] = card


@kernel
def deal_hands(
    counter: np.uint64,
    deck: CardArray,
    positions: NDArray[np.int64],
    dealt: CardArray,
    hands: CardArray,
) -> None:
    """Deal consecutive hands, each of them from a freshly shuffled deck.

    Args:
        counter: the first counter of the first hand.
        deck: ``uint8 (card,)``: the cards in order, a multiple of four.
        positions: ``int64 (seat, 7)``: positions in the shuffled deck of a seat's seven cards.
        dealt: ``uint8 (hand, card)``, written: the top cards of each deck, up to 28.
        hands: ``uint8 (hand * seat, 7)``, written: each seat's hole cards and the board.
    """
    size = np.uint64(len(deck))
    cards = np.uint64(dealt.shape[1])
    seats = np.uint64(len(positions))
    thresholds = np.empty(28, dtype=np.uint64)
    for draw in range(min(size, np.uint64(28))):
        thresholds[draw] = _FRACTIONS % (size - draw)
    top = np.empty_like(deck)
    for hand in range(np.uint64(len(dealt))):
        for card in range(size):
            top[card] = deck[card]
        next_counter = counter + hand * np.uint64(WORDS_PER_HAND) * GOLDEN
        for quarter in range((cards + np.uint64(3)) // np.uint64(4)):
            position = np.uint64(quarter) * np.uint64(4)
            while True:  # four numbers from one word; all are rejected if one is
                word = random_word(next_counter)
                next_counter += GOLDEN
                first = (word & _LOW_16) * (size - position)
                second = (word >> _16 & _LOW_16) * (size - position - np.uint64(1))
                third = (word >> _32 & _LOW_16) * (size - position - np.uint64(2))
                fourth = (word >> _48) * (size - position - np.uint64(3))
                if (
                    (first & _LOW_16 >= thresholds[position])
                    & (second & _LOW_16 >= thresholds[position + np.uint64(1)])
                    & (third & _LOW_16 >= thresholds[position + np.uint64(2)])
                    & (fourth & _LOW_16 >= thresholds[position + np.uint64(3)])
                ):
                    break
            swap(top, position, first >> _16)
            swap(top, position + np.uint64(1), second >> _16)
            swap(top, position + np.uint64(2), third >> _16)
            swap(top, position + np.uint64(3), fourth >> _16)
        for card in range(cards):
            dealt[hand, card] = top[card]
        for seat in range(seats):
            for card in range(np.uint64(7)):
                hands[hand * seats + seat, card] = top[positions[seat, card]]
