"""`Deck`: a deck of cards to shuffle and deal from."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

import numpy as np

from holdem.arguments import checked_integer
from holdem.cards import DECK, Card, CardsLike, cards_text, parse_cards
from holdem.dealing.seeds import Seed, resolve_seed, stream
from holdem.errors import CardError, HoldemTypeError, SeedError


class Deck:
    """A deck of cards that can be shuffled and is dealt from the top.

        deck = Deck(seed=7)
        hole = deck.deal(2)
        deck.burn()
        flop = deck.deal(3)

    A deck with a seed or a generator is shuffled; `Deck()` is in order.

    `len` counts the cards that are left, iterating yields them from the top without taking
    them, and ``card in deck`` tests whether a card is left.

    Args:
        seed: 0..2^64-1 or a SeedSequence. The deck is shuffled. The same seed and the same calls
            give the same cards. Without a seed or `rng`, the deck is in order, and the seed of
            later shuffles is drawn from the operating system's entropy; the attribute `seed` holds
            it, so that any run can be repeated.
        rng: a ``numpy.random.Generator`` or a ``random.Random`` to shuffle with instead of a seed.
            Each shuffle advances it. The global generators of numpy and of `random` are never
            used.
        cards: the cards of the deck from the top down, before it is shuffled, e.g. for a short
            deck, or without a seed for a stacked one. All 52 by default, twos first.

    Raises:
        SeedError: the seed is out of bounds, or both a seed and a generator are given.
        CardError: a card of `cards` does not exist or appears twice.
        HoldemTypeError: an argument has the wrong type.
    """

    def __init__(
        self,
        seed: Seed | None = None,
        *,
        rng: np.random.Generator | random.Random | None = None,
        cards: CardsLike | None = None,
    ) -> None:
        self._seed: int | None = None
        if rng is None:
            self._seed = resolve_seed(seed)
            rng = stream(self._seed, "deck")
        elif not isinstance(rng, np.random.Generator | random.Random):
            raise HoldemTypeError(
                "rng must be a numpy Generator, such as numpy.random.default_rng(7), or a"
                f" random.Random, such as random.Random(7), not of the type {type(rng).__name__}"
            )
        elif seed is not None:
            raise SeedError("a deck takes a seed or a generator (rng), not both")
        self._rng: np.random.Generator | random.Random = rng
        self._left = list(DECK if cards is None else parse_cards(cards, what="deck"))
        self._dealt: list[Card] = []
        if self._seed is None or seed is not None:
            self.shuffle()

    @property
    def seed(self) -> int | None:
        """The deck's seed, or None if the deck was made with `rng`."""
        return self._seed

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards left in the deck, from the top down."""
        return tuple(self._left)

    def __len__(self) -> int:
        return len(self._left)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __contains__(self, card: object) -> bool:
        if isinstance(card, str):
            card = Card(card)
        try:
            return card in self._left
        except ValueError:  # an array or a Series
            raise HoldemTypeError(
                f"one card can be in a deck, not a value of the type {type(card).__name__};"
                " numpy.isin(cards, deck.cards) tests each"
            ) from None

    def __repr__(self) -> str:
        seed = "" if self._seed is None else f", seed={self._seed}"
        return f"<Deck: {len(self)} cards left{seed}>"

    def shuffle(self, seed: Seed | None = None) -> Deck:
        """Shuffle the cards left in the deck, and return the deck.

        Dealt, burnt and removed cards stay out of the deck; `collect` returns the dealt and
        burnt ones. The shuffle is the Fisher-Yates shuffle of numpy's ``Generator.permutation``,
        or the selection of ``random.Random.sample``: all orders are equally likely.

        Args:
            seed: 0..2^64-1 or a SeedSequence, from which this shuffle and later ones are drawn;
                None to go on with the deck's own seed or generator.

        Raises:
            SeedError: the seed is out of bounds.
            HoldemTypeError: the seed is not an integer.
        """
        if seed is not None:
            self._seed = resolve_seed(seed)
            self._rng = stream(self._seed, "deck")
        if isinstance(self._rng, np.random.Generator):
            self._left = [self._left[index] for index in self._rng.permutation(len(self._left))]
        else:
            self._left = self._rng.sample(self._left, len(self._left))
        return self

    def deal(self, count: int) -> tuple[Card, ...]:
        """Deal `count` cards from the top of the deck and return them in order.

        Raises:
            CardError: `count` is negative, or fewer cards are left. Then no card is taken.
            HoldemTypeError: `count` is not an integer.
        """
        name, bounds = "the number of cards", "of at least 0"
        count = checked_integer(count, name, 0, sys.maxsize, CardError, bounds)
        left = len(self._left)
        if count > left:
            verb = "is" if left <= 1 else "are"
            raise CardError(f"cannot deal {count} cards: {left or 'none'} {verb} left in the deck")
        dealt = tuple(self._left[:count])
        del self._left[:count]
        self._dealt += dealt
        return dealt

    def burn(self) -> Card:
        """Burn the top card: take it out of play, and return it.

        Raises:
            CardError: no card is left.
        """
        if not self._left:
            raise CardError("cannot burn a card: none is left in the deck")
        return self.deal(1)[0]

    def remove(self, cards: CardsLike) -> None:
        """Remove known cards from the deck, such as dead cards or chosen hands.

        `collect` does not return them to the deck.

        Args:
            cards: text such as ``"As Kd"``, or a sequence of cards, ids and strings.

        Raises:
            CardError: a card does not exist, appears twice or is not in the deck. Then no card
                is removed.
        """
        unwanted = parse_cards(cards, what="cards to remove")
        missing = [card for card in unwanted if card not in self._left]
        if missing:
            raise CardError(f"cannot remove {cards_text(missing, ' ')}: not in the deck")
        self._left = [card for card in self._left if card not in unwanted]

    def collect(self) -> None:
        """Return all dealt and burnt cards to the bottom of the deck, in the order of dealing.

        The deck is not shuffled.
        """
        self._left += self._dealt
        self._dealt = []
