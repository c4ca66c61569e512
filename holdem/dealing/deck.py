"""A deck of cards that is shuffled, dealt from, and burnt from, one card after another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from holdem.arguments import checked_integer
from holdem.cards import DECK, Card, CardsLike, cards_text, parse_cards
from holdem.dealing.seeds import resolve_seed, stream
from holdem.errors import CardError, HoldemTypeError, SeedError


class Deck:
    """A deck: 52 cards in order until it is shuffled, dealt from the top.

        deck = Deck(seed=7)
        deck.shuffle()
        hole = deck.deal(2)
        deck.burn()
        flop = deck.deal(3)

    `len` counts the cards that are left, iterating shows them from the top without taking
    them, and ``card in deck`` says whether one is still there.

    Args:
        seed: 0..2^53-1. The same seed and the same calls give the same cards. Without one
            (and without `rng`) a seed is drawn from the operating system's entropy; `seed`
            says which, so that any run can be repeated.
        rng: a ``numpy.random.Generator`` to shuffle with, instead of a seed. Its state moves
            on with each shuffle. The global generators of numpy and of `random` are never
            read or changed.
        cards: the cards of the deck from the top down, instead of all 52 in order: a stacked
            deck, or a short one.

    Raises:
        SeedError: a seed outside 0..2^53-1, or both a seed and a generator.
        CardError: a card of `cards` that does not exist or stands twice.
        HoldemTypeError: an argument of a type that cannot be used.
    """

    def __init__(
        self,
        seed: int | None = None,
        *,
        rng: np.random.Generator | None = None,
        cards: CardsLike | None = None,
    ) -> None:
        self._seed: int | None = None
        if rng is None:
            self._seed = resolve_seed(seed)
            rng = stream(self._seed, "deck")
        elif not isinstance(rng, np.random.Generator):
            raise HoldemTypeError(
                "rng is a numpy Generator, as numpy.random.default_rng(7) makes one,"
                f" not of the type {type(rng).__name__}"
            )
        elif seed is not None:
            raise SeedError("a deck takes a seed or a generator (rng), not both")
        self._rng = rng
        self._left = list(DECK if cards is None else parse_cards(cards, what="deck"))
        self._out: list[Card] = []

    @property
    def seed(self) -> int | None:
        """The seed, given or drawn; None for a deck with a generator of the caller's."""
        return self._seed

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that are left, from the top down."""
        return tuple(self._left)

    def __len__(self) -> int:
        return len(self._left)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __contains__(self, card: object) -> bool:
        return (Card(card) if isinstance(card, str) else card) in self._left

    def __repr__(self) -> str:
        seed = "" if self._seed is None else f", seed={self._seed}"
        return f"<Deck: {len(self)} cards left{seed}>"

    def shuffle(self) -> None:
        """Shuffle the cards that are left.

        Cards already dealt, burnt or removed stay out: those in the players' hands must not
        come a second time. `collect` takes the dealt cards back.

        A Fisher-Yates shuffle: numpy's ``Generator.permutation`` swaps each place, last to
        first, with one drawn by an unbiased bounded integer from those up to it, so that
        every order is as likely as any other.
        """
        self._left = [self._left[place] for place in self._rng.permutation(len(self._left))]

    def deal(self, count: int) -> tuple[Card, ...]:
        """Take `count` cards from the top and return them in the order they came.

        Raises:
            CardError: fewer cards are left (none is then taken), or `count` is negative.
            HoldemTypeError: `count` is not an integer.
        """
        count = checked_integer(count, "the number of cards", 0, _MANY, CardError, bounds="of at least 0")
        if count > len(self._left):
            raise CardError(f"cannot deal {count} cards: {_told(len(self._left))} in the deck")
        dealt = tuple(self._left[:count])
        del self._left[:count]
        self._out += dealt
        return dealt

    def burn(self) -> Card:
        """Take the top card out of play and return it, for the record.

        Raises:
            CardError: no card is left.
        """
        if not self._left:
            raise CardError("cannot burn a card: none is left in the deck")
        return self.deal(1)[0]

    def remove(self, cards: CardsLike) -> None:
        """Take known cards out of the deck: dead cards, or hands that are dealt by choice.

        They stay out for good: `collect` does not bring them back.

        Args:
            cards: text such as ``"As Kd"``, or a sequence of cards, ids and texts.

        Raises:
            CardError: a card that does not exist, stands twice or is not in the deck any
                more; none is then removed.
        """
        unwanted = parse_cards(cards, what="cards to remove")
        missing = [card for card in unwanted if card not in self._left]
        if missing:
            raise CardError(f"cannot remove {cards_text(missing, ' ')}: not in the deck")
        self._left = [card for card in self._left if card not in unwanted]

    def collect(self) -> None:
        """Put the cards dealt and burnt so far back under the deck, in the order they came.

        Shuffle afterwards, as at a table: the order is known until then.
        """
        self._left += self._out
        self._out = []


_MANY = 2**63 - 1


def _told(left: int) -> str:
    return {0: "none is left", 1: "1 is left"}.get(left, f"{left} are left")
