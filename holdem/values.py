"""What a hand is worth: categories, classes, rule sets, and their names for people.

A *category* is one of nine kinds of hand; a *class* is one of the values that hands can
have within a rule set, 1 for the best. With standard rules there are 7,462 classes, in the
order that Cactus Kev published. Everything here is small, plain and independent of any
evaluator: it says what the order of hands *is*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, combinations

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, RANKS, Card, CardArray, index_set
from holdem.errors import CardError, HoldemError

HIGH_CARD = "high card"
PAIR = "pair"
TWO_PAIR = "two pair"
THREE_OF_A_KIND = "three of a kind"
STRAIGHT = "straight"
FLUSH = "flush"
FULL_HOUSE = "full house"
FOUR_OF_A_KIND = "four of a kind"
STRAIGHT_FLUSH = "straight flush"

#: Names of ranks 0..12 in the singular and in the plural.
RANK_NAMES = (
    *("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"),
    *("Jack", "Queen", "King", "Ace"),
)
RANK_PLURALS = tuple(name + ("es" if name == "Six" else "s") for name in RANK_NAMES)

_ACE = 12
# How often each rank stands in a hand of that category, the ranks that decide first.
_SHAPES = {
    HIGH_CARD: (1, 1, 1, 1, 1),
    PAIR: (2, 1, 1, 1),
    TWO_PAIR: (2, 2, 1),
    THREE_OF_A_KIND: (3, 1, 1),
    STRAIGHT: (1, 1, 1, 1, 1),
    FLUSH: (1, 1, 1, 1, 1),
    FULL_HOUSE: (3, 2),
    FOUR_OF_A_KIND: (4, 1),
    STRAIGHT_FLUSH: (1, 1, 1, 1, 1),
}


@attrs.frozen
class HandClass:
    """One of the values that a hand can have within a rule set."""

    category: str
    """One of the nine categories."""

    ranks: tuple[int, ...]
    """The ranks that decide, most important first: ``(5, 12)`` for sevens full of aces;
    for a straight its five ranks from the top down (an ace played low comes last)."""

    @property
    def name(self) -> str:
        """The name for people: ``"Full House, Sevens full of Aces"``."""
        title = self.category.title().replace(" Of A ", " of a ")
        top, *rest = self.ranks
        if self.category == STRAIGHT_FLUSH and top == _ACE:
            return "Royal Flush"
        if self.category == HIGH_CARD:
            return f"{title}, {RANK_NAMES[top]}"
        if self.category in (STRAIGHT, FLUSH, STRAIGHT_FLUSH):
            return f"{title}, {RANK_NAMES[top]} high"
        if self.category == FULL_HOUSE:
            return f"{title}, {RANK_PLURALS[top]} full of {RANK_PLURALS[rest[0]]}"
        if self.category == TWO_PAIR:
            return f"{title}, {RANK_PLURALS[top]} and {RANK_PLURALS[rest[0]]}"
        return f"{title}, {RANK_PLURALS[top]}"

    @property
    def example(self) -> tuple[Card, ...]:
        """Five cards of this class, those that decide first."""
        shape = _SHAPES[self.category]
        suited = self.category in (FLUSH, STRAIGHT_FLUSH)
        cards = []
        for place, (rank, times) in enumerate(zip(self.ranks, shape, strict=True)):
            # The last of five lone cards changes suit, so that no flush comes about.
            first = 0 if suited or place + 1 < len(shape) else 3 if times == 1 else 0
            cards += [DECK[4 * rank + first + i] for i in range(times)]
        return tuple(cards)


@attrs.frozen(eq=False, slots=False)
class RuleSet:
    """What makes one game's hands stronger than others: a deck and an order of categories."""

    name: str
    """What specs call it, e.g. ``"standard"``."""

    lowest_rank: int
    """The deck holds the ranks from this one up to the ace: 0 for all 52 cards."""

    categories: tuple[str, ...]
    """The nine categories, weakest first."""

    @cached_property
    def deck(self) -> tuple[Card, ...]:
        """The cards of the game, lowest id first."""
        return DECK[4 * self.lowest_rank :]

    @cached_property
    def outside(self) -> int:
        """The index set of the cards of 52 that the game does not have."""
        return index_set(DECK) & ~index_set(self.deck)

    @property
    def deck_text(self) -> str:
        """The deck in words: ``"36 cards, 6 to A"``."""
        return f"{len(self.deck)} cards, {RANKS[self.lowest_rank]} to {RANKS[_ACE]}"

    def require(self, cards: Iterable[Card], what: str) -> None:
        """Refuse a card that the deck does not have.

        Args:
            cards: any cards.
            what: what to call them in a message, e.g. ``"board"``.

        Raises:
            CardError: names the card and the deck.
        """
        for card in cards:
            if card < self.deck[0]:
                raise CardError(
                    f"{what}: {card} is not in the deck of {self.name} rules ({self.deck_text})"
                )

    @cached_property
    def straights(self) -> tuple[tuple[int, ...], ...]:
        """The ranks of each straight from the top down, strongest first.

        The last one is the wheel, in which the ace plays below the lowest rank.
        """
        low = self.lowest_rank
        tops = [tuple(range(top, top - 5, -1)) for top in range(_ACE, low + 3, -1)]
        return (*tops, (*range(low + 3, low - 1, -1), _ACE))

    @cached_property
    def classes(self) -> tuple[HandClass, ...]:
        """Every class, strongest first: ``classes[0]`` is class 1."""
        return tuple(
            HandClass(category, ranks)
            for category in reversed(self.categories)
            for ranks in self._ranks_of(category)
        )

    @cached_property
    def examples(self) -> CardArray:
        """A hand of each class, ``uint8 (class, 5)``, strongest first."""
        hands = np.array([hand_class.example for hand_class in self.classes], dtype=np.uint8)
        hands.setflags(write=False)
        return hands

    @cached_property
    def rank_places(self) -> NDArray[np.uint8]:
        """The place of each rank among those that decide a class, ``uint8 (class + 1, 13)``.

        The row of a class is its number; 13 for a rank that the class does not have.
        """
        ranks = [hand_class.ranks for hand_class in self.classes]
        rows = np.repeat(np.arange(1, len(ranks) + 1), [len(own) for own in ranks])
        places = np.full((len(ranks) + 1, len(RANKS)), len(RANKS), dtype=np.uint8)
        places[rows, list(chain.from_iterable(ranks))] = list(
            chain.from_iterable(range(len(own)) for own in ranks)
        )
        places.setflags(write=False)
        return places

    def _ranks_of(self, category: str) -> Iterator[tuple[int, ...]]:
        ranks = range(_ACE, self.lowest_rank - 1, -1)
        if category in (STRAIGHT, STRAIGHT_FLUSH):
            yield from self.straights
        elif category in (HIGH_CARD, FLUSH):
            no_hand = {frozenset(straight) for straight in self.straights}
            yield from (five for five in combinations(ranks, 5) if frozenset(five) not in no_hand)
        elif category == TWO_PAIR:
            for pairs in combinations(ranks, 2):
                yield from ((*pairs, kicker) for kicker in ranks if kicker not in pairs)
        else:  # one group of a rank, then the others from the top down
            others = len(_SHAPES[category]) - 1
            for top in ranks:
                rest = [rank for rank in ranks if rank != top]
                yield from ((top, *kickers) for kickers in combinations(rest, others))

    def class_at(self, rank_class: int) -> HandClass:
        """Return the class numbered `rank_class`, 1 for the best.

        Raises:
            HoldemError: no such class.
        """
        if not 1 <= rank_class <= len(self.classes):
            raise HoldemError(
                f"no class {rank_class}: {self.name} rules have 1..{len(self.classes)}"
            )
        return self.classes[rank_class - 1]


STANDARD = RuleSet(
    name="standard",
    lowest_rank=0,
    categories=(
        *(HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT),
        *(FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH),
    ),
)

#: The nine categories of standard rules, weakest first.
CATEGORIES = STANDARD.categories

#: Short deck, or six plus: no card below a six. Of nine ranks a suit has fewer, so that a
#: flush is rarer than a full house (480 of all 376,992 hands against 1,728) and beats it.
SHORT_DECK = RuleSet(
    name="short-deck",
    lowest_rank=4,
    categories=(
        *(HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT),
        *(FULL_HOUSE, FLUSH, FOUR_OF_A_KIND, STRAIGHT_FLUSH),
    ),
)

#: All rule sets by their names.
RULE_SETS = {rules.name: rules for rules in (STANDARD, SHORT_DECK)}


def rule_set(name: str) -> RuleSet | None:
    """Return the rule set of that name, or None."""
    return RULE_SETS.get(name)
